// Imports a list in a separate thread, which ends afterwards. A large list takes seconds and some hundred megabytes.
import { Worker } from 'node:worker_threads'
import type { ListFiles, ListFormat } from './screening.formats.ts'

/** The files in the body of a request, not yet split. `type`: its Content-Type, with the boundary between the files. */
export type Upload = { type: string; bytes: Uint8Array }

export type ToImporter = { format: ListFormat; watchlist_id: string; source: { files: ListFiles } | { upload: Upload } }

/** A list as it is stored: entries in JSON, several hundred in each text, so that the main thread does not handle them one by one. */
export type ImportedList = {
  sha256: string
  entries: number
  names: number
  unknown_countries: readonly string[]
  chunks: readonly string[]
}

export type FromImporter = ({ ok: true } & ImportedList) | { ok: false; refusal: string }

const ownFile = new URL('./screening.importer.worker.ts', import.meta.url)

/** The largest lists take less than a minute and some hundred megabytes. */
const longest_min = 5
const most_mb = 2_048

/** `file`: the file of the thread. Tests use another file, and less time and memory. */
export function importListInThread(
  wanted: ToImporter,
  { file = ownFile, longest_ms = longest_min * 60_000, memory_mb = most_mb } = {},
): Promise<FromImporter> {
  const { promise, resolve, reject } = Promise.withResolvers<FromImporter>()
  const worker = new Worker(file, { workerData: wanted, resourceLimits: { maxOldGenerationSizeMb: memory_mb } })
  const timer = setTimeout(() => {
    resolve({ ok: false, refusal: `The files could not be read within ${longest_min} minutes.` })
    void worker.terminate()
  }, longest_ms)
  worker.once('message', resolve)
  worker.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      resolve({ ok: false, refusal: `The files could not be read with ${most_mb} MB of memory.` })
    else reject(error)
  })
  worker.once('exit', () => {
    clearTimeout(timer)
    reject(new Error('the thread that imports a list ended without a result'))
  })
  return promise
}
