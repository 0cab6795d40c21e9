// The simulation: random commands run through the deciding code, in batches as in production but without a database, while an
// independent model keeps its own books. After every command the two must agree and every invariant must hold. A seed replays exactly.

import type { Entry } from '../../server/src/ledger/ledger.ts'
import { SeededRandom } from '../../server/src/testing/testing.random.ts'
import type { BatchAccount } from '../../server/src/transfers/deciding/transfers.batch.ts'
import { type OrderedCommand, decide as realDecide } from '../../server/src/transfers/deciding/transfers.decide.ts'
import { flowOf, flowVariantOf } from '../../server/src/transfers/life/transfers.flows.ts'
import {
  flows,
  isTerminal,
  type TransferStatus,
  terminalStatuses,
  transferMethods,
  transferTypes,
} from '../../server/src/transfers/life/transfers.status.ts'
import type { TransferRow } from '../../server/src/transfers/transfers.columns.ts'
import type { Transfer } from '../../server/src/transfers/transfers.schemas.ts'
import { fromNumeric, type Money } from '../../server/src/values/money.ts'
import { Refusal, type RefusalCode } from '../../server/src/values/refusals.ts'
import { boundOf, codeOf, isOrderReserved, isUpdateReserved, needsCase } from './simulation.control.ts'
import { type Expected, Model, type Noted } from './simulation.model.ts'
import { exchanged, explained, type Opinion, opinionOf, quoteOf, type Scene } from './simulation.orders.ts'
import { Player } from './simulation.player.ts'
import { bank, insist, type Loaded, rateHold_s, text, World } from './simulation.world.ts'

type Decide = typeof realDecide

export type Simulation = {
  seed: number
  steps: number
  tally: Tally
  /** Replaces the real decision, to prove that the simulation notices. */
  decide?: Decide
}

export class SimulationFailure extends Error {
  override name = 'SimulationFailure'
  readonly seed: number
  readonly step: number
  readonly command: string

  constructor({ seed, step, command, cause }: { seed: number; step: number; command: string; cause: Error }) {
    super(`seed ${seed}, step ${step}: ${cause.message}`, { cause })
    this.seed = seed
    this.step = step
    this.command = command
  }
}

export function simulate(simulation: Simulation): void {
  new Run(simulation).play()
}

/** What has occurred, to prove that the simulation covers everything. */
export class Tally {
  readonly outcomes = new Map<string, number>()
  readonly seen = new Map<string, number>()

  count(command: string, outcome: string): void {
    add(this.outcomes, `${command} ${outcome}`)
  }

  notice(word: string): void {
    add(this.seen, word)
  }

  see(transfer: Transfer): void {
    const { direction, method, transfer_type, status } = transfer
    if (status === 'CREATED') for (const word of [`type ${transfer_type}`, `method ${method}`]) add(this.seen, word)
    if (isTerminal(status)) add(this.seen, `end ${status}`)
    if (status === 'COMPLETED') add(this.seen, `flow ${flowOf(direction, method, transfer_type)}`)
  }

