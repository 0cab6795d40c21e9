// What people do with cases besides deciding them: open one by hand, add notes and files, link them. Nothing of it can be changed later, and
// the audit log has the SHA-256 of each text and file.
import { hash } from 'node:crypto'
import { concerning, hashed } from '../audit/audit.ts'
import type { Actor, By } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Tx } from '../platform/database/database.ts'
import type { CheckedFile, FileType } from '../platform/files/files.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { uuidv7 } from '../platform/ids.ts'
import { refuse } from '../values/refusals.ts'
import { getVenture } from '../ventures/ventures.ts'
import { venturesOf } from './cases.added.ts'
import { insertCase, selectCaseAt } from './cases.sql.ts'
import { type Case, type Cases, getRow, handlerOf, manualCase, newRow, refuseField, showCase } from './cases.ts'
import type { CaseFile, CaseLink, CaseNote, NewCaseByHand } from './cases.work.schemas.ts'
import { insertFile, insertLinks, insertNote, selectFile, selectNote } from './cases.work.sql.ts'

/** The person in `created_by`; null for the admin key. */
const personOf = ({ id }: Actor): string | null => id

export const sha256Of = (text: string): string => hash('sha256', text)

/** Opens a case about something that exists. A resource has at most one open case that was opened by hand. */
export async function openByHand(cases: Cases, wanted: NewCaseByHand, { actor, companions }: By): Promise<Case> {
  const { about: subject, venture_id, resource_id, reason, severity = 'NORMAL', due_at } = wanted
  if ((subject === 'nothing') !== (resource_id == null))
    refuseField('resource_id', subject === 'nothing' ? 'must be null in a case about nothing' : `must be the id of the ${subject}`)
  if (subject !== 'nothing' && venture_id == null) refuseField('venture_id', `must be the venture of the ${subject}`)
  if (due_at != null && Date.parse(due_at) <= now().getTime()) refuseField('due_at', 'must be in the future')
  if (venture_id != null) await getVenture(cases.database, venture_id)
  const id = uuidv7()
  const opened = newRow({
    venture_id: venture_id ?? bankId,
    kind: manualCase,
    resource_id: resource_id ?? id,
    payload: { about: subject, reason, opened_by: personOf(actor) },
    severity,
  })
  const row = { ...opened, id, due_at: due_at ?? opened.due_at }
  // Refuses a resource that does not exist.
  await handlerOf(cases, row).look(row)
  const audited = hashed(sha256Of(reason), concerning(row.venture_id, companions))
  return cases.database.transaction((tx) =>
    accompanied(tx, audited, async () => {
      tx.evidence = selectCaseAt(row)
      const open = await insertCase(tx, row)
      if (open !== row.id) refuse('case_open', { detail: `The case ${open} is already open about it.`, case_id: open })
      return showCase(row)
    }),
  )
}

export async function addNote(cases: Cases, case_id: string, text: string, { actor, companions }: By): Promise<CaseNote> {
  const { venture_id } = await getRow(cases, case_id)
  const sha256 = sha256Of(text)
  const note: CaseNote = { id: uuidv7(), text, sha256, created_by: personOf(actor), created_at: now().toISOString() }
  return cases.database.transaction((tx) =>
    accompanied(tx, hashed(sha256, concerning(venture_id, companions)), async () => {
      tx.evidence = selectNote({ venture_id, id: note.id })
      insertNote(tx, { ...note, venture_id, case_id })
      return note
    }),
  )
}

/** Links two cases, in both directions. A link that exists stays as it is. */
export async function linkCases(cases: Cases, case_id: string, other_case_id: string, { actor, companions }: By): Promise<CaseLink> {
  if (case_id === other_case_id) refuseField('other_case_id', 'must be another case')
  const [one, other] = await Promise.all([getRow(cases, case_id), getRow(cases, other_case_id)])
  const made = { created_by: personOf(actor), created_at: now().toISOString() }
  return cases.database.transaction((tx) =>
    accompanied(tx, concerning(one.venture_id, companions), async () => {
      insertLinks(tx, [
        { venture_id: one.venture_id, case_id, other_case_id, ...made },
        { venture_id: other.venture_id, case_id: other_case_id, other_case_id: case_id, ...made },
      ])
      return { id: other.id, kind: other.kind, state: other.state, ...made }
    }),
  )
}

/** `caseOf`: the case of the file. Called in the transaction that adds the row, it may refuse. */
type NewFile = { venture_id: string; question_id: string | null; file: CheckedFile; caseOf: (tx: Tx) => Promise<string> }

/** The file is stored before its row. The same file again is the one that is there. */
export async function storeFile(
  { database, files }: Pick<Cases, 'database' | 'files'>,
  { venture_id, question_id, file, caseOf }: NewFile,
  { companions, created_by }: { companions: Companions; created_by: string | null },
): Promise<CaseFile> {
  const { name, type, size, sha256, bytes } = file
  const row: CaseFile = { id: uuidv7(), question_id, name, type, size, sha256, created_by, created_at: now().toISOString() }
  await files.put({ venture_id, id: row.id }, bytes)
  return database.transaction((tx) =>
    accompanied(tx, hashed(sha256, companions), async () => {
      const case_id = await caseOf(tx)
      const stored = await insertFile(tx, { ...row, venture_id, case_id })
      tx.evidence = selectFile({ ventures: [venture_id], case_id, id: stored.id })
      return stored
    }),
  )
}

export async function addFile(cases: Cases, case_id: string, file: CheckedFile, { actor, companions }: By): Promise<CaseFile> {
  const { venture_id } = await getRow(cases, case_id)
  const given = { venture_id, question_id: null, file, caseOf: async () => case_id }
  return storeFile(cases, given, { companions: concerning(venture_id, companions), created_by: personOf(actor) })
}

export type StoredFile = { name: string; type: FileType; bytes: Buffer }

/** The bytes, if they are still those that were sent. */
export async function getFile(cases: Cases, case_id: string, id: string): Promise<StoredFile> {
  const row = await getRow(cases, case_id)
  const found = (await cases.database.first(selectFile({ ventures: venturesOf(row), case_id, id }))) ?? refuse('file_not_found')
  const bytes = await cases.files.get({ venture_id: found.venture_id, id })
  if (bytes === undefined || hash('sha256', bytes) !== found.sha256) throw new Error(`the file ${id} is not what was stored`)
  return { name: found.name, type: found.type as FileType, bytes }
}
