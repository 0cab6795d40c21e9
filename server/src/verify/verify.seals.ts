// Seals: a chain over everything that must never change. Each seal covers the rows committed since the previous one, and its root depends
// on each of them and on the previous root. Changing, removing or inserting a row afterwards, even as the owner of the tables, breaks the
// chain at that row; rewriting the chain as well changes every later root, and roots are published elsewhere.
//
// The order is (era, xid, venture_id, id): xid is the number of the transaction that wrote the row. Only rows below the oldest running
// transaction are sealed. All transactions with smaller numbers have ended, and later ones get greater numbers, so nothing is ever added
// below: neither a late commit nor a clock can put a row before the place that a seal has reached.
//
// Transaction numbers are those of one server, so each strand has an order of its own: a table, or a shard of it where tables are on several servers.
// There is one chain, and each seal says for every strand how far it reaches (platform/database/database.strands.ts).
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, type ZstdOptions, zstdCompress, zstdDecompressSync } from 'node:zlib'
import type { Question, Source, Strand, Stretch } from '../platform/database/database.strands.ts'
import { Fragment, fragment, type Read, read } from '../platform/database/sql.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'

/** In the order in which their rows are hashed. The first seal has the first four. Others begin in a later seal, and are added at the end. */
export const sealedTables = [
  'entries',
  'transfer_moves',
  'events',
  'audit_log',
  'policies',
  'screenings',
  'screening_hits',
  'rail_messages',
  'row_states',
  'admin_key_steps',
  'transfer_details',
  'participations',
  'calendar_years',
] as const
export type SealedTable = (typeof sealedTables)[number]

const firstTables = sealedTables.slice(0, 4)

/** A place in the order of a table: that of a row, or the end of a transaction. */
export type Place = { era: number; xid: string; venture_id: string; id: string }

type Range = Place & { rows: number }

/** For each table, up to which place a seal covers it, and how many rows those are. */
export type Ranges = Record<SealedTable, Range>

/**
 * For each strand by its name. Those of a seal from before some of the tables were sealed do not have these. Tables that were distributed stay where they
 * were then, and their shards continue from there.
 */
export type KnownRanges = Readonly<Record<string, Range | undefined>>

/** The table of a strand. */
export const tableOf = (strand: string): SealedTable => strand.replace(/\/.*/, '') as SealedTable

/** In the order in which their rows are hashed: by table, all of it first, then its shards by their hashes. */
export function inTheirOrder(strands: Iterable<string>): string[] {
  const keys = [...strands].map((name) => ({
    name,
    table: sealedTables.indexOf(tableOf(name)),
    first: Number(name.match(/\/(-?\d+)/)?.[1] ?? -Infinity),
  }))
  return keys.sort((a, b) => a.table - b.table || (a.first < b.first ? -1 : 1)).map(({ name }) => name)
}

/** `ranges` is the text that was hashed. */
export type Seal = { number: number; at: string; rows: number; ranges: string; root: string; previous_root: string; list: Buffer }

/** How a field is hashed: in the binary format of this PostgreSQL type. */
type FieldType = 'uuid' | 'int4' | 'xid8' | 'timestamptz' | 'bool' | 'text' | 'json' | 'float8'

const place = { venture_id: 'uuid', id: 'uuid', era: 'int4', xid: 'xid8' } as const

/**
 * The columns of each table, in the order in which they are hashed. Amounts and arrays are hashed as text. A column that is added and
 * sealed later needs a new edition of this list: leaves of earlier rows must not change.
 */
