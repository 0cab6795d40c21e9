// Applies the rules of the admin key: what it may still do, and what is recorded about it.

import { auditOf } from '../audit/audit.ts'
import { type Actor, theService } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { read, write } from '../platform/database/sql.ts'
import { refuse } from '../values/refusals.ts'
import {
  type AdminKeyScope,
  type AdminKeyStep,
  adminKeyScopes,
  adminKeySteps,
  enoughAdmins,
  probation_days,
} from './users.adminkey.rules.ts'
import { selectIsNextRelated } from './users.relations.sql.ts'
import type { AdminKey } from './users.schemas.ts'
import { bankId, lockSetUp, selectActiveBanker } from './users.sql.ts'

type Reached = Exclude<AdminKeyStep, 'EVERYTHING'>

/** The settings that let the admin key do more than its step allows. */
export type AdminKeyRules = { sandbox: boolean; adminApiKeyScopes: readonly AdminKeyScope[] }

/**
 * With the scope `set-up`, the admin key can create a set-up link even if the bank has admins. This is for a bank whose admins can no
 * longer sign in.
 */
export function reopensSetUp({ sandbox, adminApiKeyScopes }: AdminKeyRules): boolean {
  return !sandbox && adminApiKeyScopes.includes('set-up')
}

/** The admin key does not stand for a particular person. */
export const isAdminKey = (actor: Actor): boolean => actor.kind === 'operator' && actor.id === null

const selectAdmins = read<{ user_id: string }>`
  select membership.user_id from memberships membership join users person on person.id = membership.user_id
  where membership.venture_id = ${bankId}::uuid and membership.role = 'admin' and person.status = 'ACTIVE'
    and exists (select from passkeys where passkeys.user_id = membership.user_id)
  order by membership.user_id`

const selectSteps = read<{ step: Reached; at: string }>`select step, at from admin_key_steps order by at, step desc`

/** The furthest step that has been recorded or reached. */
async function findStep(reader: Reader): Promise<{ step: AdminKeyStep; admins: string[]; recorded: { step: Reached; at: string }[] }> {
  const [recorded, admins] = await Promise.all([reader.rows(selectSteps), reader.rows(selectAdmins)])
  const names = Object.keys(adminKeySteps) as AdminKeyStep[]
  const step = names.findLast((name) => admins.length >= adminKeySteps[name].admins || recorded.some((row) => row.step === name))
  return { step: step ?? 'EVERYTHING', admins: admins.map(({ user_id }) => user_id), recorded }
}

/** Records the steps that have been reached. The lock makes sure that two people who get a passkey at the same moment see each other. */
async function recordSteps(tx: Tx): Promise<void> {
  await lockSetUp(tx)
  const admins = (await tx.rows(selectAdmins)).map(({ user_id }) => user_id)
  const reached = (Object.keys(adminKeySteps) as AdminKeyStep[]).filter((step) => step !== 'EVERYTHING')
  for (const step of reached.filter((name) => admins.length >= adminKeySteps[name].admins))
    await tx.run(write`
      insert into admin_key_steps (era, xid, step, admins, at)
      values (current_era(), pg_current_xact_id(), ${step}, ${admins}, ${now().toISOString()}) on conflict (step) do nothing`)
}

/** Called when a person has received a passkey, a role or access again. */
export async function recordStepsFor(tx: Tx, user_id: string): Promise<void> {
  if ((await tx.first(selectActiveBanker(user_id)))?.role === 'admin') await recordSteps(tx)
}

/** Whether the admin key can no longer let anyone in. */
export async function isRetired(reader: Reader): Promise<boolean> {
  return (await findStep(reader)).step === 'NOTHING'
}

/** How much the admin key may do now, apart from what `ADMIN_API_KEY_SCOPE` adds. */
export async function stepOfAdminKey(reader: Reader, { sandbox }: Pick<AdminKeyRules, 'sandbox'>): Promise<AdminKeyStep> {
  return sandbox ? 'EVERYTHING' : (await findStep(reader)).step
}

/** Refuses what the admin key may no longer do. Returns its step. */
export async function requireAdminKey(
  database: Database,
  { sandbox, adminApiKeyScopes }: AdminKeyRules,
  operation: string,
): Promise<AdminKeyStep> {
  if (sandbox) return 'EVERYTHING'
  const { step, recorded } = await findStep(database)
  // Steps are normally recorded when they are reached. This is for a bank that already had its admins.
  if (step !== 'EVERYTHING' && !recorded.some((row) => row.step === step)) await database.transaction(recordSteps)
  const { may } = adminKeySteps[step]
  const allowed: readonly string[] = [...(may ?? [operation]), ...adminApiKeyScopes.flatMap((scope) => adminKeyScopes[scope])]
  if (!allowed.includes(operation)) refuse('admin_key_retired')
  return step
}

const reopening = { action: 'reopenSetUp', resource: 'ADMIN_API_KEY_SCOPE' }

/** Records each start that allows the admin key to add a person alone. */
export function recordReopening(database: Database): Promise<unknown> {
  const { kind: actor, id: actor_id } = theService
  const at = { venture_id: bankId, request_id: 'start', address: '', fields: [] }
  return database.transaction((tx) => accompanied(tx, auditOf({ actor, actor_id, ...reopening, ...at }), async () => ({})))
}

const selectReopenings = read<{ at: string }>`
  select at from audit_log where venture_id = ${bankId} and resource = ${reopening.resource} and action = ${reopening.action}
  order by id desc limit 20`

export async function describeAdminKey(database: Database, rules: AdminKeyRules): Promise<AdminKey> {
  const [{ step, admins, recorded }, reopenings] = await Promise.all([findStep(database), database.rows(selectReopenings)])
  const may = rules.sandbox ? 'EVERYTHING' : step
  const next = await database.first(selectIsNextRelated(may === 'NOTHING' ? 'SET_UP' : 'INVITATION'))
  return {
    may,
    admins_with_passkey: admins.length,
    admins_needed: enoughAdmins,
    steps: recorded,
    scopes: [...rules.adminApiKeyScopes],
    set_up_reopened: reopenings.map(({ at }) => at),
    related_days: probation_days,
    next_is_related: next?.is_related === true,
  }
}
