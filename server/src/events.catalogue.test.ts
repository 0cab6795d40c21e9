import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Event, eventTypes } from './events/events.ts'
import { catalogue, eventCatalogue, exampleOf } from './events.catalogue.ts'
import { payWith } from './payments/payments.testing.ts'
import { checkShape } from './platform/http/validation.ts'
import { testCards } from './sandbox/gateway/sandbox.gateway.cards.ts'
import { ManagedVenture } from './testing/testing.managed.ts'
import { someOnboarding } from './testing/testing.people.ts'
import { openReceiver } from './testing/testing.receiver.ts'
import { type Bank, openBank, VentureCaller } from './testing/testing.ts'
import { parseBic } from './values/bic.ts'
import { parseIban } from './values/iban.ts'

const examples = eventTypes.map((type) => [type, exampleOf(type)] as const)

test('every type of event is in the catalogue', () => {
  const page = eventCatalogue()
  for (const type of eventTypes) assert.match(page, new RegExp(`^\\| \\[${type}\\]\\(#\\w+\\) \\|`, 'm'), type)
  for (const [type, example] of examples) {
    assert.ok(page.includes(`\n## ${type}\n`) && page.includes(JSON.stringify(example, null, 2)), type)
  }
})

test('every example matches the schemas of events and of its resource', () => {
  for (const [type, example] of examples) {
    assert.doesNotThrow(
      () => checkShape({ ...catalogue[type].resource, additionalProperties: false })(structuredClone(example.data.object)),
      type,
    )
    assert.doesNotThrow(() => checkShape(Event)(structuredClone(example)), type)
    for (const [name, value] of Object.entries(example.data.object)) {
      if (/iban$|^account_number$/.test(name) && value !== null) assert.equal(parseIban(String(value)), value, name)
      if (/bic$/.test(name) && value !== null) assert.equal(parseBic(String(value)), value, name)
    }
  }
})

test('every event that the service emits has the fields of its example', async () => {
  const bank = await openBank()
  const url = await bank.listen()
  const venture = await bank.registerVenture()
  await verifyClient(bank, venture)
  await useAccounts(venture)
  await useTransfers(venture)
  await usePayments(bank, venture, url)
  const receiver = await openReceiver()
  const endpoint = (await venture.post('/webhook-endpoints', { url: receiver.url })).body
  await venture.post(`/webhook-endpoints/${endpoint.id}/test`)
  await venture.put(`/webhook-endpoints/${endpoint.id}`, { status: 'DISABLED' })
  await bank.admin.put(`/ventures/${venture.venture.id}`, { name: 'Acme Europe' })
  await askAboutClient(bank, venture)
  const managed = await overdraw(bank)
  const rotated = new VentureCaller(bank.app, (await venture.post('/venture/rotate-key')).body)

  for (const [type, example] of examples) {
    const follower = type === 'account.overdrawn' ? managed : rotated
    const events = (await follower.get(`/events?type=${type}`)).body
    assert.ok(events.length > 0, `${type} did not happen`)
    for (const event of events) assert.deepEqual(fieldsOf(event), fieldsOf(example), type)
    assert.equal(events.some(hasMoved), hasMoved(example), type)
  }
})

async function verifyClient(bank: Bank, venture: VentureCaller): Promise<void> {
  const client = await venture.registerClient()
  await venture.put(`/clients/${client.id}`, { city: 'Lyon' })
  await venture.post(`/clients/${client.id}/onboarding/details`, someOnboarding)
  await bank.runJobs()
}

/** Only the bank can do this, and only for a venture whose transfers it processes. */
async function askAboutClient(bank: Bank, venture: VentureCaller): Promise<void> {
  const { id: resource_id } = await venture.registerClient()
  const opened = { venture_id: venture.venture.id, about: 'client', resource_id, reason: 'A letter.' }
  const { body } = await bank.admin.post('/operator/cases', opened)
  await bank.admin.post(`/operator/cases/${body.id}/questions`, { text: 'Where does the client work?', due_on: '2099-11-20' })
}

