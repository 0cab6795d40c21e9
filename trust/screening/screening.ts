// Evaluates the score on names that were not used to tune it, and prints the table of docs/screening.md.
//   npm run screening:evaluate
//   npm run screening:evaluate -- --part tuning
//   npm run screening:evaluate -- --format OFAC --file sdn=sdn.csv --file alt=alt.csv
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { importList, type ListFormat, listFormats } from '../../server/src/screening/lists/screening.formats.ts'
import type { Entry } from '../../server/src/screening/screening.entries.ts'
import { evaluate, type Part, parts, tableOf, usualSizes } from './screening.evaluate.ts'

const help = `Evaluates the screening of names: recall by kind of change, and false alarms, at several thresholds.

  npm run screening:evaluate                                                    the held-out part of invented names
  npm run screening:evaluate -- --part tuning                                   the part on which constants may be tuned
  npm run screening:evaluate -- --format OFAC --file sdn=sdn.csv --file alt=alt.csv    a list; formats: ${listFormats.join(', ')}
  npm run screening:evaluate -- --names 30000 --probes 2000 --strangers 5000    sizes`

const options = {
  part: { type: 'string', default: 'held-out' },
  format: { type: 'string' },
  file: { type: 'string', multiple: true, default: [] as string[] },
  names: { type: 'string', default: String(usualSizes.names) },
  probes: { type: 'string', default: String(usualSizes.probes) },
  strangers: { type: 'string', default: String(usualSizes.strangers) },
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

async function main(): Promise<number> {
  const asked = read()
  if (asked === undefined) return 2
  if (asked.help) {
    console.log(help)
    return 0
  }
  const { part, format, file, names, probes, strangers } = asked
  const sizes = { names: Number(names), probes: Number(probes), strangers: Number(strangers) }
  if (!(parts as readonly string[]).includes(part) || Object.values(sizes).some((size) => !(size >= 1))) {
    console.error(`--part is one of ${parts.join(', ')}; sizes are whole numbers`)
    return 2
  }
  const given = format === undefined ? undefined : await entriesOf(format, file)
  if (typeof given === 'string') {
    console.error(given)
    return 2
  }
  console.log(
    `${part} part of ${given === undefined ? `${sizes.names} invented names` : `a list of ${given.length} entries (${format})`}\n`,
  )
  console.log(tableOf(evaluate(part as Part, sizes, given)))
  return 0
}

process.exitCode = await main()
