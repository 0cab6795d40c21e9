// Whether one venture can slow down another: gets and creates of one, alternately alone and during the worst searches of another.
import { openBenchAccounts, orderOf } from '../accounts.ts'
import type { BenchAccount } from '../bare.ts'
import { fillVisibly } from '../fill.ts'
import { type LoadResult, load } from '../load/load.ts'
import type { Setup } from '../setup.ts'

export type Sizes = {
  /** Transfers of the searching venture, all on one account. */
  transfers: number
  /** Concurrent searches. */
  searches: number
  /** Connections of the other venture, for gets and for creates. */
  connections: number
  rounds: number
  seconds: number
}

/** `searches`: undefined without the other venture's load. */
export type Round = { gets: LoadResult; creates: LoadResult; searches: LoadResult | undefined }

export type Measured = { alone: Round[]; beside: Round[] }

export async function measureTenants(setup: Setup, sizes: Sizes): Promise<Measured> {
  const searching = await setup.registerVenture()
  const [account] = await openBenchAccounts(setup, searching, 1)
  if (account === undefined) throw new Error('no account was opened')
  await fillVisibly(setup.postgres.ownerUrl, [account], sizes.transfers)
  const other = await setup.registerVenture()
  const others = await openBenchAccounts(setup, other, 20)
  const transfers = (await setup.call(other.api_key, 'GET', '/api/v1/transfers?limit=100')) as unknown as { id: string }[]

  const { port } = setup
  const { connections, seconds } = sizes
  const ofOther = { port, keys: [other.api_key], connections, seconds }
  const round = async (withSearches: boolean): Promise<Round> => {
    const [searches, gets, creates] = await Promise.all([
      withSearches
        ? load({ port, keys: [searching.api_key], connections: sizes.searches, seconds, method: 'GET', paths: worstLists(account, sizes) })
        : undefined,
      load({ ...ofOther, method: 'GET', paths: transfers.map(({ id }) => `/api/v1/transfers/${id}`) }),
      load({ ...ofOther, method: 'POST', paths: ['/api/v1/transfers'], bodies: others.map(orderOf) }),
    ])
    return { gets, creates, searches }
  }

  // Warm-up.
  await round(false)
  await round(true)
  const measured: Measured = { alone: [], beside: [] }
  for (let number = 0; number < sizes.rounds; number++) {
    // Alternating order, so that a drifting machine favours neither.
    for (const withSearches of number % 2 === 0 ? [false, true] : [true, false]) {
      measured[withSearches ? 'beside' : 'alone'].push(await round(withSearches))
    }
  }
  return measured
}

/** Lists without an index: searches of one or two characters without a match, contradictory filters, large offsets. */
export function worstLists({ account_id, beneficiary_id }: BenchAccount, { transfers }: Pick<Sizes, 'transfers'>): string[] {
  const far = Math.floor(transfers * 0.9)
  const queries = [
    'search=q',
    'search=zz',
    `offset=${far}`,
    `direction=INBOUND&method=CARD&offset=${Math.floor(far / 24)}`,
    `direction=INBOUND&beneficiary_id=${beneficiary_id}`,
  ]
  // Concurrent requests for the same list share one read, so there are as many different lists as concurrent searches.
  return [50, 49, 48, 47].flatMap((limit) =>
    queries.flatMap((query) => [
      `/api/v1/transfers?${query}&limit=${limit}`,
      `/api/v1/accounts/${account_id}/transfers?${query}&limit=${limit}`,
    ]),
  )
}

/** The number of responses by status, over all rounds. */
export function statusesOf(results: readonly (LoadResult | undefined)[]): Record<string, number> {
  const all: Record<string, number> = {}
  for (const result of results)
    for (const [status, count] of Object.entries(result?.statuses ?? {})) all[status] = (all[status] ?? 0) + count
  return all
}
