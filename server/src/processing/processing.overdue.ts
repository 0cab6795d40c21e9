// The case about a venture whose clients were not all compared with the lists in time, so that its instant payments are refused.
import type { CaseHandler } from '../cases/cases.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import { lastFullRun } from '../screening/screening.ts'

export const screeningOverdue = 'screening_overdue'

export function overdueCases(database: Database): Record<typeof screeningOverdue, CaseHandler> {
  return {
    [screeningOverdue]: {
      kind: screeningOverdue,
      decisions: { close: { needsTwo: false } },
      look: async ({ venture_id }) => ({
        subject: { venture_id, last_full_run: (await lastFullRun(database, venture_id)) ?? null },
        allowed: ['close'],
      }),
      decide: ({ venture_id: id }, _decision, { companions }) =>
        database.transaction((tx) => accompanied(tx, companions, async () => ({ id }))),
    },
  }
}
