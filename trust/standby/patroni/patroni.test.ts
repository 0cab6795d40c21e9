// A planned switchover on a Patroni cluster, where its programs are installed, and what the command says where they are not.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { closeEverything, runExperiment } from '../../faults/experiment.ts'
import { newestInstalled } from '../standby.binaries.ts'
import { findPrograms } from './patroni.programs.ts'
import { patroniScenarios } from './patroni.scenarios.ts'

after(closeEverything)

const programs = findPrograms(newestInstalled())

test('a switchover by Patroni takes back nothing that was acknowledged', { skip: typeof programs === 'string' && programs }, async () => {
  assert.ok(typeof programs !== 'string')
  const scenario = patroniScenarios({ programs, orders: 1 }).find(({ name }) => name === 'switchover-haproxy')
  assert.ok(scenario)
  const { results } = await runExperiment(scenario, { seed: 14, span_ms: 0 })
  const { lost, doubled, broken } = results
  assert.deepEqual({ lost, doubled, broken }, { lost: [], doubled: [], broken: [] })
  assert.equal(results.faults, 1)
  assert.ok(results.acknowledged > 0, 'nothing was acknowledged')
  assert.equal(results.foundDone + results.foundNotDone, results.unknown)
  assert.equal(scenario.silent_ms.length, 1)
})

const command = fileURLToPath(new URL('../standby.ts', import.meta.url))

test('where programs are missing, the command names their packages in one sentence and does not fail', () => {
  const env = { PATH: '/no/such/folder' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, '--patroni'], { encoding: 'utf8', env })
  assert.equal(status, 0, stderr)
  assert.match(
    stdout,
    /^The scenarios with Patroni are skipped, because programs are missing: on Debian, install etcd-server, patroni(, \S+)*\.\n$/,
  )
})

test('where PostgreSQL itself is missing, or only embedded, Patroni has nothing to manage', () => {
  for (const binaries of [undefined, '/no/such/folder']) assert.match(String(findPrograms(binaries)), /postgresql-15\.$/)
})

test('each failover is tried through HAProxy and with all hosts in the URL', () => {
  const found = { etcd: '', patroni: '', haproxy: '', binaries: '' }
  const names = patroniScenarios({ programs: found, orders: 1 }).map(({ name }) => name)
  const failovers = ['primary-lost', 'switchover', 'commit-cancelled', 'crash-restart']
  assert.deepEqual(
    names,
    failovers.flatMap((name) => [`${name}-haproxy`, `${name}-hosts`]),
  )
})
