// The ledger entries of a transfer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Loose, openBank } from '../../testing/testing.ts'

const bank = await openBank()
const unknownId = '0198c6f2-0000-7000-8000-000000000000'

async function settled() {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '10.00' })
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id)
  const transfer = await venture.createTransfer({ account_id: account.id, beneficiary_id, debit_amount: '4.00' })
  const before = (await venture.get(`/transfers/${transfer.id}/entries`)).body
  const { status } = await venture.post(`/sandbox/transfers/${transfer.id}/settle`, { outcome: 'COMPLETED' })
  assert.equal(status, 200)
  return { venture, account, transfer, before }
}

test('the entries of a transfer are what it has booked, and sum to zero', async () => {
  const { venture, account, transfer, before } = await settled()
  assert.deepEqual(before, [], 'what is only ordered has booked nothing')
  const { status, body } = await venture.get(`/transfers/${transfer.id}/entries`)
  assert.equal(status, 200)
  assert.deepEqual(
    body.map(({ account_id, system_account, currency, amount, balance }: Loose) => ({
      account_id,
      system_account,
      currency,
      amount,
      balance,
    })),
    [
      { account_id: account.id, system_account: null, currency: 'EUR', amount: '-4.00', balance: '6.00' },
      { account_id: null, system_account: 'settlement:SEPA:EUR', currency: 'EUR', amount: '4.00', balance: null },
    ],
  )
  assert.equal(body[0].journal_id, body[1].journal_id)
  const own = (await venture.get(`/accounts/${account.id}/entries`)).body.filter(({ transfer_id }: Loose) => transfer_id === transfer.id)
  assert.deepEqual(
    own.map(({ id }: Loose) => id),
    [body[0].id],
  )
})

test('the entries of received money are listed oldest first', async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount()
  const deposit = await venture.deposit(account.id, '7.00')
  const { body } = await venture.get(`/transfers/${deposit.id}/entries`)
  assert.deepEqual(
    body.map(({ id }: Loose) => id),
    body.map(({ id }: Loose) => id).toSorted(),
  )
  assert.deepEqual(
    body.map(({ account_id, amount }: Loose) => [account_id, amount]).filter(([account_id]: Loose) => account_id !== null),
    [[account.id, '7.00']],
  )
})

test("another venture's transfer has no entries for anybody else: it is as unknown as one that does not exist", async () => {
  const { transfer } = await settled()
  const other = await bank.registerVenture()
  for (const id of [transfer.id, unknownId]) {
    const { status, problem } = await other.get(`/transfers/${id}/entries`)
    assert.equal(status, 404)
    assert.equal(problem.code, 'transfer_not_found')
  }
  assert.equal((await other.get('/transfers/none/entries')).problem.code, 'invalid_request')
})
