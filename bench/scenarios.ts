// The scenarios of the benchmark, each with its baseline.
import { openBenchAccounts, orderOf, verified } from './accounts.ts'
import { type BenchAccount, prepareBare, runBare } from './bare.ts'
import { median, type Run, type Scenario } from './figures.ts'
import { fillVisibly } from './fill.ts'
import { type LoadSpec, load, requireStatus } from './load/load.ts'
import { type CountingReceiver, startReceiver } from './load/receiver.process.ts'
import { processing } from './processing.ts'
import { rails } from './rails.ts'
import type { Setup } from './setup.ts'

type Venture = { id: string; api_key: string }
type Sizes = { accounts: number; ventures: number; transfers: number; moves: number; rows: number }
type Prepared = { scenarios: Scenario[]; close(): void }

const life = ['RESERVED', 'READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED', 'COMPLETED'].map((status) => JSON.stringify({ status }))

/** Sets up only what the selected scenarios need. */
export async function prepare(setup: Setup, sizes: Sizes, wanted: (name: string) => boolean): Promise<Prepared> {
  const venture = await setup.registerVenture()
  console.error(`opening ${sizes.accounts} accounts`)
  const accounts = await openBenchAccounts(setup, venture, sizes.accounts)
  await prepareBare(setup.postgres.ownerUrl, accounts)
  const filling = await openFilled(setup, sizes, accounts)
  const parts = [
    ...http(setup, venture),
    ...creating(setup, venture, accounts),
    ...reading(setup, venture, filling),
    ...lists(setup, filling),
    ...(await lives(setup, venture, accounts, wanted('life of an INTERNAL transfer'))),
    ...(await moving(setup, venture, accounts, wanted('move') ? sizes.moves : 0)),
    ...(await processing(
      setup,
      { create: create(setup, [venture.api_key], accounts.map(orderOf), 64), accounts: accounts.length },
      wanted,
    )),
    ...(await rails(
      setup,
      {
        create: create(setup, [venture.api_key], accounts.map(orderOf), 64),
        accounts: accounts.length,
        rows: sizes.rows,
      },
      wanted,
    )),
    ...(wanted('1,000 ventures mixed') ? [await mixed(setup, venture, accounts, sizes.ventures)] : []),
  ]
  const receiver = wanted('create, webhooks on') ? await startReceiver() : undefined
  if (receiver !== undefined) parts.push(await webhooks(setup, venture, accounts, receiver))
  return { scenarios: parts.filter(({ name }) => wanted(name)), close: () => receiver?.close() }
}

function measured(setup: Setup, spec: Omit<LoadSpec, 'port' | 'seconds'>, status: string): Run {
  return async (seconds) => {
    const result = await load({ ...spec, port: setup.port, seconds })
    requireStatus(result, status)
    return result
  }
}

const get = (setup: Setup, { api_key }: Venture, paths: string[], connections = 64) =>
  measured(setup, { connections, method: 'GET', paths, keys: [api_key] }, '200')

const create = (setup: Setup, keys: string[], bodies: string[], connections: number) =>
  measured(setup, { connections, method: 'POST', paths: ['/api/v1/transfers'], keys, bodies }, '201')

/** Counts orders, not requests. */
function bulk(setup: Setup, api_key: string, orders: readonly string[], { size, connections }: { size: number; connections: number }): Run {
  // Each request uses the accounts that follow those of the previous one.
  const bodies = orders.map((_, first) => {
    const some = Array.from({ length: size }, (_, index) => orders[(first * size + index) % orders.length]?.replace('{n}', `{n}-${index}`))
    return `{"transfers":[${some.join()}]}`
  })
  const run = measured(setup, { connections, method: 'POST', paths: ['/api/v1/transfers/bulk'], keys: [api_key], bodies }, '200')
  return async (seconds) => {
    const { perSecond, ...figures } = await run(seconds)
    return { ...figures, perSecond: perSecond * size }
  }
}

function http(setup: Setup, venture: Venture): Scenario[] {
  const bodies = [JSON.stringify({ ...verified, email: 'ada.{n}@example.com' })]
  const register = (path: string) =>
    measured(setup, { connections: 64, method: 'POST', paths: [path], keys: [venture.api_key], bodies }, '201')
  return [
    { name: 'key check', run: get(setup, venture, ['/api/v1/venture']), baselines: { 'no database': get(setup, venture, ['/fixed']) } },
    {
      name: 'client registration',
      run: register('/api/v1/clients/person'),
      baselines: { 'no database, same body': register('/fixed/clients/person') },
    },
  ]
}

