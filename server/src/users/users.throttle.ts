// Slows down attackers who guess passwords. Attempts are counted in the database, so that all instances count together, and before the hash
// is computed, so that many concurrent attempts do not get through: each counts as a failure until it has succeeded.

import { hash } from 'node:crypto'
import { now } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { read, write } from '../platform/database/sql.ts'
import { uuidv7 } from '../platform/ids.ts'
import type { Logger } from '../platform/log.ts'
import { inSteps } from '../platform/retention.ts'
import { Refusal, refuse } from '../values/refusals.ts'
import type { Outcome } from './users.metrics.ts'
import { type Attempted, forgetNote, noteAttempt, noteSuccess, noteThrottled } from './users.record.ts'
import type { SignInRecord } from './users.schemas.ts'

const window_ms = 900_000
const limits = { emailAndAddress: 5, address: 20, email: 50, challenges: 300 }

const mostPending = 100

export type Attempt = { id: string }

/** Whose password is tried, and how it is recorded until it has succeeded. */
type Tried = { email: string; what: Attempted }

type Options = {
  database: Database
  log: Logger
  /** The factor by which the limits are raised. */
  factor: number
  count(outcome: Outcome): void
}

export class Throttle {
  readonly #database: Database
  readonly #log: Logger
  readonly #factor: number
  /** Counts the outcome of an attempt, for the metrics. */
  readonly count: (outcome: Outcome) => void
  /** The notes about refused attempts that have not been written yet, by email and address. */
  readonly #pending = new Map<string, Promise<void>>()

  constructor({ database, log, factor, count }: Options) {
    this.#database = database
    this.#log = log
    this.#factor = factor
    this.count = count
  }

  /** Counts or refuses a challenge for a passkey, which is stored before anything has been proved. */
  async countChallenge(address: string): Promise<void> {
    await this.#count(
      { address_hash: hash('sha256', `challenge ${address}`), email_hash: null },
      ({ address }) => address >= limits.challenges * this.#factor,
    )
  }

  /**
   * Counts an attempt, or refuses it. Attempts with a passkey have no email: nobody can guess a passkey, and nobody can lock out its owner.
   */
  async begin(address: string, tried?: Tried): Promise<Attempt> {
    const address_hash = hash('sha256', `address ${address}`)
    const email_hash = tried === undefined ? null : hash('sha256', `email ${tried.email}`)
    try {
      return await this.#count(
        { address_hash, email_hash },
        ({ address, email, both }) =>
          address >= limits.address * this.#factor || email >= limits.email * this.#factor || both >= limits.emailAndAddress * this.#factor,
        (tx, id) => (tried === undefined ? undefined : noteAttempt(tx, { id, address, ...tried })),
      )
    } catch (error) {
      if (error instanceof Refusal && error.code === 'too_many_sign_ins') {
        this.count('throttled')
        if (tried !== undefined) this.#noteLater(tried.email, address)
      }
      throw error
    }
  }

  /**
   * Runs after the response, because notes are only written about known emails and must not take noticeable time. Refused attempts arrive
   * as fast as an attacker sends them, so few notes may wait: one for each email and address, and at most `mostPending` in total.
   */
  #noteLater(email: string, address: string): void {
    const name = `${email} ${address}`
    if (this.#pending.has(name) || this.#pending.size >= mostPending) return
    const since = new Date(now().getTime() - window_ms).toISOString()
    const noted = this.#database
      .transaction((tx) => noteThrottled(tx, { email, address, since }))
      .then(() => {})
      .catch((error: unknown) => this.#log.warn({ error }, 'a throttled sign-in could not be recorded'))
      .finally(() => this.#pending.delete(name))
    this.#pending.set(name, noted)
  }

  async stop(): Promise<void> {
    await Promise.all(this.#pending.values())
  }

  #count(
    { address_hash, email_hash }: Hashes,
    isOver: (counted: Counted) => boolean,
    note?: (tx: Tx, id: string) => unknown,
  ): Promise<Attempt> {
    const now_ms = now().getTime()
    const since = new Date(now_ms - window_ms).toISOString()
    return this.#database.transaction(async (tx) => {
      await lock(tx, [address_hash, ...(email_hash === null ? [] : [email_hash])])
      const failures = await countFailures(tx, { address_hash, email_hash, since })
      if (isOver(failures)) {
        const retry_after_s = Math.max(1, Math.ceil((Date.parse(failures.oldest ?? since) + window_ms - now_ms) / 1_000))
        refuse('too_many_sign_ins', { retry_after_s })
      }
      const id = uuidv7()
      await tx.run(write`
        insert into sign_in_failures (id, email_hash, address_hash, failed_at)
        values (${id}, ${email_hash}, ${address_hash}, ${new Date(now_ms).toISOString()})`)
      await note?.(tx, id)
      return { id }
    })
  }
}

/** Deletes the failure, because the sign-in succeeded. */
export function forgetAttempt(tx: Tx, { id }: Attempt): Promise<number> {
  return tx.run(write`delete from sign_in_failures where id = ${id}`)
}

/** Deletes the attempt, because the password was not checked. */
export async function cancelAttempt(tx: Tx, attempt: Attempt): Promise<void> {
  await forgetAttempt(tx, attempt)
  await forgetNote(tx, attempt.id)
}

export async function succeed(tx: Tx, attempt: Attempt, success: { what: SignInRecord['what']; session_id: string }): Promise<void> {
  await forgetAttempt(tx, attempt)
  await noteSuccess(tx, attempt.id, success)
}

/** Attempts with the same address or email take turns. */
async function lock(tx: Tx, hashes: readonly string[]): Promise<void> {
  const numbers = hashes.map((text) => Buffer.from(text.slice(0, 16), 'hex').readBigInt64BE(0))
  for (const number of numbers.sort((one, other) => (one < other ? -1 : 1)))
    await tx.rows(read`select pg_advisory_xact_lock(${number.toString()}::bigint)`)
}

type Hashes = { address_hash: string; email_hash: string | null }
type Counted = { address: number; email: number; both: number; oldest: string | null }

async function countFailures(tx: Tx, { address_hash, email_hash, since }: Hashes & { since: string }): Promise<Counted> {
  const counted = await tx.first(read<Counted>`
    select count(*) filter (where address_hash = ${address_hash})::int as address, count(*) filter (where email_hash = ${email_hash})::int as email,
      count(*) filter (where address_hash = ${address_hash} and email_hash = ${email_hash})::int as both, min(failed_at) as oldest
    from sign_in_failures where failed_at > ${since} and (address_hash = ${address_hash} or email_hash = ${email_hash})`)
  return counted ?? { address: 0, email: 0, both: 0, oldest: null }
}

/** For the retention of rows. */
export function pruneFailures(database: Database, step = 1_000): AsyncIterable<number> {
  const before = new Date(now().getTime() - 2 * window_ms).toISOString()
  return inSteps(step, () =>
    database.transaction((tx) =>
      tx.run(write`
        delete from sign_in_failures where id in (select id from sign_in_failures where failed_at < ${before} order by failed_at limit ${step})`),
    ),
  )
}
