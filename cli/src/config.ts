// The service's address and the key: from options, the environment, or the config file of `vostro login`.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageError } from './failures.ts'

export const defaultUrl = 'http://127.0.0.1:8080'

export type Environment = Readonly<Record<string, string | undefined>>

/** The values of the options. */
export type Values = Readonly<Record<string, string | boolean | undefined>>

export type Config = { key?: string; url?: string; venture?: string }

/** `from`: the source of the key. */
export type Settings = { url: string; key: string | undefined; venture: string | undefined; from: string; folder: string; warning?: string }

export function processEnvironment(): Environment {
  return process.env
}

export function folderOf(environment: Environment): string {
  const { VOSTRO_CONFIG, XDG_CONFIG_HOME } = environment
  return VOSTRO_CONFIG || join(XDG_CONFIG_HOME || join(homeOf(), '.config'), 'vostro')
}

/** Some containers run as a user without a home folder. Without one, a key would be stored in the current folder. */
function homeOf(): string {
  let home = ''
  try {
    home = homedir()
  } catch {
    // Neither the environment nor the system names a home folder.
  }
  if (home === '') throw new UsageError('There is no home folder for the config. Set VOSTRO_CONFIG to a folder.')
  return home
}

export const configFile = (folder: string): string => join(folder, 'config.json')

export function readConfig(folder: string): Config {
  const file = configFile(folder)
  const text = readIfThere(file)
  if (text === undefined) return {}
  try {
    const { key, url, venture } = JSON.parse(text) as Config
    for (const value of [key, url, venture]) if (value !== undefined && typeof value !== 'string') throw new TypeError('not a text')
    return { ...(key === undefined ? {} : { key }), ...(url === undefined ? {} : { url }), ...(venture === undefined ? {} : { venture }) }
  } catch {
    throw new UsageError(`${file} is not a vostro config file. Delete it with \`vostro logout\`, then run \`vostro login\` again.`)
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}.`)
  }
}

/** Writes a file atomically, readable only by its owner. */
export function writePrivately(file: string, text: string): void {
  const attempt = `${file}.${process.pid}.new`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(attempt, { force: true })
    writeFileSync(attempt, text, { mode: 0o600, flag: 'wx' })
    chmodSync(attempt, 0o600)
    renameSync(attempt, file)
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}. Set VOSTRO_CONFIG to a writable folder.`)
  }
}

export function writeConfig(folder: string, config: Config): string {
  const file = configFile(folder)
  writePrivately(file, `${JSON.stringify(config, null, 2)}\n`)
  return file
}

/** Options override the environment, and the environment overrides the file. */
export function settingsOf(values: Values, environment: Environment): Settings {
  const folder = folderOf(environment)
  const config = readConfig(folder)
  const sources = [
    ['--key', values['key']],
    ['VOSTRO_KEY', environment['VOSTRO_KEY']],
    [configFile(folder), config.key],
  ] as const
  const [from, key] = sources.find(([, value]) => value !== undefined && value !== '') ?? ['', undefined]
  if (values['key'] === '') throw new UsageError('--key is empty.')
  if (key !== undefined && !isKey(String(key))) throw new UsageError(`${from} is not a key. A key is one line without spaces.`)
  const given = [values['venture'], environment['VOSTRO_VENTURE']].find((value) => value !== undefined && value !== '')
  // The file's venture is used only with the file's key.
  const venture = given ?? (from === configFile(folder) ? config.venture : undefined)
  if (venture !== undefined && !isKey(String(venture))) throw new UsageError(`${venture} is not a venture id.`)
  const url = requireUrl(String(values['url'] ?? (environment['VOSTRO_URL'] || config.url || defaultUrl)))
  return { url, key: key as string | undefined, venture: venture as string | undefined, from, folder, ...warningOf(folder, config) }
}

/** Whether the text can be sent in a header. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

export function requireUrl(text: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new UsageError(`${text} is not a service address. Use one such as https://bank.example.`)
  return text.replace(/\/+$/, '')
}

function warningOf(folder: string, { key }: Config): { warning?: string } {
  if (key === undefined || process.platform === 'win32') return {}
  const file = configFile(folder)
  if ((statSync(file).mode & 0o077) === 0) return {}
  return { warning: `${file} contains a key that other users can read. Run chmod 600 ${file}` }
}
