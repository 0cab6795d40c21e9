// Four-eyes approval: actions that protect take effect immediately, actions that release need two people. One person requests, another approves, and
// the approval takes effect in the transaction of the action. This file only knows actions and payloads; the folders that own the actions
// provide the handlers.

import type { Actor, By } from '../platform/actor.ts'
import { boundId } from '../platform/bound-id.ts'
import { now } from '../platform/clock.ts'
import { type AcquireResult, accompanied, type CompanionKind, type Companions, companion } from '../platform/companions.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { hashOf } from '../platform/idempotency/idempotency.ts'
import { catalogue, either, Refusal, refuse } from '../values/refusals.ts'
import {
  countOpen,
  type Decision,
  decideApproval,
  expireOthers,
  holdPeople,
  insertApproval,
  lockApprovals,
  selectApproval,
  selectApprovals,
  selectDecided,
  selectPending,
  selectWaiting,
  type Waiting,
  withdrawAll,
  writeDecision,
} from './audit.approvals.sql.ts'
import { concerning } from './audit.log.ts'
import type { Approval, ApprovalList, DecidedApproval, StoredApproval } from './audit.schemas.ts'

export type ApprovedRequest = Pick<Approval, 'venture_id' | 'resource_id' | 'sequence' | 'payload'>

/**
 * Carries out what a second person has approved. It passes the companions to the transaction of the effect and, while the resource is
 * locked, refuses if the sequence of the resource is no longer that of the approval (`requireSequence`).
 */
export type ApprovalHandler = {
  action: string
  /** The operations that request the action. Both people need a role that may call every one of them. */
  operations: readonly [string, ...string[]]
  carryOut(approval: ApprovedRequest, by: By): Promise<{ id: string }>
}

/** What approvals need to know about people. When a transaction asks, the answers are as of that transaction. */
export type ApprovalPeople = {
  /** The role of an active person of the bank; undefined for anyone else. */
  roleOf(reader: Reader, id: string): Promise<string | undefined>
  /** The bank roles that may call an operation. */
  rolesFor(operation: string): readonly string[]
  /** Whether the two count as one person. */
  areRelated(reader: Reader, one: string, other: string): Promise<boolean>
  /** For each of these people, the roles of everyone else at the bank who does not count as one person with them. */
  rolesBeside(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
}

export type Approvals = {
  database: Database
  /** Whether anything needs a second person. */
  fourEyes: boolean
  handlers: Readonly<Record<string, ApprovalHandler>>
  people: ApprovalPeople
}

/** How long a request can wait for its second person. */
const open_ms = 72 * 3_600_000

/** How many open requests a person can have. An approver with a thousand small requests to read would read none of them. */
const mostOpen = 50

export type NewRequest = Pick<Approval, 'venture_id' | 'action' | 'resource_id' | 'sequence' | 'payload'> &
  Partial<Pick<Approval, 'subject' | 'reference'>>

/**
 * Asks for a second person. Nothing else happens until a second person approves. If an open request has the same reference, its approval is
 * returned.
 */
export async function requestApproval(approvals: Approvals, request: NewRequest, by: By): Promise<Approval> {
  const { database, handlers } = approvals
  if (handlers[request.action] === undefined) throw new Error(`no handler carries out ${request.action}`)
  const at_ms = now().getTime()
  const { venture_id, action, resource_id, sequence, payload, subject = null, reference = null } = request
  const maker_id = requirePerson(by.actor)
  const approval: StoredApproval = {
    ...request,
    // The audit entry of the decision names this id, and with it what was approved and who requested it.
    id: boundId(venture_id, action, resource_id, JSON.stringify(payload), String(sequence), maker_id, ...seenIn(subject)),
    payload_hash: hashOf(payload),
    subject,
    subject_hash: subject && hashOf(subject),
    reference,
    maker_id,
    checker_id: null,
    state: 'PENDING',
    reason: null,
    reason_code: null,
    created_at: new Date(at_ms).toISOString(),
    expires_at: new Date(at_ms + open_ms).toISOString(),
    decided_at: null,
  }
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      tx.evidence = selectApproval(approval.id)
      await expireOthers(tx, approval)
      if (!(await insertApproval(tx, approval))) {
        const pending = await tx.first(selectPending(approval))
        if (pending !== undefined && isRepeated(approval, pending)) return withApprovers(approvals, tx, pending)
        refuse('approval_pending', { approval_id: pending?.id ?? null })
      }
      if ((await countOpen(tx, approval)) > mostOpen) refuse('too_many_requests_open')
      return withApprovers(approvals, tx, approval)
    }),
  )
}

