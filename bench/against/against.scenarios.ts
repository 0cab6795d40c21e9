// The load that both versions get. Everything goes over HTTP, the only interface that all versions share.
import { openBenchAccounts, orderOf } from '../accounts.ts'
import { type LoadResult, type LoadSpec, load, requireStatus } from '../load/load.ts'
import type { ScenarioName } from './against.options.ts'
import type { RunningService } from './against.service.ts'

export type LoadRun = (seconds: number) => Promise<LoadResult>

const createAccounts = 100
const filledAccounts = 20
/** How many transfers are created between two progress updates. */
const portion = 1_000
const idsNeeded = 2_000
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
  // Opening an account creates one.
  for (let done = orders.length; done < transfers; ) {
    const paths: string[] = Array(Math.min(portion, transfers - done)).fill(transfersPath)
    await run({ connections: 64, seconds: 3_600, method: 'POST', paths, keys: [filled.api_key], bodies: orders, once: true }, '201')
    done += paths.length
    onCreated(paths.length)
  }
  const ids = await newestIds(service, filled.api_key)
  const gets = ids.map((id) => `${transfersPath}/${id}`)
  const lists = ids.filter((_, index) => index % listLimit === 0).map((id) => `${transfersPath}?limit=${listLimit}&after=${id}`)
  const keys = [filled.api_key]
  return {
    get: (seconds) => within('get', run({ connections: 64, seconds, method: 'GET', paths: gets, keys }, '200')),
    list: (seconds) => within('list', run({ connections: 16, seconds, method: 'GET', paths: lists, keys }, '200')),
    create: (seconds) =>
      within('create', run({ connections: 64, seconds, method: 'POST', paths: [transfersPath], keys: [creating.api_key], bodies }, '201')),
  }
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
