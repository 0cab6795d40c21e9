// Statements and notifications of settlement banks. A statement is applied as a whole, only in sequence, and once; it is compared with the
// books in the same transaction.

import type { Message, StatementEntry } from '../iso20022/iso20022.ts'
import { now } from '../platform/clock.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { uuidv7 } from '../platform/ids.ts'
import { addDays } from '../values/calendar.ts'
import { formatMoney, fromNumeric } from '../values/money.ts'
import { Refusal } from '../values/refusals.ts'
import { closeBreaks, type NewBreak, openBreaks } from './reconciliation.breaks.ts'
import { writeMatches } from './reconciliation.matches.ts'
import { type Candidates, decideItems, type Row, sumOf, type Verdict } from './reconciliation.matching.ts'
import {
  type FoundRow,
  findLateRows,
  findLooseRows,
  findMissingRows,
  findNamedRows,
  findPackRows,
  findRelatives,
} from './reconciliation.rows.sql.ts'
import type { NostroEntry } from './reconciliation.schemas.ts'
import {
  deleteNotified,
  findLastStatement,
  findMissing,
  findNostroByAccount,
  findNumbered,
  findReferences,
  insertNostroEntries,
  insertStatement,
  type NewMatch,
  type NostroRow,
  type StatementRow,
  selectStatement,
  selectUndecided,
  waitForTurn,
  writeEnded,
  writeEntryStates,
} from './reconciliation.sql.ts'
import {
  accountOf,
  type Item,
  itemsOf,
  messageOf,
  type NewStatement,
  newStatement,
  type Refused,
  refusalOf,
  refused,
} from './reconciliation.statement.ts'

/** The outcome of a message. Nothing of a refused one has been applied. */
export type Applied = { outcome: 'APPLIED' | 'IGNORED' } | ({ outcome: 'REFUSED' } & Refused)

/** Rolls the transaction back. */
class NotApplied extends Error {
  readonly refused: Refused

  constructor(reason: Refused) {
    super(reason.detail)
    this.refused = reason
  }
}

/** Another person decided at the same moment what this transaction was about to write. Nothing was written, and it is retried. */
class Overtaken extends Error {}

const mostAttempts = 5

async function inTransaction(database: Database, work: (tx: Tx) => Promise<Applied>): Promise<Applied> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction(work)
    } catch (error) {
      if (error instanceof NotApplied) return { outcome: 'REFUSED', ...error.refused }
      const overtaken = error instanceof Overtaken || (error instanceof Refusal && overtaking.has(error.code))
      if (!overtaken || attempt === mostAttempts) throw error
    }
  }
}

/** The case was assigned or decided, or the break was decided, while the transaction ran. */
const overtaking = new Set<string>(['case_decided', 'resource_changed', 'break_decided'])

/** `message_id`: the row of the message with the statements. */
export function applyStatement(
  { database }: { database: Database },
  message_id: string,
  { statements }: Pick<Message<'camt.053.001.08'>, 'statements'>,
): Promise<Applied> {
  return inTransaction(database, async (tx) => {
    const found = statements.map(newStatement)
    const nostros = await findNostros(
      tx,
      found.map(({ account }) => account),
    )
    let outcome: 'APPLIED' | 'IGNORED' = 'IGNORED'
    for (const statement of found) {
      const nostro = nostros.get(statement.account)
      if (nostro === undefined) throw new NotApplied(refused('nostro_unknown', `The statement is for the account ${statement.account}.`))
      if (await applyOne(tx, nostro, statement, message_id)) outcome = 'APPLIED'
    }
    return { outcome }
  })
}

/** The nostros of the accounts, locked for the transaction in the order of their ids. */
async function findNostros(tx: Tx, accounts: readonly string[]): Promise<Map<string, NostroRow>> {
  const nostros: NostroRow[] = []
  for (const account of new Set(accounts)) {
    const nostro = await findNostroByAccount(tx, account)
    if (nostro !== undefined) nostros.push(nostro)
  }
  nostros.sort((one, other) => (one.id < other.id ? -1 : 1))
  for (const { id } of nostros) await waitForTurn(tx, id)
  return new Map(nostros.map((nostro) => [nostro.account, nostro]))
}

