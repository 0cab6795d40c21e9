// Stores screenings in the transaction of what they are about: a walk of a transfer, a case. A comparison with a version that has been
// replaced in the meantime is not stored, nor is anything that would have followed from it. It is repeated instead.

import type { Actor } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { type Companion, type CompanionKind, companion } from '../platform/companions.ts'
import { Refusal } from '../values/refusals.ts'
import { type Compared, countingLists } from './screening.compare.ts'
import { type DecidedHits, holdActivations, insertScreenings, selectActive, writeDecidedHits } from './screening.sql.ts'

const screenings: CompanionKind<Compared, object> = {
  name: 'screenings',
  async acquire(tx, rows, wait) {
    const [isHeld, active] = await Promise.all([holdActivations(tx, wait), tx.rows(selectActive())])
    if (!isHeld) return rows.map(() => 'held' as const)
    return rows.map(({ screening, policy, only }) => {
      const versions = countingLists(active, policy, only).map(({ version_id }) => version_id)
      return versions.sort().join() === screening.versions.join()
        ? 'granted'
        : new Refusal('resource_changed', { detail: 'The watch lists have changed in the meantime.' })
    })
  },
  write(tx, granted) {
    insertScreenings(
      tx,
      granted.map(({ row: { screening } }) => screening),
      granted.flatMap(({ row: { hits } }) => hits),
    )
  },
}

export function storing(compared: Compared): Companion {
  return companion(screenings, compared)
}

const decisions: CompanionKind<DecidedHits, object> = {
  name: 'screening_hits',
  acquire: async (_tx, rows) => rows.map(() => 'granted' as const),
  write(tx, granted) {
    for (const { row } of granted) writeDecidedHits(tx, row)
  },
}

/** Decides all open hits of a subject together with the other effects of the decision. */
export function decidingHits(
  subject: { venture_id: string; subject_id: string },
  state: DecidedHits['state'],
  { id: decided_by }: Actor,
): Companion {
  return companion(decisions, { ...subject, state, decided_by, decided_at: now().toISOString() })
}
