// SQL statements for transaction monitoring.
import { rowsByVenture } from '../../platform/database/database.placement.ts'
import type { Reader, Tx } from '../../platform/database/database.ts'
import { fixed, fragment, read, write } from '../../platform/database/sql.ts'
import { fromNumeric, type Money, toNumeric } from '../../values/money.ts'
import type { Activity, DayOfAccount, PaidPayee } from '../deciding/transfers.activity.ts'
import { monitoredMethods } from '../life/transfers.monitored.ts'
import { failedStatuses } from '../life/transfers.sets.ts'
import type { TransferDirection } from '../life/transfers.status.ts'

/** Writes the changes of a batch. The accounts are locked, so nobody else changes these rows. */
export function writeActivity(tx: Tx, { more, less, payees }: Activity): void {
  if (more.length > 0) {
    tx.send(write`
      insert into account_activity (venture_id, account_id, direction, day, times, amount)
      select * from unnest(${ventures(more)}::uuid[], ${accounts(more)}::uuid[], ${directions(more)}::text[], ${days(more)}::date[],
        ${counts(more)}::int[], ${amounts(more)}::numeric[])
      on conflict (venture_id, account_id, direction, day) do update
        set times = account_activity.times + excluded.times, amount = account_activity.amount + excluded.amount`)
  }
  if (less.length > 0) {
    tx.send(write`
      update account_activity set times = account_activity.times - less.times, amount = account_activity.amount - less.amount
      from unnest(${ventures(less)}::uuid[], ${accounts(less)}::uuid[], ${directions(less)}::text[], ${days(less)}::date[],
        ${counts(less)}::int[], ${amounts(less)}::numeric[]) as less (venture_id, account_id, direction, day, times, amount)
      where account_activity.venture_id = less.venture_id and account_activity.account_id = less.account_id
        and account_activity.direction = less.direction and account_activity.day = less.day
        ${tx.placement.narrow(fixed`account_activity.venture_id`, less)}`)
  }
  if (payees.length > 0) {
    tx.send(write`
      insert into account_payees (venture_id, account_id, payee)
      select * from unnest(${ventures(payees)}::uuid[], ${accounts(payees)}::uuid[], ${payees.map(({ payee }) => payee)}::text[])
      on conflict do nothing`)
  }
}

const ventures = (rows: readonly Pick<PaidPayee, 'venture_id'>[]) => rows.map(({ venture_id }) => venture_id)
const accounts = (rows: readonly Pick<PaidPayee, 'account_id'>[]) => rows.map(({ account_id }) => account_id)
const directions = (rows: readonly DayOfAccount[]) => rows.map(({ direction }) => direction)
const days = (rows: readonly DayOfAccount[]) => rows.map(({ day }) => day)
const counts = (rows: readonly DayOfAccount[]) => rows.map(({ payments }) => payments)
const amounts = (rows: readonly DayOfAccount[]) => rows.map(({ amount }) => toNumeric(amount))

export type OfClient = { venture_id: string; client_id: string }

export type DayOfClient = OfClient & { currency: string; direction: TransferDirection; day: string; payments: number; amount: Money }

/** What clients have paid and received, by currency, direction and day. */
export async function findActivity(
  reader: Reader,
  all: readonly OfClient[],
  { from, until }: { from: string; until: string },
): Promise<DayOfClient[]> {
  const rows = await rowsByVenture(reader, all, (clients) =>
    reader.rows(read<Omit<DayOfClient, 'amount'> & { amount: string }>`
    select account.venture_id, account.client_id, account.currency, activity.direction, activity.day, sum(activity.times)::int as payments,
      sum(activity.amount) as amount
    from accounts account join account_activity activity on activity.venture_id = account.venture_id and activity.account_id = account.id
    where (account.venture_id, account.client_id) in (
        select * from unnest(${ventures(clients)}::uuid[], ${clients.map(({ client_id }) => client_id)}::uuid[]))
      and activity.day between ${from} and ${until} ${reader.placement.narrow(fixed`account.venture_id`, clients)}
    group by account.venture_id, account.client_id, account.currency, activity.direction, activity.day`),
  )
  return rows.map((row) => ({ ...row, amount: fromNumeric(row.amount) }))
}

export type PayeeOfClient = OfClient & { payee: string }

/** The payees whom any account of the client has paid before. */
export function findPaidPayees(reader: Reader, all: readonly PayeeOfClient[]): Promise<PayeeOfClient[]> {
  return rowsByVenture(reader, all, (wanted) =>
    reader.rows(read<PayeeOfClient>`
    select distinct account.venture_id, account.client_id, paid.payee
    from accounts account join account_payees paid on paid.venture_id = account.venture_id and paid.account_id = account.id
    where (account.venture_id, account.client_id, paid.payee) in (
      select * from unnest(${ventures(wanted)}::uuid[], ${wanted.map(({ client_id }) => client_id)}::uuid[],
        ${wanted.map(({ payee }) => payee)}::text[])) ${reader.placement.narrow(fixed`account.venture_id`, wanted)}`),
  )
}

export type SimilarTo = OfClient & {
  currency: string
  direction: TransferDirection
  from: string
  until: string
  least: Money
  most: Money
}

/** More rows change nothing: no rule counts that many. */
const most_similar = 5_000

/** Payments of a client that settle within a period and whose amount is within bounds. */
export async function findSimilar(
  reader: Reader,
  { venture_id, client_id, currency, direction, from, until, least, most }: SimilarTo,
): Promise<{ day: string; amount: Money }[]> {
  const amount = direction === 'OUTBOUND' ? fragment`transfer.debit_amount` : fragment`transfer.credit_amount`
  const rows = await reader.rows(read<{ day: string; amount: string }>`
    select transfer.settlement_date as day, ${amount} as amount
    from accounts account join transfers transfer on transfer.venture_id = account.venture_id and transfer.account_id = account.id
    where account.venture_id = ${venture_id} and account.client_id = ${client_id} and account.currency = ${currency}
      and transfer.venture_id = ${venture_id} and transfer.managed and transfer.transfer_type = 'PAYMENT' and transfer.method = any(${monitoredMethods})
      and transfer.direction = ${direction} and transfer.settlement_date between ${from} and ${until}
      and transfer.status <> all(${failedStatuses}) and ${amount} between ${toNumeric(least)} and ${toNumeric(most)}
    order by transfer.settlement_date desc limit ${most_similar}`)
  return rows.map((row) => ({ day: row.day, amount: fromNumeric(row.amount) }))
}
