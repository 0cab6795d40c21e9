// Payee verification over HTTP: the answers about accounts in this bank and in others, and what transfers require of them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createLog } from '../platform/log.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { openBanker } from '../testing/testing.sessions.ts'
import { type Answer, type Caller, type Loose, openBank, VentureCaller } from '../testing/testing.ts'
import { makeIban } from '../values/iban.ts'
import { checkInvariants } from '../verify/verify.ts'
import { type PayeeDirectory, verifyPayee } from './payees.ts'

const bank = await openBank()
const venture = await ManagedVenture.open(bank)
const other = await ManagedVenture.open(bank)
const holder = await other.verifiedClient()
const own = await other.openAccount({ client_id: holder.id })
const outside = 'DE89370400440532013000'
const payer = await venture.openAccount({ balance: '1000.00' })

const verify = (name: string, iban: string, caller: Caller = venture): Promise<Answer> =>
  caller.post('/payee-verifications', { name, iban })
const answered = async (name: string, iban: string, caller?: Caller) => {
  const { status, body, text } = await verify(name, iban, caller)
  assert.equal(status, 201, text)
  return [body.result, body.matched_name, body.reason]
}

test('an account in this bank is answered by its holder’s name, which only a close match tells', async () => {
  assert.deepEqual(await answered('Ada Lovelace', own.account_number), ['MATCH', null, null])
  assert.deepEqual(await answered('Ada Lovelase', own.account_number), ['CLOSE_MATCH', 'Ada Lovelace', null])
  assert.deepEqual(await answered('Charles Babbage', own.account_number), ['NO_MATCH', null, null])
  assert.deepEqual(await answered('山田', own.account_number), ['NOT_POSSIBLE', null, 'name_unreadable'])
  assert.deepEqual(await answered('ada lovelace', own.account_number.toLowerCase()), ['MATCH', null, null])
})

test('accounts that are closed, unknown, or of a venture with books of its own are unknown', async () => {
  const unknown = ['NOT_POSSIBLE', null, 'account_unknown']
  const { country, code } = bank.config.bank
  assert.deepEqual(await answered('Ada Lovelace', makeIban(country, `${code}00000000001`)), unknown)
  const closed = await other.openAccount()
  assert.equal((await other.post(`/accounts/${closed.id}/close`)).status, 200)
  assert.deepEqual(await answered('Ada Lovelace', closed.account_number), unknown)
  const open = await bank.registerVenture()
  const theirs = await open.openAccount()
  assert.deepEqual(await answered('Ada Lovelace', theirs.account_number), unknown)
  assert.deepEqual(await answered('Ada Lovelace', theirs.account_number, open), unknown)
  const suspended = await other.openAccount()
  assert.equal((await other.post(`/accounts/${suspended.id}/freeze`)).status, 200)
  assert.deepEqual(await answered('Ada Lovelace', suspended.account_number), ['MATCH', null, null])
})

test('an account in another bank is answered by the directory', async () => {
  assert.deepEqual(await answered('Charles Babbage', outside), ['MATCH', null, null])
  assert.deepEqual(await answered('Charles VOP CLOSE Babbage', outside), ['CLOSE_MATCH', 'Charles Babbage', null])
  assert.deepEqual(await answered('VOP NONE', outside), ['NO_MATCH', null, null])
  assert.deepEqual(await answered('VOP UNABLE', outside), ['NOT_POSSIBLE', null, 'not_applicable'])
})

test('a directory that is down, slow or missing makes the verification impossible, and nobody waits for it', async () => {
  const log = createLog('silent')
  const ask = async (directory: PayeeDirectory | undefined) => {
    const payees = { database: bank.database, log, directory, bank: bank.config.bank, limit_ms: 50 }
    const { result, reason } = await verifyPayee(payees, venture.venture.id, { name: 'Ada', iban: outside }, undefined)
    return [result, reason]
  }
  let aborted = false
  const silent: PayeeDirectory = {
    verify: (_question, signal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          aborted = true
        })
      }),
  }
  assert.deepEqual(await ask(silent), ['NOT_POSSIBLE', 'no_answer'])
  assert.ok(aborted, 'the question is withdrawn')
  assert.deepEqual(await ask({ verify: async () => Promise.reject(new Error('connection refused')) }), ['NOT_POSSIBLE', 'no_answer'])
  assert.deepEqual(await ask(undefined), ['NOT_POSSIBLE', 'no_directory'])
  for (const answer of [
    { result: 'CLOSE_MATCH', matched_name: null, reason: null },
    { result: 'NO_MATCH', matched_name: 'Ada', reason: null },
    { result: 'MATCH', matched_name: null, reason: 'no_answer' },
    { result: 'NOT_POSSIBLE', matched_name: null, reason: null },
  ] as const)
    assert.deepEqual(await ask({ verify: async () => answer }), ['NOT_POSSIBLE', 'no_answer'], answer.result)
})

