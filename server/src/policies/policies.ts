// The bank's policies: one versioned set of values. Each change is a new version, which keeps who made it; the last one counts.
import { type Approval, type ApprovalHandler, type Approvals, actOrRequest, requireSequence } from '../audit/audit.ts'
import type { By } from '../platform/actor.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database, Reader } from '../platform/database/database.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { refuse } from '../values/refusals.ts'
import type { Policy, PolicyUpdate } from './policies.schemas.ts'
import { insertPolicy, selectPolicy } from './policies.sql.ts'

export type { Policy }

const changeAction = 'change-policies'

/** The policy that counts now. The first version comes with the database. */
export async function currentPolicy(reader: Reader): Promise<Policy> {
  const policy = await reader.first(selectPolicy)
  if (policy === undefined) throw new Error('there is no policy')
  return policy
}

/** With four eyes, a second person has to approve the change. */
export function changePolicies(approvals: Approvals, update: PolicyUpdate, by: By): Promise<Policy | Approval> {
  const wanted = { venture_id: bankId, action: changeAction, resource_id: bankId, payload: update }
  return actOrRequest(approvals, wanted, by, (allowed) => updatePolicies(approvals.database, update, allowed))
}

/** Adds the next version, on the authority of two people or without four eyes. Absent fields stay as they are; an update that changes nothing adds none. */
export function updatePolicies(database: Database, update: PolicyUpdate, by: By): Promise<Policy> {
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const current = await currentPolicy(tx)
      requireSequence({ sequence: current.version }, by.sequence)
      const { kind: actor, id: actor_id } = by.actor
      const next = { ...current, ...update, version: current.version + 1, created_at: new Date().toISOString(), actor, actor_id }
      if (Object.keys(update).every((field) => next[field as keyof PolicyUpdate] === current[field as keyof PolicyUpdate])) return current
      if (!by.approved) refuse('approval_required', { sequence: current.version })
      return (await insertPolicy(tx, next)) ?? refuse('policies_changed')
    }),
  )
}

/** The bank's policies are changed by two people. Their version is their sequence. */
export function policyApprovals(database: Database): ApprovalHandler[] {
  return [
    {
      action: changeAction,
      async carryOut({ payload, sequence }, by) {
        const { version } = await updatePolicies(database, payload as PolicyUpdate, { ...by, approved: true, sequence })
        return { id: String(version) }
      },
    },
  ]
}
