// Everything stored about a client, as one archive (the right of access of the GDPR): a JSON file for each kind of row. Ventures get what
// they may see; only the bank's export contains what would reveal a suspicion.
import { Readable } from 'node:stream'
import { keepMonths } from '../events/events.ts'
import { now } from '../platform/clock.ts'
import type { Snapshot } from '../platform/database/database.snapshot.ts'
import type { Database } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'
import { emailKey } from '../values/email.ts'
import { refuse } from '../values/refusals.ts'
import { eventsFile, type Kind, kinds, type Subject } from './exports.kinds.ts'
import { type Sight, Walk } from './exports.walk.ts'
import { type ZipFile, zipOf } from './exports.zip.ts'

export type { Sight }

type Key = { venture_id: string; id: string }

/** Refuses before anything is sent. A client that downloads slowly, or leaves, does not keep the database waiting; see database.snapshot.ts. */
export async function exportClient(database: Database, key: Key, sight: Sight): Promise<Readable> {
  const snapshot = await database.snapshot(key.venture_id, keepMonths)
  try {
    const subject = await findSubject(snapshot, key, sight)
    const stream = Readable.from(
      archive(new Walk(snapshot, subject, { sight, placement: database.placement }), { snapshot, subject, sight }),
      { objectMode: false },
    )
    snapshot.onExpired = () => stream.destroy(new Error('the export was downloaded too slowly'))
    // Also if nothing was read yet.
    stream.once('close', () => void snapshot.close())
    return stream
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

type Person = { email: string; second_email: string | null; mobile_phone_number: string | null; second_mobile_phone_number: string | null }

async function findSubject(snapshot: Snapshot, { venture_id, id: client_id }: Key, sight: Sight): Promise<Subject> {
  const person = await snapshot.first(read<Person>`
    select email, second_email, mobile_phone_number, second_mobile_phone_number from clients where venture_id = ${venture_id} and id = ${client_id}`)
  if (person === undefined) refuse('client_not_found')
  const accounts = await snapshot.rows(read<{ id: string; account_number: string }>`
    select id, account_number from accounts where venture_id = ${venture_id} and client_id = ${client_id}`)
  const applications = await snapshot.rows(read<{ id: string }>`
    select kyc_application_id as id from onboarding_details
    where venture_id = ${venture_id} and client_id = ${client_id} and kyc_application_id is not null`)
  const ventures = sight === 'venture' ? [] : await snapshot.rows(read<{ id: string }>`select id from ventures`)
  return {
    venture_id,
    client_id,
    accounts: accounts.map(({ id }) => id),
    ibans: accounts.map(({ account_number }) => account_number),
    applications: applications.map(({ id }) => id),
    emails: [person.email, person.second_email].flatMap((email) => email ?? []).map(emailKey),
    phones: [person.mobile_phone_number, person.second_mobile_phone_number].flatMap((phone) => phone ?? []),
    ventures: sight === 'venture' ? [venture_id] : ventures.map(({ id }) => id),
  }
}

/** The files by name, without extensions. */
const files: Readonly<Record<string, Pick<Kind, 'about' | 'fields'>>> = { ...kinds, events: eventsFile }

export const namesFor = (sight: Sight): string[] =>
  Object.entries(files).flatMap(([name, { fields }]) => (sight === 'bank' || fields !== undefined ? [name] : []))

type Archived = { snapshot: Snapshot; subject: Subject; sight: Sight }

type Content = { file: string; about: string; rows: number }

async function* archive(walk: Walk, { snapshot, subject, sight }: Archived): AsyncGenerator<Buffer> {
  const at = now()
  try {
    yield* zipOf(filesOf(walk, subject, { sight, at }), at)
  } finally {
    await snapshot.close()
  }
}

async function* filesOf(
  walk: Walk,
  { venture_id, client_id }: Subject,
  { sight, at }: { sight: Sight; at: Date },
): AsyncGenerator<ZipFile> {
  const contents: Content[] = []
  for (const name of namesFor(sight)) {
    const content: Content = { file: `${name}.json`, about: files[name]?.about ?? '', rows: 0 }
    contents.push(content)
    const pages = walk.rowsOf(name)
    let page = await pages.next()
    // The number of rows in a file is bounded, so that its size fits its header.
    for (let part = 1; !page.done; part++) {
      const first = page.value
      async function* lines(): AsyncGenerator<string> {
        let [before, left] = ['[\n', mostRows]
        for (let rows = first; ; rows = page.value) {
          yield before + rows.map(lineOf).join(',\n')
          before = ',\n'
          content.rows += rows.length
          left -= rows.length
          page = await pages.next()
          if (page.done || left <= 0) break
        }
        yield '\n]\n'
      }
      yield { name: part === 1 ? content.file : `${name}-${part}.json`, content: lines() }
    }
  }
  // The last file: an archive that has it is complete.
  const about = { venture_id, client_id, exported_at: at.toISOString(), seen_by: sight, files: contents }
  yield { name: 'about.json', content: [`${JSON.stringify(about, null, 2)}\n`] }
}

const mostRows = 200_000

const lineOf = (row: object): string => JSON.stringify(row)
