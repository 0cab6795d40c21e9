// A small bank in memory for the simulation: a few ventures with clients, accounts and beneficiaries. Rows are loaded into batches
// and written back like in the database, including its constraints; a seeded generator makes all choices, so that a seed replays.
import type { AccountRow } from '../../server/src/accounts/accounts.ts'
import { firstPolicy } from '../../server/src/policies/policies.ts'
import {
  Batch,
  type BatchAccount,
  type BatchBeneficiary,
  type BatchClient,
  type Claim,
} from '../../server/src/transfers/deciding/transfers.batch.ts'
import type { OrderedCommand } from '../../server/src/transfers/deciding/transfers.commands.ts'
import type { TransferRow } from '../../server/src/transfers/life/transfers.columns.ts'
import type { Transfer } from '../../server/src/transfers/life/transfers.schemas.ts'
import { isTerminal } from '../../server/src/transfers/life/transfers.status.ts'
import { makeIban } from '../../server/src/values/iban.ts'
import { formatMoney, fromNumeric, type Money } from '../../server/src/values/money.ts'
import { Refusal } from '../../server/src/values/refusals.ts'
import type { SeededRandom } from '../../server/src/values/seeded-random.ts'
import { Replay } from './simulation.replay.ts'

/** A violation that the simulation found. */
export class Broken extends Error {
  override name = 'Broken'
}

export function insist(holds: boolean, rule: string, ...details: unknown[]): asserts holds {
  if (!holds) throw new Broken([rule, ...details.map(text)].join(' '))
}

/** Any value as text, amounts included. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))
}

export const bank = { bic: 'VOSTLT21XXX', name: 'Vostro Sandbox Bank' }

/** The bank's rates: what one unit of the first currency is worth in the second, and the bank's share. */
export const rates = [
  { from_currency: 'EUR', to_currency: 'USD', rate: '1.0825', margin: '0.005' },
  { from_currency: 'USD', to_currency: 'EUR', rate: '0.91', margin: '0' },
  { from_currency: 'EUR', to_currency: 'JPY', rate: '160.55', margin: '0.0175' },
]
export const rateHold_s = 60

const quotes = { rates, holdOf: () => rateHold_s }

type Limits = Pick<BatchAccount, 'daily_limit' | 'monthly_limit' | 'yearly_limit'>

const noLimits: Limits = { daily_limit: null, monthly_limit: null, yearly_limit: null }

function limitsFor(dice: SeededRandom, currency: string): Limits {
  const factor = currency === 'JPY' ? 100 : 1
  const limit = (most: number): Money | null => (dice.chance(0.4) ? BigInt(dice.below(most)) * 10_000n : null)
  return { daily_limit: limit(400 * factor), monthly_limit: limit(1_500 * factor), yearly_limit: limit(4_000 * factor) }
}

/** The rows that commands are decided on. The batch works on these very objects. */
export type Loaded = {
  batch: Batch
  accounts: BatchAccount[]
  transfers: TransferRow[]
  children: TransferRow[]
  claims: Map<string, Claim>
}

export class World {
  readonly ventures: string[] = []
  readonly clients = new Map<string, BatchClient>()
  readonly accounts = new Map<string, BatchAccount>()
  readonly beneficiaries = new Map<string, BatchBeneficiary>()
  readonly transfers = new Map<string, TransferRow>()
  readonly claims = new Map<string, Claim>()
  readonly entries: Batch['newEntries'] = []
  /** The debt of each account after the moves. */
  readonly debts = new Map<string, Money>()
  /** How many events each resource has had. */
  readonly events = new Map<string, number>()
  /** The balances derived from events alone. */
  readonly replay = new Replay()
  /** Shortly before the end of a year, so that days, months and years all change. */
  now = new Date('2026-12-19T09:00:00Z')
  #ids = 0

  /** For each venture, whether the bank processes its transfers. */
  constructor(dice: SeededRandom, ventures: readonly boolean[]) {
    for (const managed of ventures) this.#populate(dice, this.newId(), managed)
  }

  /** An id that is the same in a replay. */
  newId(): string {
    return `00000000-0000-7000-8000-${String(++this.#ids).padStart(12, '0')}`
  }

