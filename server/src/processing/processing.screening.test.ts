// Payments are compared with real lists before they leave or arrive: who is compared, what follows, and how it is explained.
import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { companion } from '../platform/companions.ts'
import { createLog } from '../platform/log.ts'
import { recompute } from '../screening/screening.score.ts'
import { queryEvents, shownEvents } from '../testing/testing.events.ts'
import { TestList } from '../testing/testing.lists.ts'
import { connector, ManagedVenture, operator } from '../testing/testing.managed.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { updateTransfer } from '../transfers/transfers.ts'
import { sandboxExchange } from './processing.exchange.ts'
import { screeningRecords } from './processing.records.ts'
import { openScreener } from './processing.screener.ts'
import { Processing, type Screener } from './processing.worker.ts'

const bank = await openBank()
const venture = await ManagedVenture.open(bank)
const { id: venture_id } = venture.venture
const screener = openScreener(bank.database, bank.rescreening.comparison)

const noCase = () => companion({ name: 'nothing', acquire: async (_tx, rows) => rows.map(() => 'granted' as const) }, {})

let clock_ms = Date.now()

/** Runs everything that is due, including what waited for the lists the last time. */
async function run(by: Screener = screener, of = venture): Promise<void> {
  clock_ms += 60_000
  const processing = new Processing({
    database: bank.database,
    transfers: of.transfers,
    screener: by,
    exchange: sandboxExchange,
    openCaseFor: noCase,
    log: createLog('silent'),
    now: () => new Date(clock_ms),
  })
  await processing.runDue()
}

type Remittance = { purpose?: string; structured_reference?: string; structured_reference_issuer?: string }
type Payment = { name?: string; iban?: string; country_code?: string; beneficiary_type?: string; of?: ManagedVenture } & Remittance

async function pay({ name = 'Charles Babbage', of = venture, ...changes }: Payment = {}): Promise<string> {
  return payFrom(await of.openAccount({ balance: '100.00' }), { name, of, ...changes })
}

async function payFrom(payer: Loose, { name, of = venture, ...changes }: Payment): Promise<string> {
  const { purpose = 'Rent', structured_reference = null, structured_reference_issuer = null, ...details } = changes
  const beneficiary = await of.addBeneficiary(payer.client_id, { name, iban: 'DE89370400440532013000', ...details })
  const remittance = { purpose, structured_reference, structured_reference_issuer }
  return (await of.createTransfer({ account_id: payer.id, beneficiary_id: beneficiary.id, debit_amount: '10.00', ...remittance })).id
}

const statusOf = async (id: string) => (await venture.get(`/transfers/${id}`)).body.status

async function screeningsOf(subject_id: string, of = venture): Promise<Loose[]> {
  const path = `/ventures/${of.venture.id}/screenings`
  const { body } = await bank.admin.get(`${path}?subject_id=${subject_id}`)
  return Promise.all(body.map(async ({ id }: Loose) => (await bank.admin.get(`${path}/${id}`)).body))
}

async function screeningOf(subject_id: string, of = venture): Promise<Loose> {
  const found = await screeningsOf(subject_id, of)
  assert.equal(found.length, 1, `${found.length} screenings`)
  return found[0]
}

test('while the lists are not loaded nothing passes, and once they are everything does', async () => {
  const ids = [await pay(), await pay()]
  await run()
  for (const id of ids) assert.equal(await statusOf(id), 'READY_FOR_SCREENING')
  assert.equal(await bank.count('screenings'), 0)
  await bank.lists.refresh()
  await run()
  for (const id of ids) assert.equal(await statusOf(id), 'COMPLETED')
})

