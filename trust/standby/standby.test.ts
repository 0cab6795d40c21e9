// Runs some of the scenarios once each, on the embedded PostgreSQL, and the command's refusals.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { closeEverything, runExperiment } from '../faults/experiment.ts'
import { Results } from '../faults/results.ts'
import { scenarios } from './standby.scenarios.ts'
import { tableOf } from './standby.table.ts'

after(closeEverything)

const short = new Set(['primary-lost', 'crash-restart', 'balancer-astray'])

for (const scenario of scenarios({ orders: 1 }).filter(({ name }) => short.has(name))) {
  test(`no failover takes back what was acknowledged: ${scenario.about}`, async () => {
    const { results } = await runExperiment(scenario, { seed: 14, span_ms: 0 })
    const { lost, doubled, broken } = results
    assert.deepEqual({ lost, doubled, broken }, { lost: [], doubled: [], broken: [] })
    assert.ok(results.faults > 0, 'nothing was lost or replaced')
    assert.ok(results.acknowledged > 0, 'nothing was acknowledged')
    assert.equal(results.foundDone + results.foundNotDone, results.unknown)
    if (scenario.name === 'crash-restart') assert.equal(results.unknown, 1)
  })
}

test('the table counts what was lost and which answers were a 5xx other than 503', () => {
  const results = new Results()
  results.faults = 1
  results.acknowledged = 5
  results.lost.push(...Array.from({ length: 4 }, () => 'a deposit transfer, acknowledged as CREATED'))
  results.broken.push('POST /api/v1/transfers was answered with 500 internal_error', 'the experiment could not go on')
  const [scenario] = scenarios({ orders: 1 })
  assert.ok(scenario)
  const table = tableOf([{ experiment: { ...scenario, silent_ms: [900, 1_200] }, results, skipped: undefined, seconds: 1 }])
  const [heading = '', row = ''] = table.split('\n')
  const cells = Object.fromEntries(heading.split(/ {2,}/).map((name, column) => [name.trim(), row.split(/ {2,}/)[column]]))
  assert.deepEqual([cells['done'], cells['lost'], cells['500'], cells['broken'], cells['silent']], ['5', '4', '1', '2', '1.20'])
  assert.match(table, /! lost: a deposit transfer, acknowledged as CREATED \(4 times\)/)
})

test('the command says what is missing or wrong and exits with code 2', () => {
  const standby = fileURLToPath(new URL('standby.ts', import.meta.url))
  const run = (...flags: string[]) => spawnSync(process.execPath, [standby, ...flags], { encoding: 'utf8' })
  const refusals: [string[], RegExp][] = [
    [
      ['--postgres', '/no/such/folder'],
      /^\/no\/such\/folder does not contain initdb and postgres: on Debian, install the package postgresql/,
    ],
    [['--only', 'nothing', '--embedded'], /^There is no scenario whose name begins with nothing\./],
    [['--patroni', '--embedded'], /^The embedded PostgreSQL lacks pg_basebackup/],
    [['--orders', '0'], /^npm run standby -- /],
    [['--seed', 'x'], /^npm run standby -- /],
    [['--loud'], /^Unknown option '--loud'/],
  ]
  for (const [flags, text] of refusals) {
    const { status, stdout } = run(...flags)
    assert.equal(status, 2, stdout)
    assert.match(stdout, text)
  }
  const { status, stdout } = run('--help')
  assert.equal(status, 0)
  assert.match(stdout, /crash-restart +the standby is away/)
})
