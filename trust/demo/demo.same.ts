// Creates the demo bank several times from one seed, each in an empty database, and reports differences.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { digestOf } from '../../server/src/sandbox/demo/sandbox.demo.ts'
import { createDatabase, onServers, type TestServer, urlOf } from '../../server/src/testing/testing.server.ts'

export type Size = 'full' | 'small'
export type Order = { ownerUrl: string; serviceUrl: string; seed: number; size: Size }
/** `digest`: when the bank was full. `lines`: its rows a moment later. */
export type MadeBank = { digest: string; lines: string[] }
export type Compared = { run: number; rows: number; took_s: number; digest: string; differences: string[] }
export type Plan = { seed: number; size: Size; runs: number; busy: (run: number) => boolean; signal?: AbortSignal }

const script = fileURLToPath(new URL('demo.bank.ts', import.meta.url))

/** Compares each bank with the first one, as soon as it is there. */
export async function* compareBanks(server: TestServer, { runs, busy, signal, ...wanted }: Plan): AsyncGenerator<Compared> {
  let first: readonly string[] | undefined
  for (let run = 1; run <= runs; run++) {
    const begun_ms = performance.now()
    const { digest, lines } = await withLoads(busy(run), () => makeBank(server, { ...wanted, name: `demo_${process.pid}_${run}` }, signal))
    first ??= lines
    const differences = differencesOf(first, lines)
    if (digestOf(lines) !== digest) differences.push('It has changed since it was full.')
    yield { run, digest, rows: lines.length, took_s: (performance.now() - begun_ms) / 1000, differences }
  }
}

/** Rows that only one of two banks has. Rows may repeat. */
export function differencesOf(first: readonly string[], other: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of first) counts.set(line, (counts.get(line) ?? 0) + 1)
  for (const line of other) counts.set(line, (counts.get(line) ?? 0) - 1)
  const uneven = [...counts].filter(([, count]) => count !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
  return uneven.map(([line, count]) => `${count > 0 ? 'only the first' : 'only this one'}: ${line}`)
}

async function makeBank(
  server: TestServer,
  { name, ...wanted }: Omit<Order, 'ownerUrl' | 'serviceUrl'> & { name: string },
  signal?: AbortSignal,
) {
  await onServers(server, (creator) => createDatabase(creator, name, server.template))
  try {
    const order: Order = { ownerUrl: urlOf(server.ownerUrl, name), serviceUrl: urlOf(server.serviceUrl, name), ...wanted }
    return await told(fork(script, [JSON.stringify(order)], { execArgv: [], ...(signal && { signal }) }))
  } finally {
    await onServers(server, (creator) => creator.query(`drop database ${name} with (force)`))
  }
}

async function told(child: ChildProcess): Promise<MadeBank> {
  let made: MadeBank | undefined
  child.once('message', (message) => {
    made = message as MadeBank
  })
  const [code] = await once(child, 'exit')
  if (made === undefined || code !== 0) throw new Error(`The demo bank could not be made: its process has ended with ${code}.`)
  return made
}

/** With twice as many busy processes as processors. */
async function withLoads<Result>(wanted: boolean, work: () => Promise<Result>): Promise<Result> {
  const count = wanted ? 2 * availableParallelism() : 0
  // They end with this process in any case.
  const endless = `process.stdin.on('close', () => process.exit()).resume(); setImmediate(function again() { for (const end = Date.now() + 200; Date.now() < end;); setImmediate(again) })`
  const loads = Array.from({ length: count }, () => spawn(process.execPath, ['-e', endless], { stdio: ['pipe', 'ignore', 'ignore'] }))
  try {
    return await work()
  } finally {
    for (const load of loads) load.kill('SIGKILL')
  }
}
