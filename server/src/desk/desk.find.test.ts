// Finding resources by a pasted text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBanker, openMember } from '../testing/testing.sessions.ts'
import { type Answer, Caller, type Loose, openBank, type VentureCaller } from '../testing/testing.ts'

const bank = await openBank()
await bank.listen()
const unknownId = '0198c6f2-0000-7000-8000-000000000000'

const find = (caller: Caller, text: string): Promise<Answer> => caller.get(`/find?text=${encodeURIComponent(text)}`)
const findAnywhere = (caller: Caller, text: string): Promise<Answer> => caller.get(`/operator/find?text=${encodeURIComponent(text)}`)

async function keyWith(venture: VentureCaller, scope: string): Promise<Caller> {
  const { body } = await venture.post('/venture/keys', { name: scope, scopes: [scope] })
  return new Caller(bank.app, { 'x-api-key': body.api_key })
}

let count = 0

/** A venture with one of everything that can be found. Its names are unique. */
async function openVenture() {
  const mark = `Q${String.fromCharCode(97 + count++)}${'z'.repeat(4)}`
  const venture = await bank.registerVenture(`${mark} Ltd`)
  const client = await venture.registerClient({ last_name: `${mark}son`, kyc_level: 'NOT_REQUIRED' })
  const account = await venture.openAccount({ client_id: client.id, balance: '10.00' })
  const beneficiary = await venture.addBeneficiary(client.id, { name: `${mark} Traders`, iban: 'DE89370400440532013000' })
  const transfer = await venture.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' })
  const shop = { success_url: 'https://shop.example/thanks', fail_url: 'https://shop.example/sorry' }
  const { body: payment } = await venture.post('/payments', { amount: '5.00', currency: 'EUR', ...shop, order_ref: `ORDER-${mark}` })
  const { body: link } = await venture.post('/payment-links', { amount: '5.00', currency: 'EUR', description: 'Two books' })
  const { body: endpoint } = await venture.post('/webhook-endpoints', { url: 'https://example.com/hooks' })
  const { body: mandate } = await venture.post('/mandates', {
    account_id: account.id,
    reference: `M-${mark}`,
    creditor_id: 'DE98ZZZ09999999999',
    scheme: 'CORE',
    sequence_type: 'RCUR',
    debtor_name: 'Charles Babbage',
    debtor_iban: 'DE89370400440532013000',
    signed_on: '2026-01-15',
  })
  const { body: events } = await venture.get('/events?limit=1')
  const [event] = events
  return { mark, venture, client, account, beneficiary, transfer, payment, link, endpoint, mandate, event }
}

test('everything is found by its id, in either case and with spaces around it', async () => {
  const all = await openVenture()
  const kinds = { client: all.client, account: all.account, beneficiary: all.beneficiary, transfer: all.transfer, payment: all.payment }
  const others = { payment_link: all.link, webhook_endpoint: all.endpoint, mandate: all.mandate, event: all.event }
  for (const [kind, { id }] of Object.entries<Loose>({ ...kinds, ...others })) {
    for (const text of [id, ` ${id.toUpperCase()} `]) {
      const { status, body } = await find(all.venture, text)
      assert.equal(status, 200, kind)
      assert.deepEqual(
        body.map((found: Loose) => [found.kind, found.id]),
        [[kind, id]],
      )
      assert.ok(body[0].title.length > 0 && Object.keys(body[0]).length === 4, JSON.stringify(body[0]))
    }
  }
})

test('references, emails, IBANs and the beginnings of names are found', async () => {
  const { mark, venture, client, account, beneficiary, transfer, payment, mandate } = await openVenture()
  const expect = async (text: string, expected: readonly string[]) => {
    const { body } = await find(venture, text)
    assert.deepEqual(new Set(body.map(({ id }: Loose) => id)), new Set(expected), text)
  }
  await expect(transfer.unique_reference, [transfer.id])
  await expect(`ORDER-${mark}`, [payment.id])
  await expect(`M-${mark}`, [mandate.id])
  await expect(client.email, [client.id])
  await expect(client.email.toUpperCase(), [client.id])
  await expect(account.account_number, [account.id])
  await expect(account.account_number.toLowerCase().replace(/(.{4})/g, '$1 '), [account.id])
  await expect(beneficiary.iban, [beneficiary.id])
  await expect(mark.toUpperCase(), [client.id, beneficiary.id])
  await expect(`${mark}son`, [client.id])
  for (const text of ['Nobody Atall', unknownId, 'none@example.com', 'GB33BUKB20201555555555', '%', '_', `${mark}%`]) await expect(text, [])
})

