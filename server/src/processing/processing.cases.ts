// Cases about payments that processing has stopped: a party resembles an entry of a list, a rule has fired, or the amount is large. One
// person can decide what protects; releasing takes two. The venture learns only that the payment is under review.
import { decidingSequence } from '../audit/audit.ts'
import { type Case, type CaseHandler, decidedToo, findOpenCases, type NewCase, type Subject, stillOpen } from '../cases/cases.ts'
import type { By } from '../platform/actor.ts'
import { accompanied, type Companion } from '../platform/companions.ts'
import { shown } from '../platform/http/shown.ts'
import { type Alert, daysOf, type Policy, windowOf } from '../policies/policies.ts'
import { type ReviewKind, reviewKinds } from '../transfers/life/transfers.cases.ts'
import type { TransferRow } from '../transfers/life/transfers.columns.ts'
import { flowVariantOf } from '../transfers/life/transfers.flows.ts'
import { methods } from '../transfers/life/transfers.methods.ts'
import { Transfer } from '../transfers/life/transfers.schemas.ts'
import { isUnderReview, type TransferStatus, waitingStatus } from '../transfers/life/transfers.status.ts'
import {
  caseFor,
  findBehind,
  findStandings,
  freezeTransfer,
  type Key,
  listHistory,
  selectTransferRows,
  type Transfers,
  updateTransfer,
} from '../transfers/transfers.ts'
import { refuse } from '../values/refusals.ts'
import { isOfClient } from './processing.parties.ts'
import type { CaseKind, ScreeningOutcome } from './processing.planner.ts'

/** What processing has found about a payment, for the people who decide. */
export type Finding = {
  kind: CaseKind
  transfer: TransferRow
  policy: Pick<Policy, 'version' | 'review_above'>
  screening: ScreeningOutcome | undefined
  /** Whether a hit is about our client. */
  hits_client: boolean
  alerts: readonly Alert[]
}

/** The companion that opens a case together with a walk. */
export type OpenCaseFor = (found: Finding) => Companion

type Opening = Pick<NewCase, 'severity' | 'due_h'> & { payload: object; status: TransferStatus }

/** How a case of each kind is opened: status, payload, urgency, and due in how many hours. */
const openings: Record<CaseKind, (found: Finding) => Opening> = {
  hit: ({ screening, hits_client, alerts, policy: { version } }) => {
    const proposes = screening === 'BLOCK' ? (hits_client ? 'freeze' : 'keep') : null
    const payload = { outcome: screening, hits_client, proposes, rules: alerts, policy_version: version }
    return { payload, status: 'REVIEW', ...urgencyOf(screening) }
  },
  rule: ({ alerts, policy: { version } }) => ({ payload: { rules: alerts, policy_version: version }, status: 'REVIEW' }),
  amount: ({ transfer: { debit_amount, debit_currency }, policy: { version, review_above } }) => ({
    payload: { debit_amount, debit_currency, review_above, policy_version: version },
    status: 'REVIEW',
  }),
  suspended: ({ transfer: { account_id } }) => ({ payload: { account_id }, status: waitingStatus }),
}

/** How urgent a hit is. */
export function urgencyOf(outcome: ScreeningOutcome | undefined): Required<Pick<NewCase, 'severity' | 'due_h'>> {
  return outcome === 'BLOCK' ? { severity: 'URGENT', due_h: 4 } : { severity: 'NORMAL', due_h: 24 }
}

/** A walk can end differently, because an exchange rate has expired; then nothing waits for a decision. */
export function caseOpener({ openCase }: Pick<Transfers, 'openCase'>): OpenCaseFor {
  return (found) => {
    const { status } = openings[found.kind](found)
    const newCase = caseAbout(found)
    return caseFor(openCase, (moved: Transfer) => (moved.status === status ? newCase : undefined))
  }
}

