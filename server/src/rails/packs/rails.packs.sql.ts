// SQL statements for packs and their payments.

import { rowsByVenture } from '../../platform/database/database.placement.ts'
import type { Reader, Tx } from '../../platform/database/database.ts'
import { Choice, Columns, fixed, listed, read, write } from '../../platform/database/sql.ts'
import { instantRails, type Rail } from '../../schemes/schemes.ts'
import { packedStatuses, sendableStatuses } from '../../transfers/life/transfers.sets.ts'
import type { Key } from '../../transfers/transfers.ts'
import { type PackKind, type PaymentState, unansweredStates, waitingStates } from './rails.payments.ts'

export const packStates = ['OPEN', 'SEALED', 'DELIVERED', 'ACKNOWLEDGED', 'REFUSED', 'UNKNOWN', 'INVALID', 'NOT_SENT', 'DROPPED'] as const
export type PackState = (typeof packStates)[number]

/** There is something left to do. */
export const unfinishedStates: readonly PackState[] = ['OPEN', 'SEALED', 'DELIVERED', 'UNKNOWN', 'NOT_SENT']
/** Its message exists, and the scheme may still answer. */
export const answerableStates: readonly PackState[] = ['SEALED', 'DELIVERED', 'ACKNOWLEDGED', 'UNKNOWN']

const [waiting, unanswered, unansweredPack] = [
  listed(waitingStates),
  listed(unansweredStates),
  listed(answerableStates.filter((state) => state !== 'UNKNOWN')),
]
const [packed, sendable] = [listed(packedStatuses), listed(sendableStatuses)]

/**
 * `cycle`: the cut-off at which it was packed; null on rails without cut-offs. `participation`: the version by which it was made, which also says how its message
 * is written.
 */
export type PackRow = {
  id: string
  rail: Rail
  kind: PackKind
  message_id: string
  cycle: string | null
  participation: number
  settlement_date: string
  state: PackState
  reason: string | null
  count: number
  total: string
  currency: string
  created_at: string
  updated_at: string
  delivered_at: string | null
  sequence: number
}

const packColumns = new Columns([
  'id',
  'rail',
  'kind',
  'message_id',
  'cycle',
  'participation',
  'settlement_date',
  'state',
  'reason',
  'count',
  'total',
  'currency',
  'created_at',
  'updated_at',
  'delivered_at',
  'sequence',
])

export type PaymentKey = { venture_id: string; transfer_id: string; attempt: number }

export type PaymentRow = PaymentKey & {
  tx_id: string
  end_to_end_id: string
  rail: Rail
  kind: PackKind
  pack_id: string | null
  position: number | null
  amount: string
  currency: string
  settlement_date: string
  walks: boolean
  content: object
  state: PaymentState
  reason: string | null
  settled_on: string | null
  created_at: string
  updated_at: string
}

const paymentNames = [
  'venture_id',
  'transfer_id',
  'attempt',
  'tx_id',
  'end_to_end_id',
  'rail',
  'kind',
  'pack_id',
  'position',
  'amount',
  'currency',
  'settlement_date',
  'walks',
  'content',
  'state',
  'reason',
  'settled_on',
  'created_at',
  'updated_at',
]
const paymentColumns = new Columns(paymentNames)

/** `rails`: those over which something may leave. */
export type Due = { ventures: readonly string[]; rails: readonly Rail[]; after: string; limit: number }

/** Transfers that wait for a pack and are not queued yet, oldest first, after a given one. */
export async function selectUncollected(reader: Reader, { ventures, rails, after, limit }: Due): Promise<Key[]> {
  if (ventures.length === 0 || rails.length === 0) return []
  return reader.rows(read<Key>`
    select transfer.venture_id, transfer.id from transfers transfer
    where transfer.venture_id = any(${ventures}) and transfer.managed and not transfer.on_us and transfer.method = any(${rails})
      and transfer.status in (${packed}) and transfer.id > ${after} and ${isUncollected(reader, after)}
    order by transfer.id limit ${limit}`)
}

/** The queue may be on another server than the transfers; then its content is sent to theirs. */
const isUncollected = ({ placement }: Reader, after: string): Choice =>
  placement.either({
    together: () =>
      new Choice(
        [
          `not exists (
        select from rail_payments payment
        where payment.venture_id = transfer.venture_id and payment.transfer_id = transfer.id and payment.state in (${waiting.text}))`,
        ],
        [],
      ),
    apart: () =>
      new Choice(
        [`transfer.id not in (select transfer_id from rail_payments where state in (${waiting.text}) and transfer_id > `, ')'],
        [after],
      ),
  })

