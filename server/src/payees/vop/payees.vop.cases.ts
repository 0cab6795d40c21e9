// Cases about banks that try many names for one account. Nothing is to be decided about the account: a person asks the other bank why.
import type { CaseHandler } from '../../cases/cases.ts'
import { accompanied } from '../../platform/companions.ts'
import type { Database } from '../../platform/database/database.ts'

export const guessing = 'payee_guessing'

export function payeeCases(database: Database): Record<typeof guessing, CaseHandler> {
  return {
    [guessing]: {
      kind: guessing,
      decisions: { close: { needsTwo: false } },
      look: async ({ resource_id: id, payload }) => ({ subject: { kind: 'account', id, ...payload }, allowed: ['close'] }),
      decide: ({ resource_id: id }, _decision, { companions }) =>
        database.transaction((tx) => accompanied(tx, companions, async () => ({ id }))),
    },
  }
}
