// Kinds of cases that only exist in tests.
import type { CaseHandler } from '../cases/cases.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'
import { Refusal, refuse } from '../values/refusals.ts'

const decisions = { note: { needsTwo: false }, release: { needsTwo: true }, refuse: { needsTwo: true } }
const allowed = Object.keys(decisions)

/** One person can decide `note`, `release` needs two, and the rules of the resource refuse `refuse`. */
export function testCases(database: Database): Record<string, CaseHandler> {
  const handler = (kind: string, more: Partial<CaseHandler> = {}): CaseHandler => ({
    kind,
    decisions,
    look: async () => ({ subject: { note: 'As it is.' }, allowed }),
    decide: ({ id }, { decision }, { companions }) =>
      database.transaction((tx) =>
        accompanied(tx, companions, async () => {
          if (decision === 'refuse') throw new Refusal('account_not_empty')
          return { id }
        }),
      ),
    ...more,
  })
  const look: CaseHandler['look'] = async ({ resource_id }) => {
    const row = await database.first(
      read<{ name: string; sequence: number }>`select name, sequence from ventures where id = ${resource_id}`,
    )
    return row === undefined ? refuse('venture_not_found') : { subject: { name: row.name }, allowed: ['release'], sequence: row.sequence }
  }
  return {
    test: handler('test'),
    // Its resource is a venture, which must not change between the two people.
    'test-venture': handler('test-venture', {
      look,
      decide: ({ id, resource_id }, _decision, { companions, sequence }) =>
        database.transaction((tx) =>
          accompanied(tx, companions, async () => {
            const row = await tx.first(read<{ sequence: number }>`select sequence from ventures where id = ${resource_id} for update`)
            if (sequence !== undefined && row?.sequence !== sequence) refuse('resource_changed')
            return { id }
          }),
        ),
    }),
  }
}
