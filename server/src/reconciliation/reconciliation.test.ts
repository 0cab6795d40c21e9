// Nostros over HTTP, and statements as the inbox passes them on: what is applied, what is refused, which differences are found, and who decides them.
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Message, MessageReader, writeMessage } from '../iso20022/iso20022.ts'
import { ManagedVenture, toSent } from '../testing/testing.managed.ts'
import { insertPack, insertSent, type NewEntry, notificationMessage, statementMessage } from '../testing/testing.nostros.ts'
import { type Bank, type Loose, openBank } from '../testing/testing.ts'
import { addDays, todayUtc } from '../values/calendar.ts'
import { formatMoney, fromNumeric } from '../values/money.ts'
import { checkInvariants } from '../verify/verify.ts'
import { applyNotification, applyStatement, endDays } from './reconciliation.ts'

const today = todayUtc(new Date())
const tomorrow = addDays(today, 1)

// Each test has its own bank: what is on no statement would be missing in the next test.
let bank: Bank
let database: Bank['database']
let venture: ManagedVenture
let venture_id: string
let account: Loose
let beneficiary: Loose

async function openWorld(): Promise<void> {
  bank = await openBank()
  database = bank.database
  venture = await ManagedVenture.open(bank)
  venture_id = venture.venture.id
  account = await venture.openAccount({ balance: '100000.00' })
  beneficiary = await venture.addBeneficiary(account['client_id'])
}

/** Runs in a bank of its own, whose books must be right at the end. */
const inBank = (work: () => Promise<void>) => async () => {
  await openWorld()
  await work()
  assert.deepEqual(await bank.wrongBooks(), [])
  const broken = (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0)
  assert.deepEqual(
    broken.map(({ name, examples }) => [name, examples]),
    [],
  )
}

async function openNostro(rails = ['SEPA', 'INST']): Promise<Nostro> {
  const number = `DE${randomInt(1e12, 9e12)}${randomInt(1e6, 9e6)}`
  const body = { name: 'Settlement', account: number, bic: 'COBADEFF', currency: 'EUR', rails, prefunding: '1000.00' }
  const { status, body: made, text } = await bank.admin.post('/operator/nostros', body)
  assert.equal(status, 201, text)
  return new Nostro(made)
}

class Nostro {
  readonly id: string
  readonly account: string
  balance: string
  sequence = 0

  constructor({ id, account: number, balance }: Loose) {
    this.id = id
    this.account = number
    this.balance = balance
  }

  /** The next statement. */
  next(entries: readonly NewEntry[], date = today): Message<'camt.053.001.08'> {
    this.sequence++
    const message = statementMessage({ account: this.account, sequence: this.sequence, date, opening: this.balance, entries })
    this.balance = formatMoney(
      entries.reduce((sum, { amount }) => sum + fromNumeric(amount), fromNumeric(this.balance)),
      'EUR',
    )
    return message
  }

  async apply(entries: readonly NewEntry[], date = today): Promise<void> {
    const applied = applyStatement({ database }, randomUUID(), this.next(entries, date))
    await assert.doesNotReject(applied)
    assert.deepEqual(await applied, { outcome: 'APPLIED' })
  }

  async breaks(status = 'OPEN'): Promise<string[]> {
    const { body } = await bank.admin.get(`/operator/breaks?nostro_id=${this.id}&status=${status}&limit=100`)
    return body.map(({ kind, difference }: Loose) => `${kind} ${difference}`).sort()
  }

  async findBreak(kind: string, status = 'OPEN'): Promise<Loose> {
    const { body } = await bank.admin.get(`/operator/breaks?nostro_id=${this.id}&status=${status}&kind=${kind}`)
    assert.equal(body.length, 1, `${kind}: ${body.length}`)
    return body[0]
  }

  async figures(date?: string): Promise<Loose> {
    const { body, status, text } = await bank.admin.get(`/operator/nostros/${this.id}/reconciliation${date ? `?date=${date}` : ''}`)
    assert.equal(status, 200, text)
    return body
  }

