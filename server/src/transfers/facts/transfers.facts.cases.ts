// The cases about waiting money: who decides, which decisions fit, and what they do. There is no other way to decide about such money.
import { decidingSequence } from '../../audit/audit.ts'
import type { Case, CaseHandler, Decision, Subject } from '../../cases/cases.ts'
import type { By } from '../../platform/actor.ts'
import type { Companion } from '../../platform/companions.ts'
import { shown } from '../../platform/http/shown.ts'
import { refuse } from '../../values/refusals.ts'
import type { CaseKind } from '../life/transfers.cases.ts'
import { Transfer } from '../life/transfers.schemas.ts'
import { waitingStatus } from '../life/transfers.status.ts'
import { type ClientBreakKind, isAboutClient } from '../life/transfers.unsettled.ts'
import type { Transfers } from '../orders/transfers.orders.ts'
import { selectTransferRows } from '../writing/transfers.rows.sql.ts'
import { collectBreak, debitBreak, getBreak, matchBreak, writeOffBreak } from './transfers.breaks.ts'
import { Application, Collection, type UnappliedPayment, UnappliedPayout } from './transfers.facts.schemas.ts'
import { findAccount, findOwner } from './transfers.facts.sql.ts'
import { applyWaiting, returnWaiting, type ScreenWaiting } from './transfers.inbound.ts'
import { applyUnapplied, getUnapplied, payOutUnapplied, payoutRailOf, returnUnapplied } from './transfers.unapplied.ts'

/** Money that leaves suspense, or is given up, takes two people. */
const together = { needsTwo: true }

type Effect = (id: string, details: object | null, by: By) => Promise<{ id: string }>

/** How to carry out each decision. */
const carryOut = (effects: Record<string, Effect>, id: string, { decision, details }: Decision, by: By): Promise<{ id: string }> =>
  effects[decision]?.(id, details, by) ?? refuse('decision_not_offered')

/** Screens money of the house before it leaves: what to write with the decision of its case. */
export type ScreenLeaving = (
  payment: UnappliedPayment,
  about: { payload: object; payee?: UnappliedPayout | undefined; by: By },
) => Promise<readonly Companion[]>

/** `screen`: screens waiting money before it is credited. */
export function factCases(transfers: Transfers, screen: ScreenWaiting, screenLeaving: ScreenLeaving): Record<CaseKind, CaseHandler> {
  const leaving = async ({ resource_id, payload }: Case, by: By, payee?: UnappliedPayout): Promise<By> => {
    const screened = await screenLeaving(await getUnapplied(transfers, resource_id), { payload, payee, by })
    return { ...by, companions: [...(by.companions ?? []), ...screened] }
  }
  const unapplied: Record<string, Effect> = {
    apply: (id, details, by) => applyUnapplied(transfers, id, details as Application, by),
    return: (id, _details, by) => returnUnapplied(transfers, id, by),
    pay_out: (id, details, by) => payOutUnapplied(transfers, id, details as UnappliedPayout, by),
  }
  const broken: Record<string, Effect> = {
    write_off: (id, _details, by) => writeOffBreak(transfers, id, by),
    collect: (id, details, by) => collectBreak(transfers, id, details as Collection, by),
    debit_client: (id, _details, by) => debitBreak(transfers, id, by),
    match: (id, _details, by) => matchBreak(transfers, id, by),
  }
  return {
    suspended: {
      kind: 'suspended',
      decisions: { apply: together, return: together },
      look: ({ venture_id, resource_id }) => lookAtTransfer(transfers, { venture_id, id: resource_id }),
      decide: ({ venture_id, resource_id: id }, { decision }, by) =>
        decision === 'apply' ? applyWaiting(transfers, { venture_id, id }, screen, by) : returnWaiting(transfers, { venture_id, id }, by),
    },
    unapplied: {
      kind: 'unapplied',
      decisions: { apply: { ...together, details: Application }, return: together, pay_out: { ...together, details: UnappliedPayout } },
      look: ({ resource_id }) => lookAtUnapplied(transfers, resource_id),
      async decide(of, { decision, details }, by) {
        // Applied money is screened like an arriving payment.
        const payee = decision === 'pay_out' ? (details as UnappliedPayout) : undefined
        const allowed = decision === 'apply' ? by : await leaving(of, by, payee)
        return carryOut(unapplied, of.resource_id, { decision, details }, allowed)
      },
    },
    break: {
      kind: 'break',
      decisions: { write_off: together, collect: { ...together, details: Collection }, debit_client: together, match: together },
      async look({ resource_id, payload }) {
        const [broken, payment] = await Promise.all([getBreak(transfers, resource_id), paymentIn(transfers, payload)])
        const subject = { ...broken, payment }
        return { subject, allowed: subject.status === 'OPEN' && isAboutClient(subject.kind) ? breakDecisions[subject.kind] : [] }
      },
      decide: ({ resource_id }, decision, by) => carryOut(broken, resource_id, decision, by),
    },
  }
}

/** The decisions that fit each kind of break. */
const breakDecisions: Record<ClientBreakKind, readonly string[]> = {
  FORCED_DEBIT: ['write_off', 'collect'],
  LATE_SETTLEMENT: ['debit_client', 'write_off'],
  CONTRADICTED: ['match'],
}

/** The payment that a case names, as it is now; null if it names none. */
async function paymentIn({ database }: Transfers, payload: object): Promise<Transfer | null> {
  const { payment } = payload as { payment?: { venture_id: string; id: string } | null }
  const [row] = payment == null ? [] : await selectTransferRows(database, [payment])
  return row === undefined ? null : shown(Transfer, row)
}

/** Until the account is activated, its waiting money can only be returned. */
async function lookAtTransfer({ database }: Transfers, key: { venture_id: string; id: string }): Promise<Subject> {
  const [row = refuse('transfer_not_found')] = await selectTransferRows(database, [key])
  const account = await findAccount(database, key.venture_id, row.account_id)
  const fitting = account?.status === 'PENDING' ? ['return'] : ['apply', 'return']
  const allowed = row.status === waitingStatus ? fitting : []
  return { subject: shown(Transfer, row), allowed, sequence: decidingSequence(row) }
}

/** Money of a known client was already returned by the other bank, so it cannot go back there. An unknown client's money cannot be paid out. */
async function lookAtUnapplied(transfers: Transfers, id: string): Promise<Subject> {
  const subject = await getUnapplied(transfers, id)
  const { status, client_venture_id, client_id } = subject
  if (status !== 'OPEN') return { subject, allowed: [] }
  if (client_id === null) return { subject, allowed: ['apply', 'return'] }
  const owner = await findOwner(transfers.database, client_venture_id ?? '', client_id)
  const isPayable = owner?.is_blacklisted !== true && (await payoutRailOf(transfers, subject)) !== undefined
  return { subject, allowed: isPayable ? ['apply', 'pay_out'] : ['apply'] }
}
