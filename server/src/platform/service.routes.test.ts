import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Caller, openBank } from '../testing/testing.ts'

const bank = await openBank()

test('on a standby the service is alive but not ready', async () => {
  // Replaces PostgreSQL's own function. The connection is opened on a primary that then becomes a standby, as happens to connections
  // through a pooler.
  await bank.owner.query(`
    create table recovery as select false as standby;
    create function public.pg_is_in_recovery() returns boolean language sql security definer as 'select standby from public.recovery';
    alter database ${bank.owner.database} set search_path = public, pg_catalog`)
  const instance = new Caller(await bank.openInstance(), {})
  const ready = await instance.send({ method: 'GET', url: '/readyz' })
  assert.deepEqual([ready.status, ready.body], [200, { status: 'ready' }])

  await bank.owner.query('update recovery set standby = true')
  const answer = await instance.send({ method: 'GET', url: '/readyz' })
  assert.equal(answer.status, 503)
  assert.deepEqual([answer.problem.code, answer.headers['retry-after']], ['unavailable', '1'])
  assert.equal((await instance.send({ method: 'GET', url: '/healthz' })).status, 200)

  await bank.owner.query('update recovery set standby = false')
  assert.equal((await instance.send({ method: 'GET', url: '/readyz' })).status, 200)
})
