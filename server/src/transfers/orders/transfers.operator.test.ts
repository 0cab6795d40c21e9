// What the bank sees across ventures: transfers by status, and the trial balance.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnTriggersOff } from '../../testing/testing.server.ts'
import { type Loose, openBank } from '../../testing/testing.ts'

const bank = await openBank()

test('the operator lists the transfers of all ventures by status, newest first, in pages without gaps', async () => {
  const ventures = [await bank.registerVenture(), await bank.registerVenture(), await bank.registerVenture()]
  const accounts = await Promise.all(ventures.map((venture) => venture.openAccount()))
  const made: string[][] = []
  for (let round = 0; round < 4; round++) {
    for (const [index, venture] of ventures.entries()) {
      const { id } = await venture.deposit(accounts[index].id, '1.00')
      made.push([venture.venture.id, id])
    }
  }
  const listed: string[][] = []
  let path = '/operator/transfers?status=COMPLETED&limit=5'
  for (let page = 0; page < 3; page++) {
    const { status, body, headers, text } = await bank.admin.get(path)
    assert.equal(status, 200, text)
    listed.push(...body.map(({ venture_id, id }: Loose) => [venture_id, id]))
    path = /^<\/api\/v1(.+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1] ?? 'none'
  }
  assert.deepEqual(listed, made.toReversed())
  const { body: skipped } = await bank.admin.get('/operator/transfers?status=COMPLETED&limit=5&offset=4')
  assert.deepEqual(
    skipped.map(({ id }: Loose) => id),
    listed.slice(4, 9).map(([, id]) => id),
  )
  assert.deepEqual((await bank.admin.get('/operator/transfers?status=REVIEW')).body, [])
  assert.deepEqual((await bank.admin.get('/operator/transfers?status=COMPLETED&method=SWIFT')).body, [])
  assert.equal((await bank.admin.get('/operator/transfers')).problem.errors[0].field, 'status')
})

test('the trial balance has what clients and the books have, and sums to zero in each venture and currency', async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '12.50' })
  const { status, body } = await bank.admin.get('/operator/trial-balance')
  assert.equal(status, 200)
  const own = body.filter(({ venture_id }: Loose) => venture_id === venture.venture.id)
  const clients = own.find(({ account }: Loose) => account === 'clients')
  assert.deepEqual([clients.currency, clients.balance], [account.currency, '12.50'])
  const sums = new Map<string, number>()
  for (const { venture_id, currency, balance } of body) {
    const key = `${venture_id} ${currency}`
    sums.set(key, (sums.get(key) ?? 0) + Math.round(Number(balance) * 100))
  }
  assert.deepEqual([...new Set(sums.values())], [0])
  // At the end of a day, the balances are the sums of what was booked until then.
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual(
    (await bank.admin.get(`/operator/trial-balance?date=${today}`)).body.filter(({ balance }: Loose) => Number(balance) !== 0),
    body.filter(({ balance }: Loose) => Number(balance) !== 0),
  )
  assert.deepEqual((await bank.admin.get('/operator/trial-balance?date=2020-01-01')).body, [])
  await bank.owner.query('begin')
  await turnTriggersOff(bank.owner)
  await bank.owner.query(`update entries set created_at = '2020-02-02T12:00:00Z' where venture_id = $1`, [venture.venture.id])
  await bank.owner.query('commit')
  const then = (await bank.admin.get('/operator/trial-balance?date=2020-02-02')).body
  assert.deepEqual(
    then.map(({ account, balance }: Loose) => [account, balance]),
    own.map(({ account, balance }: Loose) => [account, balance]),
  )
  assert.deepEqual((await bank.admin.get('/operator/trial-balance?date=2020-02-01')).body, [])
  assert.equal((await bank.admin.get('/operator/trial-balance?date=today')).status, 400)
})
