// Imports a list in a thread of its own, which ends afterwards. A large list takes seconds and some hundred megabytes.
import { Worker } from 'node:worker_threads'
import type { ImportResult, ListFiles, ListFormat } from './screening.formats.ts'

export type ToImporter = { format: ListFormat; files: ListFiles }

const ownFile = new URL('./screening.importer.worker.ts', import.meta.url)

/** `file`: the file of the thread; tests have another. */
export function importListAside(format: ListFormat, files: ListFiles, file = ownFile): Promise<ImportResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ImportResult>()
  const workerData: ToImporter = { format, files }
  const worker = new Worker(file, { workerData })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('the thread that imports a list ended without a result')))
  return promise
}
