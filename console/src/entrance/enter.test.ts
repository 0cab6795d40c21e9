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
  ])
    assert.equal(pathInside(to), '/console/')
})
