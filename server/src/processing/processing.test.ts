// Transfers of a MANAGED venture run by themselves, on a real database, with lists and an exchange that the tests control.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { companion } from '../platform/companions.ts'
import { createLog } from '../platform/log.ts'
import { queryEvents, shownEvents } from '../testing/testing.events.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { openBank } from '../testing/testing.ts'
import { checkInvariants } from '../verify/verify.ts'
import type { OpenCaseFor } from './processing.cases.ts'
import { type Exchange, sandboxExchange } from './processing.exchange.ts'
import type { ScreeningOutcome } from './processing.planner.ts'
import { pruneDelays } from './processing.sql.ts'
import { Processing } from './processing.worker.ts'

const bank = await openBank()
const venture = await ManagedVenture.open(bank)

let outcome: ScreeningOutcome = 'CLEAR'
const exchange: Exchange = sandboxExchange
const noCase: OpenCaseFor = () => companion({ name: 'nothing', acquire: async (_tx, rows) => rows.map(() => 'granted' as const) }, {})

const anExchange: Exchange = { carries: () => true, exchange: (payments) => exchange.exchange(payments) }

function open(now?: () => Date, other: Exchange | 'none' = anExchange): Processing {
  return new Processing({
    database: bank.database,
    transfers: venture.transfers,
    screener: { screen: async (all) => all.map(() => ({ outcome, companions: [] })) },
    exchange: other === 'none' ? undefined : other,
    openCaseFor: noCase,
    log: createLog('silent'),
    ...(now && { now }),
  })
}
const processing = open()

async function pay(order: object = {}, balance = '100.00') {
  const payer = await venture.openAccount({ balance })
  const beneficiary = await venture.addBeneficiary(payer.client_id)
  const { id } = await venture.createTransfer({ account_id: payer.id, beneficiary_id: beneficiary.id, debit_amount: '10.00', ...order })
  return { payer, id }
}

const historyOf = async (id: string): Promise<string[]> =>
  (await venture.get(`/transfers/${id}/history`)).body.map(({ to_status }: { to_status: string }) => to_status)

test('a SEPA payment completes by itself, and each walk is one event', async () => {
  const { payer, id } = await pay()
  await processing.runDue()
  assert.deepEqual(
    (await historyOf(id)).join(' '),
    'CREATED RESERVED READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING AML_APPROVED READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR ACCEPTED COMPLETED',
  )
  const { rows } = await queryEvents(
    bank.owner,
    `select type, data->>$2 as previous from ${shownEvents} where resource_id = $1 order by sequence`,
    [id, 'previous_status'],
  )
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['transfer.created', 'transfer.status_changed', 'transfer.status_changed', 'transfer.completed'],
  )
  assert.deepEqual(await venture.balances(payer), ['90.00', '0.00', '90.00'])
})

test('nothing passes while the lists are not loaded, and everything once they are', async () => {
  outcome = 'UNLOADED'
  const { id } = await pay()
  await processing.runDue()
  assert.equal((await historyOf(id)).at(-1), 'READY_FOR_SCREENING')
  outcome = 'CLEAR'
  await open(() => new Date(Date.now() + 60_000)).runDue()
  assert.equal((await historyOf(id)).at(-1), 'COMPLETED')
})

test('without an exchange nothing is sent', async () => {
  const { id } = await pay({ is_instant: true })
  const packed = await pay()
  const waiting = open(undefined, 'none')
  await waiting.runDue()
  assert.deepEqual([(await historyOf(id)).at(-1), (await historyOf(packed.id)).at(-1)], ['READY_TO_CLEAR', 'SENT_TO_PACK'])
  await waiting.runDue()
  assert.deepEqual([(await historyOf(id)).at(-1), (await historyOf(packed.id)).at(-1)], ['READY_TO_CLEAR', 'SENT_TO_PACK'])
  // Once there is one, they continue.
  await open(() => new Date(Date.now() + 60_000)).runDue()
  assert.deepEqual([(await historyOf(id)).at(-1), (await historyOf(packed.id)).at(-1)], ['COMPLETED', 'COMPLETED'])
})

test('a note of the venture does not stop its payment', async () => {
  const { id } = await pay()
  assert.equal((await venture.put(`/transfers/${id}`, { status_reason: 'for the books' })).status, 200)
  await processing.runDue()
  assert.equal((await historyOf(id)).at(-1), 'COMPLETED')
})

test('moves of the service name the version of the policy', async () => {
  const { id } = await pay()
  await processing.runDue()
  const { body } = await venture.get(`/transfers/${id}/history`)
  const { reason } = body.find(({ to_status }: { to_status: string }) => to_status === 'AML_APPROVED')
  assert.equal(reason, 'Policy version 0.')
})

test('delays that are over are deleted', async () => {
  const { id } = await pay({ settlement_date: '2099-01-05' })
  await processing.runDue()
  const kept = async () => (await bank.owner.query('select from processing_delays where transfer_id = $1', [id])).rowCount
  const prune = async () => {
    for await (const _ of pruneDelays(bank.database, [venture.venture.id]));
  }
  await prune()
  assert.equal(await kept(), 1)
  await bank.owner.query(`update processing_delays set until = now() - interval '2 hours' where transfer_id = $1`, [id])
  await prune()
  assert.equal(await kept(), 0)
})

test('no invariant is broken', async () => {
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
})
