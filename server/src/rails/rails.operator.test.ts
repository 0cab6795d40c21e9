// What the bank's people see and decide: packs that were not answered, were refused, or could not be made; messages; cut-offs; banks.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFirstCase } from '../cases/cases.ts'
import { MessageFault, MessageReader } from '../iso20022/iso20022.ts'
import { createLog } from '../platform/log.ts'
import { makeDataFolder } from '../testing/testing.folders.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { openBanker } from '../testing/testing.sessions.ts'
import { Caller, type Loose, openBank } from '../testing/testing.ts'
import { openTransfers } from '../transfers/transfers.ts'
import { checkInvariants } from '../verify/verify.ts'
import { folderExchange } from './exchange/rails.exchange.folder.ts'
import type { Packing } from './packs/rails.packing.ts'
import { steps } from './rails.sending.ts'

const folder = makeDataFolder('rails')
const bank = await openBank({ fourEyes: true }, { files: folderExchange(folder) })
const venture = await ManagedVenture.open(bank)
const [maker, checker] = [await openBanker(bank, 'operator'), await openBanker(bank, 'operator')]
const reader = new MessageReader()

const hour_ms = 3_600_000
const all = Object.keys(steps) as (keyof typeof steps)[]

async function run({ hours = 0, ...changes }: Partial<Packing> & { hours?: number } = {}, names: readonly (keyof typeof steps)[] = all) {
  const packing: Packing = {
    database: bank.database,
    transfers: openTransfers(bank.database, bank.config.bank, openFirstCase),
    reader,
    log: createLog('silent'),
    exchange: folderExchange(folder),
    sources: { mandatesOf: async () => new Map(), returnsOf: async () => new Map() },
    now: () => new Date(Date.now() + hours * hour_ms),
    answer_ms: 24 * hour_ms,
    timeoutsOf: async () => new Map(),
    ...changes,
  }
  for (const name of names) await steps[name](packing)
}

const account = await venture.openAccount({ balance: '1000.00' })
const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id)

async function waiting(debit_amount = '10.00'): Promise<Loose> {
  const transfer = await venture.createTransfer({ account_id: account.id, beneficiary_id, debit_amount })
  await bank.runProcessing()
  return transfer
}

const statusOf = async ({ id }: { id: string }): Promise<string> => (await venture.get(`/transfers/${id}`)).body.status
const attemptsOf = async ({ id }: { id: string }): Promise<Loose[]> =>
  (await bank.owner.query('select * from rail_payments where transfer_id = $1 order by attempt', [id])).rows
const packOf = async (transfer: { id: string }): Promise<Loose> => {
  const { pack_id } = (await attemptsOf(transfer)).at(-1)
  return (await bank.admin.get(`/operator/packs/${pack_id}`)).body
}
const casesOf = async (resource_id: string): Promise<Loose[]> =>
  (await bank.admin.get(`/operator/cases?kind=delivery&resource_id=${resource_id}`)).body
const files = () => readdirSync(join(folder, 'out'))
const messagesWith = ({ id }: { id: string }) =>
  files().filter((name) => readFileSync(join(folder, 'out', name), 'utf8').includes(`<TxId>${id.replaceAll('-', '')}<`))

/** A pack that was delivered but not answered. */
async function unanswered(): Promise<{ transfer: Loose; other: Loose; pack: Loose }> {
  const [transfer, other] = [await waiting(), await waiting('12.00')]
  await run()
  await run({ hours: 25 })
  return { transfer, other, pack: await packOf(transfer) }
}