/** The id of an approval is also bound to its subject. Older requests had no subject. */
const seenIn = (subject: Approval['subject']): string[] => (subject === null ? [] : [JSON.stringify(subject)])

const isRepeated = ({ action, reference, payload_hash }: StoredApproval, pending: StoredApproval): boolean =>
  reference !== null && pending.reference === reference && pending.action === action && pending.payload_hash === payload_hash

/** The admin key does not belong to a person, so it can be neither of the two people. */
export function requirePerson({ kind, id }: Actor): string {
  return kind === 'operator' && id !== null ? id : refuse('person_needed')
}

export async function getApproval(approvals: Approvals, id: string): Promise<Approval> {
  return withApprovers(approvals, approvals.database, await findApproval(approvals, id))
}

async function findApproval({ database }: Approvals, id: string): Promise<StoredApproval> {
  return current((await database.first(selectApproval(id))) ?? refuse('approval_not_found'))
}

export async function listApprovals(approvals: Approvals, query: ApprovalList, asking: Actor): Promise<Approval[]> {
  const { database } = approvals
  const stuck = query.stuck === undefined ? [] : await findStuck(approvals)
  const found = (await selectApprovals(database, query, { asking: asking.id, stuck })).map(current)
  const approversOf = await countApprovers(approvals, database, found)
  return found.map((approval) => ({ ...approval, approvers: approversOf(approval) }))
}

async function withApprovers(approvals: Approvals, reader: Reader, approval: StoredApproval): Promise<Approval> {
  const approversOf = await countApprovers(approvals, reader, [approval])
  return { ...approval, approvers: approversOf(approval) }
}

/** The open requests that nobody could approve. That depends only on the maker and the action. */
async function findStuck(approvals: Approvals): Promise<Waiting[]> {
  const { database } = approvals
  const waiting = await selectWaiting(database)
  const approversOf = await countApprovers(approvals, database, waiting)
  return waiting.filter((request) => approversOf(request) === 0)
}

/** How many people could approve an open request. At 0, the maker has to know that nobody can decide it. Null if it is no longer open. */
async function countApprovers(
  { handlers, people }: Approvals,
  reader: Reader,
  all: readonly Waiting[],
): Promise<(request: Waiting) => number | null> {
  const makers = new Set(all.filter(({ state }) => state === 'PENDING').map(({ maker_id }) => maker_id))
  const rolesBeside = makers.size === 0 ? new Map<string, string[]>() : await people.rolesBeside(reader, [...makers])
  return ({ action, maker_id, state }) => {
    if (state !== 'PENDING') return null
    const handler = handlers[action]
    const roles = handler === undefined ? [] : rolesFor(people, handler)
    return (rolesBeside.get(maker_id) ?? []).filter((role) => roles.includes(role)).length
  }
}

/** The approval with its current state: nothing is written when a request expires. */
function current(approval: StoredApproval): StoredApproval {
  return isExpired(approval) ? { ...approval, state: 'EXPIRED' } : approval
}

const isExpired = ({ state, expires_at }: StoredApproval): boolean => state === 'PENDING' && Date.parse(expires_at) <= now().getTime()

/**
 * The approval is a companion of the effect, so both are one transaction. If the effect is refused, the approval has FAILED, and nothing
 * else has happened. Errors that leave the outcome unknown or may be retried are passed on, and the approval stays open.
 */
