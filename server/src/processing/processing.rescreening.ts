// Screens known parties again: clients and beneficiaries when they are created or changed, and everyone when a list changes. New hits open a
// case; an unsent payment is stopped. processing.runs.ts compares everyone each day.

import { decidingSequence } from '../audit/audit.ts'
import { findBeneficiaries } from '../beneficiaries/beneficiaries.ts'
import { type NewCase, openingCase } from '../cases/cases.ts'
import { screenJob, type ToScreen } from '../clients/clients.ts'
import { theService } from '../platform/actor.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import { enqueue, type Handlers } from '../platform/jobs.ts'
import { policyOf } from '../policies/policies.ts'
import {
  type Compared,
  type Comparison,
  compareSubjects,
  countingLists,
  findActiveLists,
  type HitRow,
  type ListChanged,
  listChangedJob,
  type ScreeningCause,
  type ScreeningPolicy,
  type Subject,
  type SubjectKind,
  selectChangedEntry,
  selectEntryHashes,
  selectKnownPairs,
  storing,
  withHits,
} from '../screening/screening.ts'
import { nameHit } from '../transfers/life/transfers.cases.ts'
import { isUnderReview, type TransferStatus } from '../transfers/life/transfers.status.ts'
import { findStandings, type Transfers, updateTransfer } from '../transfers/transfers.ts'
import { Refusal, type RefusalCode } from '../values/refusals.ts'
import { listManagedIds } from '../ventures/ventures.ts'
import { caseAbout, urgencyOf } from './processing.cases.ts'
import { isOfClient, subjectOfBeneficiary, subjectOfClient, type TransferRow } from './processing.parties.ts'
import { subjectsOf } from './processing.screener.ts'
import { type Part, selectBeneficiaryKeys, selectClientParties, selectClientParty, selectUnfinished } from './processing.sql.ts'

export type Rescreening = { database: Database; transfers: Transfers; comparison: Comparison }

/** Payments first, because they can still be stopped. */
const kinds: readonly SubjectKind[] = ['transfer', 'client', 'beneficiary']

const perStep = 200
const first = '00000000-0000-0000-0000-000000000000'

/** Where a comparison of all subjects of a venture begins. */
export const firstPlace = { kind: kinds[0] as SubjectKind, after: first }

/** How far the comparison of a venture with a changed list has got. */
type Place = ListChanged & { venture_id: string; kind: SubjectKind; after: string }

/** The delay after the n-th failed attempt. */
export const retryDelay_ms = (attempt: number): number => Math.min(1_000 * 2 ** (attempt - 1), 60_000)

export function rescreeningJobs(rescreening: Rescreening): Handlers {
  const delay_ms = retryDelay_ms
  return {
    // A party on a new list must not be missed, however long it takes.
    [listChangedJob]: {
      attempts: Number.POSITIVE_INFINITY,
      delay_ms,
      run: (job: ListChanged | Place) => ('venture_id' in job ? rescreenPart(rescreening, job) : beginRescreening(rescreening, job)),
    },
    [screenJob]: { attempts: Number.POSITIVE_INFINITY, delay_ms, run: (subject: ToScreen) => screenOne(rescreening, subject) },
  }
}

/** One job for each venture, so that they take turns. None if no entry is new. */
async function beginRescreening({ database }: Rescreening, changed: ListChanged): Promise<void> {
  const list = (await findActiveLists(database)).find(({ watchlist_id }) => watchlist_id === changed.watchlist_id)
  if (list === undefined) return
  if ((await database.first(selectChangedEntry(list.version_id, changed.previous_version_id))) === undefined) return
  const ventures = await listManagedIds(database)
  await database.transaction(async (tx) => {
    for (const venture_id of ventures) await enqueue(tx, listChangedJob, { ...changed, venture_id, kind: 'transfer', after: first })
  })
}

/**
 * Compares some subjects of a venture with the active version of the list, which may be newer than the one that started this. A hit counts
 * if the version before the change did not have the entry.
 */
async function rescreenPart(rescreening: Rescreening, place: Place): Promise<void> {
  const { database, comparison } = rescreening
  const { venture_id, watchlist_id, previous_version_id, kind, after } = place
  const policy = await policyOf(database, venture_id)
  const list = (await findActiveLists(database)).find((one) => one.watchlist_id === watchlist_id)
  if (list === undefined) return
  if (!comparison.lists.current.some(({ version_id }) => version_id === list.version_id)) throw new Error('the list is not loaded yet')
  // The list does not apply to the venture, or applies only together with one that is missing; in that case no payment passes.
  if (countingLists(comparison.lists.current, policy, watchlist_id).length === 0) return
  const { subjects, last } = await readPart(rescreening, kind, { venture_id, after, limit: perStep }, policy)
  // While a list of the policy was missing, nobody was compared with the others either.
  const only = previous_version_id === null ? {} : { only: watchlist_id }
  const compared = await compareAll(comparison, subjects, { cause: 'list', ...only })
  await raiseNew(rescreening, venture_id, await changedOnly(database, compared, previous_version_id))
  const next = placeAfter(kind, last)
  if (next !== undefined) await database.transaction((tx) => enqueue(tx, listChangedJob, { ...place, ...next }))
}