  async entries(state: string): Promise<Loose[]> {
    return (await bank.admin.get(`/operator/nostros/${this.id}/entries?state=${state}&limit=100`)).body
  }
}

type Payment = { id: string; tx_id: string; amount: string }

type PaymentOptions = { completed?: boolean; pack_id?: string; date?: string; state?: string; unique_reference?: string }

/** A payment over a rail. */
async function pay(
  amount: string,
  { completed = true, pack_id, date = today, state = 'SETTLED', ...changes }: PaymentOptions = {},
): Promise<Payment> {
  const order = { account_id: account['id'], beneficiary_id: beneficiary['id'], debit_amount: amount, ...changes }
  const transfer = await venture.createTransfer(order)
  await venture.process(transfer, ...toSent, ...(completed ? (['COMPLETED'] as const) : []))
  const { tx_id } = await insertSent(bank.owner, {
    venture_id,
    id: transfer.id,
    amount,
    date,
    state,
    ...(pack_id === undefined ? {} : { pack_id }),
  })
  return { id: transfer.id, tx_id, amount: `-${amount}` }
}

const named = ({ tx_id, amount }: Payment, changes: Partial<NewEntry> = {}): NewEntry => ({ amount, tx_id, ...changes })

async function receive(amount: string, changes: object = {}): Promise<Payment> {
  const tx_id = randomUUID().replaceAll('-', '')
  const report = {
    sender: 'COBADEFF',
    kind: 'pacs.008',
    tx_id,
    iban: account['account_number'],
    amount,
    currency: 'EUR',
    rail: 'SEPA',
    dr_name: 'Grace Hopper',
    ...changes,
  }
  const { status, body, text } = await bank.admin.post('/operator/inbound-payments', report)
  assert.equal(status, 201, text)
  return { id: body.id, tx_id, amount }
}

const caseOf = async (id: string): Promise<Loose> => (await bank.admin.get(`/operator/cases?resource_id=${id}&kind=reconciliation`)).body[0]

async function decide(broken: Loose, decision: string, details?: object): Promise<Loose> {
  const { id } = await caseOf(broken.id)
  return bank.admin.post(`/operator/cases/${id}/decisions`, { decision, ...(details === undefined ? {} : { details }) })
}

async function decided(broken: Loose, decision: string, details?: object): Promise<void> {
  const { status, body, text } = await decide(broken, decision, details)
  assert.deepEqual([status, body?.state], [200, 'DECIDED'], text)
}

test(
  'a nostro is created, listed and shown, and its account and rails are taken',
  inBank(async () => {
    const nostro = await openNostro()
    const { body } = await bank.admin.get(`/operator/nostros/${nostro.id}`)
    assert.deepEqual(
      [body.account, body.bic, body.rails, body.prefunding, body.balance, body.last_statement_on, body.open_breaks],
      [nostro.account, 'COBADEFFXXX', ['INST', 'SEPA'], '1000.00', '1000.00', null, 0],
    )
    assert.equal((await bank.admin.get('/operator/nostros')).body[0].id, nostro.id)
    const another = { name: 'Another', account: 'X1', bic: 'COBADEFF', currency: 'EUR', rails: ['SDD'], prefunding: '0' }
    const refused = async (changes: object, status: number, code: string, field?: string) => {
      const answer = await bank.admin.post('/operator/nostros', { ...another, ...changes })
      assert.deepEqual([answer.status, answer.problem?.code, answer.problem?.errors?.[0]?.field], [status, code, field], answer.text)
    }
    await refused({ account: nostro.account.toLowerCase() }, 409, 'nostro_exists')
    await refused({ rails: ['SEPA'] }, 409, 'nostro_exists')
    await refused({ rails: ['SDD', 'SEPA'] }, 409, 'nostro_exists')
    await refused({ currency: 'USD' }, 400, 'invalid_request', 'rails')
    await refused({ prefunding: '1.001' }, 400, 'invalid_request', 'prefunding')
    await refused({ rails: [] }, 400, 'invalid_request', 'rails')
    assert.equal((await bank.admin.get('/operator/nostros')).body[0].id, nostro.id)
    for (const path of ['', '/statements', '/entries', '/reconciliation'])
      assert.equal((await bank.admin.get(`/operator/nostros/${randomUUID()}${path}`)).problem.code, 'nostro_not_found')
    assert.equal((await bank.admin.get(`/operator/nostros/${nostro.id}/reconciliation`)).problem.code, 'nostro_statement_not_found')
  }),
)

