import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { inflateSync } from 'node:zlib'
import { makeDataFolder } from '../testing/testing.folders.ts'
import { bookHistory } from '../testing/testing.history.ts'
import { openBank } from '../testing/testing.ts'
import { numberOf, pdfOf, printable } from './statements.pdf.ts'
import type { StatementHead, StatementLine } from './statements.schemas.ts'

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
  opening_balance: '1000.00',
  total_credits: '0.00',
  total_debits: '1012.50',
  closing_balance: '-12.50',
  line_count: 1,
  generated_at: '2026-12-01T08:30:00.000Z',
}

const line: StatementLine = {
  id: '0198c6f2-0000-7000-8000-000000000001',
  transfer_id: null,
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
  counterparty_bic: null,
  purpose: 'Łódź',
  structured_reference: null,
}

const statement = (lines: StatementLine[], changes: Partial<StatementHead> = {}) => ({
  head: { ...head, line_count: lines.length, ...changes },
  managed: false,
  async *pages() {
    yield lines
  },
})

const times = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

/** The information dictionary of a PDF. Its texts are objects of their own. */
function informationIn(pdf: Buffer, name: string): string {
  const text = pdf.toString('latin1')
  const [, number = ''] = new RegExp(`/${name} (\\d+) 0 R`).exec(text) ?? []
  const [, value = ''] = new RegExp(`\\n${number} 0 obj\\n\\((.*)\\)\\n`).exec(text) ?? []
  return value
}

test("a PDF is tagged, says its language, and has the bank's name in its information", async () => {
  const pdf = await pdfOf(statement([line]))
  const text = pdf.toString('latin1')
  assert.ok(text.startsWith('%PDF-1.7') && text.trimEnd().endsWith('%%EOF'))
  assert.equal(informationIn(pdf, 'Author'), 'Bank of Vilnius')
  assert.equal(informationIn(pdf, 'Title'), 'Account statement LT601010012345678901, 1 Nov 2026 to 30 Nov 2026')
  assert.match(text, /\/MarkInfo \d+ 0 R|\/MarkInfo <</)
  assert.match(text, /\/StructTreeRoot \d+ 0 R/)
  assert.match(text, /\/Lang \(en\)/)
  assert.match(text, /\/DisplayDocTitle true/)
  assert.match(text, /pdfuaid:part>1</)
  // Column titles, opening balance, the line and the closing balance.
  assert.equal(times(text, /\/S \/TR\b/g), 4)
  assert.equal(times(text, /\/S \/TH\b/g), 5)
  assert.equal(times(text, /\/Scope \/Column/g), 5)
  assert.equal(times(text, /\/S \/TD\b/g), 15)
  assert.equal(times(text, /\/FontFile2 /g), 2)
})

test('lines that do not fit go to the next page, and every page has its number and the name of the bank', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => ({ ...line, unique_reference: `INV-${index}` }))
  const pdf = await pdfOf(statement(lines))
  const text = pdf.toString('latin1')
  const pages = times(text, /\/Type \/Page\b/g)
  assert.ok(pages >= 10 && pages <= 40, `${pages} pages`)
  // One at the top and one at the bottom of each page, and the rules between the rows.
  const artifacts = contentsOf(pdf).map((content) => times(content, /\/Artifact <<[^>]*\/Type \/Pagination/g))
  assert.equal(artifacts.length, pages)
  assert.deepEqual(artifacts, [2, ...Array.from({ length: pages - 1 }, () => 3)])
})

/** The decompressed contents of the pages. */
function contentsOf(pdf: Buffer): string[] {
  const found: string[] = []
  for (let at = pdf.indexOf('stream\n'); at !== -1; at = pdf.indexOf('stream\n', at + 1)) {
    if (pdf.subarray(at - 3, at).toString('latin1') === 'end') continue
    const bytes = pdf.subarray(at + 7, pdf.indexOf('\nendstream', at))
    const content = bytes[0] === 0x78 ? inflateSync(bytes).toString('latin1') : ''
    if (content.includes('BDC') && content.includes(' Tf')) found.push(content)
  }
  return found
}

