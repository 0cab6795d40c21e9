// The ledger of Formance, version 2, on PostgreSQL.
import { freePort } from '../../server/src/platform/embedded/embedded.postmaster.ts'
import { accountCount, accountsFrom, countRows, end, loadsOf, type OpenPeer, ports, programIn, run, send } from './peers.peer.ts'
import { settings } from './peers.settings.ts'

const port = await freePort(ports)

export const openFormance: OpenPeer = async ({ bin, folder, databaseUrl }) => {
  const program = programIn(bin, 'formance-ledger')
  if (program === undefined) return undefined
  const url = await databaseUrl('formance')
  const service = run(program, ['serve', '--bind', `127.0.0.1:${port}`, '--postgres-uri', url, '--auto-upgrade'], { cwd: folder })
  await send(port, 'POST', '/v2/bench', {})
  const order = (account: number, reference: string) => ({
    postings: [{ source: `accounts:a${account}`, destination: 'payees:one', asset: 'EUR/2', amount: 100 }],
    reference,
    metadata: { purpose: 'Invoice' },
  })
  const path = '/v2/bench/transactions'
  for (let index = 0; index < accountCount; index++) {
    await send(port, 'POST', path, {
      postings: [{ source: 'world', destination: `accounts:a${index}`, asset: 'EUR/2', amount: 1_000_000_000_000 }],
    })
  }
  const gets: string[] = []
  for (let index = 0; index < accountCount; index++) {
    const { data } = (await send(port, 'POST', path, order(index, `first-${index}`))) as { data: { id: number } }
    gets.push(`${path}/${data.id}`)
  }
  return {
    name: 'Formance ledger',
    version: settings.versions.formance,
    port,
    pid: service.pid ?? 0,
    loads: loadsOf({
      create: { path, status: '200', bodyOf: (account) => JSON.stringify(order(account, 'bench-{n}')) },
      bulk: {
        path: '/v2/bench/_bulk?atomic=true',
        status: '200',
        refused: '503',
        connections: 1,
        bodyOf: (first) =>
          JSON.stringify(
            accountsFrom(first).map((account, index) => ({ action: 'CREATE_TRANSACTION', data: order(account, `bulk-{n}-${index}`) })),
          ),
      },
      gets,
      list: `${path}?pageSize=20`,
    }),
    stored: () => countRows(url, 'select count(*) from _default.transactions'),
    stop: () => end(service),
  }
}