export async function approve(approvals: Approvals, id: string, by: By): Promise<DecidedApproval> {
  const { approval, person_id: checker_id, companions } = await requireDecidable(approvals, id, by)
  if (approval.maker_id === checker_id) refuse('own_approval')
  const fail = (reason: string, code: string | null = null) =>
    end(approvals, { ...decisionOf(approval, 'FAILED', checker_id, reason), reason_code: code }, companions)
  const handler = approvals.handlers[approval.action]
  if (handler === undefined) return fail(`This version of the service cannot carry out ${approval.action}.`)
  const decision = decisionOf(approval, 'APPROVED', checker_id, null)
  const allow = (reader: Reader) => requirePeople(reader, approvals.people, { approval, handler, checker_id })
  const [witness, wasSeen] = witnessOf(approval)
  try {
    await allow(approvals.database)
    if (hashOf(approval.payload) !== approval.payload_hash) return await fail('The payload is not what the maker requested.')
    if (approval.subject !== null && hashOf(approval.subject) !== approval.subject_hash)
      return await fail('The subject is not what would have been done when the request was made.')
    const result = await handler.carryOut(approval, {
      actor: by.actor,
      maker_id: approval.maker_id,
      approval_id: approval.id,
      witness,
      companions: [...(companions ?? []), companion(approvalDecisions, { ...decision, wasSeen, allow })],
    })
    return { ...approval, ...decision, approvers: null, result }
  } catch (error) {
    const isOver = error instanceof Refusal && isFinal(error) && error.code !== 'approval_not_pending' && !(error instanceof NotByThem)
    if (!isOver) throw error
    return fail(error.message, error.code)
  }
}

/** Refuses what the second person has not seen. `wasSeen`: whether the witness was called. */
function witnessOf({ subject_hash }: StoredApproval): [witness: (subject: object) => void, wasSeen: () => boolean] {
  let isSeen = subject_hash === null
  const witness = (subject: object) => {
    if (subject_hash !== null && hashOf(subject) !== subject_hash) {
      refuse('resource_changed', {
        detail:
          'What would be done now is not what was requested, because the payee, an amount or something else has changed. Request it again.',
      })
    }
    isSeen = true
  }
  return [witness, () => isSeen]
}

/** A refusal for the person who decides. The approval stays open for others. */
class NotByThem extends Refusal {}

type Deciding = { approval: StoredApproval; handler: ApprovalHandler; checker_id: string }

/**
 * The maker and the approver must be two people, and both need a role that allows the action. Checked before, and again in the transaction
 * that carries it out.
 */
async function requirePeople(reader: Reader, people: ApprovalPeople, { approval, handler, checker_id }: Deciding): Promise<void> {
  const { maker_id } = approval
  const roles = rolesFor(people, handler)
  const mayDoIt = async (id: string) => roles.includes((await people.roleOf(reader, id)) ?? '')
  if (await people.areRelated(reader, maker_id, checker_id)) throw new NotByThem('related_approval')
  if (!(await mayDoIt(checker_id)))
    throw new NotByThem('forbidden', { detail: `Approving this needs the role ${either(roles)} at the bank.` })
  if (!(await mayDoIt(maker_id))) throw new Refusal('forbidden', { detail: 'The person who made the request may no longer do this.' })
}

/** The roles that may call all operations of the action. */
function rolesFor(people: ApprovalPeople, { operations: [first, ...others] }: ApprovalHandler): readonly string[] {
  return people.rolesFor(first).filter((role) => others.every((operation) => people.rolesFor(operation).includes(role)))
}

/** Rejecting protects, so any one person can do it. The maker withdraws the request instead. */
export async function reject(approvals: Approvals, id: string, reason: string | null, by: By): Promise<DecidedApproval> {
  const { approval, person_id, companions } = await requireDecidable(approvals, id, by)
  const decision =
    approval.maker_id === person_id ? decisionOf(approval, 'WITHDRAWN', null, reason) : decisionOf(approval, 'REJECTED', person_id, reason)
  return end(approvals, decision, companions)
}

/** Ends the open requests of a person who no longer belongs to the bank. */
export function withdrawRequestsOf(tx: Tx, maker_id: string, at: string): Promise<number> {
  return withdrawAll(tx, { maker_id, reason: 'The person who made the request was disabled or no longer belongs to the bank.', at })
}

