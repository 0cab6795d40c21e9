// A bank outside the sandbox with a client's money in it, and everybody who might want it: the admin key, each role alone, pairs of people who are
// related, and a key of the venture that the bank has seen. What they attack is prepared on an instance of the same bank in the sandbox, with four eyes off.
import { randomUUID } from 'node:crypto'
import { Fixtures, someMandate } from '../../server/src/guards/matrix/matrix.fixtures.ts'
import { payWith } from '../../server/src/payments/payments.testing.ts'
import type { BankRole } from '../../server/src/platform/http/access.ts'
import type { App } from '../../server/src/platform/http/http.ts'
import { sandboxGatewayCredentials as login } from '../../server/src/sandbox/gateway/sandbox.gateway.ts'
import { ManagedVenture, toSent } from '../../server/src/testing/testing.managed.ts'
import { OtherBank } from '../../server/src/testing/testing.otherbank.ts'
import { acceptLink, openBanker, PersonCaller, signIn, someEmail } from '../../server/src/testing/testing.sessions.ts'
import { type Bank, Caller, type Loose, openBank } from '../../server/src/testing/testing.ts'
import { scopes } from '../../server/src/ventures/ventures.ts'
import { seenKeyMade } from './authority.gains.ts'

/** `partner`: approves this attacker's requests. `has`: what the attacker already has, which is no gain. */
export type Attacker = { name: string; caller: Caller; partner: Caller; has?: string }

