// A suspended rail collects and seals nothing, and still applies what it receives. A pack keeps the version by which it was made.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFirstCase } from '../cases/cases.ts'
import { MessageReader } from '../iso20022/iso20022.ts'
import { createLog } from '../platform/log.ts'
import type { Rail } from '../schemes/schemes.ts'
import { makeDataFolder } from '../testing/testing.folders.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { changeRail } from '../testing/testing.participations.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { openTransfers } from '../transfers/transfers.ts'
import { checkInvariants } from '../verify/verify.ts'
import { folderExchange } from './exchange/rails.exchange.folder.ts'
import type { Packing } from './packs/rails.packing.ts'
import { steps } from './rails.sending.ts'

const folder = makeDataFolder('rails')
mkdirSync(join(folder, 'out'))
const bank = await openBank({}, { files: folderExchange(folder) })
const venture = await ManagedVenture.open(bank)
const reader = new MessageReader()
const account = await venture.openAccount({ balance: '1000.00' })
const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id)

/** Another instance of the service, which knows no more than the database says. */
const instance = (): Packing => ({
  database: bank.database,
  transfers: openTransfers(bank.database, bank.config.bank, openFirstCase),
  exchange: folderExchange(folder),
  reader,
  sources: { mandatesOf: async () => new Map(), returnsOf: async () => new Map() },
  log: createLog('silent'),
  now: () => new Date(),
  answer_ms: 86_400_000,
  timeoutsOf: async () => new Map(),
})
const all = Object.keys(steps) as (keyof typeof steps)[]
const before = (name: keyof typeof steps) => all.slice(0, all.indexOf(name))
async function run(names: readonly (keyof typeof steps)[] = all, packing = instance()): Promise<void> {
  for (const name of names) await steps[name](packing)
}

async function ordered(fields: object = {}): Promise<Loose> {
  const transfer = await venture.createTransfer({ account_id: account.id, beneficiary_id, debit_amount: '10.00', ...fields })
  await bank.runProcessing()
  return transfer
}
const statusOf = async ({ id }: Loose): Promise<string> => (await venture.get(`/transfers/${id}`)).body.status
const rows = async (sql: string, ...values: unknown[]): Promise<Loose[]> => (await bank.owner.query(sql, values)).rows
const paymentOf = async ({ id }: Loose) => (await rows('select * from rail_payments where transfer_id = $1 order by attempt desc', id))[0]
const packOf = async (transfer: Loose) =>
  (await rows('select * from rail_packs where id = $1', (await paymentOf(transfer))?.['pack_id'] ?? null))[0]
const files = () => readdirSync(join(folder, 'out')).length
const suspend = async (rail: Rail) => assert.equal((await bank.admin.post(`/operator/participations/${rail}/suspend`)).status, 200)
const resume = (rail: Rail) => changeRail(bank, rail, { state: 'ACTIVE' })

test('nothing is collected while a rail is suspended', async () => {
  const transfer = await ordered()
  await suspend('SEPA')
  await run()
  assert.deepEqual([await statusOf(transfer), await paymentOf(transfer), files()], ['SENT_TO_PACK', undefined, 0])
  await resume('SEPA')
  await run()
  assert.deepEqual([await statusOf(transfer), (await paymentOf(transfer))?.['state'], files()], ['SENT_TO_CLEAR', 'SENT', 1])
})

for (const step of ['pack', 'commit', 'seal'] as const)
  test(`suspended before the step ${step}, a payment waits there`, async () => {
    const [transfer, sent] = [await ordered(), files()]
    await run(before(step))
    const state = (await paymentOf(transfer))?.['state']
    await suspend('SEPA')
    await run()
    await run()
    assert.deepEqual([(await paymentOf(transfer))?.['state'], files()], [state, sent])
    const version = await resume('SEPA')
    await run()
    assert.deepEqual([(await paymentOf(transfer))?.['state'], files()], ['SENT', sent + 1])
    // It was made by the version before, or by the one that lets payments leave again.
    const { participation } = (await packOf(transfer)) ?? {}
    assert.equal(participation, step === 'pack' ? version : version - 2)
  })

test('what is sealed is delivered, although the rail is suspended since', async () => {
  const [transfer, sent] = [await ordered(), files()]
  await run(before('deliver'))
  await suspend('SEPA')
  await run()
  assert.deepEqual([(await packOf(transfer))?.['state'], files()], ['DELIVERED', sent + 1])
  await resume('SEPA')
})

test('an instant payment waits as well, and nobody can suspend its rail while it is sealed', async () => {
  const transfer = await ordered({ is_instant: true })
  await suspend('INST')
  await run()
  assert.deepEqual([await statusOf(transfer), await paymentOf(transfer)], ['READY_TO_CLEAR', undefined])
  await resume('INST')
  await run()
  assert.equal(await statusOf(transfer), 'SENT_TO_CLEAR')
})