test('a payment that resembles nobody keeps what it was compared with', async () => {
  const id = await pay()
  await run()
  const screening = await screeningOf(id)
  const { id: _, created_at: __, versions, ...rest } = screening
  assert.deepEqual(rest, {
    venture_id,
    subject_kind: 'transfer',
    subject_id: id,
    cause: 'processing',
    parties: [
      { party: 'debtor', name: 'Ada Lovelace', reading: 'whole', best_score: null },
      { party: 'creditor', name: 'Charles Babbage', reading: 'whole', best_score: null },
      { party: 'purpose', name: 'Rent', reading: 'whole', best_score: null },
    ],
    algorithm: 'vostro-names-3',
    policy_version: 0,
    screen_threshold: 0.85,
    block_threshold: 0.97,
    outcome: 'CLEAR',
    best_score: null,
    hits: [],
  })
  assert.deepEqual(
    versions,
    bank.lists.current.map(({ version_id }) => version_id),
  )
})

test('a name on the list stops the payment, and its explanation can be computed again to the same number', async () => {
  const [exact, near] = [await pay({ name: 'Mortimer Grimshade' }), await pay({ name: 'Zelda Quilfether' })]
  await run()
  for (const [id, outcome, entry_id] of [
    [exact, 'BLOCK', 'sandbox-demo-1'],
    [near, 'HIT', 'sandbox-demo-2'],
  ] as const) {
    assert.equal(await statusOf(id), 'REVIEW')
    const { outcome: found, best_score, hits } = await screeningOf(id)
    assert.equal(found, outcome)
    const [hit] = hits
    assert.deepEqual(
      [hit.party, hit.reason, hit.entry_id, hit.state, hit.decided_at, hit.watchlist_id],
      ['creditor', 'entry', entry_id, 'OPEN', null, bank.lists.current[0]?.watchlist_id],
    )
    assert.equal(recompute(hit.explanation), hit.score)
    assert.equal(hit.explanation.score, hit.score)
    assert.equal(best_score, hit.score)
    assert.ok(hit.score >= (outcome === 'BLOCK' ? 0.97 : 0.85) && (outcome === 'BLOCK' || hit.score < 0.97), String(hit.score))
  }
})

test('the client is compared too, with the date of birth, whichever way the money goes', async () => {
  const listed = { first_name: 'Mortimer', last_name: 'Grimshade', country_code: 'CYP' }
  const account = async (changes: object) => {
    const client = await venture.registerClient({ ...listed, ...changes })
    await bank.owner.query("update clients set kyc_status = 'VALIDATED' where id = $1", [client.id])
    return venture.openAccount({ client_id: client.id })
  }
  const arrive = async ({ id: account_id }: Loose, dr_name: string | null) => {
    const order = { account_id, direction: 'INBOUND' as const, credit_amount: '5.00', dr_iban: 'DE89370400440532013000', dr_name }
    const { id } = await venture.order(order)
    await venture.move(id, { status: 'RECEIVED' })
    return id
  }
  const [same, other] = [await account({ date_of_birth: '1961-04-13' }), await account({ date_of_birth: '1991-04-13' })]
  const fromListed = await arrive(await venture.openAccount(), 'Mortimer Grimshade')
  const [toListed, toOther] = [await arrive(same, 'Charles Babbage'), await arrive(other, 'Charles Babbage')]
  const nameless = await arrive(await venture.openAccount(), null)
  await run()
  const hitOf = async (id: string) => (await screeningOf(id)).hits.map(({ party, reason, score }: Loose) => ({ party, reason, score }))
  assert.deepEqual(await hitOf(toListed), [{ party: 'creditor', reason: 'entry', score: 1 }])
  const [hit] = await hitOf(toOther)
  assert.ok(hit.score < 0.97, 'born thirty years later')
  assert.equal((await hitOf(fromListed))[0].party, 'debtor')
  assert.deepEqual(
    (await hitOf(nameless)).map(({ reason }: Loose) => reason),
    ['unreadable', 'payer_name'],
  )
  for (const id of [fromListed, toListed, toOther, nameless]) assert.equal(await statusOf(id), 'REVIEW')
})

