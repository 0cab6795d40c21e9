import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWebAddress } from './web-address.ts'

test('only addresses of the web are links', () => {
  for (const text of ['https://bank.example/pay/1', 'http://localhost:8080/sandbox/verifier/1', 'HTTPS://bank.example'])
    assert.ok(isWebAddress(text), text)
  for (const text of [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'JavaScript://bank.example/%0aalert(1)',
    'data:text/html,<script>',
    'blob:https://x',
    'vbscript:x',
    'file:///etc/passwd',
    '//bank.example',
    '/console/',
    'bank.example',
    '',
  ])
    assert.ok(!isWebAddress(text), text)
})
