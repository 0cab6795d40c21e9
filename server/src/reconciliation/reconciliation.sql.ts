// SQL statements for nostros, their statements and entries.
import type { Actor } from '../platform/actor.ts'
import type { Reader, Tx } from '../platform/database/database.ts'
import { columnsOf, type Fragment, fixed, fragment, listed, read, write } from '../platform/database/sql.ts'
import { equals, type Filters, given, pageWith } from '../platform/http/lists.ts'
import { unbookedKinds } from '../transfers/life/transfers.unsettled.ts'
import { type Money, toNumeric } from '../values/money.ts'
import { houseId } from '../ventures/ventures.ts'
import type { MatchedBy, Row } from './reconciliation.matching.ts'
import {
  type NewNostro,
  type Nostro,
  NostroEntry,
  type NostroEntryList,
  type NostroList,
  NostroStatement,
  type NostroStatementList,
} from './reconciliation.schemas.ts'

const statementColumns = columnsOf(NostroStatement)
const entryColumns = columnsOf(NostroEntry)

/** A nostro as stored. Its rails are in alphabetical order. */
export type NostroRow = Omit<Nostro, 'balance' | 'last_statement_on' | 'open_breaks'>

const nostroColumns = fixed`id, name, account, bic, currency, prefunding, created_at,
  (select coalesce(array_agg(rail order by rail), '{}') from nostro_rails where nostro_id = nostro.id) as rails`

export function selectNostros(reader: Reader, query: NostroList): Promise<Nostro[]> {
  return selectShown(reader, pageWith(query, []))
}

export async function findShownNostro(reader: Reader, id: string): Promise<Nostro | undefined> {
  return (await selectShown(reader, fragment`id = ${id}`))[0]
}

/** Nostros as the API shows them. */
function selectShown(reader: Reader, which: Fragment): Promise<Nostro[]> {
  return reader.rows(read<Nostro>`
    select ${nostroColumns}, coalesce(last.closing, prefunding) as balance, last.closed_on as last_statement_on,
      (select count(*)::int from breaks where venture_id = ${houseId} and nostro_id = nostro.id and status = 'OPEN') as open_breaks
    from nostros nostro left join lateral (
      select closing, closed_on from nostro_statements where nostro_id = nostro.id order by number desc limit 1) as last on true
    where ${which}`)
}

export function findNostro(reader: Reader, id: string): Promise<NostroRow | undefined> {
  return reader.first(read<NostroRow>`select ${nostroColumns} from nostros nostro where id = ${id}`)
}

export function findNostroByAccount(reader: Reader, account: string): Promise<NostroRow | undefined> {
  return reader.first(read<NostroRow>`select ${nostroColumns} from nostros nostro where account = ${account}`)
}

export function selectAllNostros(reader: Reader): Promise<NostroRow[]> {
  return reader.rows(read<NostroRow>`select ${nostroColumns} from nostros nostro order by id`)
}

/** False if another nostro has this account. */
export async function insertNostro(tx: Tx, id: string, nostro: NewNostro, actor: Actor, now: string): Promise<boolean> {
  const made = await tx.run(write`
    insert into nostros (id, name, account, bic, currency, prefunding, actor, actor_id, created_at)
    values (${id}, ${nostro.name}, ${nostro.account}, ${nostro.bic.padEnd(11, 'X')}, ${nostro.currency}, ${nostro.prefunding}, ${actor.kind}, ${actor.id},
      ${now})
    on conflict (account) do nothing`)
  return made === 1
}

/** Returns how many of the rails had no settlement account so far. */
export function insertRails(tx: Tx, nostro_id: string, { rails, currency }: Pick<NewNostro, 'rails' | 'currency'>): Promise<number> {
  return tx.run(write`
    insert into nostro_rails (rail, currency, nostro_id) select rail, ${currency}, ${nostro_id} from unnest(${rails}::text[]) as rail order by rail
    on conflict (rail, currency) do nothing`)
}