test('a key finds only what its scopes let it list', async () => {
  const all = await openVenture()
  const texts = [all.client, all.account, all.transfer, all.payment, all.endpoint, all.event, all.mandate, all.link, all.beneficiary]
  const kindsFor = async (caller: Caller) => {
    const answers = await Promise.all([...texts.map(({ id }: Loose) => id), all.mark, all.client.email].map((text) => find(caller, text)))
    return new Set(answers.flatMap(({ body }) => body.map(({ kind }: Loose) => kind)))
  }
  assert.deepEqual(await kindsFor(await keyWith(all.venture, 'clients')), new Set(['client']))
  assert.deepEqual(await kindsFor(await keyWith(all.venture, 'accounts')), new Set(['account']))
  assert.deepEqual(await kindsFor(await keyWith(all.venture, 'payments')), new Set(['payment', 'payment_link']))
  assert.deepEqual(await kindsFor(await keyWith(all.venture, 'webhooks')), new Set(['event', 'webhook_endpoint']))
  for (const scope of ['transfers', 'sign'])
    assert.deepEqual(await kindsFor(await keyWith(all.venture, scope)), new Set(['transfer', 'beneficiary', 'mandate']), scope)
  for (const caller of [await keyWith(all.venture, 'read'), await openMember(bank, all.venture.venture.id, 'viewer')])
    assert.equal((await kindsFor(caller)).size, 9)
})

test('nothing of another venture is found', async () => {
  const all = await openVenture()
  const other = await bank.registerVenture()
  const { client, account, beneficiary, transfer, payment, link, endpoint, mandate, event, mark } = all
  const ids = [client, account, beneficiary, transfer, payment, link, endpoint, mandate, event].map(({ id }: Loose) => id)
  const references = [transfer.unique_reference, client.email, account.account_number, beneficiary.iban, `ORDER-${mark}`, `M-${mark}`, mark]
  for (const text of [...ids, ...references]) assert.deepEqual((await find(other, text)).body, [], text)
})

test('at most ten results are shown', async () => {
  const venture = await bank.registerVenture()
  for (let number = 0; number < 12; number++) await venture.registerClient({ last_name: 'Manyhome' })
  assert.equal((await find(venture, 'manyh')).body.length, 10)
})

test('the bank finds things of all ventures, and ventures by the beginning of their name', async () => {
  const { mark, venture, client, account, transfer } = await openVenture()
  const venture_id = venture.venture.id
  const expect = async (text: string, expected: readonly object[]) =>
    assert.deepEqual((await findAnywhere(bank.admin, text)).body, expected)
  const found = { kind: 'transfer', id: transfer.id, venture_id, title: transfer.unique_reference }
  await expect(transfer.id, [found])
  await expect(transfer.unique_reference, [found])
  await expect(account.account_number, [{ kind: 'account', id: account.id, venture_id, title: account.account_name }])
  await expect(mark.toLowerCase(), [{ kind: 'venture', id: venture_id, venture_id, title: `${mark} Ltd` }])
  await expect(venture_id, [{ kind: 'venture', id: venture_id, venture_id, title: `${mark} Ltd` }])
  // The name of a client is personal data: it is shown only by reading the client, which is audited.
  await expect(client.email, [{ kind: 'client', id: client.id, venture_id, title: client.id }])
  await expect(`${mark}son`, [])
})

test('clients that people of the bank find are in the audit log', async () => {
  const { venture, client } = await openVenture()
  const person = await openBanker(bank, 'auditor')
  const banker = person.actingFor(venture.venture.id)
  assert.equal((await find(banker, client.email)).body.length, 1)
  const { body } = await bank.admin.get(`/operator/audit-log?resource=${client.id}&actor_id=${person.id}`)
  assert.deepEqual(
    body.map(({ action }: Loose) => action),
    ['find'],
  )
})

test('a text that says nothing is refused, and so is a caller who may not ask', async () => {
  const venture = await bank.registerVenture()
  for (const [caller, path] of [
    [venture, '/find'],
    [bank.admin, '/operator/find'],
  ] as const) {
    for (const query of ['', '?text=', '?text=%20', `?text=${'x'.repeat(256)}`, '?text=a&colour=red', '?text=a%00b']) {
      const { status, problem } = await caller.get(`${path}${query}`)
      assert.deepEqual([status, problem.code], [400, 'invalid_request'], `${path}${query}`)
    }
    assert.equal((await bank.stranger.get(`${path}?text=a`)).problem.code, 'unauthorized')
  }
  assert.equal((await findAnywhere(venture, 'a')).problem.code, 'forbidden')
})
