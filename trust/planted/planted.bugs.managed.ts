// Bugs in what the bank keeps to itself: control, the table of what is reserved, marks of the bank, rates and policies.
import type { Bug } from './planted.bug.ts'

const control = 'ventures/ventures.control.test.ts'
const reserved = 'ventures/ventures.reserved.test.ts'
const managed = 'transfers/transfers.managed.test.ts'

export const managedBugs: readonly Bug[] = [
  {
    name: 'held-rate-never-expires',
    about: 'a venture keeps an exchange rate by holding the transfer, and lets it go on when it pays off',
    file: 'transfers/deciding/transfers.moves.ts',
    find: 'return goesBack(transfer, to) ? !transfer.on_hold_by_bank : ',
    replace: 'return goesBack(transfer, to) ? false : ',
    caughtBy: [
      {
        file: 'transfers/transfers.managed.test.ts',
        name: 'a venture that holds an order until its rate has expired does not get the rate',
      },
    ],
  },
  {
    name: 'control-changes-with-books',
    about: 'who processes the transfers of a venture can change after it has some',
    file: 'ventures/ventures.ts',
    find: "&& (await books.exist(tx, id))) refuse('venture_has_books')",
    replace: "&& (await books.exist(tx, id)) && id === '') refuse('venture_has_books')",
    caughtBy: [{ file: control, name: 'control stays once the venture has a client, and nothing is changed' }],
  },
  {
    name: 'default-control-ignored',
    about: 'a registration without control is OPEN, whatever DEFAULT_CONTROL says',
    file: 'ventures/ventures.ts',
    find: '{ name, control = defaultControl }: VentureRegistration',
    replace: "{ name, control = defaultControl === 'MANAGED' ? 'OPEN' : defaultControl }: VentureRegistration",
    caughtBy: [{ file: control, name: 'DEFAULT_CONTROL decides what a registration without control means' }],
  },
  {
    name: 'reserved-order-accepted',
    about: 'a MANAGED venture may order what only the bank orders',
    file: 'transfers/deciding/transfers.decide.ts',
    find: 'if (account.managed) requireUnreservedOrder(',
    replace: "if (account.managed && by.actor.kind === 'operator') requireUnreservedOrder(",
    caughtBy: [
      { file: reserved, name: 'creating what only the bank creates is refused' },
      { file: reserved, name: 'amounts, parties and dates that only the bank sets are refused' },
    ],
  },
  {
    name: 'reserved-move-accepted',
    about: 'a MANAGED venture may make the moves of the bank',
    file: 'ventures/ventures.reserved.ts',
    find: 'move !== undefined && !ventureMayMove(move)',
    replace: "move?.to === 'COMPLETED' && !ventureMayMove(move)",
    caughtBy: [{ file: reserved, name: 'from every status, every move but the venture’s own is refused' }],
  },
  {
    name: 'reserved-field-cleared',
    about: 'a MANAGED venture may clear what the scheme has answered',
    file: 'ventures/ventures.reserved.ts',
    find: 'schemeFields.some((field) => isNamed(update[field]))',
    replace: 'schemeFields.some((field) => isSet(update[field]))',
    caughtBy: [{ file: reserved, name: 'fields that only the bank sets are refused, on a transfer that has ended too, and null as well' }],
  },
  {
    name: 'reserved-person-unbound',
    about: 'a person at the bank does alone what two people have to do',
    file: 'ventures/ventures.reserved.ts',
    find: "if (actor.kind === 'operator') return find('ventures', 'approval_required')",
    replace: '',
    caughtBy: [
      { file: reserved, name: 'people at the bank order nothing that is reserved, and move as the venture may, unless two agree' },
    ],
  },
  {
    name: 'hold-of-the-bank-forgotten',
    about: 'a venture ends a hold that the bank has put on its transfer',
    file: 'transfers/deciding/transfers.moves.ts',
    find: "const on_hold_by_bank = to === 'ON_HOLD' && !isVentures(actor)",
    replace: "const on_hold_by_bank = to === 'ON_HOLD' && actor.kind === 'operator'",
    caughtBy: [
      { file: reserved, name: 'out of ON_HOLD only where the venture itself put it there, and then not to where only the bank goes' },
    ],
  },
  {
    name: 'bank-order-moved-by-venture',
    about: 'a venture cancels what the bank has ordered',
    file: 'transfers/deciding/transfers.decide.ts',
    find: 'const ordered_by_bank = !isVentures(actor)',
    replace: "const ordered_by_bank = actor.kind === 'service'",
    caughtBy: [{ file: reserved, name: 'the venture moves nothing that the bank ordered' }],
  },
  {
    name: 'freeze-of-the-bank-forgotten',
    about: 'a venture activates an account that the bank froze',
    file: 'accounts/accounts.ts',
    find: 'return frozen_by_bank || !isVentures(actor)',
    replace: 'return frozen_by_bank',
    caughtBy: [{ file: reserved, name: 'what the bank froze, only two people at the bank activate again or close' }],
  },
  {
    name: 'pending-account-not-frozen',
    about: 'the bank cannot freeze an account before its first activation',
    file: 'accounts/accounts.ts',
    find: "|| (status === 'PENDING' && managed)",
    replace: "|| (status === 'PENDING' && !managed)",
    caughtBy: [
      { file: reserved, name: 'an account that the bank freezes before its first activation is activated by two people at the bank' },
    ],
  },
  {
    name: 'block-of-the-bank-forgotten',
    about: 'a block of the bank is not marked as such if the venture has blocked the client before',
    file: 'clients/clients.ts',
    find: '(given === undefined ? mark : given && (mark || !isVentures(actor)))',
    replace: '(given === undefined ? mark : given && mark)',
    caughtBy: [{ file: reserved, name: 'what the bank blocked, only two people at the bank unblock' }],
  },
  {
    name: 'closed-while-sent',
    about: 'an account is closed although money that was sent may come back to it',
    file: 'transfers/orders/transfers.closing.ts',
    find: 'const sent = await findSentTransfer(tx, key)',
    replace: 'const sent = suspended ?? (await findTransferInSuspense(tx, key))',
    caughtBy: [{ file: managed, name: 'an account with a transfer that was sent and has not ended is not closed' }],
  },
  {
    name: 'authorisation-cancelled-early',
    about: 'a card authorisation is cancelled before its time',
    file: 'transfers/orders/transfers.authorisations.ts',
    find: 'at.getTime() - days * day_ms',
    replace: 'at.getTime() - (days - 1) * day_ms',
    caughtBy: [{ file: managed, name: 'the service cancels a card authorisation after seven days, once' }],
  },
  {
    name: 'disabled-venture-processed',
    about: 'the bank goes on processing what a disabled venture has ordered',
    file: 'transfers/deciding/transfers.checks.ts',
    find: '?.venture_active !== false) return',
    replace: '?.venture_active !== undefined) return',
    caughtBy: [
      { file: managed, name: 'nothing that a disabled venture ordered is processed, what was sent settles, and what arrives waits' },
    ],
  },
  {
    name: 'sandbox-settles-for-the-bank',
    about: 'the sandbox completes a transfer that the bank processes',
    file: 'sandbox/sandbox.money.ts',
    find: "refuse('processed_by_bank')",
    replace: 'id.at(0)',
    caughtBy: [{ file: managed, name: 'the sandbox does not settle what the bank processes' }],
  },
  {
    name: 'exchange-pumps',
    about: 'small exchanges at the rate of the bank get more than they are worth',
    file: 'transfers/deciding/transfers.amounts.ts',
    find: 'quoted ? convertDown(ownAmount, rate, foreign) : convert(ownAmount, rate, foreign)',
    replace: 'convert(ownAmount, rate, foreign)',
    caughtBy: [
      {
        file: 'transfers/deciding/transfers.amounts.test.ts',
        name: 'the credit at the rate of the bank is rounded down, and an order that would get nothing is refused',
      },
      {
        file: 'transfers/deciding/transfers.amounts.test.ts',
        name: 'no sequence of exchanges there and back at the rates of the bank gains',
      },
    ],
  },
  {
    name: 'rate-inverted',
    about: 'the inverse of a rate serves as a rate',
    file: 'transfers/deciding/transfers.amounts.ts',
    find: 'from_currency === currency && to_currency === foreign)',
    replace: '[from_currency, to_currency].every((each) => each === currency || each === foreign))',
    caughtBy: [{ file: managed, name: 'without a valid rate the order is refused, and the inverse of a rate is not used' }],
  },
  {
    name: 'rate-fee-rounded-down',
    about: 'the fee of an exchange is rounded down',
    file: 'values/money.ts',
    find: 'Decimal.ROUND_HALF_UP',
    replace: 'Decimal.ROUND_DOWN',
    caughtBy: [{ file: managed, name: 'an order in two currencies gets the rate of the bank, and its fee, rounded half up' }],
  },
  {
    name: 'rate-never-expires',
    about: 'an old rate still reserves money',
    file: 'transfers/deciding/transfers.moves.ts',
    find: 'now.getTime() <= Date.parse(transfer.rate_until)',
    replace: 'now.getTime() > 0',
    caughtBy: [
      { file: managed, name: 'an order that reserves its money after its rate has expired is rejected, by the moves of the table' },
    ],
  },
  {
    name: 'rate-for-later',
    about: 'the rate of today is promised for a later day',
    file: 'transfers/deciding/transfers.derive.ts',
    find: 'if (quoted && settlement_date > earliest_settlement_date)',
    replace: 'if (quoted && settlement_date < today)',
    caughtBy: [{ file: managed, name: 'an order in two currencies is for today' }],
  },
  {
    name: 'policy-overwritten',
    about: 'a change of one policy resets the others',
    file: 'policies/policies.ts',
    find: 'const next = { ...current, ...update,',
    replace: 'const next = { ...current, payout_delay_days: 0, ...update,',
    caughtBy: [{ file: 'policies/policies.test.ts', name: 'a change is a new version, which keeps the other fields and who made it' }],
  },
]
