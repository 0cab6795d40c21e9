// A session that leaves something in every table: what the fixtures of older migration levels contain. It runs against older versions too,
// so it uses only their features, and tolerates what newer versions refuse.
import { setTimeout as sleep } from 'node:timers/promises'
import { person, someOnboarding } from '../../server/src/testing/testing.people.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of many versions, of which only a few fields are used.
type Loose = any

type Call = (method: string, path: string, body?: object) => Promise<Loose>

/** The migration level from which a version has these routes. */
const since = { clients: 7, money: 9, webhooks: 11, payments: 13, bank: 17, caseWork: 43 }

export type Service = { url: string; adminKey: string; level: number }

export async function runSession({ url, adminKey, level }: Service): Promise<void> {
  const admin = callerOf(url, adminKey)
  const { id, api_key } = await admin('POST', '/ventures', { name: 'Acme' })
  const other = await admin('POST', '/ventures', { name: 'Closed down' })
  if (level >= 2) await admin('PUT', `/ventures/${id}`, { name: 'Acme Bank' })
  await admin('PUT', `/ventures/${other.id}`, { status: 'DISABLED' })
  const venture = callerOf(url, api_key)
  if (level < since.clients) return
  const client = await onboard(venture)
  if (level >= since.webhooks)
    await venture('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/hooks', description: 'Nobody listens' })
  if (level >= since.money) await moveMoney(venture, client.id)
  if (level >= since.payments) await takePayments(venture)
  if (level >= since.bank) await runBank(url, admin)
  if (level >= since.caseWork) await addToCases({ url, adminKey, venture, about: { venture_id: id, resource_id: client.id } })
}

