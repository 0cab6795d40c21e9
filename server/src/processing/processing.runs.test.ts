// Full runs: everyone is compared every day, once, whatever happens in between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastFullRun } from '../screening/screening.ts'
import { TestList } from '../testing/testing.lists.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { beginRuns, runJobs } from './processing.runs.ts'

const bank = await openBank()
const venture = await ManagedVenture.open(bank)
const { id: venture_id } = venture.venture
const day_ms = 86_400_000
/** Each test has days of its own. */
let day = Math.floor(Date.now() / day_ms)
const noonOf = (one: number) => new Date((one + 0.5) * day_ms)

const runs = async (of = venture_id): Promise<Loose[]> =>
  (await bank.owner.query('select *, ended_at - started_at as took from screening_runs where venture_id = $1 order by id', [of])).rows
const lastOfRuns = async (of = venture_id): Promise<Loose> => (await runs(of)).at(-1) ?? assert.fail('no run')

async function causesOf(subject_id: string): Promise<string[]> {
  const { rows } = await bank.owner.query(
    `select screening.cause from screening_hits hit
     join screenings screening on screening.venture_id = hit.venture_id and screening.id = hit.screening_id where subject_id = $1`,
    [subject_id],
  )
  return rows.map(({ cause }) => cause)
}

/** One step of a run, as a worker takes it. */
async function step(run_id: string, rescreening = bank.rescreening): Promise<void> {
  const [handler] = Object.values(runJobs(rescreening))
  await handler?.run({ venture_id, run_id } as never)
}

const forgetJobs = () => bank.owner.query('delete from jobs')

test('while the lists are not loaded no run begins, and there is no last one', async () => {
  await beginRuns(bank.rescreening, noonOf(day))
  assert.deepEqual([await runs(), await lastFullRun(bank.database, venture_id)], [[], undefined])
})

test('every day everyone is compared with all lists, once, and nobody is raised twice', async () => {
  await bank.lists.refresh()
  const list = await TestList.open(bank)
  const clients: Loose[] = []
  for (let count = 0; count < 4; count++) clients.push(await venture.registerClient({ first_name: 'Fenella', last_name: 'Quagmire' }))
  await bank.runJobs()
  await list.publish('Fenella Quagmire')
  // As if the comparison with the new version had never happened.
  await forgetJobs()
  await Promise.all([beginRuns(bank.rescreening, noonOf(day)), beginRuns(bank.rescreening, noonOf(day))])
  assert.equal((await runs()).length, 1)
  assert.equal(await lastFullRun(bank.database, venture_id), undefined, 'it has only begun')
  await bank.runJobs()
  for (const { id } of clients) assert.deepEqual(await causesOf(id), ['nightly'])
  const first = await lastOfRuns()
  const known = await bank.owner.query('select count(*)::int as all from clients where venture_id = $1', [venture_id])
  assert.equal(first.compared, known.rows[0].all)
  assert.deepEqual(await lastFullRun(bank.database, venture_id), first.ended_at)

  await beginRuns(bank.rescreening, noonOf(day))
  assert.equal((await runs()).length, 1, 'one a day')
  const hits = await bank.count('screening_hits')
  await beginRuns(bank.rescreening, noonOf(++day))
  await bank.runJobs()
  assert.deepEqual([(await runs()).length, (await lastOfRuns()).compared], [2, first.compared])
  assert.equal(await bank.count('screening_hits'), hits)
})

test('an interrupted run continues where it was, and a step that two workers take counts once', async () => {
  await beginRuns(bank.rescreening, noonOf(++day))
  await forgetJobs()
  const { id } = await lastOfRuns()
  await step(id)
  assert.deepEqual([(await lastOfRuns()).kind, (await lastOfRuns()).compared], ['client', 0])
  // Both have read the same place.
  await Promise.all([step(id), step(id)])
  const { kind, compared, ended_at } = await lastOfRuns()
  assert.deepEqual([ended_at, kind === 'beneficiary' || kind === 'client'], [null, true])
  await bank.runJobs()
  const ended = await lastOfRuns()
  assert.ok(ended.ended_at !== null)
  assert.equal(ended.compared, compared)
  await step(id)
  assert.deepEqual(await lastOfRuns(), ended, 'a job that was left over changes nothing')
})

test('a run that loses its lists does not end, and continues once they are back', async () => {
  await beginRuns(bank.rescreening, noonOf(++day))
  await forgetJobs()
  const { id } = await lastOfRuns()
  const lists = { current: [], ask: bank.lists.ask.bind(bank.lists) }
  const without = { ...bank.rescreening, comparison: { ...bank.rescreening.comparison, lists } }
  await assert.rejects(step(id, without), /not loaded/)
  assert.deepEqual([(await lastOfRuns()).kind, (await lastOfRuns()).ended_at], ['transfer', null])
  await step(id)
  await bank.runJobs()
  assert.ok((await lastOfRuns()).ended_at !== null)
})

test('a run holds up the next one for 26 hours; then that replaces it', async () => {
  await beginRuns(bank.rescreening, noonOf(++day))
  await forgetJobs()
  const { id } = await lastOfRuns()
  const begun = (await runs()).length
  const after_h = (hours: number) => new Date(noonOf(day).getTime() + hours * 3_600_000)
  await beginRuns(bank.rescreening, after_h(26))
  assert.equal((await runs()).length, begun)
  await beginRuns(bank.rescreening, new Date(after_h(26).getTime() + 1))
  assert.equal((await runs()).length, begun + 1)
  await step(id)
  await bank.runJobs()
  const [old, replacing] = (await runs()).slice(-2)
  assert.deepEqual([old?.kind, old?.ended_at, replacing?.ended_at === null], ['transfer', null, false])
  day++
})

test('a venture without a list to compare with has no run', async () => {
  const own = await ManagedVenture.open(bank)
  const { status } = await bank.admin.put(`/ventures/${own.venture.id}/policy`, { lists: ['a list that nobody has imported'] })
  assert.equal(status, 200)
  await beginRuns(bank.rescreening, noonOf(++day))
  assert.deepEqual(await runs(own.venture.id), [])
})
