import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Booking, bookHistory } from '../testing/testing.history.ts'
import { type Answer, type Loose, openBank } from '../testing/testing.ts'
import { screening, sending, walk } from '../testing/testing.walks.ts'
import { addDays, todayUtc } from '../values/calendar.ts'
import { formatMoney, fromNumeric, type Money } from '../values/money.ts'
import { harmless } from './statements.csv.ts'
import { StatementHead, StatementLine } from './statements.schemas.ts'
import { linesPerPage, mostLines, readStatement } from './statements.ts'

const bank = await openBank()
const venture = await bank.registerVenture()
const statements = { database: bank.database, bank: bank.config.bank }

const today = () => todayUtc(new Date())
/** An interval that contains today, even if midnight passes during the test. */
const aroundToday = () => `from=${addDays(today(), -1)}&to=${addDays(today(), 1)}`

async function openHistory(bookings: readonly Booking[], currency = 'EUR') {
  const account = await venture.openAccount({ currency })
  const history = { venture, id: account.id as string, currency }
  await bookHistory(bank, history, bookings)
  return { ...history, account_number: account.account_number as string }
}

const euros = (text: string): Money => fromNumeric(text)

async function statementOf({ id }: { id: string }, query: string): Promise<Loose> {
  const answer = await venture.get(`/accounts/${id}/statements?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

function assertNames(answer: Answer, field: string, hint: string): void {
  assert.equal(answer.status, 400, `${hint}: ${answer.text}`)
  assert.equal(answer.problem.code, 'invalid_request')
  assert.ok(
    answer.problem.errors.some((error: { field: string }) => error.field === field),
    `${hint}: ${answer.text}`,
  )
}

test('a statement has the lines of the account with counterparty, reference and balance', async () => {
  const client = await venture.registerClient({ kyc_level: 'NOT_REQUIRED', first_name: 'Ελένη', last_name: 'Щукин' })
  const account = await venture.openAccount({ client_id: client.id, balance: '100.00', account_name: 'Savings for a boat' })
  const beneficiary = await venture.addBeneficiary(client.id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '30.00', purpose: 'Rent' }
  const sent = await venture.createTransfer({ ...order, structured_reference: 'RF18539007547034', settlement_date: addDays(today(), 5) })
  await walk(venture, sent, `${sending} COMPLETED`)
  const sibling = await venture.openAccount({ client_id: client.id })
  const own = await venture.addBeneficiary(client.id, { iban: sibling.account_number })
  const internal = await venture.createTransfer({ ...order, beneficiary_id: own.id, debit_amount: '7.50', purpose: null })
  await walk(venture, internal, `RESERVED ${screening} COMPLETED`)

  const before = new Date().toISOString()
  const { lines, ...head } = await statementOf(account, aroundToday())
  assert.deepEqual(Object.keys(head), Object.keys(StatementHead.properties))
  assert.ok(head.generated_at >= before && head.generated_at <= new Date().toISOString())
  assert.deepEqual(head, {
    account_id: account.id,
    account_name: 'Savings for a boat',
    account_number: account.account_number,
    currency: 'EUR',
    holder_name: 'Ελένη Щукин',
    bank_name: bank.config.bank.name,
    bank_bic: bank.config.bank.bic,
    from: `${addDays(before.slice(0, 10), -1)}T00:00:00.000Z`,
    to: `${addDays(before.slice(0, 10), 1)}T23:59:59.999Z`,
    opening_balance: '0.00',
    total_credits: '100.00',
    total_debits: '37.50',
    closing_balance: '62.50',
    line_count: 3,
    generated_at: head.generated_at,
  })
  const { body: entries } = await venture.get(`/accounts/${account.id}/entries`)
  assert.deepEqual(
    lines.map(({ id, transfer_id, amount, balance }: Loose) => ({ id, transfer_id, amount, balance })),
    entries.toReversed().map(({ id, transfer_id, amount, balance }: Loose) => ({ id, transfer_id, amount, balance })),
  )
  // A line of a transfer without details shows none.
  for (const line of lines) assert.deepEqual(Object.keys(line), StatementLine.required)
  const [, paid, moved] = lines
  const { id, booked_at, ...rest } = paid
  assert.match(id, /-7/)
  assert.deepEqual(rest, {
    transfer_id: sent.id,
    booking_date: booked_at.slice(0, 10),
    value_date: sent.settlement_date,
    amount: '-30.00',
    balance: '70.00',
    fee_amount: null,
    exchanged_amount: null,
    exchanged_currency: null,
    exchange_rate: null,
    method: 'SEPA',
    transfer_type: 'PAYMENT',
    unique_reference: sent.unique_reference,
    counterparty_name: 'Charles Babbage',
    counterparty_iban: 'DE89370400440532013000',
    counterparty_account_id: null,
    counterparty_bic: sent.cr_bank_bic,
    purpose: 'Rent',
    structured_reference: 'RF18539007547034',
  })
  assert.deepEqual([moved.counterparty_iban, moved.purpose, moved.transfer_id], [sibling.account_number, null, internal.id])

  // The receiver of an internal transfer sees who paid.
  const other = await statementOf(sibling, aroundToday())
  assert.deepEqual(
    other.lines.map((line: Loose) => [line.amount, line.counterparty_name, line.counterparty_iban, line.fee_amount]),
    [['7.50', 'Ελένη Щукин', account.account_number, null]],
  )
})

test('an exchange is shown with the other amount, the rate and the fee that the account paid', async () => {
  const account = await venture.openAccount({ balance: '100.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const sent = await venture.createTransfer({
    account_id: account.id,
    beneficiary_id: beneficiary.id,
    method: 'SWIFT',
    debit_amount: '20.00',
    debit_currency: 'EUR',
    credit_amount: '22.00',
    credit_currency: 'USD',
    exchange_rate: '1.1',
    fx_fee_amount: '1.25',
  })
  await walk(venture, sent, `${sending} COMPLETED`)
  const { lines, total_debits } = await statementOf(account, aroundToday())
  assert.deepEqual([total_debits, lines[1].amount, lines[1].fee_amount], ['21.25', '-21.25', '1.25'])
  const { exchanged_amount, exchanged_currency, exchange_rate } = lines[1]
  assert.deepEqual([exchanged_amount, exchanged_currency, exchange_rate], ['22.00', 'USD', '1.1'])
})

const lastDay = '2026-12-31'
const someDays = fc.integer({ min: 0, max: 700 }).map((days) => addDays(lastDay, -days))
const someTime = fc
  .tuple(someDays, fc.constantFrom('00:00:00.000', '00:00:00.001', '12:30:15.250', '23:59:59.999'))
  .map(([date, time]) => `${date}T${time}Z`)
const someBooking = fc.record({ at: someTime, amount: fc.integer({ min: -500_000, max: 500_000 }).filter((cents) => cents !== 0) })

test('closing is opening plus the lines for any interval, adjacent statements join, and balances say the same', async () => {
  let joined = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(someBooking, { maxLength: 25 }),
      fc.array(fc.oneof(someTime, someDays), { minLength: 3, maxLength: 3 }),
      async (drawn, cuts) => {
        const bookings = drawn.map(({ at, amount }) => ({ at, amount: BigInt(amount) * 100n }))
        const account = await openHistory(bookings)
        const [first = '', second = '', third = ''] = cuts.toSorted()
        const sumBefore = (end: string) => bookings.filter(({ at }) => at < end).reduce((sum, { amount }) => sum + amount, 0n)
        const check = async (from: string, to: string, start: string, end: string) => {
          const { lines, ...head } = await statementOf(account, `from=${from}&to=${to}`)
          assert.equal(head.opening_balance, formatMoney(sumBefore(start), 'EUR'))
          assert.equal(head.closing_balance, formatMoney(sumBefore(end), 'EUR'))
          const expected = bookings.filter(({ at }) => at >= start && at < end)
          assert.deepEqual(
            lines.map(({ booked_at, amount }: Loose) => `${booked_at} ${amount}`).sort(),
            expected.map(({ at, amount }) => `${at} ${formatMoney(amount, 'EUR')}`).sort(),
          )
          assert.deepEqual(
            lines.map(({ booked_at }: Loose) => booked_at),
            lines.map(({ booked_at }: Loose) => booked_at).toSorted(),
          )
          let balance = euros(head.opening_balance)
          for (const line of lines) {
            balance += euros(line.amount)
            assert.equal(line.balance, formatMoney(balance, 'EUR'))
            assert.equal(line.booking_date, line.booked_at.slice(0, 10))
          }
          assert.equal(formatMoney(balance, 'EUR'), head.closing_balance)
          assert.equal(euros(head.total_credits) - euros(head.total_debits), balance - euros(head.opening_balance))
          assert.equal(head.line_count, lines.length)
          return head
        }
        const startOf = (text: string) => (text.includes('T') ? text : `${text}T00:00:00.000Z`)
        const justBefore = (time: string) => new Date(Date.parse(time) - 1).toISOString()
        const [one, two, three] = [startOf(first), startOf(second), startOf(third)].toSorted() as [string, string, string]
        const days = (a: string, b: string) => (Date.parse(b) - Date.parse(a)) / 86_400_000
        if (one < two && two < three && days(one, two) <= 366 && days(two, three) <= 366) {
          const earlier = await check(one, justBefore(two), one, two)
          const later = await check(two, justBefore(three), two, three)
          assert.equal(earlier.closing_balance, later.opening_balance)
          joined++
        }
        // A day is a day in UTC, from its first to its last millisecond.
        const day = one.slice(0, 10)
        const ofDay = await check(day, day, `${day}T00:00:00.000Z`, `${addDays(day, 1)}T00:00:00.000Z`)
        assert.deepEqual([ofDay.from, ofDay.to], [`${day}T00:00:00.000Z`, `${day}T23:59:59.999Z`])

        // Only until yesterday, so that every step has begun.
        for (const step of ['day', 'week', 'month']) {
          const [from, to] = [addDays(day, -40), day < addDays(today(), -1) ? day : addDays(today(), -1)]
          if (from > to) continue
          const { body: points } = await venture.get(`/accounts/${account.id}/balances?from=${from}&to=${to}&step=${step}`)
          assert.equal(points[0].from, from)
          assert.equal(points.at(-1).to, to)
          let next = from
          for (const point of points) {
            assert.equal(point.from, next)
            next = addDays(point.to, 1)
            assert.equal(point.opening_balance, formatMoney(sumBefore(`${point.from}T`), 'EUR'))
            assert.equal(point.closing_balance, formatMoney(sumBefore(`${next}T`), 'EUR'))
            assert.equal(
              euros(point.opening_balance) + euros(point.total_credits) - euros(point.total_debits),
              euros(point.closing_balance),
            )
          }
          if (step === 'day') assert.equal(points.length, Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1)
        }
      },
    ),
    { numRuns: 30 },
  )
  assert.ok(joined > 0)
})

test('statements count days in UTC, whatever offset a time has', async () => {
  const account = await openHistory([
    { at: '2026-02-28T23:59:59.999Z', amount: euros('1.00') },
    { at: '2026-03-01T00:00:00.000Z', amount: euros('2.00') },
    { at: '2026-03-01T00:59:59.999Z', amount: euros('4.00') },
    { at: '2026-03-01T01:00:00.000Z', amount: euros('8.00') },
  ])
  const amounts = async (query: string) => (await statementOf(account, query)).lines.map(({ amount }: Loose) => amount)
  assert.deepEqual(await amounts('from=2026-02-28&to=2026-02-28'), ['1.00'])
  assert.deepEqual(await amounts('from=2026-03-01&to=2026-03-01'), ['2.00', '4.00', '8.00'])
  // 01:59:59.999 in Vilnius is 23:59:59.999 in UTC.
  assert.deepEqual(await amounts('from=2026-02-28&to=2026-03-01T01:59:59.999%2B02:00'), ['1.00'])
  assert.deepEqual(await amounts('from=2026-03-01T02:00:00%2B02:00&to=2026-03-01T02:59:59.999%2B02:00'), ['2.00', '4.00'])
})

test('currencies without decimals, with three of them, and debt', async () => {
  const yen = await openHistory([{ at: '2026-05-01T10:00:00.000Z', amount: euros('1500') }], 'JPY')
  const { lines: inYen, ...headInYen } = await statementOf(yen, 'from=2026-05-01&to=2026-05-31')
  assert.deepEqual([headInYen.opening_balance, headInYen.closing_balance, inYen[0].amount], ['0', '1500', '1500'])
  const dinars = await openHistory([{ at: '2026-05-01T10:00:00.000Z', amount: euros('1.125') }], 'KWD')
  const { body: points } = await venture.get(`/accounts/${dinars.id}/balances?from=2026-05-01&to=2026-05-01`)
  assert.deepEqual(points, [
    {
      from: '2026-05-01',
      to: '2026-05-01',
      opening_balance: '0.000',
      total_credits: '1.125',
      total_debits: '0.000',
      closing_balance: '1.125',
    },
  ])
  const inDebt = await openHistory([
    { at: '2026-05-01T10:00:00.000Z', amount: euros('10') },
    { at: '2026-05-02T10:00:00.000Z', amount: euros('-12.5') },
  ])
  const { lines, closing_balance } = await statementOf(inDebt, 'from=2026-05-02&to=2026-05-02')
  assert.deepEqual([closing_balance, lines[0].balance], ['-2.50', '-2.50'])
})

test('an interval that cannot be answered is refused, and so is a foreign account', async () => {
  const account = await openHistory([])
  const path = `/accounts/${account.id}`
  const good = 'from=2026-01-01&to=2026-01-31'
  for (const [query, field] of [
    ['', 'from'],
    ['from=2026-01-01', 'to'],
    ['from=2026-02-30&to=2026-03-01', 'from'],
    ['from=2026-01-01&to=2026-13-01', 'to'],
    ['from=yesterday&to=2026-01-01', 'from'],
    ['from=2026-01-01T10:00:00&to=2026-01-01', 'from'],
    ['from=2026-01-02&to=2026-01-01', 'from'],
    ['from=2026-01-01T10:00:00Z&to=2026-01-01T09:59:59.999Z', 'from'],
    ['from=2025-01-01&to=2026-01-02', 'to'],
    [`${good}&format=docx`, 'format'],
    [`${good}&limit=5`, 'limit'],
  ] as const) {
    assertNames(await venture.get(`${path}/statements?${query}`), field, query)
  }
  // A leap year, and one moment.
  assert.equal((await venture.get(`${path}/statements?from=2024-01-01&to=2024-12-31`)).status, 200)
  assert.equal((await venture.get(`${path}/statements?from=2026-01-01T10:00:00Z&to=2026-01-01T10:00:00Z`)).status, 200)
  for (const [query, field] of [
    ['', 'from'],
    ['from=2026-02-30&to=2026-03-01', 'from'],
    ['from=2026-01-01T10:00:00Z&to=2026-03-01', 'from'],
    ['from=2026-01-02&to=2026-01-01', 'from'],
    ['from=2020-01-01&to=2026-01-01', 'to'],
    ['from=0001-01-01&to=9999-12-31&step=month', 'to'],
    [`${good}&step=hour`, 'step'],
  ] as const) {
    assertNames(await venture.get(`${path}/balances?${query}`), field, query)
  }
  const other = await bank.registerVenture()
  for (const what of ['statements', 'balances']) {
    const unknown = await venture.get(`/accounts/${randomUUID()}/${what}?${good}`)
    assert.deepEqual([unknown.status, unknown.problem?.code], [404, 'account_not_found'])
    const foreign = await other.get(`${path}/${what}?${good}`)
    assert.deepEqual([foreign.status, foreign.problem?.code], [404, 'account_not_found'])
  }
})

test('balances end today, and an interval in the future has none', async () => {
  const account = await venture.openAccount({ balance: '12.00' })
  const before = today()
  const { body: points } = await venture.get(`/accounts/${account.id}/balances?from=${addDays(before, -1)}&to=9999-12-31`)
  assert.equal(points.at(-1).closing_balance, '12.00')
  assert.ok(points.at(-1).to >= before && points.at(-1).to <= today())
  const future = await venture.get(`/accounts/${account.id}/balances?from=${addDays(before, 2)}&to=9999-12-31`)
  assert.deepEqual([future.status, future.body], [200, []])
})

test('weeks begin on Mondays and months on their first day', async () => {
  const account = await openHistory([])
  const starts = async (query: string) =>
    (await venture.get(`/accounts/${account.id}/balances?${query}`)).body.map(({ from, to }: Loose) => `${from} ${to}`)
  assert.deepEqual(await starts('from=2026-07-01&to=2026-07-14&step=week'), [
    '2026-07-01 2026-07-05',
    '2026-07-06 2026-07-12',
    '2026-07-13 2026-07-14',
  ])
  assert.deepEqual(await starts('from=2024-01-31&to=2024-03-01&step=month'), [
    '2024-01-31 2024-01-31',
    '2024-02-01 2024-02-29',
    '2024-03-01 2024-03-01',
  ])
})

/** The rows of a CSV file, according to RFC 4180. */
function rowsOf(text: string): Record<string, string>[] {
  const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)]
  assert.equal(
    cells.reduce((sum, [cell]) => sum + cell.length, 0),
    text.length,
  )
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of cells) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === '\r\n') rows.push([])
  }
  const [names = [], ...others] = rows.slice(0, -1)
  return others.map((row) => {
    assert.equal(row.length, names.length)
    return Object.fromEntries(row.map((cell, index) => [names[index] ?? '', cell]))
  })
}

test('a CSV file has the same lines, and no cell that a spreadsheet takes for a formula', async () => {
  const account = await venture.openAccount({ balance: '100.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id, { iban: 'DE89370400440532013000', name: '=HYPERLINK("http://x")' })
  for (const purpose of ['@SUM(1,2)', '+49 30 1234', '-5', '=1+1', ' =1+1', '＝1+1', 'plain, "quoted"', 'Ελένη']) {
    const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00', unique_reference: `=${randomUUID()}` }
    const sent = await venture.createTransfer({ ...order, purpose })
    await walk(venture, sent, `${sending} COMPLETED`)
  }
  const answer = await venture.get(`/accounts/${account.id}/statements?${aroundToday()}&format=csv`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
  assert.match(
    answer.headers['content-disposition'] ?? '',
    new RegExp(`^attachment; filename="statement-${account.account_number}-\\d{4}-\\d\\d-\\d\\d-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
  )
  assert.ok(answer.text.startsWith('\uFEFFkind,'))
  const rows = rowsOf(answer.text.slice(1))
  const { lines, opening_balance, closing_balance } = await statementOf(account, aroundToday())
  assert.deepEqual([rows[0]?.['kind'], rows[0]?.['balance']], ['OPENING_BALANCE', opening_balance])
  assert.deepEqual([rows.at(-1)?.['kind'], rows.at(-1)?.['balance']], ['CLOSING_BALANCE', closing_balance])
  assert.equal(rows.length, lines.length + 2)
  lines.forEach((line: Loose, index: number) => {
    const row = rows[index + 1] ?? {}
    assert.deepEqual([row['kind'], row['amount'], row['balance'], row['id']], ['LINE', line.amount, line.balance, line.id])
    assert.equal(row['purpose'], harmless(line.purpose ?? ''))
  })
  const written = rows.flatMap((row) => Object.entries(row).filter(([name]) => name !== 'amount' && name !== 'balance'))
  for (const [name, cell] of written) assert.doesNotMatch(cell, /^\s*[=+\-@＝＋－＠]/, name)
  assert.deepEqual(
    rows.slice(2, -1).map((row) => row['purpose']),
    ["'@SUM(1,2)", "'+49 30 1234", "'-5", "'=1+1", "' =1+1", "'＝1+1", 'plain, "quoted"', 'Ελένη'],
  )
  assert.equal(rows[2]?.['counterparty_name'], `'=HYPERLINK("http://x")`)
  assert.match(rows[2]?.['unique_reference'] ?? '', /^'=/)
})