test(
  'a statement as XML is matched: a pack, a transaction id, an end-to-end id, and what is alike',
  inBank(async () => {
    const nostro = await openNostro()
    const pack = await insertPack(bank.owner, { date: today })
    await pay('10.00', { pack_id: pack.id })
    await pay('20.00', { pack_id: pack.id })
    const single = await pay('30.00')
    const reference = `ORDER-${randomUUID().slice(0, 20)}`
    const alone = await pay('31.00', { unique_reference: reference })
    await bank.owner.query('update rail_payments set end_to_end_id = $2 where transfer_id = $1', [alone.id, reference])
    const came = await receive('45.00')
    await receive('46.00', { dr_iban: 'DE89370400440532013000' })
    const parts = [await pay('1.00'), await pay('2.00')]
    const message = nostro.next([
      { amount: '-30.00', message_id: pack.message_id },
      named(single),
      { amount: '-31.00', end_to_end_id: reference },
      named(came),
      { amount: '46.00', iban: 'DE89370400440532013000' },
      { amount: '-3.00', parts: parts.map(({ amount, tx_id }) => ({ amount, tx_id })) },
    ])
    const reader = new MessageReader()
    const { message: read } = await reader.read(Buffer.from(writeMessage('camt.053.001.08', message)))
    const applied = await applyStatement({ database }, randomUUID(), read as Message<'camt.053.001.08'>)
    assert.deepEqual(applied, { outcome: 'APPLIED' })
    assert.deepEqual(await nostro.breaks(), [])
    const matched = await nostro.entries('MATCHED')
    assert.deepEqual(matched.map(({ amount, matched_by }) => `${amount} ${matched_by}`).sort(), [
      '-1.00 REFERENCE',
      '-2.00 REFERENCE',
      '-30.00 PACK',
      '-30.00 REFERENCE',
      '-31.00 REFERENCE',
      '45.00 REFERENCE',
      '46.00 LIKENESS',
    ])
    const { closing, prefunding, settlement, in_transit, breaks, difference } = await nostro.figures()
    assert.deepEqual(
      [closing, prefunding, settlement, in_transit, breaks, difference],
      ['997.00', '1000.00', '3.00', '0.00', '0.00', '0.00'],
    )
    const { body } = await bank.admin.get(`/operator/nostros/${nostro.id}/statements`)
    assert.deepEqual(
      [body[0].number, body[0].opening, body[0].closing, body[0].entries, body[0].ended_at],
      [1, '1000.00', '997.00', 6, null],
    )
  }),
)

