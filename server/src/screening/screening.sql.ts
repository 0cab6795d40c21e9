// SQL statements for watch lists and screenings.
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { columnsOf, fixed, fragment, read, write } from '../platform/database/sql.ts'
import { equals, type Filters, pageWith } from '../platform/http/lists.ts'
import { readList } from '../platform/http/pieces.ts'
import type { Entry } from './screening.entries.ts'
import {
  Screening,
  ScreeningHit,
  type ScreeningList,
  VersionColumns,
  type VersionList,
  Watchlist,
  type WatchlistVersion,
} from './screening.schemas.ts'

/** A list as stored: the shown fields, and how often a version was activated. */
export type WatchlistRow = Watchlist & { sequence: number }

const listColumns = columnsOf(Watchlist)
const versionColumns = columnsOf(VersionColumns)
const versionColumnsOf = columnsOf(VersionColumns, 'version')

/** Returns false if the name is taken. */
export async function insertWatchlist(tx: Tx, row: WatchlistRow): Promise<boolean> {
  const inserted = await tx.run(write`
    insert into watchlists (${listColumns}, sequence) select ${listColumns}, sequence
    from json_populate_record(null::watchlists, ${JSON.stringify(row)}) on conflict (name) do nothing`)
  return inserted > 0
}

export const selectWatchlists = () => read<Watchlist>`select ${listColumns} from watchlists order by name`

export const selectWatchlist = (id: string) => read<WatchlistRow>`select ${listColumns}, sequence from watchlists where id = ${id}`

export const selectWatchlistByName = (name: string) => read<WatchlistRow>`
  select ${listColumns}, sequence from watchlists where name = ${name}`

export const lockWatchlist = (id: string) => read<WatchlistRow>`
  select ${listColumns}, sequence from watchlists where id = ${id} for no key update`

export type VersionRow = Omit<WatchlistVersion, 'active'>

/** Returns false if the same files have already been imported and are still there. */
export async function insertVersion(tx: Tx, row: VersionRow): Promise<boolean> {
  const inserted = await tx.run(write`
    insert into watchlist_versions (${versionColumns}) select ${versionColumns}
    from json_populate_record(null::watchlist_versions, ${JSON.stringify(row)}) on conflict (watchlist_id, sha256) where deleted_at is null do nothing`)
  return inserted > 0
}

export const selectVersionBySha = (watchlist_id: string, sha256: string) => read<{ id: string }>`
  select id from watchlist_versions where watchlist_id = ${watchlist_id} and sha256 = ${sha256} and deleted_at is null`

/** `entries`: a list of entries in JSON. */
export function insertEntries(tx: Tx, version_id: string, entries: string): Promise<number> {
  return tx.run(write`
    insert into watchlist_entries (version_id, entry_id, kind, topics, names, birth_dates, countries, identifiers, hash)
    select ${version_id}, entry_id, kind, topics, names, birth_dates, countries, identifiers, hash
    from json_populate_recordset(null::watchlist_entries, ${entries})`)
}

const active = fixed`coalesce(list.active_version_id = version.id, false) as active`

export const selectVersion = (watchlist_id: string, id: string) => read<WatchlistVersion>`
  select ${versionColumnsOf}, ${active} from watchlist_versions version join watchlists list on list.id = version.watchlist_id
  where version.watchlist_id = ${watchlist_id} and version.id = ${id}`

export function selectVersions(reader: Reader, watchlist_id: string, query: VersionList): Promise<WatchlistVersion[]> {
  return reader.rows(read<WatchlistVersion>`
    with listed as (
      select ${versionColumns} from watchlist_versions where watchlist_id = ${watchlist_id} and ${pageWith(query, [])})
    select ${versionColumnsOf}, ${active} from listed version join watchlists list on list.id = version.watchlist_id
    order by version.id desc`)
}

type ActivationRow = { watchlist_id: string; version_id: string; replaced_id: string | null; now: string; sequence: number }

/** Only for a locked list. */
export function writeActivation(tx: Tx, { watchlist_id, version_id, replaced_id, now, sequence }: ActivationRow): void {
  tx.send(write`
    update watchlists set active_version_id = ${version_id}, updated_at = ${now}, sequence = ${sequence} where id = ${watchlist_id}`)
  tx.send(write`update watchlist_versions set activated_at = ${now} where id = ${version_id}`)
  tx.send(write`update watchlist_versions set replaced_at = ${now} where id = ${replaced_id}::uuid`)
}

