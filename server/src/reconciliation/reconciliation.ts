// Reconciliation: the bank's accounts at settlement banks, their statements, and what does not add up. For each statement, closing =
// prefunding - settlement entries - in transit + breaks.

import { type Approval, type ApprovalHandler, type Approvals, actOrRequest } from '../audit/audit.ts'
import { type CaseHandler, openFirstCase } from '../cases/cases.ts'
import type { ReadMessage } from '../iso20022/iso20022.ts'
import type { By } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Reader } from '../platform/database/database.ts'
import { inTime, refuseTooBroad } from '../platform/http/pieces.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { uuidv7 } from '../platform/ids.ts'
import { methods } from '../transfers/life/transfers.methods.ts'
import { subtractTargetDays, todayUtc } from '../values/calendar.ts'
import { decimalsRule, formatMoney, fromNumeric, parseMoney } from '../values/money.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import { houseId } from '../ventures/ventures.ts'
import { type Applied, applyNotification, applyStatement, endDay, matchAgain } from './reconciliation.apply.ts'
import { reconciliationCases } from './reconciliation.breaks.ts'
import { figures, selectFigures, wrongMatches } from './reconciliation.rows.sql.ts'
import type {
  EndedDay,
  NewNostro,
  Nostro,
  NostroEntry,
  NostroEntryList,
  NostroList,
  NostroStatement,
  NostroStatementList,
  Reconciliation,
} from './reconciliation.schemas.ts'
import {
  findLastStatement,
  findNostro,
  findShownNostro,
  findStatementOf,
  insertNostro,
  insertRails,
  type NostroRow,
  selectAllNostros,
  selectEntries,
  selectNostros,
  selectStatements,
  waitForTurn,
} from './reconciliation.sql.ts'

export type { Applied, NewNostro, Nostro, Reconciliation }
export { applyNotification, applyStatement, figures, wrongMatches }

type StatementMessage = Extract<ReadMessage, { type: 'camt.053.001.08' | 'camt.054.001.08' }>

/** How the inbox applies a message about a nostro. */
export function statementApplier(database: Database): (stored: { id: string }, read: StatementMessage) => Promise<Applied> {
  return ({ id }, read) =>
    read.type === 'camt.053.001.08' ? applyStatement({ database }, id, read.message) : applyNotification({ database }, id, read.message)
}

/** The BICs of the banks that hold the nostros. */
export async function bicsOfNostros(database: Database): Promise<string[]> {
  return (await selectAllNostros(database)).map(({ bic }) => bic)
}

const createAction = 'create-nostro'

/** With four-eyes approval, a second person has to approve the nostro. */
export function proposeNostro(approvals: Approvals, input: NewNostro, by: By): Promise<Nostro | Approval> {
  const id = uuidv7()
  const wanted = { venture_id: bankId, action: createAction, resource_id: id, payload: input }
  return actOrRequest(approvals, wanted, by, (allowed) => createNostro(approvals.database, id, input, allowed))
}

/** Adds a nostro, on the authority of two people or without four-eyes approval. A nostro never changes. */
export async function createNostro(database: Database, id: string, input: NewNostro, by: By): Promise<Nostro> {
  const { currency, rails } = input
  if (parseMoney(input.prefunding.replace(/^-/, ''), currency) === undefined) refuseField('prefunding', decimalsRule(currency))
  for (const rail of rails) {
    const { currencies } = methods[rail]
    if (currencies !== 'any' && !currencies.includes(currency))
      refuseField('rails', `must not contain ${rail}, which does not carry ${currency}`)
  }
  if (!by.approved) refuse('approval_required', { sequence: 0 })
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const made = await insertNostro(tx, id, input, by.actor, now().toISOString())
      if (!made) refuse('nostro_exists', { detail: `There is a nostro with the account ${input.account}.` })
      if ((await insertRails(tx, id, input)) < rails.length)
        refuse('nostro_exists', { detail: `One of ${rails.join(', ')} settles ${currency} on another nostro.` })
      return getNostro(tx, id)
    }),
  )
}

/** Nostros are created by two people. */
export function nostroApprovals(database: Database): ApprovalHandler[] {
  return [
    {
      action: createAction,
      operations: ['createNostro'],
      carryOut: ({ resource_id, payload }, by) => createNostro(database, resource_id, payload as NewNostro, { ...by, approved: true }),
    },
  ]
}

export async function listNostros(database: Database, query: NostroList): Promise<Nostro[]> {
  return (await selectNostros(database, query)).map(shownNostro)
}

export async function getNostro(reader: Reader, id: string): Promise<Nostro> {
  return shownNostro((await findShownNostro(reader, id)) ?? refuse('nostro_not_found'))
}

const amountText = (text: string, currency: string): string => formatMoney(fromNumeric(text), currency)

function shownNostro(nostro: Nostro): Nostro {
  const { currency } = nostro
  return { ...nostro, prefunding: amountText(nostro.prefunding, currency), balance: amountText(nostro.balance, currency) }
}

