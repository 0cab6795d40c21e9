// Compares this service with other ledgers, in turn, on one machine and with the same load. README.md lists versions and configuration.
//   PEERS_BIN=/path/to/programs npm run bench:peers
//   PEERS_BIN=/path/to/programs npm run bench:peers -- --rounds 3 --seconds 3 --only bulk
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../server/src/platform/embedded/embedded.ts'
import { barOf, redraw } from '../../server/src/platform/progress.ts'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import { median } from '../figures.ts'
import { flagsOf } from '../flags.ts'
import { load, requireStatus } from '../load/load.ts'
import { keepResult, machine } from '../results.ts'
import { withSetup } from '../setup.ts'
import { machineTime, memoryOf } from '../usage.ts'
import { openBlnk } from './peers.blnk.ts'
import { openFormance, openFormance3 } from './peers.formance.ts'
import { type Peer, type ScenarioName, scenarioNames } from './peers.peer.ts'
import { settings } from './peers.settings.ts'
import { type Measured, tableOf } from './peers.table.ts'
import { openVostro } from './peers.vostro.ts'

const values = flagsOf(
  `PEERS_BIN=FOLDER npm run bench:peers -- [--only NAME]... [--rounds N] [--seconds N]

  PEERS_BIN      the folder with the programs: blnk with redis-server, formance-ledger, formance-ledger-3 (bench/peers/README.md)
  --only NAME    only scenarios whose names start with NAME; may be repeated
  --rounds N     per scenario and peer (default 3)
  --seconds N    per measurement (default 3)`,
  {
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
  },
)
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)]
const wanted = scenarioNames.filter((name) => values.only.length === 0 || values.only.some((begin) => name.startsWith(begin)))

await withSetup(async (setup) => {
  const folder = makeDataFolder('peers')
  const postgres = await startEmbeddedPostgres({ dataDir: folder })
  const peers: Peer[] = [await openVostro(setup)]
  try {
    const databaseUrl = (name: string) => createDatabase(postgres.ownerUrl, name)
    for (const open of [openBlnk, openFormance, openFormance3]) {
      const peer = await open({ bin: settings.bin, folder, databaseUrl })
      if (peer !== undefined) peers.push(peer)
    }
    console.error(`comparing ${peers.map(({ name, version }) => `${name} ${version}`).join(', ')}`)
    const before = await machineTime()
    const measured: Measured[] = []
    for (const [index, name] of wanted.entries()) {
      redraw(`${barOf({ done: index, of: wanted.length })} ${name}`)
      measured.push(...(await compare(peers, name)))
    }
    process.stderr.write('\n')
    const after = await machineTime()
    const stolen = (after.stolen - before.stolen) / (after.all - before.all)
    const memory = new Map(await Promise.all(peers.map(async ({ name, pid }) => [name, await memoryOf(pid)] as const)))
    const table = tableOf({ peers, measured, memory, rounds, seconds, stolen, machine })
    console.log(table)
    await keepResult('peers.md', table)
    await keepResult('peers.json', JSON.stringify({ machine, rounds, seconds, stolen, measured }, null, 2))
  } finally {
    for (const peer of peers) await peer.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

/** All peers in each round, so that disturbances of the machine affect all of them. */
async function compare(peers: readonly Peer[], name: ScenarioName): Promise<Measured[]> {
  const rows = new Map(peers.map((peer) => [peer, [] as { perSecond: number; p50_ms: number }[]]))
  // The first round warms up compilers and caches.
  for (let round = 0; round <= rounds; round++) {
    for (const [peer, figures] of rows) {
      const result = await measure(peer, name, round === 0 ? Math.min(1, seconds) : seconds)
      if (round > 0) figures.push(result)
    }
  }
  return [...rows].map(([peer, figures]) => ({
    peer: peer.name,
    scenario: name,
    perSecond: median(figures.map(({ perSecond }) => perSecond)),
    p50_ms: median(figures.map(({ p50_ms }) => p50_ms)),
  }))
}

/** Every acknowledged write must have been stored. */
async function measure(peer: Peer, name: ScenarioName, seconds: number): Promise<{ perSecond: number; p50_ms: number }> {
  const { spec, status, refused, writes, stored: countStored = peer.stored } = peer.loads[name]
  const before = writes === 0 ? 0 : await countStored()
  const result = await load({ keys: ['none'], ...spec, port: peer.port, seconds })
  const others = Object.entries(result.statuses).filter(([found]) => found !== refused)
  requireStatus({ ...result, statuses: Object.fromEntries(others) }, status)
  const done = result.statuses[status] ?? 0
  if (writes > 0) {
    const [stored, acknowledged] = [(await countStored()) - before, done * writes]
    if (stored < acknowledged) throw new Error(`${peer.name} acknowledged ${acknowledged} in "${name}" but stored ${stored}`)
  }
  const all = Object.values(result.statuses).reduce((sum, count) => sum + count, 0)
  return { perSecond: (result.perSecond * Math.max(1, writes) * done) / all, p50_ms: result.p50_ms }
}

async function createDatabase(ownerUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(ownerUrl)
  url.pathname = `/${name}`
  // Go drivers require TLS by default.
  url.searchParams.set('sslmode', 'disable')
  return url.href
}