type Decidable = { approval: StoredApproval; person_id: string; companions: Companions }

async function requireDecidable(approvals: Approvals, id: string, by: By): Promise<Decidable> {
  const person_id = requirePerson(by.actor)
  const approval = await findApproval(approvals, id)
  requirePending(approval)
  return { approval, person_id, companions: concerning(approval.venture_id, by.companions) }
}

function requirePending(approval: StoredApproval): void {
  const { state } = current(approval)
  if (state !== 'PENDING') throw notPending(state)
}

function notPending(state: string): Refusal {
  return new Refusal('approval_not_pending', { detail: `The approval is ${state} and can no longer be decided.`, state })
}

function decisionOf({ id }: StoredApproval, state: Approval['state'], checker_id: string | null, reason: string | null): Decision {
  return { id, state, checker_id, reason: reason?.slice(0, 1000) ?? null, reason_code: null, decided_at: now().toISOString() }
}

async function end({ database }: Approvals, decision: Decision, companions: Companions): Promise<DecidedApproval> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      tx.evidence = selectDecided(decision)
      if (!(await decideApproval(tx, decision))) throw notPending('decided')
      return { ...((await tx.first(selectApproval(decision.id))) ?? refuse('approval_not_found')), approvers: null, result: null }
    }),
  )
}

/** Whether a retry would get the same response. 429 and 5xx mean that nothing was decided, or that the outcome is unknown. */
function isFinal({ code }: Refusal): boolean {
  const { status } = catalogue[code]
  return status !== 429 && status < 500
}

/** `allow`: refuses if, according to the transaction, these people may not decide. */
type AllowedDecision = Decision & { wasSeen(): boolean; allow(reader: Reader): Promise<void> }

/** The approval itself, locked before the effect is decided and written together with it. */
const approvalDecisions: CompanionKind<AllowedDecision, object> = {
  name: 'approvals',
  async acquire(tx, decisions, wait) {
    const ids = decisions.map(({ id }) => id)
    const [isHeld, locked] = await Promise.all([holdPeople(tx, wait), lockApprovals(tx, ids, wait)])
    if (!isHeld) return decisions.map(() => 'held')
    const open = new Map(locked.map((approval) => [approval.id, approval]))
    const results: AcquireResult[] = []
    for (const { id, allow } of decisions) {
      const approval = open.get(id)
      const result = approval === undefined ? (wait ? notPending('decided') : 'held') : await resultOf(tx, approval, allow)
      // A second decision about the same approval in the batch comes too late.
      if (approval !== undefined && result === 'granted') open.set(id, { ...approval, state: 'APPROVED' })
      results.push(result)
    }
    return results
  },
  write(tx, granted) {
    for (const { row } of granted) {
      if (!row.wasSeen()) throw new Error(`the approval ${row.id} was carried out without comparing its subject`)
      writeDecision(tx, row)
    }
  },
}

async function resultOf(tx: Tx, approval: StoredApproval, allow: AllowedDecision['allow']): Promise<AcquireResult> {
  const { state } = current(approval)
  if (state !== 'PENDING') return notPending(state)
  try {
    await allow(tx)
    return 'granted'
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/**
 * `notes`: how many of the changes counted in `sequence` decide nothing, such as a venture's remark. `findings`: how many changes
 * `sequence` does not count, because only the bank knows about them.
 */
type Counted = { sequence: number; notes?: number; findings?: number }

/** The sequence for an approval. Notes do not count, so nobody can write notes to keep two people from deciding. */
export function decidingSequence({ sequence, notes = 0, findings = 0 }: Counted): number {
  return sequence - notes + findings
}

/** For handlers: the resource must be as it was when the request was made. */
export function requireSequence(resource: Counted, sequence: number | undefined): void {
  const current = decidingSequence(resource)
  if (sequence !== undefined && current !== sequence)
    refuse('resource_changed', {
      detail: `The resource has changed since the request was made: its sequence was ${sequence} and is ${current}.`,
    })
}