/** Locks a nostro, because its statements are applied one after the other. */
export async function waitForTurn(tx: Tx, nostro_id: string): Promise<void> {
  await tx.rows(read`select pg_advisory_xact_lock(hashtextextended(${`nostro ${nostro_id}`}, 0))`)
}

/** A statement as stored. */
export type StatementRow = NostroStatement & { sha256: string }

export function findLastStatement(reader: Reader, nostro_id: string): Promise<StatementRow | undefined> {
  return reader.first(read<StatementRow>`
    select ${statementColumns}, sha256 from nostro_statements where nostro_id = ${nostro_id} order by number desc limit 1`)
}

/** The last statement up to a day. */
export function findStatementOf(reader: Reader, nostro_id: string, date: string): Promise<StatementRow | undefined> {
  return reader.first(read<StatementRow>`
    select ${statementColumns}, sha256 from nostro_statements where nostro_id = ${nostro_id} and closed_on <= ${date} order by number desc limit 1`)
}

/** The statement with a number of the settlement bank. Numbers begin again each year. */
export function findNumbered(
  reader: Reader,
  nostro_id: string,
  { sequence, closed_on }: { sequence: number; closed_on: string },
): Promise<StatementRow | undefined> {
  return reader.first(read<StatementRow>`
    select ${statementColumns}, sha256 from nostro_statements
    where nostro_id = ${nostro_id} and sequence = ${sequence} and to_char(closed_on, 'YYYY') = ${closed_on.slice(0, 4)}
    order by number desc limit 1`)
}

export function selectStatements(reader: Reader, nostro_id: string, query: NostroStatementList): Promise<NostroStatement[]> {
  return reader.rows(read<NostroStatement>`
    select ${statementColumns} from nostro_statements where nostro_id = ${nostro_id} and ${pageWith(query, [])}`)
}

const entryFilters: Filters<NostroEntryList> = {
  state: equals(fragment`state`),
  number: (number) => fragment`number = ${number}`,
}

export function selectEntries(reader: Reader, nostro_id: string, query: NostroEntryList): Promise<NostroEntry[]> {
  return reader.rows(read<NostroEntry>`
    select ${entryColumns} from nostro_entries where nostro_id = ${nostro_id} and ${pageWith(query, given(query, entryFilters))}`)
}

export const selectEntry = (nostro_id: string, id: string) => read<NostroEntry>`
  select ${entryColumns} from nostro_entries where nostro_id = ${nostro_id} and id = ${id}`

/** Selects a row that exists only if the transaction that applied the statement committed. */
export const selectStatement = (id: string) => read`select id from nostro_statements where id = ${id}`

export function insertStatement(tx: Tx, statement: StatementRow): void {
  tx.send(write`
    insert into nostro_statements (${statementColumns}, sha256)
    select ${statementColumns}, sha256 from json_populate_record(null::nostro_statements, ${JSON.stringify(statement)})`)
}

export function writeEnded(tx: Tx, { nostro_id, closed_on }: Pick<StatementRow, 'nostro_id' | 'closed_on'>, at: string): void {
  tx.send(write`
    update nostro_statements set ended_at = ${at} where nostro_id = ${nostro_id} and closed_on <= ${closed_on} and ended_at is null`)
}

export function insertNostroEntries(tx: Tx, entries: readonly NostroEntry[]): void {
  if (entries.length === 0) return
  tx.send(write`
    insert into nostro_entries (${entryColumns})
    select ${entryColumns} from json_populate_recordset(null::nostro_entries, ${JSON.stringify(entries)})`)
}

