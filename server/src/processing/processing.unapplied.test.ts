// Money that no account can take is screened before it goes anywhere.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { theirBic } from '../testing/testing.otherbank.ts'
import { openRails } from '../testing/testing.rails.ts'
import type { Loose } from '../testing/testing.ts'
import { makeIban } from '../values/iban.ts'
import type { ScreeningOutcome } from './processing.planner.ts'
import { openScreener } from './processing.screener.ts'
import type { Screener } from './processing.worker.ts'

/** The screening outcome by name. */
const outcomes = new Map<string, ScreeningOutcome>()
/** A real screener instead, if set. */
let real: Screener | undefined
const screener: Screener = {
  screen: async (transfers) =>
    real?.screen(transfers) ??
    transfers.map(({ transfer }) => ({ outcome: outcomes.get(transfer.dr_name ?? '') ?? 'CLEAR', companions: [] })),
}
const rails = await openRails({}, { screener })
const { other, bank, rows, decide, decided, takeIn, sendOut, booksAreRight } = rails
const stranger = makeIban('LT', '3250099999999999')

const unappliedOf = async (name: string): Promise<Loose> => (await rows('select * from unapplied_payments where dr_name = $1', name))[0]
const caseOf = async ({ id }: { id: string }): Promise<Loose> =>
  (await rows(`select * from cases where resource_id = $1 order by id desc`, id))[0]
const pay = (name: string) => other.pay([{ creditor_iban: stranger, debtor: { name }, amount: 6_0000n }])
const isSentBack = async ({ id }: { id: string }): Promise<boolean> =>
  (await other.payments()).some(({ tx_id, message_type }) => tx_id === id.replaceAll('-', '') && message_type === 'pacs.004.001.09')

test('what came over a rail and resembles nobody goes back by itself', async () => {
  pay('Clear Payer')
  await takeIn()
  const payment = await unappliedOf('Clear Payer')
  assert.deepEqual([payment.status, payment.actor], ['RETURNING', 'service'])
  const { state, decision } = await caseOf(payment)
  assert.deepEqual([state, decision], ['DECIDED', 'return'])
  await sendOut()
  assert.ok(await isSentBack(payment))
  await booksAreRight()
})

test('by real lists, too, only the payer decides whether it goes back', async () => {
  await bank.lists.refresh()
  real = openScreener(bank.database, bank.rescreening.comparison)
  pay('Grace Hopper')
  pay('Mortimer Grimshade')
  await takeIn()
  real = undefined
  assert.equal((await unappliedOf('Grace Hopper')).status, 'RETURNING')
  const listed = await unappliedOf('Mortimer Grimshade')
  const { state, payload } = await caseOf(listed)
  assert.deepEqual([listed.status, state, payload.outcome], ['OPEN', 'OPEN', 'BLOCK'])
  await sendOut()
  await booksAreRight()
})

test('what somebody reported by hand waits for a decision', async () => {
  const report = {
    sender: theirBic,
    kind: 'pacs.008',
    tx_id: 'HAND-1',
    iban: stranger,
    amount: '6.00',
    currency: 'EUR',
    rail: 'SEPA',
    dr_name: 'By Hand',
  }
  assert.equal((await bank.admin.post('/operator/inbound-payments', report)).status, 201)
  await sendOut()
  const payment = await unappliedOf('By Hand')
  assert.equal(payment.status, 'OPEN')
  await decided(await caseOf(payment), 'return')
  await sendOut()
  assert.equal((await unappliedOf('By Hand')).status, 'RETURNING')
  assert.equal(await isSentBack(payment), false)
  await booksAreRight()
})

test('a payer who resembles a listed one stays in the house until two people have seen it', async () => {
  outcomes.set('Listed Payer', 'BLOCK')
  pay('Listed Payer')
  await takeIn()
  const payment = await unappliedOf('Listed Payer')
  const open = await caseOf(payment)
  assert.deepEqual([payment.status, open.state, open.severity, open.payload.outcome], ['OPEN', 'OPEN', 'URGENT', 'BLOCK'])
  await decided(open, 'return')
  await sendOut()
  assert.ok(await isSentBack(payment))
  await booksAreRight()
})

test('nobody lets money out of the house that has not been compared, or that resembles somebody since', async () => {
  const report = {
    sender: theirBic,
    kind: 'pacs.008',
    tx_id: 'HAND-2',
    iban: stranger,
    amount: '6.00',
    currency: 'EUR',
    rail: 'SEPA',
    dr_name: 'Listed Later',
  }
  assert.equal((await bank.admin.post('/operator/inbound-payments', report)).status, 201)
  await sendOut()
  const payment = await unappliedOf('Listed Later')
  outcomes.set('Listed Later', 'UNLOADED')
  const unloaded = await decide(await caseOf(payment), 'return')
  assert.deepEqual([unloaded.status, unloaded.problem.code], [409, 'screening_required'])
  outcomes.set('Listed Later', 'HIT')
  const unseen = await decide(await caseOf(payment), 'return')
  assert.deepEqual([unseen.status, unseen.problem.code], [409, 'resource_changed'])
  const open = await caseOf(payment)
  assert.deepEqual([open.state, open.severity, open.payload.outcome], ['OPEN', 'URGENT', 'HIT'])
  assert.equal((await unappliedOf('Listed Later')).status, 'OPEN')
  await decided(open, 'return')
  assert.equal((await unappliedOf('Listed Later')).status, 'RETURNING')
  await booksAreRight()
})
