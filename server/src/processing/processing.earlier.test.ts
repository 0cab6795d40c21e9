// Payments that were already sent when the rails were introduced.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMigrations } from '../platform/database/migrate.ts'
import { toSent } from '../testing/testing.managed.ts'
import { openRails } from '../testing/testing.rails.ts'
import type { TransferStatus } from '../transfers/life/transfers.status.ts'

const rails = await openRails()
const { bank, venture, statusOf, railStateOf } = rails
const payer = await rails.payer()

async function moved(...statuses: readonly TransferStatus[]) {
  const { account_id, beneficiary_id } = payer
  const transfer = await venture.createTransfer({ account_id, beneficiary_id, debit_amount: '10.00', method: 'SEPA' })
  await venture.process(transfer, ...statuses)
  return transfer
}

/** Runs the part of the rails' migration that concerns payments. */
async function upgrade(): Promise<void> {
  const statements = (await readMigrations()).flatMap(({ text }) => text.match(/^insert into jobs[^;]*;/gm) ?? [])
  assert.equal(statements.length, 1)
  for (const statement of statements) await bank.owner.query(statement)
}

test('what was sent before the rails came is settled by the exchange that has it, and what was not sent leaves over the rails', async () => {
  const ready = toSent.slice(0, -1)
  const sent = [await moved(...toSent), await moved(...toSent, 'ACCEPTED'), await moved(...toSent, 'TO_CANCEL')]
  const unsent = [await moved(...ready, 'SENT_TO_PACK'), await moved(...ready, 'SENT_TO_PACK', 'PACKED')]
  await rails.sendOut()
  const before = await Promise.all(sent.map(statusOf))
  assert.deepEqual(before, ['SENT_TO_CLEAR', 'ACCEPTED', 'TO_CANCEL'], 'nobody answers them')
  for (const transfer of unsent) assert.deepEqual([await statusOf(transfer), await railStateOf(transfer)], ['SENT_TO_CLEAR', 'SENT'])
  await upgrade()
  await rails.sendOut()
  for (const transfer of sent) assert.deepEqual([await statusOf(transfer), await railStateOf(transfer)], ['COMPLETED', undefined])
  assert.deepEqual(await rails.rows(`select * from jobs where kind = 'settle-sent-earlier'`), [])
  await rails.booksAreRight()
})
