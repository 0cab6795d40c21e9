// The companion that opens a case.
import type { NewCase } from '../../cases/cases.ts'
import { type Companion, type CompanionKind, companion } from '../../platform/companions.ts'
import type { Tx } from '../../platform/database/database.ts'

/** Opens a case, unless the resource has an open one of this kind. The table belongs to cases/; `services.ts` provides the function. */
export type OpenCase = (tx: Tx, newCase: NewCase) => void

type CaseRow<Result> = { openCase: OpenCase; caseOf(result: Result): NewCase | undefined }

const cases: CompanionKind<CaseRow<never>, never> = {
  name: 'opened_cases',
  acquire: async (_tx, rows) => rows.map(() => 'granted' as const),
  write(tx, granted) {
    for (const { row, result } of granted) {
      const newCase = row.caseOf(result)
      if (newCase !== undefined) row.openCase(tx, newCase)
    }
  },
}

/** Opens a case if and only if the command is carried out and its result calls for one. */
export function caseFor<Result>(openCase: OpenCase, caseOf: (result: Result) => NewCase | undefined): Companion {
  return companion(cases, { openCase, caseOf } as CaseRow<never>)
}
