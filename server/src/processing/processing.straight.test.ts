// Orders that continue in the transaction that creates them end exactly as if the worker had moved them afterwards.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFirstCase } from '../cases/cases.ts'
import { createLog } from '../platform/log.ts'
import { MatcherError } from '../screening/screening.matcher.ts'
import { queryEvents, shownEvents } from '../testing/testing.events.ts'
import { TestList } from '../testing/testing.lists.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { createTransfer, openTransfers } from '../transfers/transfers.ts'
import { checkInvariants } from '../verify/verify.ts'
import { caseOpener } from './processing.cases.ts'
import { sandboxExchange } from './processing.exchange.ts'
import { openScreener } from './processing.screener.ts'
import { Processing, type Screener } from './processing.worker.ts'

const bank = await openBank()
const venture = await ManagedVenture.open(bank)
const { id: venture_id } = venture.venture
const list = await TestList.open(bank)
await list.publish('Grigori Grandmaster')
// Long enough for a busy machine.
const screener = openScreener(bank.database, bank.rescreening.comparison, { within_ms: 60_000 })

function open(by: Screener = screener) {
  const transfers = openTransfers(bank.database, bank.config.bank, openFirstCase)
  const processing = new Processing({
    database: bank.database,
    transfers,
    screener: by,
    exchange: sandboxExchange,
    openCaseFor: caseOpener(transfers),
    log: createLog('silent'),
  })
  return { transfers, processing }
}

type Way = 'in one transaction' | 'by the worker'
type Opened = ReturnType<typeof open>

function opened(way: Way, by?: Screener): Opened {
  const made = open(by)
  if (way === 'in one transaction') made.transfers.continueNew = made.processing.continueNew
  return made
}

const order = ({ transfers }: Opened, order: Loose) =>
  createTransfer(transfers, { venture_id, order: { unique_reference: randomUUID(), ...order }, actor: { kind: 'venture', id: null } })

type Scene = { payer: Loose; orders: Loose[] }

const internal = async (payer: Loose, changes: object = {}) => {
  const receiver = await venture.openAccount()
  const beneficiary = await venture.addBeneficiary(payer.client_id, { iban: receiver.account_number })
  return { account_id: payer.id, beneficiary_id: beneficiary.id, debit_amount: '10.00', ...changes }
}

const outside = async (payer: Loose, name = 'Charles Babbage', changes: object = {}) => {
  const beneficiary = await venture.addBeneficiary(payer.client_id, { name, iban: 'DE89370400440532013000' })
  return { account_id: payer.id, beneficiary_id: beneficiary.id, debit_amount: '10.00', ...changes }
}

const scenes: Record<string, { make: () => Promise<Scene>; certain: number; policy?: object }> = {
  'an INTERNAL payment': { make: () => scene((payer) => [internal(payer)]), certain: 1 },
  'a SEPA payment': { make: () => scene((payer) => [outside(payer)]), certain: 1 },
  'an instant payment': { make: () => scene((payer) => [outside(payer, 'Ada', { is_instant: true })]), certain: 1 },
  'several orders of one account, of which the money is enough for some': {
    make: () => scene((payer) => [internal(payer, { debit_amount: '60.00' }), internal(payer), internal(payer, { debit_amount: '60.00' })]),
    certain: 2,
  },
  'too little money': { make: () => scene((payer) => [internal(payer, { debit_amount: '500.00' })]), certain: 0 },
  'a date in the future': { make: () => scene((payer) => [outside(payer, 'Ada', { settlement_date: '2099-01-05' })]), certain: 0 },
  'somebody on a list': { make: () => scene((payer) => [outside(payer, 'Grigori Grandmaster')]), certain: 0 },
  'somebody on a list beside others': {
    make: () => scene((payer) => [outside(payer), outside(payer, 'Grigori Grandmaster'), internal(payer)]),
    certain: 2,
  },
  'a signature is needed': { make: () => scene((payer) => [internal(payer)]), certain: 0, policy: { sign_above: '5.00' } },
  'a person looks at large amounts': { make: () => scene((payer) => [internal(payer)]), certain: 0, policy: { review_above: '5.00' } },
  'the venture has rules': {
    make: () => scene((payer) => [internal(payer)]),
    certain: 0,
    policy: { rules: [{ kind: 'new_payee', above: '5' }] },
  },
}

async function scene(make: (payer: Loose) => Promise<Loose>[]): Promise<Scene> {
  const payer = await venture.openAccount({ balance: '100.00' })
  const orders: Loose[] = []
  for (const one of make(payer)) orders.push(await one)
  return { payer, orders }
}

async function setPolicy(policy: object): Promise<void> {
  const nothing = { sign_above: null, review_above: null, rules: [] }
  const { status, text } = await bank.admin.put(`/ventures/${venture_id}/policy`, { ...nothing, ...policy })
  assert.equal(status, 200, text)
}

