// Blnk with synchronous transactions (`skip_queue`). By default it answers before anything is stored.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../server/src/platform/embedded/embedded.postmaster.ts'
import { accountCount, accountsFrom, countRows, end, loadsOf, type OpenPeer, ports, programIn, run, runToEnd, send } from './peers.peer.ts'
import { settings } from './peers.settings.ts'

const port = await freePort(ports)
const redisPort = await freePort(ports)

export const openBlnk: OpenPeer = async ({ bin, folder, databaseUrl }) => {
  const [program, redis] = [programIn(bin, 'blnk'), programIn(bin, 'redis-server')]
  if (program === undefined || redis === undefined) return undefined
  const cwd = folder
  const url = await databaseUrl('blnk')
  const config = join(folder, 'blnk.json')
  await writeFile(
    config,
    JSON.stringify({
      project_name: 'bench',
      data_source: { dns: url },
      redis: { dns: `127.0.0.1:${redisPort}` },
      server: { port: String(port) },
    }),
  )
  const store = run(redis, ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', folder], { cwd })
  await runToEnd(program, ['migrate', 'up', '--config', config], { cwd })
  const service = run(program, ['start', '--config', config], { cwd })
  const { ledger_id } = await send(port, 'POST', '/ledgers', { name: 'bench' })
  const balance = async () => String((await send(port, 'POST', '/balances', { ledger_id, currency: 'EUR' }))['balance_id'])
  const accounts: string[] = []
  for (let index = 0; index < accountCount; index++) accounts.push(await balance())
  const payee = await balance()
  const order = (account: number, reference: string) => ({
    amount: 1,
    precision: 100,
    currency: 'EUR',
    description: 'Invoice',
    allow_overdraft: true,
    skip_queue: true,
    reference,
    source: accounts[account],
    destination: payee,
  })
  const gets: string[] = []
  for (let index = 0; index < accountCount; index++) {
    const { transaction_id } = await send(port, 'POST', '/transactions', order(index, `first-${index}`))
    gets.push(`/transactions/${transaction_id}`)
  }
  return {
    name: 'Blnk',
    version: settings.versions.blnk,
    port,
    pid: service.pid ?? 0,
    loads: loadsOf({
      create: { path: '/transactions', status: '201', refused: '423', bodyOf: (account) => JSON.stringify(order(account, 'bench-{n}')) },
      bulk: {
        path: '/transactions/bulk',
        status: '201',
        refused: '423',
        connections: 1,
        bodyOf: (first) =>
          JSON.stringify({
            atomic: true,
            skip_queue: true,
            run_async: false,
            transactions: accountsFrom(first).map((account, index) => order(account, `bulk-{n}-${index}`)),
          }),
      },
      gets,
      list: '/transactions?limit=20',
    }),
    stored: () => countRows(url, `select count(*) from blnk.transactions where status = 'APPLIED'`),
    async stop() {
      await end(service)
      await end(store)
    },
  }
}
