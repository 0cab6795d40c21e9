// The comparison as a table for docs/performance.md.
import { type Peer, type ScenarioName, scenarioNames } from './peers.peer.ts'

export type Measured = { peer: string; scenario: ScenarioName; perSecond: number; p50_ms: number }

type Comparison = {
  peers: readonly Pick<Peer, 'name' | 'version'>[]
  measured: readonly Measured[]
  /** In MB, by peer. */
  memory: ReadonlyMap<string, number>
  rounds: number
  seconds: number
  /** The share of CPU time that the host gave to other machines. */
  stolen: number
  machine: string
}

const caveats = [
  'A transaction of a peer is not an order: it has no screening, limits, derived parties or event per venture. Vostro checks a key in each request; the peers run without authentication.',
  'A create in Vostro orders a transfer, and the money moves during processing. A transaction of a peer moves money at once.',
  'Blnk answers synchronously here (`skip_queue`); its default queue answers before anything is stored.',
  'Blnk and version 2 of Formance get bulks over one connection, because concurrent bulks refuse each other at Blnk (423, locked balances). Requests refused because of the load do not count.',
  'Version 3 of Formance is an alpha with its own log and storage, without SQL, run as one node. Its bulks run with their default, which is not atomic; its atomic bulks are faster.',
  'Acknowledged writes were compared with the rows in the database. Vostro has its own PostgreSQL; the peers share another one with the same settings. While one is measured, the others are idle.',
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
