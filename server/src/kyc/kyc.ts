// Identity verification: opens an application at the verifier, and receives signed events about its progress.

import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { type ClientRow, enqueueHold, getClient, getLockedClient, type KycStatus, saveClient } from '../clients/clients.ts'
import { findOnboarding, getOnboardingDetails, openApplicationJob, saveApplication } from '../onboarding/onboarding.ts'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { enqueue, type Handlers } from '../platform/jobs.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import { isManaged } from '../ventures/ventures.ts'
import type { ConflictingEvent, Envelope, KycEvent, KycMove, OperatorList, UnmatchedEvent } from './kyc.schemas.ts'
import {
  findByApplication,
  findByClient,
  findConclusion,
  findKycEvent,
  insertConflict,
  insertKycEvent,
  lockApplication,
  matchWaitingEvents,
  type NewKycEvent,
  type Recorded,
  relay,
  type Subject,
  selectAppliedEvents,
  selectConflicts,
  selectKycMoves,
  selectUnmatched,
  writeConclusion,
} from './kyc.sql.ts'
import { conclude, kycEventTypes, type RecordedEvent, walkTo } from './kyc.status.ts'
import type { Verifier } from './kyc.verifier.ts'

/** The sender of an event: a venture, which may only report on its own clients, or the verifier's relay. */
export type Sender = { venture_id: string } | 'relay'

export async function receiveKycEvent(
  { database, verifier }: { database: Database; verifier: Verifier },
  sender: Sender,
  { headers, bytes }: { headers: IncomingHttpHeaders; bytes: Uint8Array },
  companions?: Companions,
): Promise<KycEvent> {
  const envelope = verifier.readEvent(headers, bytes)
  requirePast(envelope.created_at)
  const received_by = sender === 'relay' ? relay : sender.venture_id
  const { event, conflicts } = await database.transaction((tx) =>
    accompanied(tx, companions, () => recordEvent(tx, { envelope, sender, received_by, headers, bytes })),
  )
  // Refused only now, because the conflicting event is kept too.
  if (conflicts)
    refuse('kyc_event_conflict', { detail: `An event with the id ${event.id} but different content has already been recorded.` })
  return event
}

/** A verifier's clock may differ by as much as a signature may be old. */
const clockTolerance_ms = 5 * 60_000

function requirePast(created_at: string): void {
  if (Date.parse(created_at) > now().getTime() + clockTolerance_ms)
    refuseField('created_at', "must not be in the future; check the verifier's clock")
}

type Delivery = { envelope: Envelope; sender: Sender; received_by: string; headers: IncomingHttpHeaders; bytes: Uint8Array }

async function recordEvent(
  tx: Tx,
  { envelope, sender, received_by, headers, bytes }: Delivery,
): Promise<{ id: string; event: KycEvent; conflicts: boolean }> {
  const { id, type, application_id = null, client_id: subject_id = null } = envelope
  const known = isKnown(type)
  if (application_id !== null) await lockApplication(tx, application_id)
  const subject = known ? await findSubject(tx, envelope, sender) : undefined
  // Locked before the event is written, so that the second of two events of a client sees the first.
  const verified = subject && (await lockVerified(tx, subject))
  const event: KycEvent = {
    id,
    type,
    verdict: !known ? 'IGNORED' : subject ? 'APPLIED' : 'UNMATCHED',
    client_id: subject?.client_id ?? null,
    received_at: now().toISOString(),
  }
  const row: NewKycEvent = {
    ...event,
    received_by,
    sequence: envelope.sequence ?? null,
    created_at: envelope.created_at,
    application_id,
    subject_id,
    data: envelope.data ?? {},
    raw: bytes,
    headers: signatureHeaders(headers),
    venture_id: subject?.venture_id ?? null,
  }
  if ((await insertKycEvent(tx, row)) === 0) {
    const before = (await findKycEvent(tx, received_by, id)) as Recorded
    const conflicts = !isDeepStrictEqual(contentOf(row), contentOf(before))
    if (conflicts) insertConflict(tx, row)
    return { id, event: before, conflicts }
  }
  if (verified && known) await applyEvents(tx, verified, [recorded(envelope)])
  return { id, event, conflicts: false }
}

/** The content of an event, however its bytes were wrapped or spaced. */
function contentOf({
  type,
  sequence,
  created_at,
  application_id,
  subject_id,
  data,
}: Pick<NewKycEvent, keyof NewKycEvent & keyof Recorded>) {
  return { type, sequence, created_at_ms: Date.parse(created_at), application_id, subject_id, data }
}

function isKnown(type: string): type is RecordedEvent['type'] {
  return kycEventTypes.some((known) => known === type)
}

function recorded({ id, type, sequence, created_at, data }: Envelope): RecordedEvent {
  return { id, type: type as RecordedEvent['type'], sequence: sequence ?? null, created_at, data: data ?? {} }
}

/** Finds the client of an event. If the event names an application and a client that do not belong together, it matches no client. */
async function findSubject(tx: Tx, { application_id, client_id }: Envelope, sender: Sender): Promise<Subject | undefined> {
  const named = client_id ? await findByClient(tx, client_id) : undefined
  const applicant = application_id ? await findByApplication(tx, application_id) : undefined
  const disagree =
    client_id && applicant !== undefined ? applicant.client_id !== named?.client_id : await hasOther(tx, named, application_id)
  const subject = disagree ? undefined : (applicant ?? named)
  return sender === 'relay' || subject?.venture_id === sender.venture_id ? subject : undefined
}

