// The command's refusals, and its behaviour without Citus. The scenes themselves need an installed Citus: npm run cluster.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { processEnvironment } from '../../server/src/platform/config.ts'
import { findCitus } from '../../server/src/testing/testing.cluster.ts'
import { closeEverything, runExperiment } from '../faults/experiment.ts'
import { scenes } from './cluster.scenes.ts'

const cluster = fileURLToPath(new URL('cluster.ts', import.meta.url))
const run = (flags: string[], CITUS_PG_CONFIG?: string) => {
  const { CITUS_PG_CONFIG: _, ...others } = processEnvironment()
  const env = CITUS_PG_CONFIG === undefined ? others : { ...others, CITUS_PG_CONFIG }
  return spawnSync(process.execPath, [cluster, ...flags], { encoding: 'utf8', env })
}

test('the command says what is wrong and exits with code 2', () => {
  const refusals: [string[], RegExp][] = [
    [['--only', 'nothing'], /^There is no scene whose name begins with nothing\./],
    [['--transactions', '0'], /^CITUS_PG_CONFIG=\S+ npm run cluster -- /],
    [['--kills', 'x'], /^CITUS_PG_CONFIG=\S+ npm run cluster -- /],
    [['--loud'], /^Unknown option '--loud'/],
  ]
  for (const [flags, text] of refusals) {
    const { status, stdout } = run(flags)
    assert.equal(status, 2, stdout)
    assert.match(stdout, text)
  }
  const { status, stdout } = run(['--help'])
  assert.equal(status, 0)
  assert.match(stdout, /worker-killed/)
})

test('without Citus the command says what is missing and does nothing', () => {
  for (const [given, text] of [
    [undefined, /^Skipped\. CITUS_PG_CONFIG is not set: /],
    ['/no/such/pg_config', /^Skipped\. CITUS_PG_CONFIG does not work: /],
  ] as const) {
    const { status, stdout } = run([], given)
    assert.equal(status, 0)
    assert.match(stdout, text)
  }
})

const found = findCitus()

test('distributing refuses what it must, and run again it changes nothing', { skip: 'missing' in found && found.missing }, async () => {
  if ('missing' in found) return
  const [scene] = scenes({ ...found, transactions: 1, kills: 1 })
  assert.ok(scene)
  const { results } = await runExperiment(scene, { seed: 1, span_ms: 0 })
  await closeEverything()
  assert.deepEqual(results.broken, [])
  assert.equal(results.faults, 5)
})

test('rows are sealed in their shards, and what is done to them on a worker is named', {
  skip: 'missing' in found && found.missing,
}, async () => {
  if ('missing' in found) return
  const scene = scenes({ ...found, transactions: 1, kills: 1 }).find(({ name }) => name === 'seals')
  assert.ok(scene)
  const { results } = await runExperiment(scene, { seed: 20, span_ms: 0 })
  await closeEverything()
  assert.deepEqual(results.broken, [])
  assert.deepEqual(results.lost, [])
  assert.equal(results.faults, 8)
})