/** Where the next part begins. `last`: the last subject of a part that may not be the last of its kind. */
export function placeAfter(kind: SubjectKind, last: string | undefined): Pick<Place, 'kind' | 'after'> | undefined {
  if (last !== undefined) return { kind, after: last }
  const next = kinds[kinds.indexOf(kind) + 1]
  return next === undefined ? undefined : { kind: next, after: first }
}

/** Only hits with entries that a version did not have. Without a version all entries are new, and unreadable names are raised as well. */
async function changedOnly(database: Database, all: readonly Compared[], version_id: string | null): Promise<Compared[]> {
  if (version_id === null) return [...all]
  const ids = new Set(all.flatMap(({ hits }) => hits.flatMap(({ entry_id }) => entry_id ?? [])))
  if (ids.size === 0) return []
  const before = new Map((await database.rows(selectEntryHashes(version_id, [...ids]))).map(({ entry_id, hash }) => [entry_id, hash]))
  return all.map((one) =>
    withHits(
      one,
      one.hits.filter(({ reason, entry_id, entry_hash }) => reason === 'entry' && before.get(entry_id ?? '') !== entry_hash),
    ),
  )
}

type PartOfSubjects = { subjects: Subject[]; last: string | undefined }

/** `last`: the last id of the part if there may be more. */
export async function readPart(rescreening: Rescreening, kind: SubjectKind, part: Part, policy: ScreeningPolicy): Promise<PartOfSubjects> {
  const { database, transfers } = rescreening
  const { venture_id, limit } = part
  const lastOf = (rows: readonly { id: string }[]) => (rows.length < limit ? undefined : rows.at(-1)?.id)
  if (kind === 'client') {
    const clients = await selectClientParties(database, part)
    return { subjects: clients.map((client) => subjectOfClient(venture_id, client, policy)), last: lastOf(clients) }
  }
  if (kind === 'beneficiary') {
    const keys = await selectBeneficiaryKeys(database, part)
    const rows = await findBeneficiaries(database, keys)
    return { subjects: rows.map((row) => subjectOfBeneficiary(venture_id, row, policy)), last: lastOf(keys) }
  }
  const keys = await selectUnfinished(database, part)
  const standings = await findStandings(transfers, keys)
  return {
    subjects: await subjectsOf(
      database,
      standings.map(({ transfer }) => ({ transfer, policy })),
    ),
    last: lastOf(keys),
  }
}

/** A payment that is screened meanwhile waits for no more comparisons than these. */
const atOnce = 50

/** Throws if the lists are not loaded, so that the job is retried. */
export async function compareAll(
  comparison: Comparison,
  subjects: readonly Subject[],
  request: { cause: ScreeningCause; only?: string },
): Promise<Compared[]> {
  const all: Compared[] = []
  for (let from = 0; from < subjects.length; from += atOnce)
    for (const one of await compareSubjects(comparison, subjects.slice(from, from + atOnce), request)) {
      if (one === undefined) throw new Error('the lists are not loaded yet')
      all.push(one)
    }
  return all
}

/** Screens a party that was just created or changed. Without an active list there is nothing to compare with: the first one screens everyone. */
async function screenOne(rescreening: Rescreening, { venture_id, kind, id, cause }: ToScreen): Promise<void> {
  const { database, comparison } = rescreening
  const policy = await policyOf(database, venture_id)
  if (countingLists(await findActiveLists(database), policy).length === 0) return
  const subject = await findSubject(database, { venture_id, kind, id }, policy)
  if (subject === undefined) return
  const compared = await compareAll(comparison, [subject], { cause })
  const [one] = await newOnly(database, venture_id, compared)
  if (one !== undefined) await raise(rescreening, one)
}

async function findSubject(
  database: Database,
  { venture_id, kind, id }: Omit<ToScreen, 'cause'>,
  policy: ScreeningPolicy,
): Promise<Subject | undefined> {
  if (kind === 'client') {
    const client = await database.first(selectClientParty(venture_id, id))
    return client && subjectOfClient(venture_id, client, policy)
  }
  const [beneficiary] = await findBeneficiaries(database, [{ venture_id, id }])
  return beneficiary && subjectOfBeneficiary(venture_id, beneficiary, policy)
}

