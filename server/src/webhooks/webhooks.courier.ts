// One round of deliveries to one endpoint: takes what is new and what is due, sends it, and records what became of it in one transaction.
// If the process dies in between, the round is repeated by another: a delivery may arrive twice, never not at all.
import type { Database, Tx } from '../platform/database/database.ts'
import { DeliveryFailure, type Outgoing } from '../platform/outgoing/outgoing.ts'
import { signedHeaders } from '../platform/standard-webhooks.ts'
import {
  chainsOf,
  type Due,
  findDue,
  findFresh,
  findOpen,
  findProgress,
  type Lease,
  mostDue,
  type Parcel,
  type Position,
  type Progress,
  parcelsOf,
} from './webhooks.parcels.ts'
import { insertDeliveries, lockProgress, putInOrder, type Standing, updateDeliveries, wakeSome, writeProgress } from './webhooks.records.ts'
import { longestDelay_ms, patience_ms, waitAfter } from './webhooks.schedule.ts'
import type { Attempt } from './webhooks.schemas.ts'
import { lockEndpoint } from './webhooks.sql.ts'
import { change } from './webhooks.ts'

/** How many events of an endpoint are taken at once, and how many are under way to it at the same time. */
const mostFresh = 256
const mostUnderWay = 32
/** A round begins nothing new after this long, so that what it knows is written down. */
const round_ms = 5_000
const keptAnswer_chars = 1_024

export type Round = {
  database: Database
  outgoing: Outgoing
  lease: Lease
  /** Aborted when the endpoint is no longer what it was when the round began. */
  signal: AbortSignal
}

/** Nothing was written down; whoever delivers to the endpoint now repeats the round. */
export class LeaseLost extends Error {}

type Result = { parcel: Parcel; attempt: Attempt | undefined }

/** Tells whether there may be more to do at once. */
export async function deliverRound({ database, outgoing, lease, signal }: Round): Promise<boolean> {
  const progress = await findProgress(database, lease)
  if (progress === undefined) return false
  const due = await findDue(database, progress)
  // Where much is due already, what is new can wait where it is.
  const fresh = due.ids.length < mostDue ? await findFresh(database, progress, mostFresh) : { rows: [], end: progress }
  const parcels = parcelsOf(fresh.rows)
  const open = await findOpen(database, progress, [...new Set(parcels.map(({ resource_id }) => resource_id))])
  const waiting = parcels.filter(({ resource_id }) => open.has(resource_id))
  const chains = [...due.chains, ...chainsOf(parcels.filter(({ resource_id }) => !open.has(resource_id)))]
  if (due.ids.length === 0 && fresh.rows.length === 0 && !progress.waking) return false
  const results = await sendChains(chains, (parcel) => send(outgoing, progress, parcel), signal)
  await database.transaction((tx) => record(tx, { lease, end: fresh.end, results, waiting, due }))
  return true
}

/** Sends chains side by side and each chain in order; what comes behind a failure, or too late, is not sent. */
async function sendChains(chains: readonly Parcel[][], send: (parcel: Parcel) => Promise<Attempt>, signal: AbortSignal): Promise<Result[]> {
  const results: Result[] = []
  const deadline = performance.now() + round_ms
  let next = 0
  const carry = async () => {
    for (let chain = chains[next++]; chain !== undefined; chain = chains[next++]) {
      let broken = false
      for (const parcel of chain) {
        const attempt: Attempt | undefined = broken || signal.aborted || performance.now() > deadline ? undefined : await send(parcel)
        broken = attempt === undefined || attempt.failure !== null
        results.push({ parcel, attempt })
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(mostUnderWay, chains.length) }, carry))
  return results
}

async function send(outgoing: Outgoing, progress: Progress, parcel: Parcel): Promise<Attempt> {
  const at = new Date()
  const start = performance.now()
  try {
    const body = bodyOf(progress.venture_id, parcel)
    const { status, body: answer } = await outgoing.post(progress.url, {
      headers: headersOf(progress, parcel.event_id, body, at),
      body,
      lane: progress.endpoint_id,
    })
    const delivered = status >= 200 && status < 300
    return {
      at: at.toISOString(),
      response_status: status,
      duration_ms: Math.round(performance.now() - start),
      response_body: answer.slice(0, keptAnswer_chars),
      failure: delivered ? null : `The answer was ${status}, not 2xx.`,
    }
  } catch (error) {
    if (!(error instanceof DeliveryFailure)) throw error
    const duration_ms = Math.round(performance.now() - start)
    return { at: at.toISOString(), response_status: null, duration_ms, response_body: null, failure: error.message }
  }
}

