// For tests: a matcher thread that ends or hangs when it is asked about certain names. Earlier events are kept in a file, whose path is in
// the URL, because the next thread would not know about them.
import { existsSync, writeFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { ToWorker } from './screening.worker.ts'

const mark = new URL(import.meta.url).searchParams.get('mark') ?? ''

parentPort?.on('message', (message: ToWorker) => {
  const names = message.kind === 'ask' ? message.asks.map(({ question }) => question.name) : []
  const isFirst = names.includes('Crash Once') && !existsSync(mark)
  if (isFirst) writeFileSync(mark, '')
  if (isFirst || names.includes('Crash Always')) process.exit(3)
  while (names.includes('Hang Always'));
})

await import('./screening.worker.ts')
