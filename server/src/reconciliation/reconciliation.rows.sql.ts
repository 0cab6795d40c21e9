// SQL for the payments that change nostros, and for the figures that a nostro is compared with. A payment is a row of `rail_payments`, or the booking
// for a row of `inbound_claims`. Its transfer, unapplied payment or break says whether it is booked; the figures come from the ledger itself.
import type { Lists, Reader } from '../platform/database/database.ts'
import { type Fragment, fixed, fragment, listed, read } from '../platform/database/sql.ts'
import { voidStates } from '../rails/rails.ts'
import { transferTypes, typeGroups } from '../transfers/life/transfers.status.ts'
import { differingStatuses, leavingStatuses, missingStatuses, paidBreakKinds } from '../transfers/life/transfers.unsettled.ts'
import { fromNumeric, type Money, toNumeric } from '../values/money.ts'
import { houseId } from '../ventures/ventures.ts'
import type { Row } from './reconciliation.matching.ts'

/** Bookings between an account and the venture's own books. They settle with no other bank. */
const bookings = transferTypes.filter((type) => typeGroups[type] === 'booking')

const paymentColumns = fixed`payment.venture_id, payment.transfer_id, payment.attempt, payment.tx_id, payment.end_to_end_id, payment.rail, payment.kind,
  payment.pack_id, payment.amount, payment.currency, payment.settlement_date, payment.state, payment.settled_on, payment.updated_at`

/** Whether a payment brings money in: collections, and a client's refund of a direct debit that it had paid. */
const comesIn = fixed`(payment.kind = 'DIRECT_DEBIT'
  or (payment.kind = 'RETURN' and transfer.direction = 'INBOUND' and transfer.transfer_type <> 'PAYMENT'))`

const [leaving, mayCome, differing] = [listed(leavingStatuses), listed(missingStatuses), listed(differingStatuses)]
const paidKinds = listed(paidBreakKinds)

/** Attempts that did not happen. */
const isVoid = fixed`payment.state in (${listed(voidStates)})`

/** The sent ones among some payments. Attempts that did not happen are not booked. */
const sentRows = (payments: Fragment): Fragment => fragment`
  select payment.venture_id, payment.transfer_id as id, payment.attempt, payment.rail, payment.currency,
    case when ${comesIn} then payment.amount else -payment.amount end as amount,
    case when ${isVoid} then false
      when unapplied.id is not null then unapplied.status in (${leaving})
      -- A payment that was received and goes back is rejected, and books that itself.
      when payment.kind = 'RETURN' and transfer.direction = 'INBOUND' and transfer.transfer_type = 'PAYMENT' then transfer.status = 'REJECTED' and transfer.received
      else coalesce(transfer.status = 'COMPLETED', false) end as is_booked,
    ${isVoid} as is_refused, coalesce(payment.settled_on, payment.settlement_date) as expected_on,
    payment.updated_at as booked_at, payment.pack_id, pack.message_id, array[payment.tx_id, payment.end_to_end_id] as "references",
    case payment.kind when 'DIRECT_DEBIT' then transfer.dr_name when 'RETURN' then coalesce(transfer.cr_name, unapplied.dr_name)
      else transfer.cr_name end as counterparty_name,
    case payment.kind when 'DIRECT_DEBIT' then transfer.dr_iban when 'RETURN' then coalesce(transfer.cr_iban, unapplied.dr_iban)
      else transfer.cr_iban end as counterparty_iban
  from (${payments}) as payment
  left join rail_packs pack on pack.id = payment.pack_id
  left join transfers transfer on transfer.venture_id = payment.venture_id and transfer.id = payment.transfer_id
  left join unapplied_payments unapplied on unapplied.venture_id = payment.venture_id and unapplied.id = payment.transfer_id`

