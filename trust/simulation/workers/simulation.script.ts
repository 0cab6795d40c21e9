// A script of what happens around a venture whose transfers the bank processes: orders, money, people and other banks, in rounds. Between two
// rounds the bank works until it comes to rest. A script is played by the model, by one worker and by two, and must end in the same way.
//
// Workers that compete may carry out what is independent in any order. So a script has no order whose outcome depends on that: an account that
// can run out of money gets none from a transfer that the workers complete, reject or cancel.
import type { Answer } from '../../../server/src/processing/processing.exchange.ts'
import type { ScreeningOutcome } from '../../../server/src/processing/processing.planner.ts'
import type { TransferStatus } from '../../../server/src/transfers/life/transfers.status.ts'
import { SeededRandom } from '../../../server/src/values/seeded-random.ts'

/** The accounts of a script, with owners and balances. Only the first one pays inside the venture, and only `sink` receives there. */
export const accounts = [
  { name: 'rich', balance: '100000.00', client: 0 },
  { name: 'poor', balance: '100.00', client: 0 },
  { name: 'other', balance: '60.00', client: 1 },
  { name: 'sink', balance: undefined, client: 2 },
  { name: 'empty', balance: undefined, client: 3 },
] as const
const [rich, poor, other, sink, empty] = [0, 1, 2, 3, 4]
export const sinkAccount = sink

/** What lists say about a transfer, and what the other bank says in each round. */
export type Fate = { screening: ScreeningOutcome; answers: readonly (Answer['status'] | undefined)[] }

/** `order`: which of the orders and arrivals so far. */
export type Act =
  | { do: 'order'; account: number; inside: boolean; instant: boolean; amount: string; days: number | undefined; fate: Fate }
  | { do: 'arrive'; amount: string; fate: Fate }
  | { do: 'fund'; account: number; amount: string }
  | { do: 'move'; order: number; to: TransferStatus | 'back'; by: 'venture' | 'connector' }
  | { do: 'block' | 'free'; client: number }
  | { do: 'freeze' | 'unfreeze'; account: number }
  | { do: 'close'; account: number }

/** `loaded`: whether the lists are loaded. */
export type Round = { loaded: boolean; acts: readonly Act[] }

/** How many hours after the beginning each round takes place. Several scripts are played at the same time, so they share the clock. */
export const clock_h: readonly number[] = [1, 2, 3, 30, 31, 112, 113, 140]

export type Script = {
  seed: number
  /** `rule_above`: a rule of monitoring fires above this amount. */
  policy: { review_above: string | null; funds_wait_h: number; rule_above: string | null }
  rounds: readonly Round[]
}

const { length } = clock_h

export function scriptOf(seed: number): Script {
  const dice = new SeededRandom(seed)
  const policy = { review_above: dice.pick([null, '50']), funds_wait_h: dice.pick([0, 24, 24]), rule_above: dice.pick([null, null, '45']) }
  let orders = 0
  const rounds = Array.from({ length }, (_, number): Round => {
    const acts = Array.from({ length: 1 + dice.below(6) }, () => {
      const act = orders === 0 || dice.chance(0.45) ? newOrder(dice, number) : actOn(dice, orders)
      if (act.do === 'order' || act.do === 'arrive') orders += 1
      return act
    })
    return { loaded: dice.chance(0.8), acts }
  })
  return { seed, policy, rounds }
}

function newOrder(dice: SeededRandom, round: number): Act {
  const amount = `${1 + dice.below(70)}.${10 + dice.below(90)}`
  const account = dice.pick([rich, rich, rich, poor, poor, other, empty])
  const screening = dice.chance(0.7) ? 'CLEAR' : dice.pick(['HIT', 'BLOCK'] as const)
  const fate: Fate = { screening, answers: answersFrom(dice, round, account === rich) }
  if (dice.chance(0.15)) return { do: 'arrive', amount, fate }
  const days = dice.chance(0.3) ? 1 + dice.below(7) : undefined
  return { do: 'order', account, inside: account === rich && dice.chance(0.3), instant: dice.chance(0.4), amount, days, fate }
}

/** What is refused gives money back, so the accounts that can run out of it are not refused anything. */
function answersFrom(dice: SeededRandom, round: number, refusable: boolean): Fate['answers'] {
  const accepted = round + dice.below(3)
  const ended = accepted + dice.below(3)
  const end = dice.chance(0.15) ? 'ACCEPTED' : refusable && dice.chance(0.3) ? 'REJECTED' : 'COMPLETED'
  return Array.from({ length }, (_, now) => (now < accepted ? undefined : now < ended ? 'ACCEPTED' : end))
}

const moves: readonly Extract<Act, { do: 'move' }>['to'][] = [
  'AML_APPROVED',
  'AML_APPROVED',
  'AML_APPROVED',
  'AML_REJECTED',
  'TO_SIGN',
  'SIGNED',
  'ON_HOLD',
  'back',
  'back',
  'CANCELLED',
  'TO_CANCEL',
  'TO_RESEND',
  'MANUAL_ACTION',
]

function actOn(dice: SeededRandom, orders: number): Act {
  const roll = dice.next()
  if (roll < 0.1) return { do: 'fund', account: dice.pick([poor, other]), amount: `${20 + dice.below(60)}.00` }
  if (roll < 0.2) return { do: dice.pick(['block', 'free', 'free'] as const), client: dice.below(3) }
  if (roll < 0.3) return { do: dice.pick(['freeze', 'unfreeze', 'unfreeze'] as const), account: dice.below(accounts.length) }
  if (roll < 0.34) return { do: 'close', account: empty }
  const to = dice.pick(moves)
  return { do: 'move', order: dice.below(orders), to, by: to === 'back' || dice.chance(0.6) ? 'connector' : 'venture' }
}

/** A cancellation gives money back while the bank works, so it is for the account that cannot run out of money. */
export function isPlayed(act: Extract<Act, { do: 'move' }>, account: number): boolean {
  return act.to !== 'TO_CANCEL' || account === rich
}
