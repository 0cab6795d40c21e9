// The demo bank is the same for the same seed, also on a busy machine, and what differs is named. `npm run demo:same` compares more and larger ones.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findTestServer } from '../../server/src/testing/testing.server.ts'
import { compareBanks, differencesOf } from './demo.same.ts'

test('two banks of one seed say the same, one of them made on a busy machine', async () => {
  const digests = new Set<string>()
  for await (const { digest, rows, differences } of compareBanks(findTestServer(), {
    seed: 7,
    size: 'small',
    runs: 2,
    busy: (run) => run === 2,
  })) {
    assert.deepEqual(differences, [])
    assert.ok(rows > 1_000, `only ${rows} rows were compared`)
    digests.add(digest)
  }
  assert.equal(digests.size, 1)
})

test('a difference names the row, also if it is only there more often', () => {
  assert.deepEqual(differencesOf(['a', 'b', 'b'], ['b', 'a', 'b']), [])
  assert.deepEqual(differencesOf(['a', 'b', 'b'], ['b', 'c']), ['only the first: a', 'only the first: b', 'only this one: c'])
})

test('the command explains itself, and refuses what it does not know', () => {
  const script = fileURLToPath(new URL('demo.ts', import.meta.url))
  const run = (...words: string[]) => spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' })
  assert.match(run('--help').stdout, /npm run demo:same -- \[--runs N\]/)
  for (const words of [['--runs', '1'], ['--seed', '-1'], ['--seed=x'], ['--size', 'huge'], ['--bussy']]) {
    const { status, stdout, stderr } = run(...words)
    assert.deepEqual([status, stdout], [2, ''], words.join(' '))
    assert.match(stderr, /npm run demo:same/)
  }
})