test(
  'a statement is applied once, only as the next one, and as a whole',
  inBank(async () => {
    const nostro = await openNostro()
    const paid = await pay('40.00')
    const first = nostro.next([named(paid)])
    const count = async () => [await bank.count('nostro_statements'), await bank.count('nostro_entries'), await bank.count('breaks')]
    const before = await count()
    const refused = async (message: Message<'camt.053.001.08'>, reason: string) => {
      const now = await count()
      const applied = await applyStatement({ database }, randomUUID(), message)
      assert.deepEqual([applied.outcome, 'reason' in applied && applied.reason], ['REFUSED', reason])
      assert.deepEqual(await count(), now)
    }
    const day = { account: nostro.account, sequence: 2, date: tomorrow, opening: '960.00', entries: [{ amount: '5.00' }] }
    await refused(statementMessage({ ...day, opening: '1001.00' }), 'opening_differs')
    await refused(statementMessage({ ...day, account: 'DE00UNKNOWN' }), 'nostro_unknown')
    assert.deepEqual(await count(), before)
    assert.deepEqual(await applyStatement({ database }, randomUUID(), first), { outcome: 'APPLIED' })
    assert.deepEqual(await applyStatement({ database }, randomUUID(), first), { outcome: 'IGNORED' })
    await refused(statementMessage({ ...day, sequence: 3 }), 'sequence_differs')
    await refused(statementMessage({ ...day, opening: '961.00' }), 'opening_differs')
    await refused(statementMessage({ ...day, sequence: 1, date: today, opening: '1000.00' }), 'statement_differs')
    await refused(statementMessage({ ...day, closing: '964.00' }), 'balances_differ')
    // One of two statements in a message is refused, so neither is applied.
    await refused(statementMessage(day, { ...day, sequence: 4, opening: '965.00' }), 'sequence_differs')
    assert.deepEqual(await applyStatement({ database }, randomUUID(), statementMessage(day)), { outcome: 'APPLIED' })
    // A message that repeats a statement and contains the next one.
    const third = { ...day, sequence: 3, opening: '965.00', entries: [] }
    assert.deepEqual(await applyStatement({ database }, randomUUID(), statementMessage(day, third)), { outcome: 'APPLIED' })
    assert.equal((await bank.admin.get(`/operator/nostros/${nostro.id}`)).body.balance, '965.00')
  }),
)

test(
  'many instances that apply the same statement at once apply it once',
  inBank(async () => {
    const nostro = await openNostro()
    const paid = await pay('40.00')
    const message = nostro.next([named(paid), { amount: '3.00' }])
    const applied = await Promise.all(Array.from({ length: 6 }, () => applyStatement({ database }, randomUUID(), message)))
    assert.deepEqual(applied.map(({ outcome }) => outcome).sort(), ['APPLIED', ...Array.from({ length: 5 }, () => 'IGNORED')])
    assert.deepEqual(await nostro.breaks(), ['UNKNOWN 3.00'])
  }),
)

