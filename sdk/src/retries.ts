// Which attempts are retried, and when.

/** Why an attempt failed. Without `status` there was no response. `code` is set if the service itself responded. */
export type Failure = { status?: number | undefined; code?: string | undefined; retryAfter_s?: number | undefined }

const longestWait_s = 60

/**
 * Whether the same request may be sent again. `repeatable`: executing it twice equals executing it once, because of its method or its
 * idempotency key.
 */
export function mayRepeat(failure: Failure, repeatable: boolean): boolean {
  if ((failure.retryAfter_s ?? 0) > longestWait_s) return false
  return certainlyNotDone(failure) || (repeatable && isUnknown(failure))
}

/** The service refused the request temporarily, so it was not executed. */
function certainlyNotDone({ status, code }: Failure): boolean {
  return status === 408 || status === 429 || code === 'unavailable' || code === 'idempotency_key_in_use'
}

/** Whether the request may have been executed although no response says so. */
export function isUnknown({ status, code }: Failure): boolean {
  if (status === undefined || code === 'outcome_unknown') return true
  // An intermediary answered instead of the service.
  return code === undefined && status >= 502 && status <= 504
}

/** The delay before an attempt: doubled each time, half of it random, so that clients do not return all at once. */
export function wait_ms(attempt: number, { retryAfter_s = 0 }: Failure = {}): number {
  const longest = Math.min(500 * 2 ** attempt, 8_000)
  return retryAfter_s * 1_000 + (longest / 2) * (1 + Math.random())
}

/** Seconds, or a date. */
export function parseRetryAfter(text: string | null): number | undefined {
  if (text === null || text === '') return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Waits; throws the signal's reason when aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