  #populate(dice: SeededRandom, venture_id: string, managed: boolean): void {
    this.ventures.push(venture_id)
    const clients = [this.addClient(venture_id), this.addClient(venture_id)]
    for (const currency of ['EUR', 'EUR', 'EUR', 'USD', 'JPY', 'EUR'])
      this.addAccount(dice.pick(clients), currency, limitsFor(dice, currency))
    const accounts = this.accountsOf(venture_id)
    for (const account of accounts) account.managed = managed
    const last = accounts.at(-1)
    if (last !== undefined) last.status = 'PENDING'
    for (const client of clients) {
      this.addBeneficiary(client, { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' })
      this.addBeneficiary(client, { iban: 'BR1800360305000010009795493C1', swift_code: 'CAIXBRRJ' })
      this.addBeneficiary(client, { account_number: '12345678', routing_number: '021000021' })
      this.addBeneficiary(client, { account_number: '12345678' })
      this.addBeneficiary(client, { account_number: '12-345.678', swift_code: 'CHASUS33' })
      this.addBeneficiary(client, { iban: 'CH9300762011623852957' })
      this.addBeneficiary(client, { iban: 'CH9300762011623852957', swift_code: 'UBSWCHZH80A' })
      for (const { account_number, id } of accounts) this.addBeneficiary(client, { iban: account_number, receiver_account_id: id })
    }
  }

  addClient(venture_id: string): BatchClient {
    const client: BatchClient = {
      venture_id,
      id: this.newId(),
      first_name: 'Ada',
      last_name: 'Lovelace',
      address: '1 rue de la Paix',
      city: 'Paris',
      postcode: '75002',
      country_code: 'FRA',
      blocked: false,
      is_blacklisted: false,
      stopped_by_bank: false,
      kyc_status: 'VALIDATED',
    }
    this.clients.set(client.id, client)
    return client
  }

  addAccount({ venture_id, id: client_id }: BatchClient, currency: string, limits: Limits = noLimits): BatchAccount {
    const id = this.newId()
    const account: BatchAccount = {
      venture_id,
      id,
      client_id,
      currency,
      status: 'ACTIVE',
      current: 0n,
      reserved: 0n,
      debt: 0n,
      last_activity_date: null,
      account_number: makeIban('LT', `99990${String(this.#ids).padStart(11, '0')}`),
      ...limits,
      used_on: '2026-12-01',
      used_day: 0n,
      used_month: 0n,
      used_year: 0n,
      managed: false,
      frozen_by_bank: false,
      venture_active: true,
    }
    this.accounts.set(id, account)
    return account
  }

  addBeneficiary({ venture_id, id: client_id }: BatchClient, details: Partial<BatchBeneficiary>): string {
    const id = this.newId()
    this.beneficiaries.set(id, {
      venture_id,
      id,
      client_id,
      name: 'Charles Babbage',
      beneficiary_type: 'PERSON',
      display: true,
      sequence: 1,
      iban: null,
      bic: null,
      account_number: null,
      routing_number: null,
      swift_code: null,
      bank_name: null,
      bank_address: null,
      address: null,
      city: null,
      postal_code: null,
      country_code: null,
      receiver_account_id: null,
      on_us: false,
      created_at: this.now.toISOString(),
      updated_at: this.now.toISOString(),
      ...details,
    })
    return id
  }

  accountsOf(venture_id: string): BatchAccount[] {
    return [...this.accounts.values()].filter((account) => account.venture_id === venture_id)
  }

  /** Loads the rows of the commands and claims their references, like a batch of the service. */
  load(commands: readonly OrderedCommand[]): Loaded {
    const creates = commands.flatMap((command) => (command.kind === 'create' ? [command] : []))
    const updates = commands.flatMap((command) => (command.kind === 'update' ? [command] : []))
    const moved = updates.flatMap(({ transfer_id }) => this.transfers.get(transfer_id) ?? [])
    const named = creates.flatMap(({ order }) => this.beneficiaries.get(order.beneficiary_id ?? '') ?? [])
    const parents = [
      ...creates.map(({ order }) => order.parent_transaction_id),
      ...moved.map(({ parent_transaction_id }) => parent_transaction_id),
    ].filter((id) => id != null)
    const accounts = copies(this.accounts, [
      ...creates.map(({ order }) => order.account_id),
      ...named.map(({ receiver_account_id }) => receiver_account_id),
      ...moved.flatMap(({ account_id, receiver_account_id }) => [account_id, receiver_account_id]),
    ])
    const transfers = copies(this.transfers, [
      ...parents,
      ...moved.flatMap(({ id, parent_transaction_id }) => [
        id,
        parent_transaction_id,
        this.transfers.get(parent_transaction_id ?? '')?.parent_transaction_id,
      ]),
    ])
    const children = [...this.transfers.values()]
      .filter(({ parent_transaction_id }) => parent_transaction_id !== null && parents.includes(parent_transaction_id))
      .map((row) => ({ ...row }))
    const owners = accounts.map(({ client_id }) => client_id)
    const claims = new Map(this.claims)
    for (const { id, venture_id, order } of creates) {
      if (!claims.has(order.unique_reference)) claims.set(order.unique_reference, { venture_id, transfer_id: id })
    }
    const forced = commands.filter((command) => command.forced)
    const overdrawn = forced.map((command) =>
      command.kind === 'create' ? command.order.account_id : this.transfers.get(command.transfer_id)?.account_id,
    )
    const wholeAccounts = copies(this.accounts, overdrawn).map((account) => this.#rowOf(account))
    const clients = copies(this.clients, owners)
    const policies = new Map(
      accounts.flatMap(({ venture_id, managed }) => (managed ? [[venture_id, { venture_id, ...firstPolicy }] as const] : [])),
    )
    const terms = { policies, verifications: [], obstacles: new Map() }
    const batch = new Batch({ accounts, transfers, children, clients, beneficiaries: named, claims, quotes, terms, wholeAccounts })
    return { batch, accounts, transfers, children, claims }
  }

  /** The row of an account, as far as it has a part in events. */
  #rowOf({ venture_id, id, client_id, account_number, currency, status, current, reserved }: BatchAccount): AccountRow {
    const now = this.now.toISOString()
    const zero = formatMoney(0n, currency)
    return {
      venture_id,
      id,
      client_id,
      account_name: 'Main',
      account_number,
      account_type: 'CURRENT',
      currency,
      status,
      debt: zero,
      current_balance: formatMoney(current, currency),
      reserved_balance: formatMoney(reserved, currency),
      opened_date: now,
      closed_date: null,
      last_activity_date: null,
      daily_limit: null,
      monthly_limit: null,
      yearly_limit: null,
      description: null,
      external_account_id: null,
      created_at: now,
      updated_at: now,
      sequence: this.events.get(id) ?? 0,
      notes: 0,
      used_on: now.slice(0, 10),
      used_day: zero,
      used_month: zero,
      used_year: zero,
      managed: true,
      frozen_by_bank: false,
    }
  }

  /** The reference of a refused command is free for the next command that wants it, even in the same batch. */
  passOn({ claims }: Loaded, command: OrderedCommand, result: Transfer | Refusal): void {
    if (command.kind !== 'create') return
    const { venture_id, id, order } = command
    if (!(result instanceof Refusal)) claims.set(order.unique_reference, { venture_id, transfer_id: id })
    else if (claims.get(order.unique_reference)?.transfer_id === id) claims.delete(order.unique_reference)
  }

  /** Writes the decisions. A column that the service never writes keeps its value, whatever was decided. */
  write({ batch, accounts, transfers }: Loaded): void {
    for (const row of batch.newTransfers) {
      insist(!this.claims.has(row.unique_reference), 'one transfer has a reference:', row.unique_reference)
      this.claims.set(row.unique_reference, { venture_id: row.venture_id, transfer_id: row.id })
      this.transfers.set(row.id, { ...row })
    }
    for (const row of batch.changedTransfers) assign(this.transfers, row, writtenOfTransfers)
    for (const row of batch.changedAccounts) {
      if (batch.balancesChanged(row)) assign(this.accounts, row, ['current', 'reserved', 'debt', 'last_activity_date'])
      if (batch.usageChanged(row)) assign(this.accounts, row, ['used_on', 'used_day', 'used_month', 'used_year'])
    }
    this.entries.push(...batch.newEntries)
    for (const { transfer_id, actor, forced, debt_change } of batch.newMoves) {
      insist(!forced || ['operator', 'connector', 'service'].includes(actor), "only the bank's side forces:", actor)
      insist(forced || debt_change <= 0n, 'debt grows in forced commands only:', debt_change)
      const account_id = this.transfers.get(transfer_id)?.account_id ?? ''
      this.debts.set(account_id, (this.debts.get(account_id) ?? 0n) + debt_change)
    }
    for (const event of batch.newEvents) {
      this.#count(event.object.id, event.sequence)
      this.replay.follow(event)
    }
    // Every change must have been registered with the batch, or it is lost.
    for (const row of [...transfers, ...batch.newTransfers]) requireWritten(this.transfers.get(row.id), row)
    for (const row of accounts) requireWritten(this.accounts.get(row.id), row)
    for (const row of this.accounts.values()) requireAccountFits(row)
    for (const row of [...batch.newTransfers, ...batch.changedTransfers]) requireTransferFits(row)
  }

  #count(id: string, sequence: number): void {
    insist(sequence === (this.events.get(id) ?? 0) + 1, 'events of a resource have no gaps:', id, sequence)
    this.events.set(id, sequence)
  }
}

