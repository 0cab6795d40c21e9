// The settings: environment variables, read here and nowhere else. `.env.example` is made from this table.
import { parseBic } from '../values/bic.ts'
import { bbanLengthOf, makeIban } from '../values/iban.ts'
import { isSecret } from './standard-webhooks.ts'
import { StartupError } from './startup-error.ts'

type Setting<T> = { default: string; meaning: string; parse(text: string): T }

const text = (text: string): string => text

export const settings = {
  PORT: { default: '8080', meaning: 'the port to listen on', parse: (text) => integer(text, 0, 65_535) },
  HOST: { default: '127.0.0.1', meaning: 'the address to listen on; 0.0.0.0 for all', parse: text },
  PUBLIC_URL: { default: 'http://localhost:PORT', meaning: 'how the outside reaches us (return routes, links)', parse: httpUrl },
  DATABASE_URL: { default: 'unset: an embedded PostgreSQL', meaning: 'a PostgreSQL 15 or newer', parse: postgresUrl },
  MIGRATION_DATABASE_URL: { default: 'DATABASE_URL', meaning: 'the owner of the tables, for migrations', parse: postgresUrl },
  DATA_DIR: { default: './data', meaning: 'the folder of the embedded database and of generated secrets', parse: text },
  ADMIN_API_KEY: {
    default: 'generated when embedded, else unset: no admin routes',
    meaning: "the operator's key, at least 32 characters",
    parse: secret,
  },
  KYC_WEBHOOK_SECRET: {
    default: 'generated when embedded, else unset: events are refused',
    meaning: 'what signs verification events: one or two secrets (whsec_…), separated by a comma',
    parse: webhookSecrets,
  },
  KYC_API_KEY: {
    default: 'generated when embedded, else unset',
    meaning: "the key of the verifier's relay, which opens nothing but /kyc/webhook; at least 32 characters",
    parse: secret,
  },
  VERIFIER: { default: 'sandbox', meaning: 'who verifies identities: sandbox or sumsub', parse: verifier },
  SUMSUB_URL: { default: 'https://api.sumsub.com', meaning: 'where Sumsub is', parse: httpUrl },
  SUMSUB_APP_TOKEN: { default: 'unset', meaning: 'the token of the Sumsub app', parse: text },
  SUMSUB_SECRET_KEY: { default: 'unset', meaning: 'the secret key of the Sumsub app', parse: text },
  SUMSUB_WEBHOOK_SECRET: { default: 'unset', meaning: 'what signs Sumsub events: one or two secrets, separated by a comma', parse: list },
  SUMSUB_LEVEL: { default: 'basic-kyc-level', meaning: 'the verification level for FULL_KYC', parse: text },
  SUMSUB_DOC_LEVEL: { default: 'SUMSUB_LEVEL', meaning: 'the verification level for DOC_ONLY', parse: text },
  GATEWAY_URL: { default: 'unset: the sandbox', meaning: 'where the card gateway is, without /payment/rest', parse: httpUrl },
  GATEWAY_USER: { default: 'unset', meaning: 'the user of the card gateway', parse: text },
  GATEWAY_PASSWORD: { default: 'unset', meaning: 'the password of the card gateway', parse: text },
  SANDBOX: {
    default: 'true when embedded, else false',
    meaning: 'stand-ins for the outside world, and keys named vk_test_',
    parse: boolean,
  },
  WEBHOOK_ALLOW_PRIVATE_NETWORK: {
    default: 'the value of SANDBOX',
    meaning: 'may webhooks go to private addresses and over plain http',
    parse: boolean,
  },
  BANK_COUNTRY: { default: 'LT', meaning: "the country of the bank's IBANs, by its two letters", parse: ibanCountry },
  BANK_CODE: { default: '99990', meaning: "what the country's own part of each account number begins with", parse: bankCode },
  BANK_BIC: { default: 'VOSTLT21XXX', meaning: "the bank's BIC", parse: bic },
  BANK_NAME: { default: 'Vostro Sandbox Bank', meaning: 'what the bank is called in payments, at most 140 characters', parse: bankName },
  RATE_LIMIT_PER_MINUTE: {
    default: 'unset: no limit',
    meaning: 'requests for each key and minute, counted by each instance',
    parse: (text) => integer(text, 1, 1_000_000_000),
  },
  LOG_LEVEL: { default: 'info', meaning: 'trace, debug, info, warn, error, fatal or silent', parse: logLevel },
} satisfies Record<string, Setting<unknown>>

