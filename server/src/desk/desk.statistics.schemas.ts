// The schemas of the figures of a venture.
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
  since: described(CalendarDate, 'The first day, in UTC, whose transfers are counted.'),
  balances: Type.Array(
    Type.Object({
      currency: CurrencyShown,
      accounts: Type.Integer({ description: 'How many accounts are added up.' }),
      current_balance: Amount('The sum of their current balances.'),
      reserved_balance: Amount('The sum of what is reserved.'),
      available_balance: Amount('The sum of what is available.'),
    }),
    { description: 'The balances of all accounts, by currency.' },
  ),
  balances_truncated: Type.Boolean({
    description: 'Whether the venture has more than 10,000 accounts, of which only the newest are added up.',
  }),
  transfers_by_status: Type.Array(
    Type.Object({
      status: Choice(transferStatuses, { description: 'The status.' }),
      count: Type.Integer({ description: 'How many transfers have it now.' }),
    }),
    { description: 'The transfers that were created since then, by their status now. The most frequent status is first.' },
  ),
  volumes: Type.Array(
    Type.Object({
      date: described(CalendarDate, 'The day, in UTC, on which the transfers were created.'),
      currency: CurrencyShown,
      direction: Choice(transferDirections, { description: 'INBOUND: what accounts got. OUTBOUND: what accounts gave.' }),
      count: Type.Integer({ description: 'How many transfers they are.' }),
      amount: Amount('The sum of their amounts on the accounts, without fees.'),
    }),
    {
      description:
        'What COMPLETED transfers have moved, by the day of their creation, currency and direction, oldest first. Days without any are left out.',
    },
  ),
  transfers_truncated: Type.Boolean({
    description: 'Whether more than 10,000 transfers were created since then, of which only the newest are counted.',
  }),
  attention: Type.Object(
    {
      transfers: Count('Transfers of any age in REVIEW, ON_HOLD, MANUAL_ACTION or SOME_PROBLEMS.'),
      transfers_to_sign: Count('Transfers of any age in TO_SIGN.'),
      failed_deliveries: Count('Webhook deliveries for which there are no more attempts.'),
      disabled_endpoints: Count('Webhook endpoints that get nothing.'),
      clients_in_verification: Count('Clients in CREATED, PROCESSING or PENDING_REVIEW.'),
    },
    { description: 'What waits for somebody.' },
  ),
})
export type Statistics = Static<typeof Statistics>