const writtenOfTransfers = [
  'status',
  'bank_partner_id',
  'bank_partner_trx_id',
  'signed_at',
  'status_reason',
  'status_reason_code',
  'third_party_status',
  'third_party_status_code',
  'third_party_status_reason',
  'updated_at',
  'sequence',
  'on_hold_from',
  'on_hold_by_bank',
  'notes',
  'findings',
  'signed_hash',
  'scanned',
  'screened',
  'held',
  'sent',
  'received',
  'hold',
  'suspended',
  'counted_on',
  'counted_amount',
  'authorised_on',
  'authorised_amount',
] as const

function copies<Row extends object>(rows: ReadonlyMap<string, Row>, ids: readonly (string | null | undefined)[]): Row[] {
  return [...new Set(ids)].flatMap((id) => {
    const row = rows.get(id ?? '')
    return row === undefined ? [] : [{ ...row }]
  })
}

function assign<Row extends { id: string }>(rows: ReadonlyMap<string, Row>, changed: Row, fields: readonly (keyof Row)[]): void {
  const row = rows.get(changed.id)
  insist(row !== undefined, 'only rows that exist are updated')
  for (const field of fields) row[field] = changed[field]
}

function requireWritten<Row extends object>(stored: Row | undefined, decided: Row): void {
  for (const [field, value] of Object.entries(decided)) {
    const kept = stored?.[field as keyof Row]
    insist(kept === value, 'what deciding changed is written:', field, 'is', value, 'and not', kept)
  }
}

