// The options of `npm run bench:against`.
import { parseArgs } from 'node:util'

export const scenarioNames = ['get', 'list', 'create', 'move', 'key', 'session'] as const
export type ScenarioName = (typeof scenarioNames)[number]

export type Options = { commit: string; only: readonly ScenarioName[]; pairs: number; seconds: number; transfers: number }

/** Why nothing can be compared, as one sentence. */
export class CannotCompare extends Error {}

export const usage = `npm run bench:against -- COMMIT [--only NAME]... [--pairs N] [--seconds N] [--transfers N]

Compares this checkout with another commit, side by side on this machine.

  --only NAME     only this scenario (${scenarioNames.join(', ')}); may be repeated
  --pairs N       pairs of back-to-back measurements; default 20, fewer than 6 decide nothing
  --seconds N     duration of each measurement; default 3
  --transfers N   existing transfers; default 20000
  --help          show this text

Exit code 0 if nothing failed, 1 if a scenario failed, 2 if nothing could be compared.`

const flags = {
  only: { type: 'string', multiple: true, default: [] as string[] },
  pairs: { type: 'string', default: '20' },
  seconds: { type: 'string', default: '3' },
  transfers: { type: 'string', default: '20000' },
  help: { type: 'boolean', default: false },
} as const

/** Returns undefined for --help. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values, positionals } = parse(args)
  if (values.help) return undefined
  const [commit, surplus] = positionals
  if (commit === undefined) throw new CannotCompare('Name the commit to compare with: npm run bench:against -- COMMIT')
  if (surplus !== undefined) throw new CannotCompare(`Name one commit only: ${commit} and ${surplus} are two.`)
  const unknown = values.only.find((name) => !scenarioNames.some((scenario) => scenario === name))
  if (unknown !== undefined) throw new CannotCompare(`There is no scenario ${unknown}: choose from ${scenarioNames.join(', ')}.`)
  return {
    commit,
    only: scenarioNames.filter((name) => values.only.length === 0 || values.only.includes(name)),
    pairs: numberIn('--pairs', values.pairs, { from: 1, to: 1_000, whole: true }),
    seconds: numberIn('--seconds', values.seconds, { from: 0.1, to: 3_600, whole: false }),
    transfers: numberIn('--transfers', values.transfers, { from: 1, to: 10_000_000, whole: true }),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true })
  } catch (error) {
    // The first sentence is the error; later ones give advice about options that begin with a dash.
    throw new CannotCompare(`${(error as Error).message.split('. ')[0]}.`)
  }
}

function numberIn(name: string, text: string, { from, to, whole }: { from: number; to: number; whole: boolean }): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (value >= from && value <= to && (!whole || Number.isInteger(value))) return value
  throw new CannotCompare(`${name} is "${text}", but must be a ${whole ? 'whole number' : 'number'} from ${from} to ${to}.`)
}
