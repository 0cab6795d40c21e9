// The steps of a pack, one by one and interrupted: nothing is sent twice, and nothing is lost.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFirstCase } from '../../cases/cases.ts'
import { MessageReader } from '../../iso20022/iso20022.ts'
import type { Database } from '../../platform/database/database.ts'
import { createLog } from '../../platform/log.ts'
import { makeDataFolder } from '../../testing/testing.folders.ts'
import { ManagedVenture } from '../../testing/testing.managed.ts'
import { changeRail } from '../../testing/testing.participations.ts'
import { type Loose, openBank } from '../../testing/testing.ts'
import type { TransferRow } from '../../transfers/life/transfers.columns.ts'
import { openTransfers } from '../../transfers/transfers.ts'
import { checkInvariants } from '../../verify/verify.ts'
import { folderExchange } from '../exchange/rails.exchange.folder.ts'
import type { FileExchange } from '../exchange/rails.exchange.ts'
import { steps } from '../rails.sending.ts'
import { activeMandates } from './rails.mandates.ts'
import { dropPayments, type Packing } from './rails.packing.ts'

const folder = makeDataFolder('rails')
const bank = await openBank({}, { files: folderExchange(folder) })
const venture = await ManagedVenture.open(bank)
const reader = new MessageReader()

const hour_ms = 3_600_000

/** Another instance of the service. */
function instance(changes: Partial<Packing> & { hours?: number } = {}): Packing {
  const { hours = 0, ...given } = changes
  return {
    database: bank.database,
    transfers: openTransfers(bank.database, bank.config.bank, openFirstCase),
    exchange: folderExchange(folder),
    reader,
    sources: { mandatesOf: async () => new Map(), returnsOf: async () => new Map() },
    log: createLog('silent'),
    now: () => new Date(Date.now() + hours * hour_ms),
    answer_ms: 24 * hour_ms,
    timeoutsOf: async () => new Map(),
    ...given,
  }
}

async function payer(balance = '1000.00') {
  const account = await venture.openAccount({ balance })
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id)
  return { account_id: account.id, beneficiary_id }
}

const someone = await payer('100000.00')
const pay = (order: object = {}): Promise<Loose> => venture.createTransfer({ ...someone, debit_amount: '10.00', ...order })
const show = async ({ id }: { id: string }): Promise<Loose> => (await venture.get(`/transfers/${id}`)).body
const statusOf = async (transfer: { id: string }): Promise<string> => (await show(transfer)).status
const rows = async (sql: string, ...values: unknown[]): Promise<Loose[]> => (await bank.owner.query(sql, values)).rows
const paymentOf = async ({ id }: { id: string }) =>
  (await rows('select * from rail_payments where transfer_id = $1 order by attempt desc', id))[0]
const packOf = async (transfer: { id: string }) =>
  (await rows('select * from rail_packs where id = $1', (await paymentOf(transfer))?.pack_id ?? null))[0]
const files = () => readdirSync(join(folder, 'out')).sort()
const idsSent = (): string[] =>
  files().flatMap((name) => [...readFileSync(join(folder, 'out', name), 'utf8').matchAll(/<TxId>([^<]+)</g)].map(([, id]) => id ?? ''))
const txId = ({ id }: { id: string }) => id.replaceAll('-', '')
const timesSent = (transfer: { id: string }): number => idsSent().filter((id) => id === txId(transfer)).length

/** A payment that waits to be sent. */
async function waiting(order: object = {}): Promise<Loose> {
  const transfer = await pay(order)
  await bank.runProcessing()
  assert.equal(await statusOf(transfer), 'SENT_TO_PACK')
  return transfer
}

async function run(packing: Packing, ...names: readonly (keyof typeof steps)[]): Promise<void> {
  for (const name of names) await steps[name](packing)
}

test('a payment leaves the bank in a message that says what the order said', async () => {
  const transfer = await waiting({ purpose: 'Rechnung 4711, Straße', unique_reference: 'INV-4711', debit_amount: '12.34' })
  await bank.runSending()
  assert.equal(await statusOf(transfer), 'SENT_TO_CLEAR')
  const pack = await packOf(transfer)
  assert.deepEqual(
    [pack.state, pack.rail, pack.kind, pack.count, pack.total, (await paymentOf(transfer)).state],
    ['DELIVERED', 'SEPA', 'CREDIT_TRANSFER', 1, '12.34', 'SENT'],
  )
  assert.match(pack.message_id, /^VOSTLT21\d{8}S\d{12}$/)
  assert.deepEqual(files(), [`${pack.message_id}.xml`])
  const { type, message } = await reader.read(readFileSync(join(folder, 'out', `${pack.message_id}.xml`)))
  assert.equal(type, 'pacs.008.001.08')
  const [sent] = (message as Loose).transactions
  assert.deepEqual(
    [sent.tx_id, sent.end_to_end_id, sent.amount, sent.currency, sent.remittance, sent.creditor_iban, sent.creditor.name],
    [txId(transfer), 'INV-4711', 12_3400n, 'EUR', ['Rechnung 4711, Strasse'], 'DE89370400440532013000', 'Charles Babbage'],
  )
  const history = (await venture.get(`/transfers/${transfer.id}/history`)).body.map(({ to_status }: Loose) => to_status)
  assert.deepEqual(history.slice(-3), ['SENT_TO_PACK', 'PACKED', 'SENT_TO_CLEAR'])
})

