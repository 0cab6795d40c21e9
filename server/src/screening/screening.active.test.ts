// The lists of an instance whose matcher is in trouble: what cannot be compared does not pass.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createLog } from '../platform/log.ts'
import { policyOf } from '../policies/policies.ts'
import { makeDataFolder } from '../testing/testing.folders.ts'
import { TestList } from '../testing/testing.lists.ts'
import { openBank } from '../testing/testing.ts'
import { ActiveLists } from './screening.active.ts'
import { compareSubjects, type Subject } from './screening.compare.ts'
import type { MatcherOptions } from './screening.matcher.ts'

const bank = await openBank()
const { venture } = await bank.registerVenture()
const policy = await policyOf(bank.database, venture.id)
const list = await TestList.open(bank)
const { id: version_id } = await list.publish('Orlin Vashtree')
await bank.lists.stop()

async function open(t: { after(work: () => Promise<void>): void }, matcher: MatcherOptions): Promise<ActiveLists> {
  const lists = new ActiveLists({ database: bank.database, log: createLog('silent'), matcher })
  t.after(() => lists.stop())
  return lists
}

const named = (name: string): Subject => ({
  venture_id: venture.id,
  kind: 'client',
  id: venture.id,
  policy,
  parties: [{ party: 'client', ref: null, name }],
})

const compare = (lists: ActiveLists, ...names: readonly string[]) =>
  compareSubjects({ database: bank.database, lists, countries: new Set() }, names.map(named), { cause: 'created' })

test('a name that ends the thread is raised, and all others are compared', async (t) => {
  const mark = join(makeDataFolder('crashing'), 'crashed')
  const file = new URL('./screening.crashing.testing.ts', import.meta.url)
  file.searchParams.set('mark', mark)
  const lists = await open(t, { file })
  await lists.refresh()
  const compared = await compare(lists, 'Crash Always', 'Orlin Vashtree', 'Charles Babbage')
  assert.deepEqual(
    compared.map((one) => one?.hits.map(({ reason, entry_id }) => [reason, entry_id])),
    [[['unreadable', null]], [['entry', 'T-0']], []],
  )
  const { parties: _, ...subject } = named('')
  const inText = { ...subject, parties: [], texts: [{ party: 'text', ref: null, text: 'Crash Always' }] }
  const [text] = await compareSubjects({ database: bank.database, lists, countries: new Set() }, [inText], { cause: 'created' })
  assert.deepEqual(
    text?.hits.map(({ party, reason }) => [party, reason]),
    [['text', 'unreadable']],
  )
})

test('while the matcher takes no more names nothing passes', async (t) => {
  const lists = await open(t, { mostWaiting: 0 })
  await lists.refresh()
  assert.ok(lists.current.some((one) => one.version_id === version_id))
  assert.deepEqual(await compare(lists, 'Charles Babbage'), [undefined])
})

test('a matcher whose thread cannot be started passes nothing, and is tried again', async (t) => {
  const lists = await open(t, { file: pathToFileURL(join(makeDataFolder('missing'), 'there-is-no-such-thread.ts')) })
  for (let attempt = 0; attempt < 2; attempt++) {
    await assert.rejects(lists.refresh(), /is not loaded/)
    assert.deepEqual([lists.current, await compare(lists, 'Charles Babbage')], [[], [undefined]])
  }
})

test('an instance that was never started has no lists', async (t) => {
  const lists = await open(t, {})
  assert.deepEqual([lists.current, await compare(lists, 'Charles Babbage')], [[], [undefined]])
  assert.throws(() => lists.ask(version_id, { name: 'Charles Babbage', threshold: 0.85 }), /no list is loaded/)
})