test('a suspension that comes first stops an instant payment that another instance is about to seal', async () => {
  const transfer = await ordered({ is_instant: true })
  const packing = instance()
  const { participations } = packing.transfers
  const book = await participations.read()
  await suspend('INST')
  // It has read the rails before.
  participations.read = async () => book
  await run(['instant'], packing)
  assert.deepEqual([await statusOf(transfer), await paymentOf(transfer)], ['READY_TO_CLEAR', undefined])
  await resume('INST')
  await run()
})

test('a suspension that comes first stops a pack that another instance is about to seal', async () => {
  const transfer = await ordered()
  await run(before('seal'))
  const packing = instance()
  const { participations } = packing.transfers
  const read = participations.read.bind(participations)
  const book = await read()
  await suspend('SEPA')
  let reads = 0
  participations.read = async (reader) => (reads++ === 0 ? book : read(reader))
  await run(['seal'], packing)
  assert.deepEqual([(await packOf(transfer))?.['state'], reads], ['OPEN', 2])
  await resume('SEPA')
  await run()
  assert.equal((await packOf(transfer))?.['state'], 'DELIVERED')
})

test('without the year of its calendar, a payment waits, and a case says so', async () => {
  const transfer = await ordered()
  await changeRail(bank, 'SEPA', { calendar: 'NOWHERE' })
  await run()
  await run()
  assert.deepEqual([(await paymentOf(transfer))?.['state'], await packOf(transfer)], ['COLLECTED', undefined])
  const cases = await rows(`select id, payload from cases where kind = 'calendar_missing' and state = 'OPEN'`)
  assert.deepEqual(
    cases.map(({ payload }) => payload),
    [{ rail: 'SEPA', calendar: 'NOWHERE', year: new Date().getUTCFullYear() }],
  )
  const id = cases[0]?.['id']
  const { body } = await bank.admin.get(`/operator/cases/${id}`)
  assert.deepEqual([body.allowed_decisions, body.subject.calendar], [['close'], 'NOWHERE'])
  for (const year of [0, 1].map((more) => new Date().getUTCFullYear() + more))
    assert.equal((await bank.admin.put(`/operator/calendars/NOWHERE/${year}`, { closed: [], weekend: [] })).status, 200)
  await run()
  assert.equal((await paymentOf(transfer))?.['state'], 'SENT')
  assert.equal((await bank.admin.post(`/operator/cases/${id}/decisions`, { decision: 'close' })).status, 200)
  await changeRail(bank, 'SEPA', { calendar: 'TARGET' })
})

test('a message has what its clearing system wants in it and around it, by the version that made its pack', async () => {
  const header = { root: 'BusinessMessage', from_bic: null, to_bic: 'CSMXDEFFXXX', business_service: 'sepa.sct.01' }
  await changeRail(bank, 'SEPA', {
    envelope: { clearing_code: null, clearing_system: 'STEP2', instructed_bic: 'CSMXDEFFXXX', header },
  })
  const transfer = await ordered({ purpose: 'Fish & chips' })
  await run(before('seal'))
  // The pack keeps its version.
  await changeRail(bank, 'SEPA', { envelope: { clearing_code: null, clearing_system: null, instructed_bic: null, header: null } })
  await run()
  const { message_id, created_at } = (await packOf(transfer)) ?? {}
  const bytes = readFileSync(join(folder, 'out', `${message_id}.xml`))
  const text = bytes.toString()
  assert.ok(
    text.includes(
      `<BusinessMessage><AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02"><Fr><FIId><FinInstnId><BICFI>VOSTLT21XXX</BICFI></FinInstnId></FIId></Fr>` +
        `<To><FIId><FinInstnId><BICFI>CSMXDEFFXXX</BICFI></FinInstnId></FIId></To><BizMsgIdr>${message_id}</BizMsgIdr><MsgDefIdr>pacs.008.001.08</MsgDefIdr>` +
        `<BizSvc>sepa.sct.01</BizSvc><CreDt>${(created_at as Date).toISOString().replace(/\.\d+Z/, 'Z')}</CreDt></AppHdr><Document `,
    ),
    text.slice(0, 700),
  )
  assert.ok(text.includes('<ClrSys><Prtry>STEP2</Prtry></ClrSys>'), text.slice(0, 1500))
  const { type, message } = await reader.read(bytes)
  const { instructed_bic, clearing_system, transactions } = message as Loose
  assert.deepEqual([type, instructed_bic, clearing_system, transactions.length], ['pacs.008.001.08', 'CSMXDEFFXXX', 'STEP2', 1])
  const plain = await ordered()
  await run()
  assert.match(readFileSync(join(folder, 'out', `${(await packOf(plain))?.['message_id']}.xml`), 'utf8'), /\?>\n<Document /)
})

test('each rail waits for answers as long as its terms say', async () => {
  const transfer = await ordered()
  await run()
  const later = { ...instance(), now: () => new Date(Date.now() + 2 * 3_600_000) }
  await run(['question'], later)
  assert.equal((await packOf(transfer))?.['state'], 'DELIVERED')
  await changeRail(bank, 'SEPA', { answer_hours: 1 })
  await run(['question'], { ...later, transfers: instance().transfers })
  assert.equal((await packOf(transfer))?.['state'], 'UNKNOWN')
})

test('the books are right', async () => {
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
  await reader.close()
})
