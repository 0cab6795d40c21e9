// A venture with rows of every kind, created over the API. There are two: the attacker, and its neighbour, whose every free text
// contains a marker word that must never reach the attacker.
import { nostroId } from '../../server/src/sandbox/bank/sandbox.bank.nostro.ts'
import { formOf, someList } from '../../server/src/testing/testing.lists.ts'
import { Random } from './fuzz.random.ts'
import { type Ingredients, type Kind, kinds, recipes } from './requests/fuzz.recipes.ts'

// biome-ignore lint/suspicious/noExplicitAny: the checks of the requests that follow find what is wrong here.
type Loose = any

export type Keys = { admin: string; relay: string; webhookSecret: string }

export type Bank = {
  url: string
  keys: Keys
  /** Gives the background work a moment. */
  turn(): Promise<void>
}

export class World {
  readonly word: string
  readonly venture: { id: string; api_key: string }
  readonly pools: Record<Kind, string[]>
  /** A venture whose transfers the bank processes. */
  managed: { id: string; api_key: string } | undefined
  /** Ids that belong together in one path. */
  readonly pairs: Record<string, string>[] = []
  /** Ventures that may be renamed, disabled and given other keys without ending the run. */
  readonly disposables: { id: string; api_key: string }[] = []

  constructor(word: string, venture: { id: string; api_key: string }) {
    this.word = word
    this.venture = venture
    this.pools = Object.fromEntries(kinds.map((kind) => [kind, [] as string[]])) as Record<Kind, string[]>
  }

  /** Pools are small: evicted items stay in the database but are no longer requested. */
  add(kind: Kind, id: string, random: Random): void {
    const pool = this.pools[kind]
    if (pool.length < most) pool.push(id)
    else pool[random.integer(0, most - 1)] = id
  }

  pick(kind: Kind, random: Random): string {
    const pool = this.pools[kind]
    return pool.length === 0 ? random.uuid() : random.pick(pool)
  }

  ingredients(random: Random): Ingredients {
    return { random, word: this.word, own: (kind) => this.pick(kind, random) }
  }
}

const most = 24

export async function buildWorld(bank: Bank, { word, seed }: { word: string; seed: number }): Promise<World> {
  const random = new Random(seed)
  const call = caller(bank)
  const { id, api_key } = await call(bank.keys.admin, 'POST', '/api/v1/ventures', { name: `${word} venture` })
  const world = new World(word, { id, api_key })
  const own = (method: string, path: string, body?: object) => call(api_key, method, path, body)
  const made = async (route: string, { path = route.slice(route.indexOf(' ') + 1), kind, ...changes }: Loose = {}) => {
    const body = { ...recipes[route]?.(world.ingredients(random)), ...changes }
    const answer = await own('POST', path, body)
    if (kind !== undefined) world.add(kind, answer.id, random)
    return answer
  }
  await makePeople(world, made, own)
  await makeMoney(world, made, own)
  await makePayments(world, bank, made, own)
  await makeHooks(world, made, own)
  await makeManaged(world, bank, random)
  await makeRails(world, bank, random)
  await makeLists(world, bank, random)
  for (const name of ['one', 'two']) {
    const spare = await call(bank.keys.admin, 'POST', '/api/v1/ventures', { name: `${word} spare ${name}` })
    world.disposables.push(spare)
    world.add('ventures', spare.id, random)
  }
  await readBack(world, bank, own, random)
  return world
}

type Made = (route: string, changes?: Loose) => Promise<Loose>
type Own = (method: string, path: string, body?: object) => Promise<Loose>

async function makePeople(world: World, made: Made, own: Own): Promise<void> {
  const plain = await made('POST /api/v1/clients/person', { kind: 'clients', kyc_level: 'NOT_REQUIRED' })
  const checked = await made('POST /api/v1/clients/person', { kind: 'clients', kyc_level: 'FULL_KYC' })
  await made('POST /api/v1/clients/:client_id/onboarding/details', { path: `/api/v1/clients/${checked.id}/onboarding/details` })
  world.pools.freshClients.push(plain.id)
  await own('PUT', `/api/v1/clients/${plain.id}`, recipes['PUT /api/v1/clients/:client_id']?.(world.ingredients(new Random(1))))
}

