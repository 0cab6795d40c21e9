// Checks a statement against the rules of distribution: how it uses venture_id, times, random values and locks.

import { tablesAt } from '../../platform/database/database.tables.ts'
import { wordsOf } from '../source/sql.ts'
import type { Statement } from '../source/statements.ts'
import type { Finding } from './distributed.rules.ts'

const reference = tablesAt('everywhere')

/** A distributed table in a part of a statement, with its alias there. */
type Use = { table: string; label: string }

/** A query, without the queries nested in it: those are `( query )` in its text, or `( keys )` if they only list parameters. */
type Part = { text: string; uses: Use[] }

export type Judged = { findings: Finding[]; parts: number; locks: number }

export function judge({ file, name, text, loose }: Statement, tenants: readonly string[]): Judged {
  const words = wordsOf(text)
  const parts = partsOf(words)
    .map((part) => ({ text: part, uses: usesIn(part, tenants) }))
    // Locking a whole table locks each of its shards.
    .filter(({ text, uses }) => uses.length > 0 && !text.startsWith('lock table '))
  const locks = parts.filter((part) => isLocking(part.text))
  const broken = {
    time: (parts.length > 0 || loose) && makesTimes(words, text),
    lock: !locks.every(isLockedByParameters),
    venture: isForAll(file, words) ? false : !parts.every(saysVentures),
  }
  const rules = Object.entries(broken).filter(([, is]) => is)
  return {
    findings: rules.map(([rule]) => ({ rule: rule as keyof typeof broken, where: `${file}: ${name}` })),
    parts: parts.length,
    locks: locks.length,
  }
}

/**
 * Whether a statement is meant for all ventures. verify checks the whole database, shard by shard, and only has to keep ventures apart; archive moves whole
 * months.
 */
function isForAll(file: string, words: readonly string[]): boolean {
  return file.startsWith('archive/') || (file.startsWith('verify/') && words.includes('venture_id'))
}

/** The statement and every query in parentheses. Each query of a UNION is a part of its own. */
function partsOf(words: readonly string[]): string[] {
  const parts: string[] = []
  let at = 0
  const readOn = (): string => {
    const own: string[] = []
    while (at < words.length) {
      const word = words[at++] ?? ''
      if (word === ')') break
      own.push(word)
      if (word !== '(') continue
      const inner = readOn()
      const isQuery = /^(select|with|insert|update|delete|values)\b/.test(inner)
      if (isQuery) parts.push(inner)
      own.push(isQuery ? (/^select \* from unnest \( [^()]*\)$/.test(inner) ? 'keys' : 'query') : inner, ')')
    }
    return own.join(' ')
  }
  while (at < words.length) parts.push(readOn())
  return parts.flatMap((part) => part.split(/ (?:union|except|intersect)(?: all)? /))
}

/** Words that may follow a table but are not an alias. */
const keywords =
  /^(and|as|cross|default|do|for|from|full|group|having|inner|join|left|limit|natural|offset|on|or|order|overriding|returning|right|select|set|using|values|where|window)$/

function usesIn(part: string, tenants: readonly string[]): Use[] {
  // A name before or after a dot, after AS or after a cast does not use the table.
  const table = new RegExp(`(?<!\\. |\\bas |: )\\b(${tenants.join('|')})\\b(?! \\.)(?: as)?(?: ([a-z_]\\w*))?`, 'g')
  return [...part.matchAll(table)].map(([, table = '', alias = '']) => ({
    table,
    label: alias === '' || keywords.test(alias) ? table : alias,
  }))
}

/** A column of a table. Without a table name it belongs to the only table. */
function columnOf({ uses }: Part, { label }: Use): string {
  return `(?:\\b${label} \\. ${uses.length === 1 ? '|(?<!\\. )\\b' : ''})venture_id\\b`
}

const rowWith = (column: string): string => `\\( (?:[^()]* )?${column}[^()]*\\)`

function isLockedByParameters(part: Part): boolean {
  return part.uses.every((use) => {
    const column = columnOf(part, use)
    return new RegExp(`${column} = (?:\\$|any \\( \\$)|${rowWith(column)} in \\( keys \\)`).test(part.text)
  })
}

