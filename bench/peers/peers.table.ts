// The table of a comparison, as docs/performance.md has it.
import { type Peer, type ScenarioName, scenarioNames } from './peers.peer.ts'

export type Measured = { peer: string; scenario: ScenarioName; perSecond: number; p50_ms: number }

type Comparison = {
  peers: readonly Pick<Peer, 'name' | 'version'>[]
  measured: readonly Measured[]
  /** In MB, by the name of the peer. */
  memory: ReadonlyMap<string, number>
  rounds: number
  seconds: number
  /** The share of CPU time that the host gave to others. */
  stolen: number
  machine: string
}

const caveats = [
  'A transaction of a peer is no order: it has no screening, no limits, no derived parties and no event for each venture. Vostro checks a key in each request; the peers run without authentication.',
  'A create of Vostro orders a transfer; the money moves when it is processed. A transaction of a peer moves it at once.',
  'Blnk answers synchronously here (`skip_queue`); its default queue answers before anything is stored.',
  'Blnk and version 2 of Formance get bulks over one connection, because several bulks refuse each other at Blnk (423, the balances are locked). Requests that were refused because of the load do not count.',
  'Version 3 of Formance has no SQL: an alpha with a log and a store of its own, as one node. Its bulks run with their default, which is not atomic; its atomic bulks are faster.',
  'Each acknowledged write was counted in the database afterwards. Vostro has a PostgreSQL of its own, the peers share another one with the same settings, and whoever is not measured is idle.',
]

export function tableOf({ peers, measured, memory, rounds, seconds, stolen, machine }: Comparison): string {
  const cell = (scenario: ScenarioName, { name }: Pick<Peer, 'name'>) => {
    const found = measured.find((one) => one.scenario === scenario && one.peer === name)
    if (found === undefined) return '–'
    return scenario.endsWith('1 connection') ? `${found.p50_ms.toFixed(2)} ms` : `${Math.round(found.perSecond).toLocaleString('en')}/s`
  }
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const shown = scenarioNames.filter((scenario) => measured.some((one) => one.scenario === scenario))
  return [
    row(['Scenario', ...peers.map(({ name, version }) => `${name} ${version}`)]),
    row(['---', ...peers.map(() => '---')]),
    ...shown.map((scenario) => row([scenario, ...peers.map((peer) => cell(scenario, peer))])),
    row(['memory of the process afterwards', ...peers.map(({ name }) => `${Math.round(memory.get(name) ?? 0)} MB`)]),
    '',
    `Medians of ${rounds} rounds of ${seconds} s, in turn; 64 connections unless said; ${machine}; ${(stolen * 100).toFixed(1)} % of the CPU time stolen.`,
    '',
    ...caveats.map((caveat) => `- ${caveat}`),
    '',
  ].join('\n')
}
