// A process that runs test files one after another for its parent (mutation.run.ts). After the first failure in a file, its remaining tests fail at once,
// so that its hooks still run and clean up. With --coverage it also reports which functions ran.
import { Session } from 'node:inspector/promises'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { endOf } from '../../tests/tests.lane.reporter.ts'

/** The start offsets of the functions in a file that were called. */
export type Called = Record<string, number[]>

const session = process.argv.includes('--coverage') ? await startCoverage() : undefined

process.on('message', ({ path, name }: { path: string; name: string }) => {
  let hasFailed = false
  describe(name, async () => {
    beforeEach(() => {
      if (hasFailed) throw new Error('An earlier test has failed.')
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

/** Since the previous call. */
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
