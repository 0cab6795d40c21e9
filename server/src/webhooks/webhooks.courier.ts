// One round of deliveries to one endpoint: finds new events and due deliveries, sends them, and records the results in one transaction.
// If the process dies in between, another courier repeats the round, so an event may arrive twice but is never lost.
import { now } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { DeliveryFailure, type Outgoing } from '../platform/outgoing/outgoing.ts'
import { signedHeaders } from '../platform/standard-webhooks.ts'
import {
  chainsOf,
  type Due,
  findDue,
  findNewEvents,
  findOpen,
  findProgress,
  type Lease,
  maxDue,
  newDeliveries,
  type PendingDelivery,
  type Position,
  type Progress,
} from './webhooks.pending.ts'
import {
  type DeliveryState,
  insertDeliveries,
  lockProgress,
  scheduleEarliest,
  updateDeliveries,
  wakeDeliveries,
  writeProgress,
} from './webhooks.records.ts'
import { disableAfter_ms, longestDelay_ms, waitAfter } from './webhooks.schedule.ts'
import type { Attempt } from './webhooks.schemas.ts'
import { lockEndpoint } from './webhooks.sql.ts'
import { changeEndpoint } from './webhooks.ts'

/** How many events a round takes, and how many requests to the endpoint run concurrently. */
const maxNewEvents = 256
const maxConcurrent = 32
/** A round sends nothing after this time, so that its results are recorded soon. */
const round_ms = 5_000
const storedResponse_chars = 1_024

export type Round = {
  database: Database
  outgoing: Outgoing
  lease: Lease
  /** Aborted when the endpoint changes during the round. */
  signal: AbortSignal
}

/** The results were not recorded; the courier that now has the lease repeats the round. */
export class LeaseLost extends Error {}

type Result = { delivery: PendingDelivery; attempt: Attempt | undefined }

/** Returns whether there may be more to do immediately. */
export async function deliverRound({ database, outgoing, lease, signal }: Round): Promise<boolean> {
  const progress = await findProgress(database, lease)
  if (progress === undefined) return false
  const due = await findDue(database, progress)
  // If many deliveries are due, new events can wait.
  const newEvents = due.ids.length < maxDue ? await findNewEvents(database, progress, maxNewEvents) : { rows: [], end: progress }
  const deliveries = newDeliveries(newEvents.rows)
  const open = await findOpen(database, progress, [...new Set(deliveries.map(({ resource_id }) => resource_id))])
  const waiting = deliveries.filter(({ resource_id }) => open.has(resource_id))
  const chains = [...due.chains, ...chainsOf(deliveries.filter(({ resource_id }) => !open.has(resource_id)))]
  if (due.ids.length === 0 && newEvents.rows.length === 0 && !progress.waking) return false
  const results = await sendChains(chains, (delivery) => send(outgoing, progress, delivery), signal)
  await database.transaction((tx) => record(tx, { lease, end: newEvents.end, results, waiting, due }))
  return true
}

/** Sends chains concurrently and each chain in order. Nothing is sent after a failure in its chain, or after the deadline. */
async function sendChains(
  chains: readonly PendingDelivery[][],
  send: (delivery: PendingDelivery) => Promise<Attempt>,
  signal: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = []
  const deadline = performance.now() + round_ms
  let next = 0
  const worker = async () => {
    for (let chain = chains[next++]; chain !== undefined; chain = chains[next++]) {
      let broken = false
      for (const delivery of chain) {
        const attempt: Attempt | undefined = broken || signal.aborted || performance.now() > deadline ? undefined : await send(delivery)
        broken = attempt === undefined || attempt.failure !== null
        results.push({ delivery, attempt })
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, chains.length) }, worker))
  return results
}

async function send(outgoing: Outgoing, progress: Progress, delivery: PendingDelivery): Promise<Attempt> {
  const at = now()
  const start = performance.now()
  try {
    const body = bodyOf(progress.venture_id, delivery)
    const { status, body: response } = await outgoing.post(progress.url, {
      headers: headersOf(progress, delivery.event_id, body, at),
      body,
      lane: progress.endpoint_id,
    })
    const delivered = status >= 200 && status < 300
    return {
      at: at.toISOString(),
      response_status: status,
      duration_ms: Math.round(performance.now() - start),
      response_body: response.slice(0, storedResponse_chars),
      failure: delivered ? null : `The answer was ${status}, not 2xx.`,
    }
  } catch (error) {
    if (!(error instanceof DeliveryFailure)) throw error
    const duration_ms = Math.round(performance.now() - start)
    return { at: at.toISOString(), response_status: null, duration_ms, response_body: null, failure: error.message }
  }
}