/** The case about what was found. */
export function caseAbout(found: Finding): NewCase {
  const { kind, transfer } = found
  const { status: _, ...opening } = openings[kind](found)
  return { venture_id: transfer.venture_id, kind, resource_id: transfer.id, ...opening }
}

const decisions = {
  clear: { needsTwo: true },
  approve: { needsTwo: true },
  decline: { needsTwo: true },
  keep: { needsTwo: false },
  freeze: { needsTwo: false },
  close: { needsTwo: false },
} as const
type Decision = keyof typeof decisions
/** close only ends a case about an instant payment, which nothing holds. */
type ReviewDecision = Exclude<Decision, 'close'>

type Effect = { received: readonly TransferStatus[]; other: readonly TransferStatus[]; reason: string; releases: boolean }

const release: Effect = { received: ['AML_APPROVED'], other: ['AML_APPROVED'], reason: 'The review has ended.', releases: true }

/** The effect of a decision on a payment, for received money and for every other payment. */
const effects: Record<ReviewDecision, Effect> = {
  clear: release,
  approve: release,
  decline: { received: ['TO_RETURN', 'REJECTED'], other: ['AML_REJECTED'], reason: 'The bank has declined the payment.', releases: false },
  keep: { received: ['AML_REJECTED'], other: ['ON_HOLD'], reason: 'The bank keeps the payment.', releases: false },
  freeze: { received: ['AML_REJECTED'], other: ['ON_HOLD'], reason: 'The bank has frozen the account.', releases: false },
}

/** The decisions that each kind offers. */
const offered: Record<ReviewKind, readonly ReviewDecision[]> = {
  hit: ['clear', 'decline', 'keep', 'freeze'],
  rule: ['approve', 'decline'],
  amount: ['approve', 'decline'],
}

/** Rules look at an instant payment of another bank only after it was credited. */
const closing: Record<ReviewKind, readonly Decision[]> = { hit: [], rule: ['close'], amount: ['close'] }

const wasCredited = ({ direction, method, received }: TransferRow): boolean =>
  direction === 'INBOUND' && received && methods[method].instant

function close({ database }: Transfers, { resource_id: id }: Case, { companions }: By): Promise<{ id: string }> {
  return database.transaction((tx) => accompanied(tx, companions, async () => ({ id })))
}

/** The records of screening about a transfer. */
export type ScreeningRecords = {
  /** Why a party was matched to an entry, for the bank; null if the transfer has not been screened. */
  explain(transfer: Key): Promise<{ hits: readonly { party: string; state: string }[] } | null>
  /** The rows to write with the decision about a hit. */
  decided(transfer: Key, decision: 'clear' | 'decline' | 'keep' | 'freeze', by: By): Promise<readonly Companion[]>
}

export function reviewCases(transfers: Transfers, records: ScreeningRecords): Record<ReviewKind, CaseHandler> {
  const handler = (kind: ReviewKind): CaseHandler => ({
    kind,
    decisions: Object.fromEntries([...offered[kind], ...closing[kind]].map((decision) => [decision, decisions[decision]])),
    look: (of) => look(transfers, records, of, kind),
    async decide(of, { decision }, by) {
      if (decision === 'close') return close(transfers, of, by)
      const chosen = offered[kind].find((one) => one === decision) ?? refuse('decision_not_offered')
      const key = keyOf(of)
      const kept = kind === 'hit' && chosen !== 'approve' ? await records.decided(key, chosen, by) : []
      return carryOut(transfers, of, chosen, { ...by, companions: [...(by.companions ?? []), ...kept] })
    },
  })
  return { hit: handler('hit'), rule: handler('rule'), amount: handler('amount') }
}

const keyOf = ({ venture_id, resource_id }: Case): Key => ({ venture_id, id: resource_id })

async function find(transfers: Transfers, key: Key): Promise<TransferRow> {
  const [standing = refuse('transfer_not_found')] = await findStandings(transfers, [key])
  return standing.transfer
}

