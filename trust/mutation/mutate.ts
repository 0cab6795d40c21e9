// npm run mutate: makes small changes to the product, one at a time, and shows which of them no test notices. See --help.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { barOf, redraw } from '../../server/src/platform/progress.ts'
import { globalSetup, globalTeardown } from '../../server/src/testing/testing.setup.ts'
import { filesOf } from '../../tests/tests.files.ts'
import { Coverage } from './mutation.coverage.ts'
import { explanationOf } from './mutation.explained.ts'
import { diffOf, survivorsOf, tableOf } from './mutation.report.ts'
import { Results } from './mutation.results.ts'
import { mutatedFolders, type Sampled, sample } from './mutation.sample.ts'
import { root } from './mutation.source.ts'
import { tryMutants } from './mutation.ts'

const usage = `npm run mutate -- [options]

Changes the product in small ways, one at a time and only while it is loaded, and runs the tests that call what is changed.

  --sample N       so many mutants, the same number from each folder (400)
  --seed N         the same seed chooses the same mutants of the same sources (1)
  --folder TEXT    a folder of server/src; may be given several times (${mutatedFolders.join(', ')})
  --resume         tries what is left, and again what has survived the tests of the last time, if there are other tests now
  --tests N        at most so many test files for each mutant (10)
  --processes N    how many run at the same time (2)
  --list           shows the mutants, and runs nothing
  --keep FOLDER    where results and coverage are kept (node_modules/.cache/mutation)
  --help           this text

The first run also learns which functions each test file calls, which takes as long as npm test. Exit code 0 if every mutant was noticed or is
explained, 1 if one was not, 2 if the options are wrong.`

class UsageError extends Error {}

function wholeNumber(text: string, name: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`--${name} takes a whole number from 1 on, not ${text}`)
  return Number(text)
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      sample: { type: 'string', default: '400' },
      seed: { type: 'string', default: '1' },
      folder: { type: 'string', multiple: true, default: [...mutatedFolders] },
      resume: { type: 'boolean', default: false },
      tests: { type: 'string', default: '10' },
      processes: { type: 'string', default: '2' },
      list: { type: 'boolean', default: false },
      keep: { type: 'string', default: join(root, 'node_modules/.cache/mutation') },
      help: { type: 'boolean', default: false },
    },
  })
  const { sample: size, seed, tests, processes, ...rest } = values
  const numbers = { size: wholeNumber(size, 'sample'), seed: wholeNumber(seed, 'seed'), tests: wholeNumber(tests, 'tests') }
  return { ...rest, ...numbers, processes: wholeNumber(processes, 'processes') }
}

type Wanted = ReturnType<typeof readOptions>

/** The tests of the service that `npm test` runs. */
function testFilesFor(folders: readonly string[]): string[] {
  const outside = folders.filter((folder) => folder.startsWith('trust/'))
  if (outside.length === folders.length) return outside.flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root }))
  return filesOf(root, false).flatMap(({ name }) => (name.startsWith('server/src/') ? [name] : []))
}

function sampled({ folder, size, seed }: Wanted): Sampled[] {
  try {
    return sample(folder, size, seed)
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message)
    throw error
  }
}

async function run(wanted: Wanted, mutants: readonly Sampled[]): Promise<boolean> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const results = new Results(join(wanted.keep, `seed-${wanted.seed}.jsonl`), wanted.resume)
  const coverage = new Coverage(join(wanted.keep, 'calls.jsonl'))
  // A mutant may damage its database, so it gets its own server.
  // biome-ignore lint/style/noProcessEnv: the setting is not read here, but hidden from the tests.
  delete process.env['DATABASE_URL']
  const files = testFilesFor(wanted.folder)
  const needsBank = files.some((file) => !file.startsWith('trust/'))
  if (needsBank) await globalSetup()
  try {
    await coverage.learn(files, wanted.processes, stop.signal, (file) => console.error(`coverage recorded: ${file}`))
    for (const { file, passed } of coverage.all) if (!passed) console.error(`fails without a mutant, so it is not used: ${file}`)
    let done = 0
    await tryMutants(mutants, {
      covered: coverage.all,
      tests: wanted.tests,
      atOnce: wanted.processes,
      results,
      stop: stop.signal,
      tell: (mutant, { state, by }) => {
        done++
        const bar = `${barOf({ done, of: mutants.length })} ${done} of ${mutants.length}`
        if (process.stderr.isTTY) redraw(bar)
        else console.error(`${done} of ${mutants.length}  ${state.padEnd(8)}  ${mutant.path}:${mutant.line}  ${by}`)
      },
    })
  } finally {
    if (needsBank) await globalTeardown()
  }
  if (process.stderr.isTTY) process.stderr.write('\n')
  const tried = mutants.map((mutant) => ({ mutant, result: results.find(mutant.id) }))
  console.log(`${survivorsOf(tried)}\n\n${tableOf(tried)}`)
  if (stop.signal.aborted) console.log('\nStopped. --resume continues.')
  return tried.every(({ mutant, result }) => result !== undefined && (result.state !== 'survived' || explanationOf(mutant) !== undefined))
}

try {
  const wanted = readOptions()
  if (wanted.help) console.log(usage)
  else {
    const mutants = sampled(wanted)
    if (wanted.list) for (const mutant of mutants) console.log(diffOf(mutant))
    else process.exitCode = (await run(wanted, mutants)) ? 0 : 1
  }
} catch (error) {
  const isUsage = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true
  console.error(isUsage ? `${(error as Error).message}\n\n${usage}` : error)
  process.exitCode = 2
}
