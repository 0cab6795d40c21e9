// How settings are declared and read. Each folder declares its own in `<folder>.settings.ts`, and `config.ts` at the top of the source
// collects them. Nothing else reads the environment.
import { StartupError } from './startup-error.ts'

/**
 * `default` and `meaning` are texts for `.env.example`. `parse` throws an Error whose message completes the sentence "The setting NAME …".
 */
export type Setting<Value> = { default: string; meaning: string; parse(text: string): Value }
export type Settings = Readonly<Record<string, Setting<unknown>>>

/** The values of all settings that are set. */
export type Given<Table extends Settings> = { [Name in keyof Table]?: ReturnType<Table[Name]['parse']> }

export type Environment = Readonly<Record<string, string | undefined>>

export function processEnvironment(): Environment {
  return process.env
}

/** Adds the lines of the file `.env`, if it exists, to the environment. Variables that are already set keep their values. */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new StartupError(`The file .env cannot be read: ${(error as Error).message}.`)
  }
}

export function readSettings<Table extends Settings>(settings: Table, environment: Environment): Given<Table> {
  const given = Object.entries(settings).flatMap(([name, { parse }]) => {
    const text = environment[name]?.trim()
    // `NAME=` in an env file means that the setting is not set.
    return text === undefined || text === '' ? [] : [[name, parsed(name, parse, text)]]
  })
  return Object.fromEntries(given)
}

function parsed(name: string, parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new StartupError(`The setting ${name} ${(error as Error).message}.`)
  }
}

/** The settings as lines of an env file that sets none of them. */
export function exampleOf(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, setting]) => `# ${setting.meaning}\n# default: ${setting.default}\n#${name}=\n`)
    .join('\n')
}

// Parsers.

export function text(text: string): string {
  return text
}

export function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number < least || number > most)
      throw new Error(`must be a whole number from ${least} to ${most}, not "${text}"`)
    return number
  }
}

export function numberOrOff(number: (text: string) => number): (text: string) => number | 'off' {
  return (text) => (text === 'off' ? text : number(text))
}

export function boolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error(`must be true or false, not "${text}"`)
  return text === 'true'
}

export function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Error(`must be on or off, not "${text}"`)
  return text === 'on'
}

export function httpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Error(`must be an http or https URL${withoutPassword(text)}`)
  return text.replace(/\/+$/, '')
}

/** Text that contains an @ may contain a password, so it is not repeated. */
function withoutPassword(text: string): string {
  return text.includes('@') ? '' : `, not "${text}"`
}

/** The error does not repeat the secret. */
export function secret(text: string): string {
  if (!/^[\x21-\x7e]{32,}$/.test(text)) throw new Error('must have at least 32 characters, without spaces')
  return text
}

/** One value, or two while a new one replaces the old one. */
export function list(text: string): string[] {
  const items = text.split(',').map((item) => item.trim())
  if (items.length > 2 || items.includes('')) throw new Error('must be one value, or two separated by a comma')
  return items
}
