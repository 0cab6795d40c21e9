// A lane: a process that runs one test file after another, as the parent sends them (tests.pool.ts). Starting a process and loading the service takes longer
// than many files take. Each file is a suite, so that its hooks end with it; what it reports goes to the parent (tests.lane.reporter.ts).
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { endOf } from './tests.lane.reporter.ts'

process.on('message', (file: string) => {
  describe(file, async () => {
    await import(pathToFileURL(file).href)
  })
  test(endOf(file), () => {})
})
