// Seals: a chain over everything that must never change. Each seal covers the rows that were committed since the seal before it, and its root
// depends on every one of them and on the root before. Whoever changes, removes or inserts a row afterwards, even as the owner of the tables,
// breaks the chain at that row; whoever rewrites the chain as well changes every later root, and roots are published elsewhere.
//
// The order is (era, xid, venture_id, id): xid is the number of the transaction that wrote the row. Only rows below the oldest transaction
// still running are sealed. All transactions with smaller numbers have ended, later ones get greater numbers, and nothing is ever added below:
// neither a late commit nor a clock can put a row before the place that a seal has reached.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRawSync } from 'node:zlib'
import { Fragment, fragment, type Read, read } from '../platform/database/sql.ts'

export const sealedTables = ['entries', 'transfer_moves', 'events', 'audit_log'] as const
export type SealedTable = (typeof sealedTables)[number]

/** A place in the order of a table: that of a row. */
export type Place = { era: number; xid: string; venture_id: string; id: string }

/** For each table, up to which place a seal covers it, and how many rows that are. */
export type Ranges = Record<SealedTable, Place & { rows: number }>

/** `ranges` is the text that was hashed. */
export type Seal = { number: number; rows: number; ranges: string; root: string; previous_root: string; list: Buffer }

/**
 * The columns of each table, in the order in which they are hashed. A column that is added later and is to be sealed needs a new edition
 * of this list: leaves of earlier rows must stay what they are.
 */
const contents: Record<SealedTable, readonly string[]> = {
  entries: [
    ...['venture_id', 'id', 'era', 'xid', 'journal_id', 'cause_kind', 'cause_id', 'account_id', 'system_account', 'currency', 'amount'],
    ...['balance', 'created_at'],
  ],
  transfer_moves: [
    ...['venture_id', 'id', 'era', 'xid', 'transfer_id', 'from_status', 'to_status', 'actor', 'actor_id', 'reason', 'reason_code'],
    ...['third_party_status', 'created_at', 'forced', 'debt_change'],
  ],
  events: ['venture_id', 'id', 'era', 'xid', 'type', 'resource_id', 'sequence', 'timestamp', 'data', 'actor', 'actor_id'],
  audit_log: ['venture_id', 'id', 'era', 'xid', 'at', 'actor', 'actor_id', 'action', 'resource', 'request_id', 'address', 'fields'],
}

const times = new Set(['created_at', 'timestamp', 'at'])

/** The columns that a row is hashed over, for a test that compares them with the tables. */
export const sealedColumns: Readonly<Record<SealedTable, readonly string[]>> = contents

