// Applies statements of a nostro inside the service: reads them from XML and matches each entry with a sent payment.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Message, MessageReader, writeMessage } from '../server/src/iso20022/iso20022.ts'
import type { Database } from '../server/src/platform/database/database.ts'
import { applyStatement } from '../server/src/reconciliation/reconciliation.ts'
import { fromNumeric, type Money } from '../server/src/values/money.ts'
import type { Figures } from './figures.ts'
import { childrenOf, ended_s, endOf, look } from './usage.ts'

export type StatementsRun = { kind: 'statements'; ownerUrl: string; postmaster: number; venture_id: string; rows: number }

/** CPU time of the service, including the process that reads large files, and of the database. */
export type Reconciled = Figures & { service_s: number; database_s: number; statements: number; entries: number }

const perStatement = 5_000
/** One in this many entries names no payment, and is matched by amount, day and counterparty. */
const unnamed = 20

type Sent = { tx_id: string; amount: string; iban: string }

/** Copies a completed payment with distinct amounts, so that each matches only one entry. */
async function makeRows(owner: pg.Client, { venture_id, rows }: StatementsRun, date: string): Promise<Sent[]> {
  const { rows: found } = await owner.query(
    `select id from transfers where venture_id = $1 and direction = 'OUTBOUND' and method = 'SEPA' and status = 'COMPLETED' limit 1`,
    [venture_id],
  )
  const [template] = found
  if (template === undefined) throw new Error('no payment has completed that could be copied')
  await owner.query(
    // Amounts are distinct, and differ from the 1.00 of payments that were really sent: unnamed entries are matched by amount.
    'create temp table reconciled as select gen_random_uuid() as id, n, 2 + n * 0.01 as amount from generate_series(0, $1::int - 1) as n',
    [rows],
  )
  await owner.query(
    // LATERAL, because `(function()).*` would call the function once for each column.
    `insert into transfers select copy.* from transfers original cross join reconciled copied
     cross join lateral jsonb_populate_record(null::transfers, to_jsonb(original) || jsonb_build_object(
       'id', copied.id, 'unique_reference', 'reconciled-' || copied.id, 'debit_amount', copied.amount, 'credit_amount', copied.amount)) as copy
     where original.id = $1`,
    [template.id],
  )
  await owner.query(
    `insert into rail_payments (venture_id, transfer_id, attempt, tx_id, end_to_end_id, rail, kind, amount, currency, settlement_date, walks, content,
       state, settled_on, created_at, updated_at)
     select $1, id, 1, replace(id::text, '-', ''), replace(id::text, '-', ''), 'SEPA', 'CREDIT_TRANSFER', amount, 'EUR', $2::date, true, '{}', 'SETTLED',
       $2::date, now(), now()
     from reconciled`,
    [venture_id, date],
  )
  await owner.query('analyze transfers, rail_payments')
  const { rows: sent } = await owner.query(
    `select replace(copied.id::text, '-', '') as tx_id, copied.amount::text, transfer.cr_iban as iban
     from reconciled copied join transfers transfer on transfer.venture_id = $1 and transfer.id = copied.id order by n`,
    [venture_id],
  )
  return sent
}

/** Keeps the copies out of the books. */
async function deleteRows(owner: pg.Client, message_id: string): Promise<void> {
  await owner.query('delete from nostro_matches where id in (select id from reconciled)')
  await owner.query(
    'delete from nostro_entries where (nostro_id, number) in (select nostro_id, number from nostro_statements where message_id = $1)',
    [message_id],
  )
  await owner.query('delete from nostro_statements where message_id = $1', [message_id])
  await owner.query('delete from rail_payments where transfer_id in (select id from reconciled)')
  await owner.query('delete from transfers where id in (select id from reconciled)')
}

type Nostro = { account: string; sequence: number; balance: Money }

