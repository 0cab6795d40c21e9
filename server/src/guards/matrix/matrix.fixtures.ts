// Fixtures: a venture with one of everything that has an id, and functions that create another where a request uses it up.
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { payWith } from '../../payments/payments.testing.ts'
import { sandboxGatewayCredentials } from '../../sandbox/gateway/sandbox.gateway.ts'
import { someOnboarding, somePerson } from '../../testing/testing.people.ts'
import { openReceiver } from '../../testing/testing.receiver.ts'
import { type Answer, type Bank, type Caller, VentureCaller } from '../../testing/testing.ts'

/** By their names in paths, queries and bodies. */
export type Ids = Record<
  | ('venture_id' | 'client_id' | 'account_id' | 'beneficiary_id' | 'transfer_id' | 'parent_transaction_id' | 'unique_reference')
  | ('payment_id' | 'link_id' | 'payment_link_id' | 'token' | 'orderNumber' | 'application_id' | 'verifier_token')
  | ('endpoint_id' | 'delivery_id' | 'event_id' | 'resource_id' | 'since'),
  string
>

const plainCard = '5555555555554444'
const secureCard = '4111111111111111'

export class Fixtures {
  readonly bank: Bank
  readonly caller: VentureCaller
  /** With the key that the venture had before. */
  readonly former: Caller
  /** The venture's own value for free names and references. */
  readonly label = `word-${randomBytes(6).toString('hex')}`
  readonly number = randomInt(1, 1_000_000)
  #ids: Ids | undefined

  private constructor(bank: Bank, { caller, former }: { caller: VentureCaller; former: Caller }) {
    this.bank = bank
    this.caller = caller
    this.former = former
  }

  static async open(bank: Bank): Promise<Fixtures> {
    const former = await bank.registerVenture(`Fixtures ${randomUUID()}`)
    const caller = new VentureCaller(bank.app, await made(former.post('/venture/rotate-key')))
    const fixtures = new Fixtures(bank, { caller, former })
    await fixtures.make()
    return fixtures
  }

  /** Runs `work` while the venture is disabled. */
  async whileDisabled(work: () => Promise<void>): Promise<void> {
    const become = (status: string) => made(this.bank.admin.put(`/ventures/${this.caller.venture.id}`, { status }))
    await become('DISABLED')
    try {
      await work()
    } finally {
      await become('ACTIVE')
    }
  }