test('a pack without an answer becomes UNKNOWN: its payments wait, the clearing system is asked, and people get a case', async () => {
  const { transfer, other, pack } = await unanswered()
  assert.deepEqual([pack.state, pack.reason, pack.count, pack.total], ['UNKNOWN', 'no_answer', 2, '22.00'])
  assert.deepEqual(
    pack.payments.map(({ state, attempt }: Loose) => [state, attempt]),
    [
      ['UNKNOWN', 1],
      ['UNKNOWN', 1],
    ],
  )
  assert.deepEqual([await statusOf(transfer), await statusOf(other)], ['SOME_PROBLEMS', 'SOME_PROBLEMS'])
  const [question] = (await bank.admin.get('/operator/messages?direction=OUT&type=pacs.028.001.03')).body
  assert.deepEqual([question.state, question.pack_id], ['DELIVERED', pack.id])
  const { message } = await reader.read(readFileSync(join(folder, 'out', question.file)))
  assert.deepEqual(
    [(message as Loose).group.original_message_id, (message as Loose).group.original_count, (message as Loose).group.original_sum],
    [pack.message_id, 2, 22_0000n],
  )
  const [opened] = await casesOf(pack.id)
  assert.equal(opened.state, 'OPEN')
  const { allowed_decisions, subject } = (await bank.admin.get(`/operator/cases/${opened.id}`)).body
  assert.deepEqual([allowed_decisions, subject.id], [['send_again', 'declare_not_sent'], pack.id])
  // Asked once, not in every round.
  await run({ hours: 26 })
  assert.equal(
    (await bank.admin.get('/operator/messages?type=pacs.028.001.03')).body.filter((one: Loose) => one.pack_id === pack.id).length,
    1,
  )
})

test('an answer in time keeps a pack from being asked about, and one payment without it is asked about alone', async () => {
  const [answered, silent] = [await waiting(), await waiting()]
  await run()
  await bank.owner.query(`update rail_payments set state = 'ACCEPTED' where transfer_id = $1`, [answered.id])
  await run({ hours: 25 })
  const pack = await packOf(silent)
  assert.deepEqual(
    pack.payments.map(({ state }: Loose) => state),
    ['ACCEPTED', 'UNKNOWN'],
  )
  const asked = (await bank.admin.get('/operator/messages?type=pacs.028.001.03')).body.find((one: Loose) => one.pack_id === pack.id)
  const { message } = await reader.read(readFileSync(join(folder, 'out', asked.file)))
  assert.deepEqual(
    (message as Loose).transactions.map((one: Loose) => one.original_tx_id),
    [silent.id.replaceAll('-', '')],
  )
  const whole = await waiting()
  await run()
  await bank.owner.query(`update rail_payments set state = 'SETTLED' where transfer_id = $1`, [whole.id])
  await run({ hours: 25 })
  assert.equal((await packOf(whole)).state, 'ACKNOWLEDGED')
})

test('two people declare a pack not sent: its payments leave again under another message id, and with the same transaction id', async () => {
  const { transfer, other, pack } = await unanswered()
  const alone = await maker.post(`/operator/packs/${pack.id}/declare-not-sent`)
  assert.equal(alone.status, 202, alone.text)
  assert.equal((await packOf(transfer)).state, 'UNKNOWN')
  const approved = await checker.post(`/operator/approvals/${alone.body.id}/approve`)
  assert.equal(approved.body.state, 'APPROVED', approved.text)
  assert.deepEqual([(await packOf(transfer)).state, (await casesOf(pack.id))[0].state], ['NOT_SENT', 'DECIDED'])
  await run({}, ['resend'])
  assert.deepEqual([await statusOf(transfer), await statusOf(other)], ['TO_RESEND', 'TO_RESEND'])
  await bank.runProcessing()
  await run()
  const attempts = await attemptsOf(transfer)
  assert.deepEqual(
    attempts.map(({ attempt, state, reason }) => [attempt, state, reason]),
    [
      [1, 'REFUSED', 'declared_not_sent'],
      [2, 'SENT', null],
    ],
  )
  assert.equal(attempts[0].tx_id, attempts[1].tx_id)
  const again = await packOf(transfer)
  assert.notEqual(again.message_id, pack.message_id)
  assert.deepEqual(messagesWith(transfer).sort(), [`${pack.message_id}.xml`, `${again.message_id}.xml`].sort())
  assert.equal(await statusOf(transfer), 'SENT_TO_CLEAR')
})

