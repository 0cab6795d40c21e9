// Secrets sent to any part of any route appear neither in a log line nor in a response that others may see.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { somePerson } from '../testing/testing.people.ts'
import { Caller, openBank } from '../testing/testing.ts'
import { makeKey } from '../ventures/ventures.keys.ts'

const bank = await openBank()

const card = '4111111111111111'

test('keys and card numbers sent anywhere appear in no log line and in no refusal', async () => {
  const venture = await bank.registerVenture()
  const ownKey = venture.venture.api_key
  const strange = makeKey('live')
  const secrets = [ownKey, strange, card, `${card.slice(0, 4)} ${card.slice(4, 8)} ${card.slice(8, 12)} ${card.slice(12)}`]
  const admin = bank.config.adminApiKey ?? ''
  const relay = bank.config.kycApiKey ?? ''
  const monitor = bank.config.metricsApiKey ?? ''
  const signature = bank.config.kycWebhookSecrets[0] ?? ''
  const everything = [...secrets, admin, relay, monitor, signature]
  const callers = [venture, bank.admin, new Caller(bank.app, { 'x-api-key': strange })]
  const refusals: string[] = []
  for (const { method, url } of bank.app.routeTable) {
    for (const caller of callers) {
      for (const secret of secrets) {
        const sent = {
          method: method as 'GET',
          headers: { 'content-type': 'application/json', referer: `https://example.com/?key=${secret}` },
        }
        const plain = url.replace(/:[a-z_]+|\*/g, 'some')
        const bodies =
          method === 'GET' ? [] : [JSON.stringify({ name: secret, pan: secret, nested: { card: [secret] } }), `{"broken": "${secret}`]
        const answers = [
          await caller.send({ ...sent, url: `${plain}?api_key=${encodeURIComponent(secret)}&search=${encodeURIComponent(secret)}` }),
          ...(await Promise.all(bodies.map((payload) => caller.send({ ...sent, url: plain, payload })))),
        ]
        // The path is the caller's own and named in the problem, so only the log is searched for it.
        await caller.send({ ...sent, url: url.replace(/:[a-z_]+|\*/g, encodeURIComponent(secret)) })
        refusals.push(...answers.filter(({ status }) => status >= 400).map(({ text }) => text))
      }
    }
  }
  assert.ok(refusals.length > 1_000 && bank.logLines.length > refusals.length, `${refusals.length} refusals, ${bank.logLines.length} lines`)
  for (const secret of everything) {
    assert.deepEqual(bank.logLines.filter((line) => line.includes(secret)).slice(0, 3), [], 'in the log')
    assert.deepEqual(refusals.filter((text) => text.includes(secret)).slice(0, 3), [], 'in a refusal')
  }
})

test('an internal error reveals neither its cause nor a secret to the caller, and no data to the log', async () => {
  await bank.owner.query('alter table clients add constraint no_more check (first_name <> $$Bug$$) not valid')
  const venture = await bank.registerVenture()
  const answer = await venture.post('/clients/person', somePerson({ first_name: 'Bug', address: card }))
  assert.equal(answer.status, 500)
  assert.doesNotMatch(answer.text, /no_more|constraint|\.ts|node_modules/)
  assert.ok(!answer.text.includes(card))
  const logged = bank.logLines.filter((line) => line.includes(answer.body.request_id))
  assert.ok(logged.some((line) => line.includes('no_more')))
  assert.deepEqual(
    logged.filter((line) => line.includes(card) || line.includes(venture.venture.api_key)),
    [],
  )
})