test('a collection leaves with its mandate, and one whose mandate was cancelled becomes INVALID', async () => {
  const signed = { scheme: 'CORE', sequence_type: 'RCUR', debtor_name: 'Grace Hopper', debtor_iban: 'DE89370400440532013000' }
  const register = async (reference: string) =>
    (
      await venture.post('/mandates', {
        account_id: someone.account_id,
        reference,
        creditor_id: 'DE98ZZZ09999999999',
        signed_on: '2026-01-15',
        ...signed,
      })
    ).body
  const [mandate, cancelled] = [await register('M-1'), await register('M-2')]
  const collect = (mandate_id: string) => venture.createTransfer({ account_id: someone.account_id, mandate_id, credit_amount: '25.00' })
  const [collection, stopped] = [await collect(mandate.id), await collect(cancelled.id)]
  await bank.runProcessing()
  assert.deepEqual([await statusOf(collection), await statusOf(stopped)], ['SENT_TO_PACK', 'SENT_TO_PACK'])
  assert.equal((await venture.post(`/mandates/${cancelled.id}/cancel`)).status, 200)
  await bank.runSending()
  const { status, status_reason_code } = await show(stopped)
  assert.deepEqual([await statusOf(collection), status, status_reason_code], ['SENT_TO_CLEAR', 'INVALID', 'mandate_missing'])
  const pack = await packOf(collection)
  assert.deepEqual([pack.rail, pack.kind, pack.state, pack.count, pack.total], ['SDD', 'DIRECT_DEBIT', 'DELIVERED', 1, '25.00'])
  assert.match(pack.message_id, /^VOSTLT21\d{8}D\d{12}$/)
  const { type, message } = await reader.read(readFileSync(join(folder, 'out', `${pack.message_id}.xml`)))
  const [sent] = (message as Loose).transactions
  assert.deepEqual(
    [type, sent.tx_id, sent.amount, sent.mandate_reference, sent.creditor_id, sent.debtor.name, sent.payment_type.sequence_type],
    ['pacs.003.001.08', txId(collection), 25_0000n, 'M-1', 'DE98ZZZ09999999999', 'Grace Hopper', 'RCUR'],
  )
})

test('a collection whose mandate is cancelled while it waits for its pack does not leave', async () => {
  const { body: mandate } = await venture.post('/mandates', {
    account_id: someone.account_id,
    reference: 'M-3',
    creditor_id: 'DE98ZZZ09999999999',
    signed_on: '2026-01-15',
    scheme: 'CORE',
    sequence_type: 'RCUR',
    debtor_name: 'Grace Hopper',
    debtor_iban: 'DE89370400440532013000',
  })
  const collect = () => venture.createTransfer({ account_id: someone.account_id, mandate_id: mandate.id, credit_amount: '26.00' })
  const collection = await collect()
  await bank.runProcessing()
  const sources = { mandatesOf: (given: readonly TransferRow[]) => activeMandates(bank.database, given), returnsOf: async () => new Map() }
  await run(instance({ sources }), 'collect')
  assert.equal((await paymentOf(collection)).state, 'COLLECTED')
  assert.equal((await venture.post(`/mandates/${mandate.id}/cancel`)).status, 200)
  await run(instance({ sources }), 'pack', 'commit', 'seal', 'deliver')
  assert.deepEqual([(await paymentOf(collection)).state, (await packOf(collection)).state], ['DROPPED', 'DROPPED'])
  await run(instance({ sources, hours: 1 }), 'collect')
  const { status, status_reason_code } = await show(collection)
  assert.deepEqual([status, status_reason_code], ['INVALID', 'mandate_missing'])
})

