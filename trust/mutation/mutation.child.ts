// A process that runs one test file after another, as its parent asks (mutation.run.ts). After the first failure of a file, the rest of the file fails at once, so
// that its hooks still close what the file has opened. With --coverage the parent is told which functions ran.
import { Session } from 'node:inspector/promises'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { endOf } from '../../tests/tests.lane.reporter.ts'

/** Where the functions of a file begin that were called. */
export type Called = Record<string, number[]>

const session = process.argv.includes('--coverage') ? await startCoverage() : undefined

process.on('message', ({ path, name }: { path: string; name: string }) => {
  let hasFailed = false
  describe(name, async () => {
    beforeEach(() => {
      if (hasFailed) throw new Error('A test before this one has failed.')
    })
    afterEach((context) => {
      if ('passed' in context && !context.passed) hasFailed = true
    })
    await import(pathToFileURL(path).href)
  })
  test(endOf(name), async () => {
    if (session !== undefined) process.send?.({ called: await calledSince(session) })
  })
})

async function startCoverage(): Promise<Session> {
  const started = new Session()
  started.connect()
  await started.post('Profiler.enable')
  await started.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return started
}

/** Since the last time. */
async function calledSince(of: Session): Promise<Called> {
  const { result } = await of.post('Profiler.takePreciseCoverage')
  const called: Called = {}
  for (const { url, functions } of result) {
    if (!url.startsWith('file:') || url.includes('/node_modules/')) continue
    const starts = functions.flatMap(({ functionName, ranges: [range] }) =>
      range !== undefined && range.count > 0 && !(functionName === '' && range.startOffset === 0) ? [range.startOffset] : [],
    )
    if (starts.length > 0) called[fileURLToPath(url)] = starts
  }
  return called
}
