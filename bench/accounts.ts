import pg from 'pg'
import { person } from '../server/src/testing/testing.people.ts'
import type { BenchAccount } from './bare.ts'
import type { Setup } from './setup.ts'

/** Requires no verification; only the email must be added. */
export const verified = { ...person, kyc_level: 'NOT_REQUIRED' }

/** A transfer order from the account to its beneficiary; `{n}` is unique in each request. */
export function orderOf({ account_id, beneficiary_id }: BenchAccount): string {
  return JSON.stringify({ account_id, beneficiary_id, unique_reference: 'bench-{n}', debit_amount: '1.00', purpose: 'Invoice' })
}

/** Opens funded accounts, each for its own client with one beneficiary and one transfer. */
export async function openBenchAccounts(
  { call }: Pick<Setup, 'call'>,
  { id: venture_id, api_key }: { id: string; api_key: string },
  count: number,
): Promise<BenchAccount[]> {
  const made = (path: string, body: object) => call(api_key, 'POST', `/api/v1${path}`, body)
  const accounts: BenchAccount[] = []
  for (let number = 0; number < count; number++) {
    const client = await made('/clients/person', { ...verified, email: `bench.${venture_id}.${number}@example.com` })
    const account = await made('/accounts', { client_id: client['id'], account_name: 'Bench', account_type: 'CURRENT', currency: 'EUR' })
    await call(api_key, 'POST', `/api/v1/accounts/${account['id']}/activate`)
    await made(`/sandbox/accounts/${account['id']}/deposits`, { amount: '1000000.00' })
    const beneficiary = await made('/beneficiaries', {
      client_id: client['id'],
      name: 'Charles Babbage',
      beneficiary_type: 'PERSON',
      iban: 'DE89370400440532013000',
    })
    const ids = { account_id: account['id'] ?? '', beneficiary_id: beneficiary['id'] ?? '' }
    await made('/transfers', { ...ids, unique_reference: `first-${venture_id}-${number}`, debit_amount: '1.00', purpose: 'Invoice' })
    accounts.push({ venture_id, client_id: client['id'] ?? '', ...ids })
  }
  return accounts
}

/** Opens funded accounts for verified clients in a MANAGED venture. Each pays one external payee and the next account. */
export async function openManagedAccounts(
  { call, postgres }: Pick<Setup, 'call' | 'postgres'>,
  { id: venture_id, api_key }: { id: string; api_key: string },
  count: number,
): Promise<{ account_id: string; beneficiary_id: string; neighbour_id: string }[]> {
  const made = (path: string, body: object) => call(api_key, 'POST', `/api/v1${path}`, body)
  const owner = new pg.Client({ connectionString: postgres.ownerUrl })
  await owner.connect()
  const opened: Record<string, string>[] = []
  for (let number = 0; number < count; number++) {
    const client = await made('/clients/person', { ...person, email: `managed.${venture_id}.${number}@example.com` })
    await owner.query(`update clients set kyc_status = 'VALIDATED' where id = $1`, [client['id']])
    const account = await made('/accounts', { client_id: client['id'], account_name: 'Bench', account_type: 'CURRENT', currency: 'EUR' })
    await call(api_key, 'POST', `/api/v1/accounts/${account['id']}/activate`)
    await made(`/sandbox/accounts/${account['id']}/deposits`, { amount: '1000000.00' })
    opened.push(account)
  }
  await owner.end()
  const accounts: Awaited<ReturnType<typeof openManagedAccounts>> = []
  for (const [index, { id: account_id = '', client_id }] of opened.entries()) {
    const payee = (iban: string | undefined) =>
      made('/beneficiaries', { client_id, name: 'Charles Babbage', beneficiary_type: 'PERSON', iban })
    const { id: beneficiary_id = '' } = await payee('DE89370400440532013000')
    const { id: neighbour_id = '' } = await payee(opened[(index + 1) % count]?.['account_number'])
    accounts.push({ account_id, beneficiary_id, neighbour_id })
  }
  return accounts
}
