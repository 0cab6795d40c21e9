// Compares the results of the model, one worker and two workers for the same scripts.

import type { ManagedBank } from '../../../server/src/testing/testing.managed.ts'
import { checkInvariants } from '../../../server/src/verify/verify.ts'
import { type Script, scriptOf } from './simulation.script.ts'
import { playModel, playService } from './simulation.sides.ts'

type Comparison = {
  bank: ManagedBank
  first: number
  seeds: number
  /** Replaces the planner of the model, to prove that a difference is noticed. */
  advance?: Parameters<typeof playModel>[2]
  onProgress?: (done: number) => void
}

/** Two sides come to different results. */
export class Difference extends Error {
  readonly seed: number

  constructor(seed: number, what: string) {
    super(`seed ${seed}, ${what}`)
    this.seed = seed
  }
}

/** Few enough that everything due fits into one batch of a worker. */
const together = 16

/** What was seen, as proof of coverage: each status in which a transfer rested, and each kind of case. */
export type Seen = ReadonlyMap<string, number>

/** Plays scripts and requires the same report from all sides. Returns what was seen. */
export async function compareWorkers({ bank, first, seeds, advance, onProgress = () => {} }: Comparison): Promise<Seen> {
  const seen = new Map<string, number>()
  for (let done = 0; done < seeds; done += together) {
    const scripts = Array.from({ length: Math.min(together, seeds - done) }, (_, index) => scriptOf(first + done + index))
    await compare(bank, scripts, advance, seen)
    onProgress(done + scripts.length)
  }
  const broken = (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0)
  if (broken.length > 0)
    throw new Error(`an invariant is broken: ${broken.map(({ name, examples }) => `${name}, such as ${examples[0]}`).join('; ')}`)
  return seen
}

async function compare(
  bank: ManagedBank,
  scripts: readonly Script[],
  advance: Comparison['advance'],
  seen: Map<string, number>,
): Promise<void> {
  const start = new Date()
  const alone = await playService(bank, scripts, { workers: 1, start })
  const competing = await playService(bank, scripts, { workers: 2, start })
  for (const [number, share] of competing.shares.entries()) count(seen, `worker ${number + 1}`, share)
  for (const [index, script] of scripts.entries()) {
    const model = playModel(script, start, advance)
    requireSame(script, { 'the model': model, 'one worker': alone.told[index] ?? [] })
    requireSame(script, { 'one worker': alone.told[index] ?? [], 'two workers': competing.told[index] ?? [] })
    for (const line of model) for (const word of wordsOf(line)) count(seen, word, 1)
  }
}

function count(seen: Map<string, number>, word: string, times: number): void {
  seen.set(word, (seen.get(word) ?? 0) + times)
}

function requireSame({ seed }: Script, told: Record<string, readonly string[]>): void {
  const [[one = '', first = []] = [], [other = '', second = []] = []] = Object.entries(told)
  const at = first.findIndex((line, index) => line !== second[index])
  if (at === -1 && first.length === second.length) return
  const round = first.slice(0, at + 1).findLast((line) => line.startsWith('round'))
  throw new Difference(seed, `${round}: ${one} and ${other} differ:\n  ${first[at]}\n  ${second[at]}`)
}

function wordsOf(line: string): string[] {
  const [, status, moves = '', cases = ''] = /^order \d+: (\w+) after (.*) \(\d+\), .*cases (.*)$/.exec(line) ?? []
  if (status === undefined) return []
  return [`stands ${status}`, ...moves.split(' ').map((move) => `moved ${move}`), ...cases.split(' ').map((kind) => `case ${kind}`)]
}
