// Operations that make a payment possible or give money away: one person of the bank requests them, over HTTP and with four-eyes approval on, and
// nothing happens until a second one agrees. One person alone can do what only protects. In an OPEN venture, everything works as with the
// venture's own key.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { someMandate } from '../guards/matrix/matrix.fixtures.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { somePerson } from '../testing/testing.people.ts'
import { openBanker } from '../testing/testing.sessions.ts'
import { Shop } from '../testing/testing.shop.ts'
import { type Answer, Caller, type Loose, openBank, type VentureCaller } from '../testing/testing.ts'
import { checkInvariants } from '../verify/verify.ts'

const bank = await openBank({ fourEyes: true })
await bank.listen()
const [carol, dan] = [await openBanker(bank, 'admin'), await openBanker(bank, 'admin')]
const managed = await ManagedVenture.open(bank)
const open = await bank.registerVenture()

const one = async (sql: string, ...values: unknown[]) => (await bank.owner.query(sql, values)).rows[0]
const codeOf = ({ status, problem }: Answer) => [status, problem?.code]
const decide = (approval: Loose, by: Caller) => by.post(`/operator/approvals/${approval['id']}/approve`)
const acting = (by: Caller, { venture }: VentureCaller) => new Caller(bank.app, { ...by.headers, 'vostro-venture': venture.id })

async function asked(answer: Promise<Answer>): Promise<Loose> {
  const { status, body, text } = await answer
  assert.deepEqual([status, body?.state], [202, 'PENDING'], text)
  return body
}

const kept = [
  'transfers',
  'transfer_moves',
  'entries',
  'events',
  'clients',
  'client_emails',
  'accounts',
  'beneficiaries',
  'mandates',
  'payouts',
  'payout_settings',
  'payments',
  'payment_refunds',
  'jobs',
  'participations',
  'calendar_years',
  'reachable_banks',
  'idempotency_keys',
]

/** Everything that a request could have stored, apart from the approval. */
async function picture(): Promise<string> {
  const texts = kept.map((name) => `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${name} t) as ${name}`)
  return JSON.stringify(await one(`select ${texts.join(', ')}`))
}

async function nothingHappens<Result>(act: () => Promise<Result>): Promise<Result> {
  const pictured = await picture()
  const result = await act()
  assert.deepEqual(JSON.parse(await picture()), JSON.parse(pictured))
  return result
}

/** Something that a person of the bank wants to do. */
type Wish = {
  ask(by: Caller): Promise<Answer>
  /** Changes what it is about before the second person decides. */
  change?(): Promise<unknown>
  isDone(): Promise<boolean>
  /** What the second person sees, as far as the test states it. */
  subject?: object
  /** A repeated request is recognised by something other than its Idempotency-Key. */
  hasReference?: true
}

type Making = (venture: VentureCaller) => Promise<Wish>

const someClient = (venture: VentureCaller) => venture.registerClient({ kyc_level: 'DOC_ONLY' })

async function openedBy(venture: VentureCaller, changes: Record<string, unknown> = {}): Promise<Loose> {
  if (venture instanceof ManagedVenture) return venture.openAccount(changes)
  const client = await venture.registerClient({ kyc_level: 'NOT_REQUIRED' })
  return venture.openAccount({ client_id: client['id'], ...changes })
}

async function shopWithMoney(venture: VentureCaller) {
  const shop = new Shop(bank, venture)
  const account = await openedBy(venture)
  await shop.name(account as { id: string })
  return { shop, account, payment: await shop.sell('25.00') }
}