test(
  'a day with every kind of break finds exactly those, each with a case, and the figures are exact',
  inBank(async () => {
    const nostro = await openNostro()
    const [good, missing, other, twice, late] = [
      await pay('11.00'),
      await pay('12.00'),
      await pay('13.00'),
      await pay('14.00'),
      await pay('15.00'),
    ]
    const unbooked = await pay('16.00', { completed: false, state: 'SENT' })
    const came = await receive('21.00')
    const lost = await receive('22.00')
    await nostro.apply([
      named(good),
      named(other, { amount: '-13.11' }),
      named(twice),
      named(twice),
      named(unbooked),
      named(came),
      { amount: '99.00' },
    ])
    assert.deepEqual(await nostro.breaks(), ['DUPLICATE -14.00', 'OTHER_AMOUNT -0.11', 'UNBOOKED -16.00', 'UNKNOWN 99.00'])
    const early = await nostro.figures()
    assert.deepEqual([early.in_transit, early.breaks, early.difference], ['-5.00', '68.89', '0.00'])
    const { body } = await bank.admin.post('/operator/end-of-day', { date: today })
    assert.deepEqual(
      body.find(({ nostro_id }: Loose) => nostro_id === nostro.id),
      { nostro_id: nostro.id, date: today, state: 'ENDED', missing: 3 },
    )
    const all = [
      'DUPLICATE -14.00',
      'MISSING -22.00',
      'MISSING 12.00',
      'MISSING 15.00',
      'OTHER_AMOUNT -0.11',
      'UNBOOKED -16.00',
      'UNKNOWN 99.00',
    ]
    assert.deepEqual(await nostro.breaks(), all)
    const cases = await bank.admin.get('/operator/cases?kind=reconciliation&state=OPEN&limit=100')
    const about = new Set((await bank.admin.get(`/operator/breaks?nostro_id=${nostro.id}`)).body.map(({ id }: Loose) => id))
    assert.equal(cases.body.filter(({ resource_id }: Loose) => about.has(resource_id)).length, all.length)
    const figures = await nostro.figures()
    // 1000 - 11 - 13.11 - 14 - 14 - 16 + 21 + 99
    assert.deepEqual(
      [figures.closing, figures.prefunding, figures.settlement, figures.in_transit, figures.breaks, figures.difference],
      ['1051.89', '1000.00', '22.00', '0.00', '73.89', '0.00'],
    )
    const again = await bank.admin.post('/operator/end-of-day', { date: today })
    assert.equal(again.body.find(({ nostro_id }: Loose) => nostro_id === nostro.id).state, 'ENDED_BEFORE')
    assert.deepEqual(await nostro.breaks(), all)
    // The late payment is on the next statement, and the unbooked payment has been booked since.
    await venture.process(unbooked, 'COMPLETED')
    await bank.owner.query("update rail_payments set state = 'SETTLED' where transfer_id = $1", [unbooked.id])
    assert.equal((await nostro.figures()).difference, '0.00')
    await nostro.apply([named(late), named(lost)], tomorrow)
    assert.deepEqual(await nostro.breaks(), ['DUPLICATE -14.00', 'MISSING 12.00', 'OTHER_AMOUNT -0.11', 'UNKNOWN 99.00'])
    assert.deepEqual(await nostro.breaks('MATCHED'), ['MISSING -22.00', 'MISSING 15.00', 'UNBOOKED -16.00'])
    assert.equal((await caseOf((await nostro.findBreak('UNBOOKED', 'MATCHED')).id)).decision, 'match')
    // A payment that was written off as missing is on a statement after all.
    await decided(await nostro.findBreak('MISSING'), 'write_off')
    await nostro.apply([named(missing)], addDays(today, 2))
    assert.deepEqual(await nostro.breaks(), ['DUPLICATE -14.00', 'LATE -12.00', 'OTHER_AMOUNT -0.11', 'UNKNOWN 99.00'])
    for (const date of [today, tomorrow, addDays(today, 2)]) assert.equal((await nostro.figures(date)).difference, '0.00', date)
  }),
)