  /** What should have occurred and did not: a type or a method never used, a flow never completed, a final status never reached. */
  missing(): string[] {
    const expected = [
      ...transferTypes.map((type) => `type ${type}`),
      ...transferMethods.map((method) => `method ${method}`),
      ...flows.map((flow) => `flow ${flow}`),
      ...terminalStatuses.map((status) => `end ${status}`),
      'event transfer.returned',
      "the bank's rate",
      'an expired rate',
      'event account.overdrawn',
      'completed in debt',
      'repaid',
    ]
    return expected.filter((word) => !this.seen.has(word))
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

class Run {
  readonly #seed: number
  readonly #steps: number
  readonly #tally: Tally
  readonly #decide: Decide
  readonly #dice: SeededRandom
  readonly #world: World
  readonly #player: Player
  readonly #model = new Model()
  #step = 0
  #command = 'the beginning'

  constructor({ seed, steps, tally, decide = realDecide }: Simulation) {
    this.#seed = seed
    this.#steps = steps
    this.#tally = tally
    this.#decide = decide
    this.#dice = new SeededRandom(seed)
    this.#world = new World(this.#dice)
    this.#player = new Player(this.#dice, this.#world)
    for (const { id, client_id } of this.#world.accounts.values()) this.#model.open(id, client_id)
  }

  play(): void {
    try {
      this.#bringMoney()
      while (this.#step < this.#steps) {
        this.#turnClock()
        if (this.#dice.chance(0.06)) this.#act()
        else this.#runBatch(this.#commands())
      }
      this.#checkReplay()
    } catch (error) {
      throw new SimulationFailure({ seed: this.#seed, step: this.#step, command: this.#command, cause: error as Error })
    }
  }

  /** Whoever knows only the events comes to the same balances. */
  #checkReplay(): void {
    const replayed = this.#world.replay.balances()
    for (const { id, current, reserved } of this.#world.accounts.values()) {
      if (this.#isAmbiguous(id)) continue
      const events = replayed.get(id) ?? { current: 0n, reserved: 0n }
      insist(events.current === current && events.reserved === reserved, 'events lead to the balances:', id, events, { current, reserved })
    }
  }

  /**
   * Whether an adjustment took money from an account although its parent was frozen later. The events do not say in which order the two
   * happened, so to a follower it looks like a way out of suspense.
   */
  #isAmbiguous(account_id: string): boolean {
    return [...this.#world.transfers.values()].some(({ venture_id, id, transfer_type, direction, status, parent_transaction_id }) => {
      if (transfer_type !== 'ADJUSTMENT' || direction !== 'OUTBOUND' || status !== 'COMPLETED') return false
      const parent = this.#world.transfers.get(parent_transaction_id ?? '')
      const tookFromAccount = this.#world.entries.some((entry) => entry.cause_id === id && entry.account_id === account_id)
      return parent?.venture_id === venture_id && parent.status === 'AML_REJECTED' && parent.received && tookFromAccount
    })
  }

  /** Without money everything would be refused. */
  #bringMoney(): void {
    for (const account of this.#world.accounts.values()) {
      if (account.status !== 'ACTIVE' || this.#dice.chance(0.25)) continue
      const command = this.#player.deposit(account)
      this.#runBatch([command])
      for (const status of ['REVIEW', 'MANUAL_ACTION', 'COMPLETED'] as const) {
        const transfer = this.#world.transfers.get(command.id)
        if (transfer !== undefined) this.#runBatch([this.#player.moveOf(transfer, status)])
      }
    }
  }

  #turnClock(): void {
    const day_ms = 86_400_000
    const roll = this.#dice.next()
    // Days pass; sometimes another instance's clock is behind, or its commands have waited.
    const later = roll < 0.02 ? day_ms * (1 + this.#dice.below(9)) : roll < 0.04 ? -this.#dice.below(day_ms) : this.#dice.below(60_000)
    this.#world.now = new Date(this.#world.now.getTime() + later)
  }

  #commands(): OrderedCommand[] {
    const size = this.#dice.chance(0.4) ? 1 : 1 + this.#dice.below(6)
    return Array.from({ length: size }, () => {
      const roll = this.#dice.next()
      const command = roll < 0.7 ? this.#player.move() : roll < 0.75 ? this.#player.annotate() : undefined
      return command ?? this.#player.create()
    })
  }

  /** Decides commands together, as a batch, and checks everything after each of them. */
  #runBatch(commands: readonly OrderedCommand[]): void {
    const loaded = this.#world.load(commands)
    for (const command of commands) {
      this.#step++
      this.#command = text(command)
      this.#world.passOn(loaded, command, this.#attempt(loaded, command))
      this.#check(loaded)
    }
    this.#world.write(loaded)
    this.#check(undefined)
  }

  #attempt(loaded: Loaded, command: OrderedCommand): Transfer | Refusal {
    const { batch } = loaded
    const before = pictureOf(loaded)
    const [made, told] = [batch.newTransfers.length, batch.newEvents.length]
    const result = batch.attempt(() => this.#decide(batch, bank, command))
    const kind = command.kind === 'create' ? 'create' : command.update.status === undefined ? 'annotate' : 'move'
    this.#tally.count(kind, result instanceof Refusal ? result.code : 'done')
    const reserved = this.#isReserved(command)
    const undecided = this.#needsCase(command)
    if (result instanceof Refusal) {
      insist(pictureOf(loaded) === before, 'a refused command changes nothing')
      insist(this.#isJustified(command, result, loaded), 'a refusal has its reason:', result.code, result.message)
      return result
    }
    insist(!reserved, 'what is reserved is refused:', command.actor)
    insist(!undecided, 'money that arrived waits and goes on only with its case')
    this.#tally.see(result)
    const returned = batch.newEvents.slice(told).flatMap(({ type, object }) => (type === 'transfer.returned' ? [object.id] : []))
    if (returned.length > 0) this.#tally.notice('event transfer.returned')
    const overdrawn = batch.newEvents.slice(told).filter(({ type }) => type === 'account.overdrawn').length
    if (overdrawn > 0) this.#tally.notice('event account.overdrawn')
    const owed = this.#model.debtOn(result.account_id)
    this.#note(command, result, { made: batch.newTransfers.slice(made), returned })
    const accounts = batch.newTransfers.slice(made).map(({ account_id }) => account_id)
    const grown = this.#model.settleDebts([...new Set([result.account_id, ...accounts])], command.forced === true)
    insist(grown === overdrawn > 0, 'an account that falls into debt says so:', grown, overdrawn)
    if (owed > 0n && result.status === 'COMPLETED' && result.direction === 'OUTBOUND') this.#tally.notice('completed in debt')
    if (owed > 0n && this.#model.debtOn(result.account_id) === 0n) this.#tally.notice('repaid')
    return result
  }

  /** Passes accepted commands to the model, and compares what the service recorded by itself with what the model expects. */
  #note(
    command: OrderedCommand,
    transfer: Transfer,
    { made, returned }: { made: readonly TransferRow[]; returned: readonly string[] },
  ): void {
    if (command.kind === 'create') {
      const [row, ...records] = made
      const steps = command.steps === undefined || command.steps === 'to completion' ? [] : command.steps
      insist(row?.id === command.id, 'a create makes its transfer')
      const { objections, method } = this.#opinionOf(command)
      const exempt = this.#isExempt(command)
      insist(row.exempt === exempt, "only what the bank's side books is exempt:", row.exempt, exempt)
      insist(objections.size === 0, 'an accepted order has no fault:', [...objections])
      insist(transfer.method === method, 'a transfer has the method of the design:', transfer.method, method)
      insist(transfer.is_instant === (method === 'INST'), 'a transfer is instant over INST only')
      const byBank = boundOf({ ...command, approved: false }) !== 'venture'
      const rateUntil = this.#requireQuote(command, transfer)
      const hasFee = fromNumeric(transfer.fx_fee_amount ?? '0') > 0n
      insist(!hasFee || transfer.debit_currency !== transfer.credit_currency, 'an exchange fee needs an exchange')
      insist((row.receiver_account_id !== null) === method.endsWith('INTERNAL'), 'only an internal transfer has a receiver')
      this.#model.create({ ...transfer, status: 'CREATED' }, { ...row, exempt }, byBank, rateUntil)
      this.#follow(command, { transfer, statuses: steps, made: records, returned })
      return
    }
    const { status, signed_at } = command.update
    const latest = command.now.getTime() + 300_000
    insist(signed_at == null || Date.parse(signed_at) <= latest, 'nobody signs in the future:', signed_at)
    if (status === undefined) {
      insist(made.length === 0, 'a note about a transfer makes no other')
      return
    }
    insist(status !== 'SIGNED' || transfer.signed_at !== null, 'what is signed has a time')
    insist(status !== 'SIGNED' || this.#isSignable(command.transfer_id), 'the bank is given a signature only when it waits for one')
    this.#follow(command, { transfer, statuses: [status], made, returned })
  }

  /** Passes moves to the model, and compares what the service recorded by itself because of them. */
  #follow(
    command: OrderedCommand,
    {
      transfer,
      statuses,
      made,
      returned,
    }: { transfer: Transfer; statuses: readonly TransferStatus[]; made: readonly TransferRow[] } & {
      returned: readonly string[]
    },
  ): void {
    const byBank = boundOf({ ...command, approved: false }) !== 'venture'
    const consequences = statuses.map((status) => {
      insist(!this.#isIdle(transfer.id, status), 'nothing of a disabled venture is processed:', status)
      const reached = this.#reach(transfer.id, status, command.now)
      // An authorisation whose hold is used up goes on to COMPLETED by itself.
      const stands = status !== statuses.at(-1) || transfer.status === reached || (reached === status && transfer.status === 'COMPLETED')
      insist(stands, 'a rate that has expired ends the transfer:', transfer.status, reached)
      return this.#model.move(transfer.id, reached, command.now.toISOString(), byBank)
    })
    const expected = consequences.flatMap(({ records }) => records)
    const announced = consequences.flatMap((each) => each.returned)
    insist(text(returned) === text(announced), 'a transfer that was returned in full says so:', returned, announced)
    this.#requireWithinLimits(transfer, command.now)
    const summary = ({ account_id, direction, transfer_type, parent_transaction_id }: Expected) =>
      text({ account_id, direction, transfer_type, parent_transaction_id })
    insist(text(made.map(summary)) === text(expected.map(summary)), 'the service records what it should:', made.map(summary), expected)
    for (const row of made) {
      insist(row.unique_reference === row.id, 'a record of the service has its own id as its reference')
      this.#model.record({ ...row }, row.venture_id)
    }
  }

  /** A transfer whose rate has expired is not reserved: it ends, if need be by way of TO_RESERVE. */
  #reach(id: string, status: TransferStatus, now: Date): TransferStatus {
    const { status: from, rateUntil, before_hold } = this.#model.get(id)
    if (status !== 'RESERVED' || rateUntil === undefined || now.getTime() <= rateUntil || before_hold === 'RESERVED') return status
    this.#tally.notice('an expired rate')
    if (from === 'SIGNED' || from === 'AML_APPROVED') this.#model.move(id, 'TO_RESERVE', now.toISOString())
    return 'REJECTED'
  }

  /** Whether a transfer waits for its signature, or belongs to a venture that processes its transfers itself. */
  #isSignable(id: string): boolean {
    const { transfer, status, before_hold } = this.#model.get(id)
    const isManaged = this.#world.accounts.get(transfer.account_id)?.managed === true
    return !isManaged || status === 'TO_SIGN' || before_hold === 'SIGNED'
  }

  /** Whether a disabled venture keeps a transfer from being processed. */
  #isIdle(id: string, to: TransferStatus): boolean {
    const { transfer, status, sent, before_hold, orderedByBank, exempt } = this.#model.get(id)
    const { managed, venture_active } = this.#world.accounts.get(transfer.account_id) ?? { managed: false, venture_active: true }
    if (!managed || venture_active || sent || (status === 'ON_HOLD' && before_hold === to)) return false
    if (/^(CARD|FEE|ADJ|CCY|FX)/.test(transfer.transfer_type) || (orderedByBank && transfer.direction === 'OUTBOUND')) return false
    // What has come back is a fact.
    if (exempt && transfer.parent_transaction_id !== null) return false
    if (to === 'READY_TO_CLEAR' && /PACK/.test(status)) return false
    return /SIGN|RESERVE|SCREENING|SCANNING|AML_APPROVED|READY_TO_CLEAR|PACK|SENT|ACCEPTED|COMPLETED/.test(to)
  }

  /** Whether a command moves what only a case moves. Nobody decides cases here. */
  #needsCase(command: OrderedCommand): boolean {
    const noted = command.kind === 'update' ? this.#model.noted.get(command.transfer_id) : undefined
    const to = command.kind === 'update' ? command.update.status : undefined
    return noted !== undefined && to !== undefined && needsCase(noted, to)
  }

