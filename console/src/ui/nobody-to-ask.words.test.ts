import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stuckTitle, wayOut } from './nobody-to-ask.words.ts'

const origin = 'https://bank.example'
const way = (may: 'EVERYTHING' | 'THIRD_ADMIN' | 'NOTHING', admins: number, next_is_related = may === 'NOTHING') =>
  wayOut({ may, admins_needed: 3, related_days: 9, next_is_related }, { admins, origin })

test('while the admin key may let in admins, the way out is an invitation with it', () => {
  for (const [may, admins, who] of [
    ['EVERYTHING', 1, 'a second admin'],
    ['EVERYTHING', 2, 'a third admin'],
    ['THIRD_ADMIN', 2, 'a third admin'],
  ] as const) {
    assert.ok(way(may, admins).text.includes(who))
    assert.match(way(may, admins).command ?? '', /^curl .*https:\/\/bank\.example\/api\/v1\/operator\/users .*"role": "admin"}'$/s)
  }
  assert.doesNotMatch(way('EVERYTHING', 1).text, /day/)
  assert.match(way('EVERYTHING', 1, true).text, /can approve after 9 days/)
  assert.match(way('EVERYTHING', 2).text, /^The other admins are related/)
  assert.deepEqual([way('EVERYTHING', 1).showsPairs, way('EVERYTHING', 2).showsPairs], [false, true])
})

test('where there are admins enough, they are related, and Pairs says why', () => {
  for (const found of [way('EVERYTHING', 3), way('NOTHING', 2), way('NOTHING', 4)]) {
    assert.deepEqual([found.showsPairs, found.command], [true, undefined])
    assert.match(found.text, /related.*can approve after 9 days/)
  }
})

test('a last admin whose admin key is retired is told how another one comes in', () => {
  const { text, command } = way('NOTHING', 1)
  assert.match(text, /can approve after 9 days/)
  assert.match(text, /ADMIN_API_KEY_SCOPE=set-up/)
  assert.match(command ?? '', /operator\/users\/set-up .*-X POST$/s)
})

test('the title counts', () => {
  assert.equal(stuckTitle(1), 'A request is pending, and nobody at the bank can approve it')
  assert.equal(stuckTitle(2), '2 requests are pending, and nobody at the bank can approve them')
})
