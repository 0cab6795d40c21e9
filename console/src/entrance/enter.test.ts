import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathInside } from './enter.ts'

test('after signing in, one gets to a page of the console and nowhere else', () => {
  assert.equal(pathInside('/console/v/1/transfers?status=REVIEW'), '/console/v/1/transfers?status=REVIEW')
  for (const to of [
    '',
    '//evil.example',
    'https://evil.example/console/',
    '/console',
    'javascript:alert(1)',
    '/console/\\evil',
    '/console/sign-in?to=/',
    '/console/passkey?to=/',
    '/console/../payments/1/return',
    '/console/v/%2e%2e/%2E./%2e%2e/payments/1/return',
    '/console/..//evil.example',
    '/console/./sign-in',
    '/console/v/../sign-in',
  ])
    assert.equal(pathInside(to), '/console/', to)
  assert.equal(pathInside('/console/v/1/../2/accounts'), '/console/v/2/accounts')
})
