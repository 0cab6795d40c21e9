// The bank's side that works by itself: the planner and the exchange of the service, over the rows of the simulation. Dice decide what lists,
// rules and other banks say about each transfer.
import { type Actor, theService } from '../../server/src/platform/actor.ts'
import { type Answer, handOver, isOutside, settle } from '../../server/src/processing/processing.exchange.ts'
import { advance, type CaseKind, type ScreeningOutcome, type Walk } from '../../server/src/processing/processing.planner.ts'
import { connector, situationOf, walkOf } from '../../server/src/processing/processing.worker.ts'
import { firstBook } from '../../server/src/schemes/schemes.ts'
import { Batch } from '../../server/src/transfers/deciding/transfers.batch.ts'
import type { UpdateCommand } from '../../server/src/transfers/deciding/transfers.commands.ts'
import { standingIn } from '../../server/src/transfers/deciding/transfers.standing.ts'
import type { TransferRow } from '../../server/src/transfers/life/transfers.columns.ts'
import { isTerminal } from '../../server/src/transfers/life/transfers.status.ts'
import type { SeededRandom } from '../../server/src/values/seeded-random.ts'
import { insist, type World } from './simulation.world.ts'

type Advance = typeof advance

/** What happens to a transfer outside the bank. */
type Fate = { screening: ScreeningOutcome; rule: boolean; answers: readonly (Answer['status'] | undefined)[]; asked: number }

/** The answers of other banks, in order; the last one repeats. */
const courses: readonly Fate['answers'][] = [
  ['COMPLETED'],
  ['COMPLETED'],
  [undefined, 'ACCEPTED', undefined, 'COMPLETED'],
  ['REJECTED'],
  ['ACCEPTED', 'REJECTED'],
  [undefined],
]

export type Policy = { review_above: string | null; funds_wait_h: number }

/** A command of the bank's side, with the walk that it takes. */
export type Planned = { command: UpdateCommand; walk: Walk }

export class Processor {
  readonly #dice: SeededRandom
  readonly #world: World
  readonly #advance: Advance
  readonly #fates = new Map<string, Fate>()
  readonly policy: Policy
  /** The kind of the last case of each transfer. */
  readonly cases = new Map<string, CaseKind>()
  /** Whether the lists are loaded. */
  loaded = true

  constructor(dice: SeededRandom, world: World, plan: Advance = advance) {
    this.#dice = dice
    this.#world = world
    this.#advance = plan
    this.policy = { review_above: dice.pick([null, '40', '70']), funds_wait_h: dice.pick([0, 24, 24]) }
  }

  /** What the bank's side does now, oldest transfers first. */
  plan(): Planned[] {
    const { now } = this.#world
    return this.#planned().flatMap(({ transfer, walk, actor }) => {
      insist(walk.steps.length > 0, 'a walk has steps:', transfer.id, transfer.status)
      return [{ walk, command: { kind: 'update' as const, ...walkOf(transfer, walk, actor), now } }]
    })
  }

  /** A walk was taken. */
  noteTaken({ command, walk }: Planned): void {
    if (walk.opens !== undefined) this.cases.set(command.transfer_id, walk.opens)
  }

  /** From now on lists and rules find nothing, and other banks confirm. */
  clearAll(): void {
    this.loaded = true
    for (const fate of this.#fates.values()) Object.assign(fate, { screening: 'CLEAR', rule: false, answers: ['COMPLETED'], asked: 0 })
  }

  /** Whether the other bank has given its last answer about a transfer. */
  isSilent(transfer_id: string): boolean {
    const { answers, asked } = this.#fateOf(transfer_id)
    const last = answers.at(-1)
    return asked >= answers.length && (last === undefined || last === 'ACCEPTED')
  }

  #planned(): { transfer: TransferRow; walk: Walk; actor: Actor }[] {
    const rows = [...this.#world.transfers.values()]
    const batch = new Batch({
      accounts: [...this.#world.accounts.values()],
      transfers: rows,
      children: rows.filter(({ parent_transaction_id }) => parent_transaction_id !== null),
      clients: [...this.#world.clients.values()],
      beneficiaries: [],
      claims: new Map(),
    })
    return rows.flatMap((transfer) => {
      if (!transfer.managed || isTerminal(transfer.status)) return []
      const walk = isOutside(transfer) ? this.#answer(transfer) : this.#walkOf(batch, transfer)
      return walk === undefined ? [] : [{ transfer, walk, actor: isOutside(transfer) ? connector : theService }]
    })
  }

  #walkOf(batch: Batch, transfer: TransferRow): Walk | undefined {
    const standing = standingIn(batch, transfer)
    insist(standing !== undefined, 'a transfer has an account')
    const { rule, screening } = this.#fateOf(transfer.id)
    const known = situationOf(standing, this.policy, { book: firstBook, now: this.#world.now })
    const situation = { ...known, alert: rule ? ('rule' as const) : known.alert }
    const first = this.#advance(situation)
    const plan = first.kind === 'screen' ? this.#advance({ ...situation, screening: this.loaded ? screening : 'UNLOADED' }) : first
    insist(plan.kind !== 'screen', 'what is screened is not screened again')
    return plan.kind === 'walk' ? plan : handOver(situation)
  }

  #answer(transfer: TransferRow): Walk | undefined {
    const fate = this.#fateOf(transfer.id)
    const status = fate.answers[Math.min(fate.asked, fate.answers.length - 1)]
    fate.asked += 1
    if (status === undefined) return undefined
    return settle(
      transfer,
      status === 'REJECTED' ? { status, third_party_status: 'RJCT', reason_code: 'AC01' } : { status, third_party_status: 'ACSC' },
    )
  }

  #fateOf(id: string): Fate {
    const dice = this.#dice
    const known = this.#fates.get(id)
    if (known !== undefined) return known
    const screening = dice.chance(0.75) ? 'CLEAR' : dice.pick(['HIT', 'BLOCK'] as const)
    const fate: Fate = { screening, rule: dice.chance(0.1), answers: dice.pick(courses), asked: 0 }
    this.#fates.set(id, fate)
    return fate
  }
}