test('a declaration that ends halfway goes on, and sends nothing three times', async () => {
  const { transfer, other, pack } = await unanswered()
  await bank.owner.query(`update rail_packs set state = 'NOT_SENT' where id = $1`, [pack.id])
  const real = openTransfers(bank.database, bank.config.bank, openFirstCase)
  let left = 1
  const submit: typeof real.batches.submit = async (command) => {
    if (left-- <= 0) throw new Error('the process has ended')
    return real.batches.submit(command)
  }
  await run({ transfers: { ...real, batches: { submit } as typeof real.batches } }, ['resend'])
  await run({}, ['resend'])
  await bank.runProcessing()
  await run()
  for (const one of [transfer, other])
    assert.deepEqual(
      (await attemptsOf(one)).map(({ state }) => state),
      ['REFUSED', 'SENT'],
    )
})

test('a case about an unanswered pack may have the same file delivered again, under the same name', async () => {
  const { transfer, pack } = await unanswered()
  const file = join(folder, 'out', `${pack.message_id}.xml`)
  const before = readFileSync(file)
  const [opened] = await casesOf(pack.id)
  const asked = await maker.post(`/operator/cases/${opened.id}/decisions`, { decision: 'send_again' })
  assert.equal(asked.status, 202, asked.text)
  const approved = await checker.post(`/operator/approvals/${asked.body.id}/approve`)
  assert.equal(approved.body.state, 'APPROVED', approved.text)
  await run()
  assert.equal((await packOf(transfer)).state, 'DELIVERED')
  assert.deepEqual(readFileSync(file), before)
  assert.equal(messagesWith(transfer).length, 1)
})

test('a message that is not valid as a whole is not sent, and its payments may be sent anew', async () => {
  const transfer = await waiting()
  const before = files()
  const validate = async () => {
    throw new MessageFault('invalid', 'planted')
  }
  await run({ reader: { validate } })
  const pack = await packOf(transfer)
  assert.deepEqual([pack.state, /planted/i.test(pack.reason), files()], ['INVALID', true, before])
  const [opened] = await casesOf(pack.id)
  assert.equal(opened.severity, 'URGENT')
  // Nothing retries by itself.
  await run()
  assert.equal((await packOf(transfer)).state, 'INVALID')
  const asked = await maker.post(`/operator/cases/${opened.id}/decisions`, { decision: 'declare_not_sent' })
  assert.equal((await checker.post(`/operator/approvals/${asked.body.id}/approve`)).body.state, 'APPROVED')
  await run()
  await bank.runProcessing()
  await run()
  assert.deepEqual([messagesWith(transfer).length, (await attemptsOf(transfer)).length], [1, 2])
})

test('a file that is there with other bytes is not overwritten: the message is held back, and the others go', async () => {
  const transfer = await waiting()
  await run({}, ['collect', 'pack', 'commit', 'seal'])
  const pack = await packOf(transfer)
  mkdirSync(join(folder, 'out'), { recursive: true })
  writeFileSync(join(folder, 'out', `${pack.message_id}.xml`), 'something else')
  const other = await waiting()
  await run()
  await run()
  assert.equal(readFileSync(join(folder, 'out', `${pack.message_id}.xml`), 'utf8'), 'something else')
  assert.deepEqual([(await packOf(transfer)).state, (await packOf(other)).state], ['SEALED', 'DELIVERED'])
  const [held] = (await bank.admin.get('/operator/messages?direction=OUT&state=SEALED')).body
  assert.deepEqual([held.pack_id, held.detail], [pack.id, 'A file with this name and other bytes has already been delivered.'])
  assert.equal((await casesOf(pack.id))[0].severity, 'URGENT')
})

