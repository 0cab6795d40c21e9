// The statements of the demo bank: its run, and the state of its orders.
import type { Database, Reader, Tx } from '../../platform/database/database.ts'
import { fixed, listed, read, write } from '../../platform/database/sql.ts'
import { waitingStates } from '../../rails/rails.ts'
import { packedStatuses, plannedStatuses, sendableStatuses } from '../../transfers/life/transfers.sets.ts'
import type { TransferStatus } from '../../transfers/life/transfers.status.ts'

export type RunRow = {
  run_id: string
  seed: number
  status: 'RUNNING' | 'DONE' | 'FAILED'
  done: number
  total: number
  step: string
  digest: string | null
  detail: string | null
  /** Whether its last sign of life is so old that its instance must have stopped. */
  silent: boolean
}

/** A run without a sign of life for this many seconds has ended. */
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

/** Replaces a run that ended before it did anything. */
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

/** For transfers that others have sent, whose ids are not known in advance. */
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

const [leaving, collected] = [listed([...sendableStatuses, ...packedStatuses]), listed(waitingStates)]
/** Those that nothing outside of the bank keeps waiting: no pack, and no answer of another bank. */
const moving = listed(plannedStatuses.filter((status) => ![...packedStatuses, 'TO_RESEND', 'ACCEPTED'].includes(status)))

/**
 * `moving`: how much work is in progress or could be: transfers that wait for nothing, jobs, and what the simulated bank has to settle or
 * has answered. `leaving`: how many payments wait to be sent to other banks. A job that is running is due again within a minute.
 */
export async function countUnderWay(reader: Reader, venture_id: string): Promise<UnderWay> {
  const found = await Promise.all([
    reader.first(read<UnderWay>`
      select count(*) filter (where delay.until is null and status in (${moving}))::int as moving,
        count(*) filter (where status in (${leaving}))::int as leaving
      from transfers transfer left join processing_delays delay
        on delay.venture_id = ${venture_id} and delay.transfer_id = transfer.id and delay.sequence = transfer.sequence
      where transfer.venture_id = ${venture_id} and not transfer.sent`),
    reader.first(read<UnderWay>`
      select ((select count(*) from jobs
            where state = 'READY' and due_at <= bank_now() + case attempts when 0 then interval '0' else interval '1 minute' end)
          + (select count(*) from sandbox_bank_payments where next_at <= bank_now() + interval '1 second')
          + (select count(*) from sandbox_bank_files where state = 'WAITING')
          + (select count(*) from rail_messages where state = 'RECEIVED'))::int as moving,
        ((select count(*) from rail_payments where state in (${collected}))
          + (select count(*) from rail_messages where state = 'SEALED'))::int as leaving`),
  ])
  const sumOf = (of: keyof UnderWay) => found.reduce((sum, counts) => sum + (counts?.[of] ?? 0), 0)
  return { moving: sumOf('moving'), leaving: sumOf('leaving') }
}

type UnderWay = { moving: number; leaving: number }

/** How many of these payments have not expired. */
export async function countOpen(reader: Reader, venture_id: string, ids: readonly string[]): Promise<number> {
  const found = await reader.first(read<{ count: number }>`
    select count(*)::int as count from payments where venture_id = ${venture_id} and id = any(${ids}) and status <> 'EXPIRED'`)
  return found?.count ?? 0
}

/** All ventures, and the house. */
export function findVentures(reader: Reader): Promise<{ id: string; name: string; since: string }[]> {
  return reader.rows(read<{ id: string; name: string; since: string }>`select id, name, created_at::date::text as since from ventures`)
}

/** A row as people see it. `about`: the id of another row. `name`: how other rows refer to this one. */
type Row = { id?: string; name?: string | null; about?: string | null; line: string }

/**
 * The content of the demo bank: a line for each row of a venture, or of the bank and its house, that people see, with names, references,
 * amounts, statuses and dates. Transfers have all their past statuses, and accounts all entries in order, with the balance after each.
 *
 * Everything that differs from run to run is left out: ids, keys, secrets, account numbers, the time of day, and the order of acts of
 * different people. So is what depends on the service's running time: the attempts of webhooks, nightly comparisons with the lists,
 * statements that did not arrive.
 */