/** The wishes by operation, each with a description. */
const wishes: Readonly<Record<string, Readonly<Record<string, Making>>>> = {
  createBeneficiary: {
    async 'create a beneficiary'(venture) {
      const client = await someClient(venture)
      const payee = { client_id: client['id'], name: 'Charles Babbage', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' }
      return {
        ask: (by) => by.post('/beneficiaries', payee),
        isDone: async () => (await one('select count(*)::int from beneficiaries where client_id = $1', client['id'])).count === 1,
        subject: { payee: 'Charles Babbage', payee_account: 'DE89370400440532013000' },
      }
    },
  },
  updateBeneficiary: {
    async 'hide a beneficiary'(venture) {
      const client = await someClient(venture)
      const { id } = await venture.addBeneficiary(client['id'])
      const put = (by: Caller, display: boolean) => by.put(`/beneficiaries/${id}`, { display })
      return {
        ask: (by) => put(by, false),
        change: async () => {
          for (const display of [false, true]) assert.equal((await put(venture, display)).status, 200)
        },
        isDone: async () => (await one('select display from beneficiaries where id = $1', id)).display === false,
        subject: { payee: 'Charles Babbage', changes: [{ field: 'display', from: 'true', to: 'false' }] },
      }
    },
  },
  createMandate: {
    async 'register a mandate'(venture) {
      const { id: account_id } = await openedBy(venture)
      const mandate = { ...someMandate(), account_id, debtor_name: 'Grace Hopper', debtor_iban: 'DE89370400440532013000' }
      return {
        ask: (by) => by.post('/mandates', mandate),
        isDone: async () => (await one('select count(*)::int from mandates where account_id = $1', account_id)).count === 1,
        subject: { account_id, payer: 'Grace Hopper', payer_account: 'DE89370400440532013000' },
        hasReference: true,
      }
    },
  },
  updateAccount: {
    async 'raise a limit'(venture) {
      const { id } = await openedBy(venture, { daily_limit: '100.00' })
      return {
        ask: (by) => by.put(`/accounts/${id}`, { daily_limit: '5000.00', account_name: 'Large' }),
        change: () => venture.put(`/accounts/${id}`, { daily_limit: '50.00' }),
        isDone: async () => Number((await one('select daily_limit from accounts where id = $1', id)).daily_limit) === 5000,
        subject: {
          account_id: id,
          changes: [
            { field: 'account_name', from: 'Main', to: 'Large' },
            { field: 'daily_limit', from: '100.00', to: '5000.00' },
          ],
        },
      }
    },
    async 'remove a limit'(venture) {
      const { id } = await openedBy(venture, { monthly_limit: '100.00' })
      return {
        ask: (by) => by.put(`/accounts/${id}`, { monthly_limit: null }),
        change: () => venture.put(`/accounts/${id}`, { monthly_limit: null }),
        isDone: async () => (await one('select monthly_limit from accounts where id = $1', id)).monthly_limit === null,
        subject: { changes: [{ field: 'monthly_limit', from: '100.00', to: null }] },
      }
    },
  },
  registerPerson: {
    async 'register a client who needs no verification'() {
      const person = somePerson({ kyc_level: 'NOT_REQUIRED' }) as Loose
      return {
        ask: (by) => by.post('/clients/person', person),
        isDone: async () => (await one('select count(*)::int from clients where email = $1', person['email'])).count === 1,
        hasReference: true,
      }
    },
  },
  updateClient: {
    async 'lower the risk of a client'(venture) {
      const { id } = await someClient(venture)
      await bank.owner.query(`update clients set risk_level = 'High' where id = $1`, [id])
      return {
        ask: (by) => by.put(`/clients/${id}`, { risk_level: 'Medium' }),
        change: () => venture.put(`/clients/${id}`, { city: 'Lyon' }),
        isDone: async () => (await one('select risk_level from clients where id = $1', id)).risk_level === 'Medium',
        subject: { changes: [{ field: 'risk_level', from: 'High', to: 'Medium' }] },
      }
    },
  },
  createPayout: {
    async 'pay out card money'(venture) {
      const { account } = await shopWithMoney(venture)
      return {
        ask: (by) => by.post('/payouts', { description: 'May' }),
        change: async () => assert.equal((await venture.post('/payouts')).status, 201),
        isDone: async () => (await one('select count(*)::int from payouts where account_id = $1', account['id'])).count === 1,
        subject: { account_id: account['id'], payee_account: account['account_number'], currency: 'EUR', purpose: 'May' },
        hasReference: true,
      }
    },
  },
  updatePayoutSettings: {
    async 'name an account for card money'(venture) {
      const [first, { id, account_number }] = [await openedBy(venture), await openedBy(venture)]
      await new Shop(bank, venture).name(first as { id: string })
      return {
        ask: (by) => by.put('/payout-settings', { payout_account_id: id }),
        change: () => venture.put('/payout-settings', { payout_account_id: null }),
        isDone: async () =>
          (await one('select payout_account_id from payout_settings where venture_id = $1', venture.venture.id)).payout_account_id === id,
        subject: { account_id: id, payee_account: account_number, changes: [{ field: 'payout_account_id', from: first['id'], to: id }] },
      }
    },
  },
  refundPayment: {
    async 'refund a card payment'(venture) {
      const { payment, shop } = await shopWithMoney(venture)
      const refund = { amount: '4.00', external_refund_id: `r-${randomUUID().slice(0, 18)}` }
      return {
        ask: (by) => by.post(`/payments/${payment['id']}/refund`, refund),
        change: () => shop.refund(payment as { id: string }, '1.00'),
        isDone: async () => (await shop.get(payment as { id: string }))['refunded_amount'] === '4.00',
        subject: { amount: '4.00', currency: 'EUR' },
        hasReference: true,
      }
    },
  },
  cancelPayment: {
    async 'give a card payment back'(venture) {
      const { payment, shop } = await shopWithMoney(venture)
      return {
        ask: (by) => by.post(`/payments/${payment['id']}/cancel`),
        change: () => shop.refund(payment as { id: string }, '1.00'),
        isDone: async () => (await shop.get(payment as { id: string }))['status'] === 'CANCELED',
        subject: { amount: '25.00', currency: 'EUR' },
      }
    },
  },
}

let round = 0
/** Wishes about the bank itself, whatever the venture. */
const ofTheBank: Readonly<Record<string, Readonly<Record<string, () => Promise<Wish>>>>> = {
  setCycles: {
    async 'say when payments leave'() {
      const minute = String(10 + round++)
      const put = (by: Caller, at: string) => by.put('/operator/rails/SEPA/cycles', { cut_offs: [at, '09:00'] })
      return {
        ask: (by) => put(by, `15:${minute}`),
        isDone: async () => (await one('select count(*)::int from participations where $1 = any(cut_offs)', `15:${minute}`)).count === 1,
      }
    },
  },
  changeParticipation: {
    async 'change how the bank takes part in a scheme'() {
      const prefers = 100 + round++
      return {
        ask: (by) => by.post('/operator/participations', { rail: 'INST', prefers }),
        isDone: async () => (await one('select count(*)::int from participations where prefers = $1', prefers)).count === 1,
      }
    },
  },
  resumeRail: {
    async 'let the payments of a rail leave again'() {
      assert.equal((await carol.post('/operator/participations/SDD/suspend')).status, 200)
      const newest = () => one("select state from participations where rail = 'SDD' order by version desc limit 1")
      return {
        ask: (by) => by.post('/operator/participations/SDD/resume'),
        isDone: async () => (await newest())['state'] === 'ACTIVE',
        subject: { changes: [{ field: 'state', from: 'SUSPENDED', to: 'ACTIVE' }] },
      }
    },
  },
  enterCalendarYear: {
    async 'say on which days money settles'() {
      const year = 2100 + round++
      return {
        ask: (by) => by.put(`/operator/calendars/LOCAL/${year}`, { closed: [`${year}-01-04`] }),
        isDone: async () => (await one('select count(*)::int from calendar_years where year = $1', year)).count === 1,
        subject: {
          changes: [
            { field: 'weekend', from: null, to: '6, 7' },
            { field: 'closed', from: null, to: `${year}-01-04` },
          ],
        },
      }
    },
  },
  setReachableBanks: {
    async 'say which banks are reached'() {
      const bic = ['COBADEFF', 'DEUTDEFF', 'BNPAFRPP'][round++ % 3] ?? ''
      return {
        ask: (by) => by.put('/operator/rails/SDD/reachable-banks', { bics: [bic] }),
        isDone: async () => (await one('select count(*)::int from reachable_banks where bic8 = $1', bic)).count === 1,
        subject: {
          changes: [
            { field: 'banks', from: '0', to: '1' },
            { field: 'added', from: null, to: bic },
          ],
        },
      }
    },
  },
}

const adminKey = new Caller(bank.app, bank.admin.headers)

async function takesTwo(wish: Wish, act: (by: Caller) => Caller): Promise<void> {
  await nothingHappens(async () => assert.deepEqual(codeOf(await wish.ask(act(adminKey))), [403, 'person_needed']))
  const approval = await nothingHappens(() => asked(wish.ask(act(carol))))
  assert.equal(await wish.isDone(), false)
  assert.ok(approval['subject'])
  for (const [field, value] of Object.entries(wish.subject ?? {})) assert.deepEqual(approval['subject'][field], value, field)
  await nothingHappens(async () => {
    const repeated = await wish.ask(act(carol))
    if (wish.hasReference) assert.deepEqual([repeated.status, repeated.body], [202, approval], repeated.text)
    assert.deepEqual(codeOf(await decide(approval, carol)), [409, 'own_approval'])
  })
  const { body, text } = await decide(approval, dan)
  assert.deepEqual([body.state, body.reason], ['APPROVED', null], text)
  assert.equal(await wish.isDone(), true)
}

for (const [operation, makings] of Object.entries(wishes)) {
  for (const [name, make] of Object.entries(makings)) {
    test(`${name}: nobody at the bank does it alone, and two do it`, async () => {
      await takesTwo(await make(managed), (by) => acting(by, managed))
    })

    test(`${name}: not if it has changed since`, async () => {
      const wish = await make(managed)
      if (wish.change === undefined) return
      const approval = await asked(wish.ask(acting(carol, managed)))
      await wish.change()
      const { body } = await nothingHappens(() => decide(approval, dan))
      assert.equal(body.state, 'FAILED')
    })

    test(`${name}: in an OPEN venture one person does it, as its key would`, async () => {
      const wish = await make(open)
      const { status, text } = await wish.ask(acting(carol, open))
      assert.ok(status === 200 || status === 201, text)
      assert.equal(await wish.isDone(), true)
    })
  }
  test(`${operation}: the table says that it takes two people, at least for some requests`, () => {
    assert.match(bank.services.operations.accessOf(operation).authority?.[0] ?? '', /^(together|partly)$/)
  })
}

for (const makings of Object.values(ofTheBank)) {
  for (const [name, make] of Object.entries(makings))
    test(`${name}: nobody at the bank does it alone, and two do it`, async () =>
      takesTwo(await make(), (by) => new Caller(bank.app, by.headers)))
}

test('what protects, one person does', async () => {
  const by = acting(carol, managed)
  const { id } = await managed.openAccount({ daily_limit: '100.00' })
  for (const update of [{ daily_limit: '50.00' }, { monthly_limit: '10.00' }, { account_name: 'Renamed' }])
    assert.equal((await by.put(`/accounts/${id}`, update)).status, 200)
  const client = await managed.registerClient()
  for (const update of [{ risk_level: 'High' }, { blocked: true }, { city: 'Lyon' }])
    assert.equal((await by.put(`/clients/${client['id']}`, update)).status, 200)
  assert.equal((await by.post('/clients/person', somePerson({ kyc_level: 'FULL_KYC' }))).status, 201)
  await new Shop(bank, managed).name((await managed.openAccount()) as { id: string })
  assert.equal((await by.put('/payout-settings', { payout_account_id: null })).status, 200)
  const unpaid = await new Shop(bank, managed).order()
  assert.equal((await by.post(`/payments/${unpaid['id']}/cancel`)).body.status, 'CANCELED')
})

test('a create that waits and is repeated by its key is answered with the same approval, and is carried out once', async () => {
  const client = await someClient(managed)
  const { payment } = await shopWithMoney(managed)
  const requests = [
    ['/beneficiaries', { client_id: client['id'], name: 'Mary', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' }],
    [`/payments/${payment['id']}/refund`, { amount: '2.00', external_refund_id: `r-${randomUUID().slice(0, 18)}` }],
  ] as const
  for (const [path, body] of requests) {
    const key = randomUUID()
    const post = () =>
      acting(carol, managed).send({
        method: 'POST',
        url: `/api/v1${path}`,
        payload: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      })
    const approval = await asked(post())
    const again = await post()
    assert.deepEqual([again.status, again.headers['idempotency-replayed'], again.body], [202, 'true', approval], path)
    assert.equal((await decide(approval, dan)).body.state, 'APPROVED')
    assert.deepEqual((await post()).body, approval)
  }
  const { count } = await one('select count(*)::int from beneficiaries where client_id = $1', client['id'])
  const { refunds } = await one('select count(*)::int as refunds from payment_refunds where payment_id = $1', payment['id'])
  assert.deepEqual([count, refunds], [1, 1])
})

test('a refund that two people have agreed on is not asked for again when it is repeated', async () => {
  const { payment, shop } = await shopWithMoney(managed)
  const refund = () => acting(carol, managed).post(`/payments/${payment['id']}/refund`, { amount: '3.00', external_refund_id: 'r-agreed' })
  assert.equal((await decide(await asked(refund()), dan)).body.state, 'APPROVED')
  const again = await refund()
  assert.deepEqual([again.status, again.body?.refunded_amount], [200, '3.00'], again.text)
  assert.equal((await shop.get(payment as { id: string }))['refunded_amount'], '3.00')
})

test('two people pay out what they have seen and no more, even if more has come since', async () => {
  const venture = await ManagedVenture.open(bank)
  const { shop, account } = await shopWithMoney(venture)
  const approval = await asked(acting(carol, venture).post('/payouts', {}))
  assert.deepEqual([approval['subject'].amount, approval['payload'].amount], ['25.00', '25.00'])
  await shop.sell('7.00')
  assert.equal((await decide(approval, dan)).body.state, 'APPROVED')
  assert.deepEqual([await shop.balanceOf(account as { id: string }), (await shop.balance())[1]], ['25.00', '7.00'])
  await nothingIsBroken()
})

test('all of this breaks no invariant', nothingIsBroken)

async function nothingIsBroken(): Promise<void> {
  // Tests change rows by hand, which leaves no line.
  const byHand = 'rows that decide are as their last lines say'
  const broken = (await checkInvariants(bank.owner)).filter(({ name, violations }) => violations > 0 && name !== byHand)
  assert.deepEqual(broken, [])
}
