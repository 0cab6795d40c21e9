import { parentPort, workerData } from 'node:worker_threads'
import type { FromImporter, ToImporter } from './screening.importer.ts'
import { importFrom } from './screening.upload.ts'

const result: FromImporter = await importFrom(workerData as ToImporter)
parentPort?.postMessage(result)
