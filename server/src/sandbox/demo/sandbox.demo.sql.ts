// The statements of the demo bank: its run, and what has become of what was ordered.
import type { Database, Reader, Tx } from '../../platform/database/database.ts'
import { fixed, read, write } from '../../platform/database/sql.ts'
import type { TransferStatus } from '../../transfers/transfers.ts'

export type RunRow = {
  run_id: string
  seed: number
  status: 'RUNNING' | 'DONE' | 'FAILED'
  done: number
  total: number
  step: string
  digest: string | null
  detail: string | null
  /** Whether nothing was heard of it for so long that its instance must have stopped. */
  silent: boolean
}

/** A run that has not shown a sign of life for so many seconds is over. */
export const silence_s = 60

const columns = fixed`run_id, seed, status, done, total, step, digest, detail`

export function findRun(reader: Reader): Promise<RunRow | undefined> {
  return reader.first(read<RunRow>`
    select ${columns}, status = 'RUNNING' and beat_at < now() - make_interval(secs => ${silence_s}) as silent from demo_run`)
}

/** False if there is one. A second start waits here for the first one. */
export async function insertRun(tx: Tx, run: Pick<RunRow, 'run_id' | 'seed' | 'step'>): Promise<boolean> {
  const { run_id, seed, step } = run
  const inserted = await tx.run(write`
    insert into demo_run (run_id, seed, status, done, total, step, beat_at)
    values (${run_id}, ${seed}, 'RUNNING', 0, 0, ${step}, now())
    on conflict (one) do nothing`)
  return inserted > 0
}

/** The row that only this start can have written. */
export function evidenceOf(run_id: string) {
  return read`select one from demo_run where run_id = ${run_id}`
}

export async function lockRun(tx: Tx): Promise<void> {
  await tx.rows(read`select from demo_run for update`)
}

/** In place of one that has ended before it did anything. */
export async function replaceRun(tx: Tx, { run_id, seed, step }: Pick<RunRow, 'run_id' | 'seed' | 'step'>): Promise<void> {
  await tx.run(write`
    update demo_run set run_id = ${run_id}, seed = ${seed}, status = 'RUNNING', done = 0, total = 0, step = ${step}, digest = null, detail = null,
      beat_at = now()`)
}

export type RunState = Pick<RunRow, 'run_id' | 'status' | 'done' | 'total' | 'step' | 'digest' | 'detail'>

export async function writeRun(database: Database, { run_id, status, done, total, step, digest, detail }: RunState): Promise<void> {
  await database.transaction((tx) =>
    tx.run(write`
      update demo_run set status = ${status}, done = ${done}, total = ${total}, step = ${step}, digest = ${digest}, detail = ${detail}, beat_at = now()
      where run_id = ${run_id}`),
  )
}

export function findStatuses(
  reader: Reader,
  venture_id: string,
  ids: readonly string[],
): Promise<{ id: string; status: TransferStatus }[]> {
  return reader.rows(read<{ id: string; status: TransferStatus }>`
    select id, status from transfers where venture_id = ${venture_id} and id = any(${ids})`)
}

/** Of transfers that others have sent: their ids are not known before. */
export function findPurposes(reader: Reader, venture_id: string, texts: readonly string[]) {
  return reader.rows(read<{ purpose: string; status: TransferStatus }>`
    select purpose, status from transfers where venture_id = ${venture_id} and purpose = any(${texts})`)
}

/** Which of these payments have come back. */
export async function findReturned(reader: Reader, venture_id: string, ids: readonly string[]): Promise<string[]> {
  const found = await reader.rows(read<{ id: string }>`
    select parent_transaction_id as id from transfers
    where venture_id = ${venture_id} and parent_transaction_id = any(${ids}) and status = 'COMPLETED'`)
  return found.map(({ id }) => id)
}

/** How many of the simulated bank's files nobody has read yet. */
export async function countFiles(reader: Reader): Promise<number> {
  const found = await reader.first(read<{ count: number }>`select count(*)::int as count from sandbox_bank_files where state = 'WAITING'`)
  return found?.count ?? 0
}