const contents: Record<SealedTable, Readonly<Record<string, FieldType>>> = {
  entries: {
    ...place,
    journal_id: 'uuid',
    cause_kind: 'text',
    cause_id: 'uuid',
    account_id: 'uuid',
    system_account: 'text',
    currency: 'text',
    amount: 'text',
    balance: 'text',
    created_at: 'timestamptz',
  },
  transfer_moves: {
    ...place,
    transfer_id: 'uuid',
    from_status: 'text',
    to_status: 'text',
    actor: 'text',
    actor_id: 'uuid',
    reason: 'text',
    reason_code: 'text',
    third_party_status: 'text',
    created_at: 'timestamptz',
    forced: 'bool',
    debt_change: 'text',
  },
  events: {
    ...place,
    type: 'text',
    resource_id: 'uuid',
    sequence: 'int4',
    timestamp: 'timestamptz',
    data: 'json',
    actor: 'text',
    actor_id: 'uuid',
  },
  audit_log: {
    ...place,
    at: 'timestamptz',
    actor: 'text',
    actor_id: 'uuid',
    action: 'text',
    resource: 'text',
    request_id: 'text',
    address: 'text',
    fields: 'text',
  },
  policies: {
    ...place,
    version: 'int4',
    card_fee: 'text',
    payout_delay_days: 'int4',
    rate_hold_s: 'int4',
    actor: 'text',
    actor_id: 'uuid',
    created_at: 'timestamptz',
    sign_above: 'text',
    review_above: 'text',
    signer: 'text',
    screen_threshold: 'text',
    block_threshold: 'text',
    lists: 'text',
    screen_peps: 'bool',
    payee_check: 'text',
    funds_wait_h: 'int4',
    instant_timeout: 'text',
    rules: 'text',
  },
  screenings: {
    ...place,
    subject_kind: 'text',
    subject_id: 'uuid',
    cause: 'text',
    parties: 'json',
    versions: 'text',
    algorithm: 'text',
    policy_version: 'int4',
    screen_threshold: 'float8',
    block_threshold: 'float8',
    outcome: 'text',
    best_score: 'float8',
    created_at: 'timestamptz',
  },
  screening_hits: {
    ...place,
    screening_id: 'uuid',
    party: 'text',
    party_hash: 'text',
    reason: 'text',
    watchlist_id: 'uuid',
    version_id: 'uuid',
    entry_id: 'text',
    entry_hash: 'text',
    score: 'float8',
    explanation: 'json',
  },
  // `verify` compares the body with its hash, so that sealing need not read every body again.
  rail_messages: {
    ...place,
    direction: 'text',
    file: 'text',
    pack_id: 'uuid',
    sha256: 'text',
    created_at: 'timestamptz',
  },
  row_states: {
    ...place,
    version: 'text',
    table_name: 'text',
    row_id: 'uuid',
    hash: 'text',
  },
  admin_key_steps: {
    ...place,
    step: 'text',
    admins: 'text',
    at: 'timestamptz',
  },
  transfer_details: {
    ...place,
    transfer_id: 'uuid',
    content: 'json',
  },
  participations: {
    ...place,
    rail: 'text',
    version: 'int4',
    profile: 'text',
    currency: 'text',
    state: 'text',
    calendar: 'text',
    zone: 'text',
    cut_offs: 'text',
    lead_days: 'int4',
    answer_hours: 'int4',
    smallest: 'text',
    largest: 'text',
    prefers: 'int4',
    envelope: 'json',
    effective_at: 'timestamptz',
    actor: 'text',
    actor_id: 'uuid',
    created_at: 'timestamptz',
  },
  calendar_years: {
    ...place,
    calendar: 'text',
    year: 'int4',
    version: 'int4',
    weekend: 'text',
    closed: 'text',
    actor: 'text',
    actor_id: 'uuid',
    created_at: 'timestamptz',
  },
}

/**
 * Columns that were added later, oldest first, with the value that earlier rows got. They are hashed up to the last one that has another value, so the leaves
 * of earlier rows stay what they were.
 */
const additions: Partial<Record<SealedTable, readonly { column: string; type: FieldType; was: string }[]>> = {
  policies: [{ column: 'instant_screening', type: 'text', was: 'clients' }],
}

/** The hashed columns, for a test that compares them with the tables. */
export const sealedColumns = (table: SealedTable): readonly string[] => [
  ...Object.keys(contents[table]),
  ...(additions[table] ?? []).map(({ column }) => column),
]

/** Columns that are not sealed: those that change, and the body of a message, whose hash is sealed. */
export const unsealedColumns: Partial<Record<SealedTable, readonly string[]>> = {
  screening_hits: ['state', 'decided_by', 'decided_at'],
  rail_messages: ['type', 'message_id', 'sender', 'body', 'state', 'reason', 'detail', 'updated_at'],
}

