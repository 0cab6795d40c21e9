// Running files: passes, failures, and files that do not end.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { hasFailed, type Job, type Result, runJobs } from './tests.pool.ts'
import { describeFailure, describeResult, summaryOf } from './tests.report.ts'

const folder = mkdtempSync(join(tmpdir(), 'vostro-pool-'))
after(() => rmSync(folder, { recursive: true }))

const head = "import assert from 'node:assert/strict'\nimport { after, afterEach, suite, test } from 'node:test'\n"

async function run(files: Record<string, string>, more: Partial<Job> = {}, options: { lanes?: number; stop?: AbortSignal } = {}) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), head + text)
  const results: Result[] = []
  const jobs = Object.keys(files).map((name) => ({ name, ...more }))
  const limits = { timeout_ms: 8_000, ending_ms: 3_000, ready: Promise.resolve() }
  await runJobs(jobs, { cwd: folder, lanes: options.lanes ?? 1, ...limits, onResult: (result) => results.push(result) }, options.stop)
  return results
}

const failuresOf = (results: readonly Result[]) =>
  results.filter(hasFailed).map(({ name, failure, outcomes }) => [name, failure ?? outcomes.find(({ error }) => error !== undefined)?.name])

test('what passes, fails and is skipped is told with its name, its error and what was printed', async () => {
  const results = await run({
    'some.mjs': `
      test('fine', () => {})
      test('wrong', () => { console.log('the clue'); assert.equal(1, 2) })
      test('later', { skip: 'no program' }, () => {})
      suite('within', () => { test('deeper', () => assert.fail('deep down')) })`,
    'other.mjs': "test('fine too', () => {})",
  })
  assert.deepEqual(
    results.map(describeResult).map((line) => line.replace(/ {2}[\d.]+ s$/, '')),
    ['✖ some.mjs  4 tests, 1 skipped', '✔ other.mjs  1 tests'],
  )
  const said = describeFailure(results[0] as Result).join('\n')
  for (const text of ['✖ wrong', '1 !== 2', '✖ deeper', 'deep down', 'the clue']) assert.ok(said.includes(text), `${text}: ${said}`)
  const { text, isFine } = summaryOf(results, 1_000)
  assert.equal(isFine, false)
  for (const line of ['1 skipped: no program', 'ℹ tests 5', 'ℹ pass 2', 'ℹ fail 2', 'ℹ skipped 1', '✖ wrong (some.mjs)'])
    assert.ok(text.includes(line), `${line}: ${text}`)
  assert.equal(summaryOf(results.slice(1), 1_000).isFine, true)
})

test('files of a process share nothing of their hooks, and each begins when the one before has ended', async () => {
  const order = "console.log(new URL(import.meta.url).pathname.split('/').pop())\n"
  const results = await run({
    'hooks.mjs': `${order}
      globalThis.seen = []
      after(() => { globalThis.seen.push('ended') })
      afterEach(() => { globalThis.seen.push('each') })
      await new Promise((resolve) => setTimeout(resolve, 20))
      test('one', () => {})`,
    'next.mjs': `${order}
      test('sees that the file before has ended', () => assert.deepEqual(globalThis.seen, ['each', 'ended']))
      test('and hears nothing of its hooks', () => assert.equal(globalThis.seen.length, 2))`,
  })
  assert.deepEqual(failuresOf(results), [])
})

test('a file of its own process sees nothing of others', async () => {
  const results = await run(
    {
      'first.mjs': "globalThis.mark = 1\ntest('marks', () => {})",
      'second.mjs': "test('clean', () => assert.equal(globalThis.mark, undefined))",
    },
    { alone: true },
  )
  assert.deepEqual(failuresOf(results), [])
})

