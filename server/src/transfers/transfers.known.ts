// What a batch may be decided over while the batch before is still being committed: the accounts as the last batches have left them, with their
// clients. The database compares all of it once it has locked the rows, so whatever changes them elsewhere needs no word about it here.
import { isDivisionByZero } from '../platform/database/database.errors.ts'
import { copierOf } from '../platform/database/database.rows.ts'
import type { Tx } from '../platform/database/database.ts'
import { Columns, type Comparison, comparisonOf, fixed, read } from '../platform/database/sql.ts'
import { type Money, toNumeric } from '../values/money.ts'
import type { BatchAccount, BatchClient } from './deciding/transfers.batch.ts'
import type { Key, Owners } from './transfers.sql.ts'

/** The rows are no longer as they were known. Nothing was written, and the batch has to be decided over what it locks. */
export class KnownNoMore extends Error {
  constructor() {
    super('accounts or clients have changed since they were known')
  }
}

/** More are forgotten, those first that were in no batch for the longest time. */
const mostAccounts = 10_000

/** After so many misses in a row, each followed by twice as many batches that read what they need, it stays at that. */
const mostMisses = 6

export class KnownOwners {
  readonly #known = new Map<string, { account: BatchAccount; client: BatchClient }>()
  #misses = 0
  #resting = 0

  /** Accounts and their clients, or undefined if one of them is not known. They must not be changed. */
  find(keys: readonly Key[]): Owners | undefined {
    if (this.#resting > 0) {
      this.#resting--
      return undefined
    }
    const accounts: BatchAccount[] = []
    const clients: BatchClient[] = []
    for (const { venture_id, id } of keys) {
      const known = this.#known.get(id)
      if (known === undefined || known.account.venture_id !== venture_id) return undefined
      accounts.push(known.account)
      clients.push(known.client)
    }
    return { accounts, clients }
  }

  /** What a batch leaves, which it must not change any more. Accounts that it has not locked are being changed by others. */
  keep({ accounts, clients }: Owners, locked: ReadonlySet<string>): void {
    const clientOf = new Map(clients.map((client) => [client.id, client]))
    for (const account of accounts) {
      const client = clientOf.get(account.client_id)
      this.#known.delete(account.id)
      if (client !== undefined && locked.has(account.id)) this.#known.set(account.id, { account, client })
    }
    for (const id of this.#known.keys()) {
      if (this.#known.size <= mostAccounts) return
      this.#known.delete(id)
    }
  }

  /** What a batch has left was not committed, or may not have been. */
  forget(): void {
    this.#known.clear()
  }

  /** Where others change the same accounts all the time, deciding ahead would only cost. */
  missed(): void {
    this.forget()
    this.#misses = Math.min(this.#misses + 1, mostMisses)
    this.#resting = 2 ** this.#misses
  }

  proved(): void {
    this.#misses = 0
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
  ...{ current: toNumeric, reserved: toNumeric, debt: toNumeric, used_day: toNumeric, used_month: toNumeric, used_year: toNumeric },
  ...{ daily_limit: nullable, monthly_limit: nullable, yearly_limit: nullable },
})

/**
 * Locks accounts and their clients as a batch does that reads them, and fails if any is locked already or is not as known. Then nothing that was sent
 * behind this is carried out. It waits for nobody, because here clients are locked in the order of their accounts. The ventures are parameters as in
 * every statement that locks rows of shards.
 */
export async function lockKnown(tx: Tx, { accounts, clients }: Owners): Promise<void> {
  const ventures = [...new Set(accounts.map(({ venture_id }) => venture_id))]
  const rows = accounts.map((account, index) => rowForComparison({ ...(clients[index] as BatchClient), ...account }))
  try {
    await tx.rows(read`
      select 1 / (count(*) = ${accounts.length})::int as as_known
      from (select * from json_to_recordset(${JSON.stringify(rows)}) as known (venture_id uuid, id uuid, ${definitions}) order by id) known
        cross join lateral (
          select from accounts account
            join clients client on client.venture_id = account.venture_id and client.id = account.client_id
            join ventures venture on venture.id = account.venture_id
          where account.venture_id = known.venture_id and account.id = known.id and ${isSame}
            and account.venture_id = any(${ventures}::uuid[]) and client.venture_id = any(${ventures}::uuid[])
          for no key update of account skip locked for share of client skip locked) locked`)
  } catch (error) {
    if (isDivisionByZero(error)) throw new KnownNoMore()
    throw error
  }
}
