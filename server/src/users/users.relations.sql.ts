// SQL statements for what relates people: who has let them in, reset them or given them a role.
import { type Fragment, fragment, read } from '../platform/database/sql.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { enoughAdmins } from './users.adminkey.rules.ts'
import type { Pair } from './users.schemas.ts'

/** The action of approvals that give a person a role at the bank or restore access. */
export const changeAction = 'change-bank-user'

/** Something that relates two people. `evidence_id`: the link or approval that proves it. `kind`: as in the API. */
export type Tie = { user_id: string; other_id: string; evidence_id: string; kind: Pair['related_by'][number] }

/**
 * Everyone who let one of these people in, reset them, gave them a role at the bank or restored their access, and everyone who approved one
 * of these.
 */
export const letInBy = (user_ids: readonly string[]) => read<Tie>`
  select tie.user_id, tie.other_id, tie.evidence_id, tie.kind from (
    select unnest(array[made_by_id, checker_id]) as other_id, user_id, id as evidence_id, case kind when 'RESET' then 'RESET' else 'INVITATION' end as kind
      from links where user_id = any(${user_ids}) and used_at is not null
    union select unnest(array[maker_id, checker_id]), resource_id, id, 'ROLE' from approvals
      where venture_id = ${bankId} and resource_id = any(${user_ids}) and action = ${changeAction} and state = 'APPROVED') as tie
  where tie.other_id is not null`

/**
 * One person, or the admin key if `by_id` is null, let another in or reset them alone. `through`: by way of a person whom they let in
 * alone.
 */
export type LetInAlone = { user_id: string; by_id: string | null; evidence_id: string; through: boolean }

/**
 * Who has let one of these people in or reset them alone, and so may have chosen the password, and who has done the same to those people in
 * turn. Admins of the bank whom the admin key has let in do not count; `thereWhenAdminKeyLetIn` covers them.
 */
export const letInAloneBy = (user_ids: readonly string[]) => read<LetInAlone>`
  with recursive alone as (
    select user_id, made_by_id as by_id, id from links
    where used_at is not null and checker_id is null and (kind = 'RESET'
      or (kind = 'INVITATION' and (venture_id <> ${bankId} or role <> 'admin' or made_by_id is not null)))),
  hands as (
    select user_id, by_id, array[id] as evidence from alone where user_id = any(${user_ids})
    union all select hands.user_id, alone.by_id, evidence || alone.id from hands join alone on alone.user_id = hands.by_id
  ) cycle by_id set is_cycle using path
  select user_id, by_id, unnest(evidence) as evidence_id, cardinality(evidence) > 1 as through from hands where not is_cycle`

/**
 * Anyone who has let this person in or reset them alone, and so may have registered a passkey for them, but may not give roles in the
 * venture or at the bank. The active admins of a venture may give roles; so may one person of the bank, whose link was not created by two
 * people. At the bank, nobody does it alone.
 */
export const letInByWeaker = (user_id: string, venture_id: string) => read<{ id: string }>`
  select id from links
  where user_id = ${user_id} and used_at is not null and checker_id is null and kind in ('INVITATION', 'RESET')
    and (${venture_id} = ${bankId} or not (made_by = 'operator' or exists (
      select from memberships giver join users person on person.id = giver.user_id
      where giver.user_id = made_by_id and giver.venture_id = ${venture_id}::uuid and giver.role = 'admin' and person.status = 'ACTIVE')))
  limit 1`

/**
 * Everyone who belonged to the bank when the admin key let one of these people in, by an invitation or to set up the bank, if that was
 * after the given time. The first three people of the bank are left out while all of them are there: the admin key is meant to let them in,
 * and nobody gains a second approver by removing colleagues. A set-up is only meant for the very first person, so one person before is
 * enough. With four-eyes approval, the admin key only lets in admins.
 */
export const thereWhenAdminKeyLetIn = (user_ids: readonly string[], after: string) => read<Tie>`
  select entry.user_id, colleague.user_id as other_id, entry.id as evidence_id, 'ADMIN_KEY' as kind
  from links entry join memberships colleague on colleague.venture_id = ${bankId} and colleague.created_at <= entry.used_at
  where entry.user_id = any(${user_ids}) and entry.used_at > ${after} and colleague.user_id <> entry.user_id
    and (entry.kind = 'SET_UP' or (entry.kind = 'INVITATION' and entry.venture_id = ${bankId} and entry.role = 'admin'
      and entry.made_by = 'operator' and entry.made_by_id is null))
    and ${isAfterOthers({ kind: fragment`entry.kind`, at: fragment`entry.used_at`, but: fragment`entry.user_id` })}`

/** Whether the next person whom the admin key lets in, with a link of this kind, would count as related to everyone at the bank. */
export const selectIsNextRelated = (kind: 'SET_UP' | 'INVITATION') => read<{ is_related: boolean }>`
  select ${isAfterOthers({ kind: fragment`${kind}::text`, at: fragment`'infinity'`, but: fragment`null` })} as is_related`

/**
 * Whether a person is not one of the first people of the bank, or one of those has left. `at`, `kind`: when they come in, and with which
 * link.
 */
function isAfterOthers({ kind, at, but }: Readonly<Record<'kind' | 'at' | 'but', Fragment>>): Fragment {
  return fragment`coalesce((
      select count(*) >= case ${kind} when 'SET_UP' then 1 else ${enoughAdmins} end or bool_or(not earlier.is_there)
      from (
        select came.user_id, exists (
          select from memberships still join users person on person.id = still.user_id
          where still.venture_id = ${bankId} and still.user_id = came.user_id and person.status = 'ACTIVE') as is_there
        from (
          select let_in.user_id from links let_in
          where let_in.used_at <= ${at} and (let_in.kind = 'SET_UP' or (let_in.kind = 'INVITATION' and let_in.venture_id = ${bankId}))
          union select member.user_id from memberships member where member.venture_id = ${bankId} and member.created_at <= ${at}) as came
        where came.user_id is distinct from ${but}) as earlier), false)`
}