test('a file that cannot be loaded, ends its process, throws later or hangs has failed, and the next one runs', async () => {
  const results = await run({
    'syntax.mjs': 'const',
    'throws.mjs': "throw new Error('at once')",
    'hook.mjs': "after(() => { throw new Error('at the end') })\ntest('fine', () => {})",
    'exits.mjs': "test('exits', () => process.exit(3))",
    'hangs.mjs': "test('hangs', () => new Promise(() => setInterval(() => {}, 1000)))",
    'fine.mjs': "test('fine', () => {})",
  })
  const failures = new Map(failuresOf(results) as [string, string][])
  assert.deepEqual([...failures.keys()], ['syntax.mjs', 'throws.mjs', 'hook.mjs', 'exits.mjs', 'hangs.mjs'])
  assert.match(failures.get('exits.mjs') ?? '', /its process ended with the code 3/)
  assert.match(failures.get('hangs.mjs') ?? '', /it did not end within 8 s/)
  assert.equal(results.length, 6)
})

test('something that a file leaves open is a failure', async () => {
  const open = { 'open.mjs': "setInterval(() => {}, 1000)\ntest('fine', () => {})" }
  assert.match(String(failuresOf(await run(open, { alone: true }))[0]?.[1]), /something is still open/)
  const end = (await run({ ...open, 'more.mjs': "test('fine', () => {})" })).at(-1)
  assert.match(end === undefined ? '' : describeFailure(end).join(), /something is still open/)
})

test('a file that moves the clock of a shared process has failed, and the next one has the right time', async () => {
  const clock = JSON.stringify(new URL('../server/src/platform/clock.ts', import.meta.url).href)
  const files = {
    'moves.mjs': `const { moveAhead } = await import(${clock})\ntest('fine', () => moveAhead(86400))`,
    'reads.mjs': `const { aheadBy_s } = await import(${clock})\ntest('fine', () => assert.equal(aheadBy_s(), 0))`,
  }
  assert.deepEqual(
    failuresOf(await run(files)).map(([name]) => name),
    ['moves.mjs'],
  )
  assert.deepEqual(failuresOf(await run(files, { alone: true })), [])
})

test('a command fails with what it has printed', async () => {
  const results: Result[] = []
  const command = (text: string): Job => ({ name: text, command: [process.execPath, '-e', text] })
  const jobs = [
    command('process.exit(0)'),
    command("console.log('why'); process.exit(2)"),
    { name: 'nothing', command: ['/no/such/program'] },
  ]
  const never = new Promise<void>(() => {})
  await runJobs(jobs, {
    cwd: folder,
    lanes: 2,
    ready: never,
    timeout_ms: 1_000,
    ending_ms: 1_000,
    onResult: (result) => results.push(result),
  })
  const of = (name: string) => results.find((result) => result.name.includes(name)) as Result
  assert.equal(hasFailed(of('exit(0)')), false)
  assert.match(describeFailure(of('why')).join('\n'), /the code 2[\s\S]*why/)
  assert.match(describeFailure(of('nothing')).join('\n'), /ENOENT/)
})

test('a file whose tests belong to the file before it fails, because none of them is its own', async () => {
  const shared = 'globalThis.kept ??= new Promise((resolve) => setTimeout(resolve, 20))\nawait globalThis.kept\n'
  const results = await run({ 'first.mjs': `${shared}test('one', () => {})`, 'second.mjs': `${shared}test('two', () => {})` })
  const [first, second] = results.map(({ name, failure = '' }) => [name, failure])
  assert.deepEqual(first, ['first.mjs', ''])
  assert.match(second?.join(': ') ?? '', /^second\.mjs: it ran no test of its own/)
})

test('when it is stopped, nothing more begins', async () => {
  const stop = new AbortController()
  const running = run(
    { 'long.mjs': "test('long', () => new Promise((resolve) => setTimeout(resolve, 60000)))", 'never.mjs': '' },
    {},
    { stop: stop.signal },
  )
  setTimeout(() => stop.abort(), 300)
  const results = await running
  assert.deepEqual(
    results.map(({ name }) => name),
    ['long.mjs'],
  )
  assert.ok(hasFailed(results[0] as Result))
})
