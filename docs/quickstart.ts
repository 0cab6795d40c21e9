// A first integration: a venture, a verified client, an account, and a payment that completes by itself; a signed webhook says so.
// Start the service with `npm start`, and in a second terminal: npm run quickstart
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Vostro, verifyWebhook } from '@vostro/sdk'

const [baseUrl = 'http://127.0.0.1:8080'] = process.argv.slice(2)
const run = Date.now()
const reference = `INV-${run}`

// The bank registers a venture whose payments it processes. The venture's key is shown only once.
const bank = new Vostro({ key: readFileSync('data/admin-key', 'utf8').trim(), baseUrl })
const { api_key } = await bank.ventures.register({ name: 'Acme', control: 'MANAGED' })
const vostro = new Vostro({ key: api_key, baseUrl })

// Your server receives events. A webhook that was not signed with the secret of the endpoint is refused.
const hooks = createServer(async (request, response) => {
  const event = await verifyWebhook(await buffer(request), request.headers, secret).catch(() => undefined)
  response.writeHead(event === undefined ? 400 : 200).end()
  if (event?.type === 'transfer.completed' && event.data.object['unique_reference'] === reference) hooks.emit('completed', event.id)
})
await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve))
const { port } = hooks.address() as AddressInfo
const { secret } = await vostro.webhookEndpoints.create({ url: `http://127.0.0.1:${port}/hooks` })

// A client is verified before their account works. In the sandbox, you decide how the verification ends.
const person = { first_name: 'Ada', last_name: 'Lovelace', date_of_birth: '1990-12-10', email: `ada-${run}@example.com` }
const countries = { nationality: 'FRA', birth_country: 'GBR', country_of_tax_residence: 'FRA', country_code: 'FRA' }
const address = { address: '1 rue de la Paix', city: 'Paris', postcode: '75002' }
const client = await vostro.clients.registerPerson({ ...person, ...countries, ...address, organization_id: 1 })
const volumes = { expected_monthly_incoming_volume: 'LESS_THAN1000', expected_monthly_outgoing_volume: 'LESS_THAN1000' } as const
await vostro.clients.submitOnboardingDetails(client.id, {
  account_purposes_input: ['SALARY'],
  occupation: 'ENGINEER',
  occupation_sector: 'INFORMATIONAL_TECHNOLOGIES',
  is_us_person: false,
  source_of_funds: 'SAVINGS_FROM_SALARY',
  ...volumes,
})
await vostro.sandbox.clients.decideVerification(client.id, { outcome: 'APPROVED' })
for await (const { data } of vostro.events.follow({ type: 'client.kyc_updated', resource_id: client.id }))
  if (data.object['kyc_status'] === 'VALIDATED') break

// An account with money on it, and a payee.
const account = await vostro.accounts.create({ client_id: client.id, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR' })
await vostro.accounts.activate(account.id)
await vostro.sandbox.accounts.deposit(account.id, { amount: '100.00' })
const payee = { name: 'Charles Babbage', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' } as const
const beneficiary = await vostro.beneficiaries.create({ client_id: client.id, ...payee })

const completed = new Promise((resolve) => hooks.once('completed', resolve))
const order = { account_id: account.id, beneficiary_id: beneficiary.id, unique_reference: reference, debit_amount: '30.00' }
const transfer = await vostro.transfers.create({ ...order, is_instant: true })
console.log(`Ordered ${transfer.id}: ${transfer.status}`)
console.log(`Completed, says the webhook ${await completed}`)
console.log(`Balance: ${(await vostro.accounts.get(account.id)).current_balance}`)
hooks.close()