test('in the sandbox, a bank that is down is given up', async () => {
  assert.deepEqual(await answered('VOP DOWN', outside), ['NOT_POSSIBLE', null, 'no_answer'])
})

test('in the sandbox, the id of an organisation is answered apart from the name', async () => {
  const identified = async (value: string) => {
    const { body } = await venture.post('/payee-verifications', { name: 'Acme', iban: outside, identification: { scheme: 'TXID', value } })
    return [body.result, body.id_result]
  }
  assert.deepEqual(await identified('DE123456789'), ['MATCH', 'MATCH'])
  assert.deepEqual(await identified('VOPNONE'), ['MATCH', 'NO_MATCH'])
  assert.deepEqual(await identified('VOPUNABLE'), ['MATCH', 'NOT_POSSIBLE'])
})

test('what is wrong with a question is refused, and nothing is kept', async () => {
  const before = await bank.count('payee_verifications')
  for (const [name, iban, code] of [
    ['Ada', 'DE88370400440532013000', 'invalid_iban'],
    ['Ada', 'DE89 3704 0044 0532 0130 00', 'invalid_request'],
    ['Ada', '', 'invalid_request'],
    [' ', outside, 'invalid_request'],
    ['x'.repeat(141), outside, 'invalid_request'],
  ] as const)
    assert.equal((await verify(name, iban)).problem?.code, code, `${name} ${iban}`)
  assert.equal((await venture.post('/payee-verifications', { name: 'Ada', iban: outside, more: 1 })).status, 400)
  assert.equal((await verify('Ada', outside, bank.stranger)).status, 401)
  const { body: reader } = await venture.post('/venture/keys', { name: 'Reader', scopes: ['read'] })
  const reads = new VentureCaller(bank.app, { ...venture.venture, api_key: reader.api_key })
  assert.equal((await verify('Ada', outside, reads)).status, 403)
  assert.equal(await bank.count('payee_verifications'), before)
})

test('a verification belongs to the venture that asked', async () => {
  const { body, headers } = await verify('Ada', outside)
  assert.equal(headers['location'], `/api/v1/payee-verifications/${body.id}`)
  assert.equal(Date.parse(body.valid_until) - Date.parse(body.created_at), 86_400_000)
  assert.deepEqual((await venture.get(`/payee-verifications/${body.id}`)).body, body)
  for (const [caller, id] of [
    [other, body.id],
    [venture, randomUUID()],
  ] as const)
    assert.equal((await caller.get(`/payee-verifications/${id}`)).problem?.code, 'payee_verification_not_found')
})

test('another bank is answered about accounts in this one, and nothing is kept', async () => {
  const before = await bank.count('payee_verifications')
  const ask = (name: string, iban: string, caller: Caller = bank.admin) => caller.post('/vop/requests', { name, iban })
  assert.deepEqual((await ask('Lovelace Ada', own.account_number)).body, { result: 'MATCH', matched_name: null, reason: null })
  const { status, body } = await ask('A. Lovelace', own.account_number)
  assert.deepEqual([status, body], [200, { result: 'CLOSE_MATCH', matched_name: 'Ada Lovelace', reason: null }])
  assert.equal((await ask('Ada Lovelace', outside)).body.reason, 'account_unknown')
  assert.equal((await ask('Ada Lovelace', 'DE88370400440532013000')).problem?.code, 'invalid_iban')
  assert.equal((await ask('Ada Lovelace', own.account_number, venture)).status, 403)
  assert.equal((await ask('Ada Lovelace', own.account_number, bank.stranger)).status, 401)
  assert.equal((await ask('Ada Lovelace', own.account_number, await openBanker(bank, 'auditor'))).status, 403)
  assert.equal((await ask('Ada Lovelace', own.account_number, await openBanker(bank, 'operator'))).status, 200)
  assert.equal(await bank.count('payee_verifications'), before)
})

const agree = async (payee_check: string) =>
  assert.equal((await bank.admin.put(`/ventures/${venture.venture.id}/policy`, { payee_check })).status, 200)

async function payeeCalled(name: string, iban = outside): Promise<string> {
  return (await venture.addBeneficiary(payer.client_id, { name, iban })).id
}

const pay = (beneficiary_id: string, changes: object = {}): Promise<Answer> =>
  venture.post('/transfers', { account_id: payer.id, beneficiary_id, debit_amount: '1.00', unique_reference: randomUUID(), ...changes })

async function paid(beneficiary_id: string, changes: object = {}): Promise<Loose> {
  const { status, body, text } = await pay(beneficiary_id, changes)
  assert.equal(status, 201, text)
  const { rows } = await bank.owner.query('select payee_verification_id from transfers where id = $1', [body.id])
  const { body: moves } = await venture.get(`/transfers/${body.id}/history`)
  assert.equal(moves[0].reason, body.status_reason)
  return { ...body, ...rows[0] }
}

