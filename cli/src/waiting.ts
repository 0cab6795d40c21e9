// Waiting for something to happen at the service.
import { setTimeout as sleep } from 'node:timers/promises'
import { VostroUnreachable } from '@vostro/sdk'

/** Waits, or until the signal is aborted. */
export async function pause(time_ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(time_ms, undefined, signal === undefined ? {} : { signal }).catch(() => {})
}

/** Asks until the answer will do. A service that cannot be reached for a while is asked again. */
export async function until<Answer>(
  ask: () => Promise<Answer>,
  { willDo, every_ms = 500, unreachable_ms = 60_000 }: { willDo(answer: Answer): boolean; every_ms?: number; unreachable_ms?: number },
): Promise<Answer> {
  let reached_ms = performance.now()
  for (;;) {
    try {
      const answer = await ask()
      reached_ms = performance.now()
      if (willDo(answer)) return answer
    } catch (error) {
      if (!(error instanceof VostroUnreachable) || performance.now() - reached_ms > unreachable_ms) throw error
    }
    await pause(every_ms)
  }
}
