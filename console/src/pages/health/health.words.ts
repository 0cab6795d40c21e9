// Figures of the service in words.
import type { OperatorHealth } from '@vostro/sdk'
import { counted } from '../../ui/words.ts'
import { roundsEndWithin_s } from '../../values.made.ts'

/** `90` requests per minute as `1.5` per second. */
export const perSecond = (lastMinute: number): string => (lastMinute / 60).toFixed(lastMinute < 600 ? 1 : 0)

/** A duration. The service rounds up to the bound of a bucket and reports null above ten seconds. */
export const tookWords = (ms: number | null): string => {
  if (ms === null) return 'over 10 s'
  return ms >= 1_000 ? `${ms / 1_000} s` : `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`
}

export function waitWords(seconds: number): string {
  if (seconds < 60) return counted(Math.round(seconds), 'second')
  return seconds < 3_600 ? counted(Math.floor(seconds / 60), 'minute') : counted(Math.floor(seconds / 3_600), 'hour')
}

/** Due for longer than this, something counts as late. */
const late_s = 60

/** How long ago something happened. */
export const agoWords = (seconds: number): string => (seconds < 10 ? 'Just now' : `${waitWords(seconds)} ago`)

export const isStopped = (exchange: OperatorHealth['exchange']): boolean => (exchange?.last_round_s ?? 0) > roundsEndWithin_s

/** The problems to look at. A stopped exchange comes first. */
export const hasExpired = (vop: OperatorHealth['vop']): boolean => (vop?.certificate_expires_s ?? 1) <= 0

export function troublesOf({ vop, pool, deliveries, jobs, request_log, exchange }: OperatorHealth): string[] {
  const { last_round_s = 0, oldest_file_s = 0 } = exchange ?? {}
  const dead = jobs.reduce((sum, job) => sum + job.dead, 0)
  const late = jobs.filter(({ oldest_due_s }) => oldest_due_s > late_s)
  return [
    ...(isStopped(exchange) ? [`The file exchange has stopped: its last pass ended ${waitWords(last_round_s)} ago.`] : []),
    ...(hasExpired(vop)
      ? ['The certificate of the listener for other banks has expired: their questions about payees get no answer.']
      : []),
    ...(oldest_file_s > late_s ? [`A file has been waiting in the inbox for ${waitWords(oldest_file_s)}.`] : []),
    ...(pool.waiting > 0 ? [`${counted(pool.waiting, 'request')} waiting for a database connection.`] : []),
    ...(dead > 0 ? [`${counted(dead, 'job')} failed and out of retries.`] : []),
    ...late.map(({ kind, oldest_due_s }) => `A ${kind} job is ${waitWords(oldest_due_s)} overdue.`),
    ...(deliveries.oldest_due_s > late_s ? [`A webhook delivery is ${waitWords(deliveries.oldest_due_s)} overdue.`] : []),
    ...(request_log.dropped > 0 ? [`${counted(request_log.dropped, 'request')} missing from the request log.`] : []),
  ]
}
