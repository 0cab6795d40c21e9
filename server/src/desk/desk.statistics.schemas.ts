// The schemas of a venture's statistics.
import { type Static, Type } from 'typebox'
import { CalendarDate, Choice, CurrencyShown, described, Query, Resource } from '../platform/http/schemas.ts'
import { transferDirections, transferStatuses } from '../transfers/life/transfers.status.ts'

export const StatisticsQuery = Query({
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 90, default: 30, description: 'How many days transfers are counted for, today included.' }),
  ),
})

const Amount = (description: string) => Type.String({ description })
const Count = (description: string) => Type.Integer({ description: `${description} Counted up to 100: 100 means 100 or more.` })

export const Statistics = Resource('Statistics', {
  since: described(CalendarDate, 'The first day, in UTC, of the counted transfers.'),
  balances: Type.Array(
    Type.Object({
      currency: CurrencyShown,
      accounts: Type.Integer({ description: 'How many accounts are included.' }),
      current_balance: Amount('The sum of their current balances.'),
      reserved_balance: Amount('The sum of their reserved balances.'),
      available_balance: Amount('The sum of their available balances.'),
    }),
    { description: 'The balances of all accounts, by currency.' },
  ),
  balances_truncated: Type.Boolean({
    description: 'Whether the venture has more than 10,000 accounts; only the newest are included.',
  }),
  transfers_by_status: Type.Array(
    Type.Object({
      status: Choice(transferStatuses, { description: 'The status.' }),
      count: Type.Integer({ description: 'How many transfers have this status now.' }),
    }),
    { description: 'The transfers created since then by current status, the most frequent status first.' },
  ),
  volumes: Type.Array(
    Type.Object({
      date: described(CalendarDate, 'The day, in UTC, on which the transfers were created.'),
      currency: CurrencyShown,
      direction: Choice(transferDirections, { description: 'INBOUND: received by accounts. OUTBOUND: sent by accounts.' }),
      count: Type.Integer({ description: 'The number of these transfers.' }),
      amount: Amount('The sum of their amounts on the accounts, without fees.'),
    }),
    {
      description:
        'The amounts of COMPLETED transfers by day of creation, currency and direction, oldest first. Days without any are left out.',
    },
  ),
  transfers_truncated: Type.Boolean({
    description: 'Whether more than 10,000 transfers were created since then; only the newest are counted.',
  }),
  attention: Type.Object(
    {
      transfers: Count('Transfers of any age in REVIEW, ON_HOLD, MANUAL_ACTION or SOME_PROBLEMS.'),
      transfers_to_sign: Count('Transfers of any age in TO_SIGN.'),
      failed_deliveries: Count('Webhook deliveries without further attempts.'),
      disabled_endpoints: Count('Webhook endpoints that receive nothing.'),
      clients_in_verification: Count('Clients in CREATED, PROCESSING or PENDING_REVIEW.'),
    },
    { description: 'What waits for a person.' },
  ),
})
export type Statistics = Static<typeof Statistics>