test('long names, huge amounts, other scripts and an empty statement can be printed', async () => {
  const long = 'W'.repeat(140)
  const hard = { ...line, counterparty_name: long, purpose: 'x'.repeat(140), unique_reference: 'R'.repeat(128) }
  const huge = { amount: '-9999999999999999.99', balance: '-9999999999999999999.99' }
  const names = { holder_name: long, account_name: long, bank_name: long, closing_balance: huge.balance, opening_balance: huge.balance }
  const pdf = await pdfOf(
    statement(
      [
        { ...hard, ...huge },
        { ...hard, counterparty_name: '山田 محمد 🙂', counterparty_iban: null },
      ],
      names,
    ),
  )
  assert.ok(times(pdf.toString('latin1'), /\/Type \/Page\b/g) <= 2)
  const empty = await pdfOf(statement([], { currency: 'JPY', opening_balance: '0', total_debits: '0', closing_balance: '0' }))
  assert.equal(times(empty.toString('latin1'), /\/S \/TR\b/g), 3)
})

test('numbers keep all their digits', () => {
  assert.equal(numberOf('0'), '0')
  assert.equal(numberOf('-0.05'), '\u22120.05')
  assert.equal(numberOf('999.999'), '999.999')
  assert.equal(numberOf('1000'), '1,000')
  assert.equal(numberOf('-9999999999999999.99'), '\u22129,999,999,999,999,999.99')
})

test('what the font does not have becomes a replacement character', () => {
  const ascii = { hasGlyphForCodePoint: (point: number) => point < 128 }
  assert.equal(printable('Ab 山🙂', ascii), 'Ab \uFFFD\uFFFD')
})

const run = promisify(execFile)
const reader = await run('pdftotext', ['-v']).then(
  () => true,
  () => false,
)

test('the text can be copied and searched', { skip: reader ? false : 'pdftotext is not installed' }, async () => {
  const folder = makeDataFolder('pdf')
  const file = join(folder, 'statement.pdf')
  await writeFile(file, await pdfOf(statement([line])))
  const { stdout } = await run('pdftotext', ['-layout', file, '-'])
  for (const part of [
    'Bank of Vilnius',
    'Zoë Παπαδοπούλου',
    'LT60 1010 0123 4567 8901',
    '1 Nov 2026 to 30 Nov 2026',
    'Владимир Щукин',
    'DE89 3704 0044 0532 0130 00',
    'Łódź',
    'Reference INV-1',
    'Including a fee of 2.50',
    '1,092.30 USD at a rate of 1.0815',
    'Value date 6 Nov 2026',
    'The account is overdrawn by 12.50 EUR.',
    'Page 1 of 1',
  ]) {
    assert.ok(stdout.includes(part), `${part} is missing:\n${stdout}`)
  }
  assert.match(stdout, /5 Nov 2026 +Владимир Щукин +1,012\.50 +\u221212\.50/)
  assert.doesNotMatch(stdout, /had not ended/)
})

test('the service sends a statement as PDF', async () => {
  const bank = await openBank()
  const venture = await bank.registerVenture()
  const account = await venture.openAccount()
  await bookHistory(bank, { venture, id: account.id, currency: 'EUR' }, [{ at: '2026-05-01T10:00:00.000Z', amount: 10_000n }])
  const query = 'from=2026-05-01&to=2026-05-31&format=pdf'
  const answers = await Promise.all([1, 2, 3].map(() => venture.get(`/accounts/${account.id}/statements?${query}`)))
  for (const { status, headers, text } of answers) {
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/pdf')
    assert.equal(headers['content-disposition'], `attachment; filename="statement-${account.account_number}-2026-05-01-2026-05-31.pdf"`)
    assert.ok(text.startsWith('%PDF-1.7') && text.includes('%%EOF'))
  }
})