/** Whether a client has another application than the given one, which is still unknown. */
async function hasOther(tx: Tx, client: Subject | undefined, application_id: string | null | undefined): Promise<boolean> {
  if (client === undefined || application_id == null) return false
  const onboarding = await findOnboarding(tx, client.venture_id, client.client_id)
  return onboarding?.kyc_application_id != null && onboarding.kyc_application_id !== application_id
}

/** The headers that prove the event's origin are stored with it. Keys are not stored. */
function signatureHeaders(headers: IncomingHttpHeaders): object {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /^(webhook-|x-payload-digest|content-type$)/.test(name)))
}

/** A locked client, and whether the bank processes its venture's transfers. */
type Verified = { client: ClientRow; managed: boolean }

/** Locks the venture before the client. */
async function lockVerified(tx: Tx, { venture_id, client_id }: Subject): Promise<Verified> {
  const managed = await isManaged(tx, venture_id)
  return { client: await getLockedClient(tx, venture_id, client_id), managed }
}

/** Updates the client to the status derived from all of its events. `arrived`: the new ones. */
async function applyEvents(tx: Tx, { client, managed }: Verified, arrived: readonly RecordedEvent[]): Promise<void> {
  const subject = { venture_id: client.venture_id, client_id: client.id }
  const [events, onboarding, before] = await Promise.all([
    selectAppliedEvents(tx, subject),
    findOnboarding(tx, subject.venture_id, subject.client_id),
    findConclusion(tx, subject),
  ])
  const { status, risk_level, note, hit } = conclude(startOf(client, onboarding), events)
  let current = client
  // A value from the verifier applies when it changes; otherwise, an edit by the venture stays.
  if (risk_level !== null && risk_level !== before?.risk_level) current = { ...current, risk_level }
  if (note !== null && note !== before?.note) current = { ...current, kyc_note: note }
  if (arrived.some(({ type }) => type === 'watchlist.hit')) {
    const blacklisted_by_bank = managed || current.blacklisted_by_bank
    current = {
      ...current,
      is_blacklisted: true,
      blacklisted_by_bank,
      blacklisted_comment: hit?.data.note ?? 'A watchlist has this person.',
    }
    // The bank keeps the blacklist of a managed venture, so a hit has the same effect as a blacklisting by a person of the bank.
    if (managed && !client.blacklisted_by_bank) await enqueueHold(tx, subject)
  }
  await writeConclusion(tx, subject, { risk_level, note })
  const moves = walkTo(client.kyc_status, status)
  for (const kyc_status of moves) current = await saveMove(tx, current, kyc_status)
  if (moves.length === 0 && current !== client) await saveClient(tx, current, 'client.updated')
}

async function saveMove(tx: Tx, client: ClientRow, kyc_status: KycStatus): Promise<ClientRow> {
  const next = { ...client, kyc_status }
  await saveClient(tx, next, 'client.kyc_updated', client.kyc_status)
  return { ...next, sequence: client.sequence + 1 }
}

function startOf(client: ClientRow, onboarding: { kyc_application_id: string | null } | undefined): KycStatus {
  if (onboarding === undefined) return client.kyc_level === 'NOT_REQUIRED' ? 'NOT_STARTED' : 'CREATED'
  return onboarding.kyc_application_id === null ? 'CREATED' : 'PROCESSING'
}

const verifierWait_ms = 3_600_000

/** The job of a submission: opens the application, stores it, and applies the events that arrived before the verifier's response. */
export function kycJobs({ database, verifier }: { database: Database; verifier: Verifier }): Handlers {
  /** A verifier may be configured later. Nothing waits for it once the bank has learned the status of the client in another way. */
  const waitForVerifier = async (subject: Subject, kyc_status: KycStatus): Promise<void> => {
    if (kyc_status === 'CREATED') await database.transaction((tx) => enqueue(tx, openApplicationJob, subject, verifierWait_ms))
  }
  return {
    [openApplicationJob]: {
      // No submission is given up, however long the verifier is down.
      attempts: Number.POSITIVE_INFINITY,
      async run({ venture_id, client_id }: Subject) {
        const [client, details] = await Promise.all([
          getClient(database, venture_id, client_id),
          getOnboardingDetails(database, venture_id, client_id),
        ])
        if (details.kyc_application_id !== null) return
        if (verifier.openApplication === undefined) return waitForVerifier({ venture_id, client_id }, client.kyc_status)
        const application = await verifier.openApplication({ client, details })
        await database.transaction((tx) => storeApplication(tx, { venture_id, client_id }, application))
      },
    },
  }
}

async function storeApplication(tx: Tx, subject: Subject, application: { id: string; link: string }): Promise<void> {
  await lockApplication(tx, application.id)
  const verified = await lockVerified(tx, subject)
  const onboarding = await findOnboarding(tx, subject.venture_id, subject.client_id)
  if (onboarding === undefined || onboarding.kyc_application_id !== null) return
  await saveApplication(tx, onboarding, application)
  await applyEvents(tx, verified, await matchWaitingEvents(tx, application.id, subject))
}

/** For the operator: events that match no client. */
export function listUnmatchedKycEvents(database: Database, query: OperatorList): Promise<UnmatchedEvent[]> {
  return selectUnmatched(database, query)
}

/** For the operator: events with the id of another event. */
export function listConflictingKycEvents(database: Database, query: OperatorList): Promise<ConflictingEvent[]> {
  return selectConflicts(database, query)
}

/** The history of a client's verification. Every client has at least its registration. */
export async function listKycHistory(database: Database, venture_id: string, client_id: string): Promise<KycMove[]> {
  const moves = await selectKycMoves(database, { venture_id, client_id })
  if (moves.length === 0) await getClient(database, venture_id, client_id)
  return moves
}
