// Bugs in the rules that apply when a transfer moves: blocked clients, cards, frozen money, returns, and accounts that stay behind.
import type { Bug } from './planted.bug.ts'

const moving = 'transfers/deciding/transfers.moving.test.ts'
const decide = 'transfers/deciding/transfers.decide.ts'
const money = 'transfers/deciding/transfers.money.ts'
const parents = 'transfers/deciding/transfers.parents.ts'

export const moveBugs: readonly Bug[] = [
  {
    name: 'old-card-payment-unscreened',
    about: 'a payment over CARD that an older version accepted completes without screening',
    file: 'transfers/life/transfers.flows.ts',
    find: 'const isExempt = !screened && (carries.has(transfer_type) || !debits)',
    replace: 'const isExempt = !screened && (carries.size > 0 || !debits)',
    caughtBy: [
      { file: moving, name: 'a PAYMENT over CARD of an older version that is still under way is screened' },
      {
        file: 'transfers/life/transfers.status.test.ts',
        name: 'each of the 224 kinds of transfer has the flow, the needs and the statuses of the design',
      },
    ],
  },
  {
    name: 'blacklisted-client-pays',
    about: 'an order that was created before its client was blacklisted walks to its end',
    file: 'transfers/life/transfers.guards.ts',
    find: "  if (client_blocked && direction === 'OUTBOUND' && !sent && pays) return 'client_blocked'\n",
    replace: "  if (client_blocked && !pays && direction !== 'OUTBOUND' && flow === 'sending') return 'client_blocked'\n",
    caughtBy: [
      {
        file: moving,
        name: 'an order whose client is blacklisted before its money leaves goes no further, and goes on when the client is free again',
      },
      {
        file: 'transfers/life/transfers.status.test.ts',
        name: 'a blocked client starts nothing new, what was sent settles, and what was packed can be unpacked',
      },
    ],
  },
  {
    name: 'packed-transfer-of-a-blocked-client-stays-packed',
    about: 'what was packed cannot be taken out of its pack again when its client is blocked',
    file: 'transfers/life/transfers.guards.ts',
    find: "const unpacked = to === 'READY_TO_CLEAR' && packing.has(from)",
    replace: "const unpacked = to === 'READY_TO_CLEAR' && packing.has(to)",
    caughtBy: [{ file: moving, name: 'of a blocked client, what was sent settles, and what was packed is unpacked' }],
  },
  {
    name: 'declined-client-pays',
    about: 'a client whom the verification declined can send money',
    file: 'transfers/deciding/transfers.standing.ts',
    find: "kyc_status === 'DECLINED' ? 'DECLINED by its verification' : undefined",
    replace: "kyc_status === 'ABORTED' ? 'DECLINED by its verification' : undefined",
    caughtBy: [
      {
        file: moving,
        name: 'an order whose client is declined before its money leaves goes no further, and goes on when the client is free again',
      },
    ],
  },
  {
    name: 'blocked-receiver-is-paid',
    about: 'an internal transfer credits a client who is blacklisted',
    file: 'transfers/deciding/transfers.standing.ts',
    find: '(isBlocked(account) && takesMoney) || isBlocked(receiver)',
    replace: '(isBlocked(account) && takesMoney) || (isBlocked(receiver) && receiver === account)',
    caughtBy: [
      {
        file: moving,
        name: 'an internal transfer completes only if both its clients are free, and the money of a blocked receiver goes back',
      },
    ],
  },
  {
    name: 'frozen-money-of-a-blacklisted-client-stays',
    about: 'frozen money, which is not the client’s, cannot leave because the client is blacklisted',
    file: 'transfers/deciding/transfers.standing.ts',
    find: 'const takesMoney = !paysSuspense && !releasesHold && !isHoldUsed(transfer)',
    replace: 'const takesMoney = !releasesHold && !isHoldUsed(transfer)',
    caughtBy: [{ file: moving, name: 'frozen money of a blacklisted client leaves suspense: it is not the client’s' }],
  },
  {
    name: 'authorisation-completed-with-its-hold',
    about: 'an authorisation is completed while it holds money, and its clearing debits money that was free meanwhile',
    file: 'transfers/deciding/transfers.standing.ts',
    find: "uncleared: isAuthorisation(transfer) && transfer.direction === 'OUTBOUND' && !isHoldUsed(transfer),",
    replace: "uncleared: isAuthorisation(transfer) && transfer.direction === 'OUTBOUND' && !transfer.held,",
    caughtBy: [{ file: moving, name: 'a CARD_AUTH holds the money, its clearing debits it once, and the service completes it' }],
  },
  {
    name: 'advice-and-clearing-both-debit',
    about: 'a CARD_ADVICE debits the account, and so does its clearing',
    file: parents,
    find: "(transfer_type === 'CARD_ADVICE' && edition > 1)",
    replace: "(transfer_type === 'CARD_ADVICE' && edition > 2)",
    caughtBy: [{ file: moving, name: 'a CARD_ADVICE holds the money, its clearing debits it once, and the service completes it' }],
  },
  {
    name: 'authorisation-stays-on-hold',
    about: 'an authorisation that is ON_HOLD when its hold is used up is never completed',
    file: money,
    find: 'return on_hold_from !== null && completes(on_hold_from) ? on_hold_from : undefined',
    replace: 'return on_hold_from !== null && completes(status) ? on_hold_from : undefined',
    caughtBy: [{ file: moving, name: 'an authorisation ON_HOLD whose hold is used up goes back and completes, by two recorded moves' }],
  },
  {
    name: 'late-clearing-refused',
    about: 'the clearing of an authorisation that has ended is refused, and the money is never debited',
    file: parents,
    find: 'return isAuthorisation(parent) && (parent.held || isTerminal(parent.status))',
    replace: 'return isAuthorisation(parent) && parent.held && !isTerminal(parent.status)',
    caughtBy: [{ file: moving, name: 'a late clearing of an ended CARD_AUTH is a debit of its own' }],
  },
  {
    name: 'frozen-money-leaves-twice',
    about: 'adjustments that are older than the freeze take out more than is frozen',
    file: parents,
    find: '  if (amount > parent.suspended) {',
    replace: '  if (amount > fromNumeric(parent.debit_amount)) {',
    caughtBy: [{ file: moving, name: 'adjustments that are older than the freeze cannot take out more than is frozen when they complete' }],
  },
  {
    name: 'frozen-money-promised-twice',
    about: 'frozen money that one child will take can be promised to another',
    file: parents,
    find: 'requireLeft(child, { taken: open.map(externalAmount), whole: parent.suspended,',
    replace: 'requireLeft(child, { taken: open.slice(1).map(externalAmount), whole: parent.suspended,',
    caughtBy: [{ file: moving, name: 'an INBOUND adjustment releases frozen money to the account, and all ways out share what is frozen' }],
  },
  {
    name: 'released-money-from-the-wrong-books',
    about: 'frozen money that is released to the account is taken from the adjustments, and stays in suspense as well',
    file: money,
    find: "? creditLines({ transfer, account, from: 'suspense' })",
    replace: "? creditLines({ transfer, account, from: 'adjustments' })",
    caughtBy: [{ file: moving, name: 'an INBOUND adjustment releases frozen money to the account, and all ways out share what is frozen' }],
  },
  {
    name: 'limits-not-given-back-by-a-return',
    about: 'a payment that came back still counts against the limits',
    file: money,
    find: '    if (takesBack(transfer, parent)) giveLimitsBack(moving, parent)\n',
    replace: '',
    caughtBy: [{ file: moving, name: 'returns, reversals and cancellations give limits back, up to what was counted' }],
  },
  {
    name: 'limits-given-back-twice',
    about: 'a return gives back its amount from what other payments count',
    file: 'transfers/deciding/transfers.limits.ts',
    find: 'const own = smaller(amount, transfer.counted_amount)',
    replace: 'const own = amount',
    caughtBy: [
      {
        file: moving,
        name: 'a reversal gives back what its clearing took over from the authorisation, and what the clearing counted itself',
      },
    ],
  },
  {
    name: 'return-announced-with-its-first-part',
    about: 'a transfer says that it was returned when a part of it was',
    file: parents,
    find: 'return sumOf(done.map(externalAmount)) === externalAmount(parent).amount',
    replace: 'return sumOf(done.map(externalAmount)) > 0n',
    caughtBy: [{ file: moving, name: 'a transfer that has been returned in full says so once, and keeps its status' }],
  },
  {
    name: 'return-never-announced',
    about: 'nobody learns that a transfer was returned in full',
    file: 'transfers/deciding/transfers.moves.ts',
    find: 'for (const returned of [parent, mirroredBy(parent, origin)]) announceReturn(batch, returned, { isWhole, actor, why, now })',
    replace: 'for (const returned of [mirroredBy(parent, origin)]) announceReturn(batch, returned, { isWhole, actor, why, now })',
    caughtBy: [
      { file: moving, name: 'a transfer that has been returned in full says so once, and keeps its status' },
      { file: 'verify/verify.test.ts', name: 'real traffic breaks no invariant, and progress is reported' },
    ],
  },
  {
    name: 'reactivation-needs-compliance',
    about: 'the balance of a suspended account is locked in while its client is verified again',
    file: 'accounts/accounts.ts',
    find: "  if (account.status === 'SUSPENDED') return\n",
    replace: '',
    caughtBy: [
      { file: 'accounts/accounts.test.ts', name: 'the first activation requires compliance, and a reactivation does not' },
      {
        file: moving,
        name: 'the balance of a suspended account is never locked in: whatever its client’s verification says, it can be paid out',
      },
    ],
  },
  {
    name: 'frozen-money-of-a-closed-account-stays',
    about: 'frozen money of an account that an older version closed can never leave',
    file: decide,
    find: "if (!isOpen && (account.status !== 'CLOSED' || (isClosed && !exempt))) requireActive(account)",
    replace: 'if (!isOpen) requireActive(account)',
    caughtBy: [
      { file: moving, name: 'money in suspense for an account that an older version closed has a way out, also if the client is free' },
    ],
  },
]