/** Names that resemble entries of the sandbox list by 0.85 to 0.95 without further details. */
const nearNames: readonly [name: string, entry_id: string][] = [
  ['Mortimar Grimshad', 'sandbox-demo-1'],
  ['Zelda Quilfather', 'sandbox-demo-2'],
  ['Naumpele Flurnum', 'sandbox-person-2'],
  ['Drandarrow Bryltedibl', 'sandbox-person-5'],
  ['Skongold Grogincle', 'sandbox-person-7'],
  ['Thribuf Snaumirbuf', 'sandbox-person-14'],
  ['Flaufot Quimbewik', 'sandbox-person-22'],
]

test('a false kind and a false country let no listed name pass: only verified facts lower a score', async () => {
  await bank.lists.refresh()
  const claims = { beneficiary_type: 'COMPANY', country_code: 'NZL' }
  const ids = await Promise.all(nearNames.map(([name]) => pay({ name, ...claims })))
  await run()
  for (const [at, [name, entry_id]] of nearNames.entries()) {
    const id = ids[at] as string
    const { hits } = await screeningOf(id)
    assert.deepEqual([hits[0]?.entry_id, await statusOf(id)], [entry_id, 'REVIEW'], name)
    const [{ score, explanation }] = hits
    assert.ok(score >= 0.85 && score < 0.95, `${name}: ${score}`)
    assert.deepEqual(explanation.corrections, [])
    assert.deepEqual(explanation.inputs.query.claimed, { by: 'venture', kind: 'organisation', birth_dates: [], countries: ['NZ'] })
    assert.equal(explanation.inputs.query.kind, 'unknown')
  }
})

test('a name in another script cannot be compared, so a person looks at it', async () => {
  const id = await pay({ name: 'محمد علي' })
  await run()
  const { outcome, hits } = await screeningOf(id)
  assert.deepEqual([outcome, await statusOf(id)], ['HIT', 'REVIEW'])
  assert.deepEqual([hits[0].reason, hits[0].entry_id, hits[0].explanation], ['unreadable', null, null])
})

test('a name in Greek or Chinese is compared with its Latin spelling, and with the same name on a list', async () => {
  const list = await TestList.open(bank)
  await list.publish('Papadimas, Evangelos', 'Zeng Guofan', '欧阳明德')
  const found = [await pay({ name: 'Ευάγγελος Παπαδήμας' }), await pay({ name: '曾国藩' }), await pay({ name: '歐陽明德' })]
  const nobody = await pay({ name: 'Μαρία Καλλιγά' })
  await run()
  for (const id of found) assert.deepEqual([await statusOf(id), (await screeningOf(id)).hits[0].reason], ['REVIEW', 'entry'])
  assert.equal(await statusOf(nobody), 'COMPLETED')
})

test('a payment that does not say who pays waits for a person, and a decision is about this payment only', async () => {
  await bank.lists.refresh()
  const { id: account_id } = await venture.openAccount()
  const payer = { dr_name: 'Charles Babbage', dr_iban: 'DE89370400440532013000' }
  const british = { ...payer, dr_iban: 'GB33BUKB20201555555555' }
  const arrive = async (said: object) => {
    const { id } = await venture.order({ account_id, direction: 'INBOUND', credit_amount: '5.00', ...said })
    await venture.move(id, { status: 'RECEIVED' })
    await run()
    return id
  }
  const rows: [object, string[]][] = [
    [{ ...payer, dr_name: 'ＮＯＴＰＲＯＶＩＤＥＤ' }, ['payer_name']],
    [{ ...payer, dr_name: '.' }, ['unreadable', 'payer_name']],
    [{ dr_name: payer.dr_name }, ['payer_account', 'payer_address']],
    [british, ['payer_address']],
  ]
  for (const [said, reasons] of rows) {
    const id = await arrive(said)
    const { outcome, hits } = await screeningOf(id)
    assert.deepEqual([outcome, hits.map(({ reason }: Loose) => reason)], ['HIT', reasons], JSON.stringify(said))
    assert.deepEqual([await statusOf(id), hits[0].party], ['REVIEW', 'debtor'])
  }
  const complete = await arrive({ ...british, dr_address: 'Devonshire Street 1', dr_city: 'London', dr_country_code: 'GBR' })
  assert.deepEqual([await statusOf(complete), await statusOf(await arrive(payer))], ['COMPLETED', 'COMPLETED'])
  const cleared = await arrive(british)
  const key = { venture_id, id: cleared }
  const companions = await screeningRecords(bank.database).decided(key, 'clear', { actor: { ...operator, id: randomUUID() } })
  const update = { status: 'AML_APPROVED' as const }
  await updateTransfer(venture.transfers, { venture_id, transfer_id: cleared, update, actor: connector, companions })
  await run()
  assert.equal(await statusOf(cleared), 'COMPLETED')
  assert.equal(await statusOf(await arrive(british)), 'REVIEW')
})

