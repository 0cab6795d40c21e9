// The flows of transfers as data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, Caller, type Loose, openBank } from '../../testing/testing.ts'
import { designMoves } from '../life/transfers.design.ts'
import { flows, transferStatuses } from '../life/transfers.status.ts'

const bank = await openBank()
const venture = await bank.registerVenture()

test('all flows are shown with their statuses, their moves and the transfers that have them', async () => {
  const { status, body } = await venture.get('/transfer-flows')
  assert.equal(status, 200)
  assert.deepEqual(new Set(body.map(({ flow }: Loose) => flow)), new Set(flows))
  assert.equal(new Set(body.map(({ name }: Loose) => name)).size, body.length)
  for (const { name, statuses, moves, carries } of body) {
    for (const { from, to } of moves) {
      assert.ok(statuses.includes(from) && statuses.includes(to), `${name}: ${from} to ${to}`)
      assert.ok(transferStatuses.includes(from) && transferStatuses.includes(to))
    }
    const ends = statuses.filter((each: string) => !moves.some(({ from }: Loose) => from === each))
    assert.ok(
      ends.every((each: string) => designMoves.get(each as never) === 'terminal'),
      `${name}: ${ends}`,
    )
    assert.ok(carries.length > 0, name)
  }
  const kinds = body.flatMap(({ carries }: Loose) =>
    carries.flatMap(({ direction, method, transfer_types }: Loose) =>
      transfer_types.map((transfer_type: string) => `${direction} ${method} ${transfer_type}`),
    ),
  )
  assert.equal(new Set(kinds).size, kinds.length, 'a transfer has one flow')
})

test('the transitions of a transfer are moves of its flow', async () => {
  const account = await venture.openAccount({ balance: '10.00' })
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id)
  const transfer = await venture.createTransfer({ account_id: account.id, beneficiary_id, debit_amount: '1.00' })
  const flow = (await venture.get('/transfer-flows')).body.find(({ carries }: Loose) =>
    carries.some(
      ({ direction, method, transfer_types }: Loose) =>
        direction === transfer.direction && method === transfer.method && transfer_types.includes(transfer.transfer_type),
    ),
  )
  const transitions = (await venture.get(`/transfers/${transfer.id}/transitions`)).body
  assert.deepEqual(
    transitions.map(({ status }: Loose) => status),
    flow.moves.filter(({ from }: Loose) => from === 'CREATED').map(({ to }: Loose) => to),
  )
})

test('the flows are for those who may read transfers, and take no parameters', async () => {
  const withScope = async (scope: string): Promise<Answer> => {
    const { body } = await venture.post('/venture/keys', { name: scope, scopes: [scope] })
    return new Caller(bank.app, { 'x-api-key': body.api_key }).get('/transfer-flows')
  }
  for (const scope of ['transfers', 'sign', 'read']) assert.equal((await withScope(scope)).status, 200, scope)
  for (const scope of ['clients', 'webhooks']) assert.equal((await withScope(scope)).problem.code, 'forbidden', scope)
  assert.equal((await bank.stranger.get('/transfer-flows')).problem.code, 'unauthorized')
})