/** Applies one statement; false if it was already applied. */
async function applyOne(tx: Tx, nostro: NostroRow, statement: NewStatement, message_id: string): Promise<boolean> {
  const { sequence, closed_on } = statement
  const known = sequence === undefined ? undefined : await findNumbered(tx, nostro.id, { sequence, closed_on })
  if (known?.sha256 === statement.sha256) return false
  if (known !== undefined) throw new NotApplied(refused('statement_differs', `It is ${sequence} of ${closed_on.slice(0, 4)}.`))
  const last = await findLastStatement(tx, nostro.id)
  const fault = refusalOf(
    { currency: nostro.currency, prefunding: fromNumeric(nostro.prefunding) },
    last && { sequence: last.sequence, closing: fromNumeric(last.closing), closed_on: last.closed_on },
    statement,
  )
  if (fault !== undefined) throw new NotApplied(fault)
  if (last !== undefined && last.ended_at === null && closed_on > last.closed_on) await endDay(tx, nostro, last)
  else await matchAgain(tx, nostro)
  await write(tx, nostro, statement, { message_id, number: (last?.number ?? 0) + 1 })
  return true
}

async function write(tx: Tx, nostro: NostroRow, statement: NewStatement, { message_id, number }: { message_id: string; number: number }) {
  const at = now().toISOString()
  const row: StatementRow = {
    id: uuidv7(),
    nostro_id: nostro.id,
    number,
    statement_id: statement.statement_id,
    sequence: statement.sequence ?? 0,
    opening: formatMoney(statement.opening, nostro.currency),
    closing: formatMoney(statement.closing, nostro.currency),
    opened_on: statement.opened_on,
    closed_on: statement.closed_on,
    until: statement.until,
    sha256: statement.sha256,
    entries: statement.booked.length,
    message_id,
    created_at: at,
    ended_at: null,
  }
  tx.evidence = selectStatement(row.id)
  const items = await readItems(tx, nostro, statement.booked, statement.closed_on)
  const references = items.flatMap(({ servicer_reference }) => servicer_reference ?? [])
  const notified = (await findReferences(tx, nostro.id, references)).filter((entry) => entry.number === null)
  deleteNotified(
    tx,
    notified.map(({ id }) => id),
  )
  insertStatement(tx, row)
  const verdicts = decideItems(items, await findCandidates(tx, nostro, items))
  const entries = items.map((item, position) => entryOf(nostro, item, verdicts[position], { number, position, at }))
  insertNostroEntries(tx, entries)
  await writeVerdicts(tx, nostro, entries, verdicts, at)
}

/** The parts of entries. An entry that settles a whole pack stays whole. */
async function readItems(tx: Tx, nostro: NostroRow, booked: readonly StatementEntry[], day: string): Promise<Item[]> {
  const packs = await findPacks(
    tx,
    nostro,
    booked.flatMap((entry) => messageOf(entry) ?? []),
  )
  const isWhole = (message_id: string, amount: bigint) => {
    const rows = packs.get(message_id)
    return rows !== undefined && sumOf(rows) === amount
  }
  return booked.flatMap((entry) => itemsOf(entry, day, isWhole)).filter(({ amount }) => amount !== 0n)
}

/** What the scheme has refused is not settled. */
async function findPacks(reader: Reader, nostro: NostroRow, messages: readonly string[]): Promise<Map<string, FoundRow[]>> {
  const rows = await findPackRows(reader, nostro.id, [...new Set(messages)])
  return groupsOf(
    rows.filter(({ isRefused }) => !isRefused),
    ({ message_id }) => [message_id ?? ''],
  )
}

function groupsOf<Value>(values: readonly Value[], keysOf: (value: Value) => readonly string[]): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    for (const key of new Set(keysOf(value))) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [value])
      else group.push(value)
    }
  }
  return groups
}

/** How many days older than its entry a payment may be if the entry does not name it. */
const looseDays = 10

