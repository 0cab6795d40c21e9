// The statistics of a venture. Every statement reads a bounded number of rows.
import { sumBalances } from '../accounts/accounts.ts'
import { countClientsInVerification } from '../clients/clients.ts'
import { now } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { countWaitingTransfers, summariseTransfers } from '../transfers/transfers.ts'
import { countUndelivered } from '../webhooks/webhooks.ts'
import type { Statistics } from './desk.statistics.schemas.ts'

const day_ms = 86_400_000

/** `most`: how many accounts, and how many transfers, are read at most. */
export const statisticsLimits = { most: 10_000, mostWaiting: 100 }

export async function getStatistics(
  database: Database,
  venture_id: string,
  days: number,
  { most, mostWaiting } = statisticsLimits,
): Promise<Statistics> {
  const since = new Date(now().getTime() - (days - 1) * day_ms).toISOString().slice(0, 10)
  const [sums, transfers, waiting, undelivered, clients_in_verification] = await Promise.all([
    sumBalances(database, venture_id, most),
    summariseTransfers(database, venture_id, { since: `${since}T00:00:00.000Z`, most }),
    countWaitingTransfers(database, venture_id, mostWaiting),
    countUndelivered(database, venture_id, mostWaiting),
    countClientsInVerification(database, venture_id, mostWaiting),
  ])
  return {
    since,
    balances: sums.balances,
    balances_truncated: sums.truncated,
    transfers_by_status: transfers.by_status,
    volumes: transfers.volumes,
    transfers_truncated: transfers.truncated,
    attention: { transfers: waiting.waiting, transfers_to_sign: waiting.to_sign, ...undelivered, clients_in_verification },
  }
}
