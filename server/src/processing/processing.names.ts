// Cases about names that resemble an entry of a watch list when no payment waits for the decision: clients, beneficiaries, and payments
// that were sent before the entry was listed.
import type { CaseHandler, Decision, Subject } from '../cases/cases.ts'
import { updateClient } from '../clients/clients.ts'
import type { By } from '../platform/actor.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import { countHitsOf, decidingHits, type SubjectKind, selectHitsOf } from '../screening/screening.ts'
import { nameHit } from '../transfers/life/transfers.cases.ts'
import { refuse } from '../values/refusals.ts'
import { getVenture } from '../ventures/ventures.ts'

type Key = { venture_id: string; subject_id: string }

/** The decisions for each kind of subject. A client can be frozen; the others can only be identified. */
const decisionsOf: Record<SubjectKind, readonly string[]> = {
  client: ['clear', 'freeze'],
  beneficiary: ['clear', 'confirm'],
  transfer: ['clear', 'confirm'],
}

export function nameCases(database: Database): Record<typeof nameHit, CaseHandler> {
  return {
    [nameHit]: {
      kind: nameHit,
      // A decision that protects takes effect at once.
      decisions: { clear: { needsTwo: true }, freeze: { needsTwo: false }, confirm: { needsTwo: false } },
      look: ({ venture_id, resource_id, payload }) => look(database, { venture_id, subject_id: resource_id }, payload as Payload),
      decide: ({ venture_id, resource_id }, decision, by) => decide(database, { venture_id, subject_id: resource_id }, decision, by),
    },
  }
}

type Payload = { subject_kind: SubjectKind }

/** If the hits were decided together with the payment, the case only has to be closed. */
const closing: readonly string[] = ['clear']

/** The sequence is the number of hits, so nobody can clear a hit that the first of two people has not seen. */
async function look(database: Database, { venture_id, subject_id }: Key, { subject_kind }: Payload): Promise<Subject> {
  const hits = await database.rows(selectHitsOf(venture_id, subject_id))
  const isOpen = hits.some(({ state }) => state === 'OPEN')
  const allowed = isOpen ? decisionsOf[subject_kind] : closing
  return { subject: { kind: subject_kind, id: subject_id, hits }, allowed, sequence: hits.length }
}

async function decide(database: Database, key: Key, { decision }: Decision, { sequence, ...by }: By): Promise<{ id: string }> {
  const { venture_id, subject_id: id } = key
  const hits = decidingHits(key, decision === 'clear' ? 'CLEARED' : 'CONFIRMED', by.actor)
  const companions = [...(by.companions ?? []), hits]
  if (decision === 'freeze') {
    const venture = await getVenture(database, venture_id)
    return updateClient(database, venture, id, { is_blacklisted: true }, { ...by, companions })
  }
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const count = (await tx.first(countHitsOf(venture_id, id)))?.hits ?? 0
      if (sequence !== undefined && sequence !== count)
        refuse('resource_changed', { detail: 'There are new hits. Look at the case again.' })
      return { id }
    }),
  )
}
