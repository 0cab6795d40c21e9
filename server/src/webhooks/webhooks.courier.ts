// One round of deliveries to one endpoint: takes what is new and what is due, sends it, and records what became of it in one transaction.
// If the process dies in between, the round is repeated by another: a delivery may arrive twice, never not at all.
import type { Database, Tx } from '../platform/database.ts'
import { DeliveryFailure, type Outgoing } from '../platform/outgoing.ts'
import { sign } from '../platform/standard-webhooks.ts'
import {
  chainsOf,
  findDue,
  findFresh,
  findOpen,
  findProgress,
  mostResources,
  type Parcel,
  type Position,
  type Progress,
  parcelsOf,
} from './webhooks.parcels.ts'
import { insertDeliveries, lockProgress, putInOrder, type Standing, updateDeliveries, wakeSome, writeProgress } from './webhooks.records.ts'
import { patience_ms, waitAfter } from './webhooks.schedule.ts'
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
  endpoint: { venture_id: string; endpoint_id: string; owner: string }
  /** Aborted when the endpoint is no longer what it was when the round began. */
  signal: AbortSignal
}

/** Nothing was written down; whoever delivers to the endpoint now repeats the round. */
export class LeaseLost extends Error {}

type Result = { parcel: Parcel; attempt: Attempt | undefined }

/** Tells whether there may be more to do at once. */
export async function deliverRound({ database, outgoing, endpoint, signal }: Round): Promise<boolean> {
  const progress = await findProgress(database, endpoint)
  if (progress === undefined) return false
  const due = await findDue(database, progress)
  // Where much is due already, what is new can wait where it is.
  const fresh = due.resources.length < mostResources ? await findFresh(database, progress, mostFresh) : { rows: [], end: progress }
  const parcels = parcelsOf(fresh.rows)
  const open = await findOpen(database, progress, [...new Set(parcels.map(({ resource_id }) => resource_id))])
  const waiting = parcels.filter(({ resource_id }) => open.has(resource_id))
  const chains = [...due.chains, ...chainsOf(parcels.filter(({ resource_id }) => !open.has(resource_id)))]
  const results = await sendChains(chains, (parcel) => send(outgoing, progress, parcel), signal)
  const nothing = chains.length === 0 && due.resources.length === 0 && fresh.rows.length === 0 && !progress.waking
  if (nothing) return false
  await database.transaction((tx) => record(tx, { ...endpoint, progress, end: fresh.end, results, waiting, resources: due.resources }))
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
    const { status, body: answer } = await outgoing.post(progress.url, { headers: headersOf(progress, parcel.event_id, body, at), body })
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
  const timestamp = Math.floor(at.getTime() / 1000)
  const secrets = previous_secret !== null && at.toISOString() < String(previous_secret_until) ? [secret, previous_secret] : [secret]
  return {
    'content-type': 'application/json',
    'user-agent': 'Vostro-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((one) => sign(one, { id, timestamp, body })).join(' '),
  }
}

type Findings = {
  venture_id: string
  endpoint_id: string
  owner: string
  progress: Progress
  end: Position
  results: readonly Result[]
  /** New, but an earlier event of the same resource is still open. */
  waiting: readonly Parcel[]
  /** Whose open deliveries this round looked at. */
  resources: readonly string[]
}

async function record(tx: Tx, findings: Findings): Promise<void> {
  const { venture_id, endpoint_id, owner, progress, end, results, waiting, resources } = findings
  const now = Date.now()
  const endpoint = { venture_id, endpoint_id }
  const attempts = results.flatMap(({ attempt }) => (attempt === undefined ? [] : [attempt]))
  // The endpoint is locked before its progress, as by those who change it; and seldom, because they should not have to wait.
  const mayEnd = reasonToDisable(attempts, progress.failing_since, now) !== undefined
  const row = mayEnd ? await lockEndpoint(tx, { venture_id, id: endpoint_id }) : undefined
  // As it is now: the endpoint may have been enabled again since the round began.
  const current = (await lockProgress(tx, { ...endpoint, owner })) ?? refuseRound()
  const succeeded = attempts.some(({ failure }) => failure === null)
  const since = current.failing_since ?? (attempts.length > 0 ? new Date(now).toISOString() : null)
  const failing_since = succeeded ? null : since
  const isBack = succeeded && since !== null && now - Date.parse(since) > wakingAfter_ms
  const isStillAway = attempts.length > 0 && !succeeded && progress.waking
  const waking = (isBack || (current.waking && !isStillAway)) && (await wakeSome(tx, endpoint))
  writeProgress(tx, endpoint, { ...end, failing_since, waking })
  const standings = [...results.map((result) => standingOf(result, now)), ...waiting.map((parcel) => ({ ...parcel, ...unsent }))]
  insertDeliveries(tx, endpoint, standings, now)
  updateDeliveries(tx, endpoint, standings)
  const open = standings.filter(({ status }) => status === 'PENDING').map(({ resource_id }) => resource_id)
  putInOrder(tx, endpoint, [...new Set([...resources, ...open])])
  const disabled_reason = reasonToDisable(attempts, failing_since, now)
  if (disabled_reason !== undefined && row?.status === 'ACTIVE') await change(tx, row, { status: 'DISABLED', disabled_reason })
}

function refuseRound(): never {
  throw new LeaseLost()
}

/** A success tells that the receiver is back if there was none for a while; one that comes at once only tells that not all fails. */
const wakingAfter_ms = 1_000

/** Due when it is the earliest open one of its resource, which `putInOrder` finds out. */
const unsent = { status: 'PENDING', next_attempt_at: null, delivered_at: null } as const

function standingOf({ parcel, attempt }: Result, now: number): Standing {
  if (attempt === undefined) return { ...parcel, ...unsent }
  const attempts = [...parcel.attempts, attempt]
  const at = (time_ms: number) => new Date(time_ms).toISOString()
  if (attempt.failure === null) {
    return {
      ...parcel,
      attempts,
      status: 'DELIVERED',
      tries: parcel.tries + 1,
      next_attempt_at: null,
      planned_at: null,
      delivered_at: at(now),
    }
  }
  // Woken before its time: the schedule goes on as if nothing had been tried.
  if (parcel.planned_at !== null && attempt.at < parcel.planned_at) {
    return { ...parcel, attempts, status: 'PENDING', next_attempt_at: parcel.planned_at, delivered_at: null }
  }
  const tries = parcel.tries + 1
  const wait_ms = waitAfter(tries)
  const planned_at = wait_ms === undefined ? null : at(now + wait_ms)
  const status = planned_at === null ? 'FAILED' : 'PENDING'
  return { ...parcel, attempts, tries, status, next_attempt_at: planned_at, planned_at, delivered_at: null }
}

function reasonToDisable(attempts: readonly Attempt[], failing_since: string | null, now: number): string | undefined {
  if (attempts.some(({ response_status }) => response_status === 410)) return 'The receiver answered 410 Gone.'
  const given_up = attempts.length > 0 && failing_since !== null && now - Date.parse(failing_since) >= patience_ms
  return given_up ? 'Every delivery failed for five days.' : undefined
}
