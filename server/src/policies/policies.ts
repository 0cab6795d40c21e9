// Policies: what the bank has agreed with a venture. Each change is a new version that records who made it. The latest version applies.

import { isDeepStrictEqual } from 'node:util'
import { type Approval, type ApprovalHandler, type Approvals, actOrRequest, requireSequence } from '../audit/audit.ts'
import type { By } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database, Reader } from '../platform/database/database.ts'
import { type FieldError, refuse } from '../values/refusals.ts'
import { getVenture } from '../ventures/ventures.ts'
import { type Alert, bandOf, daysOf, faultsOf, findAlerts, needsOf, type Seen, windowOf } from './policies.rules.ts'
import { longest_days, type Policy, type PolicyUpdate, type Rule } from './policies.schemas.ts'
import { insertPolicy, selectPolicies } from './policies.sql.ts'

export type { Alert, Policy, Rule, Seen }
export { bandOf, daysOf, findAlerts, longest_days, needsOf, windowOf }

const changeAction = 'change-policy'

/** The policy of a venture without any other agreement. */
export const firstPolicy: Omit<Policy, 'venture_id'> = {
  version: 0,
  card_fee: '0',
  payout_delay_days: 0,
  rate_hold_s: 60,
  sign_above: null,
  review_above: null,
  signer: 'any',
  screen_threshold: '0.85',
  block_threshold: '0.97',
  lists: null,
  screen_peps: false,
  payee_check: 'warn',
  funds_wait_h: 24,
  instant_timeout: 'restore',
  instant_screening: 'clients',
  rules: [],
  actor: null,
  actor_id: null,
  created_at: null,
}

/** The current policies, by venture. */
export async function findPolicies(reader: Reader, venture_ids: readonly string[]): Promise<ReadonlyMap<string, Policy>> {
  const stored = new Map((await reader.rows(selectPolicies(venture_ids))).map((policy) => [policy.venture_id, policy]))
  return new Map(venture_ids.map((venture_id) => [venture_id, stored.get(venture_id) ?? { venture_id, ...firstPolicy }]))
}

/** The policy of an existing venture. */
export async function policyOf(reader: Reader, venture_id: string): Promise<Policy> {
  return (await reader.first(selectPolicies([venture_id]))) ?? { venture_id, ...firstPolicy }
}

export async function getPolicy(database: Database, venture_id: string): Promise<Policy> {
  await getVenture(database, venture_id)
  return policyOf(database, venture_id)
}

/** With four-eyes approval, a second person must approve the change. */
export async function changePolicy(approvals: Approvals, venture_id: string, update: PolicyUpdate, by: By): Promise<Policy | Approval> {
  await getVenture(approvals.database, venture_id)
  const wanted = { venture_id, action: changeAction, resource_id: venture_id, payload: update }
  return actOrRequest(approvals, wanted, by, (allowed) => updatePolicy(approvals.database, venture_id, update, allowed))
}

/**
 * Adds the next version, with the authority of two people or without four-eyes approval. Absent fields stay as they are. An update that changes
 * nothing adds no version.
 */
function updatePolicy(database: Database, venture_id: string, update: PolicyUpdate, by: By): Promise<Policy> {
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const current = await policyOf(tx, venture_id)
      requireSequence({ sequence: current.version }, by.sequence)
      const { kind: actor, id: actor_id } = by.actor
      const next = { ...current, ...update, version: current.version + 1, created_at: now().toISOString(), actor, actor_id }
      if (Object.keys(update).every((field) => isDeepStrictEqual(next[field as keyof PolicyUpdate], current[field as keyof PolicyUpdate])))
        return current
      requireSense(next)
      if (!by.approved) refuse('approval_required', { sequence: current.version })
      return (await insertPolicy(tx, next)) ?? refuse('policy_changed')
    }),
  )
}

/** Well-formed fields can still contradict each other. */
function requireSense({ screen_threshold, block_threshold, rules }: Policy): void {
  const errors: FieldError[] = faultsOf(rules)
  if (Number(block_threshold) < Number(screen_threshold))
    errors.push({ field: 'block_threshold', message: `must be at least screen_threshold, which is ${screen_threshold}` })
  if (errors.length > 0) refuse('policy_invalid', { detail: errors.map(({ field, message }) => `${field} ${message}.`).join(' '), errors })
}

/** Changing a venture's policy takes two people. The policy's version is its sequence. */
export function policyApprovals(database: Database): ApprovalHandler[] {
  return [
    {
      action: changeAction,
      operations: ['updatePolicy'],
      async carryOut({ venture_id, payload, sequence }, by) {
        await updatePolicy(database, venture_id, payload as PolicyUpdate, { ...by, approved: true, sequence })
        return { id: venture_id }
      },
    },
  ]
}