test('an order that gives a listed beneficiary another name is stopped, and so is one that gives it a listed name', async () => {
  await bank.lists.refresh()
  const payer = await venture.openAccount({ balance: '100.00' })
  const order = async (name: string, cr_name: string) => {
    const { id: beneficiary_id } = await venture.addBeneficiary(payer.client_id, { name, iban: 'DE89370400440532013000' })
    // Reserved to the bank.
    return (await venture.order({ account_id: payer.id, beneficiary_id, debit_amount: '10.00', cr_name })).id
  }
  const ids = [await order('Mortimer Grimshade', 'Charles Babbage'), await order('Charles Babbage', 'Mortimer Grimshade')]
  await run()
  for (const id of ids) assert.deepEqual([await statusOf(id), (await screeningOf(id)).outcome], ['REVIEW', 'BLOCK'])
})

test('a name of which a part cannot be read does not pass by the rest of it', async () => {
  await bank.lists.refresh()
  const ids = [await pay({ name: 'Charles Babbage علي' }), await pay({ name: 'Mortimer Grimѕhaɗɛ' })]
  await run()
  for (const id of ids) {
    const { outcome, hits } = await screeningOf(id)
    assert.deepEqual([outcome, await statusOf(id), hits.at(-1)?.reason], ['HIT', 'REVIEW', 'unreadable'])
  }
})

test('a name that looks like a listed one stops the payment, whatever letters it has, and however many words are around it', async () => {
  await bank.lists.refresh()
  const around = Array.from({ length: 16 }, (_, number) => `w${String.fromCharCode(97 + number)}`).join(' ')
  const names = ['Mor\u200btimer Grim\u200bshade Smith', 'M0rt1m3r Gr1m5h4d3', 'Μortimer Grimshade', `Mortimr Grimshad ${around}`]
  const ids = await Promise.all(names.map((name) => pay({ name })))
  await run()
  for (const [at, name] of names.entries()) {
    const { hits } = await screeningOf(ids[at] as string)
    assert.equal(hits[0]?.entry_id, 'sandbox-demo-1', name)
    assert.equal(recompute(hits[0].explanation), hits[0].score, name)
  }
})

test('the words of a listed name are found in a name however far apart they stand, if the first and the last of them are there', async () => {
  await bank.lists.refresh()
  const names: [string, string | undefined][] = [
    // With James, which the listed Mortimer J. Grimshade may stand for.
    ['Mortimer Edward James William Grimshade', 'sandbox-demo-1'],
    ['Mortimr Edward James William Henry George Grimshad', 'sandbox-demo-1'],
    ['Grimshad Edward James William Henry George Mortimr', 'sandbox-demo-1'],
    ['Estate of Zelda Louise Maria Anna Quillfether', 'sandbox-demo-2'],
    ['Edward James William Henry George Grimshade', undefined],
  ]
  const ids = await Promise.all(names.map(([name]) => pay({ name })))
  await run()
  for (const [at, [name, entry_id]] of names.entries()) {
    const id = ids[at] as string
    const { hits } = await screeningOf(id)
    assert.deepEqual([hits[0]?.entry_id, await statusOf(id)], [entry_id, entry_id === undefined ? 'COMPLETED' : 'REVIEW'], name)
    for (const { explanation, score } of hits) {
      assert.deepEqual([explanation.inputs.query.name, recompute(explanation)], [name, score])
      const words = explanation.inputs.query.words.map(({ word }: Loose) => word).filter((word: string) => word !== 'james')
      assert.equal(words.length, 2, words.join(' '))
    }
  }
})

