// Signatures on orders that the bank processes: which orders need one, who may sign, and what the signature binds.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { someMandate } from '../../guards/matrix/matrix.fixtures.ts'
import { ManagedVenture } from '../../testing/testing.managed.ts'
import { openBanker, openMember } from '../../testing/testing.sessions.ts'
import { type Answer, Caller, type Loose, openBank, VentureCaller } from '../../testing/testing.ts'
import { checkInvariants } from '../../verify/verify.ts'

const bank = await openBank()
const venture = await ManagedVenture.open(bank)
const account = await venture.openAccount({ balance: '10000.00' })
const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id)

const agree = async (changes: object, { venture: { id } }: VentureCaller = venture) => {
  const { status, text } = await bank.admin.put(`/ventures/${id}/policy`, changes)
  assert.equal(status, 200, text)
}
await agree({ sign_above: '100', signer: 'any' })

const order = (changes: object = {}, caller: Caller = venture): Promise<Answer> =>
  caller.post('/transfers', { account_id: account.id, beneficiary_id, debit_amount: '100.01', unique_reference: randomUUID(), ...changes })
const waiting = async (changes: object = {}, caller: Caller = venture): Promise<Loose> => {
  const { status, body, text } = await order(changes, caller)
  assert.deepEqual([status, body.status], [201, 'TO_SIGN'], text)
  return body
}
const sign = ({ id }: { id: string }, changes: object = {}, caller: Caller = venture): Promise<Answer> =>
  caller.put(`/transfers/${id}`, { status: 'SIGNED', ...changes })

async function newKey(scopes: readonly string[]): Promise<VentureCaller> {
  const { body, text, status } = await venture.post('/venture/keys', { name: 'Device', scopes })
  assert.equal(status, 201, text)
  return new VentureCaller(bank.app, { ...venture.venture, api_key: body.api_key })
}

/** The algorithm of the guide, implemented again. */
function hashOf(transfer: Loose): string {
  const lines = [
    transfer.id,
    transfer.debit_amount,
    transfer.debit_currency,
    transfer.credit_amount,
    transfer.credit_currency,
    transfer.cr_name,
    transfer.cr_iban,
    transfer.cr_account_id,
    transfer.cr_bank_bic,
    transfer.cr_bank_name,
    transfer.settlement_date,
  ]
  return createHash('sha256')
    .update(lines.map((line) => line ?? '').join('\n'))
    .digest('hex')
}

async function storedHash({ id }: { id: string }): Promise<string | null> {
  const { rows } = await bank.owner.query('select signed_hash from transfers where id = $1', [id])
  return rows[0].signed_hash
}

test('an order above the amount waits for a signature from the beginning, and no other order does', async () => {
  const { body: small } = await order({ debit_amount: '100.00' })
  assert.equal(small.status, 'CREATED')
  const { rows: policies } = await bank.owner.query('select max(version)::int as version from policies where venture_id = $1', [
    venture.venture.id,
  ])
  const large = await waiting()
  assert.match(large.status_reason, new RegExp(`above 100 EUR needs a signature \\(policy version ${policies[0].version}\\)`))
  assert.equal(large.signed_at, null)
  const { body: moves } = await venture.get(`/transfers/${large.id}/history`)
  assert.deepEqual(
    moves.map(({ to_status, actor }: Loose) => [to_status, actor]),
    [
      ['CREATED', 'venture'],
      ['TO_SIGN', 'service'],
    ],
  )
  const { rows: events } = await bank.owner.query('select type from events where resource_id = $1 order by sequence', [large.id])
  assert.deepEqual(
    events.map(({ type }) => type),
    ['transfer.created', 'transfer.status_changed'],
  )
})

test('a transfer between accounts and a return need a signature too; what the bank orders needs none', async () => {
  const receiver = await venture.openAccount()
  const inside = await venture.addBeneficiary(account.client_id, { iban: receiver.account_number })
  assert.equal((await waiting({ beneficiary_id: inside.id })).method, 'INTERNAL')
  const arrived = await venture.receive(account, '200.00')
  await waiting({ transfer_type: 'PAYMENT_RETURN', parent_transaction_id: arrived.id })
  const byBank = await venture.order({ account_id: account.id, beneficiary_id, debit_amount: '500.00' })
  assert.equal(byBank.status, 'CREATED')
})

