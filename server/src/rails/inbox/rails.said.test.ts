// What the messages of other banks say besides reaches the payee: in the transfer, its events, statements and searches.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CreditTransfer, MessageReader, type Statement } from '../../iso20022/iso20022.ts'
import type { Screener } from '../../processing/processing.worker.ts'
import { theirBic, theirIban } from '../../testing/testing.otherbank.ts'
import { openRails } from '../../testing/testing.rails.ts'
import type { Loose } from '../../testing/testing.ts'
import { addDays, todayUtc } from '../../values/calendar.ts'
import { makeIban } from '../../values/iban.ts'

/** Nobody is listed but one payer. */
const screener: Screener = {
  screen: async (transfers) =>
    transfers.map(({ transfer }) => ({ outcome: transfer.dr_name === 'Listed Payer' ? 'BLOCK' : 'CLEAR', companions: [] })),
}
const rails = await openRails({}, { screener })
const { other, bank, venture, rows, takeIn, lastCase, decided } = rails
const reader = new MessageReader()

const uetr = '8a562c67-ca16-48ba-b074-65581be6f001'
const address = { lines: ['Via Roma 1'], town: 'Roma', country: 'IT' }

/** A payment whose message says everything that is kept. */
const talkative: Partial<CreditTransfer> = {
  instruction_id: 'INSTR-1',
  end_to_end_id: 'RENT-2026-11',
  uetr,
  clearing_reference: 'CLEAR-1',
  payment_type: { service_level: 'SEPA', category_purpose: 'SALA' },
  purpose: 'RENT',
  creditor: { name: 'A. Lovelace' },
  initiating_party: { name: 'Payroll Services', bic: 'BNPAFRPP' },
  ultimate_debtor: { name: 'Luigi Menabrea', address },
  ultimate_creditor: { name: 'Mary Somerville', lei: '529900T8BM49AURSDO55' },
  previous_1: { name: 'First Bank' },
  intermediary_1: { bic: 'BCITITMM', name: 'Middle Bank' },
  instructions_for_creditor_bank: [{ information: 'Phone the payee' }],
  instructions_for_next_bank: [{ information: 'Be quick' }],
  remittance: ['For the engine'],
  references: [
    { type: 'SCOR', issuer: 'ISO', reference: 'RF18539007547034', additional: ['Second floor', 'Third floor'] },
    { reference: 'OTHER-1' },
  ],
}

const said = {
  end_to_end_id: 'RENT-2026-11',
  instruction_id: 'INSTR-1',
  uetr,
  transaction_id: 'SAID-1',
  clearing_reference: 'CLEAR-1',
  holder_name: 'A. Lovelace',
  initiating_party: { name: 'Payroll Services', bic: 'BNPAFRPP' },
  ultimate_debtor: { name: 'Luigi Menabrea', country_code: 'ITA' },
  ultimate_creditor: { name: 'Mary Somerville', lei: '529900T8BM49AURSDO55' },
  agents: [
    { role: 'previous_1', name: 'First Bank' },
    { role: 'intermediary_1', bic: 'BCITITMM', name: 'Middle Bank' },
  ],
  additional_remittance: ['Second floor', 'Third floor'],
  instructions: ['Phone the payee', 'Be quick'],
}

const arrivedOn = async ({ id }: { id: string }): Promise<Loose> => (await venture.get(`/accounts/${id}/transfers`)).body[0]
const period = `from=${addDays(todayUtc(new Date()), -1)}&to=${addDays(todayUtc(new Date()), 1)}`
const statement = (account: { id: string }, format: string) => venture.get(`/accounts/${account.id}/statements?${period}&format=${format}`)