test('words that are scattered over a name are none if the listed name does not begin and end with two of them', async () => {
  const list = await TestList.open(bank)
  await list.publish('Quillon Ferrow Tamberly Osk Wendle Pruss Yarrick Dunmore Velt')
  const ids = [
    await pay({ name: 'Quillon Edward Ferrow James Tamberly William Osk Wendle Pruss Yarrick Dunmore' }),
    await pay({ name: 'Quillon Edward Ferrow James Tamberly William Osk Wendle Pruss Yarrick Velt' }),
  ]
  await run()
  assert.deepEqual(await Promise.all(ids.map(statusOf)), ['COMPLETED', 'REVIEW'])
})

test('companies and vessels are found in the text of a payment, and people are not', async () => {
  await bank.lists.refresh()
  const texts: [string, string | undefined][] = [
    ['Invoice 4711, cargo of MV Gloomy Pelican, port dues and demurrage for November as agreed', 'sandbox-demo-4'],
    ['Gloomy Pelican', 'sandbox-demo-4'],
    ['Freight, IMO 0000001', 'sandbox-demo-4'],
    ['Freight, I.M.O. No. ０００0001', 'sandbox-demo-4'],
    ['Cargo of MV Gl00my Peli-can, port dues', 'sandbox-demo-4'],
    ['For Blackmoor Phantom Trading Limited, second instalment', 'sandbox-demo-3'],
    ['The gloomy weather cost us a week, and nobody has seen a single pelican since', undefined],
    ['Birthday present from Mortimer Grimshade', undefined],
    ['Invoice 0000001', undefined],
  ]
  const ids = await Promise.all(texts.map(([purpose]) => pay({ purpose })))
  await run()
  for (const [at, [purpose, entry_id]] of texts.entries()) {
    const { outcome, hits } = await screeningOf(ids[at] as string)
    assert.deepEqual(
      [outcome === 'CLEAR', hits[0]?.party, hits[0]?.entry_id],
      entry_id === undefined ? [true, undefined, undefined] : [false, 'purpose', entry_id],
      purpose,
    )
    for (const { explanation, score } of hits) assert.equal(recompute(explanation), score)
  }
})

test('the structured part of the remittance information is compared as well', async () => {
  await bank.lists.refresh()
  const ids = [
    await pay({ structured_reference: 'Cargo of MV Gloomy Pelican' }),
    await pay({ structured_reference: 'RF18539007547034', structured_reference_issuer: 'Blackmoor Phantom Trading Limited' }),
    await pay({ structured_reference: 'RF18539007547034', structured_reference_issuer: 'ISO' }),
  ]
  await run()
  const found = await Promise.all(
    ids.map(async (id) => (await screeningOf(id)).hits.map(({ party, entry_id }: Loose) => [party, entry_id])),
  )
  assert.deepEqual(found, [[['structured_reference', 'sandbox-demo-4']], [['structured_reference_issuer', 'sandbox-demo-3']], []])
})

test('a listed person in whose name others pay stops the payment, and the hit names the field', async () => {
  await bank.lists.refresh()
  const payer = await venture.openAccount({ balance: '100.00' })
  const { id: beneficiary_id } = await venture.addBeneficiary(payer.client_id, { name: 'Charles Babbage', iban: 'DE89370400440532013000' })
  for (const field of ['ultimate_debtor', 'ultimate_creditor']) {
    const details = { [field]: { name: 'Mortimer Grimshade' } }
    const { id } = await venture.createTransfer({ account_id: payer.id, beneficiary_id, debit_amount: '10.00', details })
    await run()
    assert.equal(await statusOf(id), 'REVIEW', field)
    const { hits } = await screeningOf(id)
    assert.deepEqual(
      hits.map(({ party }: Loose) => party),
      [field],
    )
  }
})

