// Creates what an event needs: clients, accounts, payments. Everything goes through the API, and only in the sandbox.
import { randomUUID } from 'node:crypto'
import type { Account, Beneficiary, Client, Payment, Transfer, Venture, Vostro } from '@vostro/sdk'
import { Refused } from './failures.ts'
import { until } from './waiting.ts'

export const cards = { good: '5555555555554444', declined: '4000000000009995', expired: '4000000000000069' } as const

/** How long an automatic step may take. */
const patience_ms = 60_000

const shop = { success_url: 'https://shop.example/thanks', fail_url: 'https://shop.example/sorry' }

type Options = { vostro: Vostro; bank: Vostro; venture: Venture; say(text: string): void }

export class Scenario {
  readonly vostro: Vostro
  /** The same key, for calls of the bank, which only the admin key may make. */
  readonly bank: Vostro
  readonly venture: Venture
  readonly #say: (text: string) => void
  readonly #name = randomUUID().slice(0, 8)

  constructor({ vostro, bank, venture, say }: Options) {
    this.vostro = vostro
    this.bank = bank
    this.venture = venture
    this.#say = say
  }

  get isManaged(): boolean {
    return this.venture.control === 'MANAGED'
  }

  get reference(): string {
    return `TRIGGER-${randomUUID()}`
  }

  async client(): Promise<Client> {
    const client = await this.vostro.clients.registerPerson({
      first_name: 'Ada',
      last_name: 'Lovelace',
      date_of_birth: '1990-12-10',
      email: `trigger-${randomUUID()}@example.com`,
      organization_id: 1,
      nationality: 'FRA',
      birth_country: 'GBR',
      country_of_tax_residence: 'FRA',
      country_code: 'FRA',
      address: '1 rue de la Paix',
      city: 'Paris',
      postcode: '75002',
    })
    this.#say(`client ${client.id}`)
    return client
  }

  async onboarding(client_id: string): Promise<{ id: string }> {
    const details = await this.vostro.clients.submitOnboardingDetails(client_id, {
      account_purposes_input: ['SALARY'],
      occupation: 'ENGINEER',
      occupation_sector: 'INFORMATIONAL_TECHNOLOGIES',
      is_us_person: false,
      expected_monthly_incoming_volume: 'LESS_THAN1000',
      expected_monthly_outgoing_volume: 'LESS_THAN1000',
      source_of_funds: 'SAVINGS_FROM_SALARY',
    })
    this.#say(`onboarding details ${details.id}`)
    return details
  }

  async verifiedClient(): Promise<Client> {
    const { id } = await this.client()
    await this.onboarding(id)
    await this.vostro.sandbox.clients.decideVerification(id, { outcome: 'APPROVED' })
    return this.#eventually(
      () => this.vostro.clients.get(id),
      ({ kyc_status }) => kyc_status === 'VALIDATED',
      'the client is verified',
    )
  }

  async newAccount(): Promise<Account> {
    const { id: client_id } = await this.verifiedClient()
    const account = await this.vostro.accounts.create({
      client_id,
      account_name: `Trigger ${this.#name}`,
      account_type: 'CURRENT',
      currency: 'EUR',
    })
    this.#say(`account ${account.id}`)
    return account
  }

  async account(): Promise<Account> {
    return this.vostro.accounts.activate((await this.newAccount()).id)
  }

  async fundedAccount(): Promise<Account> {
    const { id } = await this.account()
    await this.vostro.sandbox.accounts.deposit(id, { amount: '100.00' })
    return this.#eventually(
      () => this.vostro.accounts.get(id),
      ({ available_balance }) => Number(available_balance) >= 100,
      'the deposit is there',
    )
  }

  async beneficiary(client_id: string): Promise<Beneficiary> {
    const payee = { name: 'Charles Babbage', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' } as const
    const beneficiary = await this.vostro.beneficiaries.create({ client_id, ...payee })
    this.#say(`beneficiary ${beneficiary.id}`)
    return beneficiary
  }

  /** An instant payment, so that the time of day does not matter. Its cents tell the simulated bank what to do. */
  async transfer(debit_amount = '10.00'): Promise<Transfer> {
    const account = await this.fundedAccount()
    const { id: beneficiary_id } = await this.beneficiary(account.client_id)
    const order = { account_id: account.id, beneficiary_id, unique_reference: this.reference, debit_amount, is_instant: true }
    const transfer = await this.vostro.transfers.create(order)
    this.#say(`transfer ${transfer.id}`)
    return transfer
  }

  /** If the bank processes, the transfer moves by itself; otherwise the sandbox settles it. */
  async settled(outcome: 'COMPLETED' | 'REJECTED' | 'RETURNED', amountIfManaged: string): Promise<string> {
    const { id } = await this.transfer(this.isManaged ? amountIfManaged : '10.00')
    if (!this.isManaged) await this.vostro.sandbox.transfers.settle(id, { outcome })
    return id
  }

  async mandate(): Promise<string> {
    const { id: account_id } = await this.account()
    const { id } = await this.vostro.mandates.create({
      account_id,
      reference: `M-${randomUUID().slice(0, 18)}`,
      creditor_id: 'DE98ZZZ09999999999',
      scheme: 'CORE',
      sequence_type: 'RCUR',
      debtor_name: 'Charles Babbage',
      debtor_iban: 'DE89370400440532013000',
      signed_on: '2026-01-15',
    })
    this.#say(`mandate ${id}`)
    return id
  }

  async payment(): Promise<Payment> {
    const { id } = await this.vostro.payments.create({ amount: '12.50', currency: 'EUR', description: 'Trigger', ...shop })
    this.#say(`payment ${id}`)
    return this.#eventually(
      () => this.vostro.payments.get(id),
      ({ form_url, status }) => form_url !== null || status !== 'PENDING',
      'the gateway knows the payment',
    )
  }

  /** Pays with the sandbox's card form. */
  async paidWith(number: string): Promise<string> {
    const { id, form_url } = await this.payment()
    if (form_url === null) throw new Refused('The card gateway did not accept the payment.')
    const form = new URLSearchParams({ number, cvv: '777', expiry: '12/99', action: 'pay' })
    const answer = await fetch(form_url, { method: 'POST', body: form, redirect: 'manual' }).catch((error) => error as Error)
    if (answer instanceof Error || answer.status >= 400)
      throw new Refused(`The card form at ${form_url} did not accept the card, so the payment was not made. Is this a sandbox?`)
    // When the payer returns to the shop, the service asks the gateway.
    await this.vostro.payments.returnAddress(id)
    return id
  }

  /** An endpoint without a listener, while `work` runs. */
  async withEndpoint(work: (endpoint_id: string) => Promise<unknown>): Promise<string> {
    const { id } = await this.vostro.webhookEndpoints.create({ url: 'http://127.0.0.1:9/vostro-trigger', description: 'vostro trigger' })
    this.#say(`webhook endpoint ${id}`)
    try {
      await work(id)
    } finally {
      await this.vostro.webhookEndpoints.delete(id)
    }
    return id
  }

  async #eventually<Answer>(ask: () => Promise<Answer>, willDo: (answer: Answer) => boolean, what: string): Promise<Answer> {
    const start_ms = performance.now()
    const answer = await until(ask, { willDo: (found) => willDo(found) || performance.now() - start_ms > patience_ms, every_ms: 100 })
    if (!willDo(answer)) throw new Refused(`It took longer than ${patience_ms / 1000} s until ${what}.`)
    return answer
  }
}