/** The bookings for messages that came in, among some claims. Payments from within the bank change no nostro. */
const receivedRows = (claims: Fragment): Fragment => fragment`
  select claim.venture_id, claim.id, 0 as attempt, coalesce(transfer.method, unapplied.rail, debited.rail, collected.collected_over) as rail,
    coalesce(case transfer.direction when 'INBOUND' then transfer.debit_currency else transfer.credit_currency end,
      unapplied.currency, debited.currency, collected.currency) as currency,
    coalesce(case transfer.direction when 'INBOUND' then transfer.debit_amount else -transfer.credit_amount end,
      unapplied.amount, -debited.amount, collected.amount) as amount,
    instant.id is null and coalesce(transfer.status = 'COMPLETED' or (transfer.direction = 'INBOUND' and transfer.received), true) as is_booked,
    instant.id is not null as is_refused,
    coalesce(received.settlement_date, case transfer.direction when 'OUTBOUND' then transfer.settlement_date end,
      (claim.created_at at time zone 'UTC')::date) as expected_on, claim.created_at as booked_at, null::uuid as pack_id,
    null::text as message_id, array[claim.tx_id] as "references",
    case transfer.direction when 'OUTBOUND' then transfer.cr_name else coalesce(transfer.dr_name, unapplied.dr_name) end as counterparty_name,
    case transfer.direction when 'OUTBOUND' then transfer.cr_iban else coalesce(transfer.dr_iban, unapplied.dr_iban) end as counterparty_iban
  from (${claims}) as claim
  left join transfers transfer
    on transfer.venture_id = claim.venture_id and transfer.id = claim.id and not transfer.on_us and transfer.transfer_type <> all(${bookings})
  -- A return that the scheme refused changed no nostro, and its booking cancels the return.
  left join unapplied_payments unapplied
    on unapplied.venture_id = claim.venture_id and unapplied.id = claim.id and unapplied.reason <> 'RETURN_REFUSED'
  left join breaks debited on debited.venture_id = claim.venture_id and debited.id = claim.id and debited.rail is not null
    and debited.kind in (${paidKinds})
  left join breaks collected
    on collected.venture_id = claim.venture_id and claim.booked_as = 'collection' and collected.collection_id = claim.id
  left join rail_received received on received.venture_id = claim.venture_id and received.id = claim.id
  -- Rejected by the clearing system after our yes: what was booked for it is undone.
  left join rail_instants instant on instant.venture_id = claim.venture_id and instant.id = claim.id and instant.state = 'REJECTED'
  where claim.kind <> 'ON_US' and num_nonnulls(transfer.id, unapplied.id, debited.id, collected.id) > 0`

/** With the nostro of each payment and its match. A match with an entry that was only notified does not count yet. */
const rowsOn = (rows: Fragment): Fragment => fragment`
  select payment.*, settles.nostro_id, entry.number as statement_number, missing.status as missing
  from (${rows}) as payment
  join nostro_rails settles on settles.rail = payment.rail and settles.currency = payment.currency
  left join nostro_matches matched on matched.venture_id = payment.venture_id and matched.id = payment.id and matched.attempt = payment.attempt
  left join nostro_entries entry on entry.id = matched.entry_id and entry.number is not null
  left join breaks missing on missing.venture_id = ${houseId} and missing.row_venture_id = payment.venture_id and missing.row_id = payment.id
    and missing.row_attempt = payment.attempt and missing.kind = 'MISSING' and missing.status in (${mayCome})`

/** All payments of the bank. */
const allRows = (): Fragment => fragment`
  ${sentRows(fragment`select * from rail_payments`)} union all ${receivedRows(fragment`select * from inbound_claims`)}`

type StoredRow = Omit<Row, 'amount' | 'isBooked' | 'isMatched'> & {
  amount: string
  currency: string
  is_booked: boolean
  is_refused: boolean
  statement_number: number | null
}

/** A payment with its nostro. */
export type FoundRow = Row & { currency: string; isRefused: boolean }