test('what was cleared in a text is cleared between these two accounts only', async () => {
  await bank.lists.refresh()
  const [payer, other] = [await venture.openAccount({ balance: '100.00' }), await venture.openAccount({ balance: '100.00' })]
  const payment = { name: 'Charles Babbage', purpose: 'Gloomy Pelican, third of May' }
  const first = await payFrom(payer, payment)
  await run()
  const companions = await screeningRecords(bank.database).decided({ venture_id, id: first }, 'clear', { actor: operator })
  const update = { status: 'AML_APPROVED' as const }
  await updateTransfer(venture.transfers, { venture_id, transfer_id: first, update, actor: connector, companions })
  const ids = [
    await payFrom(payer, payment),
    await payFrom(other, payment),
    await payFrom(payer, { ...payment, iban: 'FR1420041010050500013M02606' }),
  ]
  await run()
  assert.deepEqual(await Promise.all(ids.map(statusOf)), ['COMPLETED', 'REVIEW', 'REVIEW'])
})

test('a bank in a country that the bank does not deal with stops the payment', async () => {
  const strict = openScreener(bank.database, { ...bank.rescreening.comparison, countries: new Set(['FR', 'KP']) })
  const french = await pay({ iban: 'FR1420041010050500013M02606' })
  const german = await pay()
  await run(strict)
  assert.deepEqual([await statusOf(french), await statusOf(german)], ['REVIEW', 'COMPLETED'])
  const { outcome, hits } = await screeningOf(french)
  assert.deepEqual([outcome, hits.length, hits[0].party, hits[0].reason, hits[0].score], ['HIT', 1, 'creditor_bank', 'country', null])
})

test('the policy of the venture chooses the lists and the thresholds', async () => {
  const own = await ManagedVenture.open(bank)
  const agree = async (policy: object) => {
    const { status, text } = await bank.admin.put(`/ventures/${own.venture.id}/policy`, policy)
    assert.equal(status, 200, text)
  }
  const outcome = async (name: string) => {
    const id = await pay({ name, of: own })
    await run(screener, own)
    return [(await own.get(`/transfers/${id}`)).body.status, (await screeningsOf(id, own))[0]?.outcome]
  }
  const peps = await TestList.open(bank, { purpose: 'PEPS' })
  await peps.publish('Prunella Statesworth')
  assert.deepEqual(await outcome('Prunella Statesworth'), ['COMPLETED', 'CLEAR'])
  await agree({ screen_peps: true })
  assert.deepEqual(await outcome('Prunella Statesworth'), ['REVIEW', 'BLOCK'])
  await agree({ screen_threshold: '0.99', block_threshold: '1' })
  assert.deepEqual(await outcome('Zelda Quilfether'), ['COMPLETED', 'CLEAR'])
  await agree({ screen_threshold: '0.85', block_threshold: '0.9' })
  assert.deepEqual(await outcome('Zelda Quilfether'), ['REVIEW', 'BLOCK'])
  await agree({ lists: [peps.list.name] })
  assert.deepEqual(await outcome('Mortimer Grimshade'), ['COMPLETED', 'CLEAR'])
  await agree({ lists: ['sandbox', 'there-is-no-such-list'] })
  assert.deepEqual(await outcome('Charles Babbage'), ['READY_FOR_SCREENING', undefined])
})

