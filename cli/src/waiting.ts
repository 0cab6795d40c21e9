// Waiting for the service.
import { setTimeout as sleep } from 'node:timers/promises'
import { VostroProblem, VostroUnreachable } from '@vostro/sdk'
import { Interrupted } from './failures.ts'

/** Waits, or ends early when the signal is aborted. */
export async function pause(time_ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(time_ms, undefined, signal === undefined ? {} : { signal }).catch(() => {})
}

/** Whether a retry may succeed: the service is unreachable, or refused temporarily. */
export function isTemporary(error: unknown): error is VostroUnreachable | VostroProblem {
  if (error instanceof VostroUnreachable) return true
  return error instanceof VostroProblem && (error.status >= 500 || error.status === 429 || error.status === 408)
}

type Until<Answer> = {
  willDo(answer: Answer): boolean
  every_ms?: number
  unreachable_ms?: number
  /** Stops waiting. The work at the service continues, as the message says. */
  stopped?: AbortSignal
  onStopped?: string
}

/** Polls until the response is acceptable. Tolerates short outages of the service. */
export async function until<Answer>(
  ask: () => Promise<Answer>,
  { willDo, every_ms = 500, unreachable_ms = 60_000, stopped, onStopped = 'Stopped.' }: Until<Answer>,
): Promise<Answer> {
  let reached_ms = performance.now()
  while (!stopped?.aborted) {
    try {
      const answer = await ask()
      reached_ms = performance.now()
      if (willDo(answer)) return answer
    } catch (error) {
      if (!isTemporary(error) || performance.now() - reached_ms > unreachable_ms) throw error
    }
    await pause(every_ms, stopped)
  }
  throw new Interrupted(onStopped)
}

/** Retries until the service responds. Returns undefined if stopped before. */
export async function patiently<Result>(
  work: () => Promise<Result>,
  { signal, onLost = () => {} }: { signal: AbortSignal; onLost?: (error: Error) => void },
): Promise<Result | undefined> {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      return await work()
    } catch (error) {
      if (!isTemporary(error)) throw error
      if (failures === 0) onLost(error)
      await pause(Math.min(5_000, 200 * 2 ** Math.min(failures, 5)), signal)
    }
  }
  return undefined
}
