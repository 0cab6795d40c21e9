// This service under the same load: it checks a key in every request and stores an event for every transfer.
import { execFileSync } from 'node:child_process'
import { openBenchAccounts, openManagedAccounts, orderOf } from '../accounts.ts'
import type { BenchAccount } from '../bare.ts'
import type { Setup } from '../setup.ts'
import { accountCount, accountsFrom, countRows, loadsOf, type Peer, type PeerLoad } from './peers.peer.ts'

export async function openVostro(setup: Setup): Promise<Peer> {
  const venture = await setup.registerVenture()
  const accounts = await openBenchAccounts(setup, venture, accountCount)
  const order = (account: number, n: string) => orderOf(accounts[account] as BenchAccount).replace('{n}', n)
  const newest = (await setup.call(venture.api_key, 'GET', '/api/v1/transfers?limit=100')) as unknown as { id: string }[]
  const path = '/api/v1/transfers'
  return {
    name: 'Vostro',
    version: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    port: setup.port,
    pid: setup.watched.service,
    loads: loadsOf({
      create: { path, status: '201', bodyOf: (account) => order(account, '{n}') },
      bulk: {
        path: `${path}/bulk`,
        status: '200',
        refused: '503',
        connections: 64,
        bodyOf: (first) => `{"transfers":[${accountsFrom(first).map((account, index) => order(account, `{n}-${index}`))}]}`,
      },
      gets: newest.map(({ id }) => `${path}/${id}`),
      list: `${path}?limit=20`,
      keys: [venture.api_key],
      payment: await openPayments(setup),
    }),
    stored: () => countRows(setup.postgres.ownerUrl, 'select count(*) from transfers'),
    stop: async () => {},
  }
}

/** Payments between two accounts of a MANAGED venture. The response follows after screening and booking. */
async function openPayments(setup: Setup): Promise<PeerLoad> {
  const { id, api_key } = await setup.registerVenture('MANAGED')
  const accounts = await openManagedAccounts(setup, { id, api_key }, accountCount)
  const bodies = accounts.map(({ account_id, neighbour_id: beneficiary_id }) =>
    JSON.stringify({ account_id, beneficiary_id, unique_reference: 'payment-{n}', debit_amount: '0.01' }),
  )
  return {
    spec: { connections: 64, method: 'POST', paths: ['/api/v1/transfers'], bodies, keys: [api_key] },
    status: '201',
    writes: 1,
    stored: () =>
      countRows(
        setup.postgres.ownerUrl,
        `select count(*) from transfers where venture_id = '${id}' and direction = 'OUTBOUND' and status = 'COMPLETED'`,
      ),
  }
}
