// Watch lists and their versions. Importing a version changes nothing. Names are compared with it once it has been activated, which is a
// separate act, and takes two people where four-eyes approval is on.

import { readFile } from 'node:fs/promises'
import { type Approval, type ApprovalHandler, type Approvals, actOrRequest, requireSequence } from '../audit/audit.ts'
import { type By, theService } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { uuidv7 } from '../platform/ids.ts'
import { enqueue } from '../platform/jobs.ts'
import { refuse } from '../values/refusals.ts'
import { type ImportedList, importListInThread, type ToImporter, type Upload } from './lists/screening.importer.ts'
import type { Activation, NewWatchlist, VersionList, Watchlist, WatchlistVersion } from './screening.schemas.ts'
import {
  insertEntries,
  insertVersion,
  insertWatchlist,
  lockActivation,
  lockWatchlist,
  notifyInstances,
  selectVersion,
  selectVersionBySha,
  selectVersions,
  selectWatchlist,
  selectWatchlistByName,
  selectWatchlists,
  type VersionRow,
  type WatchlistRow,
  writeActivation,
} from './screening.sql.ts'

export function createWatchlist(
  database: Database,
  { name, format, purpose = 'SANCTIONS', outside_art_5d = false }: NewWatchlist,
  by: By,
): Promise<Watchlist> {
  const at = now().toISOString()
  const list: WatchlistRow = {
    id: uuidv7(),
    name,
    format,
    purpose,
    outside_art_5d,
    active_version_id: null,
    created_at: at,
    updated_at: at,
    sequence: 1,
  }
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      if (!(await insertWatchlist(tx, list))) refuse('watchlist_name_used')
      return list
    }),
  )
}

export function listWatchlists(database: Database): Promise<Watchlist[]> {
  return database.rows(selectWatchlists())
}

export async function getWatchlist(database: Database, id: string): Promise<WatchlistRow> {
  return (await database.first(selectWatchlist(id))) ?? refuse('watchlist_not_found')
}

export async function listVersions(database: Database, watchlist_id: string, query: VersionList): Promise<WatchlistVersion[]> {
  await getWatchlist(database, watchlist_id)
  return selectVersions(database, watchlist_id, query)
}

/** Imports a whole edition of a list, or nothing. */
export async function importVersion(database: Database, watchlist_id: string, upload: Upload, by: By): Promise<WatchlistVersion> {
  const { format } = await getWatchlist(database, watchlist_id)
  const list = await readList({ format, watchlist_id, source: { upload } })
  return database.transaction((tx) => accompanied(tx, by.companions, () => storeVersion(tx, watchlist_id, list, by)))
}

async function readList(wanted: ToImporter): Promise<ImportedList> {
  const read = await importListInThread(wanted)
  return read.ok ? read : refuse('watchlist_refused', { detail: read.refusal })
}

async function storeVersion(
  tx: Tx,
  watchlist_id: string,
  { chunks, sha256, entries, names, unknown_countries }: ImportedList,
  { actor }: Pick<By, 'actor'>,
): Promise<WatchlistVersion> {
  const version: VersionRow = {
    id: uuidv7(),
    watchlist_id,
    sha256,
    entries,
    names,
    unknown_countries: [...unknown_countries],
    imported_at: now().toISOString(),
    imported_by: actor.kind,
    imported_by_id: actor.id,
    activated_at: null,
    replaced_at: null,
    deleted_at: null,
  }
  if (!(await insertVersion(tx, version))) {
    const existing = await tx.first(selectVersionBySha(watchlist_id, sha256))
    refuse('watchlist_version_exists', { version_id: existing?.id ?? null })
  }
  for (const chunk of chunks) await insertEntries(tx, version.id, chunk)
  return { ...version, active: false }
}

type VersionKey = { watchlist_id: string; version_id: string }

/** With four-eyes approval, a second person must approve the activation. */
export function proposeActivation(
  approvals: Approvals,
  key: VersionKey,
  { force = false }: Activation,
  by: By,
): Promise<WatchlistVersion | Approval> {
  const payload: AgreedActivation = { watchlist_id: key.watchlist_id, force }
  const wanted = { venture_id: bankId, action: activateAction, resource_id: key.version_id, payload }
  return actOrRequest(approvals, wanted, by, (allowed) => activateVersion(approvals.database, key, force, allowed))
}

