// Turns the body of a request into the stored entries of a list.
import { createHash, hash } from 'node:crypto'
import type { Entry } from '../screening.entries.ts'
import { importList, type ListFiles } from './screening.formats.ts'
import type { FromImporter, ToImporter, Upload } from './screening.importer.ts'

/** The number of entries in a statement. */
const chunkSize = 500

export async function importFrom({ format, watchlist_id, source }: ToImporter): Promise<FromImporter> {
  const files = 'files' in source ? source.files : await filesIn(source.upload)
  if (typeof files === 'string') return { ok: false, refusal: files }
  const imported = await importList(format, files)
  if (!imported.ok) return imported
  const { entries, unknown_countries } = imported
  const rows = entries.map((entry) => rowOf(watchlist_id, entry))
  const chunks: string[] = []
  for (let at = 0; at < rows.length; at += chunkSize) chunks.push(JSON.stringify(rows.slice(at, at + chunkSize)))
  const names = entries.reduce((total, entry) => total + entry.names.length, 0)
  return { ok: true, sha256: sha256Of(files), entries: entries.length, names, unknown_countries, chunks }
}

/** The parts of multipart/form-data by name, or why they cannot be read. */
async function filesIn({ type, bytes }: Upload): Promise<ListFiles | string> {
  let form: FormData
  try {
    form = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } }).formData()
  } catch {
    return 'The body is not complete multipart/form-data.'
  }
  const files: Record<string, Uint8Array> = {}
  for (const [name, part] of form) {
    if (Object.hasOwn(files, name)) return `The body contains the file ${name} twice.`
    files[name] = typeof part === 'string' ? new TextEncoder().encode(part) : new Uint8Array(await part.arrayBuffer())
  }
  return files
}

/** Identifies an edition, in whichever order its files were sent. */
function sha256Of(files: ListFiles): string {
  const digest = createHash('sha256')
  for (const name of Object.keys(files).sort()) {
    const bytes = files[name] as Uint8Array
    digest.update(`${name} ${bytes.length}\n`).update(bytes)
  }
  return digest.digest('hex')
}

const rowOf = (watchlist_id: string, { id: entry_id, ...entry }: Entry) => ({
  entry_id,
  ...entry,
  hash: entryHash(watchlist_id, entry_id, entry),
})

/** Changes with anything that is compared, but not with the order in which the publisher writes it. */
export function entryHash(
  watchlist_id: string,
  entry_id: string,
  { kind, names, birth_dates, countries, identifiers }: Omit<Entry, 'id'>,
): string {
  const sorted = (values: readonly string[]) => [...values].sort()
  const compared = [kind, sorted(names.map(({ name }) => name)), sorted(birth_dates), sorted(countries), sorted(identifiers)]
  return hash('sha256', JSON.stringify([watchlist_id, entry_id, ...compared]))
}