test('a payment needs a verification of the name and the IBAN where the policy requires it', async () => {
  await agree('require')
  const mary = await payeeCalled('Mary Somerville')
  const before = await bank.count('transfers')
  const refused = await pay(mary, { payee_check_accepted: true })
  assert.deepEqual([refused.status, refused.problem?.code], [422, 'payee_check_required'])
  await verify('Mary Somervile', outside)
  await verify('Mary Somerville', 'GB29NWBK60161331926819')
  await verify('Mary Somerville', outside, other)
  assert.equal((await pay(mary)).problem?.code, 'payee_check_required', 'of this name, this IBAN and this venture')
  assert.equal(await bank.count('transfers'), before)
  const { body: verified } = await verify('Mary Somerville', outside)
  const transfer = await paid(mary)
  assert.deepEqual([transfer.payee_verification_id, transfer.status_reason], [verified.id, null])
  await bank.owner.query(
    `update payee_verifications set created_at = (created_at at time zone 'UTC' - interval '24 hours 1 second') at time zone 'UTC' where iban = $1`,
    [outside],
  )
  assert.equal((await pay(mary)).problem?.code, 'payee_check_required', 'not older than a day')
})

test('what does not match is paid if the payer accepts it, and keeps a note', async () => {
  await agree('require')
  for (const [name, result, note] of [
    ['Charles VOP CLOSE', 'CLOSE_MATCH', /not quite that of the account.*accepted/],
    ['Charles VOP NONE', 'NO_MATCH', /not that of the account.*accepted/],
  ] as const) {
    const beneficiary = await payeeCalled(name)
    const { body: verified } = await verify(name, outside)
    for (const changes of [{}, { payee_check_accepted: false }, { payee_check_accepted: null }]) {
      const { status, problem } = await pay(beneficiary, changes)
      assert.deepEqual([status, problem?.code, problem?.result], [422, 'payee_check_not_accepted', result])
      assert.equal(problem?.matched_name, result === 'CLOSE_MATCH' ? 'Charles' : null)
    }
    const transfer = await paid(beneficiary, { payee_check_accepted: true })
    assert.equal(transfer.payee_verification_id, verified.id)
    assert.match(transfer.status_reason, note)
  }
})

test('the last result counts', async () => {
  const beneficiary = await payeeCalled('Charles VOP NONE again')
  await verify('Charles VOP NONE again', outside)
  await bank.owner.query(
    `update payee_verifications set result = 'MATCH', created_at = (created_at at time zone 'UTC' - interval '1 minute') at time zone 'UTC' where name = 'Charles VOP NONE again'`,
  )
  await verify('Charles VOP NONE again', outside)
  assert.equal((await pay(beneficiary)).problem?.code, 'payee_check_not_accepted')
})

test('a verification that was not possible lets the payment pass, with a note', async () => {
  await agree('require')
  const { country, code } = bank.config.bank
  const iban = makeIban(country, `${code}00000000002`)
  const beneficiary = await payeeCalled('Nobody', iban)
  await verify('Nobody', iban)
  assert.match((await paid(beneficiary)).status_reason, /could not be verified \(account_unknown\)/)
})

test('a warning only leaves a note, and without a check there is none', async () => {
  await agree('warn')
  const unverified = await payeeCalled('Grace Hopper')
  assert.equal((await paid(unverified)).status_reason, 'The payee was not verified.')
  const none = await payeeCalled('Grace VOP NONE')
  await verify('Grace VOP NONE', outside)
  assert.match((await paid(none)).status_reason, /not that of the account/)
  await verify('Grace Hopper', outside)
  assert.equal((await paid(unverified)).status_reason, null)
  await agree('off')
  const off = await paid(none)
  assert.deepEqual([off.status_reason, off.payee_verification_id], [null, null])
})

test('what has no IBAN, what goes back and what the bank orders needs no verification', async () => {
  await agree('require')
  const number = (
    await venture.addBeneficiary(payer.client_id, { account_number: '123456', routing_number: '021000021', bic: 'CHASUS33XXX' })
  ).id
  assert.equal((await pay(number, { method: 'SWIFT' })).status, 201)
  const arrived = await venture.receive(payer, '20.00')
  const back = await payeeCalled('Charles Babbage')
  const returned = { transfer_type: 'PAYMENT_RETURN', parent_transaction_id: arrived.id }
  assert.equal((await pay(back, returned)).status, 201)
  await venture.order({ account_id: payer.id, beneficiary_id: back, debit_amount: '1.00' })
})

test('all of this breaks no invariant', async () => {
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
})
