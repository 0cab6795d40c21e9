// What the figures of the service say.
import type { OperatorHealth } from '@vostro/sdk'
import { counted } from '../../ui/words.ts'

/** `90` requests a minute as `1.5`. */
export const perSecond = (lastMinute: number): string => (lastMinute / 60).toFixed(lastMinute < 600 ? 1 : 0)

/** How long something took. The service rounds up to the bound of a bucket, and says null above ten seconds. */
export const tookWords = (ms: number | null): string => {
  if (ms === null) return 'more than 10 s'
  return ms >= 1_000 ? `${ms / 1_000} s` : `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`
}

export function waitWords(seconds: number): string {
  if (seconds < 60) return counted(Math.round(seconds), 'second')
  return seconds < 3_600 ? counted(Math.floor(seconds / 60), 'minute') : counted(Math.floor(seconds / 3_600), 'hour')
}

/** From how many seconds on something that is due should have been done. */
const late_s = 60

/** How long ago something happened. */
export const agoWords = (seconds: number): string => (seconds < 10 ? 'Just now' : `${waitWords(seconds)} ago`)

/** What somebody should look at. The service says what makes it red; that comes first. */
export function troublesOf({ status, pool, deliveries, jobs, request_log, exchange }: OperatorHealth): string[] {
  const { last_round_s = 0, oldest_file_s = 0 } = exchange ?? {}
  const dead = jobs.reduce((sum, job) => sum + job.dead, 0)
  const late = jobs.filter(({ oldest_due_s }) => oldest_due_s > late_s)
  return [
    ...(status === 'RED' ? [`The exchange of files has stopped: its last round ended ${waitWords(last_round_s)} ago.`] : []),
    ...(oldest_file_s > late_s ? [`A file has been in the inbox for ${waitWords(oldest_file_s)}.`] : []),
    ...(pool.waiting > 0 ? [`Waiting for a connection to the database: ${counted(pool.waiting, 'request')}.`] : []),
    ...(dead > 0 ? [`Failed too often, and waiting for a person: ${counted(dead, 'job')}.`] : []),
    ...late.map(({ kind, oldest_due_s }) => `A job of the kind ${kind} has been due for ${waitWords(oldest_due_s)}.`),
    ...(deliveries.oldest_due_s > late_s ? [`A webhook delivery has been due for ${waitWords(deliveries.oldest_due_s)}.`] : []),
    ...(request_log.dropped > 0 ? [`Missing in the request log: ${counted(request_log.dropped, 'request')}.`] : []),
  ]
}
