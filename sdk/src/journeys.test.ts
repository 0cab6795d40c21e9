// A venture's journey from its first client to its first refund, using only the SDK, against the real process: once with the bank
// processing the transfers, once with the venture moving them. Every event arrives as a signed webhook, in order per resource.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import { ServiceProcess, stopProcesses } from '../../server/src/testing/testing.process.ts'
import { openReceiver } from '../../server/src/testing/testing.receiver.ts'
import { eventually } from '../../server/src/testing/testing.waits.ts'
import { type Vostro as Client, type Transfer, Vostro, type VostroEvent, VostroProblem, verifyWebhook } from './sdk.ts'

const folder = makeDataFolder('journeys')
const key = 'the-admin-key-of-the-journeys-of-ventures'
let baseUrl = ''
let bank: Client

before(async () => {
  const service = new ServiceProcess({ DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'silent', ADMIN_API_KEY: key })
  baseUrl = await service.ready()
  bank = new Vostro({ key, baseUrl })
})
after(async () => {
  await stopProcesses()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

/** A client approved by the sandbox's verifier. */
async function onboard(vostro: Client, email: string): Promise<string> {
  const { id } = await vostro.clients.registerPerson({
    first_name: 'Ada',
    last_name: 'Lovelace',
    date_of_birth: '1990-12-10',
    email,
    organization_id: 1,
    nationality: 'FRA',
    birth_country: 'GBR',
    country_of_tax_residence: 'FRA',
    country_code: 'FRA',
    address: '1 rue de la Paix',
    city: 'Paris',
    postcode: '75002',
  })
  const early = await vostro.sandbox.clients.decideVerification(id, { outcome: 'APPROVED' }).catch((error) => error)
  assert.ok(early instanceof VostroProblem && early.status >= 400, 'nothing was submitted yet')
  await vostro.clients.submitOnboardingDetails(id, {
    account_purposes_input: ['SALARY'],
    occupation: 'ENGINEER',
    occupation_sector: 'INFORMATIONAL_TECHNOLOGIES',
    is_us_person: false,
    expected_monthly_incoming_volume: 'LESS_THAN1000',
    expected_monthly_outgoing_volume: 'LESS_THAN1000',
    source_of_funds: 'SAVINGS_FROM_SALARY',
  })
  await vostro.sandbox.clients.decideVerification(id, { outcome: 'APPROVED' })
  for await (const { data } of vostro.events.follow({ type: 'client.kyc_updated', resource_id: id, interval_ms: 20 }))
    if (data.object['kyc_status'] === 'VALIDATED') break
  assert.equal((await vostro.clients.get(id)).kyc_status, 'VALIDATED')
  return id
}

/** The moves of a venture that processes its own transfers. The sandbox plays the other bank. */
async function moveByHand(vostro: Client, { id }: Transfer): Promise<void> {
  const before = await vostro.transfers.listTransitions(id)
  assert.ok(before.some(({ status, allowed }) => status === 'RESERVED' && allowed))
  assert.equal((await vostro.transfers.update(id, { status: 'RESERVED' })).status, 'RESERVED')
  const skipped = await vostro.transfers.update(id, { status: 'COMPLETED' }).catch((error) => error)
  assert.ok(skipped instanceof VostroProblem && skipped.status === 409, 'no status is skipped')
  await vostro.transfers.update(id, { status: 'READY_FOR_SCREENING' })
  await vostro.sandbox.transfers.settle(id, { outcome: 'COMPLETED' })
}

/** The payer's browser: opens the link, continues to the card form, enters a card, and returns. */
async function payLink(url: string, email: string, number: string): Promise<void> {
  const page = await (await fetch(url)).text()
  const [, attempt = ''] = /name="attempt" value="([^"]+)"/.exec(page) ?? []
  const submit = async (to: string, fields: Record<string, string>): Promise<string> => {
    const answer = await fetch(to, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
    assert.equal(answer.status, 303, await answer.text())
    return new URL(answer.headers.get('location') ?? '', to).href
  }
  const form = await submit(url, { attempt, email })
  let next = await submit(form, { number, cvv: '777', expiry: '12/99', action: 'pay' })
  if (next.includes('/acs/')) next = await submit(next, { action: 'confirm' })
  assert.match(await (await fetch(next)).text(), /12[.,]50/)
}

for (const control of ['OPEN', 'MANAGED'] as const) {
  test(`from the first client to the first refund, in a venture that is ${control}`, async () => {
    const { api_key } = await bank.ventures.register({ name: `Acme ${control}`, control })
    const vostro = new Vostro({ key: api_key, baseUrl })
    const receiver = await openReceiver()
    const { secret } = await vostro.webhookEndpoints.create({ url: receiver.url })
    const arrived: VostroEvent[] = []
    receiver.onArrival = async ({ body, headers }) => {
      arrived.push(await verifyWebhook(body, headers, secret))
    }
    const hasArrived = (type: VostroEvent['type'], resource_id: string) =>
      eventually(() => arrived.some((event) => event.type === type && event.data.object.id === resource_id))

    const client_id = await onboard(vostro, `ada-${control.toLowerCase()}@example.com`)
    const { id: account_id } = await vostro.accounts.create({
      client_id,
      account_name: 'Main',
      account_type: 'CURRENT',
      currency: 'EUR',
    })
    await vostro.accounts.activate(account_id)
    await vostro.sandbox.accounts.deposit(account_id, { amount: '100.00' })
    await eventually(async () => (await vostro.accounts.get(account_id)).available_balance === '100.00')

    const payee = { name: 'Charles Babbage', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' } as const
    const { id: beneficiary_id } = await vostro.beneficiaries.create({ client_id, ...payee })
    const order = { account_id, beneficiary_id, unique_reference: `INV-${control}`, debit_amount: '30.00', is_instant: true }
    const transfer = await vostro.transfers.create(order)
    assert.equal(transfer.status, 'CREATED')
    const again = await vostro.transfers.create(order).catch((error) => error)
    assert.ok(again instanceof VostroProblem && again.code === 'unique_reference_used')
    if (control === 'OPEN') await moveByHand(vostro, transfer)
    await hasArrived('transfer.completed', transfer.id)
    assert.equal((await vostro.transfers.get(transfer.id)).status, 'COMPLETED')
    assert.equal((await vostro.transfers.listHistory(transfer.id)).at(-1)?.to_status, 'COMPLETED')
    const { current_balance, reserved_balance, available_balance } = await vostro.accounts.get(account_id)
    assert.deepEqual([current_balance, reserved_balance, available_balance], ['70.00', '0.00', '70.00'])

    const today = (await bank.sandbox.clock.get()).now.slice(0, 10)
    const statement = await vostro.accounts.getStatement(account_id, { from: today, to: today })
    assert.deepEqual(
      [statement.opening_balance, statement.total_credits, statement.total_debits, statement.closing_balance],
      ['0.00', '100.00', '30.00', '70.00'],
    )
    assert.ok(statement.lines.some(({ transfer_id }) => transfer_id === transfer.id))
    for (const [format, begins] of [
      ['csv', /30[.,]00/],
      ['camt053', /<BkToCstmrStmt>/],
      ['pdf', /^%PDF-/],
    ] as const) {
      const file = await vostro.accounts.getStatement(account_id, { from: today, to: today, format })
      assert.match(await file.text(), begins, format)
    }

    const link = await vostro.paymentLinks.create({ amount: '12.50', currency: 'EUR', description: 'Two books', ask_email: true })
    await payLink(link.url, 'charles@example.com', '5555555555554444')
    const [payment] = await vostro.payments.list({ payment_link_id: link.id }).toArray()
    assert.ok(payment !== undefined)
    await hasArrived('payment.paid', payment.id)
    const refund = { amount: '2.50', external_refund_id: `R-${control}` }
    for (const _ of ['once', 'and once more, which is the same refund']) {
      const refunded: unknown = await vostro.payments.refund(payment.id, refund).catch((error) => error)
      if (refunded instanceof VostroProblem) assert.equal(refunded.code, 'refund_exists')
    }
    assert.equal((await vostro.payments.get(payment.id)).refunded_amount, '2.50')
    await hasArrived('payment.refunded', payment.id)

    const all = await vostro.events.list({ since: 'start' }).toArray()
    await eventually(() => all.every(({ id }) => arrived.some((event) => event.id === id)))
    const sequences = Map.groupBy(arrived, ({ data }) => data.object.id)
    for (const [id, events] of sequences) {
      const numbers = events.map(({ sequence }) => sequence)
      assert.deepEqual(
        numbers,
        [...numbers].sort((a, b) => a - b),
        id,
      )
    }
  })
}
