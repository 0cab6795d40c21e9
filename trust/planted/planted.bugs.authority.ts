// Bugs with which one person at the bank moves a client's money or makes that possible, or with which something else happens than the second person has
// seen: each rule of the table of what needs two people, taken out.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug, NamedTest } from './planted.bug.ts'

const orders = (name: string): readonly NamedTest[] => [{ file: 'audit/audit.orders.test.ts', name }]
const rows = 'audit/audit.authority.test.ts'
/** `npm run authority:attacks` finds these holes by itself. */
const attacked = {
  file: '../../trust/authority/authority.attacks.test.ts',
  name: 'one operator: nothing of a client leaves the bank, nor becomes able to',
}
const alone = (wish: string): readonly NamedTest[] => [
  { file: rows, name: `${wish}: nobody at the bank does it alone, and two do it` },
  attacked,
]
const reserved = 'ventures/ventures.reserved.ts'
const control = 'ventures/ventures.control.test.ts'
const decide = 'transfers/deciding/transfers.decide.ts'
const approvals = 'audit/audit.approvals.ts'
const seen = 'nobody at the bank orders a payment alone, however small, and the second person sees what would leave'

export const authorityBugs: readonly Bug[] = [
  {
    name: 'payment-by-one-banker',
    about: 'one person at the bank orders a payment of a client',
    file: reserved,
    find: 'another person\'s account.",\n    ],\n    () => true,',
    replace: "another person's account.\",\n    ],\n    ({ direction }) => direction === 'INBOUND',",
    caughtBy: [...orders(seen), attacked],
  },
  {
    name: 'collection-by-one-banker',
    about: 'one person at the bank collects money with a mandate of a client',
    file: reserved,
    find: 'another person\'s account.",\n    ],\n    () => true,',
    replace: "another person's account.\",\n    ],\n    ({ direction }) => direction === 'OUTBOUND',",
    caughtBy: [
      {
        file: 'transfers/deciding/transfers.signing.test.ts',
        name: 'a collection is ordered by two people at the bank, whatever the amount',
      },
    ],
  },
  {
    name: 'open-then-managed',
    about: 'one person makes a payee, a mandate and a client who needs no verification in an OPEN venture, which then becomes MANAGED',
    file: 'transfers/orders/transfers.closing.ts',
    find: 'exists (select from clients where venture_id = ${venture_id})\n      or ',
    replace: '',
    caughtBy: [{ file: control, name: 'control stays once the venture has a client, and nothing is changed' }],
  },
  {
    name: 'registered-while-control-changes',
    about: 'a client who needs no verification is registered in an OPEN venture while it becomes MANAGED',
    file: 'clients/clients.ts',
    find: 'open && managed.has(client.venture_id) ?',
    replace: 'open && managed.has(client.id) ?',
    caughtBy: [{ file: control, name: 'a registration that waits for the change of control is not of the old one' }],
  },
  {
    name: 'payments-by-one-banker',
    about: 'one person at the bank orders many payments in one request',
    file: 'transfers/orders/transfers.bulk.routes.ts',
    find: "if (venture.control === 'MANAGED') requireUnreserved(",
    replace: "if (venture.control === 'OPEN') requireUnreserved(",
    caughtBy: orders('the bank orders one payment at a time'),
  },
  {
    name: 'bank-signs',
    about: "the bank signs in place of the client's side",
    file: 'transfers/deciding/transfers.checks.ts',
    find: "if (isTheirSignature(transfer, to, actor) && !isTerminal(transfer.status)) refuse('not_yours_to_sign')",
    replace: '',
    caughtBy: orders('an order above sign_above that two people of the bank agree on waits for nobody else'),
  },
  {
    name: 'hold-ended-by-one-banker',
    about: 'one person at the bank lets an order go on that the venture has put on hold',
    file: reserved,
    find: "return cancels || to === 'ON_HOLD'",
    replace: "return ventureMayMove(move) || to === 'ON_HOLD'",
    caughtBy: [
      {
        file: 'ventures/ventures.reserved.test.ts',
        name: 'people at the bank order nothing that is reserved, and move as the venture may, unless two agree',
      },
    ],
  },
  {
    name: 'seen-is-not-compared',
    about: 'a payment leaves for another payee than the second person has seen',
    file: approvals,
    find: 'if (subject_hash !== null && hashOf(subject) !== subject_hash) {',
    replace: 'if (subject_hash === null) {',
    caughtBy: orders('a beneficiary that has changed since is not paid'),
  },
  {
    name: 'seen-is-not-bound',
    about: 'what the second person sees can be changed in the database',
    file: approvals,
    find: "const seenIn = (subject: Approval['subject']): string[] => (subject === null ? [] : [JSON.stringify(subject)])",
    replace: "const seenIn = (_subject: Approval['subject']): string[] => []",
    caughtBy: orders(seen),
  },
  {
    name: 'bank-order-without-authentication',
    about: 'a payment that two people of the bank have ordered does not say so',
    file: decide,
    find: 'agreed: isBankOrder(command, account, direction) ?',
    replace: 'agreed: isBankOrder(command, account, direction) && forced ?',
    caughtBy: orders(seen),
  },
  {
    name: 'asked-twice',
    about: 'an order that waits for a second person is asked for again when it is repeated',
    file: 'audit/audit.approvals.sql.ts',
    find: '(resource_id = ${resource_id} or (action = ${action} and reference = ${reference}))',
    replace: 'resource_id = ${resource_id}',
    caughtBy: [
      {
        file: 'audit/audit.tricks.test.ts',
        name: 'the same reserved order, requested again by its reference, has one approval and is carried out once',
      },
    ],
  },
  {
    name: 'beneficiary-by-one-banker',
    about: 'one person at the bank names a payee, whom a later order pays',
    file: reserved,
    find: 'possible."], () => true',
    replace: 'possible."], () => false',
    caughtBy: alone('create a beneficiary'),
  },
  {
    name: 'beneficiary-changed-by-one-banker',
    about: 'one person at the bank decides whom a client finds to pay',
    file: reserved,
    find: "finds to pay.'], () => true",
    replace: "finds to pay.'], () => false",
    caughtBy: alone('hide a beneficiary'),
  },
  {
    name: 'mandate-by-one-banker',
    about: 'one person at the bank registers a mandate and collects with it',
    file: reserved,
    find: "money of another.'], () => true",
    replace: "money of another.'], () => false",
    caughtBy: alone('register a mandate'),
  },
  {
    name: 'payout-by-one-banker',
    about: 'one person at the bank pays out card money',
    file: reserved,
    find: "money of the venture.'], () => true",
    replace: "money of the venture.'], () => false",
    caughtBy: alone('pay out card money'),
  },
  {
    name: 'payout-account-by-one-banker',
    about: 'one person at the bank names the account to which card money is paid out',
    file: reserved,
    find: '({ payout_account_id }) => payout_account_id !== null',
    replace: "({ payout_account_id }) => payout_account_id === ''",
    caughtBy: alone('name an account for card money'),
  },
  {
    name: 'refund-by-one-banker',
    about: 'one person at the bank refunds a card payment',
    file: reserved,
    find: 'the venture\'s money."], () => true',
    replace: 'the venture\'s money."], () => false',
    caughtBy: alone('refund a card payment'),
  },
  {
    name: 'payment-given-back-by-one-banker',
    about: 'one person at the bank gives a card payment back',
    file: reserved,
    find: "({ status }) => status === 'PAID'",
    replace: "({ status }) => status === 'LOST'",
    caughtBy: alone('give a card payment back'),
  },
  {
    name: 'limit-raised-by-one-banker',
    about: 'one person at the bank raises a limit',
    file: reserved,
    find: '({ raises_limit }) => raises_limit,',
    replace: '({ raises_limit }) => !raises_limit && raises_limit,',
    caughtBy: alone('raise a limit'),
  },
  {
    name: 'risk-lowered-by-one-banker',
    about: 'one person at the bank lowers the risk of a client',
    file: reserved,
    find: 'riskOf(update.risk_level) < riskOf(client.risk_level)',
    replace: 'riskOf(update.risk_level) < 0',
    caughtBy: alone('lower the risk of a client'),
  },
  {
    name: 'removed-limit-is-not-raised',
    about: 'one person at the bank removes a limit',
    file: 'accounts/accounts.ts',
    find: 'from !== null && (to === null || fromNumeric(to) > fromNumeric(from))',
    replace: 'from !== null && to !== null && fromNumeric(to) > fromNumeric(from)',
    caughtBy: alone('remove a limit'),
  },
  {
    name: 'unverified-by-one-banker',
    about: 'one person at the bank registers a client who needs no verification',
    file: reserved,
    find: "    'registerPerson',\n    'both',",
    replace: "    'registerPerson',\n    'ventures',",
    caughtBy: alone('register a client who needs no verification'),
  },
  {
    name: 'settings-of-rails-by-one-banker',
    about: 'one person at the bank says when payments leave, and to which banks',
    file: 'rails/rails.operator.ts',
    find: "if (changes.length > 0 && !by.approved) refuse('approval_required', { sequence: 0 })",
    replace: '',
    caughtBy: [...alone('say when payments leave'), ...alone('say which banks are reached')],
  },
  {
    name: 'more-is-paid-out-than-agreed',
    about: 'a payout takes what has come since two people agreed on it',
    file: 'payments/payouts/payments.payouts.ts',
    find: 'const bound = most === undefined ? largest : fromNumeric(most)',
    replace: 'const bound = most === undefined ? largest : largest',
    caughtBy: [{ file: rows, name: 'two people pay out what they have seen and no more, even if more has come since' }],
  },
  {
    name: 'approver-loses-the-approval',
    about: 'the audit log says of a payout that two people agreed on what was paid out, and not which approval was decided',
    file: 'audit/audit.log.ts',
    find: 'isAudited(one) && one.row.resource === null',
    replace: 'isAudited(one)',
    caughtBy: [{ file: rows, name: 'two people pay out what they have seen and no more, even if more has come since' }],
  },
]