/** Instant payments that wait to be sent. */
export async function selectInstant(reader: Reader, { ventures, rails, after, limit }: Due): Promise<Key[]> {
  if (ventures.length === 0 || rails.length === 0) return []
  return reader.rows(read<Key>`
    select venture_id, id from transfers
    where venture_id = any(${ventures}) and managed and not on_us and method = any(${rails}) and status in (${sendable})
      and id > ${after}
    order by id limit ${limit}`)
}

export type LastAttempt = Pick<PaymentRow, 'venture_id' | 'transfer_id' | 'attempt' | 'state' | 'updated_at'>

export async function selectLastAttempts(reader: Reader, keys: readonly Key[]): Promise<Map<string, LastAttempt>> {
  if (keys.length === 0) return new Map()
  const rows = await reader.rows(read<LastAttempt>`
    select distinct on (venture_id, transfer_id) venture_id, transfer_id, attempt, state, updated_at from rail_payments
    where (venture_id, transfer_id) in (select * from unnest(
      ${keys.map(({ venture_id }) => venture_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]))
    order by venture_id, transfer_id, attempt desc`)
  return new Map(rows.map((row) => [row.transfer_id, row]))
}

/**
 * Collects payments. One that left a pack is collected again under the same attempt; any other existing row stays. Two statements, because
 * `on conflict do update` watches only one unique index, and another instance that collects the same payment would violate the other one.
 */
export function insertPayments(tx: Tx, payments: readonly PaymentRow[]): void {
  if (payments.length === 0) return
  const rows = JSON.stringify(payments)
  tx.send(write`
    update rail_payments
    set pack_id = null, position = null, settlement_date = again.settlement_date, content = again.content, state = again.state,
      reason = null, updated_at = again.updated_at
    from json_populate_recordset(null::rail_payments, ${rows}) as again
    where rail_payments.venture_id = again.venture_id and rail_payments.transfer_id = again.transfer_id
      and rail_payments.attempt = again.attempt and rail_payments.state = 'DROPPED'`)
  tx.send(write`
    insert into rail_payments (${paymentColumns})
    select ${paymentColumns} from json_populate_recordset(null::rail_payments, ${rows}) order by tx_id
    on conflict do nothing`)
}

export const selectPayment = ({ venture_id, transfer_id, attempt }: PaymentKey) => read<PaymentRow>`
  select ${paymentColumns} from rail_payments where venture_id = ${venture_id} and transfer_id = ${transfer_id} and attempt = ${attempt}`

/** Only one transaction packs at a time. Returns false if another one does so now. */
export async function lockPacking(tx: Tx): Promise<boolean> {
  return (await tx.first(write<{ locked: boolean }>`select pg_try_advisory_xact_lock(${packingLock}) as locked`))?.locked === true
}

/** An arbitrary number, the same in all instances. */
const packingLock = 5_648_771
const settingsLock = 5_648_772

/** Until the transaction ends, nobody else changes reachable banks. */
export async function lockSettings(tx: Tx): Promise<void> {
  await tx.rows(write`select pg_advisory_xact_lock(${settingsLock})`)
}

/** Which packs are needed, sooner or later. */
export function selectWaiting(reader: Reader): Promise<{ rail: Rail; kind: PackKind }[]> {
  return reader.rows(read<{ rail: Rail; kind: PackKind }>`
    select distinct rail, kind from rail_payments where state = 'COLLECTED' and pack_id is null order by rail, kind`)
}

/** Payments that were collected before a moment and are in no pack, oldest first. */
export function lockWaiting(
  tx: Tx,
  { rail, kind, until, limit }: { rail: Rail; kind: PackKind; until: string; limit: number },
): Promise<PaymentRow[]> {
  return tx.rows(read<PaymentRow>`
    select ${paymentColumns} from rail_payments
    where rail = ${rail} and kind = ${kind} and state = 'COLLECTED' and pack_id is null and updated_at <= ${until}
    order by updated_at, tx_id limit ${limit} for update skip locked`)
}

export function insertPack(tx: Tx, pack: PackRow): void {
  tx.send(write`
    insert into rail_packs (${packColumns}) select ${packColumns} from json_populate_record(null::rail_packs, ${JSON.stringify(pack)})`)
}

