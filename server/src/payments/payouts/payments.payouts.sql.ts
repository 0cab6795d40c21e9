// The statements about payouts, their settings, and the card money that is payable.
import { now } from '../../platform/clock.ts'
import type { Database, Reader, Tx } from '../../platform/database/database.ts'
import { Columns, fixed, fragment, listed, type Read, read, write } from '../../platform/database/sql.ts'
import { readList } from '../../platform/http/pieces.ts'
import { paidStatuses } from '../payments.status.ts'
import { Payout, type PayoutList } from './payments.payouts.schemas.ts'

const paid = listed(paidStatuses)

/**
 * `recovered_for`: the reason for taking the money back, an external_refund_id or the id of the payment to be canceled. `free_amount`: the
 * part of a payout that was paid out and taken back before, for nothing, so that its fee is already paid.
 */
export type PayoutRow = Payout & {
  venture_id: string
  sequence: number
  run_on: string | null
  recovered_for: string | null
  free_amount: string
}

/** `next_run_on`: the day of the next daily payout; null if none is planned. */
export type SettingsRow = { venture_id: string; payout_account_id: string | null; next_run_on: string | null }

const columns = new Columns(Object.keys(Payout.properties).filter((name) => name !== 'net_amount'))
const shownColumns = fixed`${columns}, amount - fee_amount as net_amount`

export const selectSettings = (venture_id: string) => read<SettingsRow>`
  select venture_id, payout_account_id, next_run_on from payout_settings where venture_id = ${venture_id}`

/** A venture that never named a payout account gets settings without one, so that there is a row to lock. */
export async function lockSettings(tx: Tx, venture_id: string): Promise<SettingsRow> {
  const at = now().toISOString()
  await tx.run(write`
    insert into payout_settings (venture_id, payout_account_id, created_at, updated_at) values (${venture_id}, null, ${at}, ${at})
    on conflict (venture_id) do nothing`)
  const [row] = await lockSettingsOf(tx, [venture_id], true)
  if (row === undefined) throw new Error('payout settings were not written')
  return row
}

/** Locks in the order of the ids. With `wait`, waits for rows that another transaction has locked; without, skips them. */
export function lockSettingsOf(tx: Tx, ventures: readonly string[], wait: boolean): Promise<SettingsRow[]> {
  return wait
    ? tx.rows(read<SettingsRow>`
        select venture_id, payout_account_id, next_run_on from payout_settings where venture_id = any(${ventures})
        order by venture_id for no key update`)
    : tx.rows(read<SettingsRow>`
        select venture_id, payout_account_id, next_run_on from payout_settings where venture_id = any(${ventures})
        order by venture_id for no key update skip locked`)
}

/** Locks the row as well. */
export async function upsertSettings(tx: Tx, { venture_id, payout_account_id }: Omit<SettingsRow, 'next_run_on'>): Promise<SettingsRow> {
  const at = now().toISOString()
  tx.evidence ??= read`select venture_id from payout_settings where venture_id = ${venture_id} and updated_at = ${at}`
  const row = await tx.first(write<SettingsRow>`
    insert into payout_settings (venture_id, payout_account_id, created_at, updated_at)
    values (${venture_id}, ${payout_account_id}, ${at}, ${at})
    on conflict (venture_id) do update set payout_account_id = excluded.payout_account_id, updated_at = excluded.updated_at
    returning venture_id, payout_account_id, next_run_on`)
  if (row === undefined) throw new Error('payout settings were not written')
  return row
}

export function writeNextRun(tx: Tx, venture_id: string, next_run_on: string | null): void {
  tx.send(write`update payout_settings set next_run_on = ${next_run_on} where venture_id = ${venture_id}`)
}

export type PayoutAccount = { id: string; account_number: string; currency: string; status: string; available: string }

export const selectPayoutAccount = (venture_id: string, id: string) => read<PayoutAccount>`
  select id, account_number, currency, status, current_balance - reserved_balance as available from accounts where venture_id = ${venture_id} and id = ${id}`

/**
 * The card money of a venture in one currency. `recent`: paid too recently to be paid out. `leaving`: what refunds and reversals in
 * progress will give back, `leaving_ripe`: the part of it that is not recent.
 */
export type Funds = {
  venture_id: string
  currency: string
  payable: string
  recent: string
  leaving: string
  leaving_ripe: string
  paid_out: string
  fees: string
  /** What was taken back for refunds and cancellations that the gateway then declined, and has not been paid out again. */
  free: string
}

/**
 * One statement, so that it sees one state: a refund is either still in progress or already taken from what is payable, never neither.
 * Money paid after `cutoff` is recent; without a cutoff, none is. A refund in progress may already have been counted, so a payment gives
 * back no more than is booked for it.
 */
