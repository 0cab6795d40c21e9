// Who counts as related. Two people are related if one of them has added the other, reset them or given them a role, if the same person
// has added both alone, or if the admin key has added one of them while the other was there. Related people count as one person until a
// third admin clears them (users.pairs.ts). All code that asks about relations reads `tiesAmong`, so the answers always agree.
import { now } from '../platform/clock.ts'
import type { Reader } from '../platform/database/database.ts'
import { probation_days } from './users.adminkey.rules.ts'
import type { Two } from './users.pairs.sql.ts'
import { type LetInAlone, letInAloneBy, letInBy, type Tie, thereWhenAdminKeyLetIn } from './users.relations.sql.ts'

export const inOrder = (one: string, other: string): Two =>
  one < other ? { one_id: one, other_id: other } : { one_id: other, other_id: one }

export const nameOfPair = ({ one_id, other_id }: Two): string => `${one_id} ${other_id}`

/** Everything that relates some people, by pair. */
export type Ties = ReadonlyMap<string, readonly Tie[]>

/**
 * Once the bank has had two people, a newcomer whom the admin key adds may be acting for anyone there: for the only one left, or for the
 * one who removed the others. So for some days, newcomers are tied to everyone who was there before.
 */
export async function tiesAmong(reader: Reader, user_ids: readonly string[]): Promise<Ties> {
  const after = new Date(now().getTime() - probation_days * 86_400_000).toISOString()
  const letInAlone = await reader.rows(letInAloneBy(user_ids))
  const ties = [
    ...(await reader.rows(letInBy(user_ids))),
    ...(await reader.rows(thereWhenAdminKeyLetIn(user_ids, after))),
    ...tiesThroughOthers(letInAlone),
    ...tiesOfSameHand(letInAlone),
  ]
  const others = ties.filter(({ user_id, other_id }) => user_id !== other_id)
  return Map.groupBy(others, ({ user_id, other_id }) => nameOfPair(inOrder(user_id, other_id)))
}

/** Ties between each person who has added others alone and those people. */
function tiesThroughOthers(letIn: readonly LetInAlone[]): Tie[] {
  return letIn.flatMap(({ user_id, by_id, evidence_id, through }) =>
    through && by_id !== null ? [{ user_id, other_id: by_id, evidence_id, kind: 'INVITATION' }] : [],
  )
}

/** Ties between every two people whom the same person has added alone, and could both act for. The links of both are evidence. */
function tiesOfSameHand(letIn: readonly LetInAlone[]): Tie[] {
  return [...Map.groupBy(letIn, ({ by_id }) => by_id).values()].flatMap((ofOneHand) => {
    const people = [...Map.groupBy(ofOneHand, ({ user_id }) => user_id)]
    return people.flatMap(([user_id, ofOne], at) =>
      people
        .slice(at + 1)
        .flatMap(([other_id, ofOther]) =>
          [...ofOne, ...ofOther].map(({ evidence_id }): Tie => ({ user_id, other_id, evidence_id, kind: 'SAME_PERSON' })),
        ),
    )
  })
}

/** The links and approvals that make two people count as one. */
export function evidenceIn(ties: Ties, two: Two): string[] {
  return [...new Set(ties.get(nameOfPair(two))?.map(({ evidence_id }) => evidence_id))].sort()
}

/** The kinds of these ties. */
export function kindsIn(ties: Ties, two: Two): Tie['kind'][] {
  return [...new Set(ties.get(nameOfPair(two))?.map(({ kind }) => kind))].sort()
}

/** All pairs of related people. */
export function pairsIn(ties: Ties): Two[] {
  return [...ties.values()].flatMap(([tie]) => (tie === undefined ? [] : [inOrder(tie.user_id, tie.other_id)]))
}
