import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ManagedVenture } from '../../testing/testing.managed.ts'
import { openBank } from '../../testing/testing.ts'
import { activeMandates } from './rails.mandates.ts'

test('a collection is sent with its mandate as long as the mandate is active', async () => {
  const bank = await openBank()
  const venture = await ManagedVenture.open(bank)
  const account = await venture.openAccount()
  const signed = { scheme: 'B2B', sequence_type: 'OOFF', debtor_name: 'Grace Hopper', debtor_iban: 'DE89370400440532013000' }
  const order = { account_id: account.id, reference: 'M-1', creditor_id: 'DE98ZZZ09999999999', signed_on: '2026-01-15', ...signed }
  const { body: mandate } = await venture.post('/mandates', order)
  const collection = await venture.createTransfer({ account_id: account.id, mandate_id: mandate.id, credit_amount: '5.00' })
  const keys = [collection, { id: randomUUID(), mandate_id: null }, { id: randomUUID(), mandate_id: randomUUID() }].map(
    ({ id, mandate_id }) => {
      return { venture_id: venture.venture.id, id, mandate_id }
    },
  )
  const named = {
    mandate_reference: 'M-1',
    mandate_signed_on: '2026-01-15',
    creditor_id: 'DE98ZZZ09999999999',
    scheme: 'B2B',
    sequence_type: 'OOFF',
  }
  assert.deepEqual(await activeMandates(bank.database, keys), new Map([[collection.id, named]]))
  assert.deepEqual(
    await activeMandates(
      bank.database,
      keys.map((key) => ({ ...key, venture_id: randomUUID() })),
    ),
    new Map(),
  )
  assert.equal((await venture.post(`/mandates/${mandate.id}/cancel`)).status, 200)
  assert.deepEqual(await activeMandates(bank.database, keys), new Map())
})
