// Plays the ventures: generates random orders and moves for the current world, mostly sensible ones, some odd and some wrong.

import type { BatchAccount, BatchBeneficiary } from '../../server/src/transfers/deciding/transfers.batch.ts'
import type { CreateCommand, UpdateCommand } from '../../server/src/transfers/deciding/transfers.commands.ts'
import type { TransferRow } from '../../server/src/transfers/life/transfers.columns.ts'
import { type MovingTransfer, nextOf, walkTo } from '../../server/src/transfers/life/transfers.guards.ts'
import type { TransferOrder, TransferUpdate } from '../../server/src/transfers/life/transfers.schemas.ts'
import {
  isTerminal,
  type TransferStatus,
  type TransferType,
  terminalStatuses,
  transferDirections,
  transferMethods,
  transferStatuses,
  transferTypes,
} from '../../server/src/transfers/life/transfers.status.ts'
import { formatMoney, fromNumeric, type Money } from '../../server/src/values/money.ts'
import type { SeededRandom } from '../../server/src/values/seeded-random.ts'
import type { World } from './simulation.world.ts'

const theVenture = { kind: 'venture', id: null } as const

/** Rails, and people of the bank who agree. */
const isBanksSide = ({ actor, approved }: Authority): boolean =>
  actor.kind === 'connector' || (actor.kind === 'operator' && approved === true)

/** What the bank's side does right after forcing a debit. */
const forcedSteps: readonly (readonly TransferStatus[])[] = [['RESERVED'], ['RESERVED', 'COMPLETED']]

type Authority = Pick<CreateCommand, 'actor' | 'approved'>

type Order = { -readonly [Field in keyof TransferOrder]: TransferOrder[Field] }

const reclaiming: readonly TransferType[] = [
  'PAYMENT_RETURN',
  'PAYMENT_REVERSAL',
  'PAYMENT_TECHNICAL_REVERSAL',
  'PAYMENT_CANCELLATION',
  'FEE_CANCELLATION',
  'CARD_REVERSAL',
]

/** What people, ventures and other banks do with transfers that the bank processes. */
const interferences: Partial<Record<TransferStatus, readonly TransferStatus[]>> = {
  CREATED: ['TO_SIGN', 'RECEIVED', 'RECEIVED', 'ON_HOLD', 'CANCELLED'],
  TO_SIGN: ['SIGNED', 'SIGNED', 'CANCELLED'],
  TO_RESERVE: ['CANCELLED', 'ON_HOLD'],
  RECEIVED: ['MANUAL_ACTION', 'TO_RETURN'],
  REVIEW: ['AML_APPROVED', 'AML_APPROVED', 'AML_REJECTED', 'MANUAL_REJECTED', 'TO_RETURN', 'ON_HOLD', 'READY_FOR_SCREENING'],
  AML_APPROVED: ['TO_CANCEL', 'ON_HOLD'],
  SENT_TO_PACK: ['TO_CANCEL', 'READY_TO_CLEAR'],
  SENT_TO_CLEAR: ['TO_CANCEL', 'TO_RESEND', 'SOME_PROBLEMS', 'COMPLETED'],
  ACCEPTED: ['TO_CANCEL'],
  ON_HOLD: ['CANCELLED'],
  SOME_PROBLEMS: ['COMPLETED', 'REJECTED', 'TO_RESEND'],
  MANUAL_ACTION: ['READY_FOR_SCREENING', 'TO_RESERVE', 'READY_TO_CLEAR', 'TO_CANCEL'],
  TO_RETURN: ['REJECTED'],
  CREDIT_TECH_BALANCE: ['READY_FOR_SCREENING'],
}

export class Player {
  readonly #dice: SeededRandom
  readonly #world: World
  /** The status in which each transfer is to end. */
  readonly #goals = new Map<string, TransferStatus>()
  readonly #references: string[] = []
  readonly #patience: number

