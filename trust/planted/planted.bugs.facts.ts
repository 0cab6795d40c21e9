// Bugs in what the bank's side books: forced debits and debt, money that arrives, and money that no account can take.
import type { Bug } from './planted.bug.ts'

const facts = 'transfers/facts/transfers.facts.test.ts'
const together = 'transfers/facts/transfers.facts.together.test.ts'
const decide = 'transfers/deciding/transfers.decide.ts'
const money = 'transfers/deciding/transfers.money.ts'

export const factBugs: readonly Bug[] = [
  {
    name: 'money-waits-without-case',
    about: 'nobody learns that money waits for a decision',
    file: 'services.ts',
    find: 'openTransfers(database, config.bank, openFirstCase)',
    replace: 'openTransfers(database, config.bank, () => {})',
    caughtBy: [
      { file: together, name: 'a payment for an account that is SUSPENDED is booked once, when a second person has approved it' },
      { file: together, name: 'a payment for an account that is unknown is booked once, when a second person has approved it' },
    ],
  },
  {
    name: 'waiting-money-moved-without-case',
    about: 'money that waits for a decision goes on while its case stays open',
    file: decide,
    find: '  return arrived && !isTerminal(status) &&',
    replace: '  return arrived && isTerminal(status) &&',
    caughtBy: [{ file: together, name: 'nothing but its case moves money that waits' }],
  },
  {
    name: 'message-requested-twice',
    about: 'one message waits for its second person twice, because its sender was written in another way',
    file: 'transfers/facts/transfers.claims.ts',
    find: '{ ...message, sender: senderOf(message) }',
    replace: 'message',
    caughtBy: [{ file: together, name: 'a payment for an account that is unknown is booked once, when a second person has approved it' }],
  },
  {
    name: 'payout-of-changed-account',
    about: 'a pay-out is carried out although the account has changed since the first person asked',
    file: 'transfers/facts/transfers.facts.ts',
    find: 'account_sequence: by.sequence',
    replace: 'account_sequence: undefined',
    caughtBy: [{ file: together, name: 'a pay-out fails if the account has changed, or if its client was blacklisted' }],
  },
  {
    name: 'payout-of-another-amount',
    about: 'the second person approves one amount, and the balance of that moment is paid out',
    file: 'transfers/facts/transfers.facts.ts',
    find: `  await getPayable(transfers, agreed)
  const { venture_id, account_id, beneficiary_id, purpose = null, amount: debit_amount } = agreed`,
    replace: `  const { available_balance: debit_amount } = await getPayable(transfers, agreed)
  const { venture_id, account_id, beneficiary_id, purpose = null } = agreed`,
    caughtBy: [{ file: together, name: 'a second person approves the amount of a pay-out, and nothing else is paid' }],
  },
  {
    name: 'sanctioned-unapplied-payout',
    about: 'money of a blacklisted client that no account can take is paid out',
    file: 'transfers/facts/transfers.facts.cases.ts',
    find: "allowed: sanctioned ? ['apply'] : ['apply', 'pay_out']",
    replace: "allowed: sanctioned ? ['apply', 'pay_out'] : ['apply', 'pay_out']",
    caughtBy: [
      { file: facts, name: 'what comes back to a closed account stays the money of the client: applied to another account, or paid out' },
    ],
  },
  {
    name: 'forced-debit-asks-for-funds',
    about: 'a debit that the scheme has carried out is refused because the account lacks the money',
    file: money,
    find: '  if (!forced) requireFunds(account, needed - takenOver)',
    replace: '  requireFunds(account, needed - takenOver)',
    caughtBy: [{ file: facts, name: 'a forced debit takes the account below zero, credits repay it, and the account can then be closed' }],
  },
  {
    name: 'held-money-asks-for-funds',
    about: 'a payment that the scheme has settled is refused because the account has fallen into debt since its money was held',
    file: money,
    find: 'if (held === 0n && !forced) requireFunds',
    replace: 'if (!forced) requireFunds',
    caughtBy: [{ file: facts, name: 'nothing is reserved while there is debt, but what holds its money completes' }],
  },
  {
    name: 'venture-forces',
    about: "a venture's key forces a debit",
    file: decide,
    find: '  if (forced && !(isBanksSide(by) && transfer.managed)) throw',
    replace: '  if (forced && !transfer.managed) throw',
    caughtBy: [
      { file: facts, name: 'a venture can never force: there is no such field, and both the deciding code and the database refuse' },
    ],
  },
  {
    name: 'overdrawn-silently',
    about: 'nobody learns that an account has fallen into debt',
    file: money,
    find: '  if (change > 0n) batch.overdraw(account, actor, now)',
    replace: '  if (change > 1_000_000_000n) batch.overdraw(account, actor, now)',
    caughtBy: [{ file: facts, name: 'a forced debit takes the account below zero, credits repay it, and the account can then be closed' }],
  },
  {
    name: 'block-stops-facts',
    about: 'a forced debit is refused because the client is blocked',
    file: decide,
    find: "if (direction === 'OUTBOUND' && !paysSuspense && !exempt) requireUnblocked",
    replace: "if (direction === 'OUTBOUND' && !paysSuspense) requireUnblocked",
    caughtBy: [{ file: facts, name: 'a forced debit reaches a suspended account of a blocked client; an ordinary order does not' }],
  },
  {
    name: 'block-stops-payout',
    about: "the pay-out of a blocked client's balance is stopped on its way",
    file: decide,
    find: 'client_blocked: !transfer.exempt && (',
    replace: 'client_blocked: (',
    caughtBy: [{ file: facts, name: "a blocked client's balance is paid out to the client itself, and nobody stops it on the way" }],
  },
  {
    name: 'sanctioned-payout',
    about: 'money that may be frozen for sanctions is paid out',
    file: decide,
    find: "  if (door === 'payout' && client.is_blacklisted) refuse('client_sanctioned')\n",
    replace: '',
    caughtBy: [{ file: facts, name: "a blocked client's balance is paid out to the client itself, and nobody stops it on the way" }],
  },
  {
    name: 'message-booked-twice',
    about: 'a message that was booked before is booked again',
    file: 'transfers/facts/transfers.claims.ts',
    find: '      if (existing !== undefined) return alreadyBooked(existing)\n',
    replace: '',
    caughtBy: [{ file: facts, name: 'an active account receives a payment, and the same message is booked once' }],
  },
  {
    name: 'message-not-locked',
    about: 'two doors that report one message at the same time both book it',
    file: 'transfers/facts/transfers.claims.ts',
    find: 'const isFree = locked === undefined || locked.has',
    replace: 'const isFree = locked === undefined || !locked.has',
    caughtBy: [{ file: facts, name: 'one message reported many times at once, by several instances, is booked once' }],
  },
  {
    name: 'suspended-credited-at-once',
    about: 'money for a suspended account does not wait for a decision',
    file: decide,
    find: "? ['RECEIVED'] : ['RECEIVED', waitingStatus]",
    replace: "? ['RECEIVED'] : ['RECEIVED']",
    caughtBy: [{ file: facts, name: 'money for an account that is SUSPENDED waits for a decision: apply' }],
  },
  {
    name: 'unapplied-decided-twice',
    about: 'an unapplied payment that was returned can still be applied',
    file: 'transfers/facts/transfers.claims.ts',
    find: "if (current_status !== 'OPEN')",
    replace: "if (current_status === 'PAID_OUT')",
    caughtBy: [{ file: facts, name: 'an unapplied payment is applied to an account, returned, and decided once' }],
  },
  {
    name: 'money-of-another-client',
    about: 'what came back to a closed account of one client is given to another',
    file: 'transfers/facts/transfers.facts.ts',
    find: "  if (!isOfClient) refuse('client_mismatch')\n",
    replace: '',
    caughtBy: [
      { file: facts, name: 'what comes back to a closed account stays the money of the client: applied to another account, or paid out' },
    ],
  },
  {
    name: 'open-ventures-receive',
    about: 'the bank books payments on accounts of ventures that process themselves',
    file: 'ventures/ventures.sql.ts',
    find: "where control = 'MANAGED'",
    replace: "where control <> ''",
    caughtBy: [
      {
        file: facts,
        name: 'a payment for a closed account, an unknown one, one in another currency or one of an open venture is kept in the house, once',
      },
    ],
  },
  {
    name: 'frozen-client-goes-on',
    about: 'packed transfers of a frozen client are not put on hold',
    file: 'transfers/facts/transfers.freeze.ts',
    find: "const packed: readonly TransferStatus[] = ['SENT_TO_PACK', 'PACKED']",
    replace: 'const packed: readonly TransferStatus[] = []',
    caughtBy: [{ file: facts, name: 'the service puts the unsent transfers of a frozen client on hold, and lets what was sent settle' }],
  },
  {
    name: 'one-banker-forces',
    about: "one person of the bank counts as the bank's side",
    file: 'platform/actor.ts',
    find: "(actor.kind === 'operator' && approved)",
    replace: "(actor.kind === 'operator' || approved)",
    caughtBy: [
      { file: facts, name: 'a venture can never force: there is no such field, and both the deciding code and the database refuse' },
    ],
  },
  {
    name: 'frozen-account-goes-on',
    about: 'the transfers of an account that the bank froze are not put on hold',
    file: 'accounts/accounts.ts',
    find: 'if (row.managed && frozen_by_bank && !row.frozen_by_bank)',
    replace: 'if (row.managed && row.frozen_by_bank)',
    caughtBy: [
      {
        file: facts,
        name: 'the bank’s mark on a client or an account stops the unsent transfers, of the account alone if only it was frozen',
      },
    ],
  },
  {
    name: 'blacklisted-client-goes-on',
    about: 'the transfers of a client whom the bank blacklisted are not put on hold',
    file: 'clients/clients.ts',
    find: '(after.blacklisted_by_bank && !before.blacklisted_by_bank)',
    replace: '(after.blacklisted_by_bank && before.blacklisted_by_bank)',
    caughtBy: [
      {
        file: facts,
        name: 'the bank’s mark on a client or an account stops the unsent transfers, of the account alone if only it was frozen',
      },
    ],
  },
  {
    name: 'return-waits-for-disabled-venture',
    about: 'money that has come back for a disabled venture is not credited',
    file: 'transfers/deciding/transfers.decide.ts',
    find: "(direction === 'INBOUND' && !hasComeBack)",
    replace: "direction === 'INBOUND'",
    caughtBy: [{ file: facts, name: 'what comes back for a disabled venture is credited, and what arrives for it waits' }],
  },
]
