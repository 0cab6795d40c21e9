// A lane: a process that runs test files one after another, as sent by the parent (tests.pool.ts). Starting a process and loading the service
// takes longer than many files. Each file is a suite, so that its hooks end with it; results go to the parent (tests.lane.reporter.ts).
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { endOf } from './tests.lane.reporter.ts'

process.on('message', (file: string) => {
  describe(file, async () => {
    await import(pathToFileURL(file).href)
  })
  test(endOf(file), () => {})
})