export async function listStatements(database: Database, id: string, query: NostroStatementList): Promise<NostroStatement[]> {
  const { currency } = (await findNostro(database, id)) ?? refuse('nostro_not_found')
  const rows = await selectStatements(database, id, query)
  return rows.map((row) => ({ ...row, opening: amountText(row.opening, currency), closing: amountText(row.closing, currency) }))
}

export async function listEntries(database: Database, id: string, query: NostroEntryList): Promise<NostroEntry[]> {
  const { currency } = (await findNostro(database, id)) ?? refuse('nostro_not_found')
  return (await selectEntries(database, id, query)).map((row) => ({ ...row, amount: amountText(row.amount, currency) }))
}

/** Compares the last statement up to a day with the current books. */
export async function getReconciliation(database: Database, id: string, date: string = todayUtc(now())): Promise<Reconciliation> {
  const { currency } = (await findNostro(database, id)) ?? refuse('nostro_not_found')
  const statement = (await findStatementOf(database, id, date)) ?? refuse('nostro_statement_not_found')
  const found = await database.list(bankId, (lists) => inTime(() => selectFigures(lists, id, statement.number)))
  const { prefunding, settlement, in_transit, breaks } = found ?? refuseTooBroad({})
  const text = (amount: string) => amountText(amount, currency)
  const expected = fromNumeric(prefunding) - fromNumeric(settlement) - fromNumeric(in_transit) + fromNumeric(breaks)
  return {
    nostro_id: id,
    date: statement.closed_on,
    number: statement.number,
    currency,
    closing: text(statement.closing),
    prefunding: text(prefunding),
    settlement: text(settlement),
    in_transit: text(in_transit),
    breaks: text(breaks),
    difference: formatMoney(fromNumeric(statement.closing) - expected, currency),
  }
}

/** Finds, for each nostro, the payments missing on its statements up to a day. */
export async function endOfDay(
  database: Database,
  date: string = todayUtc(now()),
  companions: Companions = undefined,
): Promise<EndedDay[]> {
  if (date > todayUtc(now())) refuseField('date', 'must not be in the future')
  // Each nostro has its own transaction, so the request's companions are written before them.
  await database.transaction((tx) => accompanied(tx, companions, async () => ({})))
  const ended: EndedDay[] = []
  for (const nostro of await selectAllNostros(database)) ended.push(await endDayOf(database, nostro, date))
  return ended
}

function endDayOf(database: Database, nostro: NostroRow, date: string): Promise<EndedDay> {
  return database.transaction(async (tx) => {
    await waitForTurn(tx, nostro.id)
    const statement = await findStatementOf(tx, nostro.id, date)
    const found = { nostro_id: nostro.id, date, missing: 0 }
    if (statement?.closed_on !== date) return { ...found, state: 'STATEMENT_MISSING' }
    if (statement.ended_at !== null) return { ...found, state: 'ENDED_BEFORE' }
    return { ...found, state: 'ENDED', missing: await endDay(tx, nostro, statement) }
  })
}

/**
 * The regular work: retries unmatched entries, ends days that are over, and opens a case for each nostro that got no statement for a whole
 * TARGET day. Yields how many days it has ended.
 */
export async function* endDays(database: Database): AsyncIterable<number> {
  const today = todayUtc(now())
  for (const nostro of await selectAllNostros(database)) {
    const last = await findLastStatement(database, nostro.id)
    if (last !== undefined && last.ended_at === null && last.closed_on < today) {
      const { state } = await endDayOf(database, nostro, last.closed_on)
      yield state === 'ENDED' ? 1 : 0
    } else if (last !== undefined) {
      await database.transaction(async (tx) => {
        await waitForTurn(tx, nostro.id)
        await matchAgain(tx, nostro)
      })
      yield 0
    }
    const since = last?.closed_on ?? todayUtc(new Date(nostro.created_at))
    if (since < subtractTargetDays(today, 2)) await openStatementCase(database, nostro, since)
  }
}

const statementCase = 'nostro_statement'

async function openStatementCase(database: Database, nostro: NostroRow, since: string): Promise<void> {
  await database.transaction(async (tx) => {
    openFirstCase(tx, { venture_id: houseId, kind: statementCase, resource_id: nostro.id, payload: { last_statement_on: since } })
  })
}

/** The cases of this folder: breaks, and nostros whose statements do not arrive. */
export function nostroCases(database: Database): Record<string, CaseHandler> {
  return {
    ...reconciliationCases(database),
    [statementCase]: {
      kind: statementCase,
      decisions: { close: { needsTwo: false } },
      look: async ({ resource_id }) => ({ subject: await getNostro(database, resource_id), allowed: ['close'] }),
      decide: ({ resource_id: id }, _decision, { companions }) =>
        database.transaction((tx) => accompanied(tx, companions, async () => ({ id }))),
    },
  }
}