/** Marks versions of a locked list that have been inactive since the given time. */
export function markDeleted(tx: Tx, { watchlist_id, until, now }: { watchlist_id: string; until: string; now: string }): Promise<number> {
  return tx.run(write`
    update watchlist_versions version set deleted_at = ${now} from watchlists list
    where list.id = ${watchlist_id} and version.watchlist_id = ${watchlist_id} and version.id is distinct from list.active_version_id
      and version.deleted_at is null and greatest(version.imported_at, version.replaced_at) < ${until}`)
}

/** Deletes some entries of versions that are marked as deleted. */
export function deleteEntries(tx: Tx, limit: number): Promise<number> {
  return tx.run(write`
    delete from watchlist_entries where (version_id, entry_id) in (
      select version_id, entry_id from watchlist_entries
      where version_id in (select id from watchlist_versions where deleted_at is not null) limit ${limit})`)
}

export const activationsChannel = 'vostro_watchlists'

/** Tells every instance, after the commit, that another version is active. */
export function notifyInstances(tx: Tx): void {
  tx.send(write`select pg_notify(${activationsChannel}, '')`)
}

/** An arbitrary number that every Vostro must share. */
const activationKey = 5_648_769

/** Waits for all transactions that store a screening and lets no new one begin, so that every stored screening has seen the new version. */
export async function lockActivation(tx: Tx): Promise<void> {
  await tx.rows(write`select pg_advisory_xact_lock(${activationKey})`)
}

/** Keeps the active versions the same while a screening is stored. Without `wait`, returns whether the lock was free. */
export async function holdActivations(tx: Tx, wait: boolean): Promise<boolean> {
  if (wait) {
    await tx.rows(write`select pg_advisory_xact_lock_shared(${activationKey})`)
    return true
  }
  const row = await tx.first(write<{ got: boolean }>`select pg_try_advisory_xact_lock_shared(${activationKey}) as got`)
  return row?.got === true
}

/** A list with its active version. */
export type ActiveList = Pick<Watchlist, 'name' | 'purpose' | 'outside_art_5d'> & { watchlist_id: string; version_id: string }

export const selectActive = () => read<ActiveList>`
  select id as watchlist_id, name, purpose, outside_art_5d, active_version_id as version_id from watchlists
  where active_version_id is not null order by name`

/** The entries after a given one. */
export const selectEntries = (version_id: string, { after, limit }: { after: string; limit: number }) => read<Entry>`
  select entry_id as id, kind, topics, names, birth_dates, countries, identifiers from watchlist_entries
  where version_id = ${version_id} and entry_id > ${after} order by entry_id limit ${limit}`

export const selectEntryNames = (version_id: string, entry_id: string) => read<Pick<Entry, 'names'>>`
  select names from watchlist_entries where version_id = ${version_id} and entry_id = ${entry_id}`

/** The hashes of these entries of a version. */
export const selectEntryHashes = (version_id: string, entry_ids: readonly string[]) => read<{ entry_id: string; hash: string }>`
  select entry_id, hash from watchlist_entries where version_id = ${version_id} and entry_id = any(${entry_ids})`

/** An entry of a version that an earlier version did not have, or that has changed since. */
export const selectChangedEntry = (version_id: string, earlier_id: string | null) => read<{ entry_id: string }>`
  select entry_id from watchlist_entries entry where version_id = ${version_id} and not exists (
    select from watchlist_entries earlier
    where earlier.version_id = ${earlier_id} and earlier.entry_id = entry.entry_id and earlier.hash = entry.hash) limit 1`

const screeningColumns = columnsOf(Screening)
const hitColumns = columnsOf(ScreeningHit)

/** A hit as stored. `party_hash` and `entry_hash` are the pair that people clear. */
export type HitRow = ScreeningHit & { venture_id: string; screening_id: string; party_hash: string; entry_hash: string }

export function insertScreenings(tx: Tx, screenings: readonly Screening[], hits: readonly HitRow[]): void {
  if (screenings.length === 0) return
  tx.send(write`
    insert into screenings (era, xid, ${screeningColumns})
    select (select era from event_era), pg_current_xact_id(), ${screeningColumns}
    from json_populate_recordset(null::screenings, ${JSON.stringify(screenings)})`)
  if (hits.length === 0) return
  tx.send(write`
    insert into screening_hits (era, xid, ${hitColumns}, venture_id, screening_id, party_hash, entry_hash)
    select (select era from event_era), pg_current_xact_id(), ${hitColumns}, venture_id, screening_id, party_hash, entry_hash
    from json_populate_recordset(null::screening_hits, ${JSON.stringify(hits)})`)
}

const filters: Filters<ScreeningList> = {
  subject_id: equals(fragment`subject_id`),
  outcome: equals(fragment`outcome`),
}