test('only a pack that was refused, that nobody answered or that could not be made is declared not sent', async () => {
  const transfer = await waiting()
  await run()
  const pack = await packOf(transfer)
  const early = await maker.post(`/operator/packs/${pack.id}/declare-not-sent`)
  assert.deepEqual([early.status, early.problem?.code, early.problem?.current_state], [409, 'pack_state_not_allowed', 'DELIVERED'])
  assert.equal((await maker.post(`/operator/packs/${randomUUID()}/declare-not-sent`)).problem.code, 'pack_not_found')
  await bank.owner.query(`update rail_packs set state = 'REFUSED', sequence = sequence + 1 where id = $1`, [pack.id])
  const asked = await maker.post(`/operator/packs/${pack.id}/declare-not-sent`)
  assert.equal(asked.status, 202)
  // An answer has arrived meanwhile.
  await bank.owner.query(`update rail_packs set sequence = sequence + 1 where id = $1`, [pack.id])
  const { body } = await checker.post(`/operator/approvals/${asked.body.id}/approve`)
  assert.deepEqual([body.state, (await packOf(transfer)).state], ['FAILED', 'REFUSED'])
})

test('a payment that may have been carried out is never collected again', async () => {
  const transfer = await waiting()
  await run()
  await venture.move(transfer.id, { status: 'TO_RESEND', third_party_status: 'RJCT' })
  await bank.runProcessing()
  assert.equal(await statusOf(transfer), 'SENT_TO_PACK')
  await run({ hours: 1 })
  assert.deepEqual([(await attemptsOf(transfer)).length, messagesWith(transfer).length], [1, 1])
})

test('packs and messages are listed by their filters, and a message can be downloaded as it was sent', async () => {
  const transfer = await waiting()
  await run()
  const pack = await packOf(transfer)
  const listed = (await bank.admin.get('/operator/packs?state=DELIVERED&rail=SEPA&limit=1')).body
  assert.equal(listed[0].id, pack.id)
  assert.deepEqual((await bank.admin.get('/operator/packs?rail=SDD')).body, [])
  const [message] = (await bank.admin.get('/operator/messages?type=pacs.008.001.08&state=DELIVERED&direction=OUT&limit=1')).body
  assert.equal(message.pack_id, pack.id)
  assert.deepEqual((await bank.admin.get(`/operator/messages?pack_id=${pack.id}`)).body, [message])
  assert.deepEqual((await bank.admin.get(`/operator/messages?pack_id=${randomUUID()}`)).body, [])
  assert.deepEqual((await bank.admin.get(`/operator/packs?message_id=${pack.message_id}`)).body, listed)
  assert.deepEqual((await bank.admin.get('/operator/packs?message_id=NOBODYS')).body, [])
  assert.deepEqual((await bank.admin.get(`/operator/messages/${message.id}`)).body, message)
  const { status, headers, text } = await bank.admin.get(`/operator/messages/${message.id}/file`)
  assert.deepEqual(
    [status, headers['content-type'], text],
    [200, 'application/xml', readFileSync(join(folder, 'out', message.file), 'utf8')],
  )
  assert.equal(Buffer.byteLength(text), message.size_bytes)
  assert.deepEqual((await bank.admin.get('/operator/messages?direction=IN')).body, [])
  for (const path of ['', '/file'])
    assert.equal((await bank.admin.get(`/operator/messages/${randomUUID()}${path}`)).problem.code, 'message_not_found')
  assert.equal((await bank.admin.get(`/operator/packs/${randomUUID()}`)).problem.code, 'pack_not_found')
})