test(
  'two people decide breaks: matched by hand, offset, funded or written off',
  inBank(async () => {
    const nostro = await openNostro()
    const paid = await pay('17.00')
    const spare = await pay('18.00')
    await nostro.apply([{ amount: '-17.00' }, { amount: '-5.00', tx_id: 'wrong' }, { amount: '500.00' }, { amount: '-2.50' }])
    await bank.admin.post('/operator/end-of-day', { date: today })
    const byAmount = async (difference: string): Promise<Loose> =>
      (await bank.admin.get(`/operator/breaks?nostro_id=${nostro.id}&status=OPEN`)).body.find((one: Loose) => one.difference === difference)
    const [entry, wrong, funds, fee] = [
      await byAmount('-17.00'),
      await byAmount('-5.00'),
      await byAmount('500.00'),
      await byAmount('-2.50'),
    ]
    const { body: looked } = await bank.admin.get(`/operator/cases/${(await caseOf(entry.id)).id}`)
    assert.deepEqual([looked.allowed_decisions, looked.subject.id], [['match', 'offset', 'fund', 'write_off'], entry.id])
    assert.deepEqual([looked.subject.entry.amount, looked.subject.payment], ['-17.00', null])
    const named = (await bank.admin.get(`/operator/cases/${(await caseOf(wrong.id)).id}`)).body.subject.entry
    assert.deepEqual([named.tx_id, named.amount], ['wrong', '-5.00'], 'the case shows the references of the entry')
    const refused = async (broken: Loose, decision: string, details: object | undefined, message: RegExp) => {
      const answer = await decide(broken, decision, details)
      assert.equal(answer.status, 422, answer.text)
      assert.match(answer.problem.detail, message)
    }
    await refused(entry, 'match', { venture_id, id: randomUUID() }, /is not a payment over this nostro/)
    await refused(entry, 'match', { venture_id, id: spare.id }, /changes the nostro by -18.00 EUR, but the break is about -17.00 EUR/)
    await refused(entry, 'match', {}, /details.venture_id/)
    await refused(await byAmount('18.00'), 'match', { venture_id, id: spare.id }, /can be decided as write_off, not as match/)
    const open = await pay('17.00', { completed: false, state: 'SENT' })
    await refused(entry, 'match', { venture_id, id: open.id }, /is not booked/)
    await decided(entry, 'match', { venture_id, id: paid.id })
    assert.deepEqual(await nostro.breaks('MATCHED'), ['MISSING 17.00', 'UNKNOWN -17.00'])
    assert.equal((await decide(entry, 'match', { venture_id, id: paid.id })).problem.code, 'case_decided')
    await refused(wrong, 'match', { venture_id, id: paid.id }, /is already on a statement/)
    // The settlement bank corrects its mistake.
    await nostro.apply([{ amount: '5.00' }], tomorrow)
    await refused(wrong, 'offset', { break_id: randomUUID() }, /is not a break about an entry of this nostro/)
    await refused(wrong, 'offset', { break_id: wrong.id }, /is not a break about an entry of this nostro/)
    await refused(wrong, 'offset', { break_id: funds.id }, /has the difference 500.00, but this one has -5.00/)
    await refused(wrong, 'offset', { break_id: entry.id }, /is MATCHED/)
    const correction = await byAmount('5.00')
    await decided(wrong, 'offset', { break_id: correction.id })
    assert.deepEqual(await nostro.breaks('OFFSET'), ['UNKNOWN -5.00', 'UNKNOWN 5.00'])
    assert.equal((await caseOf(correction.id)).state, 'DECIDED')
    await decided(funds, 'fund')
    await decided(fee, 'write_off')
    const missing = await byAmount('18.00')
    await decided(missing, 'write_off')
    assert.deepEqual(await nostro.breaks(), [])
    const { rows } = await bank.owner.query(
      "select system_account, sum(amount)::text from entries where cause_kind = 'break' and cause_id = any($1) group by system_account order by 1",
      [[fee.id, missing.id]],
    )
    assert.deepEqual(
      rows.map(({ system_account, sum }) => [system_account, sum]),
      [
        ['adjustments:EUR', '15.50'],
        ['settlement:INST:EUR', '2.50'],
        ['settlement:SEPA:EUR', '-18.00'],
      ],
    )
    for (const [date, prefunding] of [
      [today, '1500.00'],
      [tomorrow, '1500.00'],
    ]) {
      const figures = await nostro.figures(date)
      assert.deepEqual([figures.prefunding, figures.difference], [prefunding, '0.00'])
    }
    assert.deepEqual((await nostro.entries('RESOLVED')).map(({ amount }) => amount).sort(), ['-2.50', '-5.00', '5.00', '500.00'])
  }),
)

test(
  'a returned payment is found by its own message and by the payment that it gives back',
  inBank(async () => {
    const nostro = await openNostro()
    const [one, two] = [await pay('60.00'), await pay('61.00')]
    const returned = async ({ id }: Payment, tx_id: string) => {
      const report = { sender: 'COBADEFF', kind: 'pacs.004', tx_id, venture_id, transfer_id: id }
      assert.equal((await bank.admin.post('/operator/returned-payments', report)).status, 201)
    }
    await returned(one, `R${one.tx_id.slice(1)}`)
    await returned(two, `R${two.tx_id.slice(1)}`)
    await nostro.apply([
      named(one),
      named(two),
      { amount: '60.00', tx_id: `R${one.tx_id.slice(1)}` },
      { amount: '61.00', tx_id: two.tx_id },
    ])
    assert.deepEqual(await nostro.breaks(), [])
    assert.equal((await nostro.figures()).difference, '0.00')
  }),
)

