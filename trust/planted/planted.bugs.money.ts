// Bugs in what moves money: holds, journals, limits, amounts, and the conditions of a move.
import type { Bug } from './planted.bug.ts'

const money = 'transfers/deciding/transfers.money.test.ts'
const create = 'transfers/deciding/transfers.create.test.ts'
const status = 'transfers/life/transfers.status.test.ts'

export const moneyBugs: readonly Bug[] = [
  {
    name: 'hold-not-counted',
    about: 'money on hold counts as available and can be held again',
    file: 'ledger/ledger.ts',
    find: 'return current - reserved',
    replace: 'return current',
    caughtBy: [
      { file: money, name: 'a hold covers amount and fee, and can use exactly the available balance' },
      {
        file: 'transfers/writing/transfers.races.test.ts',
        name: 'one busy account on two instances is never overdrawn and loses no update',
      },
    ],
  },
  {
    name: 'hold-without-fee',
    about: 'a hold does not include the fee',
    file: 'transfers/deciding/transfers.money.ts',
    find: 'const needed = costOf(transfer)',
    replace: 'const needed = fromNumeric(transfer.debit_amount)',
    caughtBy: [{ file: money, name: 'a hold covers amount and fee, and can use exactly the available balance' }],
  },
  {
    name: 'hold-never-released',
    about: 'the hold of a transfer that has ended stays on the account',
    file: 'transfers/deciding/transfers.money.ts',
    find: '  release(account, transfer.hold)\n  transfer.hold = 0n',
    replace: '  transfer.hold = 0n',
    caughtBy: [{ file: money, name: 'every terminal status except COMPLETED releases the hold and books nothing' }],
  },
  {
    name: 'journal-unbalanced',
    about: 'the journal line of the fee is lost between the check in the code and the database',
    file: 'ledger/ledger.ts',
    find: '.filter(({ amount }) => amount !== 0n)',
    replace: ".filter(({ amount, account }) => amount !== 0n && account !== 'fees')",
    caughtBy: [{ file: money, name: 'a payment in another currency debits amount and fee, and goes through both exchange accounts' }],
  },
  {
    name: 'journal-balance-from-nowhere',
    about: 'the balance of an account grows by more than its entry says',
    file: 'ledger/ledger.ts',
    find: 'account.current += amount',
    replace: 'account.current += amount > 0n ? amount + 1n : amount',
    caughtBy: [{ file: money, name: 'received money stays in suspense until the account is credited' }],
  },
  {
    name: 'journal-without-its-cause',
    about: 'an entry names a cause that does not exist, which no foreign key refuses',
    file: 'ledger/ledger.ts',
    find: 'cause_id: cause.id,',
    replace: 'cause_id: uuidv7(),',
    caughtBy: [
      { file: 'ledger/ledger.test.ts', name: 'every entry of a journal names its cause' },
      { file: 'verify/verify.test.ts', name: 'real traffic breaks no invariant, and progress is reported' },
    ],
  },
  {
    name: 'suspense-forgotten',
    about: 'a transfer whose money is in suspense can be REJECTED, and the money stays there forever',
    file: 'transfers/life/transfers.guards.ts',
    find: "return flow === 'receiving' && received && leavesSuspenseOpen.has(to) && !returned ? 'in_suspense' : undefined",
    replace: "return flow === 'receiving' && received && leavesSuspenseOpen.has(to) && returned ? 'in_suspense' : undefined",
    caughtBy: [{ file: money, name: 'received money that is not credited can be neither cancelled nor rejected' }],
  },
  {
    name: 'return-repeatable',
    about: 'each return of a transfer is checked alone instead of together with the others',
    file: 'transfers/deciding/transfers.parents.ts',
    find: 'const left = subtractDownToZero(whole, sumOf(taken))',
    replace: 'const left = sumOf(taken) < 0n ? 0n : whole',
    caughtBy: [
      {
        file: money,
        name: 'returns cannot exceed the sent amount in total, in the currency that was sent, and a failed return does not count',
      },
    ],
  },
  {
    name: 'limit-of-the-day-not-counted',
    about: 'outgoing transfers do not count against the daily limit',
    file: 'transfers/deciding/transfers.limits.ts',
    find: '  account.used_day += amount\n',
    replace: '',
    caughtBy: [
      { file: money, name: 'creating a transfer uses the limits, which can be reached but not exceeded, and the refusal names the period' },
    ],
  },
  {
    name: 'limit-given-back-by-completion',
    about: 'a payment that completes no longer counts against the limits',
    file: 'transfers/deciding/transfers.money.ts',
    find: "  if (to === 'COMPLETED') complete(moving)\n",
    replace: `  if (to === 'COMPLETED') restoreLimits(moving)
  if (to === 'COMPLETED') complete(moving)
`,
    caughtBy: [{ file: money, name: 'a transfer that ends without completion restores its limit once, and a completed one does not' }],
  },
  {
    name: 'terminal-status-moves',
    about: 'a completed transfer can be rejected',
    file: 'transfers/life/transfers.status.ts',
    find: '  COMPLETED: [],',
    replace: "  COMPLETED: statusList('REJECTED'),",
    caughtBy: [
      { file: status, name: 'the terminal statuses are the seven of the design' },
      { file: 'transfers/writing/transfers.races.test.ts', name: 'the same move requested many times on two instances is made once' },
    ],
  },
  {
    name: 'screening-skipped',
    about: 'money leaves without having been screened',
    file: 'transfers/life/transfers.guards.ts',
    find: "  if (needs.screened && !screened && clearingOrLater.has(to)) return 'screening_required'\n",
    replace: '',
    caughtBy: [
      { file: status, name: 'sending: all 900 pairs, with all facts and circumstances, are allowed or blocked as the design says' },
    ],
  },
  {
    name: 'sent-money-cancelled',
    about: 'a sent transfer can be canceled without an answer of the scheme, which releases the hold although the money is gone',
    file: 'transfers/life/transfers.guards.ts',
    find: "  if (sent && needsSchemeOnceSent.has(to) && !third_party_status_given) return 'already_sent'\n",
    replace: '',
    caughtBy: [
      { file: status, name: 'sending: all 900 pairs, with all facts and circumstances, are allowed or blocked as the design says' },
    ],
  },
  {
    name: 'closed-receiver-credited',
    about: 'an internal transfer credits an account that is closed',
    file: 'transfers/life/transfers.guards.ts',
    find: "  if (receiver_closed && to === 'COMPLETED') return 'account_closed'\n",
    replace: '',
    caughtBy: [{ file: money, name: 'an internal transfer can complete to a suspended receiver but not to a closed one' }],
  },
  {
    name: 'account-closed-with-money',
    about: 'an account can be closed while there is money in it',
    file: 'accounts/accounts.ts',
    find: 'if (fromNumeric(current_balance) !== 0n || fromNumeric(reserved_balance) !== 0n)',
    replace: 'if (fromNumeric(reserved_balance) !== 0n)',
    caughtBy: [{ file: 'accounts/accounts.test.ts', name: 'an account can be closed only if its balance is zero and nothing is reserved' }],
  },
  {
    name: 'decimal-rounded',
    about: 'decimals that a currency does not have are truncated instead of refused',
    file: 'values/money.ts',
    find: "return decimals.length > decimalsOf(currency) ? undefined : BigInt(whole + decimals.padEnd(scale, '0'))",
    replace: "return BigInt(whole + decimals.slice(0, decimalsOf(currency)).padEnd(scale, '0'))",
    caughtBy: [
      { file: 'values/money.test.ts', name: 'anything but a plain decimal of the currency is refused and never rounded' },
      { file: create, name: 'an amount must be positive with the decimals of its currency, and only outbound transfers may have a fee' },
    ],
  },
  {
    name: 'exchange-rounded-up',
    about: 'half a cent is always rounded in favour of the same side',
    file: 'values/money.ts',
    find: 'Decimal.ROUND_HALF_EVEN',
    replace: 'Decimal.ROUND_HALF_UP',
    caughtBy: [{ file: 'values/money.test.ts', name: 'a conversion rounds half to even, to the smallest unit of the target currency' }],
  },
  {
    name: 'blocked-client-sends',
    about: 'a client who is blocked can send money',
    file: 'transfers/deciding/transfers.standing.ts',
    find: "  if (blocked) return 'blocked'\n",
    replace: '',
    caughtBy: [
      {
        file: create,
        name: 'a blocked, blacklisted or declined client cannot send, nor receive an internal transfer, but can still receive others',
      },
    ],
  },
  {
    name: 'claim-skipped',
    about: 'a unique_reference can be used twice',
    file: 'transfers/deciding/transfers.decide.ts',
    find: '  requireFreeReference(batch, venture_id, order.unique_reference, id)\n',
    replace: '',
    caughtBy: [
      { file: create, name: 'a reference is unique across ventures, and only its own venture gets the id of the existing transfer' },
      {
        file: 'transfers/writing/transfers.races.test.ts',
        name: 'one reference used on two instances by two ventures creates one transfer',
      },
    ],
  },
  {
    name: 'duplicate-answered-as-created',
    about: 'a taken unique_reference gets a 201 with the existing transfer, even that of another venture',
    file: 'transfers/orders/transfers.orders.ts',
    find: `({ batches }: Transfers, { id = uuidv7(), ...request }: CreateRequest): Promise<Transfer> {
  return batches.submit({ kind: 'create', ...request, id, now: now() })`,
    replace: `({ batches, database }: Transfers, { id = uuidv7(), ...request }: CreateRequest): Promise<Transfer> {
  return batches.submit({ kind: 'create', ...request, id, now: now() }).catch(async (error) => {
    const known = read<Transfer>\`select \${columns} from transfers where unique_reference = \${request.order.unique_reference}\`
    return (await database.first(known)) ?? Promise.reject(error)
  })`,
    caughtBy: [
      { file: create, name: 'a reference is unique across ventures, and only its own venture gets the id of the existing transfer' },
    ],
  },
]
