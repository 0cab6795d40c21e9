import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from 'uuidv7'
import { openBank } from '../testing/testing.ts'

const bank = await openBank()
const unknownId = '0198c6f2-0000-7000-8000-000000000000'

async function newJob(state: 'READY' | 'DEAD'): Promise<string> {
  const id = uuidv7()
  await bank.owner.query(
    `insert into jobs (id, kind, payload, due_at, attempts, state, last_error)
     values ($1, 'nothing', '{"secret":"private words"}', now() + interval '1 hour', 20, $2, 'Error: no answer')`,
    [id, state],
  )
  return id
}

test('jobs are listed without their payload, by state and kind', async () => {
  const [ready, dead] = [await newJob('READY'), await newJob('DEAD')]
  const ids = async (query: string) => (await bank.admin.get(`/operator/jobs${query}`)).body.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids('?kind=nothing'), [dead, ready])
  assert.deepEqual(await ids('?kind=nothing&state=DEAD'), [dead])
  assert.deepEqual(await ids('?kind=unknown'), [])
  const { body, text } = await bank.admin.get(`/operator/jobs/${dead}`)
  assert.deepEqual([body.state, body.attempts, body.last_error], ['DEAD', 20, 'Error: no answer'])
  assert.ok(!text.includes('private words'))
})

test('a dead job is retried with all its attempts, or dropped; a job that is not dead is left alone', async () => {
  const [ready, dead, dropped] = [await newJob('READY'), await newJob('DEAD'), await newJob('DEAD')]
  const retried = await bank.admin.post(`/operator/jobs/${dead}/retry`)
  assert.deepEqual([retried.status, retried.body.state, retried.body.attempts], [200, 'READY', 0])
  assert.ok(Date.parse(retried.body.due_at) <= Date.now())
  assert.equal((await bank.admin.delete(`/operator/jobs/${dropped}`)).status, 204)
  assert.equal((await bank.admin.get(`/operator/jobs/${dropped}`)).problem.code, 'job_not_found')
  for (const id of [ready, dead]) {
    for (const answer of [await bank.admin.post(`/operator/jobs/${id}/retry`), await bank.admin.delete(`/operator/jobs/${id}`)])
      assert.deepEqual([answer.status, answer.problem.code], [409, 'job_not_dead'])
  }
  for (const answer of [await bank.admin.post(`/operator/jobs/${unknownId}/retry`), await bank.admin.delete(`/operator/jobs/${unknownId}`)])
    assert.deepEqual([answer.status, answer.problem.code], [404, 'job_not_found'])
})
