// Breaks of the reconciliation: how they are opened, closed and decided. A break names the statement entry or the payment that it is about,
// and the difference between statement and books.

import { type CaseHandler, decidedToo, findOpenCasesAbout, openFirstCase, refuseDetails } from '../cases/cases.ts'
import type { Line } from '../ledger/ledger.ts'
import { type Actor, type By, theService } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied, type Companion } from '../platform/companions.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { uuidv7 } from '../platform/ids.ts'
import { reconciliationCase } from '../transfers/life/transfers.cases.ts'
import { methods } from '../transfers/life/transfers.methods.ts'
import type { ReconciliationKind } from '../transfers/life/transfers.unsettled.ts'
import { type Break, breakDecision, findBreak, insertBreaks } from '../transfers/transfers.ts'
import { formatMoney, fromNumeric, type Money, moneyText } from '../values/money.ts'
import { refuse } from '../values/refusals.ts'
import { houseId } from '../ventures/ventures.ts'
import { writeMatches } from './reconciliation.matches.ts'
import type { Row } from './reconciliation.matching.ts'
import { findRow } from './reconciliation.rows.sql.ts'
import { MatchDetails, type NostroEntry, OffsetDetails } from './reconciliation.schemas.ts'
import { findMissing, type NostroRow, selectEntry, writeEntryStates } from './reconciliation.sql.ts'

export type NewBreak = {
  kind: ReconciliationKind
  difference: Money
  entry_id: string | null
  row: Row | null
  pack_id: string | null
}

/** Opens breaks, each with its case. Breaks without a payment are booked over the first rail of the nostro. */
export function openBreaks(tx: Tx, nostro: NostroRow, breaks: readonly NewBreak[], at: string): void {
  const rows = breaks.map(({ kind, difference, entry_id, row, pack_id }): Break => {
    const amount = difference < 0n ? -difference : difference
    return {
      id: uuidv7(),
      status: 'OPEN',
      kind,
      currency: nostro.currency,
      amount: formatMoney(amount, nostro.currency),
      rail: (row?.rail ?? nostro.rails[0] ?? null) as Break['rail'],
      nostro_id: nostro.id,
      entry_id,
      pack_id,
      difference: formatMoney(difference, nostro.currency),
      row_venture_id: row?.venture_id ?? null,
      row_id: row?.id ?? null,
      row_attempt: row?.attempt ?? null,
      account_venture_id: null,
      account_id: null,
      client_id: null,
      explanation: null,
      ...undecided,
      created_at: at,
      decided_at: null,
    }
  })
  insertBreaks(tx, rows)
  for (const { id, kind, row_venture_id, row_id } of rows) {
    const payment = row_venture_id === null || row_id === null ? null : { venture_id: row_venture_id, id: row_id }
    openFirstCase(tx, { venture_id: houseId, kind: reconciliationCase, resource_id: id, payload: { kind, nostro_id: nostro.id, payment } })
  }
}

const undecided = { transfer_id: null, collected_over: null, collection_id: null, counter_id: null } as const

type Closing = { id: string; status: Break['status']; counter_id?: string; lines?: readonly Line[] }

const closed = ({ id, status, counter_id, lines = [] }: Closing, actor: Actor): Companion =>
  breakDecision({ ...undecided, id, status, counter_id: counter_id ?? null, actor, decided_at: now().toISOString() }, lines)

/** Closes breaks together with their cases, because nothing is left to decide. */
export async function closeBreaks(
  reader: Reader,
  closings: readonly Closing[],
  decision: string,
  actor: Actor = theService,
): Promise<Companion[]> {
  if (closings.length === 0) return []
  const resource_ids = closings.map(({ id }) => id)
  const open = await findOpenCasesAbout(reader, { venture_id: houseId, resource_ids, kind: reconciliationCase })
  return [...closings.map((closing) => closed(closing, actor)), ...open.map((one) => decidedToo(one, decision, actor))]
}

/** The decisions about breaks of the reconciliation. All of them take two people. */
export function reconciliationCases(database: Database): Record<string, CaseHandler> {
  const together = { needsTwo: true }
  return {
    [reconciliationCase]: {
      kind: reconciliationCase,
      decisions: {
        match: { ...together, details: MatchDetails },
        offset: { ...together, details: OffsetDetails },
        fund: together,
        write_off: together,
      },
      async look({ resource_id }) {
        const broken = await getBreak(database, resource_id)
        const [entry, payment] = await Promise.all([entryOf(database, broken), paymentOf(database, broken)])
        return { subject: { ...broken, entry, payment }, allowed: broken.status === 'OPEN' ? decisionsFor(broken) : [] }
      },
      async decide({ resource_id }, { decision, details }, by) {
        const broken = await getBreak(database, resource_id)
        const effect = effects[decision] ?? refuse('decision_not_offered')
        return effect(database, broken, details as never, by)
      },
    },
  }
}

async function getBreak(reader: Reader, id: string): Promise<Break> {
  return (await findBreak(reader, id)) ?? refuse('break_not_found')
}

/** The entry of the statement, with its references, its text and the other side. */
async function entryOf(reader: Reader, { nostro_id, entry_id }: Break): Promise<NostroEntry | null> {
  if (nostro_id === null || entry_id === null) return null
  return (await reader.first(selectEntry(nostro_id, entry_id))) ?? null
}

