// Measures how long other requests wait while the service processes a bulk request, with a repeated probe that needs no database.
//   npm run bench:bulk
import { openBenchAccounts, orderOf } from './accounts.ts'
import type { BenchAccount } from './bare.ts'
import { flagsOf } from './flags.ts'
import { withSetup } from './setup.ts'

const values = flagsOf(
  `npm run bench:bulk -- [--times N]

  --times N  repetitions of each request (default 20)`,
  { times: { type: 'string', default: '20' } },
)
const times = Number(values.times)
const limit_bytes = 2 * 2 ** 20

await withSetup(async (setup) => {
  const venture = await setup.registerVenture()
  const accounts = await openBenchAccounts(setup, venture, 50)
  let run = 0
  const order = (index: number) => orderOf(accounts[index % accounts.length] as BenchAccount).replace('{n}', `${run}-${index}`)
  const orders = (size: number, make: (index: number) => string) => Array.from({ length: size }, (_, index) => make(index)).join()
  /** The largest possible body, with orders that all have invalid fields. */
  const largest = () => {
    const text = (index: number) => JSON.stringify({ ...JSON.parse(order(index)), purpose: 'x'.repeat(1_850), unknown: index })
    return `{"atomic":false,"transfers":[${orders(1_000, text)}]}`.padEnd(limit_bytes)
  }
  const bodies: Record<string, () => string> = {
    nothing: () => '',
    'a single create': () => order(0),
    '2 MiB, 1,000 orders with wrong fields': largest,
    '2 MiB of {}': () => `{"transfers":[${'{},'.repeat(limit_bytes / 3 - 10)}{}]}`,
    '2 MiB that are no JSON': () => largest().replace('"transfers":[', '"transfers":[}'),
    '100 orders': () => `{"transfers":[${orders(100, order)}]}`,
    '1,000 orders': () => `{"transfers":[${orders(1_000, order)}]}`,
  }
  console.log('| Body | Its answer takes (median) | The longest wait of another request: median, largest |\n|---|---|---|')
  for (const [name, body] of Object.entries(bodies)) {
    const [took, waited]: [number[], number[]] = [[], []]
    for (run++; took.length < times; run++) {
      const probing = probe(setup.port)
      const start = performance.now()
      if (name === 'nothing') await new Promise((resolve) => setTimeout(resolve, 200))
      else await post(setup.port, name === 'a single create' ? '/api/v1/transfers' : '/api/v1/transfers/bulk', venture.api_key, body())
      took.push(performance.now() - start)
      waited.push(await probing.end())
    }
    const at = (list: number[], share: number) => list.toSorted((a, b) => a - b)[Math.ceil(list.length * share) - 1]?.toFixed(1)
    console.log(`| ${name} | ${at(took, 0.5)} ms | ${at(waited, 0.5)} ms, ${at(waited, 1)} ms |`)
  }
})

async function post(port: number, path: string, key: string, body: string): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
  await answer.arrayBuffer()
}

/** Sends requests one after the other until stopped, and returns the longest duration. */
function probe(port: number): { end(): Promise<number> } {
  let [ended, longest] = [false, 0]
  const probing = (async () => {
    while (!ended) {
      const start = performance.now()
      await (await fetch(`http://127.0.0.1:${port}/healthz`)).arrayBuffer()
      longest = Math.max(longest, performance.now() - start)
    }
  })()
  return {
    async end() {
      ended = true
      await probing
      return longest
    },
  }
}