/** Puts payments into a pack, in the order given. Those without a walk are certain to be sent. */
export function assignPayments(tx: Tx, pack_id: string, payments: readonly PaymentKey[], now: string): void {
  tx.send(write`
    update rail_payments payment set pack_id = ${pack_id}, position = new.position, state = case when payment.walks then 'COLLECTED' else 'PACKED' end,
      updated_at = ${now}
    from unnest(
      ${payments.map(({ venture_id }) => venture_id)}::uuid[], ${payments.map(({ transfer_id }) => transfer_id)}::uuid[],
      ${payments.map(({ attempt }) => attempt)}::int[]) with ordinality as new (venture_id, transfer_id, attempt, position)
    where payment.venture_id = new.venture_id and payment.transfer_id = new.transfer_id and payment.attempt = new.attempt
      and payment.state = 'COLLECTED'`)
}

export function selectPacks(reader: Reader, state: PackState): Promise<PackRow[]> {
  return reader.rows(read<PackRow>`select ${packColumns} from rail_packs where state = ${state} order by id limit 100`)
}

/** Packs that were delivered before the moment of their rail, with unanswered payments. Instant payments have time limits of their own, but their returns do not. */
export function selectOverdue(reader: Reader, due: readonly { rail: Rail; before: string }[]): Promise<PackRow[]> {
  const [rails, befores] = [due.map(({ rail }) => rail), due.map(({ before }) => before)]
  return reader.rows(read<PackRow>`
    select ${packColumns} from rail_packs pack
    where (rail <> all(${instantRails}) or kind = 'RETURN')
      and delivered_at <= (select before from unnest(${rails}::text[], ${befores}::timestamptz[]) as due (due_rail, before) where due_rail = pack.rail) and (
      state = 'DELIVERED'
      or state = 'ACKNOWLEDGED' and id in (select pack_id from rail_payments where state = 'SENT' and pack_id is not null))
    order by id limit 100`)
}

/** Packs that were declared not sent, and still have payments to be sent again. */
export function selectNotSent(reader: Reader): Promise<PackRow[]> {
  return reader.rows(read<PackRow>`
    select ${packColumns} from rail_packs where state = 'NOT_SENT' and exists (
      select from rail_payments payment where payment.pack_id = rail_packs.id and payment.state in (${unanswered}))
    order by id limit 100`)
}

export const selectPack = (id: string) => read<PackRow>`select ${packColumns} from rail_packs where id = ${id}`

export function lockPack(tx: Tx, id: string): Promise<PackRow | undefined> {
  return tx.first(read<PackRow>`select ${packColumns} from rail_packs where id = ${id} for update`)
}

/** The payments of a pack in some states, in their order. */
export function selectPaymentsOf(reader: Reader, pack_id: string, states: readonly PaymentState[]): Promise<PaymentRow[]> {
  return reader.rows(read<PaymentRow>`
    select ${paymentColumns} from rail_payments where pack_id = ${pack_id} and state = any(${states}) order by position`)
}

/** The part of a payment that its message needs. */
export type WrittenPayment = Pick<PaymentRow, 'amount' | 'currency' | 'content'>

/** The payments of an open pack, in their order, with only what its message needs: there may be thousands. */
export function selectWritten(reader: Reader, pack_id: string): Promise<WrittenPayment[]> {
  return reader.rows(read<WrittenPayment>`
    select amount, currency, content from rail_payments where pack_id = ${pack_id} and state = 'PACKED' order by position`)
}

export type PackContents = { packed: number; revocable: number }

/** How many payments are in an open pack, and how many may still leave it because they are not committed as sent. */
export function countContents(reader: Reader, pack_id: string): Promise<PackContents> {
  return reader.placement.either({ together: () => countTogether(reader, pack_id), apart: () => countApart(reader, pack_id) })
}

async function countTogether(reader: Reader, pack_id: string): Promise<PackContents> {
  const [contents] = await reader.rows(read<PackContents>`
    select count(*)::int as packed, (count(*) filter (where payment.state = 'COLLECTED' or payment.walks and transfer.sent is not true))::int as revocable
    from rail_payments payment left join transfers transfer
      on transfer.venture_id = payment.venture_id and transfer.id = payment.transfer_id
    where payment.pack_id = ${pack_id} and payment.state in (${waiting})`)
  return contents ?? { packed: 0, revocable: 0 }
}

/** The same if transfers and packs are on different servers. */
async function countApart(reader: Reader, pack_id: string): Promise<PackContents> {
  const payments = await selectPaymentsOf(reader, pack_id, waitingStates)
  const sent = await selectSent(
    reader,
    payments.filter(({ walks }) => walks).map(({ venture_id, transfer_id }) => ({ venture_id, id: transfer_id })),
  )
  const revocable = payments.filter(({ state, walks, transfer_id }) => state === 'COLLECTED' || (walks && sent.get(transfer_id) !== true))
  return { packed: payments.length, revocable: revocable.length }
}