test('what a credit transfer says is shown with the transfer, in its events and in statements of every format', async () => {
  const account = await venture.openAccount({})
  other.pay([{ tx_id: 'SAID-1', creditor_iban: account.account_number, ...talkative }])
  await takeIn()
  const transfer = await arrivedOn(account)
  assert.equal(transfer.status, 'COMPLETED')
  assert.equal(JSON.stringify(transfer.details), JSON.stringify(said))
  const { purpose, purpose_code, category_purpose_code, structured_reference, structured_reference_issuer } = transfer
  assert.deepEqual(
    [purpose, purpose_code, category_purpose_code, structured_reference, structured_reference_issuer],
    ['For the engine OTHER-1', 'RENT', 'SALA', 'RF18539007547034', 'ISO'],
  )
  assert.deepEqual((await venture.get(`/transfers/${transfer.id}`)).body, transfer)
  assert.deepEqual((await bank.admin.get('/operator/transfers?status=COMPLETED')).body[0].details, said)
  const events = (await venture.get(`/events?resource_id=${transfer.id}`)).body
  assert.ok(events.length > 1)
  for (const { data } of events) assert.equal(JSON.stringify(data.object.details), JSON.stringify(said))

  const { lines } = (await statement(account, 'json')).body
  assert.deepEqual(lines[0].details, said)
  const [names = '', , line = ''] = (await statement(account, 'csv')).text.split('\r\n')
  assert.match(names, /,id,end_to_end_id,instruction_id,uetr,/)
  for (const text of ['RENT-2026-11', uetr, 'Luigi Menabrea', 'Mary Somerville', 'Middle Bank', 'Second floor\nThird floor'])
    assert.ok(line.includes(text), text)
  const pdf = await statement(account, 'pdf')
  assert.equal(pdf.headers['content-type'], 'application/pdf')
  const { message } = await reader.read(Buffer.from((await statement(account, 'camt053')).text))
  const [entry] = (message as { statements: readonly Statement[] }).statements[0]?.entries ?? []
  assert.deepEqual(entry?.details?.[0]?.transactions[0], {
    instruction_id: 'INSTR-1',
    end_to_end_id: 'RENT-2026-11',
    uetr,
    tx_id: 'SAID-1',
    clearing_reference: 'CLEAR-1',
    amount: 10_0000n,
    currency: 'EUR',
    direction: 'CRDT',
    initiating_party: { name: 'Payroll Services', bic: 'BNPAFRPP' },
    debtor: { name: 'Charles Babbage' },
    debtor_iban: theirIban,
    ultimate_debtor: { name: 'Luigi Menabrea' },
    creditor_iban: account.account_number,
    ultimate_creditor: { name: 'Mary Somerville', lei: '529900T8BM49AURSDO55' },
    debtor_bic: theirBic,
    intermediary_1: { bic: 'BCITITMM', name: 'Middle Bank' },
    remittance: ['For the engine OTHER-1'],
    references: [{ type: 'SCOR', issuer: 'ISO', reference: 'RF18539007547034', additional: ['Second floor', 'Third floor'] }],
  })
})

test('a transfer is found by its end-to-end id, its UETR and the id of the other bank', async () => {
  const account = await venture.openAccount({})
  const [mine, another] = ['0b7c1a52-6f3f-4a52-8f5e-5b8e4ff1a001', '0b7c1a52-6f3f-4a52-8f5e-5b8e4ff1a002']
  other.pay([
    { tx_id: 'FOUND-1', creditor_iban: account.account_number, end_to_end_id: 'FIND ME 1', uetr: mine },
    { tx_id: 'FOUND-2', creditor_iban: account.account_number, end_to_end_id: 'FIND ME 2', uetr: another },
  ])
  await takeIn()
  const all = (await venture.get(`/accounts/${account.id}/transfers`)).body
  const [wanted] = all.filter(({ details }: Loose) => details.transaction_id === 'FOUND-1')
  for (const text of ['FIND ME 1', mine, mine.toUpperCase(), 'FOUND-1']) {
    const named = encodeURIComponent(text)
    for (const [caller, path] of [
      [venture, `/find?text=${named}`],
      [bank.admin, `/operator/find?text=${named}`],
      [venture, `/transfers?search=${named}`],
      [venture, `/transfers?search=${named}&status=COMPLETED&direction=INBOUND`],
    ] as const) {
      const { body } = await caller.get(path)
      assert.deepEqual(
        body.map(({ id }: Loose) => id),
        [wanted.id],
        `${path} ${text}`,
      )
    }
  }
  const stranger = await bank.registerVenture()
  assert.deepEqual((await stranger.get('/transfers?search=FOUND-1')).body, [])
  assert.deepEqual((await stranger.get('/find?text=FOUND-1')).body, [])
  await bank.owner.query('set enable_seqscan = off')
  const plan =
    await rows(`explain (costs off) select transfer_id from transfer_details where venture_id = any(array[gen_random_uuid()]) and (
    content ->> 'end_to_end_id' = 'a' or content ->> 'uetr' = 'a' or content ->> 'transaction_id' = 'a')`)
  for (const index of ['end_to_end_id', 'uetr', 'transaction_id'])
    assert.match(JSON.stringify(plan), new RegExp(`transfer_details_by_${index}`))
})

test('a direct debit tells the payer of its mandate, and a return tells the sender which payment came back', async () => {
  const payer = await rails.payer()
  other.collect([
    {
      tx_id: 'SAID-DD',
      debtor_iban: payer.account.account_number,
      amount: 25_0000n,
      debtor: { name: 'Miss Lovelace' },
      ultimate_creditor: { name: 'Lighthouse Gym' },
      payment_type: { service_level: 'SEPA', local_instrument: 'CORE', sequence_type: 'RCUR' },
    },
  ])
  await takeIn()
  const debit = await arrivedOn(payer.account)
  assert.deepEqual(debit.details, {
    end_to_end_id: 'MEMBER-42',
    transaction_id: 'SAID-DD',
    holder_name: 'Miss Lovelace',
    ultimate_creditor: { name: 'Lighthouse Gym' },
    creditor_id: 'DE98ZZZ09999999999',
    mandate_reference: 'M-1',
    mandate_signed_on: '2025-01-15',
    mandate_scheme: 'CORE',
    mandate_sequence: 'RCUR',
  })
  const { text } = await statement(payer.account, 'camt053')
  assert.match(text, /<MndtId>M-1<\/MndtId>/)
  assert.match(text, /<Othr><Id>DE98ZZZ09999999999<\/Id><SchmeNm><Prtry>SEPA<\/Prtry><\/SchmeNm><\/Othr>/)

  const { transfer, payment } = await rails.sent(payer, { details: { end_to_end_id: 'OURS-1' } })
  other.answer([payment], 'ACSC')
  await takeIn()
  other.giveBack([payment], { return_id: 'GIVEN-BACK' })
  await takeIn()
  const [returned] = (await venture.get(`/accounts/${payer.account.id}/transfers?direction=INBOUND&search=GIVEN-BACK`)).body
  assert.equal(returned.parent_transaction_id, transfer.id)
  assert.deepEqual(returned.details, { end_to_end_id: 'OURS-1', transaction_id: 'GIVEN-BACK' })
})

