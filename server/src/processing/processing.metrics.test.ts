// The metrics of processing: what waits, and the work queue of the bank's people.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { openBank } from '../testing/testing.ts'
import type { ScreeningOutcome } from './processing.planner.ts'

let outcome: ScreeningOutcome = 'UNLOADED'
const bank = await openBank({}, { screener: { screen: async (all) => all.map(() => ({ outcome, companions: [] })) } })
const venture = await ManagedVenture.open(bank)

async function metrics(): Promise<string[]> {
  const { text } = await bank.admin.send({ method: 'GET', url: '/metrics' })
  return text.split('\n').filter((line) => /^(processing|cases)_/.test(line) && !line.includes('oldest'))
}

test('transfers that wait for lists, and cases that wait for people, are counted', async () => {
  const account = await venture.openAccount({ balance: '100.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const pay = () => venture.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' })
  await pay()
  await pay()
  await bank.runProcessing()
  assert.deepEqual(await metrics(), ['processing_transfers{status="READY_FOR_SCREENING"} 2'])
  outcome = 'BLOCK'
  await bank.owner.query('delete from processing_delays')
  await bank.runProcessing()
  assert.deepEqual(await metrics(), ['cases_open{kind="hit",severity="URGENT"} 2', 'cases_overdue{kind="hit",severity="URGENT"} 0'])
  await bank.owner.query('update cases set due_at = created_at')
  assert.ok((await metrics()).includes('cases_overdue{kind="hit",severity="URGENT"} 2'))
})
