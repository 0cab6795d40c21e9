// The thread that imports one list.
import { parentPort, workerData } from 'node:worker_threads'
import { importList } from './screening.formats.ts'
import type { ToImporter } from './screening.importer.ts'

const { format, files } = workerData as ToImporter
parentPort?.postMessage(await importList(format, files))
