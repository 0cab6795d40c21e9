// The two compared rules: the service's current formula and its predecessor. Both read names as the service does today.

import { onOneServer } from '../../server/src/platform/database/database.placement.ts'
import type { Entry } from '../../server/src/screening/screening.entries.ts'
import { Index } from '../../server/src/screening/screening.index.ts'
import { algorithm, type Formula, formulas } from '../../server/src/screening/screening.score.ts'
import { type Comparison, compareSubjects, type Party, type Subject } from '../../server/src/screening/screening.ts'

/** The entries that each party resembles, by their ids, from a threshold on. */
export type Rule = { algorithm: string; find(parties: readonly Party[], threshold: number): Promise<ReadonlySet<string>[]> }

const [id, venture_id] = ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000']

export function rulesFor(entries: readonly Entry[]): { before: Rule; now: Rule } {
  return { before: ruleOf(entries, previous), now: ruleOf(entries, algorithm) }
}

export const previous = 'vostro-names-2'
export const previousFormula: Formula = formulas[previous]

function ruleOf(entries: readonly Entry[], version: keyof typeof formulas): Rule {
  const index = new Index(entries, formulas[version])
  const list = { watchlist_id: id, version_id: id, name: 'list', purpose: 'SANCTIONS' as const, outside_art_5d: false }
  // Nothing has been cleared, so there is nothing to ask a database.
  const database = { placement: onOneServer, rows: async () => [], first: async () => undefined }
  const comparison: Comparison = {
    database,
    countries: new Set(),
    lists: { current: [list], ask: async (_, question) => index.search(question) },
  }
  return {
    algorithm: version,
    async find(parties, threshold) {
      const agreed = { version: 0, screen_threshold: String(threshold), block_threshold: '1', lists: null, screen_peps: true }
      const subjects = parties.map((party): Subject => ({ venture_id, kind: 'beneficiary', id, policy: agreed, parties: [party] }))
      const compared = await compareSubjects(comparison, subjects, { cause: 'processing' })
      return compared.map((one) => new Set(one?.hits.flatMap(({ entry_id }) => entry_id ?? [])))
    },
  }
}
