// Cases: the work queue of the bank. A case waits for a person's decision; this folder knows a kind and a payload, and the folders that open
// cases bring the handlers that carry decisions out.
import { uuidv7 } from 'uuidv7'
import { type Approval, type ApprovalHandler, type Approvals, concerning, requestApproval, requireSequence } from '../audit/audit.ts'
import type { By } from '../platform/actor.ts'
import { accompanied, type CompanionKind, type Companions, companion } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { either, Refusal, refuse } from '../values/refusals.ts'
import { Case, type CaseDecision, type CaseList } from './cases.schemas.ts'
import {
  type CaseRow,
  type Decided,
  insertCase,
  lockCases,
  selectCase,
  selectCaseAt,
  selectCases,
  writeAssignee,
  writeDecided,
} from './cases.sql.ts'

export { Case }

export type CaseHandler = {
  kind: string
  decisions: readonly string[]
  /** Whether a decision releases something, so that two people have to agree. */
  needsTwo(decision: string): boolean
  /**
   * Carries out a decision, and passes the companions to the transaction of its effect. `by.sequence`: what the resource must still have, if
   * `sequenceOf` said it when a first person decided.
   */
  decide(of: Case, decision: string, by: By): Promise<{ id: string }>
  /** The sequence of the resource, if it must not change between the two people. */
  sequenceOf?(of: Case): Promise<number>
}

export type Cases = { database: Database; approvals: Approvals; handlers: Readonly<Record<string, CaseHandler>> }

type NewCase = Pick<Case, 'venture_id' | 'kind' | 'resource_id' | 'payload'>

/** Opens a case in the transaction of its cause and returns its id. A resource has at most one open case of a kind. */
export function openCase(tx: Tx, { venture_id, kind, resource_id, payload }: NewCase): Promise<string> {
  const now = new Date().toISOString()
  return insertCase(tx, {
    id: uuidv7(),
    venture_id,
    kind,
    resource_id,
    payload,
    state: 'OPEN',
    assignee_id: null,
    decision: null,
    comment: null,
    decided_by: null,
    decided_at: null,
    created_at: now,
    updated_at: now,
    sequence: 1,
  })
}

export function listCases({ database }: Cases, query: CaseList): Promise<Case[]> {
  return selectCases(database, query)
}

export async function getCase({ database }: Cases, id: string): Promise<CaseRow> {
  return (await database.first(selectCase(id))) ?? refuse('case_not_found')
}

/** A case whose assignee stays the same is left as it is. */
export async function assignCase({ database }: Cases, id: string, assignee_id: string | null, companions: Companions): Promise<Case> {
  const { venture_id } = (await database.first(selectCase(id))) ?? refuse('case_not_found')
  const assign = async (tx: Tx): Promise<Case> => {
    const [row = refuse('case_not_found')] = await lockCases(tx, [id], true)
    requireOpen(row)
    if (row.assignee_id === assignee_id) return showCase(row)
    const assigned = { ...row, assignee_id, updated_at: new Date().toISOString(), sequence: row.sequence + 1 }
    tx.evidence = selectCaseAt(assigned)
    writeAssignee(tx, assigned)
    return showCase(assigned)
  }
  return database.transaction((tx) => accompanied(tx, concerning(venture_id, companions), () => assign(tx)))
}

/** Carries out a decision, or asks for the second person that it needs. */
export async function decideCase(cases: Cases, id: string, wanted: CaseDecision, by: By): Promise<Case | Approval> {
  const row = await getCase(cases, id)
  requireOpen(row)
  const handler = handlerOf(cases, row)
  const { decision, comment = null } = wanted
  if (!handler.decisions.includes(decision)) {
    const detail = `A case of the kind ${row.kind} can be decided as ${either(handler.decisions)}, not as ${decision}.`
    refuse('decision_not_offered', { detail, allowed: handler.decisions })
  }
  const { approvals } = cases
  const companions = concerning(row.venture_id, by.companions)
  if (!approvals.fourEyes || !handler.needsTwo(decision)) return carryOut(cases, row, { decision, comment }, { ...by, companions })
  const sequence = (await handler.sequenceOf?.(row)) ?? row.sequence
  const payload: Agreed = { case_id: id, case_sequence: row.sequence, decision, comment }
  // The resource and not the case: whoever waits for another approval about the same resource must wait for this one as well.
  const request = { venture_id: row.venture_id, action: decideAction, resource_id: row.resource_id, sequence, payload }
  return requestApproval(approvals, request, { ...by, companions })
}

type Agreed = { case_id: string; case_sequence: number; decision: string; comment: string | null }

const decideAction = 'decide-case'

/** What a second person approves about cases. */
export function caseApproval(cases: () => Cases): ApprovalHandler {
  return {
    action: decideAction,
    async carryOut({ payload, sequence }, by) {
      const { case_id, case_sequence, decision, comment } = payload as Agreed
      const row = await getCase(cases(), case_id)
      requireSequence(row, case_sequence)
      const { sequenceOf } = handlerOf(cases(), row)
      return carryOut(cases(), row, { decision, comment }, sequenceOf === undefined ? by : { ...by, sequence })
    },
  }
}

async function carryOut(
  cases: Cases,
  row: CaseRow,
  { decision, comment }: { decision: string; comment: string | null },
  by: By,
): Promise<Case> {
  const { id, sequence } = row
  const decided: Decided = { id, decision, comment, decided_by: by.actor.id, decided_at: new Date().toISOString(), sequence: sequence + 1 }
  const companions = [...(by.companions ?? []), companion(caseDecisions, decided)]
  await handlerOf(cases, row).decide(showCase(row), decision, { ...by, companions })
  return showCase({ ...row, ...decided, state: 'DECIDED', updated_at: decided.decided_at })
}

function showCase({ sequence: _, ...shown }: CaseRow): Case {
  return shown
}

function handlerOf({ handlers }: Cases, { kind }: Case): CaseHandler {
  const handler = handlers[kind]
  if (handler === undefined) throw new Error(`no handler decides cases of the kind ${kind}`)
  return handler
}

function requireOpen(row: Case): void {
  if (row.state !== 'OPEN') throw decidedAlready(row)
}

function decidedAlready({ decision }: Case): Refusal {
  return new Refusal('case_decided', { detail: `The case has been decided as ${decision}.`, decision })
}

/** The case itself: locked before the effect is decided, and written together with it. */
const caseDecisions: CompanionKind<Decided, object> = {
  name: 'cases',
  async claim(tx, decisions, wait) {
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
        return new Refusal('resource_changed', { detail: 'The case has changed meanwhile. Read it again.' })
      // A second decision about the same case in one batch comes too late.
      open.set(id, { ...row, state: 'DECIDED', decision })
      return 'granted'
    })
  },
  write(tx, claims) {
    for (const { row } of claims) writeDecided(tx, row)
  },
}
