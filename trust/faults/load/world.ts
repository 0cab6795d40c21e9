// The ventures and accounts that the load uses. The accounts have money and are beneficiaries of each other.
import { person } from '../../../server/src/testing/testing.people.ts'
import type { Bank } from '../bank.ts'

export type Venture = { id: string; api_key: string; accounts: Account[] }

export type Account = {
  venture: Venture
  id: string
  client_id: string
  account_number: string
  /** In cents, at the beginning. */
  opening: bigint
  /** By the account that is paid. */
  beneficiaries: Map<Account, string>
}

let persons = 0

export function cents(amount: bigint): string {
  return `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`
}

export class World {
  readonly bank: Bank
  readonly ventures: Venture[] = []

  private constructor(bank: Bank) {
    this.bank = bank
  }

  static async create(bank: Bank, { ventures = 2, accounts = 4 }: { ventures?: number; accounts?: number } = {}): Promise<World> {
    const world = new World(bank)
    for (let number = 0; number < ventures; number++) await world.addVenture(accounts)
    return world
  }

  get accounts(): Account[] {
    return this.ventures.flatMap(({ accounts }) => accounts)
  }

  async addVenture(accounts: number): Promise<Venture> {
    const { id, api_key } = await this.bank.caller.must({
      method: 'POST',
      path: '/api/v1/ventures',
      key: this.bank.adminKey,
      body: { name: `Venture ${this.ventures.length + 1}` },
    })
    const venture: Venture = { id, api_key, accounts: [] }
    this.ventures.push(venture)
    await Promise.all(Array.from({ length: accounts }, () => this.openAccount(venture, 10_000_000n)))
    await Promise.all(venture.accounts.flatMap((from) => venture.accounts.map((to) => from !== to && this.addBeneficiary(from, to))))
    return venture
  }

  post({ api_key }: Venture, path: string, body?: object) {
    return this.bank.caller.must({ method: 'POST', path: `/api/v1${path}`, key: api_key, ...(body === undefined ? {} : { body }) })
  }

  registerPerson(venture: Venture, changes: object): Promise<{ id: string; kyc_status: string }> {
    return this.post(venture, '/clients/person', { ...person, email: `ada.${++persons}.${venture.id}@example.com`, ...changes })
  }

  async openAccount(venture: Venture, opening: bigint, changes: object = {}): Promise<Account> {
    const { id: client_id } = await this.registerPerson(venture, { kyc_level: 'NOT_REQUIRED' })
    const details = { client_id, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR', ...changes }
    const { id, account_number } = await this.post(venture, '/accounts', details)
    await this.post(venture, `/accounts/${id}/activate`)
    if (opening > 0n) await this.post(venture, `/sandbox/accounts/${id}/deposits`, { amount: cents(opening) })
    const account: Account = { venture, id, client_id, account_number, opening, beneficiaries: new Map() }
    venture.accounts.push(account)
    return account
  }

  /** Makes `to` a beneficiary of `from`. */
  async addBeneficiary(from: Account, to: Account): Promise<void> {
    const { client_id, venture } = from
    const details = { client_id, name: 'Charles Babbage', beneficiary_type: 'PERSON', iban: to.account_number }
    from.beneficiaries.set(to, (await this.post(venture, '/beneficiaries', details)).id)
  }
}
