import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openBank, type VentureCaller } from '../testing/testing.ts'
import { walk } from '../testing/testing.walks.ts'

// On a busy machine, ten thousand concurrent creates wait in the queue for minutes.
const bank = await openBank({ databaseWait_ms: 300_000 })

async function systemBalance(venture: VentureCaller, name: string): Promise<string> {
  const { rows } = await bank.owner.query(
    'select coalesce(sum(amount), 0)::text as sum from entries where venture_id = $1 and system_account = $2',
    [venture.venture.id, name],
  )
  return rows[0].sum
}

test('a SEPA payment is derived, held, sent and completed, and balances and entries match', async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '100.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const transfer = await venture.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '30.00' })
  assert.deepEqual(
    [transfer.direction, transfer.method, transfer.transfer_type, transfer.status, transfer.is_instant],
    ['OUTBOUND', 'SEPA', 'PAYMENT', 'CREATED', false],
  )
  assert.deepEqual([transfer.credit_amount, transfer.credit_currency, transfer.debit_currency], ['30.00', 'EUR', 'EUR'])
  assert.deepEqual(
    [transfer.cr_name, transfer.cr_iban, transfer.dr_iban],
    ['Charles Babbage', 'DE89370400440532013000', account.account_number],
  )
  assert.deepEqual(await venture.balances(account), ['100.00', '0.00', '100.00'])
  await walk(venture, transfer, 'RESERVED')
  assert.deepEqual(await venture.balances(account), ['100.00', '30.00', '70.00'])
  await walk(venture, transfer, 'READY_FOR_SCREENING AML_SCANNING AML_APPROVED READY_TO_CLEAR SENT_TO_CLEAR COMPLETED')
  assert.deepEqual(await venture.balances(account), ['70.00', '0.00', '70.00'])
  assert.equal(await systemBalance(venture, 'settlement:SEPA:EUR'), '-70.00')
  const { body: entries } = await venture.get(`/accounts/${account.id}/entries`)
  assert.deepEqual(
    entries.map(({ amount, balance }: { amount: string; balance: string }) => [amount, balance]),
    [
      ['-30.00', '70.00'],
      ['100.00', '100.00'],
    ],
  )
})

test('an internal transfer moves money between two clients in one journal and creates a record for the receiver', async () => {
  const venture = await bank.registerVenture()
  const [from, to] = [await venture.openAccount({ balance: '50.00' }), await venture.openAccount()]
  const beneficiary = await venture.addBeneficiary(from.client_id, { iban: to.account_number })
  const transfer = await venture.createTransfer({ account_id: from.id, beneficiary_id: beneficiary.id, debit_amount: '20.00' })
  assert.equal(transfer.method, 'INTERNAL')
  await walk(venture, transfer, 'RESERVED READY_FOR_SCREENING AML_SCANNING AML_APPROVED COMPLETED')
  assert.deepEqual(await venture.balances(from), ['30.00', '0.00', '30.00'])
  assert.deepEqual(await venture.balances(to), ['20.00', '0.00', '20.00'])
  const { body } = await venture.get(`/accounts/${to.id}/transfers`)
  assert.equal(body.length, 1)
  assert.deepEqual(
    [body[0].direction, body[0].status, body[0].parent_transaction_id, body[0].unique_reference],
    ['INBOUND', 'COMPLETED', transfer.id, body[0].id],
  )
})

test('ten thousand concurrent creates with one reference create one transfer', async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount()
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00', unique_reference: randomUUID() }
  const statuses: Record<number, number> = {}
  const answers = await Promise.all(Array.from({ length: 10_000 }, () => venture.post('/transfers', order)))
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
  assert.deepEqual(statuses, { 201: 1, 409: 9_999 })
  const { body: made } = await venture.get(`/accounts/${account.id}/transfers`)
  assert.deepEqual(
    made.map(({ unique_reference }: { unique_reference: string }) => unique_reference),
    [order.unique_reference],
  )
  assert.deepEqual(await bank.wrongBooks(), [])
})

test('sixty-four concurrent callers of one account never overdraw it and lose no update', async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '100.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const outcomes = await Promise.all(
    Array.from({ length: 64 }, async () => {
      const codes: number[] = []
      for (let n = 0; n < 4; n++) {
        const { id } = await venture.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' })
        codes.push((await venture.put(`/transfers/${id}`, { status: 'RESERVED' })).status)
      }
      return codes
    }),
  )
  assert.deepEqual(outcomes.flat().sort(), [...Array(100).fill(200), ...Array(156).fill(422)])
  assert.deepEqual(await venture.balances(account), ['100.00', '100.00', '0.00'])
})
