// Idempotency keys: a request that is repeated with the same Idempotency-Key is carried out only once. Its outcome is written as a
// companion, in the same transaction as its effect, so neither exists without the other, whatever is killed and whichever instance gets the
// repetition.
import { hash } from 'node:crypto'
import { Refusal } from '../../values/refusals.ts'
import type { CompanionKind } from '../companions.ts'
import type { Made } from '../http/declaration.ts'
import { bankId } from '../ids.ts'
import { type Answer, findKept, insertKept, type Scope, tryLocksOf } from './idempotency.sql.ts'

export { bankId }

/** A request with a key. `answerOf` returns the response to keep, or undefined if it must not or cannot be kept yet. */
export type Attempt = Scope & { request_hash: string; answerOf(made: Made): Answer | undefined }

/** Equal scopes need the same text to be found in a map. */
export const nameOf = ({ venture_id, owner_id, operation, key }: Scope): string => `${venture_id} ${owner_id} ${operation} ${key}`

/**
 * The key is locked without waiting: a repetition that arrives while the first request is running is refused, and no batch waits for
 * another because of it. The row is read by a separate statement after the lock, because only that statement is sure to see the row of the
 * previous holder of the lock.
 */
export const idempotencyKeys: CompanionKind<Attempt, Made> = {
  name: 'idempotency_keys',
  async acquire(tx, attempts) {
    const locks = attempts.map((attempt) => ({ venture_id: attempt.venture_id, number: lockNumber(attempt) }))
    const [locked, kept] = await Promise.all([tryLocksOf(tx, locks), findKept(tx, attempts)])
    const used = new Set(kept.map(nameOf))
    return attempts.map((attempt, index) => {
      const name = nameOf(attempt)
      if (used.has(name) || !locked.has(locks[index]?.number ?? '')) return new Refusal('idempotency_key_in_use', { retry_after_s: 1 })
      used.add(name)
      return 'granted'
    })
  },
  write(tx, granted) {
    insertKept(
      tx,
      granted.map(({ row: { answerOf, ...scope }, result }) => {
        const { status = null, location = null, body = null } = answerOf(result) ?? {}
        return { ...scope, resource_id: result.id, status, location, body }
      }),
    )
  },
}

/** Advisory locks have 64-bit numbers. If two keys share a number by chance, they only refuse each other while both are running. */
function lockNumber(scope: Scope): string {
  return hash('sha256', `idempotency ${nameOf(scope)}`, 'buffer')
    .readBigInt64BE(0)
    .toString()
}

/** The same request has the same hash, in whatever order its fields were sent. */
export function hashOf(request: unknown): string {
  return hash('sha256', JSON.stringify(request, withSortedNames))
}

/** A body that the route parses itself must be identical byte for byte. */
export function hashOfBytes(bytes: Buffer): string {
  return hash('sha256', bytes)
}

function withSortedNames(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
