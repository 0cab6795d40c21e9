import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openBank } from '../testing/testing.ts'
import { parseMoney } from '../values/money.ts'
import { book, causeKinds } from './ledger.ts'

test('every entry of a journal names its cause', () => {
  const amount = parseMoney('5.00', 'EUR') ?? 0n
  for (const kind of causeKinds) {
    const cause = { kind, id: randomUUID() }
    const entries = book({
      venture_id: randomUUID(),
      cause,
      now: new Date().toISOString(),
      lines: [
        { account: 'fees', currency: 'EUR', amount },
        { account: 'suspense', currency: 'EUR', amount: -amount },
      ],
    })
    assert.deepEqual(
      entries.map(({ cause_kind, cause_id }) => ({ kind: cause_kind, id: cause_id })),
      [cause, cause],
    )
  }
})

test('the database accepts exactly the kinds of causes of the ledger, and no entry without a cause', async () => {
  const { owner } = await openBank()
  const { rows } = await owner.query<{ text: string }>(
    `select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'entries_cause_kind_check'`,
  )
  const kinds = [...(rows[0]?.text ?? '').matchAll(/'(\w+)'/g)].map(([, kind]) => kind)
  assert.deepEqual(kinds.sort(), [...causeKinds].sort())

  // Inserts both sides of a journal in one statement.
  const insert = (cause_kind: string | null) =>
    owner.query(
      `insert into entries (venture_id, id, journal_id, cause_kind, cause_id, system_account, currency, amount, created_at)
       select $1, gen_random_uuid(), $1, $2, $1, 'fees:EUR', 'EUR', amount, now() from unnest(array[1, -1]) as amount`,
      [randomUUID(), cause_kind],
    )
  for (const kind of causeKinds) assert.equal((await insert(kind)).rowCount, 2)
  await assert.rejects(insert('rumour'), /violates check constraint "entries_cause_kind_check"/)
  await assert.rejects(insert(null), /null value in column "cause_kind"/)
})