export type World = {
  bank: Bank
  fixtures: Fixtures
  /** The venture that is attacked, acting in the sandbox. */
  venture: ManagedVenture
  ids: Loose
  /** The ventures whose clients' money counts. */
  ventures: readonly string[]
  attackers: readonly Attacker[]
  /** Takes everything as far as it gets. */
  settle(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const bank = await openBank({}, { files: new OtherBank().exchange })
  const url = await bank.listen()
  const fixtures = await Fixtures.open(bank)
  const elsewhere = await fixtures.managed()
  const venture = await ManagedVenture.open(bank)
  const ids = await possessionsOf(bank, venture)
  const { api_key } = await made(bank.admin.post(`/ventures/${venture.venture.id}/keys`, { name: 'Bank', scopes }))
  const gateway = { user: login.user, password: login.password, url: `${url}/sandbox/gateway` }
  const outside = await bank.openInstance({ sandbox: false, fourEyes: true, gateway })
  const seen = new Caller(outside, { 'x-api-key': api_key })
  const attackers = [
    ...(await attackersOf(bank, outside, venture.venture.id)),
    { name: 'a key that the bank has seen', caller: seen, partner: seen, has: seenKeyMade },
  ]
  const settle = async () => {
    await bank.runProcessing()
    await bank.runJobs()
    await bank.runSending()
    await bank.runInbox()
  }
  return { bank, fixtures, venture, ids, ventures: [venture.venture.id, elsewhere.venture_id], attackers, settle }
}

/** A client's resources and pending work: orders to sign, on hold and sent, card money, a payee, a mandate. */
async function possessionsOf(bank: Bank, venture: ManagedVenture): Promise<Loose> {
  const venture_id = venture.venture.id
  const { id: client_id } = await venture.verifiedClient()
  const account = await venture.openAccount({ client_id, balance: '5000.00' })
  const second = await venture.openAccount({ client_id, balance: '100.00' })
  await made(venture.put(`/accounts/${second.id}`, { daily_limit: '10.00' }))
  const { id: beneficiary_id } = await venture.addBeneficiary(client_id)
  const { id: hidden_id } = await venture.addBeneficiary(client_id)
  await made(venture.put(`/beneficiaries/${hidden_id}`, { display: false }))
  const debtor = { debtor_name: 'Grace Hopper', debtor_iban: 'DE89370400440532013000' }
  const mandate = await made(venture.post('/mandates', { ...someMandate(), account_id: account.id, ...debtor }))
  const order = (more: object = {}) => venture.createTransfer({ account_id: account.id, beneficiary_id, debit_amount: '10.00', ...more })
  const sent = await order()
  await venture.process(sent as { id: string }, ...toSent, 'COMPLETED')
  const waits = await order({ settlement_date: inTenDays() })
  const held = await order({ settlement_date: inTenDays() })
  await venture.move(held.id, { status: 'ON_HOLD' })
  await made(bank.admin.put(`/ventures/${venture_id}/policy`, { sign_above: '20.00' }))
  const [first, unsigned] = [await order({ debit_amount: '25.00' }), await order({ debit_amount: '25.00' })]
  const payment = await made(
    venture.post('/payments', {
      amount: '40.00',
      currency: 'EUR',
      success_url: 'https://shop.example/thanks',
      fail_url: 'https://shop.example/sorry',
    }),
  )
  await payWith(bank.app, payment, '5555555555554444')
  await made(bank.stranger.get(`/payments/${payment.id}/return`))
  await bank.runJobs()
  await made(venture.put('/payout-settings', { payout_account_id: account.id }))
  const forVenture = new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': venture_id })
  await made(forVenture.put(`/clients/${client_id}`, { risk_level: 'Medium' }))
  return {
    venture_id,
    client_id,
    account_id: account.id,
    second_id: second.id,
    beneficiary_id,
    hidden_id,
    payment_id: payment.id,
    mandate_id: mandate.id,
    transfer_id: first.id,
    unsigned_id: unsigned.id,
    parent_transaction_id: sent.id,
    waits_id: waits.id,
    held_id: held.id,
    iban: account.account_number,
  }
}

function inTenDays(): string {
  return new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
}

export async function made(answered: Promise<{ status: number; text: string; body: Loose }>): Promise<Loose> {
  const { status, text, body } = await answered
  if (status >= 400) throw new Error(`the world could not be made: ${text}`)
  return body
}

async function attackersOf(bank: Bank, outside: App, venture_id: string): Promise<Attacker[]> {
  const at = async (person: PersonCaller): Promise<Caller> => {
    await withPasskey(bank, person)
    return new PersonCaller(outside, { person: person.person, token: person.token, venture_id })
  }
  const key = new Caller(outside, { ...bank.admin.headers, 'vostro-venture': venture_id })
  const alone = async (name: string, person: PersonCaller): Promise<Attacker> => {
    const caller = await at(person)
    return { name, caller, partner: caller }
  }
  const [operator, auditor] = [await openBanker(bank, 'operator'), await openBanker(bank, 'auditor')]
  // With three admins the bank is set up. One of them knows nothing of it.
  const [admin, inviter] = [await openBanker(bank, 'admin'), await openBanker(bank, 'admin')]
  for (const person of [await openBanker(bank, 'admin'), inviter]) await withPasskey(bank, person)
  const invited = async (role: BankRole): Promise<PersonCaller> =>
    signIn(bank, await acceptLink(bank, await made(inviter.post('/operator/users', { email: someEmail(), role }))))
  const pair = async (name: string, one: PersonCaller, other: PersonCaller): Promise<Attacker> => ({
    name,
    caller: await at(one),
    partner: await at(other),
  })
  return [
    { name: 'the admin key', caller: key, partner: key },
    await alone('one admin', admin),
    await alone('one operator', operator),
    await alone('one auditor', auditor),
    await pair('an admin and an admin whom that one let in', inviter, await invited('admin')),
    await pair('an operator and the admin who let that one in', await invited('operator'), inviter),
    await pair('two operators whom one admin let in', await invited('operator'), await invited('operator')),
  ]
}

/** As if the person had registered a passkey and signed in with it. */
async function withPasskey({ owner }: Bank, { person }: PersonCaller): Promise<void> {
  await owner.query(
    `insert into passkeys (credential_id, id, user_id, name, public_key, counter, transports, created_at)
     select $1, $2, $3, 'Key', '', 0, '{}', now() where not exists (select from passkeys where user_id = $3)`,
    [randomUUID(), randomUUID(), person.user_id],
  )
  await owner.query('update sessions set by_passkey = true where user_id = $1', [person.user_id])
}