/** SQL for the venture and the id of a row in a seal, if the table has no such columns. */
const keys: Partial<Record<SealedTable, string>> = {
  policies: `lpad(to_hex(version), 32, '0')::uuid as id`,
  rail_messages: `'${bankId}'::uuid as venture_id`,
  row_states: `lpad(to_hex(version), 32, '0')::uuid as id`,
  admin_key_steps: `'${bankId}'::uuid as venture_id, md5(step)::uuid as id`,
  transfer_details: 'transfer_id as id',
  participations: `'${bankId}'::uuid as venture_id`,
  calendar_years: `'${bankId}'::uuid as venture_id`,
}

/** The rows of a table, all of which have a venture and an id. `relation`: what stands in FROM, if it is a part of the table. */
export function rowsOfTable(table: SealedTable, relation: string = table): string {
  const key = keys[table]
  return key === undefined ? relation : `(select *, ${key} from ${relation}) as ${table}`
}

/**
 * The leaf of a row: SHA-256 over its fields as a record in PostgreSQL's binary format. That is the number of fields, and for each of them its type's
 * number, its length (-1 for null) and its bytes. Two different rows never have the same bytes, and the bytes do not depend on settings or on how the
 * row is stored: `leafOf` computes the same. One call for the whole record takes a third of the time of text for each field.
 */
function leafIn(table: SealedTable): string {
  const fields = Object.entries(contents[table]).map(([column, type]) => `"${column}"::${type}`)
  const added = additions[table] ?? []
  const leaf = (count: number) => {
    const all = [...fields, ...added.slice(0, count).map(({ column, type }) => `"${column}"::${type}`)]
    return `sha256(record_send(row(${all.join(', ')})))`
  }
  const cases = added.map(({ column, was }, index) => `when "${column}" is distinct from '${was}' then ${leaf(index + 1)}`)
  return cases.length === 0 ? leaf(0) : `case ${cases.toReversed().join(' ')} else ${leaf(0)} end`
}

const made = (text: string) => new Fragment([text], [])

/** The rows of a strand with their leaves, their places alone, and the ids of a table, up to WHERE. */
const leaves = (table: SealedTable, relation: string) =>
  made(`select venture_id, id, era, xid, ${leafIn(table)} as leaf from ${rowsOfTable(table, relation)}`)
const places = (relation: string) => made(`select era, xid from ${relation}`)
const ids = (table: SealedTable) => made(`select venture_id, id from ${rowsOfTable(table)}`)

/** Each type's number, the same in every PostgreSQL, and its bytes from the text of a value. */
const types: Record<FieldType, { oid: number; bytesOf: (text: string) => Uint8Array }> = {
  uuid: { oid: 2950, bytesOf: (text) => Buffer.from(text.replaceAll('-', ''), 'hex') },
  int4: { oid: 23, bytesOf: (text) => int4(Number(text)) },
  xid8: { oid: 5069, bytesOf: (text) => int8(BigInt(text)) },
  // Microseconds since 2000.
  timestamptz: { oid: 1184, bytesOf: (text) => int8(BigInt(Date.parse(text) - Date.UTC(2000)) * 1000n) },
  bool: { oid: 16, bytesOf: (text) => Uint8Array.of(text === 'true' ? 1 : 0) },
  text: { oid: 25, bytesOf: (text) => Buffer.from(text) },
  json: { oid: 114, bytesOf: (text) => Buffer.from(text) },
  float8: { oid: 701, bytesOf: (text) => float8(Number(text)) },
}

function int4(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int8(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt.asIntN(64, value))
  return bytes
}

function float8(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}

/** The leaf in plain code, from the texts of the fields. */
export function leafOf(table: SealedTable, fields: Readonly<Record<string, string | null>>): Buffer {
  const added = additions[table] ?? []
  const last = added.findLastIndex(({ column, was }) => (fields[column] ?? null) !== was)
  const columns = [...Object.entries(contents[table]), ...added.slice(0, last + 1).map(({ column, type }) => [column, type] as const)]
  const hash = createHash('sha256').update(int4(columns.length))
  for (const [column, type] of columns) {
    const { oid, bytesOf } = types[type]
    const text = fields[column] ?? null
    hash.update(int4(oid))
    if (text === null) hash.update(int4(-1))
    else {
      const bytes = bytesOf(text)
      hash.update(int4(bytes.length)).update(bytes)
    }
  }
  return hash.digest()
}

