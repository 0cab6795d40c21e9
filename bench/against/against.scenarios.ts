// The load on both versions. Everything uses HTTP, the only interface that all versions share.
import { openBenchAccounts, orderOf } from '../accounts.ts'
import { type LoadResult, type LoadSpec, load, requireStatus } from '../load/load.ts'
import type { ScenarioName } from './against.options.ts'
import type { RunningService } from './against.service.ts'

export type LoadRun = (seconds: number) => Promise<LoadResult>

const createAccounts = 100
const filledAccounts = 20
/** Transfers created between two progress updates. */
const portion = 1_000
const idsNeeded = 2_000
/** Transfers that are moved back and forth. */
const moved = 1_000
const listLimit = 50

const transfersPath = '/api/v1/transfers'

/** One venture that creates transfers and another with a history, so that new transfers do not appear in the measured lists. */
export async function prepareScenarios(
  service: RunningService,
  { transfers, onCreated, signal }: { transfers: number; onCreated: (count: number) => void; signal: AbortSignal },
): Promise<Record<ScenarioName, LoadRun>> {
  const { port, within } = service
  const run = async (spec: Omit<LoadSpec, 'port'>, status: string): Promise<LoadResult> => {
    const result = await load({ ...spec, port }, signal)
    requireStatus(result, status)
    return result
  }
  const creating = await service.registerVenture()
  const bodies = (await openBenchAccounts(service, creating, createAccounts)).map(orderOf)
  const filled = await service.registerVenture()
  const orders = (await openBenchAccounts(service, filled, Math.min(filledAccounts, transfers))).map(orderOf)
  // Opening an account creates one transfer.
  for (let done = orders.length; done < transfers; ) {
    const paths: string[] = Array(Math.min(portion, transfers - done)).fill(transfersPath)
    await run({ connections: 64, seconds: 3_600, method: 'POST', paths, keys: [filled.api_key], bodies: orders, once: true }, '201')
    done += paths.length
    onCreated(paths.length)
  }
  const ids = await newestIds(service, filled.api_key)
  const moving = await service.registerVenture()
  const moves = await openMoves(service, moving, run)
  const gets = ids.map((id) => `${transfersPath}/${id}`)
  const lists = ids.filter((_, index) => index % listLimit === 0).map((id) => `${transfersPath}?limit=${listLimit}&after=${id}`)
  const keys = [filled.api_key]
  const paths = ['/api/v1/venture']
  const cookie = await signIn(service, filled.id)
  // A version without sessions is measured with a key instead: a session should cost no more.
  const headers = cookie === undefined ? {} : { headers: { cookie, 'vostro-venture': filled.id } }
  return {
    key: (seconds) => within('key', run({ connections: 64, seconds, method: 'GET', paths, keys }, '200')),
    session: (seconds) => within('session', run({ connections: 64, seconds, method: 'GET', paths, keys, ...headers }, '200')),
    get: (seconds) => within('get', run({ connections: 64, seconds, method: 'GET', paths: gets, keys }, '200')),
    list: (seconds) => within('list', run({ connections: 16, seconds, method: 'GET', paths: lists, keys }, '200')),
    create: (seconds) =>
      within('create', run({ connections: 64, seconds, method: 'POST', paths: [transfersPath], keys: [creating.api_key], bodies }, '201')),
    move: (seconds) => within('move', moves(seconds)),
  }
}

type Send = (spec: Omit<LoadSpec, 'port'>, status: string) => Promise<LoadResult>

/** Puts transfers on hold and releases them, repeatedly. Each round moves every transfer once, so that none overtakes another. */
async function openMoves(service: RunningService, venture: { id: string; api_key: string }, run: Send): Promise<LoadRun> {
  const common = { connections: 64, seconds: 3_600, keys: [venture.api_key], once: true }
  const bodies = (await openBenchAccounts(service, venture, createAccounts)).map(orderOf)
  await run({ ...common, method: 'POST', paths: Array(moved).fill(transfersPath), bodies }, '201')
  const paths = (await newestIds(service, venture.api_key)).slice(0, moved).map((id) => `${transfersPath}/${id}`)
  let next = 'ON_HOLD'
  return async (seconds) => {
    const results: LoadResult[] = []
    for (const end = performance.now() + seconds * 1_000; performance.now() < end; next = next === 'ON_HOLD' ? 'CREATED' : 'ON_HOLD') {
      results.push(await run({ ...common, method: 'PUT', paths, bodies: [JSON.stringify({ status: next })] }, '200'))
    }
    return together(results)
  }
}

/** The results of rounds with the same number of requests. */
function together(results: readonly LoadResult[]): LoadResult {
  const mean = (of: (result: LoadResult) => number) => results.reduce((sum, result) => sum + of(result), 0) / results.length
  return {
    perSecond: 1 / mean(({ perSecond }) => 1 / perSecond),
    p50_ms: mean(({ p50_ms }) => p50_ms),
    p99_ms: mean(({ p99_ms }) => p99_ms),
    statuses: { '200': results.reduce((sum, { statuses }) => sum + (statuses['200'] ?? 0), 0) },
  }
}

/** The session cookie of a venture user; undefined if the version has no users. */
async function signIn({ port, adminKey }: RunningService, venture_id: string): Promise<string | undefined> {
  const send = (path: string, body: object, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const email = 'bench@example.com'
  const password = 'seven quiet rivers 42'
  const invited = await send('/venture/users', { email, role: 'viewer' }, { 'x-api-key': adminKey, 'vostro-venture': venture_id })
  if (invited.status === 404) return undefined
  const { url } = (await invited.json()) as { url: string }
  const fromConsole = { origin: new URL(url).origin, 'x-vostro-console': '1' }
  await send('/session/links', { secret: new URL(url).hash.slice(1), name: 'Bench', password }, fromConsole)
  const answer = await send('/session', { email, password }, fromConsole)
  if (!answer.ok) throw new Error(`nobody could sign in: ${await answer.text()}`)
  return answer.headers.getSetCookie()[0]?.split(';')[0]
}

async function newestIds(service: RunningService, key: string): Promise<string[]> {
  const ids: string[] = []
  for (let after = ''; ids.length < idsNeeded; after = `&after=${ids.at(-1)}`) {
    const page = (await service.call(key, 'GET', `${transfersPath}?limit=100${after}`)) as unknown as { id: string }[]
    ids.push(...page.map(({ id }) => id))
    if (page.length < 100) break
  }
  return ids
}
