// Bugs in reviews: who decides, what a decision does, and which rules of monitoring fire.
import type { Bug } from './planted.bug.ts'

const cases = 'processing/processing.cases.test.ts'
const monitoring = 'processing/processing.monitoring.test.ts'
const secrecy = 'processing/processing.secrecy.test.ts'
const rules = 'policies/policies.rules.test.ts'

const frozen = 'one person freezes a hit: it is frozen at once, and every other unsent payment of the client is held'
const cleared = 'one person clears a hit: it waits, and the second person sends it; one person alone is refused'
const declined = 'two people decline a hit: the hold goes back; money that has arrived is returned, credited or kept frozen'

export const reviewBugs: readonly Bug[] = [
  {
    name: 'freeze-needs-two',
    about: 'a freeze waits for a second person',
    file: 'processing/processing.cases.ts',
    find: 'freeze: { needsTwo: false }',
    replace: 'freeze: { needsTwo: true }',
    caughtBy: [{ file: cases, name: frozen }],
  },
  {
    name: 'clear-by-one',
    about: 'one person clears a hit alone',
    file: 'processing/processing.cases.ts',
    find: 'clear: { needsTwo: true }',
    replace: 'clear: { needsTwo: false }',
    caughtBy: [{ file: cases, name: cleared }],
  },
  {
    name: 'decline-by-one',
    about: 'one person declines a payment alone',
    file: 'processing/processing.cases.ts',
    find: 'decline: { needsTwo: true }',
    replace: 'decline: { needsTwo: false }',
    caughtBy: [{ file: cases, name: declined }],
  },
  {
    name: 'freeze-spares-client',
    about: 'a freeze stops the payment alone, and the others of the client go on',
    file: 'transfers/facts/transfers.freeze.ts',
    find: '      await blacklistByBank(tx, venture_id, client_id)\n',
    replace: '',
    caughtBy: [{ file: cases, name: frozen }],
  },
  {
    name: 'freeze-spares-account',
    about: 'a freeze leaves the account of the payment active',
    file: 'transfers/facts/transfers.freeze.ts',
    find: '      await freezeByBank(tx, account)\n',
    replace: '',
    caughtBy: [{ file: cases, name: frozen }],
  },
  {
    name: 'freeze-holds-nothing',
    about: 'the other payments of a client whom a decision froze are not put on hold',
    file: 'clients/clients.ts',
    find: '  if (client.blacklisted_by_bank) return\n  await enqueueHold(tx, { venture_id, client_id: id })\n',
    replace: '  if (client.blacklisted_by_bank) return\n',
    caughtBy: [{ file: cases, name: frozen }],
  },
  {
    name: 'arrived-money-rejected',
    about: 'declined money that has arrived stays in suspense as if it were frozen',
    file: 'processing/processing.cases.ts',
    find: "decline: { received: ['TO_RETURN', 'REJECTED']",
    replace: "decline: { received: ['AML_REJECTED']",
    caughtBy: [{ file: cases, name: declined }],
  },
  {
    name: 'review-left-beside-case',
    about: 'two people move a payment out of its review, and its case stays open',
    file: 'transfers/deciding/transfers.checks.ts',
    find: ' || (batch.isUndecided(transfer) && isDecidedByCase(transfer, to))',
    replace: '',
    caughtBy: [{ file: cases, name: 'a case is decided once, and its transfer leaves the review in no other way' }],
  },
  {
    name: 'block-not-urgent',
    about: 'a certain hit waits in the queue like any other',
    file: 'processing/processing.cases.ts',
    find: "const isUrgent = screening === 'BLOCK'",
    replace: "const isUrgent = screening === 'UNLOADED'",
    caughtBy: [{ file: cases, name: frozen }],
  },
  {
    name: 'waiting-money-unscreened',
    about: 'money that waited for its account is credited without a look at the lists',
    file: 'transfers/facts/transfers.inbound.ts',
    find: 'const { steps, companions = [] } = await screen(waiting)',
    replace:
      "const { steps, companions } = { steps: screened ? [] : (['READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED'] as const), companions: screen === undefined ? [] : [] }",
    caughtBy: [{ file: cases, name: 'money that waited for its account is screened before it is credited' }],
  },
  {
    name: 'reason-names-the-kind',
    about: 'a venture can read what kind of case its payment has',
    file: 'processing/processing.worker.ts',
    find: ": 'Under review.'",
    replace: ": 'Under review: ' + opens",
    caughtBy: [{ file: secrecy, name: 'a venture learns nothing of scores, rules, lists, cases and decisions' }],
  },
  {
    name: 'history-names-the-scan',
    about: 'a venture can tell from the history whether a list or a rule has stopped its payment',
    file: 'transfers/orders/transfers.history.ts',
    find: 'return withoutScans(moves).map(',
    replace: 'return moves.map(',
    caughtBy: [{ file: secrecy, name: 'a venture learns nothing of scores, rules, lists, cases and decisions' }],
  },
  {
    name: 'failed-payments-count',
    about: 'rules add up payments that were cancelled',
    file: 'transfers/deciding/transfers.activity.ts',
    find: "    if (isEnd && to_status !== 'COMPLETED') count(less, transfer)\n",
    replace: '',
    caughtBy: [
      { file: monitoring, name: 'sums and counts are those of all accounts of the client, and payments that failed do not count' },
      { file: monitoring, name: 'no invariant is broken' },
    ],
  },
  {
    name: 'ordered-payee-known',
    about: 'a payee counts as known once a payment was ordered',
    file: 'transfers/deciding/transfers.activity.ts',
    find: "const payee = to_status === 'COMPLETED' && transfer",
    replace: 'const payee = transfer',
    caughtBy: [{ file: monitoring, name: 'a new payee is one to whom no payment of the client has completed' }],
  },
  {
    name: 'open-ventures-monitored',
    about: 'payments of ventures that process themselves are added up',
    file: 'transfers/life/transfers.monitored.ts',
    find: "return managed && transfer_type === 'PAYMENT'",
    replace: "return (managed || !managed) && transfer_type === 'PAYMENT'",
    caughtBy: [{ file: monitoring, name: 'an OPEN venture is not monitored' }],
  },
  {
    name: 'sum-of-one-account',
    about: 'a client gets around a rule with two accounts',
    file: 'transfers/writing/transfers.activity.sql.ts',
    find: '(account.venture_id, account.client_id) in (',
    replace: 'account.id = (select max(id::text)::uuid from accounts) and (account.venture_id, account.client_id) in (',
    caughtBy: [
      { file: monitoring, name: 'sums and counts are those of all accounts of the client, and payments that failed do not count' },
    ],
  },
  {
    name: 'window-without-lead',
    about: 'a rule does not see what settles tomorrow',
    file: 'policies/policies.rules.ts',
    find: 'until: addTargetDays(today, lead_days)',
    replace: 'until: today',
    caughtBy: [{ file: rules, name: 'sum: a sum above it, with what settles the day after tomorrow' }],
  },
  {
    name: 'late-payments-out-of-sight',
    about: 'payments that were held until they are late are seen by no rule',
    file: 'policies/policies.rules.ts',
    find: 'const from = addDays(settles < today ? settles : today, 1 - days)',
    replace: 'const from = addDays(settles < today ? today : today, 1 - days)',
    caughtBy: [
      { file: rules, name: 'sum: a sum that is late, with what was to settle before it and since' },
      { file: monitoring, name: 'payments that the venture has held until they were late count together' },
    ],
  },
  {
    name: 'sum-at-the-bound',
    about: 'a rule fires at its bound',
    file: 'policies/policies.rules.ts',
    find: 'return amount > fromNumeric(above) ? { sum: toNumeric(amount), payments } : undefined',
    replace: 'return amount >= fromNumeric(above) ? { sum: toNumeric(amount), payments } : undefined',
    caughtBy: [{ file: rules, name: 'sum: a sum of several days at the bound' }],
  },
  {
    name: 'thresholds-out-of-order',
    about: 'a policy proposes a freeze for what it does not even look at',
    file: 'policies/policies.ts',
    find: 'if (Number(block_threshold) < Number(screen_threshold))',
    replace: 'if (Number(block_threshold) < 0)',
    caughtBy: [{ file: 'policies/policies.test.ts', name: 'thresholds out of order are refused, also against the version before' }],
  },
  {
    name: 'sent-without-exchange',
    about: 'a payment is marked as sent although nobody sends it',
    file: 'processing/processing.worker.ts',
    find: "|| !plan.steps.includes('SENT_TO_CLEAR')) return plan",
    replace: '|| true) return plan',
    caughtBy: [{ file: 'processing/processing.test.ts', name: 'without an exchange nothing is sent' }],
  },
]
