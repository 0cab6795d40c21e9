// The settings of the process itself: where it listens, its database, its log.

import { parseNetworks } from './address.ts'
import { boolean, type Given, httpUrl, integer, numberOrOff, type Settings, secret, text } from './config.ts'
import { hostUrls } from './hosts.ts'
import { StartupError } from './startup-error.ts'

export const platformSettings = {
  PORT: { default: '8080', meaning: 'the port to listen on', parse: integer(0, 65_535) },
  HOST: { default: '127.0.0.1', meaning: 'the address to listen on; 0.0.0.0 for all', parse: text },
  PUBLIC_URL: {
    default: 'http://localhost:PORT',
    meaning: 'the URL at which others reach the service, for links and redirects',
    parse: httpUrl,
  },
  INSTANCES: {
    default: '1',
    meaning: 'the number of processes that serve requests, to use all cores of the machine; they share the database connections',
    parse: integer(1, 64),
  },
  DATABASE_URL: {
    default: 'unset: an embedded PostgreSQL',
    meaning: 'the URL of PostgreSQL 15 or newer; if it has several hosts, separated by commas, the primary is used',
    parse: postgresUrl,
  },
  MIGRATION_DATABASE_URL: {
    default: 'DATABASE_URL',
    meaning: "the URL with the login of the tables' owner, for migrations",
    parse: postgresUrl,
  },
  DATABASE_POOL_SIZE: {
    default: '12',
    meaning:
      'the maximum number of database connections, shared by all instances; connections for lists, and two per instance for notifications, come on top',
    parse: integer(1, 1_000),
  },
  DATABASE_LIST_POOL_SIZE: {
    default: '2',
    meaning: 'the maximum number of connections for lists and searches, shared by all instances; one venture can use all but one of them',
    parse: integer(1, 1_000),
  },
  DATABASE_WAIT_MS: {
    default: '5000',
    meaning: 'how long a request waits for the database, in milliseconds, before it gets a 503',
    parse: integer(1_000, 600_000),
  },
  DATA_DIR: { default: './data', meaning: 'the folder for the embedded database and generated secrets', parse: text },
  RATE_LIMIT_PER_MINUTE: {
    default: 'off in the sandbox, otherwise 600',
    meaning: 'the maximum number of requests per venture and minute, counted by each instance; off for no limit',
    parse: numberOrOff(integer(1, 1_000_000_000)),
  },
  HSTS_SUBDOMAINS: {
    default: 'false',
    meaning: 'whether browsers are told to use https for all subdomains of PUBLIC_URL and CONSOLE_URL as well',
    parse: boolean,
  },
  TRUSTED_PROXIES: {
    default: 'unset: none',
    meaning: 'the addresses or networks, separated by commas, of proxies whose X-Forwarded-For header is trusted',
    parse: parseNetworks,
  },
  METRICS_API_KEY: {
    default: 'unset: only people of the bank and the admin key',
    meaning: 'the key with which Prometheus reads /metrics and nothing else; at least 32 characters',
    parse: secret,
  },
  LOG_LEVEL: { default: 'info', meaning: 'trace, debug, info, warn, error, fatal or silent', parse: logLevel },
} satisfies Settings

export type PlatformConfig = {
  host: string
  port: number
  publicUrl: string
  instances: number
  databaseUrl: string | undefined
  migrationDatabaseUrl: string | undefined
  databasePoolSize: number
  databaseListPoolSize: number
  databaseWait_ms: number
  dataDir: string
  hstsSubdomains: boolean
  trustedProxies: string[]
  metricsApiKey: string | undefined
  logLevel: string
}

export function platformConfig(given: Given<typeof platformSettings>): PlatformConfig {
  if (given.MIGRATION_DATABASE_URL !== undefined && given.DATABASE_URL === undefined) {
    throw new StartupError('MIGRATION_DATABASE_URL is set without DATABASE_URL: set both, or neither for the embedded database.')
  }
  const port = given.PORT ?? 8080
  return {
    host: given.HOST ?? '127.0.0.1',
    port,
    publicUrl: given.PUBLIC_URL ?? `http://localhost:${port}`,
    instances: given.INSTANCES ?? 1,
    databaseUrl: given.DATABASE_URL,
    migrationDatabaseUrl: given.MIGRATION_DATABASE_URL ?? given.DATABASE_URL,
    databasePoolSize: given.DATABASE_POOL_SIZE ?? 12,
    databaseListPoolSize: given.DATABASE_LIST_POOL_SIZE ?? 2,
    databaseWait_ms: given.DATABASE_WAIT_MS ?? 5_000,
    dataDir: given.DATA_DIR ?? './data',
    hstsSubdomains: given.HSTS_SUBDOMAINS ?? false,
    trustedProxies: given.TRUSTED_PROXIES ?? [],
    metricsApiKey: given.METRICS_API_KEY,
    logLevel: given.LOG_LEVEL ?? 'info',
  }
}

/** Undefined means no limit. */
export type RateLimitConfig = { rateLimitPerMinute: number | undefined }

export function rateLimitConfig(given: Given<typeof platformSettings>, { sandbox }: { sandbox: boolean }): RateLimitConfig {
  const limit = given.RATE_LIMIT_PER_MINUTE ?? (sandbox ? 'off' : 600)
  return { rateLimitPerMinute: limit === 'off' ? undefined : limit }
}

function postgresUrl(text: string): string {
  hostUrls(text)
  return text
}

function logLevel(text: string): string {
  if (!/^(trace|debug|info|warn|error|fatal|silent)$/.test(text))
    throw new Error(`must be trace, debug, info, warn, error, fatal or silent, not "${text}"`)
  return text
}