function creating(setup: Setup, { api_key }: Venture, accounts: readonly BenchAccount[]): Scenario[] {
  const bodies = accounts.map(orderOf)
  const bare =
    (clients: number): Run =>
    (seconds) =>
      runBare(setup.postgres.ownerUrl, { accounts: accounts.length, clients, seconds })
  const many = create(setup, [api_key], bodies, 64)
  return [
    {
      name: 'create, 1 connection',
      run: create(setup, [api_key], bodies, 1),
      baselines: { 'pgbench, 1 client': bare(1) },
      compares: 'p50',
    },
    { name: 'create, 64 connections', run: many, baselines: { 'pgbench, 64 clients': bare(64), 'pgbench, 32 clients': bare(32) } },
    { name: 'create, 256 connections', run: create(setup, [api_key], bodies, 256), baselines: { 'pgbench, 64 clients': bare(64) } },
    { name: 'create, one hot account', run: create(setup, [api_key], bodies.slice(0, 1), 64), baselines: { 'many accounts': many } },
    {
      name: 'bulk of 100, per order',
      run: bulk(setup, api_key, bodies, { size: 100, connections: 32 }),
      baselines: { 'single creates': many },
    },
    // With more connections, most requests would time out waiting.
    {
      name: 'bulk of 1,000, per order',
      run: bulk(setup, api_key, bodies, { size: 1_000, connections: 8 }),
      baselines: { 'single creates': many },
    },
  ]
}

/** A separate venture with a history, so that transfers created elsewhere do not appear in its lists. */
type Filled = { venture: Venture; accounts: BenchAccount[]; deep: string; ids: string[] }

async function openFilled(setup: Setup, { transfers }: Sizes, others: readonly BenchAccount[]): Promise<Filled> {
  const venture = await setup.registerVenture()
  const accounts = await openBenchAccounts(setup, venture, Math.min(20, others.length))
  await fillVisibly(setup.postgres.ownerUrl, accounts, transfers)
  const list = async (query: string) =>
    (await setup.call(venture.api_key, 'GET', `/api/v1/transfers?${query}`)) as unknown as { id: string }[]
  const [deep] = await list('limit=1&date_to=2025-11-20')
  const ids: string[] = []
  for (let after = ''; ids.length < 2_000; after = `&after=${ids.at(-1)}`) {
    const page = await list(`limit=100${after}`)
    ids.push(...page.map(({ id }) => id))
    if (page.length < 100) break
  }
  return { venture, accounts, deep: deep?.id ?? '', ids }
}

function reading(setup: Setup, venture: Venture, filled: Filled): Scenario[] {
  return [
    {
      name: 'get',
      run: get(
        setup,
        filled.venture,
        filled.ids.map((id) => `/api/v1/transfers/${id}`),
      ),
      baselines: {
        'no database, same answer': get(setup, venture, ['/fixed/transfer']),
        'no database': get(setup, venture, ['/fixed']),
      },
    },
  ]
}

function lists(setup: Setup, { venture, accounts, deep }: Filled): Scenario[] {
  const [first] = accounts
  const queries: Record<string, string> = {
    'list, page one': '/transfers',
    'list, deep page': `/transfers?after=${deep}`,
    'list, offset 1,000': '/transfers?offset=1000',
    'list of an account': `/accounts/${first?.account_id}/transfers`,
    'list, beneficiary': `/transfers?beneficiary_id=${first?.beneficiary_id}`,
    'list, direction': '/transfers?direction=INBOUND',
    'list, common status': '/transfers?status=COMPLETED',
    'list, rare status': '/transfers?status=TO_RETURN',
    'list, rare type': '/transfers?transfer_type=PAYMENT_RETURN',
    'list, method': '/transfers?method=DOMESTIC',
    'list, method, none': '/transfers?method=SDD',
    'list, common currency': '/transfers?currency=EUR',
    'list, rare currency': '/transfers?currency=CHF',
    'list, recent dates': '/transfers?date_from=2026-10-01',
    'list, dates long ago': '/transfers?date_from=2025-11-10&date_to=2025-11-11',
    'search, one': '/transfers?search=invoice%20777777',
    'search, few': '/transfers?search=c4ca4238a0b9',
    'search, many': '/transfers?search=invoice',
    'search, none': '/transfers?search=nothing-like-it',
    'search, two letters': '/transfers?search=zz',
  }
  return Object.entries(queries).map(([name, path]) => ({ name, run: get(setup, venture, [`/api/v1${path}`], 1) }))
}