test('an instant payment leaves at once, alone, and without a pack to wait for', async () => {
  const before = files().length
  const transfers = [await pay({ is_instant: true }), await pay({ is_instant: true })]
  await bank.runProcessing()
  for (const transfer of transfers) assert.equal(await statusOf(transfer), 'READY_TO_CLEAR')
  await bank.runSending()
  for (const transfer of transfers) {
    assert.equal(await statusOf(transfer), 'SENT_TO_CLEAR')
    const pack = await packOf(transfer)
    assert.deepEqual([pack.rail, pack.count, pack.state], ['INST', 1, 'DELIVERED'])
    assert.match(readFileSync(join(folder, 'out', `${pack.message_id}.xml`), 'utf8'), /<LclInstrm><Cd>INST</)
  }
  assert.equal(files().length, before + 2)
})

const all = Object.keys(steps) as (keyof typeof steps)[]

/** Every payment is in exactly one message, once, and its transfer says so. */
async function assertSentOnce(transfers: readonly { id: string }[]): Promise<void> {
  const sent = idsSent()
  for (const transfer of transfers) {
    assert.equal(
      sent.filter((id) => id === txId(transfer)).length,
      1,
      `${transfer.id} is in ${sent.filter((id) => id === txId(transfer)).length} messages`,
    )
    assert.equal(await statusOf(transfer), 'SENT_TO_CLEAR')
    assert.deepEqual([(await paymentOf(transfer)).state, (await packOf(transfer)).state], ['SENT', 'DELIVERED'])
  }
  assert.deepEqual(
    files().filter((name) => name.startsWith('.')),
    [],
  )
}

test('whatever step an instance ends after, another one goes on: the same file with the same bytes, and every payment once', async () => {
  for (const [index, last] of all.entries()) {
    const transfers = [await waiting(), await waiting({ debit_amount: '20.00' })]
    await run(instance(), ...all.slice(0, index + 1))
    const sealed = await rows(
      `select file, body from rail_messages where state in ('SEALED', 'DELIVERED') and pack_id = $1`,
      (await packOf(transfers[0]))?.id ?? null,
    )
    await run(instance(), ...all)
    await assertSentOnce(transfers)
    for (const { file, body } of sealed) assert.deepEqual(readFileSync(join(folder, 'out', file)), body, `after ${last}`)
  }
})

