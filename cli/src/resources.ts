// Builders for commands about resources: lists with the API's filters, single resources, and changes.
import { readFileSync } from 'node:fs'
import type { Pages, Vostro } from '@vostro/sdk'
import { UsageError } from './failures.ts'
import type { Argument, Call, Command, Option, Options } from './table.ts'

type Paging = 'limit' | 'offset' | 'after' | 'since'

/** A description for every filter of a list. A new filter of the API does not compile until it is added. */
export type Filters<Query> = { readonly [Name in Exclude<keyof Query, Paging>]-?: string }

/** `client_id` becomes `--client-id`. */
const optionOf = (name: string): string => name.replaceAll('_', '-')

export function filterOptions(filters: Readonly<Record<string, string>>): Options {
  return Object.fromEntries(
    Object.entries(filters).map(([name, describe]): [string, Option] => [optionOf(name), { describe, value: 'VALUE' }]),
  )
}

export function filtersOf(call: Call, filters: Readonly<Record<string, string>>): Record<string, string> {
  const given = Object.keys(filters).map((name) => [name, call.text(optionOf(name))] as const)
  return Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

const paging: Options = {
  limit: { describe: 'How many to list (default 20).', value: 'NUMBER' },
  after: { describe: 'Continue after the item with this id.', value: 'ID' },
  all: { describe: 'List all items.' },
}

const pageSize = 100

type Listing<Query, Item> = {
  words: readonly string[]
  summary: string
  filters: Filters<Query>
  columns: readonly (keyof Item & string)[]
  args?: readonly Argument[]
  /** For the bank: uses the admin key. */
  bank?: true
  list(vostro: Vostro, query: Query, args: readonly string[]): Pages<Item>
}

export function listing<Query, Item extends object>({ words, summary, filters, columns, args, bank, list }: Listing<Query, Item>): Command {
  return {
    words,
    summary,
    ...(args === undefined ? {} : { args }),
    options: { ...filterOptions(filters), ...paging },
    async run(call) {
      const most = call.flag('all') ? Number.POSITIVE_INFINITY : countOf(call.text('limit') ?? '20', '--limit')
      const after = call.text('after')
      const query = { ...filtersOf(call, filters), limit: Math.min(most, pageSize), ...(after === undefined ? {} : { after }) } as Query
      const { items, more } = await collect(list(bank ? call.bank() : call.vostro(), query, call.args), most)
      call.out.list(items, columns)
      const last = items.at(-1) as { id?: string } | undefined
      if (more && !call.out.json) call.out.note(`More items: --after ${last?.id}, or --all.`)
    },
  }
}

async function collect<Item>(pages: Pages<Item>, most: number): Promise<{ items: Item[]; more: boolean }> {
  const items: Item[] = []
  for await (const item of pages) {
    if (items.length >= most) return { items, more: true }
    items.push(item)
  }
  return { items, more: false }
}

export function countOf(text: string, name: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${name} must be a whole number of at least 1, not ${text}.`)
  return Number(text)
}

export const idOf = (what: string): Argument => ({ name: 'ID', describe: `The id of the ${what}.` })

const fieldsArgument: Argument = {
  name: 'FIELD=VALUE',
  describe: 'API fields: name=text, or name:=JSON for numbers, booleans, null and lists.',
  optional: true,
  many: true,
}

const dataOption: Options = {
  data: { describe: 'A JSON file with the fields; - for standard input.', value: 'FILE' },
}

type Action = {
  words: readonly string[]
  summary: string
  details?: string
  args?: readonly Argument[]
  options?: Options
  bank?: true
  /** Whether the command takes fields, as `FIELD=VALUE` or from a file. */
  fields?: true
  act(vostro: Vostro, args: readonly string[], fields: object, call: Call): Promise<unknown>
}

/** A command that prints the service's response. */
export function action({ words, summary, details, args = [], options = {}, bank, fields, act }: Action): Command {
  return {
    words,
    summary,
    ...(details === undefined ? {} : { details }),
    args: fields ? [...args, fieldsArgument] : args,
    options: fields ? { ...options, ...dataOption } : options,
    async run(call) {
      const given = fields ? fieldsIn(call.args.slice(args.length), call.text('data')) : {}
      const answer = await act(bank ? call.bank() : call.vostro(), call.args, given, call)
      if (Array.isArray(answer)) call.out.list(answer, Object.keys((answer[0] as object | undefined) ?? {}))
      else call.out.object((answer as object | undefined) ?? { done: true })
    },
  }
}

/** `name=text` is a string, `name:=JSON` any value. They override the file. */
export function fieldsIn(words: readonly string[], file: string | undefined): Record<string, unknown> {
  const fields = file === undefined ? {} : fieldsInFile(file)
  for (const word of words) {
    const [, name, isJson, value = ''] = /^([A-Za-z_]\w*)(:?)=(.*)$/s.exec(word) ?? []
    if (name === undefined) throw new UsageError(`${word} is not a field. Use name=text or name:=JSON.`)
    fields[name] = isJson === ':' ? jsonOf(value, `The value of ${name}`) : value
  }
  return fields
}

const nameOf = (file: string): string => (file === '-' ? 'Standard input' : file)

function fieldsInFile(file: string): Record<string, unknown> {
  let text: string
  try {
    // Invalid UTF-8 would otherwise be replaced silently.
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file === '-' ? 0 : file))
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${nameOf(file)} is not UTF-8 text.`)
    throw new UsageError(`${nameOf(file)} cannot be read: ${(error as Error).message}.`)
  }
  const fields = jsonOf(text, nameOf(file))
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw new UsageError(`${nameOf(file)} must contain a JSON object.`)
  return { ...fields }
}

function jsonOf(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${what} is not JSON: ${text.slice(0, 60)}`)
  }
}