test('money that no account could take keeps what its message says, and the account to which it is applied gets it', async () => {
  const account = await venture.openAccount({})
  const stranger = makeIban('LT', '3250099999999999')
  other.pay([{ ...talkative, tx_id: 'SAID-2', creditor_iban: stranger, debtor: { name: 'Listed Payer' } }])
  await takeIn()
  const [waiting] = (await rows('select id, said from unapplied_payments')) as [Loose]
  const { purpose_code, category_purpose_code, structured_reference, structured_reference_issuer, ...rest } = waiting.said
  assert.deepEqual(
    [purpose_code, category_purpose_code, structured_reference, structured_reference_issuer],
    ['RENT', 'SALA', 'RF18539007547034', 'ISO'],
  )
  assert.deepEqual(rest, { ...said, transaction_id: 'SAID-2' })
  assert.deepEqual((await bank.admin.get(`/operator/unapplied-payments/${waiting.id}`)).body.said, waiting.said)
  await decided(await lastCase('unapplied'), 'apply', { venture_id: venture.venture.id, account_id: account.id })
  const applied = await arrivedOn(account)
  assert.deepEqual(applied.details, { ...said, transaction_id: 'SAID-2' })
  assert.equal(applied.structured_reference, 'RF18539007547034')
})

test('an order says to the payee what it gives, and a transfer without details shows nothing new', async () => {
  const payer = await rails.payer()
  const details = {
    end_to_end_id: 'PAYROLL 7/2026',
    ultimate_debtor: { name: 'Zürich Söhne', lei: '529900T8BM49AURSDO55' },
    ultimate_creditor: { name: 'Mary Somerville', bic: 'bnpafrpp' },
  }
  const { transfer } = await rails.sent(payer, { details, purpose_code: 'RENT', category_purpose_code: 'SALA' })
  assert.deepEqual(transfer.details, { ...details, ultimate_creditor: { name: 'Mary Somerville', bic: 'BNPAFRPP' } })
  const sent = (await other.received()).findLast(({ type }) => type === 'pacs.008.001.08')
  const [payment] = (sent as unknown as { message: { transactions: readonly CreditTransfer[] } }).message.transactions
  assert.deepEqual(
    [
      payment?.end_to_end_id,
      payment?.ultimate_debtor,
      payment?.ultimate_creditor,
      payment?.purpose,
      payment?.payment_type?.category_purpose,
    ],
    ['PAYROLL 7/2026', { name: 'Zurich Sohne', lei: '529900T8BM49AURSDO55' }, { name: 'Mary Somerville', bic: 'BNPAFRPP' }, 'RENT', 'SALA'],
  )
  const { transfer: plain } = await rails.sent(payer, { details: { end_to_end_id: null } })
  const { transfer: without } = await rails.sent(payer)
  for (const each of [plain, without]) {
    assert.ok(!('details' in each))
    assert.ok(!('details' in (await rails.show(each))))
    for (const { data } of (await venture.get(`/events?resource_id=${each.id}`)).body) assert.ok(!('details' in data.object))
  }
  const count = await bank.count('transfer_details')
  for (const end_to_end_id of ['/A', 'A/', 'A//B', ' A', 'A ', 'Ä', '-', 'x'.repeat(36)]) {
    const order = {
      ...payer,
      account: undefined,
      unique_reference: `BAD ${end_to_end_id.length}`,
      debit_amount: '1.00',
      details: { end_to_end_id },
    }
    const { status, problem } = await venture.post('/transfers', order)
    assert.deepEqual([status, problem.errors[0].field], [400, 'details.end_to_end_id'], end_to_end_id)
  }
  assert.equal(await bank.count('transfer_details'), count)
})

test('in a venture that processes its own transfers, details are not a field of an order', async () => {
  const open = await bank.registerVenture()
  const account = await open.openAccount({ balance: '10.00' })
  const beneficiary = await open.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00', unique_reference: 'OPEN-1' }
  const refused = await open.post('/transfers', { ...order, details: { end_to_end_id: 'E2E' } })
  const misspelt = await open.post('/transfers', { ...order, detail: {} })
  assert.deepEqual([refused.status, refused.problem.errors], [400, [{ field: 'details', message: 'is not a field of this request' }]])
  assert.equal(refused.problem.detail, misspelt.problem.detail.replace('detail ', 'details '))
  assert.equal((await open.get('/transfers?search=OPEN-1')).body.length, 0)
})

test('the books and seals are right', async () => {
  await rails.booksAreRight()
})
