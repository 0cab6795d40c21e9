// Every event of the catalogue can be triggered in the sandbox, whatever the venture's control, or the command explains why not.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { eventTypes } from '../../server/src/events/events.types.ts'
import { openService, run } from './cli.testing.ts'
import { triggers } from './commands/trigger.ts'

const service = await openService()
const ventures = { OPEN: await service.venture('OPEN'), MANAGED: await service.venture('MANAGED') }

test('the table has every type of the catalogue', () => {
  assert.deepEqual(Object.keys(triggers), [...eventTypes])
})

for (const control of ['OPEN', 'MANAGED'] as const) {
  const { id, environment, vostro } = ventures[control]
  const asBank = { ...service.admin, VOSTRO_VENTURE: id }
  for (const type of eventTypes) {
    const { cannot, byBank, managedOnly } = triggers[type]
    test(`${type} of a venture that is ${control}`, async () => {
      if (cannot !== undefined) {
        const { code, stdout, stderr } = await run(['trigger', type], environment)
        assert.deepEqual([code, stdout], [1, ''])
        assert.equal(stderr, `${type} cannot be triggered. ${cannot}\n`)
        return
      }
      if (managedOnly && control === 'OPEN') {
        const { code, stderr } = await run(['trigger', type], asBank)
        assert.deepEqual(
          [code, stderr],
          [1, `${type} occurs only in ventures whose transfers the bank processes (control MANAGED). This venture is OPEN.\n`],
        )
        return
      }
      if (byBank) {
        const { code, stderr } = await run(['trigger', type], environment)
        assert.deepEqual(
          [code, stderr.split('\n').at(-2)],
          [1, `Only the bank can cause ${type}. Use the admin key with --key, and name the venture with --venture.`],
        )
      }
      const { code, json, stderr } = await run(['trigger', type, '--json'], byBank ? asBank : environment)
      assert.equal(code, 0, stderr)
      assert.equal(json.type, type)
      assert.equal((await vostro.events.get(json.id)).type, type)
    })
  }
}

test('types are listed with what can be triggered, and a wrong type is a wrong usage', async () => {
  const { environment } = await service.venture()
  const { code, stdout } = await run(['trigger', '--list'], environment)
  assert.equal(code, 0)
  assert.match(stdout, /^type +trigger +reason$/m)
  assert.match(stdout, /^transfer\.completed +yes$/m)
  assert.match(stdout, /^account\.overdrawn +with the admin key$/m)
  assert.match(stdout, /^venture\.key_rotated +no +It would replace the key/m)
  const wrong = await run(['trigger', 'transfer.finished'], environment)
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /^TYPE must be one of client\.created, .*, not transfer\.finished\.\n$/)
  assert.deepEqual((await run(['trigger'], environment)).code, 2)
})

test('outside a sandbox nothing is invented', async () => {
  const { environment } = await service.venture()
  // Stands in for a service in production: the routes of the sandbox do not exist there, and nothing else must be asked for.
  const asked: string[] = []
  const live = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.replace(/[0-9a-f-]{36}/, '{id}')}`)
    const isVenture = request.url === '/api/v1/venture'
    const problem = { type: 't', title: 't', status: 404, code: 'route_not_found', detail: 'There is no such route.', request_id: 'r' }
    response.writeHead(isVenture ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isVenture ? { id: 'v', name: 'Acme' } : problem))
  })
  await new Promise<void>((resolve) => live.listen(0, '127.0.0.1', resolve))
  after(() => live.close())
  const { code, stderr } = await run(['trigger', 'client.created'], {
    ...environment,
    VOSTRO_URL: `http://127.0.0.1:${(live.address() as AddressInfo).port}`,
  })
  assert.equal(code, 1)
  assert.match(stderr, /^This service is not a sandbox\. /)
  assert.deepEqual(asked, ['GET /api/v1/venture', 'POST /api/v1/sandbox/transfers/{id}/settle'])
})

test('a request log that is off is said to be off', async () => {
  const { environment } = await service.venture()
  const { code, stdout, stderr } = await run(['logs', 'tail'], environment)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /REQUEST_LOG=on.*\(request_log_off\)/)
})
