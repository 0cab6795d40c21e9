// A day with the simulated bank, from orders to comparing its statement with the books.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManagedVenture } from '../../testing/testing.managed.ts'
import { type Loose, openBank } from '../../testing/testing.ts'
import { todayUtc } from '../../values/calendar.ts'
import { checkInvariants } from '../../verify/verify.ts'
import { provideSandboxNostro } from './sandbox.bank.nostro.ts'

test('the statement of the simulated bank fits the books, but for what it leaves out and shows twice', async () => {
  const bank = await openBank({}, { files: 'simulated bank' })
  const { admin, services } = bank
  await provideSandboxNostro(bank.database)
  const venture = await ManagedVenture.open(bank)
  const account = await venture.openAccount({ balance: '1000.00' })
  const { id: beneficiary_id } = await venture.addBeneficiary(account['client_id'], { iban: 'DE89370400440532013000' })
  const settle = async () => {
    for (let idle = 0; idle < 2; idle++) {
      await bank.runProcessing()
      await bank.runSending()
      if ((await services.simulatedBank?.cycle()) !== 0) idle = -1
      await bank.runInbox()
      await bank.runJobs()
    }
  }
  // Settled, settled, rejected, returned, left out of the statement, shown twice on it.
  for (const debit_amount of ['10.00', '20.00', '10.01', '10.05', '10.16', '10.17'])
    await venture.createTransfer({
      account_id: account['id'],
      beneficiary_id,
      debit_amount,
      method: 'SEPA',
      settlement_date: todayUtc(new Date()),
    })
  const paying = { iban: account['account_number'], amount: '33.00' }
  const paid = await admin.post('/sandbox/bank/payments', paying)
  assert.ok(paid.status < 300, paid.text)
  await settle()
  assert.equal((await admin.post('/sandbox/bank/day-end')).status < 300, true)
  await bank.runInbox()
  const [nostro] = (await admin.get('/operator/nostros')).body
  assert.equal(nostro.last_statement_on, todayUtc(new Date()))
  const breaks = async () => (await admin.get('/operator/breaks')).body.map(({ kind, difference }: Loose) => `${kind} ${difference}`).sort()
  assert.deepEqual(await breaks(), ['DUPLICATE -10.17'])
  const { body: ended } = await admin.post('/operator/end-of-day', {})
  assert.deepEqual(
    ended.map(({ state, missing }: Loose) => [state, missing]),
    [['ENDED', 1]],
  )
  assert.deepEqual(await breaks(), ['DUPLICATE -10.17', 'MISSING 10.16'])
  const { body: figures } = await admin.get(`/operator/nostros/${nostro.id}/reconciliation`)
  // 10.00 + 20.00 + 10.16 + 10.17 have gone out, and 33.00 has come in.
  assert.deepEqual([figures.settlement, figures.in_transit, figures.breaks, figures.difference], ['17.33', '0.00', '-0.01', '0.00'])
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
})