async function overdraw(bank: Bank): Promise<VentureCaller> {
  const venture = await ManagedVenture.open(bank)
  const { id: account_id } = await venture.openAccount()
  const message = { sender: 'COBADEFF', kind: 'chargeback', tx_id: '1' }
  const debit = { venture_id: venture.venture.id, account_id, amount: '1.00', transfer_type: 'ADJUSTMENT', explanation: 'Chargeback' }
  assert.equal((await bank.admin.post('/operator/forced-debits', { ...message, ...debit })).status, 201)
  return venture
}

async function useAccounts(venture: VentureCaller): Promise<void> {
  const { id } = await venture.openAccount()
  await venture.put(`/accounts/${id}`, { account_name: 'Other' })
  const { body: mandate } = await venture.post('/mandates', {
    account_id: id,
    reference: 'M-1',
    creditor_id: 'DE98ZZZ09999999999',
    scheme: 'CORE',
    sequence_type: 'RCUR',
    signed_on: '2026-01-15',
    debtor_name: 'Charles Babbage',
    debtor_iban: 'DE89370400440532013000',
  })
  await venture.post(`/mandates/${mandate.id}/cancel`)
  await venture.post(`/accounts/${id}/freeze`)
  await venture.post(`/accounts/${id}/close`)
}

async function useTransfers(venture: VentureCaller): Promise<void> {
  const account = await venture.openAccount({ balance: '100.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  await venture.put(`/beneficiaries/${beneficiary.id}`, { display: false })
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '10.00' }
  const sent = await venture.createTransfer(order)
  await venture.put(`/transfers/${sent.id}`, { bank_partner_id: 'PARTNER-1' })
  const incoming = await venture.createTransfer({ account_id: account.id, direction: 'INBOUND', credit_amount: '5.00' })
  await venture.post(`/sandbox/transfers/${sent.id}/settle`, { outcome: 'REJECTED' })
  await venture.post(`/sandbox/transfers/${incoming.id}/settle`, { outcome: 'RETURNED' })
}

async function usePayments(bank: Bank, venture: VentureCaller, url: string): Promise<void> {
  const link = (await venture.post('/payment-links', { amount: '30.00', currency: 'EUR' })).body
  await venture.put(`/payment-links/${link.id}`, { active: false })
  const order = { amount: '30.00', currency: 'EUR', success_url: 'https://shop.example/', fail_url: 'https://shop.example/' }
  for (const name of ['plain', 'insufficient_funds', 'session_expired'] as const) {
    const payment = (await venture.post('/payments', order)).body
    await payWith(bank.app, payment, testCards.find((card) => card.name === name)?.number ?? '')
    await venture.get(`/payments/${payment.id}/return`)
    if (name === 'plain') await venture.post(`/payments/${payment.id}/refund`, {})
  }
  await venture.post(`/payments/${(await venture.post('/payments', order)).body.id}/cancel`)
  const paid = (await venture.post('/payments', order)).body
  await payWith(bank.app, paid, testCards.find((card) => card.name === 'plain')?.number ?? '')
  await venture.get(`/payments/${paid.id}/return`)
  await venture.put('/payout-settings', { payout_account_id: (await venture.openAccount()).id })
  await venture.post('/payouts')
  const unknown = await bank.openInstance({ gateway: { url: `${url}/sandbox/gateway`, user: 'nobody', password: 'nothing' } })
  await new VentureCaller(unknown, venture.venture).post('/payments', order)
}

const hasMoved = ({ data }: Event) => data.previous_status !== null

/** The names of the fields at each level. */
function fieldsOf({ data, ...event }: Event): object {
  const { object, ...beside } = data
  return { event: Object.keys(event).toSorted(), beside: Object.keys(beside), object: Object.keys(object).toSorted() }
}