  /** Whether a command is reserved from whoever sends it. */
  #isReserved(command: OrderedCommand): boolean {
    const bound = boundOf(command)
    if (command.kind === 'create') {
      const scene = this.#sceneOf(command)
      return bound !== undefined && scene?.account.managed === true && isOrderReserved(scene, command.now.toISOString().slice(0, 10))
    }
    const noted = this.#model.noted.get(command.transfer_id)
    const isManaged = noted?.venture_id === command.venture_id && this.#world.accounts.get(noted.transfer.account_id)?.managed === true
    return bound !== undefined && isManaged && isUpdateReserved(noted, command.update, bound, this.#model.isFrozen(noted))
  }

  /** Checks that a transfer has the bank's rate and fee, if it needs them, and returns until when they hold. */
  #requireQuote(command: OrderedCommand & { kind: 'create' }, transfer: Transfer): number | undefined {
    const { method, exchange_rate, fx_fee_amount, debit_amount, credit_amount, credit_currency } = transfer
    const scene = this.#sceneOf(command)
    const quote = scene === undefined ? undefined : quoteOf(scene, method.endsWith('INTERNAL'))
    insist(quote !== 'missing', 'a transfer in two currencies has a rate')
    if (quote === undefined) return undefined
    insist(exchange_rate === quote.rate, "a transfer has the bank's rate:", exchange_rate, quote.rate)
    insist(fromNumeric(fx_fee_amount ?? '0') === quote.fee, "a transfer has the bank's fee:", fx_fee_amount, quote.fee)
    const worth = exchanged(fromNumeric(debit_amount), quote.rate, credit_currency, 'down')
    insist(fromNumeric(credit_amount) === worth, 'the bank rounds down at its own rate:', credit_amount, worth)
    this.#tally.notice("the bank's rate")
    return command.now.getTime() + rateHold_s * 1000
  }

  #requireWithinLimits({ account_id }: Transfer, now: Date): void {
    const account = this.#world.accounts.get(account_id)
    insist(account !== undefined, 'a transfer has an account')
    for (const [limit, days] of limitsOf(account, this.#model.dayOf(account_id, now.toISOString()))) {
      const used = this.#model.usedOn(account_id, days)
      insist(limit === null || used <= limit, 'what counts stays within the limits:', used, limit)
    }
  }

  /** What the bank's side books because it has happened: a child of a known transfer, or whatever is forced. */
  #isExempt(command: OrderedCommand & { kind: 'create' }): boolean {
    const { account_id, transfer_type, parent_transaction_id } = command.order
    if (this.#world.accounts.get(account_id)?.managed !== true || boundOf(command) !== undefined) return false
    const isChild = /RETURN|REVERSAL|CANCELLATION|CARD_CLEARING/.test(transfer_type ?? '') && parent_transaction_id != null
    return command.forced === true || isChild
  }

  /** What a reader of the design says about an order, with what the model knows. */
  #opinionOf(command: OrderedCommand & { kind: 'create' }): Opinion {
    const scene = this.#sceneOf(command)
    return scene === undefined ? { objections: new Set(), method: undefined } : opinionOf(scene)
  }

  #sceneOf(command: OrderedCommand & { kind: 'create' }): Scene | undefined {
    const { order, venture_id } = command
    const account = this.#world.accounts.get(order.account_id)
    if (account?.venture_id !== venture_id) return undefined
    const known = this.#world.beneficiaries.get(order.beneficiary_id ?? '')
    const beneficiary = known?.client_id === account.client_id ? known : undefined
    const noted = this.#model.noted.get(order.parent_transaction_id ?? '')
    const parent = noted?.venture_id === venture_id ? noted : undefined
    const receiver = this.#world.accounts.get(beneficiary?.receiver_account_id ?? '')
    const exempt = this.#isExempt(command)
    const isFirm = (child: Noted) => child.sent || child.received || child.status === 'COMPLETED' || child.orderedByBank || child.exempt
    const children = parent === undefined ? [] : this.#model.childrenOf(parent)
    const siblings = exempt ? children.filter(isFirm) : children
    return { order, account, beneficiary, receiver, parent, siblings, exempt }
  }

  /** Whether a debit of this amount would exceed a limit. */
  #exceedsLimit(account: BatchAccount | undefined, amount: Money, now: Date): boolean {
    return (
      account !== undefined &&
      limitsOf(account, this.#model.dayOf(account.id, now.toISOString())).some(
        ([limit, days]) => limit !== null && this.#model.usedOn(account.id, days) + amount > limit,
      )
    )
  }

  /** Whether the model would refuse for the same reason, as far as it models that reason. */
  #isJustified(command: OrderedCommand, { code }: Refusal, loaded: Loaded): boolean {
    const reason = command.kind === 'create' ? this.#reasonsOfCreate(command, loaded)[code] : this.#reasonsOfMove(command, loaded)[code]
    return reason === undefined || reason()
  }

  #reasonsOfCreate(command: OrderedCommand & { kind: 'create' }, { claims }: Loaded): Reasons {
    const { order, venture_id, id, now } = command
    const { objections } = this.#opinionOf(command)
    const account = this.#world.accounts.get(order.account_id)
    const exempt = this.#isExempt(command)
    return {
      ...this.#reservation(command),
      insufficient_funds: () => !command.forced,
      account_not_found: () => account?.venture_id !== venture_id,
      rate_missing: () => {
        const scene = this.#sceneOf(command)
        return scene !== undefined && [true, false].some((internal) => quoteOf(scene, internal) === 'missing')
      },
      account_not_active: () => account?.status !== 'ACTIVE' && !(exempt && account?.status === 'SUSPENDED'),
      client_blocked: () =>
        !exempt &&
        (this.#model.isBarred(order.account_id) ||
          this.#model.isBarred(this.#world.beneficiaries.get(order.beneficiary_id ?? '')?.receiver_account_id ?? null)),
      unique_reference_used: () => ![undefined, id].includes(claims.get(order.unique_reference)?.transfer_id),
      limit_exceeded: () => !exempt && this.#exceedsLimit(account, fromNumeric(order.debit_amount ?? order.credit_amount ?? '0'), now),
      ...Object.fromEntries(explained.map((code) => [code, () => objections.has(code)])),
    }
  }

  #reservation(command: OrderedCommand): Reasons {
    const bound = boundOf(command)
    return {
      reserved_to_bank: () => bound !== undefined && codeOf[bound] === 'reserved_to_bank' && this.#isReserved(command),
      approval_required: () => bound !== undefined && codeOf[bound] === 'approval_required' && this.#isReserved(command),
    }
  }

  #reasonsOfMove(command: OrderedCommand & { kind: 'update' }, loaded: Loaded): Reasons {
    const { venture_id, transfer_id, update, now, forced } = command
    const { status, signed_at } = update
    const noted = this.#model.noted.get(transfer_id)
    const invalid_request = () => signed_at != null && Date.parse(signed_at) > now.getTime() + 300_000
    const reservation = this.#reservation(command)
    if (noted === undefined || status === undefined) return { ...reservation, invalid_request }
    const { account_id } = noted.transfer
    const available = () => (this.#model.balances().get(account_id) ?? 0n) - this.#model.reservedOn(account_id)
    const closed = (id: string | null) => loaded.accounts.some((account) => account.id === id && account.status === 'CLOSED')
    return {
      ...reservation,
      invalid_request,
      venture_disabled: () => this.#isIdle(transfer_id, status),
      limit_exceeded: () => this.#exceedsLimit(this.#world.accounts.get(account_id), this.#model.countedAbove(noted), now),
      transfer_not_found: () => noted.venture_id !== venture_id,
      decided_by_case: () => this.#needsCase(command),
      transfer_terminal: () => isTerminal(noted.status),
      transfer_transition_not_allowed: () =>
        status !== noted.before_hold && !flowVariantOf(noted.transfer).next[noted.status].includes(status),
      // What the scheme has settled is not refused: neither a forced debit, nor the end of a transfer that holds its money.
      insufficient_funds: () => !forced && noted.hold === 0n && available() < this.#model.neededFor(noted),
      account_closed: () => closed(account_id) || closed(noted.receiver_account_id),
      client_blocked: () => this.#model.isStopped(noted, status),
      account_frozen: () => this.#model.isHalted(noted, status),
      not_cleared: () => noted.hold > 0n || !noted.held,
      signature_not_requested: () => status === 'SIGNED' && !this.#isSignable(transfer_id),
    }
  }

  /** Changes an account or a client between two batches. */
  #act(): void {
    this.#step++
    const roll = this.#dice.next()
    if (roll < 0.3) this.#actOnClient()
    else if (roll < 0.4) this.#actOnVenture()
    else this.#actOnAccount()
  }

  #actOnAccount(): void {
    // More often activated than suspended, or soon every command would be refused.
    const action = this.#dice.pick(['activate', 'activate', 'activate', 'freeze', 'close'] as const)
    const { from, to } = accountActions[action]
    const isEmpty = ({ current, reserved }: BatchAccount) => current === 0n && reserved === 0n
    const accounts = [...this.#world.accounts.values()]
    const empty = accounts.filter(isEmpty)
    const account = this.#dice.pick(action === 'close' && empty.length > 0 && this.#dice.chance(0.7) ? empty : accounts)
    this.#command = `${action} the account ${account.id}`
    const allowed = from.includes(account.status) && (to !== 'CLOSED' || isEmpty(account))
    this.#tally.count(action, allowed ? 'done' : 'refused')
    if (!allowed) return
    account.status = to
    // Some of the freezes in ventures for which the bank processes are the bank's own.
    account.frozen_by_bank = action === 'freeze' && account.managed && this.#dice.chance(0.5)
    this.#model.freeze(account.id, account.frozen_by_bank)
  }

  /** The bank disables a venture, or enables it again, mostly the latter. */
  #actOnVenture(): void {
    // The others process their own transfers, and with their key disabled they could not.
    const { venture_id } = this.#dice.pick([...this.#world.accounts.values()].filter(({ managed }) => managed))
    const venture_active = this.#dice.chance(0.6)
    for (const account of this.#world.accountsOf(venture_id)) account.venture_active = venture_active
    this.#command = `${venture_active ? 'enable' : 'disable'} the venture ${venture_id}`
    this.#tally.count(venture_active ? 'enable' : 'disable', 'done')
  }

  #actOnClient(): void {
    const client = this.#dice.pick([...this.#world.clients.values()])
    // More often freed than not, or soon every command would be refused.
    const action = this.#dice.pick(['block', 'blacklist', 'decline', 'free', 'free', 'free', 'free'] as const)
    client.blocked = action === 'block'
    client.is_blacklisted = action === 'blacklist'
    client.kyc_status = action === 'decline' ? 'DECLINED' : 'VALIDATED'
    this.#model.bar(client.id, action !== 'free')
    this.#command = `${action} the client ${client.id}`
    this.#tally.count(action, 'done')
  }

  /** Compares rows, entries and model: in the middle of a batch over its rows, after it over all. */
  #check(loaded: Loaded | undefined): void {
    const entries = loaded === undefined ? this.#world.entries : [...this.#world.entries, ...loaded.batch.newEntries]
    const balances = balancesOf(entries)
    const expected = this.#model.balances()
    for (const account of new Set([...balances.keys(), ...expected.keys()])) {
      const [booked = 0n, modelled = 0n] = [balances.get(account), expected.get(account)]
      insist(booked === modelled, 'entries are what the model says:', account, 'has', booked, 'and not', modelled)
    }
    const transfers = loaded === undefined ? this.#world.transfers.values() : [...loaded.transfers, ...loaded.batch.newTransfers]
    for (const row of transfers) this.#checkTransfer(row)
    const accounts = loaded === undefined ? this.#world.accounts.values() : loaded.accounts
    for (const row of accounts) this.#checkAccount(row, balances.get(row.id) ?? 0n)
    if (loaded === undefined) this.#checkSums(balances)
  }

  #checkTransfer(row: TransferRow): void {
    const { id, status, on_hold_from, hold, suspended, sequence } = row
    const noted = this.#model.get(id)
    insist(status === noted.status, 'a transfer has the status of the model:', status, noted.status)
    insist(on_hold_from === noted.before_hold, 'a transfer on hold knows where it was:', on_hold_from, noted.before_hold)
    insist(row.on_hold_by_bank === noted.heldByBank, 'a transfer on hold knows who put it there:', row.on_hold_by_bank)
    insist(row.ordered_by_bank === noted.orderedByBank, 'a transfer knows who ordered it:', row.ordered_by_bank)
    insist(hold === noted.hold, 'a transfer holds what the model says:', hold, noted.hold)
    insist(suspended === noted.suspended, 'a transfer has in suspense what the model says:', suspended, noted.suspended)
    insist(hold === 0n || !isTerminal(status), 'a transfer that has ended holds nothing')
    insist(suspended === 0n || !isTerminal(status) || status === 'AML_REJECTED', 'money that is not frozen does not stay in suspense')
    insist(sequence > 0, 'a transfer counts its events')
  }

  #checkAccount(account: BatchAccount, booked: Money): void {
    const { id, current, reserved, debt } = account
    const held = this.#model.reservedOn(id)
    insist(current === booked, 'current is the sum of the entries:', current, booked)
    insist(reserved === held, 'reserved is the sum of the holds:', reserved, held)
    insist(reserved >= 0n && debt === this.#model.debtOn(id), 'debt is what is missing:', current, reserved, debt)
    const used = [account.used_day, account.used_month, account.used_year]
    const expected = limitsOf(account, account.used_on).map(([, days]) => this.#model.usedOn(id, days))
    insist(text(used) === text(expected), 'what counts against the limits is what the model says:', used, expected)
  }

  /** Over all rows of the world: invariants that the model does not need for its own books. */
  #checkSums(balances: ReadonlyMap<string, Money>): void {
    const holds = new Map<string, Money>()
    const suspended = new Map<string, Money>()
    for (const row of this.#world.transfers.values()) {
      const suspense = `${row.venture_id}/suspense:${row.debit_currency}`
      holds.set(row.account_id, (holds.get(row.account_id) ?? 0n) + row.hold)
      suspended.set(suspense, (suspended.get(suspense) ?? 0n) + row.suspended)
      insist(row.sequence === this.#world.events.get(row.id), 'a transfer has as many events as it counted')
    }
    for (const { id, reserved, debt } of this.#world.accounts.values()) {
      insist(reserved === (holds.get(id) ?? 0n), 'reserved is the sum of holds')
      insist(debt === (this.#world.debts.get(id) ?? 0n), 'debt is the sum of what the moves recorded')
    }
    for (const [account, amount] of suspended)
      insist((balances.get(account) ?? 0n) === amount, 'suspense is what the transfers have there:', account, amount)
  }
}

/** The statuses of an account, as far as transfers depend on them. */
const accountActions: Record<'activate' | 'freeze' | 'close', { from: BatchAccount['status'][]; to: BatchAccount['status'] }> = {
  activate: { from: ['PENDING', 'SUSPENDED'], to: 'ACTIVE' },
  freeze: { from: ['ACTIVE'], to: 'SUSPENDED' },
  close: { from: ['ACTIVE', 'SUSPENDED'], to: 'CLOSED' },
}

type Reasons = Partial<Record<RefusalCode, () => boolean>>

/** Each limit of an account with the days to which it applies. */
function limitsOf({ daily_limit, monthly_limit, yearly_limit }: BatchAccount, day: string): [Money | null, string][] {
  return [
    [daily_limit, day],
    [monthly_limit, day.slice(0, 7)],
    [yearly_limit, day.slice(0, 4)],
  ]
}

/** Everything that a command could change, as one text. */
function pictureOf({ batch, accounts, transfers, children }: Loaded): string {
  const { changedAccounts, changedTransfers, newTransfers, newMoves, newEntries, newEvents } = batch
  const ids = (rows: Iterable<{ id: string }>) => [...rows].map(({ id }) => id)
  const families = transfers.map((parent) => ids(batch.childrenOf(parent)))
  return text([
    ...[accounts, transfers, children, newTransfers, newMoves, newEntries, newEvents, families],
    ...[ids(changedAccounts), ids(changedTransfers), [...batch.overdrawnAccounts]],
  ])
}

/** Adds entries up from the first one, and checks that journals balance and that entries have the right running balance. */
function balancesOf(entries: readonly Entry[]): Map<string, Money> {
  const balances = new Map<string, Money>()
  const journals = new Map<string, Money>()
  for (const entry of entries) {
    const { amount, balance, account, journal } = read(entry)
    const sum = (balances.get(account) ?? 0n) + amount
    balances.set(account, sum)
    journals.set(journal, (journals.get(journal) ?? 0n) + amount)
    insist(balance === null || balance === sum, 'an entry tells the balance after it:', entry, sum)
  }
  for (const [journal, sum] of journals) insist(sum === 0n, 'a journal sums to zero in each currency:', journal, sum)
  return balances
}

type Reading = { amount: Money; balance: Money | null; account: string; journal: string }

const readings = new WeakMap<Entry, Reading>()

/** Entries never change, so each is read once. */
function read(entry: Entry): Reading {
  const known = readings.get(entry)
  if (known !== undefined) return known
  const { venture_id, account_id, system_account, journal_id, currency, amount, balance } = entry
  const reading = {
    amount: fromNumeric(amount),
    balance: balance === null ? null : fromNumeric(balance),
    account: account_id ?? `${venture_id}/${system_account}`,
    journal: `${journal_id} ${currency}`,
  }
  readings.set(entry, reading)
  return reading
}