export function selectScreenings(database: Database, venture_id: string, query: ScreeningList): Promise<Screening[]> {
  return readList(database, {
    venture_id,
    query,
    filters,
    columns: screeningColumns,
    select: (what, rest) => fragment`select ${what} from screenings where venture_id = ${venture_id} and ${rest}`,
    ordered: ['subject_id'],
    needsPieces: query.outcome !== undefined,
  })
}

export const selectScreening = (venture_id: string, id: string) => read<Screening>`
  select ${screeningColumns} from screenings where venture_id = ${venture_id} and id = ${id}`

/** The latest screening of a subject. */
export const selectLastScreening = (venture_id: string, subject_id: string) => read<Screening>`
  select ${screeningColumns} from screenings where venture_id = ${venture_id} and subject_id = ${subject_id} order by id desc limit 1`

export const selectHits = (venture_id: string, screening_id: string) => read<ScreeningHit>`
  select ${hitColumns} from screening_hits where venture_id = ${venture_id} and screening_id = ${screening_id} order by id`

const hitColumnsOf = columnsOf(ScreeningHit, 'hit')

export const selectHitsOf = (venture_id: string, subject_id: string) => read<ScreeningHit>`
  select ${hitColumnsOf} from screenings screening join screening_hits hit
    on hit.venture_id = screening.venture_id and hit.screening_id = screening.id
  where screening.venture_id = ${venture_id} and hit.venture_id = ${venture_id} and screening.subject_id = ${subject_id}
  order by hit.id`

export type Pair = { venture_id: string; party_hash: string; entry_hash: string }

/** Which of these pairs people have cleared. */
export function findClearedPairs(reader: Reader, pairs: readonly Pair[]): Promise<Pair[]> {
  return reader.rows(read<Pair>`
    select venture_id, party_hash, entry_hash from cleared_pairs
    where venture_id = any(${[...new Set(pairs.map(({ venture_id }) => venture_id))]}) and (venture_id, party_hash, entry_hash) in (
      select * from unnest(${pairs.map(({ venture_id }) => venture_id)}::uuid[], ${pairs.map(({ party_hash }) => party_hash)}::text[],
        ${pairs.map(({ entry_hash }) => entry_hash)}::text[]))`)
}

export type KnownPair = Pair & { subject_id: string }

/** The pairs that have been raised for these subjects of a venture, whatever was decided about them. */
export const selectKnownPairs = (venture_id: string, subject_ids: readonly string[]) => read<KnownPair>`
  select hit.venture_id, screening.subject_id, hit.party_hash, hit.entry_hash from screenings screening join screening_hits hit
    on hit.venture_id = screening.venture_id and hit.screening_id = screening.id
  where screening.venture_id = ${venture_id} and hit.venture_id = ${venture_id} and screening.subject_id = any(${subject_ids})`

export type DecidedHits = {
  venture_id: string
  subject_id: string
  state: 'CLEARED' | 'CONFIRMED'
  decided_by: string | null
  decided_at: string
}

/** Decides all open hits of a subject. Cleared pairs are not raised again. */
export function writeDecidedHits(tx: Tx, { venture_id, subject_id, state, decided_by, decided_at }: DecidedHits): void {
  if (state === 'CLEARED')
    tx.send(write`
      insert into cleared_pairs (venture_id, party_hash, entry_hash, hit_id, cleared_by, cleared_at)
      select distinct on (hit.party_hash, hit.entry_hash)
        hit.venture_id, hit.party_hash, hit.entry_hash, hit.id, ${decided_by}::uuid, ${decided_at}::timestamptz
      from screenings screening join screening_hits hit on hit.venture_id = screening.venture_id and hit.screening_id = screening.id
      where screening.venture_id = ${venture_id} and hit.venture_id = ${venture_id} and screening.subject_id = ${subject_id}
        and hit.state = 'OPEN'
      order by hit.party_hash, hit.entry_hash, hit.id
      on conflict (venture_id, party_hash, entry_hash) do nothing`)
  tx.send(write`
    update screening_hits hit set state = ${state}, decided_by = ${decided_by}::uuid, decided_at = ${decided_at}
    from screenings screening
    where screening.venture_id = ${venture_id} and hit.venture_id = ${venture_id} and hit.screening_id = screening.id
      and screening.subject_id = ${subject_id} and hit.state = 'OPEN'`)
}

/** How many hits a subject has. It increases with every new hit. */
export const countHitsOf = (venture_id: string, subject_id: string) => read<{ hits: number }>`
  select count(*) as hits from screenings screening join screening_hits hit
    on hit.venture_id = screening.venture_id and hit.screening_id = screening.id
  where screening.venture_id = ${venture_id} and hit.venture_id = ${venture_id} and screening.subject_id = ${subject_id}`
