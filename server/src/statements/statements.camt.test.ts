// Statements as camt.053: valid, exact, and consistent with the other formats.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { MessageFault, MessageReader, type Statement as ReadStatement } from '../iso20022/iso20022.ts'
import { bookHistory } from '../testing/testing.history.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { sending, walk } from '../testing/testing.walks.ts'
import { addDays, todayUtc } from '../values/calendar.ts'
import { formatMoney, fromNumeric } from '../values/money.ts'
import { camtOf } from './statements.camt.ts'
import type { StatementHead, StatementLine } from './statements.schemas.ts'
import { mostLines } from './statements.ts'

const reader = new MessageReader()
after(() => reader.close())

const head: StatementHead = {
  account_id: '0198c6f2-0000-7000-8000-000000000000',
  account_name: 'Main account',
  account_number: 'LT601010012345678901',
  currency: 'EUR',
  holder_name: 'Zoë Παπαδοπούλου',
  bank_name: 'Bank of Vilnius',
  bank_bic: 'VOSTLT21XXX',
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-11-30T23:59:59.999Z',
  generated_at: '2026-12-01T08:30:00.000Z',
  opening_balance: '1000.00',
  total_credits: '0.00',
  total_debits: '1012.50',
  closing_balance: '-12.50',
  line_count: 1,
}

const line: StatementLine = {
  id: '0198c6f2-0000-7000-8000-000000000001',
  transfer_id: '0198c6f2-0000-7000-8000-000000000002',
  booked_at: '2026-11-05T10:00:00.000Z',
  booking_date: '2026-11-05',
  value_date: '2026-11-06',
  amount: '-1012.50',
  balance: '-12.50',
  fee_amount: '2.50',
  exchanged_amount: '1092.30',
  exchanged_currency: 'USD',
  exchange_rate: '1.0815',
  method: 'SEPA',
  transfer_type: 'PAYMENT',
  unique_reference: 'INV-1',
  counterparty_name: 'Владимир Щукин',
  counterparty_iban: 'DE89370400440532013000',
  counterparty_account_id: null,
  counterparty_bic: 'COBADEFF',
  purpose: 'Łódź <&> "rent"',
  structured_reference: 'RF18539007547034',
} as StatementLine

const statementOf = (lines: StatementLine[], changes: Partial<StatementHead> = {}) => ({
  head: { ...head, line_count: lines.length, ...changes },
  managed: false,
  async *pages() {
    yield lines
  },
})

/** A statement that adds up. */
function balanced(lines: StatementLine[]) {
  const sum = lines.reduce((balance, { amount }) => balance + fromNumeric(amount), fromNumeric(head.opening_balance))
  return statementOf(lines, { closing_balance: formatMoney(sum, 'EUR') })
}

async function readBack(bytes: Uint8Array): Promise<ReadStatement> {
  const { type, message } = await reader.read(bytes)
  assert.equal(type, 'camt.053.001.08')
  const [statement] = (message as { statements: readonly ReadStatement[] }).statements
  return statement ?? assert.fail('no statement')
}

test('a statement is valid and says everything', async () => {
  const read = await readBack(await camtOf(statementOf([line])))
  assert.deepEqual(read, {
    statement_id: '20261101000000000-20261130235959999',
    created_at: head.generated_at,
    from_time: head.from,
    to_time: head.to,
    account: { iban: head.account_number, currency: 'EUR', name: 'Main account', owner: 'Zoë Παπαδοπούλου', bic: 'VOSTLT21XXX' },
    balances: [
      { type: 'OPBD', amount: fromNumeric('1000.00'), currency: 'EUR', date: '2026-11-01' },
      { type: 'CLBD', amount: fromNumeric('-12.50'), currency: 'EUR', date: '2026-11-30' },
    ],
    entries: [
      {
        entry_id: '0198c6f2000070008000000000000001',
        amount: fromNumeric('-1012.50'),
        currency: 'EUR',
        status: 'BOOK',
        booked_on: '2026-11-05',
        value_on: '2026-11-06',
        servicer_reference: '0198c6f2000070008000000000000002',
        domain: 'PMNT',
        family: 'ICDT',
        subfamily: 'ESCT',
        details: [
          {
            transactions: [
              {
                end_to_end_id: 'INV-1',
                tx_id: '0198c6f2000070008000000000000002',
                amount: fromNumeric('1012.50'),
                currency: 'EUR',
                direction: 'DBIT',
                debtor_iban: head.account_number,
                creditor: { name: 'Владимир Щукин' },
                creditor_iban: 'DE89370400440532013000',
                creditor_bic: 'COBADEFF',
                remittance: ['Łódź <&> "rent"'],
                references: [{ type: 'SCOR', issuer: 'ISO', reference: 'RF18539007547034' }],
              },
            ],
          },
        ],
        information: 'Fee 2.50 EUR. Exchanged 1092.30 USD at 1.0815',
      },
    ],
  })
})

test('a statement that does not add up is not written', async () => {
  await assert.rejects(camtOf(statementOf([line], { closing_balance: '-12.49' })), (error) => {
    return error instanceof MessageFault && error.reason === 'balances_differ'
  })
})