/** Which of the references were notified, or are on a statement. */
export function findReferences(
  reader: Reader,
  nostro_id: string,
  references: readonly string[],
): Promise<Pick<NostroEntry, 'id' | 'number' | 'servicer_reference'>[]> {
  if (references.length === 0) return Promise.resolve([])
  return reader.rows(read<Pick<NostroEntry, 'id' | 'number' | 'servicer_reference'>>`
    select id, number, servicer_reference from nostro_entries where nostro_id = ${nostro_id} and servicer_reference = any(${references})`)
}

/** The entries of the statement replace what was notified. */
export function deleteNotified(tx: Tx, ids: readonly string[]): void {
  if (ids.length === 0) return
  tx.send(write`delete from nostro_matches where entry_id = any(${ids})`)
  tx.send(write`delete from nostro_entries where id = any(${ids}) and number is null`)
}

/** `exact`: the entry has the amount of the payment. */
export type NewMatch = { row: Row; entry_id: string; amount: Money; exact: boolean; created_at: string }

/**
 * Returns how many of the matches were written. Another entry may have taken the payment meanwhile; an entry that was only notified gives
 * it up, unless the match is itself of such an entry.
 */
export async function insertMatches(tx: Tx, matches: readonly NewMatch[]): Promise<number> {
  if (matches.length === 0) return 0
  return tx.run(write`
    insert into nostro_matches (venture_id, id, attempt, entry_id, amount, created_at)
    select * from unnest(
      ${matches.map(({ row }) => row.venture_id)}::uuid[],
      ${matches.map(({ row }) => row.id)}::uuid[],
      ${matches.map(({ row }) => row.attempt)}::int[],
      ${matches.map(({ entry_id }) => entry_id)}::uuid[],
      ${matches.map(({ amount }) => toNumeric(amount))}::numeric[],
      ${matches.map(({ created_at }) => created_at)}::timestamptz[])
    on conflict (venture_id, id, attempt) do update set entry_id = excluded.entry_id
    where exists (select from nostro_entries held where held.id = nostro_matches.entry_id and held.number is null)
      and exists (select from nostro_entries taking where taking.id = excluded.entry_id and taking.number is not null)`)
}

export function writeEntryStates(
  tx: Tx,
  entries: readonly { id: string; state: NostroEntry['state']; matched_by: MatchedBy | null }[],
): void {
  if (entries.length === 0) return
  tx.send(write`
    update nostro_entries entry set state = changed.state, matched_by = coalesce(changed.matched_by, entry.matched_by)
    from unnest(
      ${entries.map(({ id }) => id)}::uuid[],
      ${entries.map(({ state }) => state)}::text[],
      ${entries.map(({ matched_by }) => matched_by)}::text[]) as changed (id, state, matched_by)
    where entry.id = changed.id`)
}

const unbooked = listed(unbookedKinds)

/** Entries whose payment was unknown or not booked, oldest first, at most as many as a statement can have. */
export function selectUndecided(reader: Reader, nostro_id: string): Promise<(NostroEntry & { break_id: string })[]> {
  return reader.rows(read<NostroEntry & { break_id: string }>`
    select entry.*, broken.id as break_id from breaks broken join nostro_entries entry on entry.id = broken.entry_id
    where broken.venture_id = ${houseId} and broken.nostro_id = ${nostro_id} and broken.status = 'OPEN'
      and broken.kind in (${unbooked})
    order by broken.id limit 5000`)
}

/** The open breaks about payments that had been missing. */
export function findMissing(reader: Reader, rows: readonly Row[]): Promise<{ id: string }[]> {
  if (rows.length === 0) return Promise.resolve([])
  return reader.rows(read<{ id: string }>`
    select broken.id from breaks broken
    join unnest(${rows.map(({ venture_id }) => venture_id)}::uuid[], ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ attempt }) => attempt)}::int[])
      as found (venture_id, id, attempt)
      on broken.row_venture_id = found.venture_id and broken.row_id = found.id and broken.row_attempt = found.attempt
    where broken.venture_id = ${houseId} and broken.kind = 'MISSING' and broken.status = 'OPEN'`)
}
