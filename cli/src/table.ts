// The definition of a command. Parsing, help and completion follow from the table of commands.
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Vostro } from '@vostro/sdk'
import type { Environment, Settings, Values } from './config.ts'
import { UsageError } from './failures.ts'
import type { Output } from './output.ts'

export type Option = {
  describe: string
  /** The name of the value in the help; without it, the option is a flag. */
  value?: string
  /** The possible values, if there are few. */
  choices?: readonly string[]
}

export type Options = Readonly<Record<string, Option>>

export type Argument = {
  name: string
  describe: string
  optional?: true
  /** Takes all remaining arguments. */
  many?: true
  choices?: readonly string[]
  /** The shell completes file names. */
  file?: true
}

export type Call = {
  args: readonly string[]
  /** The value of an option. */
  text(name: string): string | undefined
  flag(name: string): boolean
  /** A client for the venture: with its key, or with the admin key and `--venture`. */
  vostro(): Vostro
  /** A client for the bank, with the admin key. */
  bank(): Vostro
  /** Read on first use, so that a broken config fails only commands that need it. */
  readonly settings: Settings
  environment: Environment
  out: Output
  /** From here on, Ctrl-C aborts the signal instead of the process. */
  stopped(): AbortSignal
  commands: readonly Command[]
}

export type Command = {
  words: readonly string[]
  summary: string
  /** Details for the command's help. */
  details?: string
  args?: readonly Argument[]
  options?: Options
  /** Returns the exit code if it is not 0. */
  run(call: Call): Promise<unknown>
}

export const globals: Options = {
  key: { describe: 'The API key (default: VOSTRO_KEY, or the key of `vostro login`).', value: 'KEY' },
  url: { describe: "The service's address (default: VOSTRO_URL, or http://127.0.0.1:8080).", value: 'URL' },
  venture: { describe: 'The venture that the admin key acts for (default: VOSTRO_VENTURE).', value: 'ID' },
  json: { describe: 'Print JSON.' },
  help: { describe: 'Explain the command.' },
}

function configOf(options: Options): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
  )
}

export type Parsed = { command: Command | undefined; words: readonly string[]; args: readonly string[]; values: Values }

/** The command with the most matching leading words. */
export function parse(argv: readonly string[], commands: readonly Command[]): Parsed {
  const loose = parseArgs({ args: [...argv], options: configOf(globals), strict: false, allowPositionals: true })
  const words = loose.positionals
  const command = commands
    .filter((one) => one.words.every((word, at) => words[at] === word))
    .sort((a, b) => b.words.length - a.words.length)[0]
  const isHelp = loose.values['help'] === true || argv.includes('-h')
  if (command === undefined || isHelp) return { command, words, args: [], values: { ...(loose.values as Values), help: isHelp } }
  const { values, positionals } = strictly(argv, command)
  const args = positionals.slice(command.words.length)
  requireArgs(command, args)
  requireChoices(command, values)
  return { command, words: command.words, args, values }
}

function strictly(argv: readonly string[], command: Command): { values: Values; positionals: string[] } {
  try {
    const options = configOf({ ...globals, ...command.options })
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: true }) as { values: Values; positionals: string[] }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (!code.startsWith('ERR_PARSE_ARGS')) throw error
    const [sentence = message] = message.split(/\. |\n/)
    throw new UsageError(`${sentence.replace(/\.?$/, '.')} ${seeHelp(command.words)}`)
  }
}

