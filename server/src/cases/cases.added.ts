// What people have added to a case, for those who decide it.
import type { Database } from '../platform/database/database.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { houseId } from '../ventures/ventures.ts'
import type { CaseQuestion } from './cases.questions.schemas.ts'
import { selectQuestionsOf } from './cases.questions.sql.ts'
import type { Case } from './cases.schemas.ts'
import { selectCasesOf } from './cases.sql.ts'
import type { CaseFile, CaseLink, CaseNote } from './cases.work.schemas.ts'
import { selectFiles, selectLinks, selectNotes } from './cases.work.sql.ts'

/** The payment that a case names, if its resource is not a payment itself. */
export type NamedPayment = { venture_id: string; id: string }

/** The payment in the payload of a case. */
export function paymentOf({ payload }: Pick<Case, 'payload'>): NamedPayment | undefined {
  return (payload as { payment?: NamedPayment | null }).payment ?? undefined
}

const hasPeople = (venture_id: string | undefined): venture_id is string =>
  venture_id !== undefined && venture_id !== bankId && venture_id !== houseId

/** The venture that can be asked about a case: its own, or for a case of the house that of the payment or the account concerned. */
export function askedOf(row: Pick<Case, 'venture_id' | 'payload'>): string | undefined {
  const account = (row.payload as { account_venture_id?: string }).account_venture_id
  return [row.venture_id, paymentOf(row)?.venture_id, account].find(hasPeople)
}

/** The ventures under which files of a case are stored. */
export const venturesOf = (row: Pick<Case, 'venture_id' | 'payload'>): string[] => [
  ...new Set([row.venture_id, askedOf(row) ?? row.venture_id]),
]

export type Added = { notes: CaseNote[]; files: CaseFile[]; links: CaseLink[]; questions: CaseQuestion[] }

export async function addedTo(database: Database, row: Case): Promise<Added> {
  const { venture_id, id: case_id } = row
  const asked = askedOf(row)
  const [notes, files, links, questions] = await Promise.all([
    database.rows(selectNotes({ venture_id, case_id })),
    database.rows(selectFiles({ ventures: venturesOf(row), case_id })),
    linksOf(database, row),
    asked === undefined ? [] : database.rows(selectQuestionsOf({ venture_id: asked, case_id })),
  ])
  return { notes, files, links, questions }
}

async function linksOf(database: Database, { venture_id, id: case_id }: Case): Promise<CaseLink[]> {
  const links = await database.rows(selectLinks({ venture_id, case_id }))
  const others = links.length === 0 ? [] : await database.rows(selectCasesOf(links.map(({ other_case_id }) => other_case_id)))
  return links.flatMap(({ other_case_id, created_by, created_at }) => {
    const other = others.find(({ id }) => id === other_case_id)
    return other === undefined ? [] : [{ id: other.id, kind: other.kind, state: other.state, created_by, created_at }]
  })
}