/** Whether each transfer is committed as sent. */
export async function selectSent(reader: Reader, keys: readonly Key[]): Promise<Map<string, boolean>> {
  const rows = await rowsByVenture(reader, keys, (part) =>
    reader.rows(read<Key & { sent: boolean }>`
      select venture_id, id, sent from transfers where (venture_id, id) in (select * from unnest(
        ${part.map(({ venture_id }) => venture_id)}::uuid[], ${part.map(({ id }) => id)}::uuid[])) ${reader.placement.narrow(fixed`venture_id`, part)}`),
  )
  return new Map(rows.map(({ id, sent }) => [id, sent]))
}

/** Locks payments in the order of their keys. With `wait`, waits for rows that another transaction has locked; without, skips them. */
export function lockPayments(tx: Tx, keys: readonly PaymentKey[], wait: boolean): Promise<PaymentRow[]> {
  const [ventures, transfers] = [keys.map(({ venture_id }) => venture_id), keys.map(({ transfer_id }) => transfer_id)]
  const attempts = keys.map(({ attempt }) => attempt)
  return wait
    ? tx.rows(read<PaymentRow>`
        select ${paymentColumns} from rail_payments
        where (venture_id, transfer_id, attempt) in (select * from unnest(${ventures}::uuid[], ${transfers}::uuid[], ${attempts}::int[]))
        order by venture_id, transfer_id, attempt for update`)
    : tx.rows(read<PaymentRow>`
        select ${paymentColumns} from rail_payments
        where (venture_id, transfer_id, attempt) in (select * from unnest(${ventures}::uuid[], ${transfers}::uuid[], ${attempts}::int[]))
        order by venture_id, transfer_id, attempt for update skip locked`)
}

export type PaymentChange = PaymentKey & { state: PaymentState; reason: string | null; settled_on: string | null; updated_at: string }

/** Writes the states of locked payments. */
export function writePayments(tx: Tx, changes: readonly PaymentChange[]): void {
  if (changes.length === 0) return
  tx.send(write`
    update rail_payments payment set state = new.state, reason = new.reason, settled_on = new.settled_on, updated_at = new.updated_at
    from json_to_recordset(${JSON.stringify(changes)}) as new (
      venture_id uuid, transfer_id uuid, attempt int, state text, reason text, settled_on date, updated_at timestamptz)
    where payment.venture_id = new.venture_id and payment.transfer_id = new.transfer_id and payment.attempt = new.attempt`)
}

/** Changes all payments of a locked pack that have one state to another. */
export function writeStatesOf(tx: Tx, pack_id: string, { from, to, now }: { from: PaymentState; to: PaymentState; now: string }): void {
  tx.send(write`
    update rail_payments set state = ${to}, updated_at = ${now} where pack_id = ${pack_id} and state = ${from}`)
}

/** Writes a locked pack. */
export function writePack(tx: Tx, pack: PackRow): void {
  const { id, state, reason, count, total, updated_at, delivered_at, sequence } = pack
  tx.evidence ??= read`select id from rail_packs where id = ${id} and sequence = ${sequence}`
  tx.send(write`
    update rail_packs set state = ${state}, reason = ${reason}, count = ${count}, total = ${total}, updated_at = ${updated_at},
      delivered_at = ${delivered_at}, sequence = ${sequence}
    where id = ${id}`)
}

/** A pack without an answer in time. If it is not delivered yet, it becomes UNKNOWN when it is. */
export function writeUnanswered(tx: Tx, id: string, now: string): void {
  tx.send(write`
    update rail_packs set state = case state when 'SEALED' then 'SEALED' else 'UNKNOWN' end, reason = 'no_answer', updated_at = ${now},
      sequence = sequence + 1
    where id = ${id} and state in (${unansweredPack})`)
}

/** A pack after a change. */
export function changedPack(pack: PackRow, changes: Partial<PackRow>, now: string): PackRow {
  return { ...pack, ...changes, updated_at: now, sequence: pack.sequence + 1 }
}

export const selectReachable = (rail: Rail) => read<{ bic8: string }>`select bic8 from reachable_banks where rail = ${rail} order by bic8`

export async function replaceReachable(tx: Tx, rail: Rail, bics: readonly string[]): Promise<void> {
  await tx.run(write`delete from reachable_banks where rail = ${rail}`)
  await tx.run(write`
    insert into reachable_banks (rail, bic8) select distinct ${rail}::text, bic8 from unnest(${bics}::text[]) as new (bic8)`)
}
