// Whose messages are accepted: those of the banks in the setting and of the banks that hold the nostros, never our own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRails } from '../../testing/testing.rails.ts'

const named = await openRails({ railsSenders: ['EBAPFRPPXXX', 'BNPAFRPP'] })
const byNostro = await openRails({ railsSenders: undefined })

const [centralBank, clearing, branch, stranger] = ['LIABLT2XXXX', 'EBAPFRPP', 'BNPAFRPPLYO', 'COBADEFFXXX']

test('a setting names the banks, with their branches', async () => {
  const { other, bank, messageOf } = named
  const about = (instructing_bic: string) =>
    other.send('pacs.002.001.10', {
      message_id: other.next('SENDER'),
      created_at: '2026-11-16T09:30:00Z',
      instructing_bic,
      transactions: [],
    })
  const files = [about(clearing), about(branch), about(stranger), about('VOSTLT21')]
  await bank.runInbox()
  const found = await Promise.all(files.map(async (file) => (await messageOf(file)).reason))
  assert.deepEqual(found, [null, null, 'sender_not_allowed', 'sender_is_us'])
})

test('a message without a sender comes from the operator of the exchange', async () => {
  const { other, bank, messageOf } = named
  const file = other.send('pacs.002.001.10', { message_id: other.next('SENDER'), created_at: '2026-11-16T09:30:00Z', transactions: [] })
  await bank.runInbox()
  assert.equal((await messageOf(file)).state, 'APPLIED')
})

test('every statement of a message comes from a bank that is named, and a recall as well', async () => {
  const { other, bank, messageOf } = named
  const statement = (bic: string, sequence: number) => ({
    statement_id: `S${sequence}`,
    sequence,
    account: { iban: 'LT459998000000000001', currency: 'EUR', bic },
    from_time: '2026-11-16T00:00:00Z',
    to_time: '2026-11-16T23:59:59Z',
    entries: [],
    balances: (['OPBD', 'CLBD'] as const).map((type) => ({ type, amount: 0n, currency: 'EUR', date: '2026-11-16' })),
  })
  const file = other.send('camt.053.001.08', {
    message_id: other.next('SENDER'),
    created_at: '2026-11-16T09:30:00Z',
    statements: [statement(clearing, 1), statement(stranger, 2)],
  })
  const recall = other.recall({ tx_id: 'NOBODY' })
  await bank.runInbox()
  for (const each of [file, recall]) assert.equal((await messageOf(each)).reason, 'sender_not_allowed')
})

test('without the setting, the banks that hold the nostros are taken; what was set aside can be tried again', async () => {
  const { other, bank, messageOf, lastCase, decide, decided } = byNostro
  const file = other.send('pacs.002.001.10', {
    message_id: other.next('SENDER'),
    created_at: '2026-11-16T09:30:00Z',
    instructing_bic: centralBank,
    transactions: [],
  })
  await bank.runInbox()
  assert.equal((await messageOf(file)).reason, 'sender_not_allowed')
  assert.ok(other.exchange.failed.includes(file))
  const open = await lastCase('message')
  assert.deepEqual([open.payload.sender, open.payload.reason], [centralBank, 'sender_not_allowed'])
  const { status, problem } = await decide(open, 'retry')
  assert.deepEqual([status, problem.code], [409, 'message_not_applied'])
  const nostro = { name: 'Central bank', account: 'LT1', bic: centralBank, currency: 'EUR', rails: ['SEPA'], prefunding: '0' }
  assert.equal((await bank.admin.post('/operator/nostros', nostro)).status, 201)
  await decided(open, 'retry')
  await bank.runInbox()
  assert.equal((await messageOf(file)).state, 'APPLIED')
})