function rowOf({ amount, is_booked, is_refused, statement_number, ...row }: StoredRow): FoundRow {
  return { ...row, amount: fromNumeric(amount), isBooked: is_booked, isRefused: is_refused, isMatched: statement_number !== null }
}

const shownColumns = fixed`venture_id, id, attempt, rail, currency, amount, is_booked, is_refused, statement_number, missing,
  expected_on::text, pack_id, message_id, "references", counterparty_name, counterparty_iban`

async function rowsOf(reader: Reader, nostro_id: string, rows: Fragment): Promise<FoundRow[]> {
  const found = await reader.rows(read<StoredRow>`
    select ${shownColumns} from (${rowsOn(rows)}) as payment where nostro_id = ${nostro_id} order by id, attempt`)
  return found.map(rowOf)
}

/** The payments of packs, by the ids of their messages. */
export function findPackRows(reader: Reader, nostro_id: string, messages: readonly string[]): Promise<FoundRow[]> {
  if (messages.length === 0) return Promise.resolve([])
  return rowsOf(
    reader,
    nostro_id,
    sentRows(fragment`select * from rail_payments where pack_id in (select id from rail_packs where message_id = any(${messages}))`),
  )
}

/** Payments with one of the references: the id of the transaction, or the reference of the order, which is the end-to-end id if it fits. */
export function findNamedRows(reader: Reader, nostro_id: string, references: readonly string[]): Promise<FoundRow[]> {
  if (references.length === 0) return Promise.resolve([])
  return rowsOf(
    reader,
    nostro_id,
    fragment`${sentRows(fragment`
      select ${paymentColumns} from rail_payments payment where tx_id = any(${references})
      union
      select ${paymentColumns} from rail_payments payment
      join transfer_references named on named.venture_id = payment.venture_id and named.transfer_id = payment.transfer_id
      where named.unique_reference = any(${references})`)}
    union all ${receivedRows(fragment`select * from inbound_claims where tx_id = any(${references})`)}`,
  )
}

type RowKey = { venture_id: string; id: string }

/** A payment in the other direction that follows from a payment: its return. `of_id`: the payment that the statement may name instead. */
export type Relative = FoundRow & { of_id: string }

/** The returns of some payments. */
export async function findRelatives(reader: Reader, nostro_id: string, keys: readonly RowKey[]): Promise<Relative[]> {
  if (keys.length === 0) return []
  const named = fragment`select * from unnest(${keys.map(({ venture_id }) => venture_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]) as named (venture_id, id)`
  const children = fragment`
    select child.venture_id, child.id, named.id as of_id
    from (${named}) as named join transfers child on child.venture_id = named.venture_id and child.parent_transaction_id = named.id
    union all
    select unapplied.venture_id, unapplied.id, named.id
    from (${named}) as named join unapplied_payments unapplied
      on unapplied.client_venture_id = named.venture_id and unapplied.parent_transaction_id = named.id
    where unapplied.venture_id = ${houseId}
    union all
    select venture_id, id, id from (${named}) as named`
  const found = await reader.rows(read<StoredRow & { of_id: string }>`
    select ${shownColumns}, relative.of_id from (${rowsOn(fragment`
      ${sentRows(fragment`
        select payment.* from rail_payments payment
        where payment.kind = 'RETURN' and (payment.venture_id, payment.transfer_id) in (select venture_id, id from (${children}) as child)`)}
      union all ${receivedRows(fragment`
        select claim.* from inbound_claims claim where claim.id in (select id from (${children}) as child)`)}`)}) as payment
    join (${children}) as relative using (venture_id, id) where nostro_id = ${nostro_id} order by id, attempt`)
  return found.map((row) => ({ ...rowOf(row), of_id: row.of_id }))
}