/** The payment, with its references and the other side, as this bank booked it. */
async function paymentOf(reader: Reader, { nostro_id, row_venture_id, row_id }: Break): Promise<object | null> {
  if (nostro_id === null || row_venture_id === null || row_id === null) return null
  const row = await findRow(reader, nostro_id, { venture_id: row_venture_id, id: row_id })
  if (row === undefined) return null
  const { venture_id, id, rail, references, counterparty_name, counterparty_iban, message_id, expected_on } = row
  return { venture_id, id, rail, references, counterparty_name, counterparty_iban, message_id, expected_on }
}

/** What is missing on the statement has no entry to match. Only an entry that matches no payment can be the bank's own money. */
function decisionsFor({ kind }: Break): string[] {
  if (kind === 'MISSING') return ['write_off']
  return kind === 'UNKNOWN' ? ['match', 'offset', 'fund', 'write_off'] : ['match', 'offset', 'write_off']
}

type Effect = (database: Database, broken: Break, details: never, by: By) => Promise<{ id: string }>

const effects: Record<string, Effect> = { match: matchByHand, offset, fund, write_off: writeOff }

const differenceOf = ({ difference }: Break): Money => fromNumeric(difference ?? '0')

/** The difference becomes a gain or a loss of the house. */
function writeOff(database: Database, broken: Break, _details: null, by: By): Promise<{ id: string }> {
  const { id, rail, currency } = broken
  const difference = differenceOf(broken)
  const settlement = rail === null ? refuse('decision_not_offered') : methods[rail].settlement
  const lines: Line[] = [
    { account: settlement, currency, amount: -difference },
    { account: 'adjustments', currency, amount: difference },
  ]
  return decideBreak(database, broken, by, [closed({ id, status: 'WRITTEN_OFF', lines }, by.actor)], 'RESOLVED')
}

/** The bank has put money into the nostro or taken some out: its prefunding has changed. */
function fund(database: Database, broken: Break, _details: null, by: By): Promise<{ id: string }> {
  return decideBreak(database, broken, by, [closed({ id: broken.id, status: 'FUNDED' }, by.actor)], 'RESOLVED')
}

/** The entry belongs to a payment that the rules did not find, or that was booked to make up for the difference. */
async function matchByHand(database: Database, broken: Break, details: MatchDetails, by: By): Promise<{ id: string }> {
  const { id, nostro_id, entry_id, currency } = broken
  if (nostro_id === null || entry_id === null) return refuse('decision_not_offered')
  const row = (await findRow(database, nostro_id, details)) ?? refuseMatch('is not a payment over this nostro')
  const difference = differenceOf(broken)
  if (!row.isBooked) refuseMatch('is not booked')
  if (row.isMatched) refuseMatch('is already on a statement')
  if (row.missing === 'WRITTEN_OFF') refuseMatch('has been written off')
  if (row.amount !== difference)
    refuseMatch(`changes the nostro by ${moneyText(row.amount, currency)}, but the break is about ${moneyText(difference, currency)}`)
  const missing = await findMissing(database, [row])
  const companions = [
    closed({ id, status: 'MATCHED' }, by.actor),
    ...(await closeBreaks(
      database,
      missing.map((one) => ({ id: one.id, status: 'MATCHED' })),
      'match',
      by.actor,
    )),
  ]
  return decideBreak(database, broken, by, companions, 'MATCHED', async (tx) => {
    const made = await writeMatches(tx, [{ row, entry_id, amount: row.amount, exact: true, created_at: now().toISOString() }])
    if (made === 0) refuseMatch('is already on a statement')
  })
}

function refuseMatch(message: string): never {
  refuseDetails([{ field: 'details.id', message }])
}

/** Two entries cancel each other: the settlement bank has corrected its own mistake. */
async function offset(database: Database, broken: Break, { break_id }: OffsetDetails, by: By): Promise<{ id: string }> {
  const other = await findBreak(database, break_id)
  const fits = other !== undefined && other.id !== broken.id && other.nostro_id === broken.nostro_id && other.entry_id !== null
  if (!fits) refuseDetails([{ field: 'details.break_id', message: 'is not a break about an entry of this nostro' }])
  if (other.status !== 'OPEN') refuseDetails([{ field: 'details.break_id', message: `is ${other.status}` }])
  if (differenceOf(other) !== -differenceOf(broken))
    refuseDetails([{ field: 'details.break_id', message: `has the difference ${other.difference}, but this one has ${broken.difference}` }])
  const companions = [
    closed({ id: broken.id, status: 'OFFSET', counter_id: other.id }, by.actor),
    ...(await closeBreaks(database, [{ id: other.id, status: 'OFFSET', counter_id: broken.id }], 'offset', by.actor)),
  ]
  return decideBreak(database, broken, by, companions, 'RESOLVED', async (tx) => {
    writeEntryStates(tx, [{ id: other.entry_id ?? '', state: 'RESOLVED', matched_by: null }])
  })
}

function decideBreak(
  database: Database,
  { id, entry_id }: Break,
  by: By,
  companions: readonly Companion[],
  state: 'MATCHED' | 'RESOLVED',
  work: (tx: Tx) => Promise<void> = async () => {},
): Promise<{ id: string }> {
  return database.transaction((tx) =>
    accompanied(tx, [...companions, ...(by.companions ?? [])], async () => {
      await work(tx)
      if (entry_id !== null) writeEntryStates(tx, [{ id: entry_id, state, matched_by: state === 'MATCHED' ? 'HAND' : null }])
      return { id }
    }),
  )
}
