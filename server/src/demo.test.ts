// What `npm run demo` says before it starts anything. The contents of the demo bank are tested in sandbox/demo.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startCommand } from './testing/testing.process.ts'

const script = fileURLToPath(new URL('demo.ts', import.meta.url))

function run(words: readonly string[], env: Record<string, string> = {}) {
  const { environment } = startCommand()
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    cwd: tmpdir(),
    encoding: 'utf8',
    env: { ...environment, ...env },
  })
  return { status, stdout, stderr }
}

test('the demo explains itself', () => {
  const { status, stdout, stderr } = run(['--help'])
  assert.deepEqual([status, stderr], [0, ''])
  assert.match(stdout, /npm run demo -- --seed 7/)
})

test('a seed that is no number, and words that mean nothing, are refused with the help', () => {
  for (const words of [['--seed', 'seven'], ['--seed=-1'], ['--seed', '99999999999'], ['--sed', '7'], ['7']]) {
    const { status, stdout, stderr } = run(words)
    assert.deepEqual([status, stdout], [2, ''], words.join(' '))
    assert.match(stderr, /npm run demo -- --seed 7/)
  }
})

test('the demo leaves a database of your own alone', () => {
  const { status, stdout, stderr } = run([], { DATABASE_URL: 'postgres://127.0.0.1:1/bank' })
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^npm run demo uses its own database: unset DATABASE_URL/)
})