function requireArgs(command: Command, given: readonly string[]): void {
  const { args = [], words } = command
  // An empty text or dots would address another path of the service.
  const missing = args.find(({ optional, file }, at) =>
    given[at] === undefined ? optional === undefined : !file && /^\s*\.{0,2}$/.test(given[at]),
  )
  if (missing !== undefined) throw new UsageError(`${missing.name} is missing. ${missing.describe} ${seeHelp(words)}`)
  const most = args.some(({ many }) => many) ? Number.POSITIVE_INFINITY : args.length
  const extra = given[most]
  if (extra !== undefined) throw new UsageError(`\`vostro ${words.join(' ')}\` does not take the argument ${extra}. ${seeHelp(words)}`)
  args.forEach(({ name, choices, many }, at) => {
    for (const value of many ? given.slice(at) : given.slice(at, at + 1))
      if (choices !== undefined && !choices.includes(value))
        throw new UsageError(`${name} must be one of ${choices.join(', ')}, not ${value}.`)
  })
}

function requireChoices({ options = {} }: Command, values: Values): void {
  for (const [name, { choices }] of Object.entries(options)) {
    const value = values[name]
    if (choices !== undefined && typeof value === 'string' && !choices.includes(value))
      throw new UsageError(`--${name} must be one of ${choices.join(', ')}, not ${value}.`)
  }
}

function seeHelp(words: readonly string[]): string {
  return `See \`${['vostro', ...words].join(' ')} --help\`.`
}

/** The error for an unknown command, with possible matches. */
export function unknownCommand(words: readonly string[], commands: readonly Command[]): UsageError {
  const [first = ''] = words
  const group = commands.filter((command) => command.words[0] === first)
  if (group.length === 0) return new UsageError(`There is no command ${first}. ${seeHelp([])}`)
  const choices = group.flatMap((command) => command.words[1] ?? [])
  const what = words[1] === undefined ? `\`vostro ${first}\` needs one of` : `There is no command ${first} ${words[1]}: use one of`
  return new UsageError(`${what} ${choices.join(', ')}. ${seeHelp([first])}`)
}

function usageOf({ words, args = [] }: Command): string {
  const shown = args.map(({ name, optional, many }) => {
    const text = many ? `${name}…` : name
    return optional ? `[${text}]` : text
  })
  return ['vostro', ...words, ...shown].join(' ')
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd())
}

function optionRows(options: Options): [string, string][] {
  return Object.entries(options).map(([name, { describe, value, choices }]) => {
    const of = choices === undefined ? '' : ` One of ${choices.join(', ')}.`
    return [`--${name}${value === undefined ? '' : ` ${value}`}`, `${describe}${of}`]
  })
}

const general = () => [
  '',
  'Options of every command:',
  ...columns(optionRows(globals)),
  '',
  'Exit codes: 0 success, 1 refused, 2 usage error, 3 service unreachable, 130 stopped by Ctrl-C.',
]

/** The help of a command, of a group, or of all commands. */
export function helpOf(words: readonly string[], commands: readonly Command[]): string {
  const exact = commands.find((command) => command.words.length === words.length && command.words.every((word, at) => word === words[at]))
  const group = commands.filter((command) => words.every((word, at) => command.words[at] === word))
  if (group.length === 0) throw unknownCommand(words, commands)
  if (exact !== undefined && group.length === 1) return helpOfCommand(exact)
  const title = words.length === 0 ? 'The command line of Vostro.' : `The commands of \`vostro ${words.join(' ')}\`.`
  const rows = group.map((command) => [usageOf(command), command.summary] as const)
  return [title, '', ...columns(rows), ...general()].join('\n')
}

function helpOfCommand(command: Command): string {
  const { summary, details, args = [], options = {} } = command
  const argRows = args.map(({ name, describe, choices }) => {
    const of = choices === undefined || choices.length > 12 ? '' : ` One of ${choices.join(', ')}.`
    return [name, `${describe}${of}`] as const
  })
  return [
    usageOf(command),
    '',
    summary,
    ...(details === undefined ? [] : ['', details]),
    ...(args.length === 0 ? [] : ['', 'Arguments:', ...columns(argRows)]),
    ...(Object.keys(options).length === 0 ? [] : ['', 'Options:', ...columns(optionRows(options))]),
    ...general(),
  ].join('\n')
}
