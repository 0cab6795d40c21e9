// Carries orders out as a careful client does: repeats what was refused, finds out about what is unknown, and writes it all down.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tally } from '../tally.ts'
import { type Book, type Order, paths, type Wish } from './book.ts'
import { type Caller, describe, type Reply } from './caller.ts'
import type { Random } from './random.ts'
import { cents } from './world.ts'

/** again: not done, and worth another try. declined: not done, and the order ends here. */
export type Judgement = 'again' | 'declined'

/** What an experiment knows about answers that would be a finding elsewhere. */
export type Judge = (reply: Reply & { kind: 'answer' }, order: Order, key: string) => Judgement | undefined

/** How long somebody asks about an outcome before they give up. */
const asking_ms = 60_000
/** How many of those who are told to come again later do. */
const persistence = 0.7

type Step = { order: Order; at: number }
type Verdict = 'done' | 'unknown' | Judgement

export class Orders {
  readonly #caller: Caller
  readonly #book: Book
  readonly #tally: Tally
  readonly #random: Random
  readonly #judge: Judge

  constructor(options: { caller: Caller; book: Book; tally: Tally; random: Random; judge?: Judge }) {
    this.#caller = options.caller
    this.#book = options.book
    this.#tally = options.tally
    this.#random = options.random
    this.#judge = options.judge ?? (() => undefined)
  }

  /** Takes an order as far along its path as it gets, or as `steps` says. */
  async carryOut(wish: Wish, steps = paths[wish.kind].length): Promise<Order> {
    const order = this.#book.add(wish)
    for (let at = 0; at < steps; at++) if (!(await this.take({ order, at }))) break
    return order
  }

  /** Takes one step, and tells whether it was done. */
  async take(step: Step): Promise<boolean> {
    for (;;) {
      const key = step.order.venture.api_key
      const reply = await this.#send(step, key)
      const verdict = this.#verdictOn(reply, step, key)
      if (verdict === 'done') return this.#acknowledge(step, reply)
      if (verdict === 'unknown') {
        this.#tally.unknown++
        return this.#findOut(step)
      }
      this.#tally.refused++
      if (verdict === 'declined' || !this.#random.chance(persistence)) return false
      await sleep(this.#random.integer(10, 60))
    }
  }

  #send({ order, at }: Step, key: string): Promise<Reply> {
    if (at === 0) return this.#caller.send({ method: 'POST', path: '/api/v1/transfers', key, body: wishOf(order) })
    const body = { status: paths[order.kind][at] }
    return this.#caller.send({ method: 'PUT', path: `/api/v1/transfers/${order.id}`, key, body })
  }

  #verdictOn(reply: Reply, { order, at }: Step, key: string): Verdict {
    if (reply.kind !== 'answer') return reply.kind === 'unsent' ? 'again' : 'unknown'
    if (reply.status < 300) return 'done'
    if (reply.status === 503) return reply.code === 'unavailable' ? 'again' : 'unknown'
    const judgement = this.#judge(reply, order, key)
    if (judgement !== undefined) return judgement
    if (reply.status < 500)
      this.#tally.broken.push(`${paths[order.kind][at]} of a ${order.kind} transfer was answered with ${describe(reply)}`)
    // A 500 is noted where it is received, and tells nothing about the outcome.
    return reply.status < 500 ? 'declined' : 'unknown'
  }

  #acknowledge({ order, at }: Step, reply: Reply): true {
    this.#tally.acknowledged++
    if (reply.kind === 'answer') order.id ??= reply.body.id
    order.done = at + 1
    return true
  }

  /** By asking, or by sending the same again: the reference, or the status, makes sure that it is not done twice. */
  async #findOut(step: Step): Promise<boolean> {
    const deadline = performance.now() + asking_ms
    while (performance.now() < deadline) {
      await sleep(this.#random.integer(5, 50))
      if (this.#random.chance(0.5) && (await this.#isThere(step))) return this.#foundDone(step)
      const key = step.order.venture.api_key
      const reply = await this.#send(step, key)
      if (reply.kind !== 'answer' || reply.status >= 500) continue
      if (reply.status < 300) {
        this.#tally.foundNotDone++
        return this.#acknowledge(step, reply)
      }
      if (await this.#isThere(step)) return this.#foundDone(step)
      const judgement = this.#judge(reply, step.order, key)
      if (judgement === 'again') continue
      if (judgement === undefined) this.#tally.broken.push(`repeating what was unknown was answered with ${describe(reply)}`)
      this.#tally.foundNotDone++
      return false
    }
    this.#tally.broken.push(`an outcome could not be found out in ${asking_ms / 1000} s`)
    step.order.open = true
    return false
  }

  #foundDone({ order, at }: Step): true {
    this.#tally.foundDone++
    order.done = at + 1
    return true
  }

  async #isThere({ order, at }: Step): Promise<boolean> {
    const { venture, reference, kind } = order
    const path = at === 0 ? `/api/v1/transfers?search=${reference}` : `/api/v1/transfers/${order.id}`
    const reply = await this.#caller.send({ method: 'GET', path, key: venture.api_key })
    if (reply.kind !== 'answer' || reply.status !== 200) return false
    if (at > 0) return reply.body.status === paths[kind][at]
    const [found] = (reply.body as { id: string; unique_reference: string }[]).filter(
      ({ unique_reference }) => unique_reference === reference,
    )
    if (found !== undefined) order.id = found.id
    return found !== undefined
  }
}

function wishOf({ kind, account, to, reference, amount }: Order): object {
  const common = { account_id: account.id, unique_reference: reference }
  if (kind === 'deposit' || to === undefined) return { ...common, direction: 'INBOUND', credit_amount: cents(amount), dr_name: 'Sandbox' }
  return { ...common, beneficiary_id: account.beneficiaries.get(to), debit_amount: cents(amount) }
}
