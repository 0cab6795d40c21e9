// Files and settings that the packaging tests share.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const root = fileURLToPath(new URL('../../../../', import.meta.url))

export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

export const yamlOf = <Shape>(file: string): Shape => parse(textOf(file), { merge: true }) as Shape

type Manifest = {
  version: string
  workspaces: string[]
  scripts: Record<'start' | 'migrate' | 'distribute', string>
  optionalDependencies: Record<string, string>
}

export const manifest = JSON.parse(textOf('package.json')) as Manifest

/** The words of a script after its last `&&`, without variables and without `exec`: the program and its arguments. */
export function commandOf(script: string): string[] {
  const words = script.split(' && ').at(-1)?.split(' ') ?? []
  return words.filter((word) => word !== 'exec' && !/^[A-Z_]+=/.test(word))
}

/** The settings that every production deployment needs: each packaging sets or requires them. */
export const required = {
  secret: ['DATABASE_URL', 'ADMIN_API_KEY', 'METRICS_API_KEY'],
  plain: ['PUBLIC_URL', 'CONSOLE_URL', 'TRUSTED_PROXIES', 'BANK_COUNTRY', 'BANK_CODE', 'BANK_BIC', 'BANK_NAME', 'SANDBOX', 'VERIFIER'],
} as const

/** Values for settings that examples leave empty. */
export const filledIn: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://vostro_login:password@db.internal:5432/vostro',
  ADMIN_API_KEY: 'a'.repeat(32),
  METRICS_API_KEY: 'm'.repeat(32),
  SUMSUB_APP_TOKEN: 'token',
  SUMSUB_SECRET_KEY: 'key',
  SUMSUB_WEBHOOK_SECRET: 'secret',
  BANK_COUNTRY: 'LT',
  BANK_CODE: '99990',
  BANK_BIC: 'VOSTLT21XXX',
  BANK_NAME: 'Vostro Bank',
}

/** The variables of an env file, by name. */
export function variablesOf(file: string): Record<string, string> {
  const lines = textOf(file)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).replaceAll('"', '')]))
}