/** Each account pays the next one, so that two transfers often need the same accounts in a different order. */
async function lives(setup: Setup, { api_key }: Venture, accounts: readonly BenchAccount[], wanted: boolean): Promise<Scenario[]> {
  if (!wanted) return []
  const bodies: string[] = []
  for (const [index, { client_id, account_id }] of accounts.entries()) {
    const next = accounts[(index + 1) % accounts.length]
    const { account_number } = await setup.call(api_key, 'GET', `/api/v1/accounts/${next?.account_id}`)
    const { id } = await setup.call(api_key, 'POST', '/api/v1/beneficiaries', {
      client_id,
      name: 'Ada Lovelace',
      beneficiary_type: 'PERSON',
      iban: account_number,
    })
    bodies.push(JSON.stringify({ account_id, beneficiary_id: id, unique_reference: 'life-{n}', debit_amount: '1.00' }))
  }
  const spec = { connections: 64, method: 'POST' as const, paths: ['/api/v1/transfers'], keys: [api_key], bodies, moves: life }
  const bare: Run = (seconds) =>
    runBare(setup.postgres.ownerUrl, { accounts: accounts.length, clients: 64, seconds, script: 'bare.life.sql' })
  return [{ name: 'life of an INTERNAL transfer', run: measured(setup, spec, '200'), baselines: { 'pgbench, the same writes': bare } }]
}

/** Moves each transfer once. Nothing can be repeated, so the run ends with the last one. */
async function moving(setup: Setup, { api_key }: Venture, accounts: readonly BenchAccount[], count: number): Promise<Scenario[]> {
  if (count === 0) return []
  let paths: string[] = []
  const makePaths = async () => {
    paths = []
    for (let done = 0; done < count; done += 100) {
      const made = await Promise.all(
        Array.from({ length: 100 }, (_, index) => {
          const text = orderOf(accounts[(done + index) % accounts.length] as BenchAccount)
          return setup.call(api_key, 'POST', '/api/v1/transfers', JSON.parse(text.replace('{n}', `move-${Math.random()}`)))
        }),
      )
      paths.push(...made.map(({ id }) => `/api/v1/transfers/${id}`))
    }
  }
  const move = (status: string): Run => {
    const bodies = [JSON.stringify({ status })]
    return () => measured(setup, { connections: 64, method: 'PUT', paths, keys: [api_key], bodies, once: true }, '200')(120)
  }
  const way = ['RESERVED', 'READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED', 'READY_TO_CLEAR', 'SENT_TO_CLEAR', 'COMPLETED']
  return way.map((status) => ({
    name: `move to ${status}`,
    run: move(status),
    ...(status === 'RESERVED' ? { settle: makePaths } : {}),
  }))
}

async function mixed(setup: Setup, { api_key }: Venture, accounts: readonly BenchAccount[], count: number): Promise<Scenario> {
  console.error(`registering ${count} ventures`)
  const keys: string[] = []
  const bodies: string[] = []
  for (let done = 0; done < count; done += 20) {
    await Promise.all(
      Array.from({ length: Math.min(20, count - done) }, async () => {
        const venture = await setup.registerVenture()
        const [account] = await openBenchAccounts(setup, venture, 1)
        keys.push(venture.api_key)
        bodies.push(orderOf(account as BenchAccount))
      }),
    )
  }
  return {
    name: '1,000 ventures mixed',
    run: create(setup, keys, bodies, 64),
    baselines: { 'one venture': create(setup, [api_key], accounts.map(orderOf), 64) },
  }
}

async function webhooks(setup: Setup, venture: Venture, accounts: readonly BenchAccount[], receiver: CountingReceiver): Promise<Scenario> {
  const heard = await setup.registerVenture()
  const bodies = (await openBenchAccounts(setup, heard, accounts.length)).map(orderOf)
  await setup.call(heard.api_key, 'POST', '/api/v1/webhook-endpoints', { url: receiver.url })
  const run = create(setup, [heard.api_key], bodies, 64)
  const rates: number[] = []
  return {
    name: 'create, webhooks on',
    baselines: { 'webhooks off': create(setup, [venture.api_key], accounts.map(orderOf), 64) },
    async run(seconds) {
      const before = await receiver.arrived()
      const figures = await run(seconds)
      rates.push(((await receiver.arrived()) - before) / seconds)
      return figures
    },
    /** Waits until no more deliveries arrive. */
    async settle() {
      for (let last = -1, now = await receiver.arrived(); now !== last; now = await receiver.arrived()) {
        last = now
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    },
    note: () => `${Math.round(median(rates))} deliveries/s meanwhile`,
  }
}