/** The bookings for payments that were settled after their transfer had ended. `of`: such a payment, by its id and attempt. */
export async function findLateRows(
  reader: Reader,
  nostro_id: string,
  sent: readonly { tx_id: string; attempt: number }[],
): Promise<(FoundRow & { of: string })[]> {
  if (sent.length === 0) return []
  const names = sent.map(({ tx_id, attempt }) => `${tx_id}/${attempt}`)
  const rows = await rowsOf(
    reader,
    nostro_id,
    receivedRows(fragment`select * from inbound_claims where tx_id = any(${names}) and booked_as = 'break'`),
  )
  return rows.map((row) => ({ ...row, of: row.references[0]?.split('/')[0] ?? '' }))
}

/** Payments on no statement yet, with one of the amounts, from some days. */
export function findLooseRows(
  reader: Reader,
  nostro_id: string,
  { amounts, from, to }: { amounts: readonly Money[]; from: string; to: string },
): Promise<FoundRow[]> {
  if (amounts.length === 0) return Promise.resolve([])
  const given = amounts.map(toNumeric)
  const absolute = amounts.map((amount) => toNumeric(amount < 0n ? -amount : amount))
  const loose = fragment`
    select * from (${sentRows(fragment`
      select * from rail_payments where created_at between ${from} and ${to} and amount = any(${absolute}::numeric[])`)}
    union all ${receivedRows(fragment`select * from inbound_claims where created_at between ${from} and ${to}`)}) as payment
    where amount = any(${given}::numeric[])`
  return rowsOf(reader, nostro_id, loose)
}

/** Booked payments that should have been on a statement by a given day but are not, and that have no break yet. */
export async function findMissingRows(
  reader: Reader,
  nostro_id: string,
  { closed_on, until }: { closed_on: string; until: string },
): Promise<FoundRow[]> {
  const found = await reader.rows(read<StoredRow>`
    select ${shownColumns} from (${rowsOn(allRows())}) as payment
    where nostro_id = ${nostro_id} and is_booked and statement_number is null and missing is null
      and expected_on <= ${closed_on} and booked_at <= ${until}
      -- The clearing system has been asked about an instant payment that it has not confirmed.
      and not exists (
        select from rail_instants instant
        where instant.venture_id = payment.venture_id and instant.id = payment.id and instant.state = 'AWAITED')
      -- A pack whose entry could not be matched already has a break.
      and not exists (
        select from breaks broken where broken.venture_id = ${houseId} and broken.nostro_id = ${nostro_id} and broken.status = 'OPEN'
          and broken.kind = 'UNBOOKED' and broken.pack_id = payment.pack_id and broken.row_id is null)
    order by id, attempt`)
  return found.map(rowOf)
}

/** One payment that is booked and on no statement yet. */
export async function findRow(reader: Reader, nostro_id: string, { venture_id, id }: RowKey): Promise<FoundRow | undefined> {
  const rows = await rowsOf(
    reader,
    nostro_id,
    fragment`${sentRows(fragment`select * from rail_payments where venture_id = ${venture_id} and transfer_id = ${id}`)}
    union all ${receivedRows(fragment`select * from inbound_claims where venture_id = ${venture_id} and id = ${id}`)}`,
  )
  return rows.find(({ isBooked, isMatched }) => isBooked && !isMatched) ?? rows.at(-1)
}

/** The ledger's entries on settlement accounts, by the payment that they were booked for. */
const settled = (): Fragment => fragment`
  select payment.venture_id, payment.transfer_id as id, payment.attempt, payment.rail, payment.currency, entry.amount
  from rail_payments payment
  left join transfers transfer on transfer.venture_id = payment.venture_id and transfer.id = payment.transfer_id
  join entries entry on entry.venture_id = payment.venture_id
    and entry.cause_id = payment.transfer_id and entry.system_account = 'settlement:' || payment.rail || ':' || payment.currency
    and sign(entry.amount) = case when ${comesIn} then -1 else 1 end
  where not ${isVoid} and entry.cause_kind in ('transfer', 'unapplied')
  union all
  select claim.venture_id, claim.id, 0, claim.rail, claim.currency, entry.amount
  from (${receivedRows(fragment`select * from inbound_claims`)}) as claim
  left join breaks collected on collected.venture_id = claim.venture_id and collected.collection_id = claim.id
  join entries entry on entry.venture_id = claim.venture_id and entry.cause_id = coalesce(collected.id, claim.id)
    and entry.system_account = 'settlement:' || claim.rail || ':' || claim.currency and sign(entry.amount) = -sign(claim.amount)
  where not claim.is_refused`