/** The event as `GET /events/{id}` shows it. `data` is put in as the text that was written with the event. */
function bodyOf(venture_id: string, { event_id, event_type, timestamp, sequence, data }: Parcel): string {
  return `{"id":"${event_id}","type":"${event_type}","timestamp":"${timestamp}","venture_id":"${venture_id}","sequence":${sequence},"data":${data}}`
}

function headersOf(
  { secret, previous_secret, previous_secret_until }: Progress,
  id: string,
  body: string,
  at: Date,
): Record<string, string> {
  const secrets = previous_secret !== null && at.toISOString() < String(previous_secret_until) ? [secret, previous_secret] : [secret]
  return { 'content-type': 'application/json', 'user-agent': 'Vostro-Webhooks/1', ...signedHeaders(secrets, { id, body, at }) }
}

type Findings = {
  lease: Lease
  end: Position
  results: readonly Result[]
  /** New, but an earlier event of the same resource is still open. */
  waiting: readonly Parcel[]
  due: Due
}

async function record(tx: Tx, { lease, end, results, waiting, due }: Findings): Promise<void> {
  const attempts = results.flatMap(({ attempt }) => (attempt === undefined ? [] : [attempt]))
  const succeeded = attempts.some(({ failure }) => failure === null)
  const failed = attempts.length > 0 && !succeeded
  // The endpoint is locked before its progress, as by those who change it; and only if it may have to be disabled.
  const row = failed ? await lockEndpoint(tx, { venture_id: lease.venture_id, id: lease.endpoint_id }) : undefined
  const current = (await lockProgress(tx, lease)) ?? refuseRound()
  const isBack = succeeded && (current.failing_for_ms ?? 0) > wakingAfter_ms
  const waking = (isBack || (current.waking && !failed)) && (await wakeSome(tx, lease))
  // What was not tried stays as it is, if it is there already.
  const tried = results.filter(({ parcel, attempt }) => attempt !== undefined || parcel.fresh)
  const standings = [...tried.map(standingOf), ...waiting.map((parcel) => ({ ...parcel, ...unsent }))]
  insertDeliveries(tx, lease, standings)
  updateDeliveries(tx, lease, standings)
  const open = standings.filter(({ status }) => status === 'PENDING').map(({ resource_id }) => resource_id)
  putInOrder(tx, lease, { ids: due.ids, resources: [...new Set([...due.resources, ...open])] })
  const isNewRun = (current.failed_ago_ms ?? 0) > longestDelay_ms
  const run = succeeded ? 'ended' : failed ? (isNewRun ? 'new run' : 'failing') : 'as it was'
  writeProgress(tx, lease, { ...end, run, waking })
  const disabled_reason = failed ? reasonToDisable(attempts, isNewRun ? 0 : (current.failing_for_ms ?? 0)) : undefined
  if (disabled_reason !== undefined && row?.status === 'ACTIVE') await change(tx, row, { status: 'DISABLED', disabled_reason })
}

function refuseRound(): never {
  throw new LeaseLost()
}

/** A success tells that the receiver is back if there was none for a while; one that comes at once only tells that not all fails. */
const wakingAfter_ms = 1_000

/** Due when it is the earliest open one of its resource, which `putInOrder` finds out. */
const unsent = { status: 'PENDING', wait_ms: null } as const

/** Of very many attempts, made by hand, the last ones are kept. */
const mostAttempts = 25

function standingOf({ parcel, attempt }: Result): Standing {
  if (attempt === undefined) return { ...parcel, ...unsent }
  const attempts = [...parcel.attempts, attempt].slice(-mostAttempts)
  if (attempt.failure === null) return { ...parcel, attempts, tries: parcel.tries + 1, status: 'DELIVERED', wait_ms: null }
  // Tried before its time: the schedule goes on as if nothing had been.
  if (parcel.woken) return { ...parcel, ...unsent, attempts }
  const tries = parcel.tries + 1
  const wait_ms = waitAfter(tries) ?? null
  return { ...parcel, attempts, tries, status: wait_ms === null ? 'FAILED' : 'PENDING', wait_ms }
}

function reasonToDisable(attempts: readonly Attempt[], failing_for_ms: number): string | undefined {
  if (attempts.some(({ response_status }) => response_status === 410)) return 'The receiver answered 410 Gone.'
  return failing_for_ms >= patience_ms ? 'Every delivery failed for five days.' : undefined
}