async function makeMoney(world: World, made: Made, own: Own): Promise<void> {
  const [client_id] = world.pools.clients
  const accounts = []
  for (const external_account_id of ['first', 'second']) {
    const account = await made('POST /api/v1/accounts', {
      kind: 'accounts',
      client_id,
      external_account_id: `${world.word} ${external_account_id}`,
    })
    await own('POST', `/api/v1/accounts/${account.id}/activate`)
    await own('POST', `/api/v1/sandbox/accounts/${account.id}/deposits`, { amount: '10000.00' })
    accounts.push(account)
    world.pools.fundedAccounts.push(account.id)
  }
  await made('POST /api/v1/accounts', { kind: 'accounts', client_id })
  const [from, to] = accounts
  await made('POST /api/v1/beneficiaries', { kind: 'beneficiaries', client_id })
  await made('POST /api/v1/beneficiaries', { kind: 'beneficiaries', client_id, iban: to?.account_number })
  // Only these two are paid: others in the pools may belong to another client, or be invalid.
  world.pools.payees.push(...world.pools.beneficiaries)
  // One of the funded accounts is not among those that are frozen and closed.
  world.pools.accounts.splice(1, 1)
  for (const moves of [[], ['RESERVED'], ['RESERVED', 'CANCELLED']]) {
    const order = { kind: 'transfers', account_id: from?.id, beneficiary_id: world.pools.beneficiaries[0] }
    const transfer = await made('POST /api/v1/transfers', order)
    for (const status of moves) {
      await own('PUT', `/api/v1/transfers/${transfer.id}`, {
        status,
        status_reason: `${world.word} said so`,
        third_party_status: world.word,
      })
    }
  }
  await made('POST /api/v1/payee-verifications', { kind: 'verifications' })
  await made('POST /api/v1/mandates', { kind: 'mandates', account_id: from?.id })
  const order = { kind: 'transfers', account_id: from?.id, beneficiary_id: world.pools.beneficiaries[1] }
  const internal = await made('POST /api/v1/transfers', order)
  await own('POST', `/api/v1/sandbox/transfers/${internal.id}/settle`, { outcome: 'COMPLETED' })
}

