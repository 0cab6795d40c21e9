// Evaluates name screening: what it finds, its false alarms, and what an upgrade to the current rule changes.
//   npm run screening:evaluate                                     the first table of docs/screening.md
//   npm run screening:evaluate -- --curve                          the tables about disguises
//   npm run screening:evaluate -- --pairs cases.csv
//   npm run screening:evaluate -- --live
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadEnvFile, processEnvironment, readSettings } from '../../server/src/platform/config.ts'
import { platformConfig, platformSettings } from '../../server/src/platform/platform.settings.ts'
import { barOf, redraw } from '../../server/src/platform/progress.ts'
import { withSentence } from '../../server/src/platform/startup-error.ts'
import { importList, type ListFormat, listFormats } from '../../server/src/screening/lists/screening.formats.ts'
import { ListRefusal } from '../../server/src/screening/lists/screening.refusal.ts'
import type { Entry } from '../../server/src/screening/screening.entries.ts'
import { algorithm } from '../../server/src/screening/screening.score.ts'
import { screeningConfig, screeningSettings } from '../../server/src/screening/screening.settings.ts'
import { openDatabase } from '../../server/src/verify/verify.ts'
import { type CurveSizes, curveTables, drawCurve, usualCurve } from './screening.curve.ts'
import { evaluate, type Part, parts, tableOf, usualSizes } from './screening.evaluate.ts'
import { findNewHits, liveReport } from './screening.live.ts'
import { evaluatePairs, pairsReport, readPairs } from './screening.pairs.ts'
import { previous } from './screening.rules.ts'

const help = `Evaluates the screening of names.

  npm run screening:evaluate                                                    what is found and raised by mistake, on the held-out part of invented names
  npm run screening:evaluate -- --part tuning                                   on the part on which constants may be tuned
  npm run screening:evaluate -- --format OFAC --file sdn=sdn.csv --file alt=alt.csv    on a list; formats: ${listFormats.join(', ')}
  npm run screening:evaluate -- --names 30000 --probes 2000 --strangers 5000    sizes

These compare the present rule with the one before:

  npm run screening:evaluate -- --curve                    disguises of the sandbox list, or of a list that is given, and payees who are not listed
  npm run screening:evaluate -- --curve --disguises 10000 --payees 100000       sizes
  npm run screening:evaluate -- --pairs cases.csv          pairs of names; columns: schema, name1, name2, is_match
  npm run screening:evaluate -- --live                     the clients and beneficiaries of the configured database; it only reads`

const options = {
  part: { type: 'string', default: 'held-out' },
  format: { type: 'string' },
  file: { type: 'string', multiple: true, default: [] as string[] },
  names: { type: 'string', default: String(usualSizes.names) },
  probes: { type: 'string', default: String(usualSizes.probes) },
  strangers: { type: 'string', default: String(usualSizes.strangers) },
  curve: { type: 'boolean', default: false },
  disguises: { type: 'string', default: String(usualCurve.disguises) },
  payees: { type: 'string', default: String(usualCurve.payees) },
  pairs: { type: 'string' },
  live: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

function read() {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    console.error((error as Error).message)
    return undefined
  }
}

async function entriesOf(format: string, files: readonly string[]): Promise<readonly Entry[] | string> {
  if (!(listFormats as readonly string[]).includes(format)) return `There is no format ${format}: ${listFormats.join(', ')}`
  const pairs = files.map((file) => (file.includes('=') ? file.split('=', 2) : ['list', file]) as [string, string])
  const contents = await Promise.all(pairs.map(async ([part, path]) => [part, new Uint8Array(await readFile(path))] as const))
  const result = await importList(format as ListFormat, Object.fromEntries(contents))
  return result.ok ? result.entries : result.refusal
}

const sandbox = new URL('../../server/src/screening/lists/screening.sandbox.csv', import.meta.url)

type Progress = { done: number; of: number }

/** In a terminal on one line, elsewhere a line for each tenth. */
function progressShower(): (progress: Progress, words: string) => void {
  let tenth = -1
  return ({ done, of }, words) => {
    if (process.stderr.isTTY) return redraw(`${barOf({ done, of })} ${words}`)
    const before = tenth
    tenth = Math.floor((10 * done) / of)
    if (tenth > before) process.stderr.write(`${words}\n`)
  }
}

function print(report: string): void {
  if (process.stderr.isTTY) redraw('')
  console.log(report)
}

async function curve(given: readonly Entry[] | undefined, sizes: CurveSizes): Promise<number> {
  const entries = given ?? (await entriesOf('OPENSANCTIONS', [fileURLToPath(sandbox)]))
  if (typeof entries === 'string') throw new Error(entries)
  const show = progressShower()
  const drawn = await drawCurve(entries, sizes, (progress) => show(progress, `${progress.done} of ${progress.of} names`))
  print(`A list of ${entries.length} entries. Where the two rules differ: ${previous} → ${algorithm}\n\n${curveTables(drawn)}`)
  return 0
}

async function pairs(path: string): Promise<number> {
  try {
    console.log(pairsReport(await evaluatePairs(readPairs(await readFile(path, 'utf8'), basename(path)))))
    return 0
  } catch (error) {
    if (!(error instanceof ListRefusal) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    console.error((error as Error).message)
    return 2
  }
}

async function live(): Promise<number> {
  loadEnvFile()
  const environment = processEnvironment()
  const { screenedCountries } = screeningConfig(readSettings(screeningSettings, environment))
  const { url, close } = await openDatabase(
    platformConfig(readSettings(platformSettings, environment)),
    'npm run screening:evaluate -- --live',
  )
  const show = progressShower()
  try {
    const found = await findNewHits(url, screenedCountries, (progress) =>
      show(progress, `${progress.compared} clients and beneficiaries compared, venture ${progress.done + 1} of ${progress.of}`),
    )
    print(liveReport(found))
    return 0
  } finally {
    await close()
  }
}

async function main(): Promise<number> {
  const asked = read()
  if (asked === undefined) return 2
  if (asked.help) {
    console.log(help)
    return 0
  }
  const { part, format, file, names, probes, strangers, disguises, payees } = asked
  const sizes = { names: Number(names), probes: Number(probes), strangers: Number(strangers) }
  const curveSizes = { disguises: Number(disguises), payees: Number(payees) }
  const isWhole = (size: number) => Number.isSafeInteger(size) && size >= 1
  if (!(parts as readonly string[]).includes(part) || ![...Object.values(sizes), ...Object.values(curveSizes)].every(isWhole)) {
    console.error(`--part is one of ${parts.join(', ')}; sizes are whole numbers`)
    return 2
  }
  if ([asked.curve, asked.live, asked.pairs !== undefined].filter(Boolean).length > 1) {
    console.error('--curve, --pairs and --live are asked for one at a time')
    return 2
  }
  if (asked.live) return live()
  if (asked.pairs !== undefined) return pairs(asked.pairs)
  const given = format === undefined ? undefined : await entriesOf(format, file)
  if (typeof given === 'string') {
    console.error(given)
    return 2
  }
  if (asked.curve) return curve(given, curveSizes)
  console.log(
    `${part} part of ${given === undefined ? `${sizes.names} invented names` : `a list of ${given.length} entries (${format})`}\n`,
  )
  console.log(tableOf(evaluate(part as Part, sizes, given)))
  return 0
}

await withSentence(async () => {
  process.exitCode = await main()
})