/** The layout of a row as read: era, xid, venture, id, leaf. */
const row = { xid: 4, venture_id: 12, id: 28, leaf: 44, end: 76 }

/**
 * Rows of a strand in their order, as one value of 76 bytes for each; null if there are none. `server`: which run of which server read them. `xmin`: the
 * oldest transaction that was still running. `offset 0` keeps the contents of the rows out of the sort, which takes the leaves only.
 */
function rowsWhere({ table }: Strand, { relation, within }: Source, chosen: Fragment): Read<Stretch> {
  return read<Stretch>`
    select pg_postmaster_start_time()::text as server, pg_snapshot_xmin(pg_current_snapshot())::text as xmin, (
      select string_agg(int4send(era) || xid8send(xid) || uuid_send(venture_id) || uuid_send(id) || leaf, '' order by era, xid, venture_id, id)
      from (${leaves(table as SealedTable, relation)} where ${within} and ${chosen} offset 0) as chosen) as bytes`
}

/**
 * The rest of a transaction's rows after this place. The transaction has ended, so no rows are added. Only the transaction of the migration
 * is sealed in parts, so it has far more rows than any other, and the primary key finds them in order.
 */
export const restOfTransaction = (strand: Strand, { era, xid, venture_id, id }: Place, most: number): Question => ({
  strand,
  ask: (source) =>
    rowsWhere(
      strand,
      source,
      fragment`era = ${era} and xid = ${xid}::xid8 and (venture_id, id) > (${venture_id}::uuid, ${id}::uuid)
        order by venture_id, id limit ${most}`,
    ),
})

/**
 * Rows of later transactions, as far as they are complete: this many, and then the rest of the last transaction, so that no seal ends
 * inside one. The oldest running transaction and the rows must come from the same snapshot, so this is one statement. It finds the end
 * afterwards: with a limit, PostgreSQL may hash all rows that are left, and then sort and drop most of them. `current`: the era, known before, so that all
 * transactions of earlier ones have ended.
 */
export const laterTransactions = (strand: Strand, { era, xid }: Place, most: number, current: number): Question => ({
  strand,
  ask: (source) => {
    const range = fragment`(era, xid) > (${era}::int, ${xid}::xid8)
      and (era, xid) < (${current}::int, pg_snapshot_xmin(pg_current_snapshot()))`
    return rowsWhere(
      strand,
      source,
      fragment`${range} and (era, xid) <= (
        select era, xid from (
          (${places(source.relation)} where ${source.within} and ${range} order by era, xid offset ${most - 1} limit 1)
          union all select ${current}::int, pg_snapshot_xmin(pg_current_snapshot())) as ends
        order by era, xid limit 1)`,
    )
  },
})

/** The rows after one place of a seal up to another. */
export function rowsBetween(strand: Strand, after: Place, upto: Place): Question {
  const from = fragment`(${after.venture_id}::uuid, ${after.id}::uuid)`
  const to = fragment`(${upto.venture_id}::uuid, ${upto.id}::uuid)`
  const isOneTransaction = after.era === upto.era && after.xid === upto.xid
  const condition = isOneTransaction
    ? fragment`era = ${after.era} and xid = ${after.xid}::xid8 and (venture_id, id) > ${from} and (venture_id, id) <= ${to}`
    : fragment`(era, xid) >= (${after.era}::int, ${after.xid}::xid8) and (era, xid) <= (${upto.era}::int, ${upto.xid}::xid8)
        and ((era, xid) > (${after.era}::int, ${after.xid}::xid8) or (venture_id, id) > ${from})
        and ((era, xid) < (${upto.era}::int, ${upto.xid}::xid8) or (venture_id, id) <= ${to})`
  return { strand, ask: (source) => rowsWhere(strand, source, condition) }
}