test(
  'money that no account could take, and its return, are on the nostro of their rail',
  inBank(async () => {
    const nostro = await openNostro()
    const kept = await receive('70.00', { iban: 'FR1420041010050500013M02606' })
    const applied = await receive('71.00', { iban: 'FR1420041010050500013M02606' })
    const { body } = await bank.admin.get(`/operator/cases?resource_id=${kept.id}`)
    assert.equal((await bank.admin.post(`/operator/cases/${body[0].id}/decisions`, { decision: 'return' })).status, 200)
    const { body: other } = await bank.admin.get(`/operator/cases?resource_id=${applied.id}`)
    const details = { venture_id, account_id: account['id'] }
    assert.equal((await bank.admin.post(`/operator/cases/${other[0].id}/decisions`, { decision: 'apply', details })).status, 200)
    await nostro.apply([named(kept), named(applied)])
    assert.equal((await nostro.figures()).difference, '0.00')
    const { rows } = await bank.owner.query('select venture_id from unapplied_payments where id = $1', [kept.id])
    const { tx_id } = await insertSent(bank.owner, {
      venture_id: rows[0].venture_id,
      id: kept.id,
      amount: '70.00',
      date: today,
      kind: 'RETURN',
    })
    const between = await nostro.figures()
    assert.deepEqual([between.in_transit, between.difference], ['-70.00', '0.00'])
    await nostro.apply([{ amount: '-70.00', tx_id }], tomorrow)
    assert.deepEqual(await nostro.breaks(), [])
  }),
)

test(
  'a notification is matched early, counts for nothing, and is replaced by the statement',
  inBank(async () => {
    const nostro = await openNostro()
    const paid = await pay('80.00')
    const entries: NewEntry[] = [
      { ...named(paid), servicer_reference: 'R1' },
      { amount: '7.00', servicer_reference: 'R2' },
      { amount: '8.00' },
    ]
    const notify = () => applyNotification({ database }, randomUUID(), notificationMessage(nostro.account, today, entries))
    assert.deepEqual(await notify(), { outcome: 'APPLIED' })
    assert.deepEqual(await notify(), { outcome: 'IGNORED' })
    assert.deepEqual((await nostro.entries('NOTIFIED')).map(({ amount, matched_by, number }) => [amount, matched_by, number]).sort(), [
      ['-80.00', 'REFERENCE', null],
      ['7.00', null, null],
    ])
    assert.deepEqual(await nostro.breaks(), [])
    await nostro.apply(entries)
    assert.deepEqual(await nostro.entries('NOTIFIED'), [])
    assert.deepEqual(await nostro.breaks(), ['UNKNOWN 7.00', 'UNKNOWN 8.00'])
    // The notification comes late.
    assert.deepEqual(await notify(), { outcome: 'IGNORED' })
    const unknown = await applyNotification({ database }, randomUUID(), notificationMessage('DE00UNKNOWN', today, entries))
    assert.deepEqual([unknown.outcome, 'reason' in unknown && unknown.reason], ['REFUSED', 'nostro_unknown'])
    // A statement's entry takes the payment of one that was only notified.
    const later = await pay('81.00')
    await applyNotification(
      { database },
      randomUUID(),
      notificationMessage(nostro.account, today, [{ ...named(later), servicer_reference: 'R3' }]),
    )
    await nostro.apply([{ ...named(later), servicer_reference: 'R4' }])
    assert.deepEqual(await nostro.breaks(), ['UNKNOWN 7.00', 'UNKNOWN 8.00'])
    const { in_transit, difference } = await nostro.figures()
    assert.deepEqual([in_transit, difference], ['0.00', '0.00'])
  }),
)