/**
 * Whether the ventures of every table's rows are determined: the rows are inserted, or venture_id is compared with a parameter, with another
 * query, or with a table of the same query whose ventures are determined.
 */
function saysVentures(part: Part): boolean {
  const text = part.text.replace(/\bset .*?(?= (?:from|where|returning) |$)/, '')
  const said = new Set<string>()
  const equal: [string, string][] = []
  const references = usesIn(text, reference).map(({ label }) => label)
  for (const label of references) if (new RegExp(`\\b${label} \\. \\w+ = (?:\\$|any \\( \\$)`).test(text)) said.add(label)
  const labels = new Set([...references, ...part.uses.map(({ label }) => label)])
  for (const use of part.uses) {
    const column = columnOf(part, use)
    if (isInserted(text, use) || new RegExp(`${column} in |${rowWith(column)} (?:=|in) `).test(text)) said.add(use.label)
    const sides = text.matchAll(new RegExp(`${column} = (?<right>\\w+ \\. \\w+|\\S)|(?<left>\\w+ \\. \\w+|[\\w$)\\]]) = ${column}`, 'g'))
    for (const { groups: { right, left } = {} } of sides) {
      const [, other = ''] = /^(\w+) \. (?:venture_)?id$/.exec(right ?? left ?? '') ?? []
      if (labels.has(other)) equal.push([use.label, other])
      else said.add(use.label)
    }
  }
  if (/\busing \( (?:[^()]* )?venture_id\b/.test(text) && /(?<!\. )\bventure_id (?:=|in) /.test(text)) return true
  for (const _ of equal) for (const pair of equal) if (pair.some((label) => said.has(label))) for (const label of pair) said.add(label)
  return part.uses.every(({ label }) => said.has(label))
}

function isInserted(text: string, { table }: Use): boolean {
  // Whole rows of the table's own type have the column. Sealed tables also store the transaction number.
  const rows = `(?:\\( (?:era , xid , )?\\$ \\) )?select (?:\\( query \\) , pg_current_xact_id \\( +\\) , )?[*$] from json_populate_record(?:set)? \\( (?:json_populate_record \\( )?null : : ${table}\\b`
  return new RegExp(`insert into ${table} (?:\\( (?:[^()]* )?venture_id\\b|${rows})`).test(text)
}

function isLocking(part: string): boolean {
  return /\bfor (?:no key )?update\b|\bfor (?:key )?share\b/.test(part)
}

/** Functions whose result depends on time, randomness or a sequence. */
const functions =
  /^(now|(transaction|statement|clock)_timestamp|timeofday|random|random_normal|gen_random_(uuid|bytes)|uuidv[47]|uuid_generate_\w+|nextval)$/
const constants = /^(current_(date|time|timestamp)|localtime(stamp)?)$/
/** Strings that PostgreSQL reads as the current time, as in `'now'::timestamptz`. */
const strings = /'\s*(?:now|today|tomorrow|yesterday)\s*'/i

/**
 * A writing statement uses no such function: the caller chooses the time once, for all servers. A reading statement may compare with
 * now(), because small differences between the clocks do no harm there, except inside CASE and COALESCE, where Citus refuses it.
 * Transaction numbers and snapshots are neither times nor random values: they must come from the server that has the rows.
 */
function makesTimes(words: readonly string[], text: string): boolean {
  const isWriting = words.some(
    (word, at) => /^(insert|delete|merge)$/.test(word) || (word === 'update' && !/^(for|key|do)$/.test(words[at - 1] ?? '')),
  )
  if (isWriting && strings.test(text)) return true
  const open: string[] = []
  return words.some((word, at) => {
    if (word === '(') open.push(words[at - 1] ?? '')
    else if (word === 'case') open.push(word)
    else if (word === ')' || word === 'end') open.pop()
    const isTime = constants.test(word) || (functions.test(word) && words[at + 1] === '(')
    return isTime && (isWriting || open.some((around) => around === 'case' || around === 'coalesce'))
  })
}