/** Rows that no seal can ever cover: supposedly written before the first seal, or by a transaction that has not begun yet. */
export function rowsOutside(table: SealedTable, first: Place): Read<{ venture_id: string; id: string }> {
  return read<{ venture_id: string; id: string }>`
    ${ids(table)}
    where (era, xid, venture_id, id) <= (${first.era}::int, ${first.xid}::xid8, ${first.venture_id}::uuid, ${first.id}::uuid)
      or (era, xid) >= ((select era from event_era), pg_snapshot_xmax(pg_current_snapshot()))`
}

/** For the beginning of an era: whether a table has transaction numbers that its server has not reached yet. */
export const sealedFromTheFuture: readonly Read<object>[] = sealedTables.map(
  (table) => read`
    ${ids(table)} where era = (select era from event_era) and xid >= pg_snapshot_xmax(pg_current_snapshot()) limit 1`,
)

/** The end of the last transaction before the oldest running one: no row of the service can appear before it later. */
export function endBefore({ xmin }: Pick<Stretch, 'xmin'>, era: number): Place {
  return { era, xid: (BigInt(xmin) - 1n).toString(), venture_id: lastUuid, id: lastUuid }
}

const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The last seal, and the ranges of seals without rows: the first one with a table gives the transaction of the table's migration. */
export const selectLastSeal = read<Pick<Seal, 'number' | 'ranges' | 'root'> & { at: string; beginnings: string[]; era: number }>`
  select number::int, at, ranges::text as ranges, root, (select era from event_era) as era,
    array(select beginning.ranges::text from seals beginning where beginning.rows = 0 order by beginning.number) as beginnings
  from seals order by number desc limit 1`

/** The places where the rows of each table begin. */
export const beginningsIn = (ranges: readonly string[]): Ranges => Object.assign({}, ...ranges.toReversed().map((text) => JSON.parse(text)))

/** The time as the text that is hashed. */
const at = fragment`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`

const lastNumber = 2 ** 31 - 1

/** Seals from a number on, in order. */
export const selectSeals = (from: number, most: number) => read<Seal>`
  select number::int, ${at}, rows, ranges::text as ranges, root, previous_root, list from seals
  where number between ${from} and ${lastNumber} order by number limit ${most}`

/** Seals with impossible numbers: at one per minute, they would take more than four thousand years. */
export const selectStraySeals = read<{ number: string }>`
  select number::text as number from seals where number < 0 or number > ${lastNumber} order by number`

/** Last seals that runs of verify have recorded and that are gone: beyond the current last one, or with another root. */
export const selectForgottenSeals = read<{ number: string; changed: boolean }>`
  select distinct run.seal_number::text as number, seal.number is not null as changed
  from verification_runs run left join seals seal on seal.number = run.seal_number
  where (seal.number is not null and seal.root is distinct from run.seal_root) or (seal.number is null and run.seal_number > (select coalesce(max(number), -1) from seals))`

/** The bytes of the rows that a seal covers, by strand. */
export type Covered = Readonly<Record<string, Buffer>>

/** Rows of several parts, in the order of seals, which is that of their bytes. */
export function inOrder(parts: readonly Buffer[]): Buffer {
  const rows = parts.flatMap((part) =>
    Array.from({ length: countOf(part) }, (_, index) => part.subarray(index * row.end, (index + 1) * row.end)),
  )
  return Buffer.concat(rows.sort((a, b) => a.compare(b, 0, row.leaf, 0, row.leaf)))
}

/** A row in the form of a seal. */
export function rowOf({ era, xid, venture_id, id }: Place, leaf: Buffer): Buffer {
  return Buffer.concat([int4(era), int8(BigInt(xid)), types.uuid.bytesOf(venture_id), types.uuid.bytesOf(id), leaf])
}

/** Whether one place comes before another, or is the same. */
export function isUpto(place: Place, end: Place): boolean {
  const nothing = Buffer.alloc(0)
  return rowOf(place, nothing).compare(rowOf(end, nothing)) <= 0
}

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

const partsOf = (covered: Covered): Buffer[] => inTheirOrder(Object.keys(covered)).map((strand) => covered[strand] ?? Buffer.alloc(0))

