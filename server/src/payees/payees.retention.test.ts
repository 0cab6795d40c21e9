// Old payee verifications, and old questions between banks, are deleted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIdAt } from '../platform/ids.ts'
import { openBank } from '../testing/testing.ts'
import { houseId } from '../ventures/ventures.ts'
import { exchangePruning, verificationPruning } from './payees.retention.ts'

const day_ms = 86_400_000

test('verifications of payees are deleted after some time, those of all ventures', async () => {
  const bank = await openBank()
  const ventures = [await bank.registerVenture(), await bank.registerVenture()]
  for (const { venture } of ventures)
    for (const days of [10, 29, 31, 800]) {
      const at = new Date(Date.now() - days * day_ms)
      await bank.owner.query(
        `insert into payee_verifications (venture_id, id, name, iban, result, created_at) values ($1, $2, 'Ada', 'DE89370400440532013000', 'MATCH', $3)`,
        [venture.id, firstIdAt(at), at],
      )
    }
  let deleted = 0
  for await (const count of verificationPruning(bank.database, { days: 30 }).steps()) deleted += count
  assert.equal(deleted, 4)
  const { rows } = await bank.owner.query(`select date_part('day', now() - created_at) as days from payee_verifications order by 1`)
  assert.deepEqual(
    rows.map(({ days }) => days),
    [10, 10, 29, 29],
  )
})

test('questions between banks are deleted after some time, also those that the house has', async () => {
  const bank = await openBank()
  const { venture } = await bank.registerVenture()
  for (const venture_id of [venture.id, houseId])
    for (const days of [10, 29, 31, 800]) {
      const at = new Date(Date.now() - days * day_ms)
      await bank.owner.query(
        `insert into vop_exchanges (venture_id, id, direction, request_id, bic, asked_at, answered_at, result, question_hash)
         values ($1, $2, 'ANSWERED', gen_random_uuid(), 'COBADEFF', $3, $3, 'MATCH', repeat('0', 64))`,
        [venture_id, firstIdAt(at), at],
      )
    }
  let deleted = 0
  for await (const count of exchangePruning(bank.database, { days: 30 }).steps()) deleted += count
  assert.equal(deleted, 4)
  const { rows } = await bank.owner.query(`select date_part('day', now() - asked_at) as days from vop_exchanges order by 1`)
  assert.deepEqual(
    rows.map(({ days }) => days),
    [10, 10, 29, 29],
  )
})
