// Bugs of the simulated bank: what it settles, answers and counts.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const rules = 'sandbox/bank/sandbox.bank.rules.test.ts'
const bank = 'sandbox/bank/sandbox.bank.test.ts'
const lifted = 'sandbox/bank/sandbox.bank.rules.ts'

export const simulatedBankBugs: readonly Bug[] = [
  {
    name: 'bank-settles-a-repetition',
    about: 'a transaction that is sent in a second message settles again',
    file: lifted,
    find: 'const isTaken = taken.has(payment.tx_id)',
    replace: 'const isTaken = false as boolean',
    caughtBy: [{ file: rules, name: 'a transaction that has been sent before is rejected and settles once' }],
  },
  {
    name: 'bank-forgets-repeated-ids',
    about: 'a repeated message id in another file is not answered',
    file: 'sandbox/bank/sandbox.bank.ts',
    find: 'sendAnswersAgain(tx, message.message_id, file.number, at)',
    replace: 'void sendAnswersAgain',
    caughtBy: [{ file: bank, name: 'a message id that comes again in another file is answered as before, and settles nothing' }],
  },
  {
    name: 'bank-overwrites-a-file',
    about: 'a file that comes again with other bytes counts as handed over',
    file: 'sandbox/bank/sandbox.bank.ts',
    find: 'if (known !== given) throw new DifferentFile(name)',
    replace: 'if (known !== given) return',
    caughtBy: [{ file: bank, name: 'a file is handed over once, and waits with its answers until they are put away' }],
  },
  {
    name: 'bank-refuses-for-ever',
    about: 'a message that was refused whole is refused under every id',
    file: lifted,
    find: "behaviourFor(payment).outcome === 'message_refused' && !wasRefused.has(payment.tx_id)",
    replace: "behaviourFor(payment).outcome === 'message_refused'",
    caughtBy: [{ file: rules, name: 'a message that is refused whole settles nothing, and is accepted under another id' }],
  },
  {
    name: 'bank-settles-before-the-due-date',
    about: 'a direct debit settles at the next cycle, whatever its day',
    file: lifted,
    find: 'due_on === null ? soon :',
    replace: 'due_on === null || due_on > "" ? soon :',
    caughtBy: [{ file: rules, name: 'a direct debit that we collect is accepted, and settles on its day' }],
  },
  {
    name: 'bank-books-a-return-the-wrong-way',
    about: 'money that comes back to us is taken from the account once more',
    file: lifted,
    find: '...{ effect: -payment.effect, due_on: null',
    replace: '...{ effect: payment.effect, due_on: null',
    caughtBy: [{ file: rules, name: 'a direct debit that comes back takes the money away again' }],
  },
  {
    name: 'bank-settles-recalled-payments',
    about: 'a payment that was recalled before its cycle settles anyway',
    file: lifted,
    find: "const stopped = { ...payment, state: 'REJECTED', reason: 'CUST', next: null, next_at: null } as const",
    replace: "const stopped = { ...payment, state: 'WAITING', reason: 'CUST' } as const",
    caughtBy: [{ file: rules, name: 'a payment that is recalled before its cycle never settles' }],
  },
  {
    name: 'bank-returns-twice',
    about: 'money that we send back a second time leaves the account again',
    file: lifted,
    find: "return earlier || original.state === 'RETURNED' ? refuse('AM05') : base",
    replace: 'return base',
    caughtBy: [{ file: rules, name: 'money that we send back leaves the account once, and concludes a recall' }],
  },
  {
    name: 'bank-repeats-its-cycle',
    about: 'a cycle also carries out what it has put off to the next one',
    file: 'sandbox/bank/sandbox.bank.ts',
    find: 'cycleUntil: new Date(at.getTime() + cycle_ms) }, companions)',
    replace: 'cycleUntil: new Date(at.getTime() + 2 * cycle_ms) }, companions)',
    caughtBy: [{ file: bank, name: 'payments settle at the cycle, and what it returns comes with the next one' }],
  },
  {
    name: 'bank-states-entries-twice',
    about: 'statements that are made at the same moment take the same number',
    file: 'sandbox/bank/sandbox.bank.ts',
    find: 'await tx.rows(read`select pg_advisory_xact_lock(${dayEndLock})`)',
    replace: 'void dayEndLock',
    caughtBy: [{ file: bank, name: 'statements that are made at the same moment do not share an entry or a number' }],
  },
  {
    name: 'bank-hides-a-second-sending',
    about: 'the count of transactions does not show what was sent twice',
    file: 'sandbox/bank/sandbox.bank.sql.ts',
    find: "select tx_id, count(*) filter (where state <> 'REFUSED')::int as presented",
    replace: "select tx_id, count(*) filter (where state in ('SETTLED', 'RETURNED'))::int as presented",
    caughtBy: [{ file: bank, name: 'a payment that is sent in two messages is counted twice, and settles once' }],
  },
  {
    name: 'bank-settles-instant-payments-unasked',
    about: 'an instant payment to us settles before we have accepted it',
    file: 'sandbox/bank/sandbox.bank.requests.ts',
    find: "const payment = rail === 'INST' ? waiting : settle(waiting, circumstances)",
    replace: 'const payment = settle(waiting, circumstances)',
    caughtBy: [{ file: bank, name: 'an instant payment to us settles when we accept it' }],
  },
]
