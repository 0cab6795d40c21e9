// The simulation: random commands run through the deciding code, in batches as in production but without a database, while an
// independent model keeps its own books. After every command the two must agree and every invariant must hold. A seed replays exactly.

import type { Entry } from '../../server/src/ledger/ledger.ts'
import type { advance } from '../../server/src/processing/processing.planner.ts'
import type { BatchAccount } from '../../server/src/transfers/deciding/transfers.batch.ts'
import type { OrderedCommand } from '../../server/src/transfers/deciding/transfers.commands.ts'
import { decide as realDecide } from '../../server/src/transfers/deciding/transfers.decide.ts'
import type { TransferRow } from '../../server/src/transfers/life/transfers.columns.ts'
import { flowOf, flowVariantOf } from '../../server/src/transfers/life/transfers.flows.ts'
import { blockOf } from '../../server/src/transfers/life/transfers.guards.ts'
import type { Transfer, TransferOrder } from '../../server/src/transfers/life/transfers.schemas.ts'
import {
  flows,
  isTerminal,
  type TransferStatus,
  terminalStatuses,
  transferMethods,
  transferTypes,
} from '../../server/src/transfers/life/transfers.status.ts'
import { fromNumeric, type Money } from '../../server/src/values/money.ts'
import { Refusal, type RefusalCode } from '../../server/src/values/refusals.ts'
import { SeededRandom } from '../../server/src/values/seeded-random.ts'
import { boundOf, codeOf, isOrderReserved, isTheirSignature, isUpdateReserved, needsCase } from './simulation.control.ts'
import { type Consequences, type Expected, isOver, isReceiving, Model, type Noted } from './simulation.model.ts'
import { exchanged, explained, type Opinion, opinionOf, quoteOf, type Scene } from './simulation.orders.ts'
import { Player } from './simulation.player.ts'
import { type Planned, Processor } from './simulation.processing.ts'
import { type Surroundings, waitsFor } from './simulation.waits.ts'
import { bank, insist, type Loaded, rateHold_s, text, World } from './simulation.world.ts'

type Decide = typeof realDecide

