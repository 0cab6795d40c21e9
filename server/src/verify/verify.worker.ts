// A verification in a separate thread, so that requests do not wait for it.
import { parentPort, workerData } from 'node:worker_threads'
import { type Finding, type Progress, verifyDatabase } from './verify.ts'

export type FromVerification = { progress: Progress } | { findings: Finding[] } | { failure: string }

const post = (message: FromVerification): void => parentPort?.postMessage(message)

try {
  post({ findings: await verifyDatabase((workerData as { url: string }).url, (progress) => post({ progress })) })
} catch (error) {
  post({ failure: (error as Error).message })
}
