// A batch: the rows that a group of commands needs, and the rows that deciding them produces. It is plain data without a database, so
// decisions can be tested and simulated on their own.
import { type AccountRow, showAccount } from '../../accounts/accounts.ts'
import type { BeneficiaryRow } from '../../beneficiaries/beneficiaries.ts'
import type { KycStatus } from '../../clients/clients.ts'
import type { EventType, NewEvent } from '../../events/events.ts'
import { book, type Entry, type Holder, type Line } from '../../ledger/ledger.ts'
import type { MandateRow } from '../../mandates/mandates.ts'
import type { Verification } from '../../payees/payees.ts'
import type { Actor } from '../../platform/actor.ts'
import { shown } from '../../platform/http/shown.ts'
import type { Policy } from '../../policies/policies.ts'
import type { Quote } from '../../rates/rates.ts'
import { firstBook, type RailBook } from '../../schemes/schemes.ts'
import { formatMoney, type Money } from '../../values/money.ts'
import { Refusal } from '../../values/refusals.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { Transfer, type TransferMove } from '../life/transfers.schemas.ts'

export type BatchAccount = Holder & {
  client_id: string
  account_number: string
  status: 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'CLOSED'
  daily_limit: Money | null
  monthly_limit: Money | null
  yearly_limit: Money | null
  used_on: string
  used_day: Money
  used_month: Money
  used_year: Money
  /** Whether the bank processes its transfers. */
  managed: boolean
  frozen_by_bank: boolean
  /** Whether its venture is ACTIVE. */
  venture_active: boolean
}

export type BatchClient = {
  venture_id: string
  id: string
  first_name: string
  last_name: string
  address: string
  city: string
  postcode: string
  country_code: string
  blocked: boolean
  is_blacklisted: boolean
  /** The bank itself has blocked or blacklisted the client. */
  stopped_by_bank: boolean
  kyc_status: KycStatus
}

/**
 * A beneficiary, with the account of the same venture that has its IBAN, if any. `on_us`: the IBAN belongs to an account whose transfers
 * the bank processes, in any venture.
 */
export type BatchBeneficiary = BeneficiaryRow & { receiver_account_id: string | null; on_us: boolean }

/** The transfer that already uses a reference, and its venture. */
export type Claim = { venture_id: string; transfer_id: string }

/** The bank's rates for a batch's orders that exchange currencies, and how many seconds they hold for each venture. */
export type Quotes = { rates: readonly Quote[]; holdOf(venture_id: string): number }

const noQuotes: Quotes = { rates: [], holdOf: () => 0 }

/**
 * The policies of the ventures that order or sign, the verifications of the payees, and what keeps accounts out of instant payments. Only for
 * ventures whose transfers the bank processes.
 */
export type Terms = {
  policies: ReadonlyMap<string, Policy>
  verifications: readonly Verification[]
  obstacles: ReadonlyMap<string, 'overdue' | 'hit' | undefined>
}

const noTerms: Terms = { policies: new Map(), verifications: [], obstacles: new Map() }

/** `debt_change`: how much the move changed the debt of the transfer's account. Only a forced command can increase debt. */
export type NewMove = TransferMove & { venture_id: string; transfer_id: string; forced: boolean; debt_change: Money }

type Rows = {
  accounts: readonly BatchAccount[]
  transfers: readonly TransferRow[]
  children: readonly TransferRow[]
  clients: readonly BatchClient[]
  beneficiaries: readonly BatchBeneficiary[]
  claims: ReadonlyMap<string, Claim>
  quotes?: Quotes
  /** The rails, for orders to the bank. */
  rails?: RailBook | undefined
  terms?: Terms
  /** The whole rows of the accounts that forced commands may overdraw, or whose sequence a command names. */
  wholeAccounts?: readonly AccountRow[]
  /** Transfers with an undecided case, among those that the bank's people want to move. */
  undecided?: ReadonlySet<string>
  /** The mandates that creates name. `used`: the ids of those already used by a transfer that has not failed. */
  mandates?: { rows: readonly MandateRow[]; used: ReadonlySet<string> } | undefined
}

type Owned = { venture_id: string; id: string }