export async function selectLines(reader: Reader, venture_id: string): Promise<string[]> {
  // Other rows refer to these.
  const [clients, accounts, payees, payments] = await Promise.all([
    reader.rows(read<Row>`
      select id, email as name, concat_ws('|', 'client', email, first_name, last_name, date_of_birth, address, postcode, city, country_code, nationality, kyc_level,
        kyc_status, blocked, is_blacklisted, organization_id, created_at::date) as line
      from clients where venture_id = ${venture_id}`),
    reader.rows(read<Row>`
      select id, currency || ' ' || account_name as name, client_id as about, concat_ws('|', 'account', account_name, currency, account_type, status, current_balance, reserved_balance,
        created_at::date) as line
      from accounts where venture_id = ${venture_id}`),
    reader.rows(read<Row>`
      select id, name, client_id as about, concat_ws('|', 'payee', name, beneficiary_type, bic, routing_number, created_at::date) as line
      from beneficiaries where venture_id = ${venture_id}`),
    reader.rows(read<Row>`
      select id, order_ref as name, concat_ws('|', 'payment', order_ref, amount, currency, description, status, refunded_amount, card_brand, masked_pan, customer_email,
        created_at::date) as line
      from payments where venture_id = ${venture_id}`),
  ])
  const transfers = await reader.rows(read<Row>`
    select id, unique_reference as name, account_id as about, concat_ws('|', 'transfer', unique_reference, direction, method, transfer_type, status, is_instant, purpose,
      debit_amount, debit_currency, credit_amount, credit_currency, exchange_rate, fx_fee_amount, cr_name, dr_name, settlement_date, created_at::date,
      (select string_agg(concat_ws(' ', to_status, actor, reason, reason_code, third_party_status, created_at::date), ', ' order by move.id)
        from transfer_moves move where move.venture_id = ${venture_id} and move.transfer_id = transfer.id)) as line
    from transfers transfer where venture_id = ${venture_id}`)
  const lists = await Promise.all([
    reader.rows(read<Row>`select concat_ws('|', 'venture', name, control, status) as line from ventures where id = ${venture_id}`),
    reader.rows(read<Row>`
      select concat_ws('|', 'policy', version, review_above, sign_above, funds_wait_h, rules, card_fee, payout_delay_days, created_at::date) as line
      from policies where venture_id = ${venture_id}`),
    reader.rows(read<Row>`
      select concat_ws('|', 'member', person.email, person.name, role) as line
      from memberships join users person on person.id = user_id where venture_id = ${venture_id} and person.email like '%@demo.example'`),
    reader.rows(read<Row>`
      select account_id as about, concat_ws('|', 'entry', row_number() over (partition by account_id order by id), amount, balance, created_at::date) as line
      from entries where venture_id = ${venture_id} and account_id is not null`),
    reader.rows(read<Row>`
      select concat_ws('|', 'book', system_account, count(*), sum(amount), created_at::date) as line
      from entries where venture_id = ${venture_id} and system_account is not null group by system_account, created_at::date`),
    reader.rows(read<Row>`
      select account_id as about, concat_ws('|', 'mandate', reference, debtor_name, debtor_iban, signed_on, last_used_on, cancelled) as line
      from mandates where venture_id = ${venture_id}`),
    reader.rows(read<Row>`
      select concat_ws('|', 'link', amount, currency, description, active) as line from payment_links where venture_id = ${venture_id}`),
    reader.rows(read<Row>`
      select payment_id as about, concat_ws('|', 'refund', external_refund_id, amount, status) as line
      from payment_refunds where venture_id = ${venture_id}`),
    reader.rows(read<Row>`
      select account_id as about, concat_ws('|', 'payout', amount, currency, fee_amount, created_at::date) as line
      from payouts where venture_id = ${venture_id}`),
    reader.rows(read<Row>`
      select resource_id as about, concat_ws('|', 'case', kind, severity, state, decision, comment, created_at::date, decided_at::date) as line
      from cases where venture_id = ${venture_id} and kind <> 'nostro_statement'`),
    reader.rows(read<Row>`
      select subject_id as about, concat_ws('|', 'screening', subject_kind, cause, outcome, best_score, policy_version, created_at::date,
        (select string_agg(concat_ws(' ', party, reason, entry_id, score, state), ', ' order by party, entry_id) from screening_hits hit
          where hit.venture_id = ${venture_id} and hit.screening_id = screening.id)) as line
      from screenings screening where venture_id = ${venture_id} and cause <> 'nightly'`),
    reader.rows(read<Row>`
      select account_id as about, concat_ws('|', 'break', kind, amount, currency, status, created_at::date) as line
      from breaks where venture_id = ${venture_id}`),
    reader.rows(read<Row>`
      select concat_ws('|', 'unapplied', reason, amount, currency, purpose, dr_name, status, created_at::date) as line
      from unapplied_payments where venture_id = ${venture_id}`),
    reader.rows(read<Row>`
      select transfer_id as about, concat_ws('|', 'recall', direction, reason, state, created_at::date) as line from recalls where venture_id = ${venture_id}`),
    reader.rows(read<Row>`
      select concat_ws('|', 'endpoint', description, event_types, status) as line from webhook_endpoints where venture_id = ${venture_id}`),
    reader.rows(read<Row>`
      select concat_ws('|', 'events', type, count(*)) as line from events where venture_id = ${venture_id} group by type`),
    reader.rows(read<Row>`
      select concat_ws('|', 'audit', actor, action, count(*)) as line from audit_log
      where venture_id = ${venture_id} and action <> 'startDemo' group by actor, action`),
  ])
  const names = new Map<string, string>()
  return [clients, payments, accounts, payees, transfers, ...lists].flat().map(({ id, name, about, line }) => {
    const of = about == null ? '' : ` of ${names.get(about) ?? 'something else'}`
    if (id !== undefined) names.set(id, `${name}${of}`)
    return line + of
  })
}

/** The same for what belongs to no venture: the messages of banks, and the account at the settlement bank. */
export async function selectLinesOfBank(reader: Reader): Promise<string[]> {
  const lists = await Promise.all([
    reader.rows(read<Row>`
      select concat_ws('|', 'rate', from_currency, to_currency, rate, margin, created_at::date) as line from rates`),
    reader.rows(read<Row>`
      select concat_ws('|', 'pack', rail, kind, state, reason, count, total, settlement_date, created_at::date) as line from rail_packs`),
    reader.rows(read<Row>`
      select concat_ws('|', 'message', direction, type, state, reason, created_at::date, count(*)) as line
      from rail_messages group by direction, type, state, reason, created_at::date`),
    reader.rows(read<Row>`
      select concat_ws('|', 'statement', number, opening, closing, opened_on, closed_on) as line from nostro_statements`),
    reader.rows(read<Row>`
      select concat_ws('|', 'nostro', number, amount, counterparty_name, transaction_code, state, matched_by, booked_on, value_on) as line
      from nostro_entries`),
  ])
  return lists.flat().map(({ line }) => line)
}
