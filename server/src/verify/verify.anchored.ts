// Compares a database with its anchors: lines that left it with each seal and each revocation, and were kept elsewhere.
import { createReadStream } from 'node:fs'
import type pg from 'pg'
import { type Anchor, type Revocable, type Root, revocable } from '../platform/anchors.ts'
import { read } from '../platform/database/sql.ts'
import { isUuid } from '../platform/http/validation.ts'
import { StartupError } from '../platform/startup-error.ts'
import { rowsOf } from './verify.chain.ts'

/** A difference from an anchor: a seal, an audit entry that it covered, or something revoked that works again. */
export type Unanchored = {
  table: 'seals' | 'audit_log' | Revocable
  was: 'changed' | 'removed' | 'not revoked'
  seal?: number
  venture_id?: string
  id?: string
}

/** The anchors in a file: one written through ANCHOR_FILE, or a log, whose other lines are skipped. */
export async function readAnchors(file: string): Promise<Anchor[]> {
  const anchors: Anchor[] = []
  try {
    for await (const line of linesOf(file)) {
      const anchor = anchorIn(line, file)
      if (anchor !== undefined) anchors.push(anchor)
    }
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The file ${file} cannot be read: ${(error as Error).message}.`)
  }
  if (anchors.length === 0)
    throw new StartupError(`The file ${file} has no anchors: name a file written through ANCHOR_FILE, or a log of Vostro.`)
  return anchors
}

/** Only \n ends a line: texts written by others may contain other separators. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}

/** The beginning of a line of ANCHOR_FILE. In a log, other fields come first. */
const beginning = '{"anchor":'

/**
 * Skips an anchor that was cut off, even if another follows in its line: a revocation is written again, and the next root also covers the
 * seal. In a log, skips what precedes the JSON; there, `msg` marks an anchor.
 */
function anchorIn(line: string, file: string): Anchor | undefined {
  const isOwn = line.startsWith(beginning)
  let parsed: Record<string, unknown>
  try {
    parsed = JSON.parse(line.slice(isOwn ? line.lastIndexOf(beginning) : line.indexOf('{')))
  } catch {
    return undefined
  }
  if (!isOwn && parsed?.['msg'] !== 'anchored') return undefined
  if (typeof parsed !== 'object' || parsed === null || typeof parsed['anchor'] !== 'string') return undefined
  if (isKnown(parsed)) return parsed
  throw new StartupError(`The file ${file} has an anchor that this version of Vostro does not support: ${line.slice(0, 200)}`)
}

const isKnown = (parsed: Record<string, unknown>): parsed is Anchor & Record<string, unknown> =>
  forms[parsed['anchor'] as Anchor['anchor']]?.(parsed) ?? false

/** Whether the fields of each kind of anchor are valid. */
const forms: Record<Anchor['anchor'], (parsed: Record<string, unknown>) => boolean> = {
  root: ({ number, root, audit_log }) =>
    Number.isInteger(number) && typeof root === 'string' && Array.isArray(audit_log) && audit_log.every((entry) => isRowKey(entry)),
  revocation: (parsed) =>
    revocable.some((known) => known === parsed['table']) && isRowKey(parsed) && !Number.isNaN(Date.parse(`${parsed['at']}`)),
}

function isRowKey(parsed: unknown): boolean {
  const { venture_id, id } = (parsed ?? {}) as Record<string, unknown>
  return [venture_id, id].every((text) => typeof text === 'string' && isUuid(text))
}

/** Uses the current transaction of the connection. */
export async function* findUnanchored(client: pg.Client, anchors: readonly Anchor[]): AsyncIterable<Unanchored> {
  const roots = anchors.filter((anchor) => anchor.anchor === 'root')
  const revocations = anchors.filter((anchor) => anchor.anchor === 'revocation')
  const broken = await rowsOf(client, selectOtherRoots(roots))
  for (const { number, was } of broken) yield { table: 'seals', was, seal: number }
  const numbers = new Set(broken.map(({ number }) => number))
  const covered = roots.filter(({ number }) => numbers.has(number))
  const entries = covered.flatMap(({ number, audit_log }) => audit_log.map((entry) => ({ ...entry, seal: number })))
  for (const entry of await rowsOf(client, selectMissingEntries(entries))) yield { table: 'audit_log', was: 'removed', ...entry }
  for (const table of revocable) {
    const revoked = revocations.filter((anchor) => anchor.table === table)
    for (const { venture_id, id } of await rowsOf(client, inForce[table](JSON.stringify(revoked))))
      yield { table, was: 'not revoked', venture_id, id }
  }
}

const selectOtherRoots = (roots: readonly Root[]) => read<{ number: number; was: 'changed' | 'removed' }>`
  select distinct anchor.number::int as number, case when seal.number is null then 'removed' else 'changed' end as was
  from json_to_recordset(${JSON.stringify(roots.map(({ number, root }) => ({ number, root })))}) as anchor (number bigint, root text)
    left join seals seal on seal.number = anchor.number
  where seal.root is distinct from anchor.root order by 1`

const selectMissingEntries = (entries: readonly object[]) => read<{ seal: number; venture_id: string; id: string }>`
  select distinct anchor.seal, anchor.venture_id, anchor.id
  from json_to_recordset(${JSON.stringify(entries)}) as anchor (seal int, venture_id uuid, id uuid)
    left join audit_log entry on entry.venture_id = anchor.venture_id and entry.id = anchor.id
  where entry.id is null order by 1, 3`

type InForce = (revoked: string) => ReturnType<typeof read<{ venture_id: string; id: string }>>

/** What was revoked but still works. */
const inForce: Record<Revocable, InForce> = {
  api_keys: (revoked) => read<{ venture_id: string; id: string }>`
    select key.venture_id, key.id from api_keys key
    where key.revoked_at is null and (key.venture_id, key.id) in (select * from json_to_recordset(${revoked}) as anchor (venture_id uuid, id uuid))`,
  bank_keys: (revoked) => read<{ venture_id: string; id: string }>`
    select anchor.venture_id, key.id from bank_keys key join json_to_recordset(${revoked}) as anchor (venture_id uuid, id uuid) on key.id = anchor.id
    where key.revoked_at is null`,
  passkeys: (revoked) => read<{ venture_id: string; id: string }>`
    select anchor.venture_id, passkey.id from passkeys passkey
      join json_to_recordset(${revoked}) as anchor (venture_id uuid, id uuid) on passkey.id = anchor.id`,
}