export class Batch {
  readonly #accounts: Map<string, BatchAccount>
  /** The accounts as they were loaded. */
  readonly #loaded: Map<string, Readonly<BatchAccount>>
  readonly #transfers: Map<string, TransferRow>
  readonly #children = new Map<string, TransferRow[]>()
  readonly #clients: Map<string, BatchClient>
  readonly #beneficiaries: Map<string, BatchBeneficiary>
  readonly #claims: ReadonlyMap<string, Claim>
  readonly #wholeAccounts: Map<string, AccountRow>
  readonly #undecided: ReadonlySet<string>
  readonly #mandates: Map<string, MandateRow>
  readonly #usedMandates: ReadonlySet<string>
  readonly quotes: Quotes
  readonly rails: RailBook
  readonly #terms: Terms
  /** Undoes the changes of the current command. */
  #undo: (() => void)[] = []

  readonly changedAccounts = new Set<BatchAccount>()
  readonly changedTransfers = new Set<TransferRow>()
  readonly overdrawnAccounts = new Set<AccountRow>()
  readonly newTransfers: TransferRow[] = []
  readonly newMoves: NewMove[] = []
  readonly newEntries: Entry[] = []
  readonly newEvents: NewEvent[] = []
  /** Payments from within the bank whose money goes back to their payers. */
  readonly returnedOnUs: TransferRow[] = []
  /** Money that other banks sent or collected and that has to be returned or answered. */
  readonly givenBack: TransferRow[] = []

  constructor({
    accounts,
    transfers,
    children,
    clients,
    beneficiaries,
    claims,
    quotes = noQuotes,
    rails = firstBook,
    terms = noTerms,
    wholeAccounts = [],
    undecided,
    mandates,
  }: Rows) {
    this.#accounts = byId(accounts)
    this.#loaded = byId(accounts.map((account) => ({ ...account })))
    this.#transfers = byId(transfers)
    this.#clients = byId(clients)
    this.#beneficiaries = byId(beneficiaries)
    this.#claims = claims
    this.quotes = quotes
    this.rails = rails
    this.#terms = terms
    this.#wholeAccounts = byId(wholeAccounts)
    this.#undecided = undecided ?? new Set()
    this.#mandates = byId(mandates?.rows ?? [])
    this.#usedMandates = mandates?.used ?? new Set()
    for (const child of children) this.#addChild(child)
  }

