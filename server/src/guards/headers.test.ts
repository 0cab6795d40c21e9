// What every answer tells a browser or a cache to do with it, whatever route it comes from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, openBank } from '../testing/testing.ts'

const bank = await openBank()

async function everyAnswer(): Promise<{ name: string; answer: Answer }[]> {
  const venture = await bank.registerVenture()
  const answers: { name: string; answer: Answer }[] = []
  for (const { method, url } of bank.app.routeTable) {
    for (const caller of [venture, bank.admin, bank.stranger]) {
      const answer = await caller.send({ method: method as 'GET', url: url.replace(/:[a-z_]+|\*/g, 'some') })
      answers.push({ name: `${method} ${url}`, answer })
    }
  }
  return answers
}

test('no answer may be kept by a cache or taken for something else than it says', async () => {
  for (const { name, answer } of await everyAnswer()) {
    assert.equal(answer.headers['cache-control'], 'no-store', name)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff', name)
    assert.equal(answer.headers['access-control-allow-origin'], undefined, `${name} is open to pages of other sites`)
    assert.equal(answer.headers['server'], undefined, name)
    assert.equal(answer.headers['x-powered-by'], undefined, name)
  }
})

test('every page forbids frames, foreign content and telling its address', async () => {
  const pages = (await everyAnswer()).filter(({ answer }) => /html/.test(answer.headers['content-type'] ?? ''))
  assert.ok(new Set(pages.map(({ name }) => name)).size >= 6, `only ${pages.map(({ name }) => name)}`)
  for (const { name, answer } of pages) {
    const policy = answer.headers['content-security-policy'] ?? ''
    assert.match(policy, /^default-src 'none';/, name)
    assert.match(policy, /frame-ancestors 'none'/, name)
    assert.match(policy, /base-uri 'none'/, name)
    assert.equal(answer.headers['x-frame-options'], 'DENY', name)
    assert.equal(answer.headers['referrer-policy'], 'no-referrer', name)
  }
})