/** The event as `GET /events/{id}` shows it to the venture. `data` is inserted as the stored text. */
function bodyOf(venture_id: string, { event_id, event_type, timestamp, sequence, actor, actor_id, data }: PendingDelivery): string {
  const by = `"actor":${JSON.stringify(actor)},"actor_id":${JSON.stringify(actor === 'operator' ? null : actor_id)}`
  return `{"id":"${event_id}","type":"${event_type}","timestamp":"${timestamp}","venture_id":"${venture_id}","sequence":${sequence},${by},"data":${data}}`
}

function headersOf(
  { secret, previous_secret, previous_secret_until }: Progress,
  id: string,
  body: string,
  at: Date,
): Record<string, string> {
  const secrets = previous_secret !== null && at.toISOString() < String(previous_secret_until) ? [secret, previous_secret] : [secret]
  // Receivers compare the time of the signature with their own clocks, so it is the real one.
  return { 'content-type': 'application/json', 'user-agent': 'Vostro-Webhooks/1', ...signedHeaders(secrets, { id, body }) }
}

type RoundResults = {
  lease: Lease
  end: Position
  results: readonly Result[]
  /** New events that wait for an earlier event of the same resource. */
  waiting: readonly PendingDelivery[]
  due: Due
}

async function record(tx: Tx, { lease, end, results, waiting, due }: RoundResults): Promise<void> {
  const at = now().toISOString()
  const attempts = results.flatMap(({ attempt }) => (attempt === undefined ? [] : [attempt]))
  const succeeded = attempts.some(({ failure }) => failure === null)
  const failed = attempts.length > 0 && !succeeded
  // Lock the endpoint before its progress, like every other change of an endpoint, and only if it may have to be disabled.
  const row = failed ? await lockEndpoint(tx, { venture_id: lease.venture_id, id: lease.endpoint_id }) : undefined
  const current = (await lockProgress(tx, lease, at)) ?? throwLeaseLost()
  const isBack = succeeded && (current.failing_for_ms ?? 0) > wakingAfter_ms
  const waking = (isBack || (current.waking && !failed)) && (await wakeDeliveries(tx, lease, at))
  // Stored deliveries that were not tried stay unchanged.
  const tried = results.filter(({ delivery, attempt }) => attempt !== undefined || delivery.fresh)
  const states = [...tried.map(stateAfter), ...waiting.map((delivery) => ({ ...delivery, ...notSent }))]
  insertDeliveries(tx, lease, states, at)
  updateDeliveries(tx, lease, states, at)
  const open = states.filter(({ status }) => status === 'PENDING').map(({ resource_id }) => resource_id)
  scheduleEarliest(tx, lease, { at, ids: due.ids, resources: [...new Set([...due.resources, ...open])] })
  const isNewRun = (current.failed_ago_ms ?? 0) > longestDelay_ms
  const run = succeeded ? 'ended' : failed ? (isNewRun ? 'new run' : 'failing') : 'unchanged'
  writeProgress(tx, lease, { ...end, at, run, waking })
  const disabled_reason = failed ? reasonToDisable(attempts, isNewRun ? 0 : (current.failing_for_ms ?? 0)) : undefined
  if (disabled_reason !== undefined && row?.status === 'ACTIVE') await changeEndpoint(tx, row, { status: 'DISABLED', disabled_reason })
}

function throwLeaseLost(): never {
  throw new LeaseLost()
}

/** After failures for at least this long, a success means that the receiver is back. Sooner, it only means that some deliveries succeed. */
const wakingAfter_ms = 1_000

/** `scheduleEarliest` makes it due if it is the earliest pending delivery of its resource. */
const notSent = { status: 'PENDING', wait_ms: null } as const

/** Manual redeliveries can add many attempts; only the last ones are stored. */
const maxStoredAttempts = 25

function stateAfter({ delivery, attempt }: Result): DeliveryState {
  if (attempt === undefined) return { ...delivery, ...notSent }
  const attempts = [...delivery.attempts, attempt].slice(-maxStoredAttempts)
  if (attempt.failure === null) return { ...delivery, attempts, tries: delivery.tries + 1, status: 'DELIVERED', wait_ms: null }
  // An early attempt does not change the schedule.
  if (delivery.woken) return { ...delivery, ...notSent, attempts }
  const tries = delivery.tries + 1
  const wait_ms = waitAfter(tries) ?? null
  return { ...delivery, attempts, tries, status: wait_ms === null ? 'FAILED' : 'PENDING', wait_ms }
}

function reasonToDisable(attempts: readonly Attempt[], failing_for_ms: number): string | undefined {
  if (attempts.some(({ response_status }) => response_status === 410)) return 'The receiver answered 410 Gone.'
  return failing_for_ms >= disableAfter_ms ? 'Every delivery failed for five days.' : undefined
}