function callerOf(url: string, key: string): Call {
  return async (method, path, body) => {
    const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${url}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
}

async function onboard(call: Call): Promise<Loose> {
  const ada = await call('POST', '/clients/person', { ...person, email: 'ada@example.com', kyc_level: 'NOT_REQUIRED' })
  await call('PUT', `/clients/${ada.id}`, { city: 'Lyon', email: 'ada.lovelace@example.com' })
  for (const [name, outcome] of [
    ['Grace', 'APPROVED'],
    ['Joan', undefined],
  ] as const) {
    const { id } = await call('POST', '/clients/person', { ...person, first_name: name, email: `${name}@example.com` })
    await call('POST', `/clients/${id}/onboarding/details`, someOnboarding)
    if (outcome !== undefined) await verify(call, id, outcome)
  }
  return ada
}

async function verify(call: Call, id: string, outcome: string): Promise<void> {
  await untilDone(() => call('POST', `/sandbox/clients/${id}/verification`, { outcome }))
  await untilDone(async () => (await call('GET', `/clients/${id}`)).kyc_status === 'VALIDATED' || Promise.reject(new Error('not verified')))
}

async function untilDone(act: () => Promise<unknown>): Promise<void> {
  for (let left = 300; ; left--) {
    try {
      return void (await act())
    } catch (error) {
      if (left === 0) throw error
      await sleep(100)
    }
  }
}

async function moveMoney(call: Call, client_id: string): Promise<void> {
  const open = async (account_name: string, currency = 'EUR') => {
    const account = await call('POST', '/accounts', { client_id, account_name, account_type: 'CURRENT', currency })
    await call('POST', `/accounts/${account.id}/activate`)
    return account
  }
  const [main, second, frozen, closed] = [await open('Main'), await open('Second'), await open('Frozen', 'USD'), await open('Closed')]
  await call('POST', '/accounts', { client_id, account_name: 'Pending', account_type: 'SAVINGS', currency: 'EUR' })
  await call('POST', `/accounts/${frozen.id}/freeze`)
  await call('POST', `/accounts/${closed.id}/close`)
  await call('POST', `/sandbox/accounts/${main.id}/deposits`, { amount: '500.00' })
  const payee = { client_id, name: 'Charles Babbage', beneficiary_type: 'PERSON' }
  const outside = await call('POST', '/beneficiaries', { ...payee, iban: 'DE89370400440532013000' })
  const inside = await call('POST', '/beneficiaries', { ...payee, name: 'Ada Lovelace', iban: second.account_number })
  let count = 0
  const create = (order: object) => call('POST', '/transfers', { account_id: main.id, unique_reference: `order-${++count}`, ...order })
  const walk = async ({ id }: { id: string }, statuses: string) => {
    for (const status of statuses.split(' ')) await call('PUT', `/transfers/${id}`, { status })
  }
  const settle = ({ id }: { id: string }, outcome: string) => call('POST', `/sandbox/transfers/${id}/settle`, { outcome })
  const out = { beneficiary_id: outside.id, debit_amount: '20.00' }
  const into = { direction: 'INBOUND', credit_amount: '30.00', dr_name: 'Grace Hopper', dr_iban: 'FR7630006000011234567890189' }

  await create(out)
  await walk(await create(out), 'RESERVED')
  await settle(await create(out), 'COMPLETED')
  await settle(await create(out), 'REJECTED')
  await settle(await create({ beneficiary_id: inside.id, debit_amount: '10.00' }), 'COMPLETED')
  await walk(await create(into), 'RECEIVED')
  await walk(await create(into), 'RECEIVED READY_FOR_SCREENING AML_SCANNING AML_REJECTED')
  await walk(await create({ ...out, method: 'CARD', transfer_type: 'CARD_AUTH' }), 'RESERVED')

  // Orders that some versions carry out and others refuse.
  const screening = 'READY_FOR_SCREENING AML_SCANNING AML_APPROVED'
  const disputed: [object, string][] = [
    [{ beneficiary_id: inside.id, debit_amount: '1.00', method: 'INTERNAL', transfer_type: 'FEE' }, 'RESERVED COMPLETED'],
    [{ beneficiary_id: inside.id, debit_amount: '1.00', method: 'INTERNAL', transfer_type: 'ADJUSTMENT' }, 'RESERVED COMPLETED'],
    [{ ...out, debit_amount: '1.00', method: 'CARD', transfer_type: 'PAYMENT' }, 'RESERVED COMPLETED'],
    [{ ...out, debit_amount: '1.00', transfer_type: 'FEE' }, `RESERVED ${screening} COMPLETED`],
  ]
  for (const [order, statuses] of disputed) {
    try {
      await walk(await create(order), statuses)
    } catch (error) {
      console.error(`refused by this version: ${(error as Error).message}`)
    }
  }
}

type CaseWork = { url: string; adminKey: string; venture: Call; about: { venture_id: string; resource_id: string } }

async function addToCases({ url, adminKey, venture, about }: CaseWork): Promise<void> {
  const admin = callerOf(url, adminKey)
  const { id } = await admin('POST', '/operator/cases', { ...about, about: 'client', reason: 'A request of the police.' })
  const other = await admin('POST', '/operator/cases', { about: 'nothing', reason: 'A letter without a sender.' })
  await admin('POST', `/operator/cases/${id}/notes`, { text: 'The client is known at the branch.' })
  await admin('POST', `/operator/cases/${id}/links`, { other_case_id: other.id })
  const form = new FormData()
  form.append('file', new Blob(['The letter.'], { type: 'text/plain' }), 'letter.txt')
  const sent = await fetch(`${url}/api/v1/operator/cases/${id}/files`, { method: 'POST', headers: { 'x-api-key': adminKey }, body: form })
  if (!sent.ok) throw new Error(`no file: ${await sent.text()}`)
  const { id: asked } = await admin('POST', `/operator/cases/${id}/questions`, {
    text: 'Where does the client work?',
    due_on: '2099-11-20',
  })
  await venture('POST', `/questions/${asked}/answer`, { answer: 'At the university.' })
}

async function takePayments(call: Call): Promise<void> {
  const order = { amount: '12.50', currency: 'EUR', success_url: 'https://shop.example/paid', fail_url: 'https://shop.example/failed' }
  await call('POST', '/payments', order)
  const { id } = await call('POST', '/payments', { ...order, description: 'Two books' })
  await call('POST', `/payments/${id}/cancel`)
  await call('POST', '/payment-links', { amount: '5.00', currency: 'EUR', description: 'A donation', max_uses: 3 })
}

/** The bank's side, using only the admin key: a MANAGED venture, facts of other banks, and work that waits for people. */
async function runBank(url: string, admin: Call): Promise<void> {
  const { id, api_key } = await admin('POST', '/ventures', { name: 'Managed', control: 'MANAGED' })
  const venture = callerOf(url, api_key)
  await admin('PUT', '/operator/rates', { from_currency: 'EUR', to_currency: 'USD', rate: '1.0825', margin: '0.005' })
  await admin('PUT', `/ventures/${id}/policy`, { card_fee: '0.014', payout_delay_days: 1 })
  await venture('POST', '/venture/keys', { name: 'Nightly report', scopes: ['read'] })
  await admin('POST', '/operator/users', { email: 'ann@bank.example', role: 'admin' })
  const client = await venture('POST', '/clients/person', { ...person, email: 'dora@example.com' })
  await venture('POST', `/clients/${client.id}/onboarding/details`, someOnboarding)
  await verify(venture, client.id, 'APPROVED')
  const account = await venture('POST', '/accounts', {
    client_id: client.id,
    account_name: 'Main',
    account_type: 'CURRENT',
    currency: 'EUR',
  })
  await venture('POST', `/accounts/${account.id}/activate`)
  let count = 0
  const message = () => ({ sender: 'COBADEFF', kind: 'pacs.008', tx_id: `message-${++count}`, currency: 'EUR', rail: 'SEPA' })
  const payer = { dr_name: 'Grace Hopper', dr_iban: 'FR7630006000011234567890189' }
  for (const iban of [account.account_number, 'DE89370400440532013000'])
    await admin('POST', '/operator/inbound-payments', { ...message(), ...payer, iban, amount: '80.00' })
  const payee = { client_id: client.id, name: 'Charles Babbage', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' }
  const { id: beneficiary_id } = await venture('POST', '/beneficiaries', payee)
  await admin('POST', '/operator/forced-debits', {
    sender: 'COBADEFF',
    kind: 'chargeback',
    tx_id: 'debit-1',
    venture_id: id,
    account_id: account.id,
    amount: '5.00',
    transfer_type: 'ADJUSTMENT',
    explanation: 'A chargeback that the scheme has debited.',
  })
  await venture('POST', '/transfers', { account_id: account.id, unique_reference: 'managed-1', beneficiary_id, debit_amount: '20.00' })
  await venture('PUT', '/payout-settings', { payout_account_id: account.id })
}
