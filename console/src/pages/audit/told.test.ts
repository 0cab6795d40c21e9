import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionOf, whoOf } from './told.ts'

test('operations are told in words', () => {
  assert.equal(actionOf('createWebhookEndpoint'), 'Create webhook endpoint')
  assert.equal(actionOf('decideSandboxVerification'), 'Decide sandbox verification')
})

test('whoever did it has a name if it is known', () => {
  const people = [{ id: 'u1', name: 'Livia Lumen' }]
  const keys = [{ id: 'k1', name: 'Shop' }]
  assert.equal(whoOf({ actor: 'user', actor_id: 'u1' }, people, keys), 'Livia Lumen')
  assert.equal(whoOf({ actor: 'venture', actor_id: 'k1' }, people, keys), 'Key “Shop”')
  assert.equal(whoOf({ actor: 'user', actor_id: 'gone' }, people, keys), 'A team member')
  assert.equal(whoOf({ actor: 'operator', actor_id: null }, people, keys), 'The bank')
})