test('what the bank orders is signed by nobody: two of its people agree on it, whatever the amount', async () => {
  const strict = await openBank({ fourEyes: true })
  const own = await ManagedVenture.open(strict)
  const { id } = own.venture
  const alone = new Caller(await strict.openInstance({ fourEyes: false }), strict.admin.headers)
  assert.equal((await alone.put(`/ventures/${id}/policy`, { sign_above: '100' })).status, 200)
  const [maker, checker] = [await openBanker(strict, 'operator', id), await openBanker(strict, 'operator', id)]
  const payer = await own.openAccount({ balance: '1000.00' })
  const payee = await own.addBeneficiary(payer.client_id)
  const orderOf = (debit_amount: string) => ({
    account_id: payer.id,
    beneficiary_id: payee.id,
    debit_amount,
    unique_reference: randomUUID(),
  })
  for (const amount of ['0.01', '100.00', '100.01']) {
    const { status, body, text } = await maker.post('/transfers', orderOf(amount))
    assert.equal(status, 202, text)
    assert.equal((await own.get(`/transfers/${body.resource_id}`)).status, 404, 'nothing is ordered yet')
    assert.equal((await checker.post(`/operator/approvals/${body.id}/approve`)).body.state, 'APPROVED')
    assert.equal((await own.get(`/transfers/${body.resource_id}`)).body.status, 'CREATED')
  }
})

test('a collection is ordered by two people at the bank, whatever the amount', async () => {
  const fourEyes = await bank.openInstance({ fourEyes: true })
  const banker = new Caller(fourEyes, (await openBanker(bank, 'operator', venture.venture.id)).headers)
  const mandate = { ...someMandate(), account_id: account.id, debtor_name: 'Charles Babbage', debtor_iban: 'DE89370400440532013000' }
  const { body } = await venture.post('/mandates', mandate)
  const collect = (credit_amount: string) =>
    banker.post('/transfers', { account_id: account.id, mandate_id: body.id, credit_amount, unique_reference: randomUUID() })
  assert.deepEqual(
    (await Promise.all([collect('1.00'), collect('100.01')])).map(({ status }) => status),
    [202, 202],
  )
})

test('the signature sets the time and binds the amounts, the payee and the date', async () => {
  const transfer = await waiting()
  const { status, body, text } = await sign(transfer, { signed_hash: hashOf(transfer) })
  assert.deepEqual([status, body.status], [200, 'SIGNED'], text)
  assert.ok(Date.parse(body.signed_at) >= Date.parse(transfer.created_at))
  assert.equal(await storedHash(transfer), hashOf(transfer))
  assert.equal('signed_hash' in body, false)
  const unsaid = await waiting()
  assert.equal((await sign(unsaid)).status, 200)
  assert.equal(await storedHash(unsaid), hashOf(unsaid), 'the service computes it in any case')
})

test('the hash of anything else is refused, and nothing is signed', async () => {
  const transfer = await waiting()
  for (const seen of [
    { debit_amount: '100.02' },
    { credit_currency: 'USD' },
    { cr_name: 'Ada Lovelace' },
    { cr_iban: 'GB29NWBK60161331926819' },
    { cr_bank_bic: 'COBADEFFXXX' },
    { settlement_date: '2099-01-04' },
    { id: randomUUID() },
  ]) {
    const { status, problem } = await sign(transfer, { signed_hash: hashOf({ ...transfer, ...seen }) })
    assert.deepEqual([status, problem?.code], [409, 'signature_mismatch'], JSON.stringify(seen))
    assert.equal(problem?.signed_hash, undefined, 'nobody is told what to sign')
  }
  assert.equal((await venture.get(`/transfers/${transfer.id}`)).body.status, 'TO_SIGN')
  assert.equal(await storedHash(transfer), null)
  for (const signed_hash of ['', 'no hash', hashOf(transfer).toUpperCase(), hashOf(transfer).slice(1)])
    assert.equal((await sign(transfer, { signed_hash })).problem?.code, 'invalid_request')
  const noted = await venture.put(`/transfers/${transfer.id}`, { status_reason: 'A note', signed_hash: hashOf(transfer) })
  assert.deepEqual([noted.status, noted.problem?.errors[0].field], [400, 'signed_hash'])
  const cancelled = await venture.put(`/transfers/${transfer.id}`, { status: 'CANCELLED', signed_hash: hashOf(transfer) })
  assert.equal(cancelled.status, 400)
})

test('only what waits for a signature is signed, and only once', async () => {
  const { body: small } = await order({ debit_amount: '1.00' })
  const early = await sign(small)
  assert.deepEqual([early.status, early.problem?.code], [409, 'signature_not_requested'])
  const { body: moves } = await venture.get(`/transfers/${small.id}/transitions`)
  const { allowed, blocked_by } = moves.find(({ status }: Loose) => status === 'SIGNED')
  assert.deepEqual([allowed, blocked_by], [false, 'signature_not_requested'])
  const transfer = await waiting()
  assert.equal((await sign(transfer)).status, 200)
  assert.equal((await sign(transfer)).problem?.code, 'transfer_transition_not_allowed')
  // After a hold, an order still waits for its signature, and a signed one stays signed.
  const held = await waiting()
  for (const status of ['ON_HOLD', 'TO_SIGN', 'SIGNED', 'ON_HOLD', 'SIGNED'])
    assert.equal((await venture.put(`/transfers/${held.id}`, { status })).status, 200, status)
  assert.equal(await storedHash(held), hashOf(held))
})

