// A bank outside the sandbox is told what it lacks, at the start and in its health, until it has it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { provideSandboxNostro } from './sandbox/bank/sandbox.bank.nostro.ts'
import { provideSandboxList } from './screening/screening.ts'
import { findGaps } from './service.gaps.ts'
import { MemoryExchange } from './testing/testing.exchange.ts'
import { Caller, type Loose, openBank } from './testing/testing.ts'

const bank = await openBank()
const { services } = bank

const partsOf = async (known: Parameters<typeof findGaps>[0]) => (await findGaps(known)).map(({ part }) => part)

test('in the sandbox, nothing is missing', async () => {
  assert.deepEqual(await findGaps(services), [])
  const { body } = await bank.admin.get('/operator/health')
  assert.deepEqual([body.status, body.missing], ['GREEN', []])
})

test('outside the sandbox, the health is red until everything is there', async () => {
  const app = await bank.openInstance({ sandbox: false })
  const { body } = await new Caller(app, bank.admin.headers).get('/operator/health')
  assert.equal(body.status, 'RED')
  const parts = body.missing.map(({ part }: Loose) => part)
  assert.deepEqual(parts, ['identity', 'verifier', 'rail', 'nostro', 'watch_lists', 'payee_directory'])
  for (const { what, waits, remedy } of body.missing) for (const sentence of [what, waits, remedy]) assert.match(sentence, /^[A-Z].+\.$/)
})

test('each part that is set up is no longer missing', async () => {
  const live = { ...services.config, sandbox: false }
  const known = {
    database: bank.database,
    config: { ...live, verifier: 'sumsub' as const, bank: { country: 'LT', code: '12345', bic: 'OWNBLT21XXX', name: 'Own Bank' } },
    files: new MemoryExchange(),
    payees: services.payees,
  }
  assert.deepEqual(await partsOf(known), ['nostro', 'watch_lists'])
  assert.deepEqual(await partsOf({ ...known, files: undefined }), ['rail', 'nostro', 'watch_lists'])
  assert.deepEqual(await partsOf({ ...known, config: { ...known.config, bank: live.bank } }), ['identity', 'nostro', 'watch_lists'])
  await provideSandboxNostro(bank.database)
  await provideSandboxList(bank.database)
  assert.deepEqual(await findGaps(known), [])
})