function textOf(column: string): string {
  if (times.has(column)) return `to_char("${column}" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return `"${column}"::text`
}

/**
 * The leaf of a row: SHA-256 over the name of its table and its fields as text, each preceded by its length in bytes and a colon; null has no
 * length. This depends on what a row says and not on how it is stored, and can be computed anywhere: see `leafOf`.
 */
const leafIn = (table: SealedTable): string => {
  const parts = contents[table].map(textOf).map((text) => `octet_length(${text}), ':', ${text}`)
  return `sha256(convert_to(concat('${table}', ${parts.join(', ')}), 'UTF8'))`
}

const byTable = (textOf: (table: SealedTable) => string) =>
  Object.fromEntries(sealedTables.map((table) => [table, new Fragment([textOf(table)], [])])) as Record<SealedTable, Fragment>

/** The rows of a table with their leaves, and the rows alone, up to WHERE. */
const leaves = byTable((table) => `select venture_id, id, era, xid, ${leafIn(table)} as leaf from ${table}`)
const ids = byTable((table) => `select venture_id, id from ${table}`)

/** The same in plain code. */
export function leafOf(table: SealedTable, fields: readonly (string | null)[]): Buffer {
  const hash = createHash('sha256').update(table)
  for (const field of fields) hash.update(field === null ? ':' : `${Buffer.byteLength(field)}:${field}`)
  return hash.digest()
}

/** What is read of a row: era, xid, venture, id, leaf. */
const row = { xid: 4, venture_id: 12, id: 28, leaf: 44, end: 76 }

/** Rows of a table in their order, as one value of 76 bytes for each; null if there are none. `server`: which run of which server read them. */
function rowsWhere(table: SealedTable, condition: Fragment, limit: Fragment): Read<{ bytes: Buffer | null; server: string }> {
  return read<{ bytes: Buffer | null; server: string }>`
    select pg_postmaster_start_time()::text as server, (
      select string_agg(int4send(era) || xid8send(xid) || uuid_send(venture_id) || uuid_send(id) || leaf, '' order by era, xid, venture_id, id)
      from (
        ${leaves[table]} where ${condition}
        order by era, xid, venture_id, id ${limit}) as chosen) as bytes`
}

/** Rows of the transaction that wrote the row at this place, after it. It has ended, so nothing is added to it. */
export function restOfTransaction(table: SealedTable, { era, xid, venture_id, id }: Place, most: number) {
  const condition = fragment`era = ${era} and xid = ${xid}::xid8 and (venture_id, id) > (${venture_id}::uuid, ${id}::uuid)`
  return rowsWhere(table, condition, fragment`limit ${most}`)
}

/**
 * Rows of later transactions, as far as all of them are known. The oldest running transaction and the rows must be of the same snapshot, so this
 * is one statement.
 */
export function laterTransactions(table: SealedTable, { era, xid }: Place, most: number) {
  const condition = fragment`(era, xid) > (${era}::int, ${xid}::xid8)
    and (era, xid) < ((select era from event_era), pg_snapshot_xmin(pg_current_snapshot()))`
  return rowsWhere(table, condition, fragment`limit ${most}`)
}

/** The rows after one place up to another, both of which are those of seals. */
export function rowsBetween(table: SealedTable, after: Place, upto: Place) {
  const from = fragment`(${after.venture_id}::uuid, ${after.id}::uuid)`
  const to = fragment`(${upto.venture_id}::uuid, ${upto.id}::uuid)`
  const isOneTransaction = after.era === upto.era && after.xid === upto.xid
  const condition = isOneTransaction
    ? fragment`era = ${after.era} and xid = ${after.xid}::xid8 and (venture_id, id) > ${from} and (venture_id, id) <= ${to}`
    : fragment`(era, xid) >= (${after.era}::int, ${after.xid}::xid8) and (era, xid) <= (${upto.era}::int, ${upto.xid}::xid8)
        and ((era, xid) > (${after.era}::int, ${after.xid}::xid8) or (venture_id, id) > ${from})
        and ((era, xid) < (${upto.era}::int, ${upto.xid}::xid8) or (venture_id, id) <= ${to})`
  return rowsWhere(table, condition, fragment``)
}

/** Rows that no seal can ever cover: they say that they were written before the first seal, or by a transaction that has not begun yet. */
export function rowsOutside(table: SealedTable, first: Place): Read<{ venture_id: string; id: string }> {
  return read<{ venture_id: string; id: string }>`
    ${ids[table]}
    where (era, xid, venture_id, id) <= (${first.era}::int, ${first.xid}::xid8, ${first.venture_id}::uuid, ${first.id}::uuid)
      or (era, xid) >= ((select era from event_era), pg_snapshot_xmax(pg_current_snapshot()))`
}

/** For the beginning of an era: whether a table has numbers that its server has not reached yet. */
export const sealedFromTheFuture: readonly Read<object>[] = sealedTables.map(
  (table) => read`
    ${ids[table]} where era = (select era from event_era) and xid >= pg_snapshot_xmax(pg_current_snapshot()) limit 1`,
)

export const selectLastSeal = read<Pick<Seal, 'number' | 'ranges' | 'root'> & { at: string }>`
  select number::int, at, ranges::text as ranges, root from seals order by number desc limit 1`

/** Seals from a number on, in order. */
export const selectSeals = (from: number, most: number) => read<Seal>`
  select number::int, rows, ranges::text as ranges, root, previous_root, list from seals where number >= ${from} order by number limit ${most}`

/** The bytes of the rows that a seal covers, by table. */
export type Covered = Record<SealedTable, Buffer>

export const countOf = (bytes: Buffer): number => bytes.length / row.end

/** The place of the last of these rows. */
export function lastPlace(bytes: Buffer): Place {
  const last = bytes.subarray(bytes.length - row.end)
  return {
    era: last.readInt32BE(0),
    xid: last.readBigUInt64BE(row.xid).toString(),
    venture_id: uuidOf(last.subarray(row.venture_id, row.id)),
    id: uuidOf(last.subarray(row.id, row.leaf)),
  }
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Depends on the seal before, on the ranges and on every byte of every row. */
export function rootOf({ number, ranges, previous_root }: Pick<Seal, 'number' | 'ranges' | 'previous_root'>, covered: Covered): string {
  const hash = createHash('sha256').update(`${previous_root}\n${number}\n${ranges}\n`)
  for (const table of sealedTables) hash.update(covered[table])
  return hash.digest('hex')
}

/** A row in the list of a seal: whose it is, and the beginning of its leaf. */
export type Listed = { venture_id: string; id: string; leaf: string }

const [uuid_bytes, prefix_bytes] = [16, 8]
const deflate = promisify<Buffer, { level: number }, Buffer>(deflateRaw)

/** Alike bytes stand together, which makes the list smaller: first all ventures, then all ids, then the beginnings of all leaves. */
export function listOf(covered: Covered): Promise<Buffer> {
  const rows = sealedTables.flatMap((table) => rowsIn(covered[table]))
  const part = (from: number, length: number) => rows.map((one) => one.subarray(from, from + length))
  const columns = [...part(row.venture_id, uuid_bytes), ...part(row.id, uuid_bytes), ...part(row.leaf, prefix_bytes)]
  return deflate(Buffer.concat(columns), { level: 1 })
}

/** The rows that a seal says it covers. */
export function listedBy({ ranges, list }: Pick<Seal, 'ranges' | 'list'>): Record<SealedTable, Listed[]> {
  const counts = JSON.parse(ranges) as Ranges
  const total = sealedTables.reduce((sum, table) => sum + counts[table].rows, 0)
  const bytes = total === 0 ? Buffer.alloc(0) : inflateRawSync(list)
  const [ids, prefixes] = [total * uuid_bytes, 2 * total * uuid_bytes]
  let at = 0
  const next = (): Listed => {
    const [id, prefix] = [ids + at * uuid_bytes, prefixes + at * prefix_bytes]
    const venture_id = uuidOf(bytes.subarray(at * uuid_bytes, (at + 1) * uuid_bytes))
    at++
    return { venture_id, id: uuidOf(bytes.subarray(id, id + uuid_bytes)), leaf: bytes.toString('hex', prefix, prefix + prefix_bytes) }
  }
  return Object.fromEntries(sealedTables.map((table) => [table, Array.from({ length: counts[table].rows }, next)])) as ReturnType<
    typeof listedBy
  >
}

/** The rows as a seal lists them. */
export function listedIn(bytes: Buffer): Listed[] {
  return rowsIn(bytes).map((one) => ({
    venture_id: uuidOf(one.subarray(row.venture_id, row.id)),
    id: uuidOf(one.subarray(row.id, row.leaf)),
    leaf: one.toString('hex', row.leaf, row.leaf + prefix_bytes),
  }))
}

function rowsIn(bytes: Buffer): Buffer[] {
  return Array.from({ length: countOf(bytes) }, (_, index) => bytes.subarray(index * row.end, (index + 1) * row.end))
}
