// What a speculative batch is decided over: the accounts as earlier batches left them, with their clients. The database compares every
// field once it has locked the rows, so changes made elsewhere need not be reported here.
import { expectingCount, failsUnlessCount } from '../../platform/database/database.expect.ts'
import { copierOf } from '../../platform/database/database.rows.ts'
import type { Tx } from '../../platform/database/database.ts'
import { Columns, type Comparison, comparisonOf, fixed, read } from '../../platform/database/sql.ts'
import { type Money, toNumeric } from '../../values/money.ts'
import type { BatchAccount, BatchClient } from '../deciding/transfers.batch.ts'
import type { Key } from './transfers.keys.ts'
import type { Owners } from './transfers.lock.sql.ts'

/** The rows no longer match the snapshot. Nothing was written, and the batch has to be decided over locked rows. */
export class StaleSnapshot extends Error {
  constructor() {
    super('accounts or clients have changed since the snapshot')
  }
}

/** The size of the LRU cache. */
const mostAccounts = 10_000

export class Snapshot {
  readonly #owners = new Map<string, { account: BatchAccount; client: BatchClient }>()

  /** Accounts and their clients; undefined if one of them is missing. Do not change them. */
  find(keys: readonly Key[]): Owners | undefined {
    const accounts: BatchAccount[] = []
    const clients: BatchClient[] = []
    for (const { venture_id, id } of keys) {
      const owner = this.#owners.get(id)
      if (owner === undefined || owner.account.venture_id !== venture_id) return undefined
      accounts.push(owner.account)
      clients.push(owner.client)
    }
    return { accounts, clients }
  }

  /**
   * Keeps the rows that a batch leaves; the batch must not change them any more. Accounts that it has not locked may be changed by others,
   * so they are dropped.
   */
  keep({ accounts, clients }: Owners, locked: ReadonlySet<string>): void {
    const clientOf = new Map(clients.map((client) => [client.id, client]))
    for (const account of accounts) {
      const client = clientOf.get(account.client_id)
      this.#owners.delete(account.id)
      if (client !== undefined && locked.has(account.id)) this.#owners.set(account.id, { account, client })
    }
    for (const id of this.#owners.keys()) {
      if (this.#owners.size <= mostAccounts) return
      this.#owners.delete(id)
    }
  }

  clear(): void {
    this.#owners.clear()
  }
}

/** How a field is compared, or that the service has no right to change it. */
type Compared<Row> = { [Field in Exclude<keyof Row, 'venture_id' | 'id'>]: 'never changes' | Comparison }

const column = (name: string, of: 'account' | 'client', type: string): Comparison => ({ column: new Columns([name], of), type })
const amount = (name: string) => column(name, 'account', 'numeric')
const text = (name: string) => column(name, 'client', 'text')

const ofAccount: Compared<BatchAccount> = {
  client_id: 'never changes',
  account_number: 'never changes',
  currency: 'never changes',
  status: column('status', 'account', 'text'),
  current: amount('current_balance'),
  reserved: amount('reserved_balance'),
  debt: amount('debt'),
  last_activity_date: column('last_activity_date', 'account', 'timestamptz'),
  daily_limit: amount('daily_limit'),
  monthly_limit: amount('monthly_limit'),
  yearly_limit: amount('yearly_limit'),
  used_on: column('used_on', 'account', 'date'),
  used_day: amount('used_day'),
  used_month: amount('used_month'),
  used_year: amount('used_year'),
  managed: column('managed', 'account', 'boolean'),
  frozen_by_bank: column('frozen_by_bank', 'account', 'boolean'),
  venture_active: { column: fixed`(venture.status = 'ACTIVE')`, type: 'boolean' },
}

const ofClient: Compared<BatchClient> = {
  first_name: text('first_name'),
  last_name: text('last_name'),
  address: text('address'),
  city: text('city'),
  postcode: text('postcode'),
  country_code: text('country_code'),
  blocked: column('blocked', 'client', 'boolean'),
  is_blacklisted: column('is_blacklisted', 'client', 'boolean'),
  stopped_by_bank: { column: fixed`(client.blocked_by_bank or client.blacklisted_by_bank)`, type: 'boolean' },
  kyc_status: text('kyc_status'),
}

type KnownRow = BatchAccount & Omit<BatchClient, 'venture_id' | 'id'>

const compared = Object.entries({ ...ofAccount, ...ofClient }).flatMap(([field, how]) =>
  how === 'never changes' ? [] : [[field as keyof KnownRow, how] as const],
)
const { definitions, isSame } = comparisonOf(Object.fromEntries(compared), 'known')

const nullable = (money: Money | null) => (money === null ? null : toNumeric(money))

const rowForComparison = copierOf<KnownRow>(['venture_id', 'id', ...compared.map(([field]) => field)], {
  current: toNumeric,
  reserved: toNumeric,
  debt: toNumeric,
  used_day: toNumeric,
  used_month: toNumeric,
  used_year: toNumeric,
  daily_limit: nullable,
  monthly_limit: nullable,
  yearly_limit: nullable,
})

/**
 * Locks accounts and their clients like a batch that reads them, and fails if one is already locked or differs from the snapshot. Nothing
 * sent after it is then carried out. It never waits, because here clients are locked in the order of their accounts. The ventures are
 * parameters, as in every statement that locks rows of shards.
 */
export async function lockSnapshot(tx: Tx, { accounts, clients }: Owners): Promise<void> {
  const ventures = [...new Set(accounts.map(({ venture_id }) => venture_id))]
  const rows = accounts.map((account, index) => rowForComparison({ ...(clients[index] as BatchClient), ...account }))
  await expectingCount(
    tx.rows(read`
      select ${failsUnlessCount(accounts.length)} as as_known
      from (select * from json_to_recordset(${JSON.stringify(rows)}) as known (venture_id uuid, id uuid, ${definitions}) order by id) known
        cross join lateral (
          select from accounts account
            join clients client on client.venture_id = account.venture_id and client.id = account.client_id
            join ventures venture on venture.id = account.venture_id
          where account.venture_id = known.venture_id and account.id = known.id and ${isSame}
            and account.venture_id = any(${ventures}::uuid[]) and client.venture_id = any(${ventures}::uuid[])
          for no key update of account skip locked for share of client skip locked) locked`),
    () => new StaleSnapshot(),
  )
}