test('what was cleared is not raised again until the name, the account or the entry changes', async () => {
  const list = await TestList.open(bank)
  const entry = { name: 'Ottoline Brambleforth', id: 'otto' }
  await list.publish(entry)
  const payment = { name: 'Ottoline Brambleforth' }
  const first = await pay(payment)
  await run()
  assert.equal(await statusOf(first), 'REVIEW')
  const records = screeningRecords(bank.database)
  const key = { venture_id, id: first }
  assert.deepEqual(await records.explain(key), await screeningOf(first))
  const companions = await records.decided(key, 'clear', { actor: { ...operator, id: randomUUID() } })
  await updateTransfer(venture.transfers, {
    venture_id,
    transfer_id: first,
    update: { status: 'AML_APPROVED' },
    actor: connector,
    companions,
  })
  const [{ hits }] = await screeningsOf(first)
  assert.deepEqual([hits[0].state, hits[0].decided_at !== null], ['CLEARED', true])

  const again = await pay(payment)
  await run()
  assert.deepEqual([await statusOf(again), (await screeningOf(again)).hits], ['COMPLETED', []])
  const others = [
    await pay({ name: 'Ottoline Bramblefort' }),
    await pay({ ...payment, iban: 'FR1420041010050500013M02606' }),
    await pay({ ...payment, country_code: 'MLT' }),
  ]
  await run()
  for (const id of others) assert.equal(await statusOf(id), 'REVIEW')

  await list.publish(entry, 'Somebody Else')
  const unchanged = await pay(payment)
  await run()
  assert.equal(await statusOf(unchanged), 'COMPLETED', 'the entry is the same in the new version')
  await list.publish({ ...entry, birth_date: '1950' })
  const changed = await pay(payment)
  await run()
  assert.equal(await statusOf(changed), 'REVIEW')
})

test('what was cleared before it was kept who says what stays cleared: it is still the same party', async () => {
  await bank.lists.refresh()
  const identity = { first_name: 'Mortimer', last_name: 'Grimshade', date_of_birth: '1991-04-13', nationality: 'LVA', birth_country: 'EST' }
  const client = await venture.registerClient({ ...identity, country_code: 'CYP' })
  await bank.owner.query("update clients set kyc_status = 'VALIDATED' where id = $1", [client.id])
  const payer = await venture.openAccount({ client_id: client.id, balance: '50.00' })
  const iban = 'DE89370400440532013000'
  const ordered = await payFrom(payer, { name: 'Mortimer Grimshade', iban, beneficiary_type: 'COMPANY', country_code: 'NZL' })
  const arrival = { direction: 'INBOUND' as const, credit_amount: '5.00', dr_iban: iban, dr_name: 'Mortimer Grimshade' }
  const { id: arrived } = await venture.order({ account_id: (await venture.openAccount()).id, ...arrival, dr_country_code: 'NZL' })
  await venture.move(arrived, { status: 'RECEIVED' })
  await run()
  const { rows } = await bank.owner.query(
    `select screening.subject_id, hit.party, hit.party_hash from screenings screening join screening_hits hit on hit.screening_id = screening.id
     where screening.subject_id = any($1) order by hit.id`,
    [[ordered, arrived]],
  )
  // As older versions stored it: reference, words, kind, birth date, countries, identifiers.
  const words = [['mortimer', 'grimshade']]
  const hashOf = (...parts: unknown[]) => hash('sha256', JSON.stringify(parts))
  assert.deepEqual(
    rows.map(({ subject_id, party, party_hash }) => [subject_id, party, party_hash]),
    [
      [ordered, 'debtor', hashOf(client.id, words, 'person', '1991-04-13', ['CY', 'EE', 'LV'], [])],
      [ordered, 'creditor', hashOf(iban, words, 'organisation', null, ['NZ'], [])],
      [arrived, 'debtor', hashOf(iban, words, null, null, ['NZ'], [])],
    ],
  )
})

test('all entries that resemble a name are raised, so that none is let through when the others have been cleared', async () => {
  const list = await TestList.open(bank)
  await list.publish(...Array.from({ length: 25 }, (_, number) => ({ name: 'Percival Underhay', id: `p-${number}` })))
  const id = await pay({ name: 'Percival Underhay' })
  await run()
  assert.equal((await screeningOf(id)).hits.length, 25)
})