type SettingName = keyof typeof settings
type Given = { [Name in SettingName]?: ReturnType<(typeof settings)[Name]['parse']> }

export type Config = {
  host: string
  port: number
  publicUrl: string
  databaseUrl: string | undefined
  migrationDatabaseUrl: string | undefined
  dataDir: string
  adminApiKey: string | undefined
  kycWebhookSecrets: readonly string[]
  kycApiKey: string | undefined
  verifier: 'sandbox' | 'sumsub'
  sumsub: SumsubConfig
  gateway: { url: string; user: string; password: string } | undefined
  sandbox: boolean
  webhookAllowPrivateNetwork: boolean
  bank: BankConfig
  rateLimitPerMinute: number | undefined
  logLevel: string
}

export type SumsubConfig = {
  url: string
  appToken: string
  secretKey: string
  webhookSecrets: readonly string[]
  levelName: { FULL_KYC: string; DOC_ONLY: string }
}

/** The bank whose accounts these are. */
export type BankConfig = { country: string; code: string; bic: string; name: string }

/** Takes over the lines of a file `.env`, if there is one; what the environment says already stays. */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new StartupError(`The file .env cannot be read: ${(error as Error).message}.`)
  }
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).flatMap(([name, { parse }]) => {
      const text = environment[name]?.trim()
      // `NAME=` in an env file means that it is not set.
      return text === undefined || text === '' ? [] : [[name, parsed(name, parse, text)]]
    }),
  ) as Given
  if (given.MIGRATION_DATABASE_URL !== undefined && given.DATABASE_URL === undefined) {
    throw new StartupError('MIGRATION_DATABASE_URL is set without DATABASE_URL: set both, or neither for the embedded database.')
  }
  const port = given.PORT ?? 8080
  const sandbox = given.SANDBOX ?? given.DATABASE_URL === undefined
  return {
    host: given.HOST ?? '127.0.0.1',
    port,
    publicUrl: given.PUBLIC_URL ?? `http://localhost:${port}`,
    databaseUrl: given.DATABASE_URL,
    migrationDatabaseUrl: given.MIGRATION_DATABASE_URL ?? given.DATABASE_URL,
    dataDir: given.DATA_DIR ?? './data',
    adminApiKey: given.ADMIN_API_KEY,
    kycWebhookSecrets: given.KYC_WEBHOOK_SECRET ?? [],
    kycApiKey: given.KYC_API_KEY,
    verifier: given.VERIFIER ?? 'sandbox',
    sumsub: sumsubConfig(given),
    gateway: gatewayConfig(given),
    sandbox,
    webhookAllowPrivateNetwork: given.WEBHOOK_ALLOW_PRIVATE_NETWORK ?? sandbox,
    bank: bankConfig(given),
    rateLimitPerMinute: given.RATE_LIMIT_PER_MINUTE,
    logLevel: given.LOG_LEVEL ?? 'info',
  }
}

function gatewayConfig({ GATEWAY_URL: url, GATEWAY_USER: user, GATEWAY_PASSWORD: password }: Given): Config['gateway'] {
  if (url === undefined && user === undefined && password === undefined) return undefined
  if (url === undefined || user === undefined || password === undefined) {
    throw new StartupError('The card gateway needs all of GATEWAY_URL, GATEWAY_USER and GATEWAY_PASSWORD: set all three, or none.')
  }
  return { url: url.replace(/\/$/, ''), user, password }
}

function sumsubConfig(given: Given): SumsubConfig {
  const level = given.SUMSUB_LEVEL ?? 'basic-kyc-level'
  for (const name of ['SUMSUB_APP_TOKEN', 'SUMSUB_SECRET_KEY', 'SUMSUB_WEBHOOK_SECRET'] as const) {
    if (given.VERIFIER === 'sumsub' && given[name] === undefined)
      throw new StartupError(`VERIFIER is sumsub, so the setting ${name} is needed.`)
  }
  return {
    url: given.SUMSUB_URL ?? 'https://api.sumsub.com',
    appToken: given.SUMSUB_APP_TOKEN ?? '',
    secretKey: given.SUMSUB_SECRET_KEY ?? '',
    webhookSecrets: given.SUMSUB_WEBHOOK_SECRET ?? [],
    levelName: { FULL_KYC: level, DOC_ONLY: given.SUMSUB_DOC_LEVEL ?? level },
  }
}

