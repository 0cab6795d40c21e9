import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdminKey } from '@vostro/sdk'
import { noticeOf } from './admin-key.words.ts'

const now_ms = Date.parse('2026-11-19T12:00:00Z')
const key: AdminKey = { may: 'NOTHING', admins_with_passkey: 3, admins_needed: 3, steps: [], scopes: [], set_up_reopened: [] }
const of = (changes: Partial<AdminKey>) => noticeOf({ ...key, ...changes }, now_ms)

test('a bank whose admin key is retired needs no notice', () => {
  assert.equal(of({}), undefined)
  assert.equal(of({ scopes: ['health'], admins_with_passkey: 1 }), undefined)
})

test('a bank with too few admins reads how many it needs, why, and what the admin key can do', () => {
  const one = of({ may: 'EVERYTHING', admins_with_passkey: 1 })
  assert.deepEqual([one?.tone, one?.title], ['orange', 'The bank needs 2 more admins with a passkey'])
  assert.match(one?.text ?? '', /one absence blocks everything that needs two people.*can do what an admin does alone\.$/)
  const two = of({ may: 'THIRD_ADMIN', admins_with_passkey: 2 })
  assert.equal(two?.title, 'The bank needs 1 more admin with a passkey')
  assert.match(two?.text ?? '', /can add the third admin\.$/)
})

test('a start for a bank that is locked out is told for a month, and as long as the setting is there', () => {
  const times = ['2026-11-18T09:00:00.000Z', '2026-09-01T09:00:00.000Z']
  const past = of({ set_up_reopened: times })
  assert.deepEqual([past?.tone, past?.title, past?.times], ['red', 'The admin key could add another admin', times.slice(0, 1)])
  assert.equal(of({ set_up_reopened: times.slice(1) }), undefined)
  const present = of({ scopes: ['set-up'], set_up_reopened: times.slice(1) })
  assert.equal(present?.title, 'The admin key can add another admin')
  assert.match(present?.text ?? '', /Restart it without the setting\./)
})
