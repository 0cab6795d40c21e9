// Bugs in card money: what payments book, what is paid out, and what may still be refunded.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const books = 'payments/payments.books.test.ts'
const payouts = 'payments/payouts/payments.payouts.test.ts'
const model = 'payments/payouts/payments.payouts.model.test.ts'
const insufficient = 'a refund or a reversal beyond payable and the balance of the payout account is refused, and nothing is stored'

export const payoutBugs: readonly Bug[] = [
  {
    name: 'refund-not-booked',
    about: 'a payment is booked when it is paid, but nothing is taken back when it is refunded',
    file: 'payments/payments.books.ts',
    find: 'if (difference === 0n) return',
    replace: 'if (difference <= 0n) return',
    caughtBy: [
      { file: books, name: 'a payment is booked when it is paid, and a refund books the difference' },
      { file: books, name: 'a refund made by hand at the gateway is booked when we learn of it, and once' },
    ],
  },
  {
    name: 'reversal-keeps-the-booking',
    about: 'a reversed payment stays payable to the venture',
    file: 'payments/payments.books.ts',
    find: "const paid = status === 'PAID' || status === 'REFUNDED' ? fromNumeric(amount) : 0n",
    replace: "const paid = status === 'PAID' || status === 'REFUNDED' || status === 'CANCELED' ? fromNumeric(amount) : 0n",
    caughtBy: [{ file: books, name: 'a reversal takes the booking back, ours and one made by hand' }],
  },
  {
    name: 'payout-does-not-wait',
    about: 'a payout does not wait for a refund that is being stored, and pays its money out',
    file: 'payments/payouts/payments.payouts.sql.ts',
    find: 'order by venture_id for no key update skip locked',
    replace: 'order by venture_id',
    caughtBy: [{ file: payouts, name: 'a payout waits for a refund that is being stored, and leaves its money' }],
  },
  {
    name: 'refund-does-not-wait',
    about: 'two refunds at the same time count on the same money',
    file: 'payments/payouts/payments.payouts.sql.ts',
    find: 'const [row] = await lockSettingsOf(tx, [venture_id], true)',
    replace: 'const row = await tx.first(selectSettings(venture_id))',
    caughtBy: [{ file: payouts, name: 'a refund waits for a payout of the venture, and so does a reversal' }],
  },
  {
    name: 'two-payouts-in-one-batch',
    about: 'two payouts in one batch pay out the same money',
    file: 'payments/payouts/payments.payouts.ts',
    find: '      accountOf.set(venture_id, null)\n',
    replace: '',
    caughtBy: [{ file: payouts, name: 'of two payouts that were planned for the same money, one is made, in one batch and in two' }],
  },
  {
    name: 'payout-planned-and-not-checked',
    about: 'a payout pays what it was planned for, even if a refund has taken the money since',
    file: 'payments/payouts/payments.payouts.ts',
    find: 'fromNumeric(amount) <= ripeOf(available) && ',
    replace: '',
    caughtBy: [{ file: payouts, name: 'a payout waits for a refund that is being stored, and leaves its money' }],
  },
  {
    name: 'refund-without-cover',
    about: 'a venture that was paid out refunds what the bank no longer has',
    file: 'transfers/deciding/transfers.money.ts',
    find: '  if (isRecovery) requireFunds(account, costOf(template))\n',
    replace: '',
    caughtBy: [{ file: payouts, name: insufficient }],
  },
  {
    name: 'refund-lent',
    about: 'a refund of money that was paid out leaves the money on the payout account, from which it can be sent away',
    file: 'payments/payouts/payments.payouts.recoveries.ts',
    find: '  if (amount <= payable) return\n',
    replace: '  if (amount <= payable || payable >= 0n) return\n',
    caughtBy: [
      {
        file: payouts,
        name: 'a refund of money that was paid out takes what is not payable back from the payout account, by a completed transfer of the service',
      },
      { file: payouts, name: 'refunds of money that was paid out and spent gain nothing, however often they are tried' },
      { file: model, name: '60 random steps agree with the model, seed 1' },
    ],
  },
  {
    name: 'fee-charged-twice',
    about: 'the fee of a payout is charged again for money that was taken back for a refund that the gateway declined',
    file: 'payments/payouts/payments.payouts.ts',
    find: 'shareOf(amount - free, policy.card_fee, currency)',
    replace: 'shareOf(amount, policy.card_fee, currency)',
    caughtBy: [
      {
        file: payouts,
        name: 'the fee of money that was taken back for a refund or a cancellation that the gateway declines is charged once',
      },
    ],
  },
  {
    name: 'no-settings-to-lock',
    about: 'a refund of a venture that has no payout account yet does not lock anything',
    file: 'payments/payments.refunds.ts',
    find: 'const settings = await lockSettings(tx, key.venture_id)',
    replace:
      "const { lockSettingsOf } = await import('./payouts/payments.payouts.sql.ts')\n  const none = { venture_id: key.venture_id, payout_account_id: null, next_run_on: null }\n  const [settings = none] = await lockSettingsOf(tx, [key.venture_id], true)",
    caughtBy: [
      {
        file: payouts,
        name: 'a venture that names its first payout account waits for a refund that is being stored, and its money is not paid out',
      },
    ],
  },
  {
    name: 'recovery-from-a-blocked-client',
    about: 'a refund takes money from the account of a client whom the bank has blocked',
    file: 'transfers/deciding/transfers.decide.ts',
    find: "  if (direction === 'OUTBOUND') requireUnblocked(client, 'The client', 'cannot send money')\n",
    replace: '',
    caughtBy: [{ file: payouts, name: 'nothing is taken from a payout account that is frozen or closed, or whose client is blocked' }],
  },
  {
    name: 'reversal-without-cover',
    about: 'a venture that was paid out reverses what it could not refund',
    file: 'payments/payments.cancel.ts',
    find: '    await coverRefund(tx, transfers, settings, { payment_id: row.id, recovered_for: row.id, currency: row.currency, amount: bookedOf(row) })\n',
    replace: '',
    caughtBy: [{ file: payouts, name: insufficient }],
  },
  {
    name: 'any-balance-covers',
    about: 'dollars on the payout account cover a refund in euros',
    file: 'payments/payouts/payments.payouts.recoveries.ts',
    find: '  if (account.currency !== currency) return refused(`it is in ${account.currency}.`)\n',
    replace: '',
    caughtBy: [{ file: payouts, name: 'the balance of a payout account in another currency covers nothing' }],
  },
  {
    name: 'refund-under-way-paid-out',
    about: 'money of a refund that the gateway has not confirmed is paid out',
    file: 'payments/payouts/payments.payouts.funds.ts',
    find: ' - fromNumeric(funds.leaving_ripe)',
    replace: '',
    caughtBy: [
      { file: payouts, name: 'a refund under way counts: it is neither paid out nor covered again' },
      { file: payouts, name: 'a reversal under way counts like a refund' },
    ],
  },
  {
    name: 'payout-without-delay',
    about: 'money is paid out on the day it was taken, whatever the policy says',
    file: 'payments/payouts/payments.payouts.funds.ts',
    find: ' - fromNumeric(funds.recent)',
    replace: '',
    caughtBy: [
      {
        file: payouts,
        name: 'money is paid out only when it is older than the delay, and a refund of recent money does not touch older money',
      },
    ],
  },
  {
    name: 'fee-lost',
    about: 'the fee of a payout is taken from the venture and given to nobody in particular',
    file: 'payments/payouts/payments.payouts.row.ts',
    find: "{ account: 'fees', currency, amount: fee },",
    replace: "{ account: 'adjustments', currency, amount: fee },",
    caughtBy: [
      { file: payouts, name: 'the fee goes to the bank, rounded half up, and a payout that the fee would use up is not made' },
      { file: model, name: 'no invariant is broken after all of it, and some refunds were refused' },
    ],
  },
  {
    name: 'payout-to-a-frozen-account',
    about: 'card money is paid out to an account that was frozen after it was named',
    file: 'transfers/deciding/transfers.decide.ts',
    find: "?? refuse('account_not_found')\n  requireActive(account)\n",
    replace: "?? refuse('account_not_found')\n",
    caughtBy: [{ file: payouts, name: 'a payout to an account that is no longer ACTIVE is refused, and the money stays payable' }],
  },
  {
    name: 'payout-reversed',
    about: 'a payout is taken back by a CARD_REVERSAL, and the money leaves without a refund',
    file: 'transfers/deciding/transfers.parents.ts',
    find: 'if (isPayout(parent))',
    replace: "if (isPayout(parent) && transfer_type !== 'CARD_REVERSAL')",
    caughtBy: [{ file: payouts, name: 'a payout cannot be returned by a transfer' }],
  },
  {
    name: 'frozen-account-named',
    about: 'an account that is not ACTIVE can be named for payouts',
    file: 'payments/payouts/payments.payouts.settings.ts',
    find: "if (current_status !== 'ACTIVE')",
    replace: "if (current_status === 'CLOSED')",
    caughtBy: [{ file: payouts, name: 'an account that does not exist, belongs to another venture or is not ACTIVE cannot be named' }],
  },
  {
    name: 'day-run-twice',
    about: 'a daily run that is repeated plans another chain of runs',
    file: 'payments/payouts/payments.payouts.daily.ts',
    find: '    if (locked.next_run_on !== day) return\n',
    replace: '',
    caughtBy: [
      { file: payouts, name: 'a daily run that is repeated, twice at once or after a crash, pays out once and plans one next run' },
    ],
  },
  {
    name: 'day-paid-out-twice',
    about: 'a daily run that is repeated after a crash pays out again',
    file: 'payments/payouts/payments.payouts.daily.ts',
    find: 'order: {}, run_on: day })',
    replace: 'order: {} })',
    caughtBy: [
      { file: payouts, name: 'a daily run that is repeated, twice at once or after a crash, pays out once and plans one next run' },
    ],
  },
]
