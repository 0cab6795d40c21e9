// Measures whether the service stays fast as it grows: the same requests to services with ten thousand, a million and five million
// transfers of one venture. They run side by side and are measured in turn, because a slower machine an hour later would look like growth.
//   npm run bench:growth
//   npm run bench:growth -- --sizes 10000,100000 --rounds 9
import { openBenchAccounts, orderOf } from './accounts.ts'
import { type Figures, median } from './figures.ts'
import { fillVisibly } from './fill.ts'
import { flagsOf } from './flags.ts'
import { type LoadSpec, load, requireStatus } from './load/load.ts'
import { type Setup, withSetup } from './setup.ts'

const values = flagsOf('npm run bench:growth -- [--sizes N,N...] [--rounds N]', {
  sizes: { type: 'string', default: '10000,1000000,5000000' },
  rounds: { type: 'string', default: '8' },
})
const sizes = values.sizes.split(',').map(Number)
const rounds = Number(values.rounds)

type Ask = () => Promise<Figures>

/** Every request to one service, whose database contains `size` transfers. */
async function questionsTo(setup: Setup, size: number): Promise<Record<string, Ask>> {
  const venture = await setup.registerVenture()
  const accounts = await openBenchAccounts(setup, venture, 50)
  await fillVisibly(setup.postgres.ownerUrl, accounts, size)
  const list = async (query: string) =>
    (await setup.call(venture.api_key, 'GET', `/api/v1/transfers?${query}`)) as unknown as { id: string }[]
  const page = await list('limit=100')
  const [deep] = await list('limit=1&date_to=2025-11-20')
  const bodies = accounts.map(orderOf)
  const measured =
    (spec: Omit<LoadSpec, 'port' | 'seconds' | 'keys'>, status = '200'): Ask =>
    async () => {
      const result = await load({ ...spec, keys: [venture.api_key], port: setup.port, seconds: 2 })
      requireStatus(result, status)
      return result
    }
  const alone = (path: string) => measured({ connections: 1, method: 'GET', paths: [`/api/v1${path}`] })
  return {
    'create, 64 connections': measured({ connections: 64, method: 'POST', paths: ['/api/v1/transfers'], bodies }, '201'),
    'get, 64 connections': measured({ connections: 64, method: 'GET', paths: page.map(({ id }) => `/api/v1/transfers/${id}`) }),
    'list, page one': alone('/transfers'),
    'list, deep page': alone(`/transfers?after=${deep?.id}`),
    'list, rare status': alone('/transfers?status=TO_RETURN'),
    'search, one': alone(`/transfers?search=invoice%20${size - 1}`),
    'search, few': alone('/transfers?search=c4ca4238a0b9'),
    'search, many': alone('/transfers?search=invoice'),
    'search, none': alone('/transfers?search=nothing-like-it'),
  }
}

/** Opens a service for each size, nested inside each other. */
async function withEach(left: readonly number[], asked: readonly Record<string, Ask>[]): Promise<void> {
  const [size, ...others] = left
  if (size === undefined) return compare(asked)
  await withSetup(async (setup) => withEach(others, [...asked, await questionsTo(setup, size)]))
}

async function compare(asked: readonly Record<string, Ask>[]): Promise<void> {
  console.log(`\n${''.padEnd(24)}${sizes.map((size) => size.toLocaleString('en').padStart(22)).join('')}   last against first`)
  for (const name of Object.keys(asked[0] ?? {})) {
    const taken: Figures[][] = asked.map(() => [])
    // The first round compiles the hot code and fills the caches.
    for (let round = 0; round <= rounds; round++) {
      // In alternating order, because the background work that one leaves behind slows down the next.
      const inTurn = [...asked.entries()]
      for (const [index, questions] of round % 2 === 0 ? inTurn : inTurn.reverse()) {
        const figures = await (questions[name] as Ask)()
        if (round > 0) taken[index]?.push(figures)
      }
    }
    console.log(lineOf(name, taken))
  }
}

function lineOf(name: string, taken: readonly Figures[][]): string {
  const middle = (figures: readonly Figures[], field: keyof Figures) => median(figures.map((one) => one[field]))
  const cells = taken.map((figures) =>
    `${middle(figures, 'perSecond').toFixed(0)}/s ${middle(figures, 'p50_ms').toFixed(1)} ms`.padStart(22),
  )
  const [first = [], last = []] = [taken[0], taken.at(-1)]
  const isRate = name.startsWith('create')
  // Round by round, so that a disturbance affects both sides of its ratio.
  const ratios = last.map((one, round) => {
    const other = first[round] ?? one
    return isRate ? one.perSecond / other.perSecond : one.p50_ms / other.p50_ms
  })
  return `${name.padEnd(24)}${cells.join('')}   ${median(ratios).toFixed(2)} × ${isRate ? 'as fast' : 'the time'}`
}

await withEach(sizes, [])
