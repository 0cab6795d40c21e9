// Bugs in statements, balances over time and QR codes for receiving money.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const tests = 'statements/statements.test.ts'
const epc = 'accounts/accounts.epc.test.ts'
const sql = 'statements/statements.sql.ts'
const statements = 'statements/statements.ts'

const adds = 'closing is opening plus the lines for any interval, adjacent statements join, and balances say the same'
const refused = 'an interval that cannot be answered is refused, and so is a foreign account'
const long = 'a long statement is sent page by page and still adds up; a PDF may have fewer lines'

export const statementBugs: readonly Bug[] = [
  {
    name: 'statements-current-as-opening',
    about: 'a statement opens with the current balance, as if nothing had been booked since',
    file: sql,
    find: 'account.current_balance - booked.since as opening',
    replace: 'account.current_balance as opening',
    caughtBy: [{ file: tests, name: adds }],
  },
  {
    name: 'statements-last-day-missing',
    about: 'a statement ends before its last day begins',
    file: statements,
    find: 'const interval = { from: startOf(from), end: endOf(to) }',
    replace: 'const interval = { from: startOf(from), end: startOf(to) }',
    caughtBy: [
      { file: tests, name: adds },
      { file: tests, name: 'statements count days in UTC, whatever offset a time has' },
    ],
  },
  {
    name: 'statements-of-other-ventures',
    about: 'whoever has the id of an account gets its statement, whatever the venture',
    file: sql,
    find: ') as booked\n  where account.venture_id = ${venture_id} and',
    replace: ') as booked\n  where ${venture_id}::uuid is not null and',
    caughtBy: [{ file: tests, name: refused }],
  },
  {
    name: 'statements-payer-as-payee',
    about: 'what came in names the account itself as the counterparty',
    file: sql,
    find: 'entry.amount > 0 then transfer.dr_iban else transfer.cr_iban',
    replace: 'entry.amount < 0 then transfer.dr_iban else transfer.cr_iban',
    caughtBy: [{ file: tests, name: 'a statement has the lines of the account with counterparty, reference and balance' }],
  },
  {
    name: 'statements-without-limit',
    about: 'a statement may have any number of lines',
    file: statements,
    find: 'if (row.line_count > most) {',
    replace: 'if (row.line_count < 0) {',
    caughtBy: [{ file: tests, name: long }],
  },
  {
    name: 'statements-years',
    about: 'an interval may be longer than a year',
    file: statements,
    find: 'if (length_ms > mostDays * day_ms)',
    replace: 'if (length_ms > 100 * mostDays * day_ms)',
    caughtBy: [{ file: tests, name: refused }],
  },
  {
    name: 'statements-first-page-again',
    about: 'every page of a long statement has the same lines',
    file: statements,
    find: 'const rows = start === 0 ? first :',
    replace: 'const rows = start >= 0 ? first :',
    caughtBy: [{ file: tests, name: 'what is booked while a statement is read is not in it' }],
  },
  {
    name: 'statements-formulas',
    about: 'a text in a CSV file that begins with @ is a formula for a spreadsheet',
    file: 'statements/statements.csv.ts',
    find: '[=+\\-@＝＋－＠]',
    replace: '[=+\\-＝＋－]',
    caughtBy: [{ file: tests, name: 'a CSV file has the same lines, and no cell that a spreadsheet takes for a formula' }],
  },
  {
    name: 'balances-weeks-on-sundays',
    about: 'the weeks of balances over time begin on Sundays',
    file: statements,
    find: '(new Date(date).getUTCDay() + 6) % 7',
    replace: 'new Date(date).getUTCDay() % 7',
    caughtBy: [{ file: tests, name: 'weeks begin on Mondays and months on their first day' }],
  },
  {
    name: 'epc-for-frozen-accounts',
    about: 'a QR code asks for money that a frozen account cannot take',
    file: 'accounts/accounts.epc.ts',
    find: "if (status !== 'ACTIVE')",
    replace: "if (status === 'CLOSED')",
    caughtBy: [{ file: epc, name: 'only an active account in euros that SEPA reaches has a QR code' }],
  },
  {
    name: 'epc-wrong-reference',
    about: 'the check digits of a creditor reference are not checked',
    file: 'values/creditor-reference.ts',
    find: "return reference.slice(2, 4) === checkDigits('RF', reference.slice(4)) ? reference : undefined",
    replace: 'return reference',
    caughtBy: [
      { file: 'values/creditor-reference.test.ts', name: 'a creditor reference has the right check digits' },
      { file: epc, name: 'what a banking app would not accept is refused' },
    ],
  },
]