/** Without the pairs raised for the subject before, whatever was decided about them. */
async function newOnly(database: Database, venture_id: string, all: readonly Compared[]): Promise<Compared[]> {
  const hit = all.filter(({ hits }) => hits.length > 0)
  const nameOf = (subject_id: string, { party_hash, entry_hash }: Pick<HitRow, 'party_hash' | 'entry_hash'>) =>
    `${subject_id} ${party_hash} ${entry_hash}`
  const subjects = hit.map(({ screening }) => screening.subject_id)
  const pairs = subjects.length === 0 ? [] : await database.rows(selectKnownPairs(venture_id, subjects))
  const known = new Set(pairs.map((pair) => nameOf(pair.subject_id, pair)))
  return all.map((one) =>
    withHits(
      one,
      one.hits.filter((pair) => !known.has(nameOf(one.screening.subject_id, pair))),
    ),
  )
}

export async function raiseNew(rescreening: Rescreening, venture_id: string, all: readonly Compared[]): Promise<void> {
  const found = (await newOnly(rescreening.database, venture_id, all)).filter(({ hits }) => hits.length > 0)
  for (const one of found) await raise(rescreening, one)
}

/** Stores a screening, and acts on its hits. */
async function raise(rescreening: Rescreening, compared: Compared): Promise<void> {
  const { screening, hits } = compared
  if (hits.length > 0 && screening.subject_kind === 'transfer' && (await stop(rescreening, compared))) return
  const { venture_id, id, subject_id: resource_id, subject_kind } = screening
  const { outcome } = screening
  const isUrgent = outcome === 'BLOCK'
  const payload = { subject_kind, screening_id: id, outcome, proposes: isUrgent && subject_kind === 'client' ? 'freeze' : null }
  const newCase: NewCase = { venture_id, kind: nameHit, resource_id, payload, ...urgencyOf(outcome) }
  const opened = hits.length === 0 ? [] : [await openingCase(rescreening, newCase)]
  await rescreening.database.transaction((tx) => accompanied(tx, [storing(compared), ...opened], async () => ({ id })))
}

/** How a payment returns to a status in which people look at it. Sent payments, and those past screening, stay where they are. */
const toReview: Partial<Record<TransferStatus, readonly [TransferStatus, ...TransferStatus[]]>> = {
  TO_RESERVE: ['ON_HOLD', 'REVIEW'],
  RESERVED: ['REVIEW'],
  AML_APPROVED: ['ON_HOLD', 'REVIEW'],
  READY_TO_CLEAR: ['ON_HOLD', 'REVIEW'],
  SENT_TO_PACK: ['READY_TO_CLEAR', 'ON_HOLD', 'REVIEW'],
  PACKED: ['READY_TO_CLEAR', 'ON_HOLD', 'REVIEW'],
  TO_RESEND: ['READY_TO_CLEAR', 'ON_HOLD', 'REVIEW'],
  ON_HOLD: ['REVIEW'],
  SOME_PROBLEMS: ['REVIEW'],
  // People may send it on from here, and the table has no shorter way.
  MANUAL_ACTION: ['READY_FOR_SCREENING', 'BLACKLIST_SCANNING', 'REVIEW'],
}

/** The payment was moved, or its case decided, in the meantime. */
const changed: readonly RefusalCode[] = ['resource_changed', 'case_decided']

/** Returns false if the payment cannot be stopped. One that has just moved is looked at again when the job is retried. */
async function stop(rescreening: Rescreening, compared: Compared): Promise<boolean> {
  const { database, transfers } = rescreening
  const { venture_id, subject_id: id, outcome } = compared.screening
  const [standing] = await findStandings(transfers, [{ venture_id, id }])
  if (standing === undefined) return false
  const { transfer } = standing
  // It already waits to be screened again with the current lists.
  if (isUnscreened(transfer)) return true
  const policy = await policyOf(database, venture_id)
  const hits_client = compared.hits.some((hit) => isOfClient(transfer, hit))
  const newCase = caseAbout({ kind: 'hit', transfer, policy, screening: outcome, hits_client, alerts: [] })
  const companions = [storing(compared), await openingCase(rescreening, newCase)]
  const request = { venture_id, transfer_id: id, sequence: decidingSequence(transfer), actor: theService, companions }
  const update = updateToReview(transfer)
  if (update === undefined) return false
  try {
    await updateTransfer(transfers, { ...request, ...update })
    return true
  } catch (error) {
    if (error instanceof Refusal && !changed.includes(error.code)) return false
    throw error
  }
}

const isUnscreened = (transfer: TransferRow) => !transfer.screened && !isUnderReview(transfer)

/** A payment that people are already looking at gets a new sequence, so that nobody approves what the first of them has not seen. */
function updateToReview(transfer: TransferRow): Pick<Parameters<typeof updateTransfer>[1], 'update' | 'steps' | 'finding'> | undefined {
  if (isUnderReview(transfer)) return { update: {}, finding: true }
  const { status, sent } = transfer
  const status_reason = 'The payment is under review.'
  const [next, ...steps] = (!sent && toReview[status]) || []
  return next === undefined ? undefined : { update: { status: next, status_reason }, steps }
}