test('a long statement is sent page by page and still adds up; a PDF may have fewer lines', async () => {
  const count = mostLines.pdf + 1
  const start_ms = Date.parse('2026-06-01T00:00:00Z')
  const account = await openHistory(
    Array.from({ length: count }, (_, index) => ({
      at: new Date(start_ms + index * 1000).toISOString(),
      amount: BigInt(((index * 7919) % 2001) - 1000) * 100n || 100n,
    })),
  )
  const { lines, ...head } = await statementOf(account, 'from=2026-06-01&to=2026-06-30')
  assert.equal(lines.length, count)
  const sum = lines.reduce((sum: Money, { amount }: Loose) => sum + euros(amount), euros(head.opening_balance))
  assert.equal(formatMoney(sum, 'EUR'), head.closing_balance)
  assert.equal(new Set(lines.map(({ id }: Loose) => id)).size, count)
  const csv = await venture.get(`/accounts/${account.id}/statements?from=2026-06-01&to=2026-06-30&format=csv`)
  assert.equal(rowsOf(csv.text.slice(1)).length, count + 2)

  const pdf = await venture.get(`/accounts/${account.id}/statements?from=2026-06-01&to=2026-06-30&format=pdf`)
  assert.deepEqual([pdf.status, pdf.problem?.code], [422, 'statement_too_long'])
  assert.deepEqual([pdf.problem.line_count, pdf.problem.largest_line_count], [count, mostLines.pdf])
  const shorter = await venture.get(`/accounts/${account.id}/statements?from=2026-06-01&to=2026-06-01T00:00:09Z&format=pdf`)
  assert.equal(shorter.status, 200)
})

test('what is booked while a statement is read is not in it', async () => {
  const at = (index: number) => new Date(Date.parse('2026-06-01T00:00:00Z') + index).toISOString()
  const account = await openHistory(Array.from({ length: linesPerPage + 1 }, (_, index) => ({ at: at(index), amount: 100n })))
  const key = { venture_id: venture.venture.id, id: account.id }
  const { head, pages } = await readStatement(statements, key, { from: '2026-06-01', to: '2026-06-01' })
  await bookHistory(bank, account, [{ at: at(linesPerPage + 5), amount: 100n }])
  const lines = (await Array.fromAsync(pages()).catch((error: Error) => assert.fail(error.message))).flat()
  assert.equal(lines.length, linesPerPage + 1)
  assert.equal(lines.at(-1)?.balance, head.closing_balance)
  const again = await readStatement(statements, key, { from: '2026-06-01', to: '2026-06-01' })
  assert.equal(again.head.line_count, linesPerPage + 2)
})
