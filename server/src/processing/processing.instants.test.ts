// Instant payments that leave: nobody is compared during the payment, and without the daily run, or with an open hit, there are none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../platform/log.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { caseOpener } from './processing.cases.ts'
import { openScreener } from './processing.screener.ts'
import { Processing } from './processing.worker.ts'

const bank = await openBank()
await bank.lists.refresh()
const venture = await ManagedVenture.open(bank)
const { id: venture_id } = venture.venture
const processing = new Processing({
  database: bank.database,
  transfers: venture.transfers,
  screener: openScreener(bank.database, bank.rescreening.comparison),
  exchange: undefined,
  openCaseFor: caseOpener(venture.transfers),
  log: createLog('silent'),
})
const rows = async (sql: string, ...values: unknown[]): Promise<Loose[]> => (await bank.owner.query(sql, values)).rows
const account = await venture.openAccount({ balance: '1000.00' })

async function order(more: object = {}, name = 'Charles Babbage', of: Loose = account) {
  const { id: beneficiary_id } = await venture.addBeneficiary(of['client_id'], { name, iban: 'DE89370400440532013000' })
  return { account_id: of['id'], beneficiary_id, debit_amount: '10.00', unique_reference: crypto.randomUUID(), is_instant: true, ...more }
}
async function ordered(name?: string): Promise<Loose> {
  const { status, body, text } = await venture.post('/transfers', await order({}, name))
  assert.equal(status, 201, text)
  return body
}
async function refused(of: Loose = account): Promise<void> {
  for (const changes of [{ is_instant: true }, { is_instant: undefined, method: 'INST' }]) {
    const wanted = await order(changes, undefined, of)
    const { status, problem, text } = await venture.post('/transfers', wanted)
    assert.deepEqual([status, problem?.code], [409, 'instant_not_possible'], text)
    assert.doesNotMatch(text, /screen|hit|list/)
    const { body } = await venture.post('/transfers/bulk', { atomic: false, transfers: [wanted] })
    assert.equal(body.results[0].problem.code, 'instant_not_possible')
    const dry = await venture.post('/transfers/dry-run', wanted)
    assert.equal(dry.body.refusal?.code, 'instant_not_possible', dry.text)
  }
  const { status, text } = await venture.post('/transfers', await order({ is_instant: false }, undefined, of))
  assert.equal(status, 201, text)
}
const show = async ({ id }: Loose): Promise<Loose> => (await venture.get(`/transfers/${id}`)).body
const screeningsOf = ({ id }: Loose): Promise<Loose[]> =>
  rows('select cause, outcome from screenings where subject_id = $1 order by id', id)
const age = (hours: number) => rows(`update ventures set created_at = now() - make_interval(hours => $2) where id = $1`, venture_id, hours)

test('clients: the parties are not compared, and the screening says why', async () => {
  const listed = await ordered('Mortimer Grimshade')
  await processing.runDue()
  assert.equal((await show(listed))['status'], 'READY_TO_CLEAR')
  assert.deepEqual(await screeningsOf(listed), [{ cause: 'art_5d', outcome: 'CLEAR' }])
  const ordinary = await venture.post('/transfers', await order({ is_instant: false }, 'Mortimer Grimshade'))
  await processing.runDue()
  assert.equal((await show(ordinary.body))['status'], 'REVIEW')
})

test('transactions: a hit on a list outside Art. 5d is reviewed; without such a list, nothing is compared', async () => {
  await bank.admin.put(`/ventures/${venture_id}/policy`, { instant_screening: 'transactions' })
  const before = await ordered('Mortimer Grimshade')
  await processing.runDue()
  assert.deepEqual(
    [(await show(before))['status'], await screeningsOf(before)],
    ['READY_TO_CLEAR', [{ cause: 'art_5d', outcome: 'CLEAR' }]],
  )
  await rows('update watchlists set outside_art_5d = true')
  await bank.lists.refresh()
  const [hit, clear] = [await ordered('Mortimer Grimshade'), await ordered()]
  await processing.runDue()
  assert.deepEqual([(await show(hit))['status'], (await show(clear))['status']], ['REVIEW', 'READY_TO_CLEAR'])
  assert.deepEqual(await screeningsOf(clear), [{ cause: 'processing', outcome: 'CLEAR' }])
  await rows('update watchlists set outside_art_5d = false')
  await bank.lists.refresh()
  await bank.admin.put(`/ventures/${venture_id}/policy`, { instant_screening: 'clients' })
})

test('without a full run for 26 hours no instant payment is ordered, and one that was ordered before ends', async () => {
  const waiting = await ordered()
  await age(27)
  await refused()
  await processing.runDue()
  const { status, status_reason_code } = await show(waiting)
  assert.deepEqual([status, status_reason_code], ['REJECTED', 'instant_not_possible'])
  const open = await rows(`select resource_id, severity from cases where kind = 'screening_overdue' and state = 'OPEN'`)
  assert.deepEqual(open, [{ resource_id: venture_id, severity: 'URGENT' }])
  await rows(
    `insert into screening_runs (venture_id, id, started_at, ended_at, compared) values ($1, gen_random_uuid(), now(), null, 0)`,
    venture_id,
  )
  await refused()
  await rows('update screening_runs set ended_at = now() where venture_id = $1', venture_id)
  const allowed = await ordered()
  await processing.runDue()
  assert.equal((await show(allowed))['status'], 'READY_TO_CLEAR')
})

test('a client who is hit orders no instant payments until the case is decided', async () => {
  const client = await venture.registerClient({ first_name: 'Mortimer', last_name: 'Grimshade' })
  await rows(`update clients set kyc_status = 'VALIDATED' where id = $1`, client['id'])
  await bank.runJobs()
  const of = await venture.openAccount({ client_id: String(client['id']), balance: '100.00' })
  await refused(of)
  const [hit] = await rows(`select id from cases where kind = 'name_hit' and resource_id = $1`, client['id'])
  const { status, text } = await bank.admin.post(`/operator/cases/${hit?.['id']}/decisions`, { decision: 'clear' })
  assert.equal(status, 200, text)
  assert.equal((await venture.post('/transfers', await order({}, undefined, of))).status, 201)
})