async function look(transfers: Transfers, records: ScreeningRecords, of: Case, kind: ReviewKind): Promise<Subject> {
  const key = keyOf(of)
  const [transfer, screening, history] = await Promise.all([
    find(transfers, key),
    records.explain(key),
    listHistory(transfers, key.venture_id, key.id, { kind: 'operator', id: null }),
  ])
  const { rules = [] } = of.payload as { rules?: readonly Alert[] }
  const behind = rules.length > 0 ? { payments: await paymentsBehind(transfers, transfer, rules, of) } : {}
  const subject = { ...shown(Transfer, transfer), history, screening, ...behind }
  // Nothing else of a client is touched because of the other party of a payment.
  const isClientHit = (of.payload as { hits_client?: boolean }).hits_client === true || hitsClient(transfer, screening)
  const fitting = offered[kind].filter((decision) => decision !== 'freeze' || isClientHit)
  const allowed = isUnderReview(transfer) ? fitting : wasCredited(transfer) ? closing[kind] : []
  return { subject, allowed, sequence: decidingSequence(transfer) }
}

type Found = Awaited<ReturnType<ScreeningRecords['explain']>>

const hitsClient = (transfer: TransferRow, found: Found): boolean =>
  found?.hits.some((hit) => hit.state !== 'CLEARED' && isOfClient(transfer, hit)) ?? false

/** The payments that the rules have added up or counted, with this one. */
async function paymentsBehind(
  { database }: Transfers,
  transfer: TransferRow,
  rules: readonly Alert[],
  { created_at }: Case,
): Promise<object[]> {
  const { venture_id, account_id, direction, settlement_date } = transfer
  const days = Math.max(1, ...rules.map(({ rule }) => daysOf(rule)))
  const period = windowOf(created_at.slice(0, 10), days, settlement_date)
  const found = await findBehind(database, { venture_id, account_id, direction, ...period })
  const rows = await selectTransferRows(database, found)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return found.flatMap(({ id }) => byId.get(id) ?? []).map((row) => shown(Transfer, row))
}

/**
 * A payment can have several cases if a list has changed during its review. Releasing the last one lets it continue; any other decision
 * ends them all.
 */
async function carryOut(transfers: Transfers, of: Case, decision: ReviewDecision, by: By): Promise<{ id: string }> {
  const key = keyOf(of)
  const { venture_id, id: transfer_id } = key
  const transfer = await find(transfers, key)
  if (!isUnderReview(transfer)) refuse('resource_changed')
  const open = await findOpenCases(transfers, { venture_id, resource_id: transfer_id, kinds: reviewKinds })
  const others = open.filter(({ id }) => id !== of.id)
  const { received, other, reason: status_reason, releases } = effects[decision]
  const companions = [...(by.companions ?? []), ...others.map((one) => (releases ? stillOpen(one) : decidedToo(one, decision, by.actor)))]
  // No other case can have been opened since, because that changes the transfer.
  const { actor, sequence = decidingSequence(transfer) } = by
  const authority = { actor, approved: true, sequence, companions }
  if (releases && others.length > 0) return updateTransfer(transfers, { venture_id, transfer_id, update: {}, ...authority })
  const effect = flowVariantOf(transfer).flow === 'receiving' ? received : other
  const [status, ...steps] = stepsFrom(transfer, effect)
  const update = { status_reason, status_reason_code: null, ...(status === undefined ? {} : { status }) }
  if (decision === 'freeze') return freezeTransfer(transfers, { ...key, update, steps }, authority)
  return updateTransfer(transfers, { venture_id, transfer_id, update, steps, with_case: true, ...authority })
}

/** From a hold it first returns to its review, unless the decision is to hold it. */
function stepsFrom({ status }: TransferRow, effect: readonly TransferStatus[]): readonly TransferStatus[] {
  if (status !== 'ON_HOLD') return effect
  return effect[0] === 'ON_HOLD' ? [] : ['REVIEW', ...effect]
}
