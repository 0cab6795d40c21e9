// Pairs of people of the bank, of whom one requests and the other approves. Two related people count as one person and cannot be such a
// pair until a third admin, who is related to neither, clears them. No time limit frees a pair, because a patient insider has time.
import { whileNobodyDecides } from '../audit/audit.ts'
import type { Actor, By } from '../platform/actor.ts'
import { boundId } from '../platform/bound-id.ts'
import { now } from '../platform/clock.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import {
  type AgreedPair,
  insertClearing,
  selectAgreedPairs,
  selectClearing,
  selectOpenClearing,
  selectOpenClearings,
  type Two,
  takeBack,
} from './users.pairs.sql.ts'
import { evidenceIn, inOrder, kindsIn, nameOfPair, pairsIn, type Ties, tiesAmong } from './users.relations.ts'
import type { NewPairClearing, Pair, PairClearing, PairList } from './users.schemas.ts'
import { selectActiveBanker, selectActiveBankers } from './users.sql.ts'

/** Whether two people count as one: a tie relates them that nobody has cleared. */
export async function areRelated(reader: Reader, one: string, other: string): Promise<boolean> {
  const two = inOrder(one, other)
  const evidence = await findEvidence(reader, two)
  if (evidence.length === 0) return false
  const clearing = await reader.first(selectOpenClearing(two))
  return !coversAll(clearing?.ties, evidence)
}

/** For each of these people, the roles of everyone else at the bank who does not count as one person with them. */
export async function rolesBeside(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const bankers = await reader.rows(selectActiveBankers)
  const ties = await tiesAmong(reader, [...new Set([...ids, ...bankers.map(({ user_id }) => user_id)])])
  const clearings = await selectOpenClearings(reader)
  const isOne = (one: string, other: string): boolean => {
    const two = inOrder(one, other)
    const evidence = evidenceIn(ties, two)
    return one === other || (evidence.length > 0 && !coversAll(clearings.find(isSame(two))?.ties, evidence))
  }
  return new Map(ids.map((id) => [id, bankers.filter(({ user_id }) => !isOne(id, user_id)).map(({ role }) => role)]))
}

const isSame =
  (two: Two) =>
  (pair: Two): boolean =>
    pair.one_id === two.one_id && pair.other_id === two.other_id

async function findEvidence(reader: Reader, two: Two): Promise<string[]> {
  return evidenceIn(await tiesAmong(reader, [two.one_id, two.other_id]), two)
}

/** Whether the pair was cleared after everything that relates it. A later reset is a new tie, which the clearing does not cover. */
function coversAll(cleared: readonly string[] | undefined, evidence: readonly string[]): boolean {
  return cleared !== undefined && evidence.every((id) => cleared.includes(id))
}

const days_ms = 86_400_000
const shown_days = 90
const mostShown = 200

/** Who has recently agreed with whom, by the amount in a currency; then other pairs that were cleared, and pairs that could be cleared. */
export async function listPairs(database: Database, { currency = 'EUR' }: PairList, asking: Pick<Actor, 'id'>): Promise<Pair[]> {
  const since = new Date(now().getTime() - shown_days * days_ms).toISOString()
  const agreed = await database.rows(selectAgreedPairs({ since, currency, limit: mostShown }))
  const clearings = await selectOpenClearings(database)
  const bankers = await database.rows(selectActiveBankers)
  const known = [...agreed, ...clearings].flatMap(({ one_id, other_id }) => [one_id, other_id])
  const isThere = new Set(bankers.map(({ user_id }) => user_id))
  const ties = await tiesAmong(database, [...new Set([...isThere, ...known])])
  const isAsking = new Set(bankers.filter(({ role }) => role !== 'auditor').map(({ user_id }) => user_id))
  const related = pairsIn(ties).filter(({ one_id, other_id }) => isAsking.has(one_id) && isAsking.has(other_id))
  const idle = [...clearings, ...related].map(
    ({ one_id, other_id }): AgreedPair => ({ one_id, other_id, approvals: 0, totals: [], last_approved_at: null }),
  )
  const pairs = new Map<string, AgreedPair>()
  for (const pair of [...agreed, ...idle]) {
    const name = nameOfPair(pair)
    if (!pairs.has(name)) pairs.set(name, pair)
  }
  return [...pairs.values()].slice(0, mostShown).map((pair) => {
    const evidence = evidenceIn(ties, pair)
    const { ties: cleared, ...clearing } = clearings.find(isSame(pair)) ?? { ties: undefined }
    const relation = evidence.length === 0 ? 'NONE' : coversAll(cleared, evidence) ? 'CLEARED' : 'RELATED'
    const areThere = isThere.has(pair.one_id) && isThere.has(pair.other_id)
    const can_be_cleared = relation === 'RELATED' && areThere && asking.id !== null && isThird(ties, pair, asking.id)
    return {
      ...pair,
      relation,
      related_by: kindsIn(ties, pair),
      clearing: cleared === undefined ? null : (clearing as PairClearing),
      can_be_cleared,
    }
  })
}

/** Lets two related people be a pair. The person who clears them answers for it, so neither of the two may have any hold on that person. */
export function clearPair(database: Database, { one_id, other_id, reason }: NewPairClearing, by: By): Promise<PairClearing> {
  const cleared_by = by.actor.id ?? refuse('person_needed')
  if (one_id === other_id) refuseField('other_id', 'must be another person')
  const two = inOrder(one_id, other_id)
  return database.transaction(async (tx) => {
    await whileNobodyDecides(tx)
    return accompanied(tx, by.companions, async () => {
      for (const id of [two.one_id, two.other_id]) if ((await tx.first(selectActiveBanker(id))) === undefined) refuse('user_not_found')
      await requireThird(tx, two, cleared_by)
      const ties = await findEvidence(tx, two)
      const earlier = await tx.first(selectOpenClearing(two))
      if (coversAll(earlier?.ties ?? [], ties)) refuse('pair_not_related')
      if (earlier !== undefined) await takeBack(tx, { id: earlier.id, by: cleared_by })
      const id = boundId(two.one_id, two.other_id, `{${ties}}`, reason, cleared_by)
      const clearing: PairClearing = {
        id,
        ...two,
        reason,
        cleared_by,
        cleared_at: now().toISOString(),
        taken_back_by: null,
        taken_back_at: null,
      }
      await insertClearing(tx, { ...clearing, ties })
      tx.evidence = selectClearing(id)
      return clearing
    })
  })
}

async function requireThird(tx: Tx, two: Two, id: string): Promise<void> {
  const ties = await tiesAmong(tx, [two.one_id, two.other_id, id])
  if (!isThird(ties, two, id)) refuse('pair_not_yours')
}

/** Cleared ties count too, because a person who is related to one of the two may be acting for that one. */
function isThird(ties: Ties, { one_id, other_id }: Two, id: string): boolean {
  return id !== one_id && id !== other_id && [one_id, other_id].every((of) => evidenceIn(ties, inOrder(id, of)).length === 0)
}

/** The two immediately count as one person again. This protects, so any admin may do it, even one of the two. */
export function takeBackPairClearing(database: Database, id: string, by: By): Promise<PairClearing> {
  return database.transaction(async (tx) => {
    await whileNobodyDecides(tx)
    return accompanied(tx, by.companions, async () => {
      await takeBack(tx, { id, by: by.actor.id })
      return (await tx.first(selectClearing(id))) ?? refuse('clearing_not_found')
    })
  })
}