/** Reads everything that the items could match, in a few statements. */
async function findCandidates(reader: Reader, nostro: NostroRow, items: readonly Item[]): Promise<Candidates> {
  const packs = await findPacks(
    reader,
    nostro,
    items.flatMap(({ message_id }) => message_id ?? []),
  )
  const referencesOf = ({ tx_id, end_to_end_id }: Item) => [tx_id, end_to_end_id].flatMap((reference) => reference ?? [])
  const found = await findNamedRows(reader, nostro.id, [...new Set(items.flatMap(referencesOf))])
  const named = groupsOf(found, ({ references }) => references)
  const namedBy = (item: Item) => referencesOf(item).flatMap((reference) => named.get(reference) ?? [])
  const isUnnamed = (item: Item) => !namedBy(item).some((row) => row.amount > 0n === item.amount > 0n)
  // A return may name the payment that it gives back.
  const opposite = items.filter(isUnnamed).flatMap(namedBy)
  const byId = groupsOf(opposite, ({ id }) => [id])
  for (const relative of await findRelatives(reader, nostro.id, opposite)) {
    const references = new Set(byId.get(relative.of_id)?.flatMap((row) => row.references))
    for (const reference of references) named.set(reference, [...(named.get(reference) ?? []), relative])
  }
  // A payment that was settled after its transfer had ended is booked by a break.
  const ended = found.filter(({ isBooked, attempt }) => !isBooked && attempt > 0)
  const late = await findLateRows(
    reader,
    nostro.id,
    ended.map(({ references: [tx_id = ''], attempt }) => ({ tx_id, attempt })),
  )
  for (const row of late) named.set(row.of, [row, ...(named.get(row.of) ?? [])])
  const unnamed = items.filter((item) => isUnnamed(item) && !packs.has(item.message_id ?? ''))
  const days = unnamed.flatMap(({ booked_on, value_on }) => [booked_on, value_on]).sort()
  const loose = await findLooseRows(reader, nostro.id, {
    amounts: [...new Set(unnamed.map(({ amount }) => amount))],
    from: `${addDays(days[0] ?? '2000-01-01', -looseDays)}T00:00:00.000Z`,
    to: `${addDays(days.at(-1) ?? '2000-01-01', 1)}T23:59:59.999Z`,
  })
  const byAmount = groupsOf(loose, ({ amount }) => [String(amount)])
  return {
    pack: (message_id) => packs.get(message_id) ?? [],
    named: (reference) => named.get(reference) ?? [],
    alike: ({ amount }) => byAmount.get(String(amount)) ?? [],
  }
}

type Place = { number: number | null; position: number; at: string }

function entryOf(
  nostro: NostroRow,
  { part: _part, ...item }: Item,
  verdict: Verdict | undefined,
  { number, position, at }: Place,
): NostroEntry {
  const stated = verdict?.broken == null ? 'MATCHED' : 'BREAK'
  return {
    ...item,
    id: uuidv7(),
    nostro_id: nostro.id,
    number,
    position,
    amount: formatMoney(item.amount, nostro.currency),
    state: number === null ? 'NOTIFIED' : stated,
    matched_by: verdict?.by ?? null,
    created_at: at,
  }
}

/** Writes the matches, opens breaks, and closes those of payments that had been missing. */
async function writeVerdicts(
  tx: Tx,
  nostro: NostroRow,
  entries: readonly Pick<NostroEntry, 'id'>[],
  verdicts: readonly Verdict[],
  at: string,
  closing: readonly { id: string }[] = [],
): Promise<void> {
  const matches = matchesOf(entries, verdicts, at)
  const breaks = verdicts.flatMap(({ broken }, index): NewBreak[] =>
    broken === null ? [] : [{ ...broken, entry_id: entries[index]?.id ?? null }],
  )
  const found = matches.map(({ row }) => row).filter(({ missing }) => missing === 'OPEN')
  const closed = [...closing, ...(await findMissing(tx, found))]
  const companions = await closeBreaks(
    tx,
    closed.map(({ id }) => ({ id, status: 'MATCHED' })),
    'match',
  )
  await accompanied(tx, companions, async () => {
    if ((await writeMatches(tx, matches)) < matches.length) throw new Overtaken('a payment was matched by hand meanwhile')
    openBreaks(tx, nostro, breaks, at)
    return nostro
  })
}

