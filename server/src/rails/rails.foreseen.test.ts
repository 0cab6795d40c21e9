// The message that a dry run shows is the one that the other bank reads.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { theirIban } from '../testing/testing.otherbank.ts'
import { openRails } from '../testing/testing.rails.ts'
import type { Loose } from '../testing/testing.ts'

const rails = await openRails()
const { other, venture } = rails
const someone = await rails.payer('1000.00')

test('the texts of a dry run are those of the message', async () => {
  const { body: account } = await venture.get(`/accounts/${someone.account_id}`)
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, { iban: theirIban, name: 'Zoë Müller & Söhne' })
  const order = {
    account_id: someone.account_id,
    beneficiary_id,
    debit_amount: '10.00',
    unique_reference: `WHOLE-${randomUUID().slice(0, 8)}`,
    purpose: 'Miete „Mai“ № 5',
  }
  const { status, body, text } = await venture.post('/transfers/dry-run', order)
  assert.equal(status, 200, text)
  const foreseen: Loose = Object.fromEntries(body.message.texts.map(({ field, sent }: Loose) => [field, sent]))
  const made = await venture.createTransfer(order)
  await rails.sendOut()
  const { tx_id } = await other.payment(made)
  const sent = (await other.received())
    .flatMap(({ message }: Loose) => message.transactions ?? [])
    .find((transaction: Loose) => transaction.tx_id === tx_id)
  const { creditor, debtor, remittance, end_to_end_id } = sent
  assert.deepEqual({ cr_name: creditor.name, dr_name: debtor.name, purpose: remittance[0], unique_reference: end_to_end_id }, foreseen)
  assert.equal(creditor.name, 'Zoe Muller + Sohne')
})
