// The daily payouts: one job for each venture and day. The venture's settings name the day of the next run, and a job of another day does
// nothing. So each day is run once, with any number of instances and however often a job is repeated.
import { now } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { enqueue, type Handlers } from '../../platform/jobs.ts'
import { addDays, todayUtc } from '../../values/calendar.ts'
import { Refusal, type RefusalCode } from '../../values/refusals.ts'
import { getVenture } from '../../ventures/ventures.ts'
import { lockSettings, type SettingsRow, selectSettings, writeNextRun } from './payments.payouts.sql.ts'
import { createPayout, type Payouts } from './payments.payouts.ts'

export const payoutJob = 'payments.payout'

type Run = { venture_id: string; day: string }

/** Plans the first run, or a new one if the planned one is overdue and may have been lost. The settings must be locked. */
export async function planFirstRun(tx: Tx, { venture_id, payout_account_id, next_run_on }: SettingsRow): Promise<void> {
  const today = todayUtc(now())
  if (payout_account_id !== null && (next_run_on === null || next_run_on < today)) await planRun(tx, { venture_id, day: addDays(today, 1) })
}

async function planRun(tx: Tx, { venture_id, day }: Run): Promise<void> {
  writeNextRun(tx, venture_id, day)
  await enqueue(tx, payoutJob, { venture_id, day }, Math.max(0, Date.parse(day) - now().getTime()))
}

export function payoutJobs(payouts: Payouts): Handlers {
  const delay_ms = (attempt: number) => Math.min(5_000 * 2 ** (attempt - 1), 300_000)
  return { [payoutJob]: { attempts: Number.POSITIVE_INFINITY, delay_ms, run: (run: Run) => runDaily(payouts, run) } }
}

/** If the process dies after the payout, the job runs again and finds that the day was already paid out. */
async function runDaily(payouts: Payouts, { venture_id, day }: Run): Promise<void> {
  const { database } = payouts
  const settings = await database.first(selectSettings(venture_id))
  if (settings?.next_run_on !== day) return
  if (settings.payout_account_id !== null) await payOut(payouts, { venture_id, day })
  await database.transaction(async (tx) => {
    const locked = await lockSettings(tx, venture_id)
    if (locked.next_run_on !== day) return
    const today = todayUtc(now())
    if (locked.payout_account_id === null) writeNextRun(tx, venture_id, null)
    else await planRun(tx, { venture_id, day: addDays(day > today ? day : today, 1) })
  })
}

/** Refusals that would be the same a minute later. The next day may be different. */
const untilTomorrow: ReadonlySet<RefusalCode> = new Set([
  'nothing_to_pay_out',
  'payout_account_missing',
  'account_not_active',
  'balance_too_large',
])

async function payOut(payouts: Payouts, { venture_id, day }: Run): Promise<void> {
  const { database, log } = payouts
  // A disabled venture may not transact.
  if ((await getVenture(database, venture_id)).status !== 'ACTIVE') return
  try {
    await createPayout(payouts, { venture_id, order: {}, run_on: day })
  } catch (error) {
    if (!(error instanceof Refusal) || !untilTomorrow.has(error.code)) throw error
    if (error.code !== 'nothing_to_pay_out') log.warn({ venture_id, code: error.code }, 'card money could not be paid out')
  }
}
