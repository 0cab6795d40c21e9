// Bugs with which one person at the bank moves a client's money or makes that possible, or with which something else happens than the second person has
// seen: each rule of the table of what needs two people, taken out.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug, NamedTest } from './planted.bug.ts'

const orders = (name: string): readonly NamedTest[] => [{ file: 'audit/audit.orders.test.ts', name }]
const reserved = 'ventures/ventures.reserved.ts'
const decide = 'transfers/deciding/transfers.decide.ts'
const approvals = 'audit/audit.approvals.ts'
const seen = 'nobody at the bank orders a payment alone, however small, and the second person sees what would leave'

export const authorityBugs: readonly Bug[] = [
  {
    name: 'payment-by-one-banker',
    about: 'one person at the bank orders a payment of a client',
    file: reserved,
    find: "({ direction }) => direction === 'OUTBOUND',",
    replace: "({ direction }) => direction === 'SIDEWAYS',",
    caughtBy: orders(seen),
  },
  {
    name: 'payments-by-one-banker',
    about: 'one person at the bank orders many payments in one request',
    file: 'transfers/transfers.bulk.routes.ts',
    find: "if (venture.control === 'MANAGED') requireUnreserved(",
    replace: "if (venture.control === 'OPEN') requireUnreserved(",
    caughtBy: orders('the bank orders one payment at a time'),
  },
  {
    name: 'bank-signs',
    about: "the bank signs in place of the client's side",
    file: decide,
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
    caughtBy: orders('all of this breaks no invariant'),
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
]
