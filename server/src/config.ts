// All settings in one place: each folder declares its own, and the service is started with all of them.
import { type AccountsConfig, accountsConfig, accountsSettings } from './accounts/accounts.settings.ts'
import { type ArchiveConfig, archiveConfig, archiveSettings } from './archive/archive.settings.ts'
import { type AuditConfig, auditConfig, auditSettings } from './audit/audit.settings.ts'
import { type DeskConfig, deskConfig, deskSettings } from './desk/desk.settings.ts'
import { type KycConfig, kycConfig, kycSettings } from './kyc/kyc.settings.ts'
import { type PayeesConfig, payeesConfig, payeesSettings } from './payees/payees.settings.ts'
import { type PaymentsConfig, paymentsConfig, paymentsSettings } from './payments/payments.settings.ts'
import { type Environment, exampleOf, processEnvironment, readSettings } from './platform/config.ts'
import {
  type PlatformConfig,
  platformConfig,
  platformSettings,
  type RateLimitConfig,
  rateLimitConfig,
} from './platform/platform.settings.ts'
import { type RailsConfig, railsConfig, railsSettings } from './rails/rails.settings.ts'
import { type RequestsConfig, requestsConfig, requestsSettings } from './requests/requests.settings.ts'
import { type SandboxConfig, sandboxConfig, sandboxSettings } from './sandbox/sandbox.settings.ts'
import { type ScreeningConfig, screeningConfig, screeningSettings } from './screening/screening.settings.ts'
import { type TransfersConfig, transfersConfig, transfersSettings } from './transfers/transfers.settings.ts'
import { type UsersConfig, usersConfig, usersSettings } from './users/users.settings.ts'
import { type VenturesConfig, venturesConfig, venturesSettings } from './ventures/ventures.settings.ts'
import { type VerifyConfig, verifyConfig, verifySettings } from './verify/verify.settings.ts'
import { type WebhooksConfig, webhooksConfig, webhooksSettings } from './webhooks/webhooks.settings.ts'

export const settings = {
  ...platformSettings,
  ...sandboxSettings,
  ...venturesSettings,
  ...usersSettings,
  ...auditSettings,
  ...kycSettings,
  ...screeningSettings,
  ...accountsSettings,
  ...payeesSettings,
  ...transfersSettings,
  ...railsSettings,
  ...paymentsSettings,
  ...webhooksSettings,
  ...requestsSettings,
  ...archiveSettings,
  ...verifySettings,
  ...deskSettings,
}

export type Config = PlatformConfig &
  RateLimitConfig &
  SandboxConfig &
  VenturesConfig &
  UsersConfig &
  AuditConfig &
  KycConfig &
  ScreeningConfig &
  AccountsConfig &
  PayeesConfig &
  TransfersConfig &
  RailsConfig &
  PaymentsConfig &
  WebhooksConfig &
  RequestsConfig &
  ArchiveConfig &
  VerifyConfig &
  DeskConfig

export function readConfig(environment: Environment = processEnvironment()): Config {
  const given = readSettings(settings, environment)
  const platform = platformConfig(given)
  const sandbox = sandboxConfig(given, platform)
  const audit = auditConfig(given, sandbox)
  return {
    ...platform,
    ...sandbox,
    ...rateLimitConfig(given, sandbox),
    ...venturesConfig(given, sandbox),
    ...usersConfig(given, sandbox),
    ...audit,
    ...kycConfig(given),
    ...screeningConfig(given),
    ...accountsConfig(given),
    ...payeesConfig(given),
    ...transfersConfig(given),
    ...railsConfig(given, { ...sandbox, ...audit }),
    ...paymentsConfig(given),
    ...webhooksConfig(given, sandbox),
    ...requestsConfig(given, platform),
    ...archiveConfig(given),
    ...verifyConfig(given),
    ...deskConfig(given),
  }
}

/** The text of the file `.env.example`. */
export function envExample(): string {
  return `# Every setting of Vostro. Copy this file to .env and set what you need; an empty setting has its default.\n\n${exampleOf(settings)}`
}
