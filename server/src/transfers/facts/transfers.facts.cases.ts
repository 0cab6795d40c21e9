// The cases about money that waits: who decides, what fits, and what the decision does. Nobody decides about such money in another way.
import { decidingSequence } from '../../audit/audit.ts'
import type { CaseHandler, Decision, Subject } from '../../cases/cases.ts'
import type { By } from '../../platform/actor.ts'
import { shown } from '../../platform/http/shown.ts'
import { refuse } from '../../values/refusals.ts'
import { waitingStatus } from '../deciding/transfers.decide.ts'
import { Transfer } from '../transfers.schemas.ts'
import { selectTransferRows } from '../transfers.sql.ts'
import type { Transfers } from '../transfers.ts'
import type { CaseKind } from './transfers.claims.ts'
import { Application, Collection, UnappliedPayout } from './transfers.facts.schemas.ts'
import { findAccount, findOwner } from './transfers.facts.sql.ts'
import {
  applyUnapplied,
  applyWaiting,
  collectBreak,
  getBreak,
  getUnapplied,
  payOutUnapplied,
  returnUnapplied,
  returnWaiting,
  type ScreenWaiting,
  writeOffBreak,
} from './transfers.facts.ts'

/** Money leaves suspense, or is given up: both take two people. */
const together = { needsTwo: true }

type Effect = (id: string, details: object | null, by: By) => Promise<{ id: string }>

/** How to carry out each decision. */
const carryOut = (effects: Record<string, Effect>, id: string, { decision, details }: Decision, by: By): Promise<{ id: string }> =>
  effects[decision]?.(id, details, by) ?? refuse('decision_not_offered')

/** `screen`: how money that waits is screened before it is credited. */
export function factCases(transfers: Transfers, screen: ScreenWaiting): Record<CaseKind, CaseHandler> {
  const unapplied: Record<string, Effect> = {
    apply: (id, details, by) => applyUnapplied(transfers, id, details as Application, by),
    return: (id, _details, by) => returnUnapplied(transfers, id, by),
    pay_out: (id, details, by) => payOutUnapplied(transfers, id, details as UnappliedPayout, by),
  }
  const broken: Record<string, Effect> = {
    write_off: (id, _details, by) => writeOffBreak(transfers, id, by),
    collect: (id, details, by) => collectBreak(transfers, id, details as Collection, by),
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
      decide: ({ resource_id }, decision, by) => carryOut(unapplied, resource_id, decision, by),
    },
    break: {
      kind: 'break',
      decisions: { write_off: together, collect: { ...together, details: Collection } },
      async look({ resource_id }) {
        const subject = await getBreak(transfers, resource_id)
        return { subject, allowed: subject.status === 'OPEN' ? ['write_off', 'collect'] : [] }
      },
      decide: ({ resource_id }, decision, by) => carryOut(broken, resource_id, decision, by),
    },
  }
}

/** What waits for an account that was never activated can only go back, until the account is activated. */
async function lookAtTransfer({ database }: Transfers, key: { venture_id: string; id: string }): Promise<Subject> {
  const [row = refuse('transfer_not_found')] = await selectTransferRows(database, [key])
  const account = await findAccount(database, key.venture_id, row.account_id)
  const fitting = account?.status === 'PENDING' ? ['return'] : ['apply', 'return']
  const allowed = row.status === waitingStatus ? fitting : []
  return { subject: shown(Transfer, row), allowed, sequence: decidingSequence(row) }
}

/** Money of a known client has come back from where it could be returned to. That of an unknown one cannot be paid out. */
async function lookAtUnapplied(transfers: Transfers, id: string): Promise<Subject> {
  const subject = await getUnapplied(transfers, id)
  const { status, client_venture_id, client_id } = subject
  if (status !== 'OPEN') return { subject, allowed: [] }
  if (client_id === null) return { subject, allowed: ['apply', 'return'] }
  const owner = await findOwner(transfers.database, client_venture_id ?? '', client_id)
  return { subject, allowed: owner?.is_blacklisted ? ['apply'] : ['apply', 'pay_out'] }
}