test(
  'the same statements give the same books, in one message or in several, repeated or not, with or without ends of days',
  inBank(async () => {
    const outcomes: unknown[] = []
    for (const [index, way] of ['one message', 'several', 'repeated', 'ended'].entries()) {
      if (index > 0) await openWorld()
      const nostro = await openNostro()
      const [one, two, three, four] = [await pay('1.01'), await pay('1.02'), await pay('1.03'), await pay('1.04')]
      const first = nostro.next([named(one), named(one), { amount: '9.00' }])
      const second = nostro.next([named(two), named(three, { amount: '-2.00' })], tomorrow)
      const third = nostro.next([named(four), named(two)], addDays(today, 2))
      const apply = async (...messages: Message<'camt.053.001.08'>[]) => {
        for (const message of messages) assert.notEqual((await applyStatement({ database }, randomUUID(), message)).outcome, 'REFUSED')
      }
      if (way === 'one message') await apply({ ...first, statements: [first, second, third].flatMap(({ statements }) => statements) })
      else if (way === 'several') await apply(first, second, third)
      else if (way === 'repeated') await apply(first, first, second, first, third, second, third)
      else {
        await apply(first)
        await bank.admin.post('/operator/end-of-day', { date: today })
        await apply(second, third)
      }
      const { nostro_id: _nostro, ...figures } = await nostro.figures()
      outcomes.push([await nostro.breaks(), await nostro.breaks('MATCHED'), figures])
    }
    for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0])
    assert.deepEqual((outcomes[0] as unknown[]).slice(0, 2), [
      ['DUPLICATE -1.01', 'DUPLICATE -1.02', 'OTHER_AMOUNT -0.97', 'UNKNOWN 9.00'],
      ['MISSING 1.02', 'MISSING 1.03', 'MISSING 1.04'],
    ])
  }),
)

test(
  'days end by themselves, what was booked since is matched, and a nostro without statements becomes a case',
  inBank(async () => {
    const nostro = await openNostro()
    const yesterday = addDays(today, -1)
    const paid = await pay('90.00', { date: yesterday })
    await bank.owner.query("update rail_payments set updated_at = now() - interval '1 day' where transfer_id = $1", [paid.id])
    await nostro.apply([{ amount: '91.00', tx_id: 'later' }], yesterday)
    const run = async () => {
      let ended = 0
      for await (const count of endDays(database)) ended += count
      return ended
    }
    assert.equal(await run(), 1)
    assert.deepEqual(await nostro.breaks(), ['MISSING 90.00', 'UNKNOWN 91.00'])
    const report = {
      sender: 'COBADEFF',
      kind: 'pacs.008',
      tx_id: 'later',
      iban: account['account_number'],
      amount: '91.00',
      currency: 'EUR',
      rail: 'SEPA',
    }
    assert.equal((await bank.admin.post('/operator/inbound-payments', report)).status, 201)
    assert.equal(await run(), 0)
    assert.deepEqual(await nostro.breaks(), ['MISSING 90.00'])
    const silent = await openNostro(['SDD'])
    await bank.owner.query("update nostros set created_at = now() - interval '10 days' where id = $1", [silent.id])
    await run()
    const { body } = await bank.admin.get(`/operator/cases?resource_id=${silent.id}`)
    assert.deepEqual([body.length, body[0].kind, body[0].state], [1, 'nostro_statement', 'OPEN'])
    const { body: looked } = await bank.admin.get(`/operator/cases/${body[0].id}`)
    assert.deepEqual([looked.subject.id, looked.allowed_decisions], [silent.id, ['close']])
    assert.equal((await bank.admin.post(`/operator/cases/${body[0].id}/decisions`, { decision: 'close' })).status, 200)
  }),
)

test(
  'a day that has not come yet cannot end, and one without a statement says so',
  inBank(async () => {
    const nostro = await openNostro()
    const future = await bank.admin.post('/operator/end-of-day', { date: addDays(today, 3) })
    assert.deepEqual([future.status, future.problem.code, future.problem.errors[0].field], [400, 'invalid_request', 'date'])
    const { body } = await bank.admin.post('/operator/end-of-day', {})
    const mine = body.find(({ nostro_id }: Loose) => nostro_id === nostro.id)
    assert.deepEqual([mine.date, mine.state], [today, 'STATEMENT_MISSING'])
  }),
)