/** The nostro on which SEPA settles, added if missing. */
async function nostroOf(owner: pg.Client): Promise<Nostro> {
  const find = `select account, coalesce(last.sequence, 0)::int as sequence, coalesce(last.closing, prefunding)::text as balance
    from nostros nostro join nostro_rails settles on settles.nostro_id = nostro.id and settles.rail = 'SEPA' and settles.currency = 'EUR'
    left join lateral (select * from nostro_statements where nostro_id = nostro.id order by number desc limit 1) as last on true`
  const { rows: known } = await owner.query(find)
  if (known.length === 0) {
    await owner.query(
      `with made as (
         insert into nostros (id, name, account, bic, currency, prefunding, actor, created_at)
         values (gen_random_uuid(), 'Measured', 'DE89370400440532013000', 'COBADEFFXXX', 'EUR', 0, 'service', now()) returning id)
       insert into nostro_rails select 'SEPA', 'EUR', id from made`,
    )
  }
  const [nostro] = known.length === 0 ? (await owner.query(find)).rows : known
  return { account: nostro.account, sequence: nostro.sequence, balance: fromNumeric(nostro.balance) }
}

function statementsOf(sent: readonly Sent[], { account, sequence, balance }: Nostro, date: string): Uint8Array[] {
  const files: Uint8Array[] = []
  let opening = balance
  for (let start = 0; start < sent.length; start += perStatement) {
    const entries = sent.slice(start, start + perStatement).map(({ tx_id, amount, iban }, index) => {
      const named = index % unnamed === 0 ? { creditor_iban: iban } : { tx_id, end_to_end_id: tx_id }
      return {
        amount: -fromNumeric(amount),
        currency: 'EUR',
        status: 'BOOK',
        booked_on: date,
        value_on: date,
        servicer_reference: String(start + index),
        domain: 'PMNT',
        family: 'ICDT',
        subfamily: 'ESCT',
        details: [{ transactions: [{ ...named, amount: fromNumeric(amount), currency: 'EUR', direction: 'DBIT' as const }] }],
      }
    })
    const closing = entries.reduce((sum, { amount }) => sum + amount, opening)
    const number = sequence + files.length + 1
    const message: Message<'camt.053.001.08'> = {
      message_id: `S${number}`,
      created_at: `${date}T20:00:00Z`,
      statements: [
        {
          statement_id: `S${number}`,
          sequence: number,
          account: { iban: account, currency: 'EUR' },
          entries,
          balances: [
            { type: 'OPBD', amount: opening, currency: 'EUR', date },
            { type: 'CLBD', amount: closing, currency: 'EUR', date },
          ],
        },
      ],
    }
    files.push(writeMessage('camt.053.001.08', message))
    opening = closing
  }
  return files
}

export async function measureStatements({ database }: { database: Database }, run: StatementsRun): Promise<Reconciled> {
  const owner = new pg.Client({ connectionString: run.ownerUrl })
  await owner.connect()
  const date = new Date().toISOString().slice(0, 10)
  const message_id = randomUUID()
  try {
    const sent = await makeRows(owner, run, date)
    const files = statementsOf(sent, await nostroOf(owner), date)
    const reader = new MessageReader()
    const times: number[] = []
    const known = new Set(await childrenOf(process.pid))
    const watched = { service: process.pid, postmaster: run.postmaster }
    const [before, endedBefore_s] = [await look(watched), await ended_s()]
    const start = performance.now()
    for (const bytes of files) {
      const from = performance.now()
      const read = await reader.read(bytes)
      if (read.type !== 'camt.053.001.08') throw new Error(`a statement was read as ${read.type}`)
      const applied = await applyStatement({ database }, message_id, read.message)
      if (applied.outcome !== 'APPLIED') throw new Error(JSON.stringify(applied))
      times.push(performance.now() - from)
    }
    const took_ms = performance.now() - start
    // The CPU time of a child counts once it has ended.
    await reader.close()
    for (const child of await childrenOf(process.pid)) if (!known.has(child)) await endOf(child)
    const after = await look(watched)
    const child_s = (await ended_s()) - endedBefore_s
    const { rows } = await owner.query('select count(*)::int as count from nostro_matches where id in (select id from reconciled)')
    if (rows[0]?.count !== run.rows) throw new Error(`${rows[0]?.count} of ${run.rows} payments were matched`)
    times.sort((one, other) => one - other)
    return {
      perSecond: (run.rows / took_ms) * 1000,
      p50_ms: times[Math.floor(times.length / 2)] ?? 0,
      p99_ms: times.at(-1) ?? 0,
      service_s: after.service_s - before.service_s + child_s,
      database_s: after.database_s - before.database_s,
      statements: files.length,
      entries: run.rows,
    }
  } finally {
    await deleteRows(owner, message_id)
    await owner.end()
  }
}