test('each kind of line has its code', async () => {
  const rows: [Partial<StatementLine>, string][] = [
    [{ method: 'SEPA', amount: '1.00' }, 'PMNT RCDT ESCT'],
    [{ method: 'INST', amount: '1.00' }, 'PMNT RRCT ESCT'],
    [{ method: 'INST', amount: '-1.00' }, 'PMNT IRCT ESCT'],
    [{ method: 'SWIFT', amount: '-1.00' }, 'PMNT ICDT XBCT'],
    [{ method: 'DOMESTIC', amount: '1.00' }, 'PMNT RCDT DMCT'],
    [{ method: 'SDD', amount: '1.00' }, 'PMNT IDDT ESDD'],
    [{ method: 'SDD', amount: '-1.00' }, 'PMNT RDDT ESDD'],
    [{ method: 'SDD', amount: '-1.00', transfer_type: 'PAYMENT_RETURN' }, 'PMNT IDDT UPDD'],
    [{ method: 'SDD', amount: '1.00', transfer_type: 'PAYMENT_RETURN' }, 'PMNT RDDT UPDD'],
    [{ method: 'SEPA', amount: '1.00', transfer_type: 'PAYMENT_RETURN' }, 'PMNT ICDT RRTN'],
    [{ method: 'SEPA', amount: '-1.00', transfer_type: 'PAYMENT_RETURN' }, 'PMNT RCDT RRTN'],
    [{ method: 'INTERNAL', amount: '-1.00' }, 'PMNT ICDT BOOK'],
    [{ method: 'CARD', amount: '-1.00', transfer_type: 'CARD_CLEARING' }, 'PMNT CCRD POSD'],
    [{ method: 'CARD', amount: '1.00' }, 'PMNT MCRD POSP'],
    [{ method: 'SEPA', amount: '-1.00', transfer_type: 'FEE' }, 'ACMT MDOP CHRG'],
    [{ method: 'SEPA', amount: '1.00', transfer_type: 'FEE_CANCELLATION' }, 'ACMT MCOP CHRG'],
    [{ method: 'SEPA', amount: '-1.00', transfer_type: 'ADJUSTMENT' }, 'ACMT MDOP ADJT'],
    [{ method: 'SEPA', amount: '1.00', transfer_type: 'CCY_EXCHANGE' }, 'FORX SPOT OTHR'],
    [{ method: null, transfer_type: null, transfer_id: null, amount: '1.00' }, 'PMNT OTHR OTHR'],
  ]
  const { entries } = await readBack(await camtOf(balanced(rows.map(([changes]) => ({ ...line, ...changes })))))
  assert.deepEqual(
    entries.map(({ domain, family, subfamily }) => `${domain} ${family} ${subfamily}`),
    rows.map(([, code]) => code),
  )
})

test('whatever texts a line has, the message is valid and its amounts are exact', async () => {
  const text = fc.option(fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }))
  const anyLine = fc.record({
    counterparty_name: text,
    counterparty_iban: text,
    counterparty_account_id: text,
    counterparty_bic: text,
    purpose: text,
    structured_reference: text,
    unique_reference: text,
    amount: fc.bigInt(-(10n ** 13n), 10n ** 13n).map((amount) => formatMoney(amount * 100n, 'EUR')),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(anyLine, { maxLength: 5 }), async (changes) => {
      const statement = balanced(changes.map((one) => ({ ...line, ...one })))
      const bytes = await camtOf(statement).catch((error: Error) => assert.fail(error.message))
      const { entries, balances } = await readBack(bytes)
      assert.deepEqual(
        entries.map(({ amount }) => amount),
        changes.map(({ amount }) => fromNumeric(amount)),
      )
      assert.equal(balances[1]?.amount, fromNumeric(statement.head.closing_balance))
    }),
    { numRuns: 100 },
  )
})

test('over HTTP it is a file, says what the JSON says, and has a largest number of lines', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '100.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const sent = await venture.createTransfer({
    account_id: account.id,
    beneficiary_id: beneficiary.id,
    debit_amount: '30.00',
    purpose: 'Rent',
  })
  await walk(venture, sent, `${sending} COMPLETED`)
  const today = todayUtc(new Date())
  const path = `/accounts/${account.id}/statements?from=${addDays(today, -1)}&to=${addDays(today, 1)}`
  const { body: json } = await venture.get(path)
  const { status, headers, text } = await venture.get(`${path}&format=camt053`)
  assert.deepEqual([status, headers['content-type']], [200, 'application/xml'])
  assert.match(String(headers['content-disposition']), /^attachment; filename="statement-\w+-[\d-]+\.xml"$/)
  const read = await readBack(Buffer.from(text))
  assert.deepEqual(
    read.entries.map(({ entry_id, amount }) => [entry_id, formatMoney(amount, 'EUR')]),
    json.lines.map(({ id, amount }: Loose) => [id.replaceAll('-', ''), amount]),
  )
  assert.equal(read.entries.length, 2)
  // The interval has not ended, so the closing balance is today's.
  assert.deepEqual(read.balances[1], {
    type: 'CLBD',
    amount: fromNumeric(json.closing_balance),
    currency: 'EUR',
    date: json.generated_at.slice(0, 10),
  })

  const many = await venture.openAccount()
  const bookings = Array.from({ length: mostLines.camt053 + 1 }, (_, index) => {
    return { at: new Date(Date.parse('2026-06-01T00:00:00Z') + index * 1000).toISOString(), amount: fromNumeric('0.01') }
  })
  await bookHistory(bank, { venture, id: many.id, currency: 'EUR' }, bookings)
  const long = `/accounts/${many.id}/statements?format=camt053&from=2026-06-01T00:00:00Z&to=`
  const refused = await venture.get(`${long}2026-06-02`)
  assert.deepEqual(
    [refused.status, refused.problem?.code, refused.problem.largest_line_count],
    [422, 'statement_too_long', mostLines.camt053],
  )
  const whole = await venture.get(`${long}${bookings.at(-2)?.at}`)
  assert.equal((await readBack(Buffer.from(whole.text))).entries.length, mostLines.camt053)
})
