// The thread of the matcher. It holds an index for each loaded list version, and answers questions in batches.
import { parentPort } from 'node:worker_threads'
import type { Entry } from './screening.entries.ts'
import { type Answer, Index, type Question } from './screening.index.ts'

/** A question to one loaded version. */
export type Ask = { version: string; question: Question }

export type ToWorker =
  | { kind: 'load'; version: string; load: number; entries: readonly Entry[] }
  | { kind: 'unload'; version: string }
  | { kind: 'ask'; batch: number; asks: readonly Ask[] }
  | { kind: 'stop' }

/** `answers`: in the order of the questions; null for a version that is not loaded. */
export type FromWorker =
  | { kind: 'loaded'; version: string; load: number; names: number; unreadable: number }
  | { kind: 'answered'; batch: number; answers: readonly (Answer | null)[] }

const port = parentPort
if (port === null) throw new Error('this file only runs in a worker thread')

const indexes = new Map<string, Index>()
const send = (message: FromWorker) => port.postMessage(message)

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'load': {
      const { version, load, entries } = message
      const index = new Index(entries)
      indexes.set(version, index)
      send({ kind: 'loaded', version, load, names: index.names, unreadable: index.unreadable })
      break
    }
    case 'unload':
      indexes.delete(message.version)
      break
    case 'ask': {
      const answers = message.asks.map(({ version, question }) => indexes.get(version)?.search(question) ?? null)
      send({ kind: 'answered', batch: message.batch, answers })
      break
    }
    case 'stop':
      // Without a listener, nothing keeps the thread running.
      port.close()
  }
})