test('what was compared with a version that has been replaced meanwhile is not stored, and neither is the walk', async () => {
  const list = await TestList.open(bank)
  await list.publish('Somebody Unimportant')
  const id = await pay({ name: 'Leopold Nightjar' })
  const { body: next } = await list.import('Somebody Unimportant', 'Leopold Nightjar')
  let activated = false
  // Another instance activates the version between the comparison and the walk.
  const slow: Screener = {
    async screen(transfers) {
      const screened = await screener.screen(transfers)
      if (!activated) assert.equal((await list.activate(next)).status, 200)
      activated = true
      return screened
    },
  }
  await run(slow)
  assert.deepEqual([await statusOf(id), await screeningsOf(id)], ['CREATED', []])
  await bank.lists.refresh()
  await run(slow)
  assert.deepEqual([await statusOf(id), (await screeningOf(id)).outcome], ['REVIEW', 'BLOCK'])
})

test('what is not cleared is confirmed, and stays a hit', async () => {
  const payment = { name: 'Mortimer Grimshade' }
  const id = await pay(payment)
  assert.equal(await screeningRecords(bank.database).explain({ venture_id, id }), null)
  await run()
  const companions = await screeningRecords(bank.database).decided({ venture_id, id }, 'freeze', { actor: operator })
  await updateTransfer(venture.transfers, { venture_id, transfer_id: id, update: { status: 'ON_HOLD' }, actor: connector, companions })
  const [{ hits }] = await screeningsOf(id)
  assert.deepEqual([hits[0].state, hits[0].decided_by], ['CONFIRMED', null])
  const again = await pay(payment)
  await run()
  assert.equal(await statusOf(again), 'REVIEW')
})

test('screenings are kept as they were stored', async () => {
  for (const statement of ['update screenings set outcome = $$CLEAR$$', 'delete from screenings', 'delete from cleared_pairs'])
    await assert.rejects(bank.owner.query(statement), /append-only|kept|never/, statement)
})

test('a screening belongs to its venture: under another one it is not found', async () => {
  const id = await pay({ name: 'Mortimer Grimshade' })
  await run()
  const screening = await screeningOf(id)
  const other = await bank.registerVenture()
  const found = await bank.admin.get(`/ventures/${other.venture.id}/screenings/${screening.id}`)
  assert.deepEqual([found.status, found.problem.code], [404, 'screening_not_found'])
  assert.deepEqual((await bank.admin.get(`/ventures/${other.venture.id}/screenings?subject_id=${id}`)).body, [])
  const nobody = await bank.admin.get(`/ventures/${randomUUID()}/screenings`)
  assert.deepEqual([nobody.status, nobody.problem.code], [404, 'venture_not_found'])
  const clear = (await bank.admin.get(`/ventures/${venture_id}/screenings?outcome=CLEAR&limit=1`)).body
  assert.deepEqual(
    clear.map(({ outcome }: Loose) => outcome),
    ['CLEAR'],
  )
})

test('the venture sees that a payment is under review, and nothing of lists, entries and scores', async () => {
  const id = await pay({ name: 'Zelda Quilfether' })
  await run()
  const { rows } = await queryEvents(bank.owner, `select data from ${shownEvents} where resource_id = $1`, [id])
  const answers = [(await venture.get(`/transfers/${id}`)).text, (await venture.get(`/transfers/${id}/history`)).text, JSON.stringify(rows)]
  // Digits may also be the fraction of a second in a time.
  for (const text of answers) assert.doesNotMatch(text, /Quillfeather|sandbox-demo|watch|score|(?<!\d)0\.9\d|screening_id/i)
})

test('two payments that are stored in one batch are both stored', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => pay()))
  await run()
  for (const id of ids) assert.equal((await screeningOf(id)).outcome, 'CLEAR')
})