export type Simulation = {
  seed: number
  steps: number
  tally: Tally
  /** Replaces the real decision, to prove that the simulation notices. */
  decide?: Decide
  /** Replaces the planner, for the same reason. */
  advance?: typeof advance
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

/** What has occurred, as proof of coverage. */
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
      ...(['hit', 'rule', 'amount', 'suspended'] as const).map((kind) => `case ${kind}`),
      ...['AM04', 'AC04', 'client_blocked'].map((code) => `planned ${code}`),
      ...['a signature', 'a decision', 'money', 'its sending day', 'its due date', 'the lists', 'the other bank'].map(
        (who) => `waits for ${who}`,
      ),
      ...['the client to be unblocked', 'the account to be unfrozen', 'the venture to be enabled'].map((what) => `waits for ${what}`),
      ...['COMPLETED', 'REJECTED', 'CANCELLED'].map((status) => `answered ${status}`),
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
  readonly #processor: Processor
  readonly #isBanks: boolean
  readonly #model = new Model()
  /** The transfers whose last move was planned, with the code of that move. */
  readonly #planned = new Map<string, string | null>()
  /** Since when transfers are TO_RESERVE, or have been noted about since. */
  readonly #changed = new Map<string, number>()
  #step = 0
  /** Commands and acts that were not planned. */
  #played = 0
  #command = 'the beginning'

  constructor({ seed, steps, tally, decide = realDecide, advance }: Simulation) {
    this.#seed = seed
    this.#steps = steps
    this.#tally = tally
    this.#decide = decide
    this.#dice = new SeededRandom(seed)
    // With odd seeds most of the work is the bank's; with even ones everyone moves everything.
    this.#isBanks = seed % 2 === 1
    this.#world = new World(this.#dice, this.#isBanks ? [true, true, false] : [false, false, true])
    this.#player = new Player(this.#dice, this.#world, this.#isBanks ? 0.7 : 0)
    this.#processor = new Processor(this.#dice, this.#world, advance)
    for (const { id, client_id } of this.#world.accounts.values()) this.#model.open(id, client_id)
  }

  play(): void {
    try {
      this.#bringMoney()
      while (this.#played < this.#steps) {
        this.#turnClock()
        if (this.#dice.chance(this.#isBanks ? 0.1 : 0.06)) {
          this.#act()
          if (this.#isBanks && this.#dice.chance(0.4)) this.#processAll()
        } else if (this.#dice.chance(0.2)) this.#process()
        else if (this.#dice.chance(0.05)) this.#processAll()
        else this.#play(this.#commands())
      }
      this.#processAll()
      this.#endAll()
      this.#checkReplay()
    } catch (error) {
      throw new SimulationFailure({ seed: this.#seed, step: this.#step, command: this.#command, cause: error as Error })
    }
  }

  /** The events alone yield the same balances. */
  #checkReplay(): void {
    const replayed = this.#world.replay.balances()
    for (const { id, current, reserved, managed } of this.#world.accounts.values()) {
      if (this.#isAmbiguous(id)) continue
      const events = replayed.get(id) ?? { current: 0n, reserved: 0n }
      // A walk is one event, so a follower does not see every hold of a processed transfer.
      const sameHolds = events.reserved === reserved || managed
      insist(events.current === current && sameHolds, 'events lead to the balances:', id, events, { current, reserved })
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
      if (this.#isBanks && this.#dice.chance(0.25)) return this.#player.interfere() ?? this.#player.create()
      if (this.#isBanks && this.#dice.chance(0.4)) return this.#player.pay() ?? this.#player.create()
      const command = roll < 0.7 ? this.#player.move() : roll < 0.75 ? this.#player.annotate() : undefined
      return command ?? this.#player.create()
    })
  }

  #play(commands: readonly OrderedCommand[]): void {
    this.#played += commands.length
    this.#runBatch(commands)
  }

  /** Lets the bank's side take everything one walk further. Returns how many walks were taken. */
  #process(): number {
    const planned = this.#processor.plan()
    let done = 0
    const commands = new Map(planned.map((each) => [each.command as OrderedCommand, each]))
    this.#runBatch([...commands.keys()], (command, result) => {
      const each = commands.get(command) as Planned
      if (!(result instanceof Refusal)) {
        done += 1
        this.#noteTaken(each)
      } else insist(done > 0 && raced.includes(result.code), 'what is planned is carried out:', result.code, result.message)
    })
    return done
  }

  #noteTaken(planned: Planned): void {
    const { command, walk } = planned
    this.#processor.noteTaken(planned)
    this.#planned.set(command.transfer_id, walk.reason?.status_reason_code ?? null)
    if (walk.opens !== undefined) this.#tally.notice(`case ${walk.opens}`)
    if (walk.third_party_status !== undefined) this.#tally.notice(`answered ${walk.steps.at(-1)}`)
    else if (walk.reason?.status_reason_code != null) this.#tally.notice(`planned ${walk.reason.status_reason_code}`)
  }

  /** Lets the bank's side work until nothing is left, and requires that every open transfer waits for someone. */
  #processAll(): void {
    // A transfer is answered after a few questions, and makes a few walks.
    for (let round = 0, idle = 0; idle < 4; round++) {
      insist(round < 100, 'the bank comes to rest')
      idle = this.#process() > 0 ? 0 : idle + 1
    }
    for (const [id, noted] of this.#model.noted) {
      if (this.#world.transfers.get(id)?.managed !== true) continue
      this.#command = `the transfer ${text(this.#world.transfers.get(id))}`
      const who = waitsFor(noted, this.#surroundingsOf(id, noted))
      insist(who !== undefined, 'a transfer that has not ended waits for somebody:', noted.status, id)
      if (!isOver(noted.status)) this.#tally.notice(`waits for ${who}`)
    }
  }

  #surroundingsOf(id: string, noted: Noted): Surroundings {
    const { transfer, receiver_account_id, exempt } = noted
    const account = this.#world.accounts.get(transfer.account_id)
    insist(account !== undefined, 'a transfer has an account')
    return {
      now: this.#world.now,
      venture_active: account.venture_active,
      barred: !exempt && (this.#model.isBarred(transfer.account_id) || this.#model.isBarred(receiver_account_id)),
      frozen: this.#model.isFrozen(noted),
      available: (this.#model.balances().get(account.id) ?? 0n) - this.#model.reservedOn(account.id),
      cost: this.#model.neededFor(noted),
      waitingSince: this.#changed.get(id) ?? 0,
      funds_wait_h: this.#processor.policy.funds_wait_h,
      loaded: this.#processor.loaded,
      silent: this.#processor.isSilent(id),
      movedByOthers: !this.#planned.has(id),
      hasCase: this.#processor.cases.has(id),
      heldForBlock: this.#planned.get(id) === 'client_blocked',
    }
  }

  /** Everyone for whom a transfer may wait acts, until all transfers have ended. */
  #endAll(): void {
    this.#freeEverybody()
    for (let round = 0; ; round++) {
      const open = [...this.#world.transfers.values()].filter(({ managed, status }) => managed && !isTerminal(status))
      const planned = open.filter((row) => /^PAYMENT/.test(row.transfer_type) && row.method !== 'CARD')
      if (planned.length === 0) return
      insist(round < 60, 'every transfer ends:', planned.map(({ id, status }) => `${id} ${status}`).join(', '))
      for (const row of planned) this.#actOutside(row)
      // Longer than an order waits for money.
      this.#world.now = new Date(this.#world.now.getTime() + 25 * 3_600_000)
      this.#processAll()
    }
  }

  #freeEverybody(): void {
    this.#command = 'everybody is freed'
    for (const client of this.#world.clients.values()) {
      Object.assign(client, { blocked: false, is_blacklisted: false, kyc_status: 'VALIDATED' })
      this.#model.bar(client.id, { barred: false, sanctioned: false })
    }
    for (const account of this.#world.accounts.values()) {
      account.venture_active = true
      account.frozen_by_bank = false
      this.#model.freeze(account.id, false)
      if (account.status !== 'CLOSED') account.status = 'ACTIVE'
    }
    this.#processor.clearAll()
    // After the last settlement date.
    this.#world.now = new Date('2027-12-31T12:00:00Z')
  }

  /** The acts of people and other banks on a transfer that waits for them. */
  #actOutside({ id }: TransferRow): void {
    const row = this.#world.transfers.get(id)
    if (row === undefined || isTerminal(row.status)) return
    const noted = this.#model.get(id)
    const received = (isReceiving(noted) || (row.method === 'SDD' && row.direction === 'OUTBOUND')) && !row.received
    const goals: Partial<Record<TransferStatus, TransferStatus[]>> = {
      CREATED: received ? ['RECEIVED', 'REJECTED'] : [],
      TO_SIGN: ['SIGNED'],
      REVIEW: ['AML_APPROVED', 'AML_REJECTED', 'READY_FOR_SCREENING', 'MANUAL_ACTION'],
      ON_HOLD: row.on_hold_from === null ? [] : [row.on_hold_from],
      CREDIT_TECH_BALANCE: ['READY_FOR_SCREENING', 'COMPLETED'],
      TO_RETURN: ['REJECTED'],
      MANUAL_ACTION: [
        'READY_FOR_SCREENING',
        'TO_RETURN',
        'TO_CANCEL',
        'TO_RESERVE',
        'READY_TO_CLEAR',
        'COMPLETED',
        'REJECTED',
        'CANCELLED',
      ],
      SOME_PROBLEMS: ['COMPLETED', 'REJECTED', 'MANUAL_ACTION', 'TO_RESEND', 'TO_CANCEL', 'REVIEW'],
    }
    const standing = { ...circumstances, account_closed: this.#world.accounts.get(row.account_id)?.status === 'CLOSED' }
    const allowed = (goals[row.status] ?? []).filter((to) => blockOf(row, to, standing) === undefined)
    if (allowed.length === 0) return
    const status = this.#dice.pick(allowed)
    const update = { status, third_party_status: 'ACCC' }
    const by = { actor: { kind: 'connector', id: null } as const, with_case: true, now: this.#world.now }
    this.#runBatch([{ kind: 'update', venture_id: row.venture_id, transfer_id: id, update, ...by }])
  }

  /** Decides commands together, as a batch, and checks everything after each of them. */
  #runBatch(commands: readonly OrderedCommand[], then?: (command: OrderedCommand, result: Transfer | Refusal) => void): void {
    const loaded = this.#world.load(commands)
    for (const command of commands) {
      this.#step++
      this.#command = text(command)
      const result = this.#attempt(loaded, command, then !== undefined)
      this.#world.passOn(loaded, command, result)
      this.#check(loaded)
      then?.(command, result)
    }
    this.#world.write(loaded)
    this.#check(undefined)
  }

  #attempt(loaded: Loaded, command: OrderedCommand, isPlanned: boolean): Transfer | Refusal {
    const { batch } = loaded
    const before = pictureOf(loaded)
    const [made, told] = [batch.newTransfers.length, batch.newEvents.length]
    const result = batch.attempt(() => this.#decide(batch, bank, command))
    const kind = isPlanned ? 'walk' : command.kind === 'create' ? 'create' : command.update.status === undefined ? 'annotate' : 'move'
    this.#tally.count(kind, result instanceof Refusal ? result.code : 'done')
    const reserved = this.#isReserved(command)
    const undecided = this.#needsCase(command)
    if (result instanceof Refusal) {
      insist(pictureOf(loaded) === before, 'a refused command changes nothing')
      insist(isPlanned || this.#isJustified(command, result, loaded), 'a refusal has its reason:', result.code, result.message)
      return result
    }
    this.#planned.delete(result.id)
    this.#changed.set(result.id, Date.parse(result.updated_at))
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

  /** Passes accepted commands to the model, and compares the service's own records with the model's. */
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
    this.#follow(command, { transfer, statuses: [status, ...(command.steps ?? [])], made, returned })
  }

  /** Passes moves to the model, and compares the records that the service created because of them. */
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
    const consequences: Consequences[] = []
    for (const status of statuses) {
      insist(!this.#isIdle(transfer.id, status), 'nothing of a disabled venture is processed:', status)
      const reached = this.#reach(transfer.id, status, command.now)
      const isLast = reached !== status || status === statuses.at(-1)
      // An authorisation whose hold is used up moves to COMPLETED automatically.
      const stands = !isLast || transfer.status === reached || (reached === status && transfer.status === 'COMPLETED')
      insist(stands, 'a rate that has expired ends the transfer:', transfer.status, reached)
      consequences.push(this.#model.move(transfer.id, reached, command.now.toISOString(), byBank))
      if (reached !== status) break
    }
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

  /** A transfer with an expired rate is neither reserved nor released by a venture that held it: it ends, by the moves of the table. */
  #reach(id: string, status: TransferStatus, now: Date): TransferStatus {
    const { status: from, rateUntil, before_hold, heldByBank } = this.#model.get(id)
    if (rateUntil === undefined || now.getTime() <= rateUntil) return status
    const goesBack = from === 'ON_HOLD' && status === before_hold
    if (goesBack ? heldByBank : status !== 'RESERVED') return status
    this.#tally.notice(goesBack ? 'an expired rate after a hold' : 'an expired rate')
    const passes = from === 'SIGNED' || from === 'AML_APPROVED' || before_hold === 'TO_RESERVE' ? 'TO_RESERVE' : 'TO_CANCEL'
    if (goesBack || passes === 'TO_RESERVE') this.#model.move(id, passes, now.toISOString())
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
    // A return is a fact.
    if (exempt && transfer.parent_transaction_id !== null) return false
    if (to === 'READY_TO_CLEAR' && /PACK/.test(status)) return false
    return /SIGN|RESERVE|SCREENING|SCANNING|AML_APPROVED|READY_TO_CLEAR|PACK|SENT|ACCEPTED|COMPLETED/.test(to)
  }

  /** Whether a command moves what only a case moves, and has none. */
  #needsCase(command: OrderedCommand): boolean {
    if (command.kind === 'create' || command.with_case) return false
    const noted = this.#model.noted.get(command.transfer_id)
    const { status } = command.update
    const walk = status === undefined ? [] : [status, ...(command.steps ?? [])]
    return noted !== undefined && walk.some((to, index) => needsCase({ ...noted, status: walk[index - 1] ?? noted.status }, to))
  }

  /** Whether the caller may not send the command because it is reserved. */
  #isReserved(command: OrderedCommand): boolean {
    const bound = boundOf(command)
    if (command.kind === 'create') {
      const scene = this.#sceneOf(command)
      return bound !== undefined && scene?.account.managed === true && isOrderReserved(scene, command.now.toISOString().slice(0, 10), bound)
    }
    const noted = this.#model.noted.get(command.transfer_id)
    const isManaged = noted?.venture_id === command.venture_id && this.#world.accounts.get(noted.transfer.account_id)?.managed === true
    if (isManaged && isTheirSignature(noted, command.update.status, command)) return true
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
    const isFirm = (child: Noted) =>
      child.sent || child.received || child.status === 'COMPLETED' || (child.exempt && child.transfer.direction === 'INBOUND')
    const children = parent === undefined ? [] : this.#model.childrenOf(parent)
    const siblings = exempt ? children.filter(isFirm) : children
    const reports =
      command.actor.kind === 'connector' || command.actor.kind === 'service' || command.forced === true || command.door !== undefined
    const demanded = account.managed && !exempt && !reports && order.is_instant === true
    return { order, account, beneficiary, receiver, parent, siblings, exempt, demanded }
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
      account_not_active: () => account?.status !== 'ACTIVE' && !(exempt && account?.status !== 'CLOSED'),
      client_blocked: () =>
        [order.account_id, this.#world.beneficiaries.get(order.beneficiary_id ?? '')?.receiver_account_id ?? null].some((id) =>
          exempt ? paysSomebody(order) && this.#model.isSanctioned(id) : this.#model.isBarred(id),
        ),
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
      not_yours_to_sign: () => isTheirSignature(noted, status, command) && this.#isReserved(command),
      signature_not_requested: () => status === 'SIGNED' && !this.#isSignable(transfer_id),
    }
  }

  /** Changes an account or a client between two batches. */
  #act(): void {
    this.#step++
    this.#played++
    const roll = this.#dice.next()
    if (this.#isBanks && this.#dice.chance(0.4)) this.#getInTheWay()
    else if (roll < 0.3) this.#actOnClient()
    else if (roll < 0.33) this.#processor.loaded = !this.#processor.loaded
    else if (roll < 0.4) this.#actOnVenture()
    else this.#actOnAccount()
  }

  /** Something happens to the account, the client or the receiver of a transfer that the bank has not sent. */
  #getInTheWay(): void {
    const open = [...this.#world.transfers.values()].filter(({ managed, status, sent }) => managed && !sent && !isTerminal(status))
    if (open.length === 0) return
    const { account_id, receiver_account_id } = this.#dice.pick(open.slice(-12))
    const account = this.#world.accounts.get(this.#dice.chance(0.7) ? account_id : (receiver_account_id ?? account_id))
    insist(account !== undefined, 'a transfer has an account')
    const action = this.#dice.pick(['close', 'freeze', 'block', 'block'] as const)
    if (action === 'block') this.#block(account.client_id)
    else this.#change(account, action)
  }

  #block(client_id: string): void {
    const client = this.#world.clients.get(client_id)
    insist(client !== undefined, 'an account has a client')
    client.blocked = true
    this.#model.bar(client_id, { barred: true, sanctioned: client.is_blacklisted })
    this.#command = `block the client ${client_id}`
    this.#tally.count('block', 'done')
  }

  #actOnAccount(): void {
    // More often activated than suspended, or soon every command would be refused.
    const action = this.#dice.pick(['activate', 'activate', 'activate', 'freeze', 'close'] as const)
    const accounts = [...this.#world.accounts.values()]
    const empty = accounts.filter(isEmpty)
    const account = this.#dice.pick(action === 'close' && empty.length > 0 && this.#dice.chance(0.7) ? empty : accounts)
    this.#change(account, action)
  }

  #change(account: BatchAccount, action: keyof typeof accountActions): void {
    const { from, to } = accountActions[action]
    this.#command = `${action} the account ${account.id}`
    const allowed = from.includes(account.status) && (to !== 'CLOSED' || (isEmpty(account) && !this.#hasMoneyUnderWay(account)))
    this.#tally.count(action, allowed ? 'done' : 'refused')
    if (!allowed) return
    account.status = to
    // Some of the freezes in ventures for which the bank processes are the bank's own.
    account.frozen_by_bank = action === 'freeze' && account.managed && this.#dice.chance(0.5)
    this.#model.freeze(account.id, account.frozen_by_bank)
  }

  /** Whether the service refuses to close an account because its money may still arrive. Older versions did not, in ventures that they knew. */
  #hasMoneyUnderWay({ id, managed }: BatchAccount): boolean {
    const rows = [...this.#world.transfers.values()].filter(({ account_id }) => account_id === id)
    return managed && rows.some(({ suspended, sent, status }) => suspended > 0n || (sent && !isTerminal(status)))
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
    this.#model.bar(client.id, { barred: action !== 'free', sanctioned: action === 'blacklist' })
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
    insist(sequence > row.notes && row.notes >= 0, 'a transfer counts its events, and the notes among them:', sequence, row.notes)
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

/** Why a walk may be refused after another one of the same batch: it has taken the money, or changed the parent. */
const raced: readonly RefusalCode[] = ['resource_changed', 'insufficient_funds', 'parent_invalid']

const circumstances = {
  third_party_status_given: true,
  receiver_closed: false,
  client_blocked: false,
  account_frozen: false,
  uncleared: false,
  signed_on_request: false,
}

const isEmpty = ({ current, reserved }: BatchAccount): boolean => current === 0n && reserved === 0n

type Reasons = Partial<Record<RefusalCode, () => boolean>>

const paysSomebody = ({ transfer_type, beneficiary_id }: TransferOrder): boolean =>
  (transfer_type ?? 'PAYMENT') === 'PAYMENT' && beneficiary_id != null

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
    accounts,
    transfers,
    children,
    newTransfers,
    newMoves,
    newEntries,
    newEvents,
    families,
    ids(changedAccounts),
    ids(changedTransfers),
    [...batch.overdrawnAccounts],
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
