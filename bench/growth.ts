// Measures whether the service stays fast as it grows: the same requests to services with ten thousand, a million and five million
// transfers of one venture. They run side by side and are measured in turn, because a slower machine an hour later would look like growth.
//   npm run bench:growth
//   npm run bench:growth -- --sizes 10000,100000 --rounds 9
//   npm run bench:growth -- --sizes 10000,1000000 --only console
import { openBenchAccounts, orderOf } from './accounts.ts'
import { type Figures, median } from './figures.ts'
import { fillNames, fillVisibly } from './fill.ts'
import { flagsOf } from './flags.ts'
import { type LoadSpec, load, requireStatus } from './load/load.ts'
import { signIn } from './people.ts'
import { type Setup, withSetup } from './setup.ts'

const values = flagsOf('npm run bench:growth -- [--sizes N,N...] [--rounds N] [--seconds N] [--only WORD]', {
  sizes: { type: 'string', default: '10000,1000000,5000000' },
  rounds: { type: 'string', default: '8' },
  seconds: { type: 'string', default: '2' },
  only: { type: 'string', default: '' },
})
const sizes = values.sizes.split(',').map(Number)
const rounds = Number(values.rounds)

/** The maximum factor between the slowest console page with the most and with the fewest transfers. */
const bound = 1.3

type Ask = () => Promise<Figures>

/** Every request to a service whose database has `size` transfers. */
async function questionsTo(setup: Setup, size: number): Promise<Record<string, Ask>> {
  const venture = await setup.registerVenture()
  const accounts = await openBenchAccounts(setup, venture, 50)
  await fillVisibly(setup.postgres.ownerUrl, accounts, size)
  await fillNames(setup.postgres.ownerUrl, venture.id, size / 100)
  const list = async (query: string) =>
    (await setup.call(venture.api_key, 'GET', `/api/v1/transfers?${query}`)) as unknown as { id: string }[]
  const page = await list('limit=100')
  const [deep] = await list('limit=1&date_to=2025-11-20')
  const bodies = accounts.map(orderOf)
  const measured =
    (spec: Omit<LoadSpec, 'port' | 'seconds' | 'keys'>, status = '200'): Ask =>
    async () => {
      const result = await load({ ...spec, keys: [venture.api_key], port: setup.port, seconds: Number(values.seconds) })
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
    ...(await consoleQuestions(setup, { venture, size, newest: page[0]?.id ?? '' }, measured)),
  }
}

type About = { venture: { id: string }; size: number; newest: string }
type Measured = (spec: Omit<LoadSpec, 'port' | 'seconds' | 'keys'>) => Ask

/** What the console requests: filtered lists, Ctrl-K, searches, and the overview. */
async function consoleQuestions(setup: Setup, { venture, size, newest }: About, measured: Measured): Promise<Record<string, Ask>> {
  const person = await signIn(setup)
  const asked = (path: string, headers: Record<string, string>) =>
    measured({ connections: 1, method: 'GET', paths: [`/api/v1${path}`], headers: { ...person, ...headers } })
  const ofVenture = (path: string) => asked(path, { 'vostro-venture': venture.id })
  const list = (query = '') => ofVenture(`/transfers?limit=50${query}`)
  // There is only one of these among ten thousand; a full page would compare one row with fifty.
  const rare = (query: string) => ofVenture(`/transfers?limit=1&status=REVIEW${query}`)
  const reference = `fill-${size / 2}`
  return {
    'console, first page': list(),
    'console, status': list('&status=COMPLETED'),
    'console, rare status': rare(''),
    'console, method': list('&method=SEPA'),
    'console, method of none': list('&method=SDD'),
    'console, direction': list('&direction=INBOUND'),
    'console, currency': list('&currency=EUR'),
    'console, three days': list('&date_from=2026-03-01&date_to=2026-03-03'),
    'console, from a day on': list('&date_from=2026-10-20'),
    'console, status and method': list('&status=COMPLETED&method=SWIFT'),
    'console, rare status and method': rare('&method=INST'),
    'console, status, method and dates': list('&status=COMPLETED&method=CARD&date_from=2026-01-01&date_to=2026-06-30'),
    'console, transfers of the bank': asked('/operator/transfers?limit=50&status=COMPLETED', {}),
    'console, rare ones of the bank': asked('/operator/transfers?limit=1&status=REVIEW', {}),
    'console, find a reference': ofVenture(`/find?text=${reference}`),
    'console, find an id': ofVenture(`/find?text=${newest}`),
    // First those of one client and one beneficiary, then the start of the list.
    'console, find a name': ofVenture('/find?text=name%20ckcakijoagbp'),
    'console, find many names': ofVenture('/find?text=name'),
    'console, find an IBAN': ofVenture('/find?text=DE89370400440532013000'),
    'console, find an amount': ofVenture('/find?text=10.00'),
    'console, find nothing': ofVenture('/find?text=nothing-like-it'),
    'console, find as the bank': asked(`/operator/find?text=${reference}`, {}),
    'search in the console, reference': list(`&search=${reference}`),
    'search in the console, name': list('&search=c4ca4238a0b9'),
    // Reads the new rows, at most ten thousand transfers.
    'overview in the console': ofVenture('/statistics'),
  }
}

/** Opens a service for each size, nested. */
async function withEach(left: readonly number[], asked: readonly Record<string, Ask>[]): Promise<void> {
  const [size, ...others] = left
  if (size === undefined) return compare(asked)
  await withSetup(async (setup) => withEach(others, [...asked, await questionsTo(setup, size)]))
}

async function compare(asked: readonly Record<string, Ask>[]): Promise<void> {
  console.log(`\n${''.padEnd(34)}${sizes.map((size) => size.toLocaleString('en').padStart(22)).join('')}   last against first`)
  const slow: string[] = []
  for (const name of Object.keys(asked[0] ?? {}).filter((name) => name.includes(values.only))) {
    const taken: Figures[][] = asked.map(() => [])
    // Warm-up.
    for (let round = 0; round <= rounds; round++) {
      // In alternating order, because background work left by one slows down the next.
      const inTurn = [...asked.entries()]
      for (const [index, questions] of round % 2 === 0 ? inTurn : inTurn.reverse()) {
        const figures = await (questions[name] as Ask)()
        if (round > 0) taken[index]?.push(figures)
      }
    }
    const { line, ratio } = resultOf(name, taken)
    console.log(line)
    if (name.startsWith('console,') && ratio > bound) slow.push(name)
  }
  if (slow.length > 0) {
    console.log(`\nmore than ${bound} × the time: ${slow.join('; ')}`)
    process.exitCode = 1
  }
}

function resultOf(name: string, taken: readonly Figures[][]): { line: string; ratio: number } {
  const middle = (figures: readonly Figures[], field: keyof Figures) => median(figures.map((one) => one[field]))
  const cells = taken.map((figures) =>
    `${middle(figures, 'perSecond').toFixed(0)}/s ${middle(figures, 'p50_ms').toFixed(1)} ms`.padStart(22),
  )
  const [first = [], last = []] = [taken[0], taken.at(-1)]
  const isRate = name.startsWith('create')
  // By round, so that a disturbance affects both sides of a ratio.
  const ratios = last.map((one, round) => {
    const other = first[round] ?? one
    return isRate ? one.perSecond / other.perSecond : one.p50_ms / other.p50_ms
  })
  const ratio = median(ratios)
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
  return { ratio, line: `${name.padEnd(34)}${cells.join('')}   ${ratio.toFixed(2)} × ${isRate ? 'as fast' : 'the time'} (${range})` }
}

await withEach(sizes, [])