/** Depends on the previous seal, on the seal's own fields, and on every byte of every row. */
export function rootOf({ number, at, rows, ranges, previous_root }: Omit<Seal, 'root' | 'list'>, covered: Covered): string {
  const hash = createHash('sha256').update(`${previous_root}\n${number}\n${at}\n${rows}\n${ranges}\n`)
  for (const bytes of partsOf(covered)) hash.update(bytes)
  return hash.digest('hex')
}

/** A row in the list of a seal: its venture, its id, and the beginning of its leaf. */
export type Listed = { venture_id: string; id: string; leaf: string }

const [uuid_bytes, prefix_bytes] = [16, 8]
const listed_bytes = 2 * uuid_bytes + prefix_bytes
const compress = promisify<Buffer, ZstdOptions, Buffer>(zstdCompress)
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** First the first byte of every row, then the second, and so on: similar bytes are adjacent, so the list compresses better and faster. */
export function listOf(covered: Covered): Promise<Buffer> {
  const parts = partsOf(covered)
  const list = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + countOf(part), 0) * listed_bytes)
  let at = 0
  for (let byte = row.venture_id; byte < row.venture_id + listed_bytes; byte++) {
    for (const part of parts) for (let from = byte; from < part.length; from += row.end) list[at++] = part[from] as number
  }
  return compress(list, compression)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const isWhole = (value: unknown): boolean => Number.isInteger(value) && Math.abs(value as number) <= lastNumber

function isRange(value: unknown): boolean {
  const { rows, era, xid, venture_id, id } = (value ?? {}) as Record<string, unknown>
  const isXid = typeof xid === 'string' && /^\d{1,20}$/.test(xid) && BigInt(xid) < 2n ** 64n
  return isWhole(rows) && (rows as number) >= 0 && isWhole(era) && isXid && [venture_id, id].every((text) => uuid.test(String(text)))
}

const strandName = new RegExp(`^(${sealedTables.join('|')})(/-?\\d{1,10}\\.\\.-?\\d{1,10})?$`)

/** The ranges of a seal; undefined if the service cannot have written them. */
export function parseRanges(text: string): KnownRanges | undefined {
  const ranges = JSON.parse(text) as KnownRanges | null
  if (ranges === null || firstTables.some((table) => ranges[table] === undefined)) return undefined
  return Object.entries(ranges).every(([name, range]) => strandName.test(name) && isRange(range)) ? ranges : undefined
}

/** The rows that a seal lists; undefined if its list or its ranges cannot be read. */
export function listedBy({ ranges, list }: Pick<Seal, 'ranges' | 'list'>): Record<string, Listed[]> | undefined {
  const counts = parseRanges(ranges)
  if (counts === undefined) return undefined
  const strands = inTheirOrder(Object.keys(counts))
  const countIn = (strand: string) => counts[strand]?.rows ?? 0
  const total = strands.reduce((sum, strand) => sum + countIn(strand), 0)
  const columns = decompressed(list, total * listed_bytes)
  if (columns === undefined) return undefined
  const one = Buffer.alloc(listed_bytes)
  let index = 0
  const next = (): Listed => {
    for (let byte = 0; byte < listed_bytes; byte++) one[byte] = columns[byte * total + index] as number
    index++
    return listedAt(one, 0)
  }
  return Object.fromEntries(strands.map((strand) => [strand, Array.from({ length: countIn(strand) }, next)]))
}

function decompressed(list: Buffer, length: number): Buffer | undefined {
  if (length === 0) return Buffer.alloc(0)
  try {
    const bytes = zstdDecompressSync(list, { maxOutputLength: length })
    return bytes.length === length ? bytes : undefined
  } catch {
    return undefined
  }
}

/** The rows as a seal lists them. */
export function listedIn(bytes: Buffer): Listed[] {
  return Array.from({ length: countOf(bytes) }, (_, index) => listedAt(bytes, index * row.end + row.venture_id))
}

function listedAt(bytes: Buffer, venture: number): Listed {
  const [id, leaf] = [venture + uuid_bytes, venture + 2 * uuid_bytes]
  return {
    venture_id: uuidOf(bytes.subarray(venture, id)),
    id: uuidOf(bytes.subarray(id, leaf)),
    leaf: bytes.toString('hex', leaf, leaf + prefix_bytes),
  }
}
