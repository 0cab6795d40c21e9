// Carries out orders like a careful client: retries refused requests, resolves unknown outcomes, and records everything.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Results } from '../results.ts'
import { type Book, type Intent, type Order, paths } from './book.ts'
import { type Caller, describe, type Reply } from './caller.ts'
import type { Random } from './random.ts'
import { cents } from './world.ts'

/** again: not done, and worth a retry. declined: not done, and the order ends here. */
export type Judgement = 'again' | 'declined'

/** Lets an experiment accept responses that would be a finding elsewhere. */
export type Judge = (reply: Reply & { kind: 'answer' }, order: Order, key: string) => Judgement | undefined

/** How long a client tries to resolve an unknown outcome before it gives up. */
const asking_ms = 60_000
/** The share of clients that retry after a response that asks them to. */
const persistence = 0.7

type Step = { order: Order; at: number }
type Verdict = 'done' | 'unknown' | Judgement

export class Orders {
  readonly #caller: Caller
  readonly #book: Book
  readonly #results: Results
  readonly #random: Random
  readonly #judge: Judge

  constructor(options: { caller: Caller; book: Book; results: Results; random: Random; judge?: Judge }) {
    this.#caller = options.caller
    this.#book = options.book
    this.#results = options.results
    this.#random = options.random
    this.#judge = options.judge ?? (() => undefined)
  }

  /** Takes an order along its path as far as possible, or as far as `steps`. */
  async carryOut(intent: Intent, steps = paths[intent.kind].length): Promise<Order> {
    const order = this.#book.add(intent)
    for (let at = 0; at < steps; at++) if (!(await this.take({ order, at }))) break
    return order
  }

  /** Takes a step, and returns whether it was made. */
  async take(step: Step): Promise<boolean> {
    for (;;) {
      const key = step.order.venture.api_key
      const reply = await this.#send(step, key)
      const verdict = this.#verdictOn(reply, step, key)
      if (verdict === 'done') return this.#acknowledge(step, reply)
      if (verdict === 'unknown') {
        this.#results.unknown++
        return this.#findOut(step)
      }
      this.#results.refused++
      if (verdict === 'declined' || !this.#random.chance(persistence)) return false
      await sleep(this.#random.integer(10, 60))
    }
  }

  async #send({ order, at }: Step, key: string): Promise<Reply> {
    if (at === 0) {
      const headers = order.keyed ? { 'idempotency-key': order.reference } : {}
      if (order.bulk) {
        const body = { transfers: [wishOf(order)] }
        return ofOnly(await this.#caller.send({ method: 'POST', path: '/api/v1/transfers/bulk', key, body, headers }))
      }
      return this.#caller.send({ method: 'POST', path: '/api/v1/transfers', key, body: wishOf(order), headers })
    }
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
      this.#results.broken.push(`${paths[order.kind][at]} of a ${order.kind} transfer was answered with ${describe(reply)}`)
    // A 500 is recorded where it is received; it says nothing about the outcome.
    return reply.status < 500 ? 'declined' : 'unknown'
  }

  #acknowledge({ order, at }: Step, reply: Reply): true {
    this.#results.acknowledged++
    if (reply.kind === 'answer') order.id ??= reply.body.id
    order.done = at + 1
    return true
  }

  /** Queries the transfer or repeats the request: the reference, or the status, ensures that it is not done twice. */
  async #findOut(step: Step): Promise<boolean> {
    const deadline = performance.now() + asking_ms
    while (performance.now() < deadline) {
      await sleep(this.#random.integer(5, 50))
      if (this.#random.chance(0.5) && (await this.isThere(step))) return this.#foundDone(step)
      const key = step.order.venture.api_key
      const reply = await this.#send(step, key)
      if (reply.kind !== 'answer' || reply.status >= 500) continue
      if (reply.status < 300) {
        if (reply.replayed) this.#results.foundDone++
        else this.#results.foundNotDone++
        return this.#acknowledge(step, reply)
      }
      // The request whose outcome is unknown may still be running.
      if (reply.code === 'idempotency_key_in_use') continue
      if (step.order.keyed && reply.code === 'unique_reference_used')
        this.#results.broken.push('a create was repeated with its idempotency key and was not recognised')
      if (await this.isThere(step)) return this.#foundDone(step)
      const judgement = this.#judge(reply, step.order, key)
      if (judgement === 'again') continue
      if (judgement === undefined) this.#results.broken.push(`repeating what was unknown was answered with ${describe(reply)}`)
      this.#results.foundNotDone++
      return false
    }
    this.#results.broken.push(`an outcome could not be found out in ${asking_ms / 1000} s`)
    step.order.open = true
    return false
  }

  #foundDone({ order, at }: Step): true {
    this.#results.foundDone++
    order.done = at + 1
    return true
  }

  /** Whether the service shows the step as made. */
  async isThere({ order, at }: Step): Promise<boolean> {
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

/** The reply to the only order of a request for many, as a single create would get it. */
function ofOnly(reply: Reply): Reply {
  if (reply.kind !== 'answer') return reply
  if (reply.status === 200) return { ...reply, body: reply.body.results[0].transfer }
  if (reply.code !== 'bulk_refused') return reply
  const [{ problem }] = reply.body.refused
  return { ...reply, status: problem.status, code: problem.code, body: problem }
}

function wishOf({ kind, account, to, reference, amount }: Order): object {
  const common = { account_id: account.id, unique_reference: reference }
  if (kind === 'deposit' || to === undefined) return { ...common, direction: 'INBOUND', credit_amount: cents(amount), dr_name: 'Sandbox' }
  return { ...common, beneficiary_id: account.beneficiaries.get(to), debit_amount: cents(amount) }
}