export const selectFunds = (ventures: readonly string[], cutoff: string | null): Read<Funds> => read<Funds>`
  with owed as (
    select venture_id, currency, sum(amount) as payable from entries
    where venture_id = any(${ventures}) and system_account like 'payable:%' group by venture_id, currency),
  recent as (
    select venture_id, currency, sum(amount - refunded_amount) as sum from payments
    where venture_id = any(${ventures}) and status in (${paid}) and paid_at > ${cutoff} group by venture_id, currency),
  refunding as (
    select venture_id, payment_id as id, sum(amount) as sum from payment_refunds
    where venture_id = any(${ventures}) and status = 'PENDING' group by venture_id, payment_id),
  leaving as (
    select venture_id, currency, sum(amount) as sum, sum(amount) filter (where ripe) as ripe from (
      select payment.venture_id, payment.currency, least(refunding.sum, payment.amount - payment.refunded_amount) as amount,
        (payment.paid_at > ${cutoff}) is not true as ripe
      from refunding join payments payment on payment.venture_id = refunding.venture_id and payment.id = refunding.id
      where payment.venture_id = any(${ventures}) and payment.status = 'PAID'
      union all
      select venture_id, currency, amount - refunded_amount, (paid_at > ${cutoff}) is not true from payments
      where venture_id = any(${ventures}) and status = 'PAID' and cancel_requested) as payment
    group by venture_id, currency),
  paid as (
    select venture_id, currency, sum(amount) as paid_out, sum(fee_amount) as fees, sum(free_amount) as freed from payouts
    where venture_id = any(${ventures}) group by venture_id, currency),
  kept as (
    select payout.venture_id, payout.currency, -sum(payout.amount) as sum
    from payouts payout join payments payment on payment.venture_id = payout.venture_id and payment.id = payout.payment_id
      left join payment_refunds refund on refund.venture_id = payout.venture_id and refund.payment_id = payout.payment_id
        and refund.external_refund_id = payout.recovered_for
    where payout.venture_id = any(${ventures}) and payment.venture_id = any(${ventures})
      and (refund.status = 'FAILED'
        or (payout.recovered_for = payment.id::text and payment.status = 'PAID' and not payment.cancel_requested))
    group by payout.venture_id, payout.currency)
  select venture_id, currency, payable, coalesce(recent.sum, 0) as recent, coalesce(leaving.sum, 0) as leaving,
    coalesce(leaving.ripe, 0) as leaving_ripe, coalesce(paid_out, 0) as paid_out, coalesce(fees, 0) as fees,
    greatest(0, coalesce(kept.sum, 0) - coalesce(freed, 0)) as free
  from owed left join recent using (venture_id, currency) left join leaving using (venture_id, currency)
    left join paid using (venture_id, currency) left join kept using (venture_id, currency)
  order by venture_id, currency`

/** Which of these daily runs have paid out. */
export async function selectRuns(reader: Reader, runs: readonly { venture_id: string; run_on: string }[]): Promise<Set<string>> {
  if (runs.length === 0) return new Set()
  const rows = await reader.rows(read<{ venture_id: string; run_on: string }>`
    select venture_id, run_on from payouts
    where (venture_id, run_on) in (
      select * from unnest(${runs.map(({ venture_id }) => venture_id)}::uuid[], ${runs.map(({ run_on }) => run_on)}::date[]))`)
  return new Set(rows.map(({ venture_id, run_on }) => `${venture_id} ${run_on}`))
}

export function insertPayouts(tx: Tx, rows: readonly PayoutRow[]): void {
  tx.send(write`
    insert into payouts (
      venture_id, id, account_id, transfer_id, payment_id, currency, amount, fee_amount, description, run_on, created_at, sequence,
      recovered_for, free_amount)
    select * from unnest(
      ${rows.map((row) => row.venture_id)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.account_id)}::uuid[],
      ${rows.map((row) => row.transfer_id)}::uuid[],
      ${rows.map((row) => row.payment_id)}::uuid[],
      ${rows.map((row) => row.currency)}::text[],
      ${rows.map((row) => row.amount)}::numeric[],
      ${rows.map((row) => row.fee_amount)}::numeric[],
      ${rows.map((row) => row.description)}::text[],
      ${rows.map((row) => row.run_on)}::date[],
      ${rows.map((row) => row.created_at)}::timestamptz[],
      ${rows.map((row) => row.sequence)}::int[],
      ${rows.map((row) => row.recovered_for)}::text[],
      ${rows.map((row) => row.free_amount)}::numeric[])`)
}

export const selectPayout = (venture_id: string, id: string) => read<Payout>`
  select ${shownColumns} from payouts where venture_id = ${venture_id} and id = ${id}`

export const selectPayoutOfTransfer = (venture_id: string, transfer_id: string) => read<Payout>`
  select ${shownColumns} from payouts where venture_id = ${venture_id} and transfer_id = ${transfer_id}`

export function selectPayouts(database: Database, venture_id: string, query: PayoutList): Promise<Payout[]> {
  return readList(database, {
    venture_id,
    query,
    filters: {},
    columns: shownColumns,
    select: (what, rest) => fragment`select ${what} from payouts where venture_id = ${venture_id} and ${rest}`,
  })
}