  /** `patience`: how often it leaves a transfer alone that the bank processes. */
  constructor(dice: SeededRandom, world: World, patience: number) {
    this.#dice = dice
    this.#world = world
    this.#patience = patience
  }

  create(): CreateCommand {
    const dice = this.#dice
    const venture_id = dice.pick(this.#world.ventures)
    const account = this.#account(venture_id)
    const parent = this.#parent(account)
    const order = parent !== undefined && dice.chance(0.35) ? this.#childOf(parent, account) : this.#order(account)
    if (dice.chance(0.06)) this.#spoil(order)
    const by = this.#authorityOver(account)
    if (by.actor.kind === 'connector' && account.currency === 'EUR' && dice.chance(0.1)) this.#collect(order, account)
    if (by.actor.kind !== 'connector' && account.managed && dice.chance(0.8)) this.#leaveToBank(order)
    const fact = isBanksSide(by) && account.managed && account.venture_id === venture_id ? this.#fact(order) : {}
    return { kind: 'create', venture_id, id: this.#world.newId(), order, ...by, ...fact, now: this.#world.now }
  }

  /** The bank's side reports facts, and forces some of them, which it may carry out at once. */
  #fact(order: Order): Pick<CreateCommand, 'forced' | 'steps'> {
    const dice = this.#dice
    if (order.direction === 'OUTBOUND' && dice.chance(0.3)) delete order.beneficiary_id
    const forced = dice.chance(0.4)
    const atOnce = forced && order.direction === 'OUTBOUND' && dice.chance(0.5)
    return { forced, ...(atOnce ? { steps: dice.pick(forcedSteps) } : {}) }
  }

  /** Where the bank processes, the bank's side does most of the work, and its people and the venture try the same. */
  #authorityOver({ managed }: { managed: boolean }): Authority {
    if (!managed) return { actor: theVenture }
    const kind = this.#dice.pick(['connector', 'connector', 'connector', 'service', 'venture', 'venture', 'user', 'operator'] as const)
    // The service creates no orders.
    return {
      actor: { kind: kind === 'service' ? 'connector' : kind, id: null },
      ...(this.#dice.chance(0.3) ? { approved: kind === 'operator' } : {}),
    }
  }

  /** Makes an order a direct debit that the client has to pay, now or later. */
  #collect(order: Order, account: BatchAccount): void {
    const creditor = this.#known(account).find(({ iban }) => iban?.startsWith('DE'))
    const kept = { account_id: order.account_id, unique_reference: order.unique_reference, beneficiary_id: creditor?.id }
    for (const field of Object.keys(order) as (keyof Order)[]) delete order[field]
    Object.assign(order, kept, { direction: 'OUTBOUND', method: 'SDD', debit_amount: formatMoney(this.#amount(account), 'EUR') })
    if (this.#dice.chance(0.7)) order.settlement_date = this.#dice.pick(['2026-12-28', '2027-01-28'])
  }

  /** Makes an order one that the venture may place. */
  #leaveToBank(order: Order): void {
    const dice = this.#dice
    if (order.transfer_type !== 'PAYMENT_RETURN') Object.assign(order, { direction: 'OUTBOUND', transfer_type: 'PAYMENT' })
    if (order.method === 'CARD' || order.method?.startsWith('SDD')) delete order.method
    for (const field of ['exchange_rate', 'fx_fee_amount', 'dr_iban', 'dr_bank_bic', 'debit_currency', 'credit_amount'] as const)
      delete order[field]
    const account = this.#world.accounts.get(order.account_id)
    if (account !== undefined) order.debit_amount = formatMoney(this.#amount(account), account.currency)
    if (account !== undefined && order.beneficiary_id == null) this.#addBeneficiary(order, account)
    if (dice.chance(0.1)) order.settlement_date = dice.pick(['2026-12-01', '2027-01-28', '2027-06-01'])
    if (dice.chance(0.1)) order.cr_name = dice.pick(['Charles Babbage', 'Somebody else'])
  }

  /** An order that brings money in and needs no partner. */
  deposit(account: BatchAccount): CreateCommand {
    const credit_amount = formatMoney(this.#amount(account) * 20n, account.currency)
    const order = { account_id: account.id, unique_reference: this.#reference(), credit_amount } as const
    const command = {
      kind: 'create',
      venture_id: account.venture_id,
      id: this.#world.newId(),
      actor: account.managed ? ({ kind: 'connector', id: null } as const) : theVenture,
      now: this.#world.now,
    } as const
    return { ...command, order: { ...order, direction: 'INBOUND', transfer_type: 'ADJUSTMENT' } }
  }

  move(): UpdateCommand | undefined {
    const dice = this.#dice
    const transfers = [...this.#world.transfers.values()]
    // Finished transfers are moved now and then too, to be refused.
    const open = dice.chance(0.04) ? transfers : transfers.filter(({ status }) => !isTerminal(status))
    if (open.length === 0) return undefined
    // A venture that holds a transfer with the bank's rate, and releases it, perhaps too late.
    const rated = open.filter(({ rate_until }) => rate_until !== null)
    if (rated.length > 0 && dice.chance(0.1)) {
      const transfer = dice.pick(rated)
      return this.moveOf(transfer, transfer.on_hold_from ?? 'ON_HOLD')
    }
    const transfer = dice.pick(dice.chance(0.8) ? open.slice(-10) : open)
    if (transfer.managed && dice.chance(this.#patience)) return undefined
    return this.moveOf(transfer, this.#nextOf(transfer))
  }

  /** A payment that the bank processes: affordable or not, in the currency of the account or another one, now or later. */
  pay(): CreateCommand | undefined {
    const dice = this.#dice
    const accounts = [...this.#world.accounts.values()].filter(({ managed, status }) => managed && status === 'ACTIVE')
    if (accounts.length === 0) return undefined
    const account = dice.pick(accounts)
    const { venture_id, currency, current, reserved } = account
    const known = this.#known(account)
    const left = current - reserved
    const all = left > 0n && dice.chance(0.2)
    const exchanges = currency === 'EUR' && dice.chance(0.2)
    const order: Order = {
      account_id: account.id,
      unique_reference: this.#reference(),
      beneficiary_id: dice.pick(known).id,
      debit_amount: formatMoney(all ? left : this.#smallAmount(account), currency),
      ...(exchanges ? { credit_currency: 'USD', method: 'SWIFT' as const } : {}),
      ...(dice.chance(0.1) ? { settlement_date: dice.pick(['2026-12-28', '2027-01-28']) } : {}),
    }
    return { kind: 'create', venture_id, id: this.#world.newId(), order, actor: theVenture, now: this.#world.now }
  }

  /** Acts on a transfer that waits in processing, or interferes with it. */
  interfere(): UpdateCommand | undefined {
    const dice = this.#dice
    const open = [...this.#world.transfers.values()].filter(({ managed, status }) => managed && interferences[status] !== undefined)
    if (open.length === 0) return undefined
    const transfer = dice.pick(open.slice(-12))
    const back = transfer.on_hold_from === null ? [] : [transfer.on_hold_from]
    return this.moveOf(transfer, dice.pick([...back, ...(interferences[transfer.status] ?? [])]))
  }

  moveOf(transfer: TransferRow, status: TransferStatus): UpdateCommand {
    const dice = this.#dice
    const update: TransferUpdate = {
      status,
      ...(dice.chance(0.8) ? { third_party_status: 'ACCC' } : {}),
      ...(dice.chance(0.1) ? { status_reason: 'because', bank_partner_trx_id: dice.below(1000) } : {}),
    }
    return this.#update(transfer, update)
  }

  annotate(): UpdateCommand | undefined {
    const dice = this.#dice
    const transfers = [...this.#world.transfers.values()]
    if (transfers.length === 0) return undefined
    const update: TransferUpdate = dice.pick([
      { bank_partner_id: `partner ${dice.below(3)}` },
      { signed_at: new Date(this.#world.now.getTime() + dice.pick([-3_600_000, 0, 299_000, 301_000])).toISOString() },
      { status_reason: null, third_party_status_code: 'AB' },
      {},
    ])
    return this.#update(dice.pick(transfers), update)
  }

  #update({ venture_id, id, managed }: TransferRow, wanted: TransferUpdate): UpdateCommand {
    const by = this.#authorityOver({ managed })
    const { status } = wanted
    // Mostly without the fields that only the bank may send.
    const update = managed && by.actor.kind !== 'connector' && status !== undefined && this.#dice.chance(0.8) ? { status } : wanted
    const elsewhere = this.#world.ventures.find((venture) => venture !== venture_id) ?? venture_id
    const owner = this.#dice.chance(0.01) ? elsewhere : venture_id
    const forced = isBanksSide(by) && managed && owner === venture_id && status !== undefined && this.#dice.chance(0.3)
    return { kind: 'update', venture_id: owner, transfer_id: id, update, ...by, ...(forced ? { forced } : {}), now: this.#world.now }
  }

  #account(venture_id: string): BatchAccount {
    // Mostly of the right venture.
    const accounts = this.#world.accountsOf(this.#dice.chance(0.01) ? this.#dice.pick(this.#world.ventures) : venture_id)
    return this.#dice.pick(accounts)
  }

  #reference(): string {
    if (this.#references.length > 0 && this.#dice.chance(0.03)) return this.#dice.pick(this.#references)
    const reference = `REF-${this.#references.length}`
    this.#references.push(reference)
    return reference
  }

  #amount({ currency }: Pick<BatchAccount, 'currency'>): Money {
    const minor = currency === 'JPY' ? 10_000n : 100n
    return BigInt(1 + this.#dice.below(this.#dice.chance(0.1) ? 40_000 : 8_000)) * minor
  }

  #smallAmount({ currency }: Pick<BatchAccount, 'currency'>): Money {
    return BigInt(1 + this.#dice.below(2_000)) * (currency === 'JPY' ? 10_000n : 100n)
  }

  #order(account: BatchAccount): Order {
    const dice = this.#dice
    const order: Order = { account_id: account.id, unique_reference: this.#reference() }
    const odd = dice.chance(0.35)
    order.direction = dice.pick(odd || dice.chance(0.6) ? transferDirections : ['OUTBOUND'])
    if (odd) {
      order.transfer_type = dice.pick(transferTypes)
      // Card types go over CARD, with random exceptions.
      order.method = order.transfer_type.startsWith('CARD_') && dice.chance(0.7) ? 'CARD' : dice.pick(transferMethods)
    } else if (dice.chance(0.3)) {
      order.transfer_type = dice.pick(['PAYMENT', 'FEE', 'ADJUSTMENT', 'CCY_EXCHANGE', 'FX_POSITION_CLOSING', 'CARD_AUTH', 'CARD_ADVICE'])
    } else if (dice.chance(0.4)) {
      order.method = dice.pick(transferMethods)
    }
    this.#addBeneficiary(order, account)
    this.#addAmounts(order, account)
    this.#addSides(order, account)
    return order
  }

  /** Where inbound money comes from, and sometimes what the order says about its destination, true or not. */
  #addSides(order: Order, account: BatchAccount): void {
    const dice = this.#dice
    const beneficiary = this.#world.beneficiaries.get(order.beneficiary_id ?? '')
    if (dice.chance(0.05)) order.is_instant = true
    if (order.direction === 'INBOUND') {
      if (dice.chance(0.8)) Object.assign(order, this.#debtor(account))
      if (dice.chance(0.1)) order.cr_iban = dice.chance(0.7) ? account.account_number : 'FR1420041010050500013M02606'
    } else if (beneficiary !== undefined && dice.chance(0.1)) {
      order.cr_bank_bic = beneficiary.bic ?? beneficiary.swift_code ?? 'COBADEFF'
      if (dice.chance(0.3)) order.cr_bank_bic = 'DEUTDEFF500'
    }
  }

  /** A beneficiary of the client, or a stranger. */
  #debtor(account: BatchAccount): Partial<Order> {
    const dice = this.#dice
    const known = this.#known(account)
    const { iban, account_number, bic, swift_code } = dice.pick(known)
    const bank = bic ?? swift_code
    const dr_iban = iban ?? account_number?.replace(/\W/g, '') ?? null
    return { ...(dice.chance(0.9) ? { dr_iban } : {}), ...(bank !== null && dice.chance(0.8) ? { dr_bank_bic: bank } : {}) }
  }

  #known({ venture_id, client_id }: BatchAccount): BatchBeneficiary[] {
    return [...this.#world.beneficiaries.values()].filter((row) => row.venture_id === venture_id && row.client_id === client_id)
  }

  #addBeneficiary(order: Order, account: BatchAccount): void {
    const dice = this.#dice
    if (order.direction === 'INBOUND' ? dice.chance(0.9) : dice.chance(0.02)) return
    const known = this.#known(account)
    const receivers = known.filter(({ receiver_account_id }) => receiver_account_id !== null && receiver_account_id !== account.id)
    const internal = order.method === 'INTERNAL' || order.method === 'SDD_INTERNAL' || dice.chance(0.25)
    const any = dice.chance(0.02) ? [...this.#world.beneficiaries.values()] : known
    order.beneficiary_id = dice.pick(internal && receivers.length > 0 ? receivers : any).id
  }

  #addAmounts(order: Order, account: BatchAccount): void {
    const dice = this.#dice
    const [own, other] = order.direction === 'INBOUND' ? (['credit', 'debit'] as const) : (['debit', 'credit'] as const)
    order[`${own}_amount`] = formatMoney(this.#amount(account), account.currency)
    const receiver = this.#receiverOf(order)
    const currency = receiver?.currency ?? (dice.chance(0.15) ? dice.pick(['EUR', 'USD', 'JPY']) : account.currency)
    if (currency !== account.currency) {
      order[`${other}_currency`] = currency
      if (own === 'debit' && dice.chance(0.5)) order.exchange_rate = dice.pick(['1.1', '0.9', '160.5', '0.0061'])
      else order[`${other}_amount`] = formatMoney(this.#amount({ currency }), currency)
    }
    if (own === 'debit' && dice.chance(currency === account.currency ? 0.02 : 0.5))
      order.fx_fee_amount = formatMoney(BigInt(dice.below(3)) * 10_000n, account.currency)
  }

  #receiverOf({ beneficiary_id }: Order): BatchAccount | undefined {
    const { receiver_account_id } = this.#world.beneficiaries.get(beneficiary_id ?? '') ?? { receiver_account_id: null }
    return receiver_account_id === null ? undefined : this.#world.accounts.get(receiver_account_id)
  }

  /** A transfer that can still be returned, reversed or cleared in part, if there is one. */
  #parent({ id, venture_id }: BatchAccount): TransferRow | undefined {
    const dice = this.#dice
    const transfers = [...this.#world.transfers.values()].filter((row) => row.venture_id === venture_id)
    const own = transfers.filter(({ account_id }) => account_id === id)
    const fitting = own.filter(
      (row) => (row.status === 'COMPLETED' || row.hold > 0n || row.suspended > 0n || isAuthorisation(row)) && fittingTypes(row).length > 0,
    )
    const choice = dice.chance(0.85) ? fitting : dice.chance(0.8) ? own : transfers
    return choice.length === 0 ? undefined : dice.pick(choice)
  }

  /** A return, a reversal or a clearing of another transfer, for a part of it or slightly more than all of it. */
  #childOf(parent: TransferRow, account: BatchAccount): Order {
    const dice = this.#dice
    const order = this.#order(account)
    order.parent_transaction_id = parent.id
    const frozen = parent.suspended > 0n
    const authorised = isAuthorisation(parent)
    const fitting = fittingTypes(parent)
    order.transfer_type = dice.pick(fitting.length > 0 && dice.chance(0.85) ? fitting : dice.chance(0.8) ? reclaiming : transferTypes)
    // The events alone do not show whether an adjustment completed before or after its parent's money was frozen.
    if (order.transfer_type === 'ADJUSTMENT' && !isTerminal(parent.status)) order.transfer_type = 'PAYMENT_RETURN'
    const sameWay = frozen ? parent.direction === 'OUTBOUND' : authorised && dice.chance(0.7)
    order.direction = (parent.direction === 'OUTBOUND') === sameWay ? 'OUTBOUND' : 'INBOUND'
    if (authorised || order.transfer_type.startsWith('CARD_')) order.method = 'CARD'
    else if (dice.chance(0.9)) delete order.method
    if (frozen && order.transfer_type === 'ADJUSTMENT' && dice.chance(0.4)) order.direction = 'INBOUND'
    for (const field of ['is_instant', 'cr_iban', 'cr_bank_bic', 'dr_iban', 'dr_bank_bic'] as const) delete order[field]
    // A return arrives in the currency in which the payment left, with its original value on the account.
    for (const field of ['debit_amount', 'credit_amount', 'debit_currency', 'credit_currency', 'exchange_rate', 'fx_fee_amount'] as const)
      delete order[field]
    delete order.beneficiary_id
    this.#addBeneficiary(order, account)
    const debtor = this.#known(account).filter(
      (row) => row.iban === parent.dr_iban || row.account_number?.replace(/\W/g, '') === parent.dr_iban,
    )
    if (order.beneficiary_id !== undefined && debtor.length > 0 && dice.chance(0.9)) order.beneficiary_id = dice.pick(debtor).id
    const turned = order.direction !== parent.direction
    const [debit, credit] = turned ? (['credit', 'debit'] as const) : (['debit', 'credit'] as const)
    order.debit_amount = parent[`${debit}_amount`]
    order.debit_currency = parent[`${debit}_currency`]
    order.credit_amount = parent[`${credit}_amount`]
    order.credit_currency = parent[`${credit}_currency`]
    if (order.transfer_type === 'FEE_CANCELLATION' && parent.transfer_type !== 'FEE') this.#takeFee(order, parent)
    else if (order.debit_currency === order.credit_currency && dice.chance(0.7)) this.#takePart(order)
    // The same amount outside for more on the account.
    else if (order.debit_currency !== order.credit_currency && dice.chance(0.1)) {
      const own = order.direction === 'OUTBOUND' ? 'debit' : 'credit'
      order[`${own}_amount`] = formatMoney(this.#amount(account), account.currency)
    }
    return order
  }

  /** Gives back the exchange fee of a transfer, or a part of it, or slightly more. */
  #takeFee(order: Order, { fx_fee_amount, debit_currency }: TransferRow): void {
    const fee = fromNumeric(fx_fee_amount ?? '0')
    const amount = formatMoney(this.#dice.pick([fee, fee, fee + 10_000n, 10_000n]), debit_currency)
    Object.assign(order, { debit_amount: amount, debit_currency, credit_amount: amount, credit_currency: debit_currency })
  }

  #takePart(order: Order): void {
    const currency = order.debit_currency ?? ''
    const amount = formatMoney(this.#amount({ currency }), currency)
    order.debit_amount = amount
    order.credit_amount = amount
  }

  #spoil(order: Order): void {
    const dice = this.#dice
    const changes: readonly (() => void)[] = [
      () => Object.assign(order, { debit_currency: 'GBP' }),
      () => Object.assign(order, { credit_amount: '0.01', debit_amount: '7000.07' }),
      () => Object.assign(order, { debit_amount: undefined, credit_amount: undefined }),
      () => Object.assign(order, { debit_amount: '1.001' }),
      () => Object.assign(order, { cr_iban: 'FR1420041010050500013M02606' }),
      () => Object.assign(order, { cr_iban: 'DE00370400440532013000', method: 'SEPA' }),
      () => Object.assign(order, { account_id: this.#world.newId() }),
      () => Object.assign(order, { beneficiary_id: this.#world.newId() }),
      () => Object.assign(order, { parent_transaction_id: this.#world.newId() }),
      () => Object.assign(order, { is_instant: true, method: undefined }),
      () => Object.assign(order, { dr_iban: 'AE070331234567890123456' }),
      () => Object.assign(order, { dr_iban: 'NOTANIBAN' }),
      () => Object.assign(order, { debit_amount: '1000000000', credit_amount: '1000000000' }),
      () => Object.assign(order, { fx_fee_amount: '1' }),
    ]
    dice.pick(changes)()
  }

  #nextOf(transfer: TransferRow): TransferStatus {
    const dice = this.#dice
    const follows = nextOf(transfer)
    if (dice.chance(0.03) || follows.length === 0) return dice.pick(transferStatuses)
    const [step] = dice.chance(0.8) ? this.#walkTo(transfer) : []
    return step ?? dice.pick(follows)
  }

  /** Most transfers are to complete, the others to end in any other way. */
  #walkTo(transfer: TransferRow): readonly TransferStatus[] {
    const goal = this.#goals.get(transfer.id) ?? (this.#dice.chance(0.75) ? 'COMPLETED' : this.#dice.pick(terminalStatuses))
    this.#goals.set(transfer.id, goal)
    return knownWalk(transfer, goal)
  }
}

/** The types of transfers that can take something back from a transfer, or clear it. */
function isAuthorisation({ transfer_type }: Pick<TransferRow, 'transfer_type'>): boolean {
  return transfer_type === 'CARD_AUTH' || transfer_type === 'CARD_ADVICE'
}

function fittingTypes({ transfer_type, method, suspended, status, fx_fee_amount }: TransferRow): TransferType[] {
  if (isAuthorisation({ transfer_type })) return ['CARD_CLEARING', 'CARD_REVERSAL']
  if (suspended > 0n) return ['PAYMENT_RETURN', 'ADJUSTMENT']
  if (status !== 'COMPLETED') return []
  const fee: TransferType[] = transfer_type === 'FEE' || fx_fee_amount !== null ? ['FEE_CANCELLATION'] : []
  if (method === 'CARD') return ['CARD_REVERSAL', ...fee]
  const isPayment = transfer_type.startsWith('PAYMENT')
  return isPayment ? [...reclaiming.filter((type) => type.startsWith('PAYMENT')), ...fee] : fee
}

const walks = new Map<string, readonly TransferStatus[]>()
const withoutObstacles = {
  third_party_status_given: true,
  account_closed: false,
  receiver_closed: false,
  client_blocked: false,
  account_frozen: false,
  signed_on_request: false,
}

/** Cached, because thousands of transfers in the same state need the same walk. */
function knownWalk(transfer: TransferRow, goal: TransferStatus): readonly TransferStatus[] {
  const { direction, method, transfer_type, status, on_hold_from, scanned, screened, held, sent, received } = transfer
  const moving: MovingTransfer = { direction, method, transfer_type, status, on_hold_from, scanned, screened, held, sent, received }
  const uncleared = isAuthorisation(transfer) && transfer.hold > 0n
  const key = `${Object.values(moving)} ${uncleared} ${goal}`
  const walk = walks.get(key) ?? walkTo(moving, goal, { ...withoutObstacles, uncleared }) ?? []
  walks.set(key, walk)
  return walk
}
