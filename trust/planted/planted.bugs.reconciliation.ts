// Bugs in nostros: statements, matching, breaks, and the figures that a nostro is compared with.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const tests = 'reconciliation/reconciliation.test.ts'
const rules = 'reconciliation/reconciliation.matching.test.ts'
const statement = 'reconciliation/reconciliation.statement.ts'
const matching = 'reconciliation/reconciliation.matching.ts'
const apply = 'reconciliation/reconciliation.apply.ts'
const breaks = 'reconciliation/reconciliation.breaks.ts'
const rows = 'reconciliation/reconciliation.rows.sql.ts'

const once = 'a statement is applied once, only as the next one, and as a whole'
const day = 'a day with every kind of break finds exactly those, each with a case, and the figures are exact'
const decided = 'two people decide breaks: matched by hand, offset, funded or written off'
const same = 'the same statements give the same books, in one message or in several, repeated or not, with or without ends of days'

export const reconciliationBugs: readonly Bug[] = [
  {
    name: 'nostro-gap-in-statements',
    about: 'a statement is applied although one before it is missing',
    file: statement,
    find: 'sequence !== last.sequence + 1 && !isFirstOfYear',
    replace: 'sequence <= last.sequence && !isFirstOfYear',
    caughtBy: [
      { file: rules, name: 'a statement: one is left out' },
      { file: tests, name: once },
    ],
  },
  {
    name: 'nostro-opening-ignored',
    about: 'a statement may begin with another balance than the one before ended with',
    file: statement,
    find: 'if (opening !== last.closing)',
    replace: 'if (opening < 0n)',
    caughtBy: [
      { file: rules, name: 'a statement: it begins elsewhere' },
      { file: tests, name: once },
    ],
  },
  {
    name: 'nostro-statement-twice',
    about: 'a repeated statement is taken for another one',
    file: apply,
    find: 'if (known?.sha256 === statement.sha256) return false',
    replace: 'if (known?.sha256 === statement.statement_id) return false',
    caughtBy: [
      { file: tests, name: once },
      { file: tests, name: same },
    ],
  },
  {
    name: 'nostro-duplicate-unseen',
    about: 'a payment that is on the statement twice is matched twice',
    file: matching,
    find: 'for (const row of verdict?.rows ?? []) taken.add(keyOf(row))',
    replace: 'for (const row of verdict?.rows ?? []) taken.add(row.rail)',
    caughtBy: [
      { file: rules, name: 'an entry stands for: twice on one statement' },
      { file: tests, name: day },
    ],
  },
  {
    name: 'nostro-unbooked-matched',
    about: 'an entry is matched with a payment that is not booked',
    file: matching,
    find: 'row.isBooked && row.missing',
    replace: 'row.missing',
    caughtBy: [
      { file: rules, name: 'an entry stands for: not booked' },
      { file: tests, name: day },
    ],
  },
  {
    name: 'nostro-likeness-ambiguous',
    about: 'of several payments that are alike, the first one is taken',
    file: matching,
    find: 'return rows.length === 1 ? { rows, by',
    replace: 'return rows.length > 0 ? { rows: rows.slice(0, 1), by',
    caughtBy: [{ file: rules, name: 'an entry stands for: nothing that is alike, if there are two' }],
  },
  {
    name: 'nostro-end-of-day-skipped',
    about: 'the next statement is applied without looking for what was missing on the one before',
    file: apply,
    find: 'last.ended_at === null && closed_on > last.closed_on',
    replace: 'last.ended_at === null && closed_on < last.closed_on',
    caughtBy: [{ file: tests, name: same }],
  },
  {
    name: 'nostro-missing-stays-open',
    about: 'a break about a missing payment stays open when the payment is on a later statement',
    file: apply,
    find: "filter(({ missing }) => missing === 'OPEN')",
    replace: "filter(({ missing }) => missing === 'WRITTEN_OFF')",
    caughtBy: [{ file: tests, name: day }],
  },
  {
    name: 'nostro-write-off-sign',
    about: 'a difference is written off with the wrong sign',
    file: breaks,
    find: "{ account: settlement, currency, amount: -difference },\n    { account: 'adjustments', currency, amount: difference },",
    replace: "{ account: settlement, currency, amount: difference },\n    { account: 'adjustments', currency, amount: -difference },",
    caughtBy: [{ file: tests, name: decided }],
  },
  {
    name: 'nostro-match-any-amount',
    about: 'people may match an entry with a payment of another amount',
    file: breaks,
    find: 'if (row.amount !== difference)',
    replace: 'if (row.amount === 0n)',
    caughtBy: [{ file: tests, name: decided }],
  },
  {
    name: 'nostro-offset-any-amount',
    about: 'people may offset breaks that do not cancel each other',
    file: breaks,
    find: 'if (differenceOf(other) !== -differenceOf(broken))',
    replace: 'if (differenceOf(other) === 0n)',
    caughtBy: [{ file: tests, name: decided }],
  },
  {
    name: 'nostro-notified-counts',
    about: 'a payment that was only notified counts as if it were on a statement',
    file: rows,
    find: 'left join nostro_entries entry on entry.id = matched.entry_id and entry.number is not null\n  left join breaks missing',
    replace:
      'left join (select id, coalesce(number, 0) as number from nostro_entries) as entry on entry.id = matched.entry_id\n  left join breaks missing',
    caughtBy: [{ file: tests, name: 'a notification is matched early, counts for nothing, and is replaced by the statement' }],
  },
  {
    name: 'nostro-missing-in-transit-too',
    about: 'a payment that is missing counts twice: as a break, and as in transit',
    file: rows,
    find: 'where payment.is_booked and payment.missing is null and not exists (',
    replace: 'where payment.is_booked and not exists (',
    caughtBy: [{ file: tests, name: day }],
  },
]
