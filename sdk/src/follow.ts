// Follows events across interruptions: each once, in order.
import type { Page } from './pages.ts'
import { VostroProblem, VostroUnreachable } from './problems.ts'
import { pause, wait_ms } from './retries.ts'
import type { EventsByType, ListEventsQuery, VostroEvent } from './types.made.ts'

export type FollowOptions<Type extends keyof EventsByType = keyof EventsByType> = Pick<ListEventsQuery, 'resource_id'> & {
  /** Only events of this type. */
  type?: Type | undefined
  /** The id of the last event that you have; `start` (default) for all events; `now` for new ones only. */
  since?: string | undefined
  /** Stops following, without an error. */
  signal?: AbortSignal | undefined
  /** The polling interval in milliseconds, once all events have been read. */
  interval_ms?: number | undefined
  /** Called after the first response, and after the first one that follows an interruption. */
  onConnected?: (() => void) | undefined
  /** Called when the service is unreachable or refuses temporarily. Following continues. */
  onLost?: ((error: Error) => void) | undefined
  /** The venture that the admin key or a person acts for. */
  venture?: string | undefined
}

export type Following = {
  /**
   * Follows events, oldest first, until the signal is aborted or the loop is left. Interruptions of any length neither lose nor repeat
   * events. Store the id of the last event that you have handled, and pass it as `since` after a restart.
   */
  follow<Type extends keyof EventsByType = keyof EventsByType>(
    options?: FollowOptions<Type>,
  ): AsyncGenerator<EventsByType[Type], void, undefined>
}

type PageOf = (query: ListEventsQuery) => Promise<Page<VostroEvent>>

export async function* follow(
  pageOf: PageOf,
  { since = 'start', signal, interval_ms = 1_000, onConnected, onLost, type, resource_id }: Omit<FollowOptions, 'venture'>,
): AsyncGenerator<VostroEvent, void, undefined> {
  const filters = { type, resource_id } as Pick<ListEventsQuery, 'type' | 'resource_id'>
  let cursor = since
  let connected = false
  let failures = 0
  while (signal?.aborted !== true) {
    try {
      const isNow = cursor === 'now'
      const page = await pageOf(isNow ? { since: 'now' } : { ...filters, since: cursor, limit: 100 })
      failures = 0
      if (!connected) onConnected?.()
      connected = true
      if (isNow) {
        cursor = page.items[0]?.id ?? 'start'
        continue
      }
      for (const event of page.items) {
        yield event
        cursor = event.id
        if (signal?.aborted) return
      }
      if (page.next === undefined) await pause(interval_ms, signal)
    } catch (error) {
      if (signal?.aborted) return
      if (!isTemporary(error)) throw error
      connected = false
      onLost?.(error)
      const retryAfter_s = error instanceof VostroProblem ? error.retryAfter_s : undefined
      await pause(wait_ms(failures++, { retryAfter_s }), signal).catch(() => {})
    }
  }
}

function isTemporary(error: unknown): error is Error {
  if (!(error instanceof VostroUnreachable || error instanceof VostroProblem)) return false
  const { status } = error
  return status === undefined || status === 408 || status === 429 || status >= 500
}
