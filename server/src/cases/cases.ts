// Cases: the work queue of the bank. A case waits for a person's decision. This folder only knows kinds and payloads; the folders that open
// cases provide the handlers that carry out decisions.

import type { TObject } from 'typebox'
import { type Approval, type ApprovalHandler, type Approvals, actTogether, concerning, requireSequence } from '../audit/audit.ts'
import type { Actor, By } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied, type Companion, type CompanionKind, type Companions, companion } from '../platform/companions.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import type { FileStore } from '../platform/files/files.ts'
import { changesAtBank, partly } from '../platform/http/access.ts'
import { checkShape } from '../platform/http/validation.ts'
import { uuidv7 } from '../platform/ids.ts'
import { either, type FieldError, Refusal, refuse } from '../values/refusals.ts'
import { addedTo } from './cases.added.ts'
import { Case, type CaseDecision, type CaseList, type CaseWithSubject } from './cases.schemas.ts'
import {
  type CaseRow,
  countOpenCases,
  type Decided,
  insertCase,
  insertFirstCase,
  lockCases,
  type Raised,
  selectAwaiting,
  selectBanker,
  selectCase,
  selectCaseAt,
  selectCases,
  selectOpenCases,
  selectOpenCasesAbout,
  writeAssignee,
  writeDecided,
  writeRaised,
} from './cases.sql.ts'
import { findNamedFiles } from './cases.work.sql.ts'

export { Case, type CaseRow, countOpenCases, findNamedFiles }

/** One way to decide the cases of a kind. */
export type DecisionRule = {
  /** Whether it releases something, so that two people must agree. */
  needsTwo: boolean
  /** The schema of further details. Without it, the decision takes no details. */
  details?: TObject
}

/** `details`: in the form that the decision's schema requires. */
export type Decision = { decision: string; details: object | null }

export type Subject = {
  subject: object
  /** The possible decisions. */
  allowed: readonly string[]
  /** The sequence of the resource, if the resource must not change between the two people. */
  sequence?: number
}

export type CaseHandler = {
  kind: string
  decisions: Readonly<Record<string, DecisionRule>>
  /** The subject as it is now. */
  look(of: Case): Promise<Subject>
  /**
   * Carries out a decision, and passes the companions to the transaction of its effect. `by.sequence`: the sequence that the resource must
   * still have, if `look` returned one when the first person decided.
   */
  decide(of: Case, decision: Decision, by: By): Promise<{ id: string }>
}

/** Something that may have been screened. */
export type Screened = { venture_id: string; id: string }

/** Whether a text names an entry of a watch list that one of these resembles. Screening is to the right, so `services.ts` provides it. */
export type NamesListed = (reader: Reader, about: readonly Screened[], text: string) => Promise<boolean>

export type Cases = {
  database: Database
  approvals: Approvals
  handlers: Readonly<Record<string, CaseHandler>>
  files: FileStore
  namesListed: NamesListed
}

/** The kind of the cases that people open. */
export const manualCase = 'manual'

/** `severity`: NORMAL by default. `due_h`: in how many hours the case should be decided; three days by default. */
export type NewCase = Pick<Case, 'venture_id' | 'kind' | 'resource_id' | 'payload'> & Partial<Pick<Case, 'severity'>> & { due_h?: number }

/** Opens a case in the transaction of its cause and returns its id. A resource has at most one open case of each kind. */
export function openCase(tx: Tx, newCase: NewCase): Promise<string> {
  return insertCase(tx, newRow(newCase))
}

/** The same, sent together with COMMIT, so the id is not returned. */
export function openFirstCase(tx: Tx, newCase: NewCase): void {
  insertFirstCase(tx, newRow(newCase))
}

const newCases: CompanionKind<NewCase, object> = {
  name: 'new_cases',
  acquire: async (_tx, rows) => rows.map(() => 'granted' as const),
  write(tx, granted) {
    for (const { row } of granted) insertFirstCase(tx, newRow(row))
  },
}

/**
 * Opens a case if and only if a command is carried out, unless the resource already has an open case of this kind. If the new case would be
 * urgent and the existing one is not, that one becomes urgent and gets the new payload.
 */
export async function openingCase({ database }: Pick<Cases, 'database'>, newCase: NewCase): Promise<Companion> {
  const { venture_id, resource_id, kind, severity } = newCase
  const [open] = severity === 'URGENT' ? await findOpenCases({ database }, { venture_id, resource_id, kinds: [kind] }) : []
  if (open === undefined || open.severity === 'URGENT') return companion(newCases, newCase)
  return companion(caseDecisions, { ...newRow(newCase), id: open.id, decision: null, sequence: open.sequence + 1 })
}

const hour_ms = 3_600_000

export function newRow({ venture_id, kind, resource_id, payload, severity = 'NORMAL', due_h = 72 }: NewCase): CaseRow {
  const opened = now()
  const at = opened.toISOString()
  return {
    id: uuidv7(),
    venture_id,
    kind,
    resource_id,
    payload,
    severity,
    due_at: new Date(opened.getTime() + due_h * hour_ms).toISOString(),
    state: 'OPEN',
    assignee_id: null,
    decision: null,
    comment: null,
    decided_by: null,
    decided_at: null,
    created_at: at,
    updated_at: at,
    sequence: 1,
  }
}