function matchesOf(entries: readonly Pick<NostroEntry, 'id'>[], verdicts: readonly Verdict[], created_at: string): NewMatch[] {
  return verdicts.flatMap(({ rows, broken }, index) => {
    const entry_id = entries[index]?.id ?? ''
    return rows.map((row: Row) => ({ row, entry_id, amount: row.amount, exact: broken === null, created_at }))
  })
}

/** Tries unmatched entries again: their payments may have been booked since. Returns how many matched. */
export async function matchAgain(tx: Tx, nostro: NostroRow): Promise<number> {
  const waiting = await selectUndecided(tx, nostro.id)
  if (waiting.length === 0) return 0
  const items = waiting.map((entry) => ({ ...entry, part: 0, amount: fromNumeric(entry.amount) }))
  const decided = decideItems(items, await findCandidates(tx, nostro, items)).map((verdict, index) => ({ verdict, entry: waiting[index] }))
  const found = decided.flatMap(({ verdict, entry }) => (entry === undefined || verdict.rows.length === 0 ? [] : [{ verdict, entry }]))
  const entries = found.map(({ entry }) => entry)
  const verdicts = found.map(({ verdict }) => verdict)
  await writeVerdicts(
    tx,
    nostro,
    entries,
    verdicts,
    now().toISOString(),
    entries.map(({ break_id }) => ({ id: break_id })),
  )
  writeEntryStates(
    tx,
    found.map(({ verdict, entry }) => ({ id: entry.id, state: verdict.broken === null ? 'MATCHED' : 'BREAK', matched_by: verdict.by })),
  )
  return found.length
}

/** Opens a break for each payment that should have been on the statements up to this one. Returns how many. */
export async function endDay(tx: Tx, nostro: NostroRow, last: StatementRow): Promise<number> {
  await matchAgain(tx, nostro)
  const missing = await findMissingRows(tx, nostro.id, last)
  const at = now().toISOString()
  openBreaks(
    tx,
    nostro,
    missing.map((row) => ({ kind: 'MISSING', difference: -row.amount, entry_id: null, row, pack_id: row.pack_id })),
    at,
  )
  writeEnded(tx, last, at)
  return missing.length
}

/**
 * Entries that the settlement bank announces before their statement. They are stored and compared, so that the bank sees them early, but they do not
 * count until the entries of a statement replace them. Only entries with a reference of the settlement bank can be recognised there.
 */
export function applyNotification(
  { database }: { database: Database },
  _message_id: string,
  { notifications }: Pick<Message<'camt.054.001.08'>, 'notifications'>,
): Promise<Applied> {
  return inTransaction(database, async (tx) => {
    const nostros = await findNostros(tx, notifications.map(accountOf))
    const at = now().toISOString()
    let outcome: 'APPLIED' | 'IGNORED' = 'IGNORED'
    for (const notification of notifications) {
      const nostro = nostros.get(accountOf(notification))
      if (nostro === undefined)
        throw new NotApplied(refused('nostro_unknown', `The notification is for the account ${accountOf(notification)}.`))
      const booked = notification.entries.filter(({ status, currency }) => status === 'BOOK' && currency === nostro.currency)
      const items = (await readItems(tx, nostro, booked, at.slice(0, 10))).filter(({ servicer_reference }) => servicer_reference !== null)
      const references = items.flatMap(({ servicer_reference }) => servicer_reference ?? [])
      const known = new Set((await findReferences(tx, nostro.id, references)).map(({ servicer_reference }) => servicer_reference))
      const names = items.map(({ servicer_reference, part }) => `${servicer_reference} ${part}`)
      const news = items.filter(
        ({ servicer_reference }, index) => !known.has(servicer_reference) && names.indexOf(names[index] ?? '') === index,
      )
      if (news.length === 0) continue
      const verdicts = decideItems(news, await findCandidates(tx, nostro, news)).map(withoutBreak)
      const entries = news.map((item, index) => entryOf(nostro, item, verdicts[index], { number: null, position: item.part, at }))
      insertNostroEntries(tx, entries)
      await writeMatches(tx, matchesOf(entries, verdicts, at))
      outcome = 'APPLIED'
    }
    return { outcome }
  })
}

/** An entry that is not on a statement yet causes no break. */
function withoutBreak(verdict: Verdict): Verdict {
  return verdict.broken === null ? verdict : { rows: [], by: null, broken: null }
}
