// Batches of one venture that go straight to the worker which has its rows (database.workers.ts). What they need of the coordinator is asked of it by many of
// them together, in a transaction of its own: whether the shard is still where it was, and the claims on the references of new transfers.
import { Batches } from '../platform/batches.ts'
import { troubleOf } from '../platform/database/database.errors.ts'
import { NotOnShard } from '../platform/database/database.placed.ts'
import { type Database, NotFree, type Tx } from '../platform/database/database.ts'
import type { Place, Workers } from '../platform/database/database.workers.ts'
import { Refusal } from '../values/refusals.ts'
import type { Claim } from './deciding/transfers.batch.ts'
import {
  type AheadClaim,
  attemptOf,
  claimAhead,
  claimFree,
  deleteUnused,
  findClaims,
  type ReferenceClaim,
  type References,
} from './transfers.references.ts'

/** What a transaction of a worker asks the coordinator before it ends. */
type Permit = { place: Place; claims: readonly AheadClaim[] }

/** A worker lacks tables of the coordinator, also those that nobody has named. */
const isNoTable = (error: unknown): boolean => (error as { code?: unknown }).code === '42P01'

/** The batch has to go through the coordinator. Nothing was written. */
export class NotDirect extends Error {}

const troubleBehind = (error: unknown) => (error instanceof Refusal ? troubleOf(error.details['cause']) : undefined)

/** So long it is not tried again. */
const ineligible_ms = 2_000

export class Direct {
  readonly #coordinator: Database
  readonly #workers: Workers
  readonly #permits: Batches<Permit, Set<string>>
  /** Ventures that needed what is on the coordinator, and until when that is expected again. */
  readonly #ineligible = new Map<string, number>()

  constructor(coordinator: Database, workers: Workers) {
    this.#coordinator = coordinator
    this.#workers = workers
    this.#permits = new Batches<Permit, Set<string>>((permits) => this.#permit(permits), { wait_ms: coordinator.limits.queue_ms })
  }

  /** Runs `work` on the worker of a venture. Throws `NotDirect` if that is not possible. */
  async transaction<T>(venture_id: string, work: (tx: Tx, references: References) => Promise<T>, since_ms: number): Promise<T> {
    const until_ms = this.#ineligible.get(venture_id)
    if (until_ms !== undefined) {
      if (performance.now() < until_ms) throw new NotDirect('it needs the coordinator')
      this.#ineligible.delete(venture_id)
    }
    const place = await this.#workers.placeOf(venture_id)
    if (place === undefined) throw new NotDirect('its worker cannot be used')
    let claims: Claims | undefined
    try {
      const result = await this.#workers.transaction(
        place,
        async (tx) => {
          // If this is run again, the transaction before was not committed, and its claims are claimed again.
          claims = new Claims(tx, this.#coordinator, (some) => this.#permits.submit({ place, claims: some }))
          const made = await work(tx, claims)
          await claims.settle()
          return made
        },
        since_ms,
      )
      this.#release(claims?.unused ?? [])
      return result
    } catch (error) {
      if (error instanceof NotOnShard) this.#ineligible.set(venture_id, performance.now() + ineligible_ms)
      const isNotDirect = error instanceof NotDirect || error instanceof NotFree || error instanceof NotOnShard || isNoTable(error)
      // Of any other error it is not certain that the transaction has ended. A claim that stays leads nowhere, and is taken over when somebody wants it.
      if (isNotDirect || (error instanceof Refusal && error.code !== 'outcome_unknown')) this.#release(claims?.all ?? [])
      if (isNotDirect) throw new NotDirect((error as Error).message)
      // Unless the coordinator was being asked.
      const isUnreachable = troubleBehind(error) === 'lost' && claims?.isAsking !== true
      // No statement was sent: the worker does not let the service in.
      const isClosed = claims === undefined && !(error instanceof Refusal)
      if (isUnreachable || isClosed) this.#workers.rest(place.worker, error)
      // Nothing was done, and the coordinator may reach the worker.
      if (isClosed || (isUnreachable && error instanceof Refusal && error.code === 'unavailable'))
        throw new NotDirect('its worker cannot be reached')
      throw error
    }
  }