export function listCases({ database }: Cases, query: CaseList): Promise<Case[]> {
  return selectCases(database, query)
}

export async function getCase(cases: Cases, id: string): Promise<CaseWithSubject> {
  const row = await getRow(cases, id)
  const [{ subject, allowed }, added] = await Promise.all([
    handlerOf(cases, row).look(showCase(row)),
    addedTo(cases.database, showCase(row)),
  ])
  return { ...showCase(row), subject, allowed_decisions: row.state === 'OPEN' ? [...allowed] : [], ...added }
}

export async function getRow({ database }: Cases, id: string): Promise<CaseRow> {
  return (await database.first(selectCase(id))) ?? refuse('case_not_found')
}

/** Leaves a case unchanged if its assignee stays the same. */
export async function assignCase(cases: Cases, id: string, assignee_id: string | null, companions: Companions): Promise<Case> {
  const { database } = cases
  const { venture_id } = await getRow(cases, id)
  if (assignee_id !== null) await requireDecider(database, assignee_id)
  const assign = async (tx: Tx): Promise<Case> => {
    const [row = refuse('case_not_found')] = await lockCases(tx, [id], true)
    requireOpen(row)
    if (row.assignee_id === assignee_id) return showCase(row)
    const assigned = { ...row, assignee_id, updated_at: now().toISOString(), sequence: row.sequence + 1 }
    tx.evidence = selectCaseAt(assigned)
    writeAssignee(tx, assigned)
    return showCase(assigned)
  }
  return database.transaction((tx) => accompanied(tx, concerning(venture_id, companions), () => assign(tx)))
}

/** Who may decide a case. */
export const deciding = changesAtBank(partly('Every decision but `freeze`, `keep`, `confirm`, `retry` and `close` needs two people.'))

/** A case can only be assigned to a person who may decide it. */
async function requireDecider(database: Database, id: string): Promise<void> {
  const { bank: roles } = deciding
  if ((await database.first(selectBanker(id, roles))) !== undefined) return
  const errors = [{ field: 'assignee_id', message: `must be an active person of the bank with the role ${either(roles)}` }]
  refuse('assignee_invalid', { detail: describe(errors), errors })
}

const describe = (errors: readonly FieldError[]): string => errors.map(({ field, message }) => `${field} ${message}.`).join(' ')

/** Refuses a value that the schema allows. */
export function refuseField(field: string, message: string): never {
  const errors: FieldError[] = [{ field, message }]
  refuse('invalid_request', { detail: describe(errors), errors })
}

/** Carries out a decision, or requests the second person that it needs. */
export async function decideCase(cases: Cases, id: string, wanted: CaseDecision, by: By): Promise<Case | Approval> {
  const row = await getRow(cases, id)
  requireOpen(row)
  const handler = handlerOf(cases, row)
  const { allowed, sequence = row.sequence } = await handler.look(showCase(row))
  const { decision, comment = null } = wanted
  const rule = allowed.includes(decision) ? handler.decisions[decision] : undefined
  if (rule === undefined) {
    // The case may have been decided after it was read and before its subject was.
    requireOpen(await getRow(cases, id))
    const can = allowed.length === 0 ? 'cannot be decided now' : `can be decided as ${either(allowed)}`
    refuse('decision_not_offered', { detail: `This case of the kind ${row.kind} ${can}, not as ${decision}.`, allowed })
  }
  const details = detailsOf(wanted, rule)
  const agreed: Agreed = { case_id: id, case_sequence: row.sequence, decision, details, comment }
  const act = (allowed: By) => carryOut(cases, row, agreed, allowed)
  const companions = concerning(row.venture_id, by.companions)
  if (!rule.needsTwo) return act({ ...by, companions })
  // The request is about the resource, not the case, so an open request about the same resource must be decided before this one.
  const request = { venture_id: row.venture_id, action: decideAction, resource_id: row.resource_id, sequence, payload: agreed }
  return actTogether(cases.approvals, request, { ...by, companions }, act)
}

/** What a person has said besides the decision, in its stored form. */
function detailsOf({ decision, details }: CaseDecision, rule: DecisionRule): object | null {
  if (rule.details === undefined)
    return details === undefined ? null : refuseDetails([{ field: 'details', message: `is not a field of the decision ${decision}` }])
  try {
    return checkShape<object>(rule.details)(details ?? {})
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refuseDetails((error.details.errors ?? []).map(({ field, message }) => ({ field: `details.${field}`, message })))
  }
}

/** For handlers: refuses a wrong field of the details. */
export function refuseDetails(errors: FieldError[]): never {
  refuse('decision_details_invalid', { detail: describe(errors), errors })
}

type Agreed = Decision & { case_id: string; case_sequence: number; comment: string | null }

const decideAction = 'decide-case'