async function makePayments(world: World, { url }: Bank, made: Made, own: Own): Promise<void> {
  const random = new Random(1)
  const card = { number: '5555555555554444', expiry: '12/49', cvv: '123' }
  const sendForm = (path: string, fields: Record<string, string>) =>
    fetch(url + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  const pay = async ({ isPaid, ...changes }: Loose) => {
    const { id, form_url } = await made('POST /api/v1/payments', changes)
    const order = String(form_url).split('/').at(-1) ?? ''
    world.add('orders', order, random)
    if (!isPaid) return
    await sendForm(`/sandbox/gateway/form/${order}`, card)
    await fetch(`${url}/api/v1/payments/${id}/return`, { redirect: 'manual' })
  }
  // What is paid out cannot be refunded, so that payment is not among those that are.
  await pay({ isPaid: true })
  await own('PUT', '/api/v1/payout-settings', { payout_account_id: world.pools.fundedAccounts[1] })
  await made('POST /api/v1/payouts', { kind: 'payouts' })
  for (const isPaid of [true, true, true, true, false]) await pay({ isPaid, kind: 'payments' })
  for (let count = 0; count < 2; count++) {
    const { token } = await made('POST /api/v1/payment-links', { kind: 'links' })
    world.add('linkTokens', token, random)
  }
  const [token = ''] = world.pools.linkTokens
  await sendForm(`/pay/${token}`, { name: `${world.word} Payer` })
  const [payment] = await own('GET', `/api/v1/payments?payment_link_id=${world.pools.links[0]}`)
  world.pairs.push({ token, payment_id: payment.id })
}

async function makeHooks(world: World, made: Made, own: Own): Promise<void> {
  for (let count = 0; count < 3; count++) await made('POST /api/v1/venture/keys', { kind: 'keys' })
  const endpoint = await made('POST /api/v1/webhook-endpoints', { kind: 'endpoints' })
  await made('POST /api/v1/webhook-endpoints', { kind: 'endpoints' })
  await own('POST', `/api/v1/webhook-endpoints/${endpoint.id}/test`)
  world.pools.events.push((await own('GET', '/api/v1/events?limit=1'))[0].id)
}

/** A MANAGED venture, and what the bank's side has booked for it and in the house. */
async function makeManaged(world: World, bank: Bank, random: Random): Promise<void> {
  const call = caller(bank)
  const admin = (path: string, body: object) => call(bank.keys.admin, 'POST', `/api/v1${path}`, body)
  const { id: venture_id, api_key } = await admin('/ventures', { name: `${world.word} managed`, control: 'MANAGED' })
  const own = (path: string, body?: object) => call(api_key, 'POST', `/api/v1${path}`, body)
  const person = recipes['POST /api/v1/clients/person']?.(world.ingredients(random))
  // Only the bank may exempt a client from verification.
  const exempted = { ...person, kyc_level: 'NOT_REQUIRED' }
  const client = await call(bank.keys.admin, 'POST', '/api/v1/clients/person', exempted, { 'vostro-venture': venture_id })
  const name = `${client.first_name} ${client.last_name}`
  const account = { client_id: client.id, account_name: `${world.word} account`, account_type: 'CURRENT', currency: 'EUR' }
  const payee = await own('/beneficiaries', { client_id: client.id, name, beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' })
  const openWith = async (amount: string) => {
    const opened = await own('/accounts', account)
    await own(`/accounts/${opened.id}/activate`)
    await own(`/sandbox/accounts/${opened.id}/deposits`, { amount })
    return opened
  }
  const message = () => ({ sender: 'COBADEFF', kind: 'pacs.008', tx_id: `${world.word} ${random.uuid()}` })
  // The bank's side completes what the card scheme has done; nobody else completes a payment of such a venture by a request.
  const send = async ({ id: account_id }: Loose, amount: string) => {
    const clearing = { venture_id, account_id, amount, transfer_type: 'CARD_CLEARING', method: 'CARD', explanation: world.word }
    return (await admin('/operator/forced-debits', { ...message(), ...clearing })).id as string
  }
  const [rich, suspended, closed] = [await openWith('9000.00'), await openWith('50.00'), await openWith('100.00')]
  world.pools.managedTransfers.push(await send(rich, '1000.00'))
  await send(closed, '100.00')
  await own(`/accounts/${closed.id}/close`)
  await own(`/accounts/${suspended.id}/freeze`)
  for (let count = 0; count < 2; count++)
    world.pools.bankKeys.push((await admin('/operator/keys', { name: `${world.word} key`, scope: 'payees' })).id)
  world.managed = { id: venture_id, api_key }
  world.pools.managedVentures.push(venture_id)
  world.pools.managedAccounts.push(rich.id)
  world.pools.suspendedAccounts.push(suspended.id)
  world.pools.managedPayees.push(payee.id)
  world.pools.managedIbans.push(rich.account_number)
  const arrive = (iban: string) =>
    admin('/operator/inbound-payments', { ...message(), iban, amount: '2.00', currency: 'EUR', rail: 'SEPA' })
  const debit = { venture_id, account_id: closed.id, amount: '1.00', transfer_type: 'ADJUSTMENT', explanation: world.word }
  for (let count = 0; count < 6; count++) {
    world.add('waitingPayments', (await arrive(suspended.account_number)).id, random)
    const { id: resource_id } = await arrive('FR1420041010050500013M02606')
    world.add('unappliedPayments', resource_id, random)
    const [opened] = await call(bank.keys.admin, 'GET', `/api/v1/operator/cases?resource_id=${resource_id}`)
    world.add('cases', opened.id, random)
    world.add('breaks', (await admin('/operator/forced-debits', { ...message(), ...debit })).id, random)
  }
}

/** Payments of the MANAGED venture that have left the bank, messages of other banks, and a statement with a break. */
async function makeRails(world: World, bank: Bank, random: Random): Promise<void> {
  const { id: venture_id = '', api_key = '' } = world.managed ?? {}
  const call = caller(bank)
  const admin = (method: string, path: string, body?: object) => call(bank.keys.admin, method, `/api/v1${path}`, body)
  const parties = { account_id: world.pools.managedAccounts[0], beneficiary_id: world.pools.managedPayees[0] }
  const pay = (method: string, debit_amount: string) =>
    call(api_key, 'POST', '/api/v1/transfers', { ...parties, method, debit_amount, unique_reference: `${world.word} ${random.uuid()}` })
  // By the cents of an amount, the simulated bank shows the payment twice on its statement, or refuses the message.
  for (const amount of ['1.00', '2.00', '3.00', '4.00', '5.17']) world.pools.sentTransfers.push((await pay('SEPA', amount)).id)
  const refused = [await pay('INST', '1.14'), await pay('INST', '2.14'), await pay('INST', '3.14'), await pay('INST', '4.14')]
  for (const id of world.pools.sentTransfers) await waitForStatus(bank, { api_key, id }, 'COMPLETED')
  for (const { id } of refused) await waitForStatus(bank, { api_key, id }, 'REJECTED')
  for (const { id, state } of await admin('GET', '/operator/packs?limit=100')) {
    const { payments } = await admin('GET', `/operator/packs/${id}`)
    if (payments.some((payment: Loose) => payment.venture_id === venture_id)) {
      world.add('packs', id, random)
      if (state === 'REFUSED') world.add('refusedPacks', id, random)
    }
  }
  const payment = { ...recipes['POST /api/v1/sandbox/bank/payments']?.(world.ingredients(random)), rail: 'SEPA' }
  for (let count = 0; count < 6; count++) world.add('bankPayments', (await admin('POST', '/sandbox/bank/payments', payment)).id, random)
  await admin('POST', '/sandbox/bank/day-end')
  world.pools.nostros.push(nostroId)
  await waitFor(bank, async () => {
    const found = await admin('GET', `/operator/nostros/${nostroId}/statements`)
    return found.length > 0 ? found : undefined
  })
  for (const { id } of await admin('GET', '/operator/messages?limit=20')) world.add('messages', id, random)
}

async function waitForStatus(bank: Bank, { api_key, id }: { api_key: string; id: string }, status: string): Promise<void> {
  await waitFor(bank, async () => {
    const transfer = await caller(bank)(api_key, 'GET', `/api/v1/transfers/${id}`)
    return transfer.status === status ? transfer : undefined
  })
}

/** The bank's watch lists. Their files are parsed in a separate thread, whose tests attack it. */
async function makeLists(world: World, bank: Bank, random: Random): Promise<void> {
  const { url, keys } = bank
  const lists = '/api/v1/operator/watchlists'
  for (let count = 0; count < 2; count++) {
    const wanted = recipes[`POST ${lists}`]?.(world.ingredients(random))
    const { id: watchlist_id } = await caller(bank)(keys.admin, 'POST', lists, wanted)
    const { payload, headers } = formOf({ list: someList(`${world.word} Nobody ${random.uuid()}`) })
    const sent = await fetch(`${url}${lists}/${watchlist_id}/versions`, {
      method: 'POST',
      headers: { ...headers, 'x-api-key': keys.admin },
      body: new Uint8Array(payload),
    })
    if (sent.status !== 201) throw new Error(`a list was answered with ${sent.status}: ${await sent.text()}`)
    const { id: version_id } = (await sent.json()) as { id: string }
    world.add('watchlists', watchlist_id, random)
    world.add('listVersions', version_id, random)
    world.pairs.push({ watchlist_id, version_id })
  }
}

/** Rows that only background work creates: the verifier's application, the first deliveries, and the request log. */
async function readBack(world: World, bank: Bank, own: Own, random: Random): Promise<void> {
  const client = `/api/v1/clients/${world.pools.clients[1]}`
  const details = await waitFor(bank, async () => {
    const found = await own('GET', `${client}/onboarding/details`)
    return found.kyc_application_id === null ? undefined : found
  })
  world.add('applications', details.kyc_application_id, random)
  world.add('verifierTokens', String(details.kyc_link).split('/').at(-1) ?? '', random)
  await own('POST', `/api/v1/sandbox/clients/${world.pools.clients[1]}/verification`, { outcome: 'REVIEW' })
  await waitFor(bank, async () => ((await own('GET', client)).kyc_status === 'PENDING_REVIEW' ? true : undefined))
  const [tested] = world.pools.endpoints
  const deliveries = await waitFor(bank, async () => {
    const found = await own('GET', `/api/v1/webhook-endpoints/${tested}/deliveries`)
    return found[0]?.attempts.length > 0 ? found : undefined
  })
  for (const { id } of deliveries) {
    world.add('deliveries', id, random)
    world.pairs.push({ endpoint_id: tested ?? '', delivery_id: id })
  }
  for (const { id } of await own('GET', '/api/v1/events')) world.add('events', id, random)
  const logged = await waitFor(bank, async () => {
    const found = await own('GET', '/api/v1/requests?status=2xx')
    return found.length > 0 ? found : undefined
  })
  for (const { id } of logged) world.add('loggedRequests', id, random)
}

async function waitFor(bank: Bank, find: () => Promise<Loose>): Promise<Loose> {
  for (let turn = 0; turn < 200; turn++) {
    const found = await find()
    if (found !== undefined) return found
    await bank.turn()
  }
  throw new Error('the background work did not get done')
}

/** Leaves no open work for the service. */
export async function putToRest(bank: Bank, { venture, pools }: World): Promise<void> {
  const call = caller(bank)
  for (const id of pools.endpoints) await call(venture.api_key, 'PUT', `/api/v1/webhook-endpoints/${id}`, { status: 'DISABLED' })
  for (const { id } of await call(venture.api_key, 'GET', '/api/v1/payments?status=PENDING')) {
    await call(venture.api_key, 'POST', `/api/v1/payments/${id}/cancel`)
  }
}

function caller({ url }: Bank) {
  return async (key: string, method: string, path: string, body?: object, more: Record<string, string> = {}): Promise<Loose> => {
    const headers = { 'x-api-key': key, ...more, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const answer = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
    return JSON.parse(text)
  }
}