  async #permit(permits: readonly Permit[]): Promise<(Set<string> | Error)[]> {
    const found = await this.#coordinator
      .transactionIfFree(async (tx) => {
        const [moved, granted] = await Promise.all([
          this.#workers.findMoved(
            tx,
            permits.map(({ place }) => place),
          ),
          claimAhead(
            tx,
            permits.flatMap(({ claims }) => claims),
          ),
        ])
        return { moved, granted }
      })
      .catch((error) => {
        if (error instanceof NotFree) return error
        if (troubleBehind(error) !== 'slow') throw error
        // Somebody has claimed a reference in a transaction that has not ended. Parts of the batch find out whose order that concerns.
        if (permits.length > 1) throw new Error('a reference is being claimed')
        return new NotDirect('a reference is being claimed')
      })
    // It concerns all of them: parts of the batch would hear the same.
    if (found instanceof Error) return permits.map(() => found)
    const { moved, granted } = found
    return permits.map(({ place, claims }) =>
      moved.has(place)
        ? new NotDirect('the shard was moved')
        : new Set(claims.flatMap(({ transfer_id }) => (granted.has(transfer_id) ? [transfer_id] : []))),
    )
  }

  /** If that fails, whoever wants such a reference next finds that its claim leads nowhere. */
  #release(claims: readonly AheadClaim[]): void {
    if (claims.length > 0) this.#coordinator.transaction((tx) => deleteUnused(tx, claims)).catch(() => {})
  }
}

/** The claims of one transaction of a worker. */
class Claims implements References {
  readonly #tx: Tx
  readonly #coordinator: Database
  readonly #permit: (claims: readonly AheadClaim[]) => Promise<Set<string>>
  #attempt: Promise<string> | undefined
  #used: Map<string, Claim> = new Map()
  /** Whether the coordinator is being asked, or has failed to answer. */
  isAsking = false
  readonly all: AheadClaim[] = []
  readonly unused: AheadClaim[] = []

  constructor(tx: Tx, coordinator: Database, permit: (claims: readonly AheadClaim[]) => Promise<Set<string>>) {
    this.#tx = tx
    this.#coordinator = coordinator
    this.#permit = permit
  }

  async claim(claims: readonly ReferenceClaim[]): Promise<Set<string>> {
    await this.#begin()
    const granted = await this.#ask(() =>
      claimFree(this.#coordinator, claims, {
        claim: (some) => this.#claimOnce(some),
        // Whoever runs alone waits for this transaction, so it must not wait, too.
        free: (unused) => this.#coordinator.transactionIfFree((tx) => deleteUnused(tx, unused)),
      }),
    )
    const refused = claims.filter(({ transfer_id }) => !granted.has(transfer_id)).map(({ unique_reference }) => unique_reference)
    // What others have used stays used. Found before accounts are locked: those who wait for them may have all connections to the coordinator.
    if (refused.length > 0) this.#used = await this.#ask(() => findClaims(this.#coordinator, refused))
    return granted
  }

  /** Nobody asks for others than those that were refused. */
  async find(): Promise<Map<string, Claim>> {
    return new Map(this.#used)
  }

  /** Of two orders of a batch with one reference, the first has claimed it, even if it was refused since. */
  async claimMore(claims: readonly ReferenceClaim[]): Promise<void> {
    const granted = await this.#ask(() => this.#claimOnce(claims))
    if (granted.size < claims.length) throw new NotDirect('a reference is claimed by another order')
  }

  release(claims: readonly ReferenceClaim[]): void {
    const released = new Set(claims.map(({ transfer_id }) => transfer_id))
    this.unused.push(...this.all.filter(({ transfer_id }) => released.has(transfer_id)))
  }

  /** Without claims, too, the coordinator has to be asked whether the shard is where it was. */
  async settle(): Promise<void> {
    if (this.#attempt === undefined) await this.claim([])
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    this.isAsking = true
    const answer = await question().catch((error) => {
      // Whatever became of the claims, the worker will not commit.
      throw error instanceof Refusal && error.code === 'outcome_unknown' ? new Refusal('unavailable', { retry_after_s: 1 }) : error
    })
    this.isAsking = false
    return answer
  }

  /** The worker answers it together with the lock that keeps shards from being moved, which has to be there before the coordinator is asked. */
  #begin(): Promise<string> {
    this.#attempt ??= this.#tx.number().then(attemptOf)
    return this.#attempt
  }

  async #claimOnce(claims: readonly ReferenceClaim[]): Promise<Set<string>> {
    const attempt = await this.#begin()
    const own = claims.map((claim) => ({ ...claim, attempt }))
    this.all.push(...own)
    return this.#permit(own)
  }
}