  /** Decides one command. A refusal undoes all changes of the command. */
  attempt<Result>(decide: () => Result): Result | Refusal {
    this.#undo = []
    try {
      return decide()
    } catch (error) {
      for (const undo of this.#undo.reverse()) undo()
      if (error instanceof Refusal) return error
      throw error
    }
  }

  account(venture_id: string, id: string): BatchAccount | undefined {
    return ifOwnedBy(this.#accounts.get(id), venture_id)
  }

  transfer(venture_id: string, id: string): TransferRow | undefined {
    return ifOwnedBy(this.#transfers.get(id), venture_id)
  }

  client(venture_id: string, id: string): BatchClient | undefined {
    return ifOwnedBy(this.#clients.get(id), venture_id)
  }

  beneficiary(venture_id: string, id: string): BatchBeneficiary | undefined {
    return ifOwnedBy(this.#beneficiaries.get(id), venture_id)
  }

  /** The policy of a venture that orders or signs; undefined if the venture processes its own transfers. */
  policy(venture_id: string): Policy | undefined {
    return this.#terms.policies.get(venture_id)
  }

  /** Whether an account may order an instant payment now. */
  mayPayInstantly(account_id: string): boolean {
    return this.#terms.obstacles.get(account_id) === undefined
  }

  /** The newest verification of a payee. */
  verification({ venture_id, cr_name, cr_iban }: Pick<TransferRow, 'venture_id' | 'cr_name' | 'cr_iban'>): Verification | undefined {
    return this.#terms.verifications.find((each) => each.venture_id === venture_id && each.name === cr_name && each.iban === cr_iban)
  }

  mandate(venture_id: string, id: string): MandateRow | undefined {
    return ifOwnedBy(this.#mandates.get(id), venture_id)
  }

  /** Whether a mandate is used by a transfer that has not failed. */
  isUsed({ id }: Pick<MandateRow, 'id'>): boolean {
    return this.#usedMandates.has(id) || this.newTransfers.some(({ mandate_id }) => mandate_id === id)
  }

  childrenOf(parent: TransferRow): readonly TransferRow[] {
    return this.#children.get(parent.id) ?? []
  }

  claimOf(unique_reference: string): Claim | undefined {
    return this.#claims.get(unique_reference)
  }

  /** Whether a transfer has an undecided case. Loaded only for transfers that the bank's people want to move. */
  isUndecided({ id }: Pick<TransferRow, 'id'>): boolean {
    return this.#undecided.has(id)
  }

  /** Must be called before an account is changed. */
  touchAccount(account: BatchAccount): void {
    this.#remember(account)
    this.#collect(this.changedAccounts, account)
  }

  balancesChanged(account: BatchAccount): boolean {
    const before = this.#loaded.get(account.id)
    return (
      before?.current !== account.current ||
      before.reserved !== account.reserved ||
      before.last_activity_date !== account.last_activity_date
    )
  }

  usageChanged(account: BatchAccount): boolean {
    const before = this.#loaded.get(account.id)
    return before?.used_on !== account.used_on || before.used_year !== account.used_year || before.used_day !== account.used_day
  }

  /** Must be called before a transfer is changed. */
  touchTransfer(transfer: TransferRow): void {
    this.#remember(transfer)
    if (!this.newTransfers.includes(transfer)) this.#collect(this.changedTransfers, transfer)
  }

  add(transfer: TransferRow): TransferRow {
    this.#transfers.set(transfer.id, transfer)
    this.#push(this.newTransfers, transfer)
    this.#addChild(transfer)
    this.#undo.push(() => {
      this.#transfers.delete(transfer.id)
      if (transfer.parent_transaction_id !== null) this.#children.get(transfer.parent_transaction_id)?.pop()
    })
    return transfer
  }

  recordMove(move: NewMove): void {
    this.#push(this.newMoves, move)
  }

  /** Books a journal. The accounts in it must have been touched. */
  post(transfer: TransferRow, now: string, lines: readonly Line[]): void {
    const cause = { kind: 'transfer', id: transfer.id } as const
    for (const entry of book({ venture_id: transfer.venture_id, cause, now, lines })) this.#push(this.newEntries, entry)
  }

  returnOnUs(transfer: TransferRow): void {
    this.#push(this.returnedOnUs, transfer)
  }

  giveBack(transfer: TransferRow): void {
    this.#push(this.givenBack, transfer)
  }

  emit(type: EventType, transfer: TransferRow, actor: Actor, previous_status?: string): void {
    const { venture_id, sequence } = transfer
    this.#push(this.newEvents, {
      venture_id,
      type,
      object: shown(Transfer, transfer),
      sequence,
      actor,
      ...(previous_status === undefined ? {} : { previous_status }),
    })
  }

  /** The whole row of an account. Its balances may be older than the batch. */
  wholeAccount({ id }: Pick<BatchAccount, 'id'>): AccountRow {
    const row = this.#wholeAccounts.get(id)
    if (row === undefined) throw new Error(`the whole row of the account ${id} is not in the batch`)
    return row
  }

  /** Announces that the debt of an account has grown. Touch the account first. */
  overdraw(account: BatchAccount, actor: Actor, now: string): void {
    const row = this.wholeAccount(account)
    this.#remember(row)
    this.#collect(this.overdrawnAccounts, row)
    const { venture_id, currency, current, reserved, last_activity_date } = account
    Object.assign(row, {
      current_balance: formatMoney(current, currency),
      reserved_balance: formatMoney(reserved, currency),
      last_activity_date,
      updated_at: now,
      sequence: row.sequence + 1,
    })
    const object = showAccount(row)
    this.#push(this.newEvents, { venture_id, type: 'account.overdrawn', object, sequence: row.sequence, actor })
  }

  #remember(row: object): void {
    const before = { ...row }
    this.#undo.push(() => Object.assign(row, before))
  }

  #collect<Row>(rows: Set<Row>, row: Row): void {
    if (rows.has(row)) return
    rows.add(row)
    this.#undo.push(() => rows.delete(row))
  }

  #push<Row>(rows: Row[], row: Row): void {
    rows.push(row)
    this.#undo.push(() => rows.pop())
  }

  #addChild(transfer: TransferRow): void {
    if (transfer.parent_transaction_id === null) return
    const siblings = this.#children.get(transfer.parent_transaction_id) ?? []
    // Use one object per row, because this batch may also move a child.
    siblings.push(this.#transfers.get(transfer.id) ?? transfer)
    this.#children.set(transfer.parent_transaction_id, siblings)
  }
}

function byId<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

function ifOwnedBy<Row extends Owned>(row: Row | undefined, venture_id: string): Row | undefined {
  return row?.venture_id === venture_id ? row : undefined
}