test('a key with the scope sign alone signs, with the hash or without, and does nothing else', async () => {
  const device = await newKey(['sign'])
  const transfer = await waiting()
  assert.equal((await sign(transfer, { signed_hash: hashOf(transfer), status_reason: 'and more' }, device)).status, 403)
  assert.equal((await sign(transfer, { signed_hash: hashOf(transfer) }, device)).status, 200)
  const orders = await newKey(['transfers'])
  const other = await waiting({}, orders)
  const refused = await sign(other, { signed_hash: hashOf(other) }, orders)
  assert.deepEqual([refused.status, refused.problem?.code], [403, 'forbidden'])
})

async function notAllowed(transfer: { id: string }, caller: Caller, detail: RegExp): Promise<void> {
  const { status, problem } = await sign(transfer, {}, caller)
  assert.deepEqual([status, problem?.code], [403, 'signer_not_allowed'])
  assert.match(problem?.detail ?? '', detail)
  const { body } = await caller.get(`/transfers/${transfer.id}/transitions`)
  const { allowed, blocked_by } = body.find((move: Loose) => move.status === 'SIGNED')
  assert.deepEqual([allowed, blocked_by], [false, 'signer_not_allowed'])
}

test('the policy may ask for somebody else, or for a person who did not order it', async () => {
  const other = await newKey(['transfers', 'sign'])
  const maker = await openMember(bank, venture.venture.id, 'operator')
  const checker = await openMember(bank, venture.venture.id, 'operator')
  const banker = await openBanker(bank, 'operator', venture.venture.id)

  await agree({ signer: 'other' })
  const byKey = await waiting()
  await notAllowed(byKey, venture, /must not be the person or key that ordered/)
  assert.equal((await sign(byKey, {}, other)).status, 200)
  const byPerson = await waiting({}, maker)
  await notAllowed(byPerson, maker, /must not be the person or key that ordered/)
  assert.equal((await sign(byPerson, {}, venture)).status, 200, 'a key is somebody else')

  await agree({ signer: 'user' })
  const forPerson = await waiting({}, maker)
  await notAllowed(forPerson, other, /a key cannot/)
  await notAllowed(forPerson, maker, /must not be the person or key that ordered/)
  const { status, problem } = await sign(forPerson, {}, banker)
  assert.deepEqual([status, problem?.code], [403, 'not_yours_to_sign'])
  assert.equal((await sign(forPerson, {}, checker)).status, 200)
  const fromKey = await waiting()
  assert.equal((await sign(fromKey, {}, maker)).status, 200)
  // The policy at the time of the order applies.
  const loosened = await waiting()
  await agree({ signer: 'any' })
  assert.equal((await sign(loosened)).status, 200)
})

test('the person who ordered cannot sign with a key that was made since', async () => {
  await agree({ signer: 'other' })
  const [thief, device] = [await newKey(['transfers', 'sign']), await newKey(['sign'])]
  const transfer = await waiting({}, thief)
  const { body: rotated } = await thief.post('/venture/rotate-key')
  await notAllowed(transfer, new VentureCaller(bank.app, { ...venture.venture, api_key: rotated.api_key }), /made after the order/)
  await notAllowed(transfer, await newKey(['transfers', 'sign']), /made after the order/)
  assert.equal((await sign(transfer, {}, device)).status, 200)
  await agree({ signer: 'any' })
})

test('an OPEN venture signs when it likes, and the hash still binds', async () => {
  const open = await bank.registerVenture()
  await agree({ sign_above: '1', signer: 'user' }, open)
  const payer = await open.openAccount({ balance: '1000.00' })
  const payee = await open.addBeneficiary(payer.client_id)
  const transfer = await open.createTransfer({ account_id: payer.id, beneficiary_id: payee.id, debit_amount: '500.00' })
  assert.equal(transfer.status, 'CREATED')
  assert.equal((await sign(transfer, { signed_hash: hashOf({ ...transfer, cr_name: 'Ada' }) }, open)).problem?.code, 'signature_mismatch')
  assert.equal((await sign(transfer, { signed_hash: hashOf(transfer) }, open)).status, 200)
  assert.equal(await storedHash(transfer), null)
})

test('verify finds a transfer that was changed after it was signed', async () => {
  const broken = async () => (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0).map(({ name }) => name)
  assert.deepEqual(await broken(), [])
  const transfer = await waiting()
  await sign(transfer)
  await bank.owner.query(`update transfers set cr_name = 'Somebody else' where id = $1`, [transfer.id])
  assert.ok((await broken()).includes('what was signed is what is stored'))
})
