import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Matcher, type MatcherFailure, type MatcherOptions } from './screening.matcher.ts'
import { entryOf } from './screening.testing.ts'

const entries = [entryOf({ id: 'a' }, 'Orlin Vashtree'), entryOf({ id: 'b' }, 'Kesper Dromgold')]
const read = () => Promise.resolve(entries)
const about = (name: string) => ({ name, threshold: 0.85 })

function start(context: TestContext, options?: MatcherOptions): Matcher {
  const matcher = new Matcher(options)
  context.after(() => matcher.stop())
  return matcher
}

/** A thread that ends when it is asked about the names Crash Once and Crash Always. */
function crashing(context: TestContext): URL {
  const folder = mkdtempSync(join(tmpdir(), 'vostro-matcher-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = new URL('./screening.crashing.testing.ts', import.meta.url)
  file.searchParams.set('mark', join(folder, 'crashed'))
  // A thread is started from a path, so its URL cannot carry data.
  const thread = join(folder, 'thread.mjs')
  writeFileSync(thread, `await import(${JSON.stringify(file.href)})`)
  return pathToFileURL(thread)
}

const failsWith = (failure: MatcherFailure) => ({ name: 'MatcherError', failure })

async function idOf(matcher: Matcher, name: string, version = 'v1'): Promise<string | undefined> {
  return (await matcher.ask(version, about(name))).hits[0]?.entry.id
}

test('questions are answered from the version that they name', async (context) => {
  const matcher = start(context)
  assert.deepEqual(await matcher.load('v1', read), { names: 2, unreadable: 0 })
  await matcher.load('v2', () => Promise.resolve([entryOf({ id: 'c' }, 'Orlin Vashtree')]))
  assert.deepEqual(
    await Promise.all([idOf(matcher, 'Orlin Vashtree'), idOf(matcher, 'Orlin Vashtree', 'v2'), idOf(matcher, 'Somebody Else')]),
    ['a', 'c', undefined],
  )
  const { hits, reading } = await matcher.ask('v1', { name: 'Kesper Dromgolt', threshold: 0.85, details: { kind: 'person' } })
  assert.deepEqual([hits[0]?.entry.id, reading], ['b', 'whole'])
})

test('a version can be replaced and unloaded', async (context) => {
  const matcher = start(context)
  await matcher.load('v1', read)
  await matcher.load('v1', () => Promise.resolve([entryOf({ id: 'c' }, 'Orlin Vashtree')]))
  assert.equal(await idOf(matcher, 'Orlin Vashtree'), 'c')
  matcher.unload('v1')
  assert.equal(matcher.isLoaded('v1'), false)
  await assert.rejects(matcher.ask('v1', about('Orlin Vashtree')), failsWith('NOT_LOADED'))
})

test('a loading that is replaced, unloaded or stopped ends, and so do the questions that wait for it', async () => {
  const matcher = new Matcher()
  const replaced = assert.rejects(
    matcher.load('v1', () => new Promise(() => {})),
    failsWith('NOT_LOADED'),
  )
  await matcher.load('v1', read)
  const waiting = assert.rejects(matcher.ask('v1', about('Orlin Vashtree')), failsWith('NOT_LOADED'))
  matcher.unload('v1')
  const stopped = assert.rejects(
    matcher.load('v2', () => new Promise(() => {})),
    failsWith('NOT_LOADED'),
  )
  await matcher.stop()
  await Promise.all([replaced, waiting, stopped])
})

test('nothing passes while a version is not loaded', async (context) => {
  const matcher = start(context)
  await assert.rejects(matcher.ask('v1', about('Orlin Vashtree')), failsWith('NOT_LOADED'))
  const loading = matcher.load('v1', read)
  await assert.rejects(matcher.ask('v1', about('Orlin Vashtree')), failsWith('NOT_LOADED'))
  await loading
  assert.equal(await idOf(matcher, 'Orlin Vashtree'), 'a')
})

test('a version whose entries cannot be read is not loaded', async (context) => {
  const matcher = start(context)
  await assert.rejects(
    matcher.load('v1', () => Promise.reject(new Error('the database is away'))),
    /the database is away/,
  )
  assert.equal(matcher.isLoaded('v1'), false)
})

test('many questions at once are answered in batches, each with its own answer', async (context) => {
  const matcher = start(context, { largestBatch: 7 })
  await matcher.load('v1', read)
  const names = Array.from({ length: 500 }, (_, at) => (at % 2 === 0 ? 'Orlin Vashtree' : 'Kesper Dromgold'))
  const found = await Promise.all(names.map((name) => idOf(matcher, name)))
  assert.deepEqual(
    found,
    names.map((name) => (name === 'Orlin Vashtree' ? 'a' : 'b')),
  )
  assert.equal(matcher.waiting, 0)
})

test('a question too many is refused at once, and later ones are answered', async (context) => {
  const matcher = start(context, { mostWaiting: 3 })
  await matcher.load('v1', read)
  const asked = Array.from({ length: 5 }, () => idOf(matcher, 'Orlin Vashtree').catch(({ failure }) => failure))
  assert.deepEqual(await Promise.all(asked), ['a', 'a', 'a', 'BUSY', 'BUSY'])
  assert.equal(await idOf(matcher, 'Orlin Vashtree'), 'a')
})

test('a thread that ends is started again with its versions, and the question is repeated', async (context) => {
  const crashes: string[] = []
  const matcher = start(context, { file: crashing(context), onCrash: ({ message }) => crashes.push(message) })
  await matcher.load('v1', read)
  const asked = ['Crash Once', 'Orlin Vashtree'].map((name) => idOf(matcher, name).catch(({ failure }) => failure))
  assert.deepEqual(await Promise.all(asked), [undefined, 'a'])
  assert.deepEqual(crashes, ['the thread that screens names ended with code 3'])
})

test('a question that ends the thread twice is refused, and the others of its batch are answered', async (context) => {
  const crashes: Error[] = []
  const matcher = start(context, { file: crashing(context), onCrash: (error) => crashes.push(error) })
  await matcher.load('v1', read)
  const names = ['Orlin Vashtree', 'Crash Always', 'Kesper Dromgold']
  const asked = names.map((name) => idOf(matcher, name).catch(({ failure }) => failure))
  assert.deepEqual(await Promise.all(asked), ['a', 'FAILED', 'b'])
  assert.equal(crashes.length, 2)
  assert.equal(await idOf(matcher, 'Orlin Vashtree'), 'a')
})

test('a question over which the thread hangs is refused, and the others of its batch are answered', async (context) => {
  const crashes: Error[] = []
  const longestSilence_ms = { answering: 3_000, loading: 60_000 }
  const matcher = start(context, { file: crashing(context), longestSilence_ms, onCrash: (error) => crashes.push(error) })
  await matcher.load('v1', read)
  const asked = ['Hang Always', 'Orlin Vashtree'].map((name) => idOf(matcher, name).catch(({ failure }) => failure))
  assert.deepEqual(await Promise.all(asked), ['FAILED', 'a'])
  assert.ok(crashes.length >= 2)
})

test('a thread that hangs while it loads a list is given up, and nothing passes', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'vostro-matcher-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const thread = join(folder, 'thread.mjs')
  writeFileSync(thread, 'for (;;);')
  const matcher = new Matcher({ file: pathToFileURL(thread), longestSilence_ms: { answering: 60_000, loading: 50 } })
  await assert.rejects(matcher.load('v1', read), failsWith('NOT_LOADED'))
  assert.equal(matcher.isStopped, true)
})

test('questions that wait while the thread is started again are answered', async (context) => {
  const matcher = start(context, { file: crashing(context), largestBatch: 1 })
  await matcher.load('v1', read)
  const names = ['Crash Once', ...Array.from({ length: 20 }, () => 'Orlin Vashtree')]
  const found = await Promise.all(names.map((name) => idOf(matcher, name)))
  assert.deepEqual(found, [undefined, ...Array.from({ length: 20 }, () => 'a')])
})

test('a thread that cannot be started gives up, and nothing passes', async () => {
  const matcher = new Matcher({ file: pathToFileURL(join(tmpdir(), 'there-is-no-such-thread.ts')) })
  await assert.rejects(matcher.load('v1', read), failsWith('NOT_LOADED'))
  await assert.rejects(matcher.ask('v1', about('Orlin Vashtree')), failsWith('STOPPED'))
  await matcher.stop()
})

test('stopping answers what is waiting, and refuses what comes later', async () => {
  const matcher = new Matcher()
  await matcher.load('v1', read)
  const asked = Array.from({ length: 200 }, () => idOf(matcher, 'Orlin Vashtree'))
  const stopped = matcher.stop()
  await assert.rejects(matcher.ask('v1', about('Orlin Vashtree')), failsWith('STOPPED'))
  await assert.rejects(matcher.load('v2', read), failsWith('STOPPED'))
  assert.deepEqual(new Set(await Promise.all(asked)), new Set(['a']))
  await stopped
  await matcher.stop()
})