  get ids(): Ids {
    if (this.#ids === undefined) throw new Error('the fixtures have not been made')
    return this.#ids
  }

  /** Creates one of everything; called again, it creates another, and the ids are the new ones. */
  async make(): Promise<void> {
    const { caller, bank } = this
    const receiver = await openReceiver()
    const endpoint = await made(caller.post('/webhook-endpoints', { url: receiver.url }))
    const client = await caller.registerClient({ kyc_level: 'NOT_REQUIRED' })
    await made(caller.post(`/clients/${client.id}/onboarding/details`, someOnboarding))
    await bank.runJobs()
    const { kyc_application_id, kyc_link } = await made(caller.get(`/clients/${client.id}/onboarding/details`))
    const account = await caller.openAccount({ client_id: client.id, balance: '500.00' })
    const parent = await caller.deposit(account.id, '20.00')
    const beneficiary = await caller.addBeneficiary(client.id)
    const transfer = await caller.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '5.00' })
    const { link, payment } = await this.#payLink()
    await bank.runDeliveries()
    const [delivery] = await made(caller.get(`/webhook-endpoints/${endpoint.id}/deliveries?limit=1`))
    this.#ids = {
      venture_id: caller.venture.id,
      client_id: client.id,
      account_id: account.id,
      beneficiary_id: beneficiary.id,
      transfer_id: transfer.id,
      parent_transaction_id: parent.id,
      unique_reference: transfer.unique_reference,
      payment_id: payment.id,
      link_id: link.id,
      payment_link_id: link.id,
      token: link.token,
      orderNumber: payment.gateway_order_number,
      application_id: kyc_application_id,
      verifier_token: new URL(kyc_link).pathname.split('/').at(-1) ?? '',
      endpoint_id: endpoint.id,
      delivery_id: delivery.id,
      event_id: delivery.event_id,
      resource_id: client.id,
      since: await this.#firstEvent(),
    }
  }

  /** A link, and a payment of it that was paid and partly refunded. */
  async #payLink() {
    const link = await made(this.caller.post('/payment-links', { amount: '50.00', currency: 'EUR' }))
    await this.#submit(`/pay/${link.token}`, {})
    const [payment] = await made(this.caller.get(`/payments?payment_link_id=${link.id}`))
    await payWith(this.bank.app, payment, plainCard)
    await made(this.bank.stranger.get(`/payments/${payment.id}/return`))
    await made(this.caller.post(`/payments/${payment.id}/refund`, { amount: '0.10', external_refund_id: this.label }))
    return { link, payment }
  }

  /** Gives a follower that starts from there something to read. */
  async #firstEvent(): Promise<string> {
    const { rows } = await this.bank.owner.query('select id from events where venture_id = $1 order by xid, id limit 1', [
      this.caller.venture.id,
    ])
    return rows[0].id
  }

  async newVenture() {
    return { venture_id: (await this.bank.registerVenture()).venture.id }
  }

  async newClient() {
    return { client_id: (await made(this.caller.post('/clients/person', somePerson()))).id as string }
  }

  async newAccount(status: 'PENDING' | 'ACTIVE') {
    const { client_id } = this.ids
    if (status === 'ACTIVE') return { account_id: (await this.caller.openAccount({ client_id })).id as string }
    const order = { client_id, account_name: 'New', account_type: 'CURRENT', currency: 'EUR' }
    return { account_id: (await made(this.caller.post('/accounts', order))).id as string }
  }

  async newTransfer() {
    const { account_id, beneficiary_id } = this.ids
    return { transfer_id: (await this.caller.createTransfer({ account_id, beneficiary_id, debit_amount: '1.00' })).id as string }
  }

  async newPayment() {
    const places = { success_url: 'https://shop.example/thanks', fail_url: 'https://shop.example/sorry' }
    const payment = await made(this.caller.post('/payments', { amount: '5.00', currency: 'EUR', ...places }))
    return { payment_id: payment.id as string }
  }

  async newEndpoint() {
    return { endpoint_id: (await made(this.caller.post('/webhook-endpoints', { url: 'https://example.com/hooks' }))).id as string }
  }

  /** An order at the sandbox gateway, which has no ventures. */
  async newOrder(state: 'registered' | 'at its bank' | 'paid'): Promise<string> {
    const { user: userName, password } = sandboxGatewayCredentials
    const order = { orderNumber: randomUUID().slice(-12), amount: '500', currency: '978', returnUrl: 'https://shop.example/thanks' }
    const { orderId } = await this.#submit('/sandbox/gateway/payment/rest/register.do', { userName, password, ...order })
    const form = `/sandbox/gateway/form/${orderId}`
    if (state === 'paid') await payWith(this.bank.app, { form_url: form }, plainCard)
    if (state === 'at its bank') await this.#submit(form, { number: secureCard, cvv: '777', expiry: '12/99', action: 'pay' })
    return orderId
  }

  #submit(url: string, fields: Record<string, string>): Promise<Answer['body']> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return made(this.bank.stranger.send({ method: 'POST', url, payload: new URLSearchParams(fields).toString(), headers }))
  }
}

async function made(asked: Promise<Answer>): Promise<Answer['body']> {
  const answer = await asked
  if (answer.status >= 400) throw new Error(`a fixture cannot be made: ${answer.text}`)
  return answer.body
}

/** Returns for every table a checksum of the rows that belong to a venture; any change of them changes it. */
export async function openWatch(bank: Bank): Promise<(fixtures: Fixtures) => Promise<Record<string, string>>> {
  const { rows: tables } = await bank.owner.query<{ name: string; owned: boolean }>(`
    select table_name as name, bool_or(column_name = 'venture_id') as owned from information_schema.columns
    where table_schema = 'public' group by table_name order by table_name`)
  // A row without a venture_id, such as a job, belongs to a venture if it names something of the venture's.
  const sums = tables.map(
    ({ name, owned }) => `
      select '${name}' as name, count(*) || ' rows, ' || coalesce(sum(hashtextextended(r::text, 0)), 0) as sum
      from ${name} r where ${owned ? 'r.venture_id = $1' : 'r::text like any ($2)'}`,
  )
  const statement = sums.join(' union all ')
  return async ({ ids }) => {
    const named = Object.values(ids).map((id) => `%${id}%`)
    const { rows } = await bank.owner.query<{ name: string; sum: string }>(statement, [ids.venture_id, named])
    return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
  }
}