/** What a second person approves about cases. */
export function caseApproval(cases: () => Cases): ApprovalHandler {
  return {
    action: decideAction,
    operations: ['decideCase'],
    async carryOut({ payload, sequence }, by) {
      const agreed = payload as Agreed
      const row = await getRow(cases(), agreed.case_id)
      requireSequence(row, agreed.case_sequence)
      const { sequence: current } = await handlerOf(cases(), row).look(showCase(row))
      return carryOut(cases(), row, agreed, current === undefined ? by : { ...by, sequence })
    },
  }
}

async function carryOut(cases: Cases, row: CaseRow, { decision, details, comment }: Agreed, by: By): Promise<Case> {
  const { id, sequence } = row
  const decided: Decided = { id, decision, comment, decided_by: by.actor.id, decided_at: now().toISOString(), sequence: sequence + 1 }
  const companions = [...(by.companions ?? []), companion(caseDecisions, decided)]
  await handlerOf(cases, row).decide(showCase(row), { decision, details }, { ...by, companions, approved: true })
  return showCase({ ...row, ...decided, state: 'DECIDED', updated_at: decided.decided_at })
}

export function showCase({ sequence: _, ...shown }: CaseRow): Case {
  return shown
}

export function handlerOf({ handlers }: Cases, { kind }: Case): CaseHandler {
  const handler = handlers[kind]
  if (handler === undefined) throw new Error(`no handler decides cases of the kind ${kind}`)
  return handler
}

export function requireOpen(row: Case): void {
  if (row.state !== 'OPEN') throw decidedAlready(row)
}

function decidedAlready({ decision }: Case): Refusal {
  return new Refusal('case_decided', { detail: `The case has been decided as ${decision}.`, decision })
}

/** The open cases of these kinds about a resource. */
export function findOpenCases(
  { database }: Pick<Cases, 'database'>,
  about: { venture_id: string; resource_id: string; kinds: readonly string[] },
): Promise<(OpenCase & Pick<CaseRow, 'payload'>)[]> {
  return database.rows(selectOpenCases(about))
}

/** The same for many resources and one kind. */
export function findOpenCasesAbout(
  reader: Reader,
  about: { venture_id: string; resource_ids: readonly string[]; kind: string },
): Promise<OpenCase[]> {
  return reader.rows(selectOpenCasesAbout(about))
}

export type OpenCase = Pick<CaseRow, 'id' | 'kind' | 'severity' | 'sequence'>

/** Which of these resources are waiting for a statement that shows their money, according to their open cases. */
export async function findAwaiting(
  reader: Reader,
  resources: readonly { venture_id: string; id: string }[],
): Promise<{ venture_id: string; id: string }[]> {
  if (resources.length === 0) return []
  const found = await reader.rows(selectAwaiting(resources.map(({ venture_id, id }) => ({ venture_id, resource_id: id }))))
  return found.map(({ venture_id, resource_id: id }) => ({ venture_id, id }))
}

/** Whether a case is about money that must appear in a statement first. */
export const awaitsStatement = ({ payload }: { payload: object }): boolean => (payload as { awaits?: string }).awaits === 'statement'

const together = 'Decided together with another case about the same resource.'

/** Decides another case of the same resource, together with an effect that leaves nothing to decide there. */
export function decidedToo({ id, sequence }: OpenCase, decision: string, { id: decided_by }: Actor, comment = together): Companion {
  return companion(caseDecisions, { id, decision, comment, decided_by, decided_at: now().toISOString(), sequence: sequence + 1 })
}

/** Refuses an effect if another case of the same resource is no longer open. */
export function stillOpen({ id, sequence }: OpenCase): Companion {
  return companion(caseDecisions, { id, decision: null, sequence: sequence + 1 })
}

/** A case that must not have changed and stays open. It is left as it is, or becomes more urgent. */
type StillOpen = (Pick<Decided, 'id' | 'sequence'> | Raised) & { decision: null }

/** The case itself, locked before the effect is decided and written together with it. */
const caseDecisions: CompanionKind<Decided | StillOpen, object> = {
  name: 'cases',
  async acquire(tx, decisions, wait) {
    const locked = await lockCases(
      tx,
      decisions.map(({ id }) => id),
      wait,
    )
    const open = new Map(locked.map((row) => [row.id, row]))
    return decisions.map(({ id, decision, sequence }) => {
      const row = open.get(id)
      if (row === undefined) return wait ? new Refusal('case_not_found') : 'held'
      if (row.state !== 'OPEN') return decidedAlready(row)
      if (row.sequence + 1 !== sequence)
        return new Refusal('resource_changed', { detail: 'The case has changed in the meantime. Read it again.' })
      // A second decision about the same case in the batch comes too late.
      if (decision !== null) open.set(id, { ...row, state: 'DECIDED', decision })
      return 'granted'
    })
  },
  write(tx, granted) {
    for (const { row } of granted) {
      if (row.decision !== null) writeDecided(tx, row)
      else if ('severity' in row) writeRaised(tx, row)
    }
  },
}
