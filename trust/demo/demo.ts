// Creates the demo bank many times from one seed and compares what its people see. Fails if two banks differ.
//   npm run demo:same
//   npm run demo:same -- --runs 20 --busy
//   npm run demo:same -- --seed 7 --size small
import { parseArgs } from 'node:util'
import { startServer } from '../../server/src/testing/testing.servers.ts'
import { compareBanks, type Plan, type Size } from './demo.same.ts'

const defaults = { runs: 20, seed: 1 }

const usage = `npm run demo:same -- [--runs N] [--seed N] [--size full|small] [--busy]

  --runs N   number of banks (default ${defaults.runs})
  --seed N   their seed (default ${defaults.seed})
  --size     full (default) as users get it, or small as in tests
  --busy     beside processes that occupy all processors
  --help     this text

Exits with 1 if one is not the same as the first one, and shows the rows that differ.`

/** So many rows say enough. */
const shown = 20

function planOf(args: string[]): Plan | 'help' {
  const word = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const { values } = parseArgs({ args, options: { runs: word, seed: word, size: word, busy: flag, help: flag } })
  if (values.help) return 'help'
  const number = (name: 'runs' | 'seed', least: number) => {
    const value = Number(values[name] ?? defaults[name])
    if (!Number.isSafeInteger(value) || value < least || value >= 2 ** 31)
      throw new RangeError(`--${name} must be a whole number from ${least} on`)
    return value
  }
  const size = values.size ?? 'full'
  if (size !== 'full' && size !== 'small') throw new RangeError('--size must be full or small')
  return { runs: number('runs', 2), seed: number('seed', 0), size: size satisfies Size, busy: () => values.busy === true }
}

async function compare(plan: Plan): Promise<boolean> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort())
  const server = await startServer('demo')
  let same = 0
  try {
    for await (const { run, rows, took_s, digest, differences } of compareBanks(
      { ...server, template: 'template1' },
      { ...plan, signal: stop.signal },
    )) {
      console.log(
        `${run} of ${plan.runs}: ${digest.slice(0, 12)}, ${rows} rows, ${took_s.toFixed(0)} s${differences.length > 0 ? ', NOT THE SAME' : ''}`,
      )
      for (const difference of differences.slice(0, shown)) console.log(`  ${difference}`)
      if (differences.length > shown) console.log(`  and ${differences.length - shown} more`)
      if (differences.length === 0) same++
    }
  } finally {
    await server.stop()
  }
  console.log(`${same} of ${plan.runs} are the same${plan.busy(1) ? ' on a busy machine' : ''} (seed ${plan.seed}, ${plan.size}).`)
  return same === plan.runs
}

try {
  const plan = planOf(process.argv.slice(2))
  if (plan === 'help') console.log(usage)
  else if (!(await compare(plan))) process.exitCode = 1
} catch (error) {
  if ((error as Error).name === 'AbortError') process.exit(130)
  if (!(error instanceof TypeError || error instanceof RangeError)) throw error
  console.error(`${error.message}\n\n${usage}`)
  process.exitCode = 2
}
