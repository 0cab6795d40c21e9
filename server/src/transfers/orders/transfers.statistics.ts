// How many transfers a venture has in each status, and how much money they have moved.
import type { Reader } from '../../platform/database/database.ts'
import { read } from '../../platform/database/sql.ts'
import { idAt } from '../../platform/http/lists.ts'
import { formatMoney, fromNumeric } from '../../values/money.ts'
import { stoppedStatuses } from '../life/transfers.sets.ts'
import type { TransferDirection, TransferStatus } from '../life/transfers.status.ts'

export type StatusCount = { status: TransferStatus; count: number }
export type Volume = { date: string; currency: string; direction: TransferDirection; count: number; amount: string }
export type TransferStatistics = { by_status: StatusCount[]; volumes: Volume[]; truncated: boolean }

type Counted = { status: TransferStatus; count: number }

/** Covers at most `most` of the newest transfers created since then, so a busy venture costs no more than a quiet one. */
export async function summariseTransfers(
  reader: Reader,
  venture_id: string,
  { since, most }: { since: string; most: number },
): Promise<TransferStatistics> {
  const from = idAt(since)
  const [counted, volumes] = await Promise.all([
    reader.rows(read<Counted>`
      select status, count(*)::int as count
      from (
        select status from transfers where venture_id = ${venture_id} and id >= ${from} and created_at >= ${since}
        order by id desc limit ${most + 1}) as newest
      group by status order by count desc, status`),
    reader.rows(read<Volume>`
      select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as date, currency, direction, count(*)::int as count, sum(amount)::text as amount
      from (
        select created_at, status, direction, case direction when 'INBOUND' then credit_currency else debit_currency end as currency,
          case direction when 'INBOUND' then credit_amount else debit_amount end as amount
        from transfers where venture_id = ${venture_id} and id >= ${from} and created_at >= ${since}
        order by id desc limit ${most}) as newest
      where status = 'COMPLETED'
      group by 1, 2, 3 order by 1, 2, 3`),
  ])
  return {
    by_status: counted,
    volumes: volumes.map((volume) => ({ ...volume, amount: formatMoney(fromNumeric(volume.amount), volume.currency) })),
    truncated: counted.reduce((sum, { count }) => sum + count, 0) > most,
  }
}

/** Counts no further than `most`. */
export async function countWaitingTransfers(
  reader: Reader,
  venture_id: string,
  most: number,
): Promise<{ waiting: number; to_sign: number }> {
  const [waiting, toSign] = await Promise.all([
    reader.first(read<{ count: number }>`
      select count(*)::int as count
      from (select from transfers where venture_id = ${venture_id} and status = any(${stoppedStatuses}) limit ${most}) as waiting`),
    reader.first(read<{ count: number }>`
      select count(*)::int as count
      from (select from transfers where venture_id = ${venture_id} and status = 'TO_SIGN' limit ${most}) as waiting`),
  ])
  return { waiting: waiting?.count ?? 0, to_sign: toSign?.count ?? 0 }
}
