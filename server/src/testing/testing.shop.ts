// For tests of card money: a shop that takes card payments, and a person who works at the gateway by hand.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { payWith } from '../payments/payments.testing.ts'
import { testCards } from '../sandbox/gateway/sandbox.gateway.cards.ts'
import { sandboxGatewayCredentials } from '../sandbox/gateway/sandbox.gateway.ts'
import type { Answer, Bank, Loose, VentureCaller } from './testing.ts'
import { walk } from './testing.walks.ts'

const card = (name: string) => testCards.find((card) => card.name === name)?.number ?? ''

export function expect(answer: Answer, status: number, code?: string): Loose {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.problem?.code, code)
  return answer.body
}

export class Shop {
  readonly bank: Bank
  readonly venture: VentureCaller

  constructor(bank: Bank, venture: VentureCaller) {
    this.bank = bank
    this.venture = venture
  }

  static async open(bank: Bank): Promise<Shop> {
    return new Shop(bank, await bank.registerVenture())
  }

  /** A shop with an account for its card money. */
  static async openWithAccount(bank: Bank): Promise<{ shop: Shop; account: Loose }> {
    const shop = await Shop.open(bank)
    const account = await shop.venture.openAccount()
    await shop.name(account)
    return { shop, account }
  }

  async name({ id }: { id: string }): Promise<void> {
    expect(await this.venture.put('/payout-settings', { payout_account_id: id }), 200)
  }

  async order(amount = '25.00', currency = 'EUR'): Promise<Loose> {
    const urls = { success_url: 'https://shop.example/paid', fail_url: 'https://shop.example/failed' }
    return expect(await this.venture.post('/payments', { amount, currency, ...urls }), 201)
  }

  /** The payer tries a card and comes back. */
  async try(payment: Loose, cardName = 'plain'): Promise<Loose> {
    await payWith(this.bank.app, payment, card(cardName))
    return this.refresh(payment)
  }

  async refresh({ id }: { id: string }): Promise<Loose> {
    assert.equal((await this.bank.stranger.get(`/payments/${id}/return`)).status, 302)
    return this.get({ id })
  }

  async get({ id }: { id: string }): Promise<Loose> {
    return expect(await this.venture.get(`/payments/${id}`), 200)
  }

  async sell(amount?: string, currency?: string): Promise<Loose> {
    const payment = await this.try(await this.order(amount, currency))
    assert.equal(payment.status, 'PAID')
    return payment
  }

  refund({ id }: { id: string }, amount: string): Promise<Answer> {
    return this.venture.post(`/payments/${id}/refund`, { amount, external_refund_id: `r-${randomUUID().slice(0, 18)}` })
  }

  cancel({ id }: { id: string }): Promise<Answer> {
    return this.venture.post(`/payments/${id}/cancel`)
  }

  payOut(): Promise<Answer> {
    return this.venture.post('/payouts')
  }

  /** The payable and available amounts, payouts and fees in a currency. */
  async balance(currency = 'EUR'): Promise<string[]> {
    const { balances } = expect(await this.venture.get('/balance'), 200)
    const { payable, available, paid_out, fees } = balances.find((each: Loose) => each.currency === currency) ?? {}
    return [payable, available, paid_out, fees]
  }

  async balanceOf({ id }: { id: string }): Promise<string> {
    return (await this.venture.balances({ id }))[0] ?? ''
  }

  /** Takes money from the account. */
  async spend({ id, client_id }: Loose, amount: string): Promise<void> {
    const beneficiary = await this.venture.addBeneficiary(client_id)
    const fee = { account_id: id, beneficiary_id: beneficiary.id, transfer_type: 'FEE', debit_amount: amount }
    await walk(this.venture, await this.venture.createTransfer(fee), 'RESERVED COMPLETED')
  }

  /** What a person does at the gateway without us; then a job refreshes the payment. */
  async byHand(operation: 'refund' | 'reverse', { id, gateway_order_id }: Loose, amount_minor?: number): Promise<Loose> {
    const { user: userName, password } = sandboxGatewayCredentials
    const amount = amount_minor === undefined ? {} : { amount: String(amount_minor) }
    const payload = new URLSearchParams({ userName, password, orderId: gateway_order_id, ...amount }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = `/sandbox/gateway/payment/rest/${operation}.do`
    const { status, body } = await this.bank.stranger.send({ method: 'POST', url, payload, headers })
    assert.deepEqual([status, body.errorCode], [200, '0'], JSON.stringify(body))
    const venture_id = this.venture.venture.id
    await this.bank.owner.query(
      `insert into jobs (id, kind, venture_id, payload, due_at) values (gen_random_uuid(), 'payments.ask', $1, $2, now())`,
      [venture_id, JSON.stringify({ venture_id, id, asked: 0 })],
    )
    await this.bank.runJobs()
    return this.get({ id })
  }
}