/** The bookings for breaks of the reconciliation. */
const writtenOff = (): Fragment => fragment`
  select broken.nostro_id, broken.entry_id, entry.amount
  from breaks broken join entries entry on entry.venture_id = broken.venture_id and entry.cause_kind = 'break' and entry.cause_id = broken.id
  where broken.venture_id = ${houseId} and broken.nostro_id is not null and entry.system_account like 'settlement:%'`

/**
 * The figures of each nostro according to the statements up to `isOn`: closing = prefunding - settlement - in transit + breaks. A write-off
 * for an entry of a later statement is in transit, and two breaks that cancel each other count as breaks until both are on a statement.
 */
export const figures = (isOn: Fragment): Fragment => fragment`
  select nostro.id as nostro_id, nostro.prefunding + coalesce(sum(part.amount) filter (where part.of = 'funding'), 0) as prefunding,
    coalesce(sum(part.amount) filter (where part.of = 'settlement'), 0) as settlement,
    coalesce(sum(part.amount) filter (where part.of = 'transit'), 0) as in_transit,
    coalesce(sum(part.amount) filter (where part.of = 'break'), 0) as differences
  from nostros nostro left join (
    select settles.nostro_id, 'settlement' as of, line.amount
    from (${settled()}) as line join nostro_rails settles on settles.rail = line.rail and settles.currency = line.currency
    union all
    select nostro_id, 'settlement', amount from (${writtenOff()}) as line
    union all
    select payment.nostro_id, 'transit', payment.amount from (${rowsOn(allRows())}) as payment
    where payment.is_booked and payment.missing is null and not exists (
      select from nostro_matches matched join nostro_entries entry on entry.id = matched.entry_id
      where matched.venture_id = payment.venture_id and matched.id = payment.id and matched.attempt = payment.attempt
        and entry.number is not null and ${isOn})
    union all
    select line.nostro_id, 'transit', -line.amount from (${writtenOff()}) as line join nostro_entries entry on entry.id = line.entry_id
    where not (entry.number is not null and ${isOn})
    union all
    select broken.nostro_id, case broken.status when 'FUNDED' then 'funding' else 'break' end, broken.difference
    from breaks broken left join nostro_entries entry on entry.id = broken.entry_id
    where broken.venture_id = ${houseId} and broken.nostro_id is not null and broken.status in (${differing})
      and (broken.kind = 'MISSING' or (entry.number is not null and ${isOn}))
  ) as part on part.nostro_id = nostro.id
  group by nostro.id, nostro.prefunding`

export type Figures = { prefunding: string; settlement: string; in_transit: string; breaks: string }

export async function selectFigures(lists: Lists, nostro_id: string, number: number): Promise<Figures | undefined> {
  const rows = await lists.rows(read<Figures>`
    select prefunding, settlement, in_transit, differences as breaks from (${figures(fragment`entry.number <= ${number}`)}) as figures where nostro_id = ${nostro_id}`)
  return rows[0]
}

/** Matches whose amount differs from the ledger's for the payment. */
export const wrongMatches = (): Fragment => fragment`
  select matched.venture_id, matched.id, matched.attempt, matched.amount, -coalesce(sum(line.amount), 0) as booked
  from nostro_matches matched join nostro_entries entry on entry.id = matched.entry_id and entry.number is not null
  left join (${settled()}) as line on line.venture_id = matched.venture_id and line.id = matched.id and line.attempt = matched.attempt
  group by matched.venture_id, matched.id, matched.attempt, matched.amount having matched.amount <> -coalesce(sum(line.amount), 0)`
