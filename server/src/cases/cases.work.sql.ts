// SQL statements for what people add to cases. A case of the house can concern another venture, so its rows may be of both.
import type { Reader, Tx } from '../platform/database/database.ts'
import { columnsOf, read, write } from '../platform/database/sql.ts'
import { CaseFile, CaseNote } from './cases.work.schemas.ts'

type OfCase = { venture_id: string; case_id: string }

const noteColumns = columnsOf(CaseNote)
const fileColumns = columnsOf(CaseFile)

export function insertNote(tx: Tx, row: CaseNote & OfCase): void {
  tx.send(write`
    insert into case_notes (venture_id, case_id, ${noteColumns}) select venture_id, case_id, ${noteColumns}
    from json_populate_record(null::case_notes, ${JSON.stringify(row)})`)
}

export const selectNote = ({ venture_id, id }: { venture_id: string; id: string }) => read`
  select id from case_notes where venture_id = ${venture_id} and id = ${id}`

export const selectNotes = ({ venture_id, case_id }: OfCase) => read<CaseNote>`
  select ${noteColumns} from case_notes where venture_id = ${venture_id} and case_id = ${case_id} order by id`

/** Returns the case's file with the same content if it has one already. */
export async function insertFile(tx: Tx, row: CaseFile & OfCase): Promise<CaseFile> {
  const inserted = await tx.first(write<CaseFile>`
    insert into case_files (venture_id, case_id, ${fileColumns}) select venture_id, case_id, ${fileColumns}
    from json_populate_record(null::case_files, ${JSON.stringify(row)})
    on conflict (venture_id, case_id, question_id, sha256) do nothing returning ${fileColumns}`)
  if (inserted !== undefined) return inserted
  const found = await tx.first(read<CaseFile>`
    select ${fileColumns} from case_files
    where venture_id = ${row.venture_id} and case_id = ${row.case_id} and question_id is not distinct from ${row.question_id}::uuid
      and sha256 = ${row.sha256}`)
  if (found === undefined) throw new Error(`the file ${row.sha256} of the case ${row.case_id} was found and is gone`)
  return found
}

type OfCases = { ventures: readonly string[]; case_id: string }

export const selectFiles = ({ ventures, case_id }: OfCases) => read<CaseFile>`
  select ${fileColumns} from case_files where venture_id = any(${ventures}) and case_id = ${case_id} order by id`

export const selectFile = ({ ventures, case_id, id }: OfCases & { id: string }) => read<CaseFile & { venture_id: string }>`
  select venture_id, ${fileColumns} from case_files where venture_id = any(${ventures}) and case_id = ${case_id} and id = ${id}`

/** The files that were sent for a question. */
export const selectFilesOf = ({ venture_id, question_id }: { venture_id: string; question_id: string }) => read<{ id: string }>`
  select id from case_files where venture_id = ${venture_id} and question_id = ${question_id} order by id`

/** Which of these files have a row. */
export async function findNamedFiles(reader: Reader, venture_id: string, ids: readonly string[]): Promise<string[]> {
  const found = await reader.rows(read<{ id: string }>`select id from case_files where venture_id = ${venture_id} and id = any(${ids})`)
  return found.map(({ id }) => id)
}

export type LinkRow = OfCase & { other_case_id: string; created_by: string | null; created_at: string }

/** Both sides of a link, or nothing if it is there already. */
export function insertLinks(tx: Tx, rows: readonly LinkRow[]): void {
  for (const { venture_id, case_id, other_case_id, created_by, created_at } of rows)
    tx.send(write`
      insert into case_links (venture_id, case_id, other_case_id, created_by, created_at)
      values (${venture_id}, ${case_id}, ${other_case_id}, ${created_by}, ${created_at})
      on conflict (venture_id, case_id, other_case_id) do nothing`)
}

export const selectLinks = ({ venture_id, case_id }: OfCase) => read<LinkRow>`
  select venture_id, case_id, other_case_id, created_by, created_at from case_links
  where venture_id = ${venture_id} and case_id = ${case_id} order by created_at, other_case_id`
