// The settings of identity verification: the verifier, the secrets shared with it, and the account at Sumsub.
import { type Given, httpUrl, list, type Settings, secret, text } from '../platform/config.ts'
import { isSecret } from '../platform/standard-webhooks.ts'
import { StartupError } from '../platform/startup-error.ts'

export const kycSettings = {
  KYC_WEBHOOK_SECRET: {
    default: 'generated when embedded, otherwise unset: events are refused',
    meaning: 'the secret that signs verification events (whsec_…), or two of them, separated by a comma',
    parse: webhookSecrets,
  },
  KYC_API_KEY: {
    default: 'generated when embedded, otherwise unset',
    meaning: "the key of the identity verifier's relay, which gives access only to /kyc/webhook; at least 32 characters",
    parse: secret,
  },
  VERIFIER: { default: 'sandbox', meaning: 'who verifies identities: sandbox or sumsub', parse: verifier },
  SUMSUB_URL: { default: 'https://api.sumsub.com', meaning: 'the URL of Sumsub', parse: httpUrl },
  SUMSUB_APP_TOKEN: { default: 'unset', meaning: 'the token of the Sumsub app', parse: text },
  SUMSUB_SECRET_KEY: { default: 'unset', meaning: 'the secret key of the Sumsub app', parse: text },
  SUMSUB_WEBHOOK_SECRET: {
    default: 'unset',
    meaning: 'the secret that signs Sumsub events, or two of them, separated by a comma',
    parse: list,
  },
  SUMSUB_LEVEL: { default: 'basic-kyc-level', meaning: 'the verification level for FULL_KYC', parse: text },
  SUMSUB_DOC_LEVEL: { default: 'SUMSUB_LEVEL', meaning: 'the verification level for DOC_ONLY', parse: text },
} satisfies Settings

export type KycConfig = {
  kycWebhookSecrets: readonly string[]
  kycApiKey: string | undefined
  verifier: 'sandbox' | 'sumsub'
  sumsub: SumsubConfig
}

export type SumsubConfig = {
  url: string
  appToken: string
  secretKey: string
  webhookSecrets: readonly string[]
  levelName: { FULL_KYC: string; DOC_ONLY: string }
}

export function kycConfig(given: Given<typeof kycSettings>): KycConfig {
  return {
    kycWebhookSecrets: given.KYC_WEBHOOK_SECRET ?? [],
    kycApiKey: given.KYC_API_KEY,
    verifier: given.VERIFIER ?? 'sandbox',
    sumsub: sumsubConfig(given),
  }
}

function sumsubConfig(given: Given<typeof kycSettings>): SumsubConfig {
  const level = given.SUMSUB_LEVEL ?? 'basic-kyc-level'
  for (const name of ['SUMSUB_APP_TOKEN', 'SUMSUB_SECRET_KEY', 'SUMSUB_WEBHOOK_SECRET'] as const) {
    if (given.VERIFIER === 'sumsub' && given[name] === undefined)
      throw new StartupError(`VERIFIER is sumsub, so the setting ${name} is required.`)
  }
  return {
    url: given.SUMSUB_URL ?? 'https://api.sumsub.com',
    appToken: given.SUMSUB_APP_TOKEN ?? '',
    secretKey: given.SUMSUB_SECRET_KEY ?? '',
    webhookSecrets: given.SUMSUB_WEBHOOK_SECRET ?? [],
    levelName: { FULL_KYC: level, DOC_ONLY: given.SUMSUB_DOC_LEVEL ?? level },
  }
}

function webhookSecrets(text: string): string[] {
  const secrets = list(text)
  if (!secrets.every(isSecret)) throw new Error('must be one or two secrets, each of them whsec_ and at least 24 bytes in base64')
  return secrets
}

function verifier(text: string): 'sandbox' | 'sumsub' {
  if (text !== 'sandbox' && text !== 'sumsub') throw new Error(`must be sandbox or sumsub, not "${text}"`)
  return text
}