test('messages are listed newest first, whatever their ids are, and each once from page to page', async () => {
  const type = 'camt.054.001.08'
  // The third and the fourth were stored in the same millisecond.
  const times = ['08:00', '09:00', '10:00', '10:00', '11:00'].map((time) => `2026-11-02T${time}:00.000Z`)
  // Ids that do not contain the time, like those of received files.
  const ids = ['e', '2', '7', 'b', '0'].map((digit) => `${digit.repeat(8)}${randomUUID().slice(8)}`)
  for (const [index, id] of ids.entries())
    await bank.owner.query(
      `insert into rail_messages (id, direction, type, message_id, sender, file, sha256, body, state, created_at, updated_at)
       values ($1, 'IN', $2, $3, 'COBADEFFXXX', $3, repeat('0', 64), '', 'APPLIED', $4, now())`,
      [id, type, `LISTED-${index}`, times[index]],
    )
  const [first, second, third, fourth, fifth] = ids
  const pages: string[][] = []
  let path = `/operator/messages?type=${type}&limit=2`
  while (path !== '') {
    const { body, headers } = await bank.admin.get(path)
    pages.push(body.map(({ id }: Loose) => id))
    path = /<\/api\/v1(.*)>/.exec(headers['link'] ?? '')?.[1] ?? ''
  }
  assert.deepEqual(pages, [[fifth, fourth], [third, second], [first]])
  const skipped = (await bank.admin.get(`/operator/messages?type=${type}&offset=3`)).body
  assert.deepEqual(
    skipped.map(({ id }: Loose) => id),
    [second, first],
  )
  assert.deepEqual((await bank.admin.get(`/operator/messages?type=${type}&after=${randomUUID()}`)).body, [])
})

/** With four-eyes approval, two people change cut-offs and reachable banks. */
const alone = async () => new Caller(await bank.openInstance({ fourEyes: false }), bank.admin.headers)

test('cut-offs and reachable banks are replaced as a whole', async () => {
  const admin = await alone()
  const cycles = '/operator/rails/SDD/cycles'
  assert.deepEqual((await admin.put(cycles, { cut_offs: ['15:30', '09:00', '09:00'] })).body, { cut_offs: ['09:00', '15:30'] })
  assert.deepEqual((await admin.get(cycles)).body, { cut_offs: ['09:00', '15:30'] })
  assert.deepEqual((await admin.get('/operator/rails/SEPA/cycles')).body, { cut_offs: [] })
  assert.equal((await admin.put(cycles, { cut_offs: ['24:00'] })).status, 400)
  assert.equal((await admin.get('/operator/rails/SWIFT/cycles')).status, 400)
  assert.deepEqual((await admin.put(cycles, { cut_offs: [] })).body, { cut_offs: [] })
  const banks = '/operator/rails/SEPA/reachable-banks'
  assert.deepEqual((await admin.put(banks, { bics: ['cobadeffxxx', 'COBADEFF', 'MARKDEFF'] })).body, {
    bics: ['COBADEFF', 'MARKDEFF'],
  })
  assert.equal((await admin.put(banks, { bics: ['COBA'] })).status, 400)
  await Promise.all([admin.put(banks, { bics: ['COBADEFF'] }), admin.put(banks, { bics: ['MARKDEFF', 'BNPAFRPP'] })])
  const { bics } = (await admin.get(banks)).body
  assert.ok(bics.join() === 'COBADEFF' || bics.join() === 'BNPAFRPP,MARKDEFF', bics.join())
  await admin.put(banks, { bics: [] })
})

test('a list of reachable banks may be as long as the contract says, and not longer', async () => {
  const admin = await alone()
  const banks = '/operator/rails/INST/reachable-banks'
  const bics = Array.from({ length: 20_000 }, (_, number) => `BK${String(number).padStart(6, '0')}XXX`)
  const { status, body, text } = await admin.put(banks, { bics })
  assert.equal(status, 200, text)
  assert.equal(body.bics.length, 20_000)
  const { problem } = await admin.put(banks, { bics: [...bics, 'BK020000XXX'] })
  assert.deepEqual([problem.code, problem.errors[0].field], ['invalid_request', 'bics'])
  assert.equal((await admin.put(banks, `{"bics":[]${' '.repeat(524_288)}}`)).problem.code, 'body_too_large')
  await admin.put(banks, { bics: [] })
})

test('the books are right', async () => {
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0).map(({ name }) => name),
    // Those that were inserted by hand.
    ['messages have the bytes of their hash'],
  )
  await reader.close()
})