/** A database that fails at its n-th transaction, before or after the commit, like the process that uses it. */
function dyingDatabase(n: number, when: 'before' | 'after'): { database: Database; hasDied(): boolean } {
  let count = 0
  let died = false
  const die = () => {
    died = true
    throw new Error('the process has ended')
  }
  const transaction: Database['transaction'] = async (work, since) => {
    if (died) die()
    const isLast = ++count === n
    if (isLast && when === 'before') die()
    const result = await bank.database.transaction(work, since)
    if (isLast) die()
    return result
  }
  const database = new Proxy(bank.database, {
    get: (target, name) => {
      if (name === 'transaction') return transaction
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { database, hasDied: () => died }
}

for (const when of ['before', 'after'] as const)
  test(`an instance may end ${when} any of its transactions`, async () => {
    let ends = 0
    for (let n = 1; ; n++) {
      const transfers = [await waiting(), await waiting()]
      const { database, hasDied } = dyingDatabase(n, when)
      const dying = instance({ database, transfers: openTransfers(database, bank.config.bank, openFirstCase) })
      await run(dying, ...all).catch(() => {})
      await run(instance({ hours: 1 }), ...all)
      await run(instance({ hours: 1 }), ...all)
      await assertSentOnce(transfers)
      if (!hasDied()) break
      ends++
    }
    // Collecting, packing, two walks, sealing and recording the delivery.
    assert.ok(ends >= 6, `it ended only ${ends} times`)
  })

test('an exchange that fails before or after it has the file gets it once', async () => {
  for (const when of ['before', 'after'] as const) {
    const transfer = await waiting()
    const real = folderExchange(folder)
    const failing: FileExchange = {
      ...real,
      async send(file) {
        if (when === 'after') await real.send(file)
        throw new Error('the connection is lost')
      },
    }
    await run(instance({ exchange: failing }), ...all)
    assert.equal((await packOf(transfer)).state, 'SEALED')
    await run(instance(), ...all)
    await assertSentOnce([transfer])
  }
})

test('two instances at the same time send every payment once, in packs that add up', async () => {
  const transfers: Loose[] = []
  for (let count = 0; count < 20; count++) transfers.push(await pay())
  await bank.runProcessing()
  const [one, other] = [instance(), instance()]
  for (let round = 0; round < 4; round++) await Promise.all([run(one, ...all), run(other, ...all)])
  await assertSentOnce(transfers)
  const wrong = await rows(`
    select pack.id from rail_packs pack join rail_payments payment on payment.pack_id = pack.id and payment.state <> 'DROPPED'
    group by pack.id having pack.count <> count(*) or pack.total <> sum(payment.amount)`)
  assert.deepEqual(wrong, [])
})

test('who cancels before the commit takes the payment out of its pack, and afterwards cannot', async () => {
  const cancel = (transfer: { id: string }) => venture.put(`/transfers/${transfer.id}`, { status: 'TO_CANCEL' })
  for (const done of [['collect'], ['collect', 'pack']] as const) {
    const [transfer, other] = [await waiting(), await waiting()]
    await run(instance(), ...done)
    assert.equal((await cancel(transfer)).status, 200)
    await run(instance(), ...all)
    assert.equal((await paymentOf(transfer)).state, 'DROPPED')
    assert.equal(timesSent(transfer), 0)
    await assertSentOnce([other])
    await bank.runProcessing()
    assert.equal(await statusOf(transfer), 'CANCELLED')
  }
  const late = await waiting()
  await run(instance(), 'collect', 'pack', 'commit')
  assert.equal((await cancel(late)).problem?.code, 'reserved_to_bank')
  await run(instance(), ...all)
  await assertSentOnce([late])
})

test('a cancellation and a commit at the same moment have one winner', async () => {
  for (let round = 0; round < 8; round++) {
    const transfer = await waiting()
    await run(instance(), 'collect', 'pack')
    const [answer] = await Promise.all([
      venture.put(`/transfers/${transfer.id}`, { status: 'TO_CANCEL' }),
      run(instance(), 'commit', 'seal', 'deliver'),
      run(instance(), 'commit', 'seal', 'deliver'),
    ])
    await run(instance(), ...all)
    assert.equal(timesSent(transfer), answer.status === 200 ? 0 : 1, `${answer.status} ${answer.text}`)
  }
})

test('a pack is not sealed while one of its payments can still be cancelled', async () => {
  const [transfer, other] = [await waiting(), await waiting()]
  await run(instance(), 'collect', 'pack', 'seal')
  assert.equal((await packOf(transfer)).state, 'OPEN')
  assert.equal((await venture.put(`/transfers/${transfer.id}`, { status: 'TO_CANCEL' })).status, 200)
  await run(instance(), ...all)
  assert.equal(timesSent(transfer), 0)
  await assertSentOnce([other])
})

test('a payment that another instance takes out of its pack meanwhile is not committed', async () => {
  const transfer = await waiting()
  await run(instance(), 'collect', 'pack')
  const real = openTransfers(bank.database, bank.config.bank, openFirstCase)
  const submit: typeof real.batches.submit = async (command) => {
    await bank.owner.query(`update rail_payments set state = 'DROPPED' where transfer_id = $1`, [transfer.id])
    return real.batches.submit(command)
  }
  await run(instance({ transfers: { ...real, batches: { submit } as typeof real.batches } }), 'commit')
  assert.equal(await statusOf(transfer), 'PACKED')
  await run(instance({ hours: 1 }), ...all)
  await assertSentOnce([transfer])
})

test('a pack that another instance seals meanwhile is left to it, and nobody is told that it is not valid', async () => {
  const transfer = await waiting()
  await run(instance(), 'collect', 'pack', 'commit')
  const { database } = bank
  let sealed = 0
  const rowsOf: Database['rows'] = async (query) => {
    if (query.text.includes('content from rail_payments') && sealed++ === 0) await run(instance(), 'seal')
    return database.rows(query)
  }
  const slower = {
    placement: database.placement,
    rows: rowsOf,
    transaction: database.transaction.bind(database),
  } as unknown as Database
  const errors: string[] = []
  const log = { ...createLog('silent'), error: (_: object, text: string) => void errors.push(text) } as unknown as Packing['log']
  await run(instance({ database: slower, log }), 'seal')
  assert.deepEqual([sealed, errors, (await packOf(transfer)).state], [1, [], 'SEALED'])
  await run(instance(), 'deliver')
  await assertSentOnce([transfer])
})

test('a payment that is committed meanwhile is not taken out of its pack', async () => {
  const transfer = await waiting()
  await run(instance(), 'collect', 'pack', 'commit')
  assert.equal(await dropPayments(instance(), [await paymentOf(transfer)], 'too_late'), 0)
  await run(instance(), ...all)
  await assertSentOnce([transfer])
})

test('a pack that has lost all of its payments is dropped, and nothing is sent', async () => {
  const transfer = await waiting()
  await run(instance(), 'collect', 'pack')
  const { pack_id } = await paymentOf(transfer)
  await venture.put(`/transfers/${transfer.id}`, { status: 'TO_CANCEL' })
  const before = files()
  await run(instance(), ...all)
  assert.equal((await rows('select state from rail_packs where id = $1', pack_id))[0].state, 'DROPPED')
  assert.deepEqual(files(), before)
})

test('a payment of a client who is blocked leaves its pack, and is sent later under the same attempt', async () => {
  const order = await payer()
  const { client_id } = (await venture.get(`/accounts/${order.account_id}`)).body
  const transfer = await waiting(order)
  await run(instance(), 'collect', 'pack')
  await venture.put(`/clients/${client_id}`, { blocked: true })
  await run(instance(), ...all)
  assert.equal((await paymentOf(transfer)).state, 'DROPPED')
  await bank.runProcessing()
  assert.equal(await statusOf(transfer), 'ON_HOLD')
  await venture.put(`/clients/${client_id}`, { blocked: false })
  await bank.owner.query('delete from processing_delays')
  await bank.runProcessing()
  assert.equal(await statusOf(transfer), 'SENT_TO_PACK')
  await run(instance({ hours: 1 }), ...all)
  assert.deepEqual([(await paymentOf(transfer)).attempt, timesSent(transfer)], [1, 1])
})

test('nothing of a venture that is disabled leaves the bank', async () => {
  const transfer = await waiting()
  await bank.admin.put(`/ventures/${venture.venture.id}`, { status: 'DISABLED' })
  await run(instance(), ...all)
  assert.equal(await paymentOf(transfer), undefined)
  await bank.admin.put(`/ventures/${venture.venture.id}`, { status: 'ACTIVE' })
  await run(instance(), ...all)
  await assertSentOnce([transfer])
})

test('a payment that the scheme could not carry becomes INVALID, and the others go', async () => {
  await bank.admin.put('/operator/rails/SEPA/reachable-banks', { bics: ['MARKDEFF'] })
  const account = await venture.openAccount({ balance: '50.00' })
  const far = await venture.addBeneficiary(account.client_id, { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' })
  const [unreachable, other] = [await waiting({ account_id: account.id, beneficiary_id: far.id }), await waiting()]
  await run(instance(), ...all)
  await bank.admin.put('/operator/rails/SEPA/reachable-banks', { bics: [] })
  const { status, status_reason_code } = await show(unreachable)
  assert.deepEqual([status, status_reason_code], ['INVALID', 'bank_unreachable'])
  assert.deepEqual(await venture.balances(account), ['50.00', '0.00', '50.00'])
  await assertSentOnce([other])
})

test('on a rail with cut-offs, payments wait for the next one', async () => {
  const [hour, minute] = new Date(Date.now() + 2 * 60_000).toISOString().slice(11, 16).split(':')
  const version = await changeRail(bank, 'SEPA', { cut_offs: [`${hour}:${minute}`] })
  const transfer = await waiting()
  await run(instance(), ...all)
  assert.deepEqual([(await paymentOf(transfer)).state, (await paymentOf(transfer)).pack_id], ['COLLECTED', null])
  // TARGET may be closed for some days.
  await run(instance({ hours: 24 * 5 }), ...all)
  await changeRail(bank, 'SEPA', { cut_offs: [] })
  assert.equal(timesSent(transfer), 1)
  assert.equal((await packOf(transfer)).participation, version)
  assert.match((await packOf(transfer)).cycle, new RegExp(`T${hour}:${minute}:00`))
})

test('one message has at most 5,000 payments, and returns leave without a walk', async () => {
  await bank.owner.query(
    `insert into rail_payments (venture_id, transfer_id, attempt, tx_id, end_to_end_id, rail, kind, amount, currency, settlement_date, walks,
       content, state, created_at, updated_at)
     select $1, gen_random_uuid(), 1, 'RET' || n, 'E2E' || n, 'SEPA', 'RETURN', 1.00, 'EUR', '2026-11-16', false, json_build_object(
       'return_id', 'RET' || n, 'original_end_to_end_id', 'E2E' || n, 'original_tx_id', 'T' || n, 'original_amount', '1.0000',
       'original_currency', 'EUR', 'reasons', json_build_array(json_build_object('code', 'AC04'))), 'COLLECTED', now(), now()
     from generate_series(1, 5001) as n`,
    [venture.venture.id],
  )
  await run(instance({ hours: 1 }), ...all)
  const packs = await rows(`select count, total, state from rail_packs where kind = 'RETURN' order by count desc`)
  assert.deepEqual(packs, [
    { count: 5000, total: '5000.00', state: 'DELIVERED' },
    { count: 1, total: '1.00', state: 'DELIVERED' },
  ])
})

test('the books are right', async () => {
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
  await reader.close()
})