/** How many of these payments have not expired. */
export async function countOpen(reader: Reader, venture_id: string, ids: readonly string[]): Promise<number> {
  const found = await reader.first(read<{ count: number }>`
    select count(*)::int as count from payments where venture_id = ${venture_id} and id = any(${ids}) and status <> 'EXPIRED'`)
  return found?.count ?? 0
}

/**
 * What the demo bank says, a line for each row: names, amounts, statuses and days since the start. Neither ids nor dates, and nothing whose order
 * or number depends on how long something took, or for how long the service has been there (statements that did not come).
 */
export async function selectLines(reader: Reader, venture_id: string, start: Date): Promise<string[]> {
  const from = start.toISOString()
  const lists = await Promise.all([
    reader.rows(read<Line>`
      select concat_ws('|', 'client', first_name, last_name, email, kyc_status, blocked, is_blacklisted) as line
      from clients where venture_id = ${venture_id}`),
    reader.rows(read<Line>`
      select concat_ws('|', 'account', client.email, account_name, currency, account.status, current_balance, reserved_balance) as line
      from accounts account join clients client on client.venture_id = ${venture_id} and client.id = account.client_id
      where account.venture_id = ${venture_id}`),
    reader.rows(read<Line>`
      select concat_ws('|', 'payee', client.email, name, beneficiary_type) as line
      from beneficiaries payee join clients client on client.venture_id = ${venture_id} and client.id = payee.client_id
      where payee.venture_id = ${venture_id}`),
    reader.rows(read<Line>`
      select concat_ws('|', 'transfer', client.email, account.currency, direction, method, transfer_type, transfer.status, debit_amount,
        debit_currency, credit_amount, credit_currency, cr_name, floor(extract(epoch from transfer.created_at - ${from}::timestamptz) / 86400)) as line
      from transfers transfer
      join accounts account on account.venture_id = ${venture_id} and account.id = transfer.account_id
      join clients client on client.venture_id = ${venture_id} and client.id = account.client_id
      where transfer.venture_id = ${venture_id}`),
    reader.rows(read<Line>`
      select concat_ws('|', 'payment', amount, currency, description, status, refunded_amount, card_brand,
        floor(extract(epoch from created_at - ${from}::timestamptz) / 86400)) as line
      from payments where venture_id = ${venture_id}`),
    reader.rows(read<Line>`
      select concat_ws('|', 'link', amount, currency, description, active) as line from payment_links where venture_id = ${venture_id}`),
    reader.rows(read<Line>`
      select concat_ws('|', 'payout', amount, currency, fee_amount) as line from payouts where venture_id = ${venture_id}`),
    reader.rows(read<Line>`
      select concat_ws('|', 'mandate', reference, debtor_name, cancelled) as line from mandates where venture_id = ${venture_id}`),
    reader.rows(read<Line>`
      select concat_ws('|', 'case', kind, state, decision) as line from cases
      where venture_id = ${venture_id} and kind <> 'nostro_statement'`),
    reader.rows(read<Line>`
      select concat_ws('|', 'break', kind, amount, currency, status) as line from breaks where venture_id = ${venture_id}`),
    reader.rows(read<Line>`
      select concat_ws('|', 'unapplied', reason, amount, currency, status) as line from unapplied_payments where venture_id = ${venture_id}`),
    reader.rows(read<Line>`
      select concat_ws('|', 'endpoint', description, event_types, status) as line from webhook_endpoints where venture_id = ${venture_id}`),
    reader.rows(read<Line>`
      select concat_ws('|', 'member', person.email, person.name, role) as line
      from memberships join users person on person.id = user_id where venture_id = ${venture_id} and person.email like '%@demo.example'`),
    reader.rows(read<Line>`select concat_ws('|', 'venture', name, control, status) as line from ventures where id = ${venture_id}`),
  ])
  return lists.flat().map(({ line }) => line)
}

type Line = { line: string }