function bankConfig(given: Given): BankConfig {
  const [country, code] = [given.BANK_COUNTRY ?? 'LT', given.BANK_CODE ?? '99990']
  if (accountShape({ country, code }) === undefined) {
    throw new StartupError(
      `The setting BANK_CODE must be what account numbers in ${country} can begin with, and leave at least ${leastShape} characters of them, not "${code}".`,
    )
  }
  return { country, code, bic: given.BANK_BIC ?? 'VOSTLT21XXX', name: given.BANK_NAME ?? 'Vostro Sandbox Bank' }
}

/** Fewer would not tell the accounts of a bank apart. */
const leastShape = 6

/**
 * The form of what follows the bank's code in its account numbers: A for a letter, 0 for a digit, and 0 where either would do.
 * Undefined when the code does not fit. Countries ask for letters only at the beginning and at the end, so few forms are possible.
 */
export function accountShape({ country, code }: Pick<BankConfig, 'country' | 'code'>): string | undefined {
  const length = (bbanLengthOf(country) ?? 0) - code.length
  if (length < leastShape) return undefined
  const counts = [0, 1, 2, 3, 4]
  const shapes = counts.flatMap((first) => counts.map((last) => 'A'.repeat(first) + 'A'.repeat(last).padStart(length - first, '0')))
  return shapes.find((shape) => isAccountPart(country, code + shape))
}

function isAccountPart(country: string, bban: string): boolean {
  try {
    makeIban(country, bban)
    return true
  } catch {
    return false
  }
}

export function envExample(): string {
  const lines = Object.entries(settings).map(([name, setting]) => `# ${setting.meaning}\n# default: ${setting.default}\n#${name}=\n`)
  return `# Every setting of Vostro. Copy this file to .env and fill in what you need; what stays empty has its default.\n\n${lines.join('\n')}`
}

function parsed<T>(name: string, parse: (text: string) => T, text: string): T {
  try {
    return parse(text)
  } catch (error) {
    throw new StartupError(`The setting ${name} ${(error as Error).message}.`)
  }
}

function integer(text: string, least: number, most: number): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < least || number > most)
    throw new Error(`must be a whole number from ${least} to ${most}, not "${text}"`)
  return number
}

function boolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error(`must be true or false, not "${text}"`)
  return text === 'true'
}

function httpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw new Error(`must be an http or https address, not "${text}"`)
  return text.replace(/\/+$/, '')
}

// The text of a database address is never repeated in a message, for it holds a password.
function postgresUrl(text: string): string {
  if (!URL.canParse(text) || !/^postgres(ql)?:$/.test(new URL(text).protocol))
    throw new Error('must look like postgres://user:password@host/database')
  return text
}

function secret(text: string): string {
  if (!/^[\x21-\x7e]{32,}$/.test(text)) throw new Error('must have at least 32 characters, without spaces')
  return text
}

function list(text: string): string[] {
  const items = text.split(',').map((item) => item.trim())
  if (items.length > 2 || items.includes('')) throw new Error('must be one value, or two separated by a comma')
  return items
}

function webhookSecrets(text: string): string[] {
  const secrets = list(text)
  if (!secrets.every(isSecret)) throw new Error('must be one or two secrets that look like whsec_ and at least 24 bytes in base64')
  return secrets
}

function verifier(text: string): 'sandbox' | 'sumsub' {
  if (text !== 'sandbox' && text !== 'sumsub') throw new Error(`must be sandbox or sumsub, not "${text}"`)
  return text
}

function ibanCountry(text: string): string {
  const country = /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : ''
  if (bbanLengthOf(country) === undefined) throw new Error(`must be the two letters of a country that has IBANs, not "${text}"`)
  return country
}

function bankCode(text: string): string {
  if (!/^[A-Za-z0-9]+$/.test(text)) throw new Error(`must consist of letters and digits, not "${text}"`)
  return text.toUpperCase()
}

function bic(text: string): string {
  const bic = parseBic(text)
  if (bic === undefined) throw new Error(`must be a BIC of 8 or 11 characters, not "${text}"`)
  return bic
}

function bankName(text: string): string {
  if (text.length > 140 || /\p{C}/u.test(text)) throw new Error('must be a name of at most 140 characters, without control characters')
  return text
}

function logLevel(text: string): string {
  if (!/^(trace|debug|info|warn|error|fatal|silent)$/.test(text)) throw new Error(`must be a level such as info or warn, not "${text}"`)
  return text
}
