// The headers for browsers and caches, which every response of every route has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceScript } from '../platform/docs/docs.reference.ts'
import { someAsset } from '../testing/testing.console.ts'
import { type Answer, openBank } from '../testing/testing.ts'
import { rightCaller } from './matrix/matrix.cases.ts'
import { Fixtures } from './matrix/matrix.fixtures.ts'
import { nameOf } from './matrix/matrix.names.ts'
import { complete, optionsOf } from './matrix/matrix.requests.ts'
import { rowOf } from './matrix/matrix.rows.ts'

const bank = await openBank()
// Payments and verifications reach the sandbox's gateway and verifier over HTTP.
await bank.listen()

/** Public files that may be cached, because new content gets a new URL. Nothing else may be cached. */
async function keptFiles(): Promise<Map<string, string>> {
  const urls = [`/docs/js/${(await referenceScript()).name}`, `/console/assets/${await someAsset()}`]
  return new Map(urls.map((url) => [url, 'public, max-age=31536000, immutable']))
}

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

/** Responses to valid requests, with content that only the caller may see. */
async function everyRightAnswer(): Promise<{ name: string; url: string; answer: Answer }[]> {
  const fixtures = await Fixtures.open(bank)
  const answers: { name: string; url: string; answer: Answer }[] = []
  for (const route of bank.app.routeTable.filter(({ method }) => method === 'GET')) {
    const row = rowOf(route)
    for (const make of row?.makers ?? []) {
      const parts = await complete(route, row ?? assert.fail(), make, fixtures)
      const options = optionsOf(bank, route, parts)
      const answer = await rightCaller(row ?? assert.fail(), parts, fixtures).send(options)
      answers.push({ name: nameOf(route), url: String(options.url), answer })
    }
  }
  return answers
}

test('no successful response may be cached, except for the listed public files', async () => {
  const kept = await keptFiles()
  const answers = await everyRightAnswer()
  for (const { name, url, answer } of answers) assert.equal(answer.headers['cache-control'], kept.get(url) ?? 'no-store', name)
  assert.deepEqual(new Set(answers.filter(({ url }) => kept.has(url)).map(({ url }) => url)), new Set(kept.keys()))
  assert.ok(answers.filter(({ answer }) => answer.status === 200).length >= 40, `${answers.length} answers`)
})

test('a file that may be cached is the same for everybody, with or without a key', async () => {
  const venture = await bank.registerVenture()
  for (const url of (await keptFiles()).keys()) {
    const { headers, text } = await bank.stranger.send({ method: 'GET', url })
    assert.equal(headers['set-cookie'], undefined)
    assert.equal(headers['vary'], 'accept-encoding')
    for (const caller of [venture, bank.admin]) assert.ok((await caller.send({ method: 'GET', url })).text === text, url)
  }
})

test('no response may be cached or interpreted as another content type', async () => {
  for (const { name, answer } of await everyAnswer()) {
    assert.equal(answer.headers['cache-control'], 'no-store', name)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff', name)
    assert.equal(answer.headers['access-control-allow-origin'], undefined, `${name} is open to pages of other sites`)
    assert.equal(answer.headers['server'], undefined, name)
    assert.equal(answer.headers['x-powered-by'], undefined, name)
  }
})

test('every page forbids frames, foreign content and referrers', async () => {
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

test('browsers that come over https are told to come back over https, and to its hosts below if the bank says so', async () => {
  const of = async (changes: object) =>
    (await (await bank.openInstance(changes)).inject('/api/v1/venture')).headers['strict-transport-security']
  const url = 'https://console.bank.example'
  assert.equal(await of({}), undefined)
  assert.equal(await of({ hstsSubdomains: true }), undefined)
  assert.equal(await of({ consoleUrl: url }), 'max-age=31536000')
  assert.equal(await of({ publicUrl: url }), 'max-age=31536000')
  assert.equal(await of({ consoleUrl: url, hstsSubdomains: true }), 'max-age=31536000; includeSubDomains')
})