/** The CHECK constraints of the database. */
function requireAccountFits(account: BatchAccount): void {
  const { current, reserved, debt, used_day, used_month, used_year } = account
  insist(debt === (reserved > current ? reserved - current : 0n), 'debt is what is missing:', account)
  insist(reserved >= 0n, 'reserved is never below zero:', account)
  insist(used_day >= 0n && used_month >= 0n && used_year >= 0n, 'what counts against limits is never below zero:', account)
  insist(account.status !== 'CLOSED' || (current === 0n && reserved === 0n), 'a closed account is empty:', account)
}

function requireTransferFits(row: TransferRow): void {
  insist(row.hold >= 0n && row.suspended >= 0n, 'hold and suspended are never below zero:', row)
  insist(row.counted_amount >= 0n && row.authorised_amount >= 0n, 'what a transfer counts is never below zero:', row)
  insist((row.counted_on === null) === (row.counted_amount === 0n), 'what counts has a day:', row)
  insist((row.authorised_on === null) === (row.authorised_amount === 0n), 'what an authorisation counted has a day:', row)
  insist(row.hold === 0n || !isTerminal(row.status), 'a transfer that has ended holds nothing:', row)
  insist(fromNumeric(row.debit_amount) > 0n && fromNumeric(row.credit_amount) > 0n, 'amounts are above zero:', row)
}