/** Everything stored about the orders, without ids, times and the number of the policy. */
async function traces({ payer }: Scene, ids: readonly string[]): Promise<object> {
  const rows = async (text: string, values: unknown[]) => (await queryEvents(bank.owner, text, values)).rows
  const names = new Map(ids.map((id, index) => [id, `transfer ${index}`]))
  const own = `transfer_id = any($1)`
  const kept = {
    moves: await rows(
      `select transfer_id, from_status, to_status, actor, reason_code, regexp_replace(reason, 'version \\d+', 'version') as reason, forced
       from transfer_moves where ${own} order by array_position($1, transfer_id), id`,
      [ids],
    ),
    events: await rows(
      `select resource_id as transfer_id, type, sequence, actor, data->>'previous_status' as previous, data->'object'->>'status' as status
       from ${shownEvents} where resource_id = any($1) order by array_position($1, resource_id), sequence`,
      [ids],
    ),
    entries: await rows(
      `select cause_id as transfer_id, amount::text, currency, account_id = $2 as of_payer, system_account from entries
       where cause_id = any($1) order by array_position($1, cause_id), amount, system_account`,
      [ids, payer.id],
    ),
    screenings: await rows(
      `select subject_id as transfer_id, outcome, cause from screenings where subject_id = any($1) order by array_position($1, subject_id)`,
      [ids],
    ),
    cases: await rows(
      `select resource_id as transfer_id, kind, state from cases where resource_id = any($1) order by array_position($1, resource_id)`,
      [ids],
    ),
    transfers: await rows(
      `select id as transfer_id, status, sequence, held, sent, received, screened, suspended::text from transfers
       where id = any($1) order by array_position($1, id)`,
      [ids],
    ),
    received: await rows(
      `select count(*)::int, min(status) as least, max(status) as most from transfers where parent_transaction_id = any($1)`,
      [ids],
    ),
    account: await rows('select current_balance::text, reserved_balance::text from accounts where id = $1', [payer.id]),
  }
  return Object.fromEntries(
    Object.entries(kept).map(([name, all]) => [name, all.map((row) => ({ ...row, transfer_id: names.get(row.transfer_id) }))]),
  )
}

for (const [name, { make, certain, policy = {} }] of Object.entries(scenes)) {
  test(`${name}: the same in one transaction as by the worker`, async () => {
    await setPolicy(policy)
    const ended: object[] = []
    for (const way of ['by the worker', 'in one transaction'] as const) {
      const made = await make()
      const bankNow = opened(way)
      const answers = await Promise.all(made.orders.map((one) => order(bankNow, one)))
      // The response shows the order as it was created, whatever has happened to it since.
      const first = 'sign_above' in policy ? 'TO_SIGN' : 'CREATED'
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([first]))
      const ids = answers.map(({ id }) => id)
      const { rows } = await bank.owner.query('select status from transfers where id = any($1)', [ids])
      const gone = rows.filter(({ status }) => status !== first).length
      assert.equal(gone, way === 'by the worker' ? 0 : certain)
      await bankNow.processing.runDue()
      ended.push(await traces(made, ids))
    }
    assert.deepEqual(ended[1], ended[0])
  })
}

test('what takes too long, and what cannot be compared now, is left to the worker', async () => {
  await setPolicy({})
  const { comparison } = bank.rescreening
  const answered = Promise.withResolvers<never>()
  answered.promise.catch(() => {})
  const failed = new MatcherError('FAILED', 'the thread has ended')
  for (const ask of [() => answered.promise, () => Promise.reject(failed)]) {
    const slow = openScreener(bank.database, { ...comparison, lists: { current: comparison.lists.current, ask } })
    const { orders } = await scene((payer) => [internal(payer)])
    const created = order(opened('in one transaction', slow), orders[0])
    // A limit in case it hangs.
    const first = await Promise.race([created.then(() => 'the order'), sleep(30_000, 'the limit', { ref: false })])
    answered.reject(failed)
    assert.equal(first, 'the order', 'the order has waited for the thread')
    const { id } = await created
    assert.equal((await venture.get(`/transfers/${id}`)).body.status, 'CREATED')
    await opened('by the worker').processing.runDue()
    assert.equal((await venture.get(`/transfers/${id}`)).body.status, 'COMPLETED')
  }
})

test('a list that is replaced meanwhile: the order stands, and is compared with the new one', async () => {
  const careless: Screener = {
    ...screener,
    async screenAtOnce(reader, transfers) {
      const screened = await screener.screenAtOnce?.(reader, transfers)
      await list.publish('Grigori Grandmaster', 'Charles Babbage')
      return screened ?? []
    },
  }
  const bankNow = opened('in one transaction', careless)
  const { orders } = await scene((payer) => [outside(payer)])
  const { id } = await order(bankNow, orders[0])
  assert.equal((await venture.get(`/transfers/${id}`)).body.status, 'CREATED')
  await opened('by the worker').processing.runDue()
  assert.equal((await venture.get(`/transfers/${id}`)).body.status, 'REVIEW')
})

test('the worker takes orders along only while it runs', async () => {
  const { transfers, processing } = open()
  assert.equal(transfers.continueNew, undefined)
  processing.start()
  assert.equal(transfers.continueNew, processing.continueNew)
  await processing.stop()
  assert.equal(transfers.continueNew, undefined)
})

test('every invariant holds', async () => {
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
})