const activateAction = 'activate-watchlist'

type AgreedActivation = { watchlist_id: string; force: boolean }

/** Two people activate a version. The sequence is the list's, so nobody approves replacing a version that they did not see. */
export function watchlistApprovals(database: Database): ApprovalHandler[] {
  return [
    {
      action: activateAction,
      operations: ['activateWatchlistVersion'],
      carryOut({ resource_id: version_id, sequence, payload }, by) {
        const { watchlist_id, force } = payload as AgreedActivation
        return activateVersion(database, { watchlist_id, version_id }, force, { ...by, approved: true, sequence })
      },
    },
  ]
}

/** Compares a list with changed entries to everyone who is known. The folder `processing` runs this job. */
export const listChangedJob = 'screening.list'

export type ListChanged = { watchlist_id: string; previous_version_id: string | null }

/** Activates a version, with the authority of two people or without four-eyes approval. A version that is already active is left as it is. */
function activateVersion(database: Database, key: VersionKey, force: boolean, by: By): Promise<WatchlistVersion> {
  return database.transaction((tx) => accompanied(tx, by.companions, () => activate(tx, key, force, by)))
}

async function activate(tx: Tx, { watchlist_id, version_id }: VersionKey, force: boolean, by: By): Promise<WatchlistVersion> {
  await lockActivation(tx)
  const list = (await tx.first(lockWatchlist(watchlist_id))) ?? refuse('watchlist_not_found')
  requireSequence(list, by.sequence)
  const version = (await tx.first(selectVersion(watchlist_id, version_id))) ?? refuse('watchlist_version_not_found')
  if (version.active) return version
  if (version.deleted_at !== null) refuse('watchlist_version_deleted')
  const { active_version_id } = list
  const before = active_version_id === null ? undefined : await tx.first(selectVersion(watchlist_id, active_version_id))
  if (before !== undefined && !force) requireSize(version, before)
  if (!by.approved) refuse('approval_required', { sequence: list.sequence })
  const at = now().toISOString()
  writeActivation(tx, { watchlist_id, version_id, replaced_id: active_version_id, now: at, sequence: list.sequence + 1 })
  const changed: ListChanged = { watchlist_id, previous_version_id: active_version_id }
  await enqueue(tx, listChangedJob, changed)
  notifyInstances(tx)
  return { ...version, activated_at: at, active: true }
}

/**
 * A file that was cut off at a line end looks like a list from which many entries were removed. If a file of aliases is cut off or missing,
 * all entries are there, but names are missing.
 */
function requireSize(version: WatchlistVersion, active: WatchlistVersion): void {
  for (const what of ['entries', 'names'] as const) {
    const [now, before] = [version[what], active[what]]
    if (now * 5 > before * 4) continue
    const share = Math.floor(((before - now) * 100) / before)
    refuse('watchlist_shrunk', {
      detail: `The version has ${now} ${what}, ${share} % fewer than the ${before} of the active one.`,
      entries: version.entries,
      active_entries: active.entries,
      names: version.names,
      active_names: active.names,
    })
  }
}

const sandboxFile = new URL('./lists/screening.sandbox.csv', import.meta.url)
export const sandboxList = 'sandbox'

/** The sandbox has a list from its first start, so that everything runs without set-up. Several instances may do this concurrently. */
export async function provideSandboxList(database: Database): Promise<void> {
  if ((await database.first(selectWatchlistByName(sandboxList))) !== undefined) return
  const [format, watchlist_id] = ['OPENSANCTIONS', uuidv7()] as const
  const list = await readList({ format, watchlist_id, source: { files: { list: await readFile(sandboxFile) } } })
  const at = now().toISOString()
  const row: WatchlistRow = {
    id: watchlist_id,
    name: sandboxList,
    format,
    purpose: 'SANCTIONS',
    outside_art_5d: false,
    active_version_id: null,
    created_at: at,
    updated_at: at,
    sequence: 1,
  }
  await database.transaction(async (tx) => {
    // The second instance waits here for the first, and finds the complete list.
    if (!(await insertWatchlist(tx, row))) return
    const { id: version_id } = await storeVersion(tx, watchlist_id, list, { actor: theService })
    await activate(tx, { watchlist_id, version_id }, false, { actor: theService, approved: true })
  })
}
