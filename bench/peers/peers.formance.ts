// The Formance ledger: version 2 on PostgreSQL, and version 3, an alpha with its own storage.
import { freePort } from '../../server/src/platform/embedded/embedded.postmaster.ts'
import {
  accountCount,
  accountsFrom,
  countRows,
  end,
  loadsOf,
  type OpenPeer,
  type Peer,
  ports,
  programIn,
  run,
  send,
  untilAnswering,
} from './peers.peer.ts'
import { settings } from './peers.settings.ts'

const port = await freePort(ports)
const port3 = await freePort(ports)
const raftPort = await freePort(ports)
const grpcPort = await freePort(ports)

export const openFormance: OpenPeer = async ({ bin, folder, databaseUrl }) => {
  const program = programIn(bin, 'formance-ledger')
  if (program === undefined) return undefined
  const url = await databaseUrl('formance')
  const service = run(program, ['serve', '--bind', `127.0.0.1:${port}`, '--postgres-uri', url, '--auto-upgrade'], { cwd: folder })
  return {
    name: 'Formance ledger',
    version: settings.versions.formance,
    port,
    pid: service.pid ?? 0,
    loads: await openLedger({ port, ledger: '/v2/bench', bulk: { path: '/_bulk?atomic=true', connections: 1 }, status: '200' }),
    stored: () => countRows(url, 'select count(*) from _default.transactions'),
    stop: () => end(service),
  }
}

/** A cluster of one node, with its default bulks, which are not atomic. */
export const openFormance3: OpenPeer = async ({ bin, folder }) => {
  const program = programIn(bin, 'formance-ledger-3')
  if (program === undefined) return undefined
  const addresses = ['--bind-addr', `127.0.0.1:${raftPort}`, '--grpc-port', String(grpcPort), '--http-port', String(port3)]
  const folders = ['--wal-dir', `${folder}/formance3-wal`, '--data-dir', `${folder}/formance3-data`]
  const service = run(program, ['run', '--node-id', '1', '--cluster-id', 'bench', '--bootstrap', ...addresses, ...folders], { cwd: folder })
  await untilAnswering(port3, '/readyz').catch(async (error: Error) => {
    await end(service)
    throw error
  })
  return {
    name: 'Formance ledger v3',
    version: settings.versions.formance3,
    port: port3,
    pid: service.pid ?? 0,
    loads: await openLedger({ port: port3, ledger: '/v3/bench', bulk: { path: '/bulk', connections: 64 }, status: '201' }),
    stored: async () => {
      const { data } = (await send(port3, 'GET', '/v3/bench/stats')) as { data: { transactionCount: number | string } }
      return Number(data.transactionCount)
    },
    stop: () => end(service),
  }
}

/** `bulk.path`: relative to the ledger. `status`: of a create. */
type Ledger = { port: number; ledger: string; bulk: { path: string; connections: number }; status: string }

/** In version 3, ids of transactions are unique only within a ledger. */
type Created = { data: { id?: number; transaction?: { id: number } } }

async function openLedger({ port, ledger, bulk, status }: Ledger): Promise<Peer['loads']> {
  await send(port, 'POST', ledger, {})
  const order = (account: number, reference: string) => ({
    postings: [{ source: `accounts:a${account}`, destination: 'payees:one', asset: 'EUR/2', amount: 100 }],
    reference,
    metadata: { purpose: 'Invoice' },
  })
  const path = `${ledger}/transactions`
  for (let index = 0; index < accountCount; index++) {
    await send(port, 'POST', path, {
      postings: [{ source: 'world', destination: `accounts:a${index}`, asset: 'EUR/2', amount: 1_000_000_000_000 }],
    })
  }
  const gets: string[] = []
  for (let index = 0; index < accountCount; index++) {
    const { data } = (await send(port, 'POST', path, order(index, `first-${index}`))) as Created
    gets.push(`${path}/${data.id ?? data.transaction?.id}`)
  }
  return loadsOf({
    // Version 3 refuses creates under overload.
    create: { path, status, refused: '429', bodyOf: (account) => JSON.stringify(order(account, 'bench-{n}')) },
    bulk: {
      path: `${ledger}${bulk.path}`,
      status: '200',
      refused: '503',
      connections: bulk.connections,
      bodyOf: (first) =>
        JSON.stringify(
          accountsFrom(first).map((account, index) => ({ action: 'CREATE_TRANSACTION', data: order(account, `bulk-{n}-${index}`) })),
        ),
    },
    gets,
    list: `${path}?pageSize=20`,
  })
}
