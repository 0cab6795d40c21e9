// The schemas of lists, bulk requests, entries, transitions and flows.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
  CreatedAt,
  CurrencyShown,
  Dates,
  described,
  Id,
  Nullable,
  Paging,
  Problem,
  Query,
  Resource,
  Search,
} from '../../platform/http/schemas.ts'
import { flowNames } from '../life/transfers.flows.ts'
import {
  Currency,
  Direction,
  Method,
  mostOrders,
  Text,
  Transfer,
  TransferOrder,
  TransferStatus,
  TransferType,
} from '../life/transfers.schemas.ts'
import { flows } from '../life/transfers.status.ts'

const Atomic = Type.Optional(
  Type.Boolean({
    default: true,
    description:
      'true (default): all orders are carried out, or none. false: each order is carried out or refused independently of the others.',
  }),
)

/** A request with many orders, as the contract describes it. */
export const TransferBulk = Body('TransferBulk', {
  atomic: Atomic,
  transfers: Type.Array(TransferOrder, {
    minItems: 1,
    maxItems: mostOrders,
    description:
      'The orders, each with the fields of a single create. They are checked and carried out one after the other, in this order.',
  }),
})

/** The same without its orders, each of which is checked separately: an invalid one gets its own result. */
export const BulkEnvelope = Body('BulkEnvelope', {
  atomic: Atomic,
  transfers: Type.Array(Type.Unknown(), { minItems: 1, maxItems: mostOrders }),
})

export const BulkResult = Resource('TransferBulkResult', {
  created: Type.Integer({ description: 'How many orders were carried out.' }),
  refused: Type.Integer({
    description: 'How many orders were refused. Always 0 if `atomic` is true, because one refusal then refuses the whole request.',
  }),
  results: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'The position of the order in `transfers`, from 0.' }),
      transfer: Type.Optional(Transfer),
      problem: Type.Optional(Problem),
    }),
    {
      description:
        'One result for each order, in the same order: `transfer`, the created transfer, or `problem`, the refusal that a single ' +
        'create would give.',
    },
  ),
})
export type BulkResult = Static<typeof BulkResult>

const filters = {
  beneficiary_id: Type.Optional(described(Id, 'Returns only transfers to this beneficiary.')),
  direction: Type.Optional(described(Direction, 'Returns only transfers in this direction.')),
  status: Type.Optional(described(TransferStatus, 'Returns only transfers with this status.')),
  transfer_type: Type.Optional(described(TransferType, 'Returns only transfers of this type.')),
  method: Type.Optional(described(Method, 'Returns only transfers over this rail.')),
  currency: Type.Optional(described(Currency, 'Returns only transfers whose credit or debit currency is this one, an ISO 4217 code.')),
  ...Dates,
  search: Search,
}

export const TransferList = Query({
  ...Paging,
  account_id: Type.Optional(described(Id, 'Returns only transfers of this account.')),
  ...filters,
})
export type TransferList = Static<typeof TransferList>

export const TransferEntry = Resource('TransferEntry', {
  id: described(Id, 'The id of the entry. Later entries have greater ids.'),
  journal_id: described(Id, 'The journal of the entry. The entries of a journal sum to zero in each currency.'),
  account_id: Nullable(described(Id, "The client's account on which it was booked; null for a system account.")),
  system_account: Text(
    "The venture's own account on which it was booked, with its currency, such as `settlement:SEPA:EUR` or `fees:EUR`; null for a " +
      "client's account.",
  ),
  currency: CurrencyShown,
  amount: Type.String({ description: 'Positive for money into the account, negative for money out of it.' }),
  balance: Text('The current balance of the account after the entry; null for a system account.'),
  created_at: CreatedAt,
})
export type TransferEntry = Static<typeof TransferEntry>

export const Transition = Resource('TransferTransition', {
  status: described(TransferStatus, 'A status that can follow the current one.'),
  allowed: Type.Boolean({ description: 'Whether the move is possible now.' }),
  blocked_by: Nullable(Type.String({ description: 'The error code with which the move would be refused now.' })),
  needs_third_party_status: Type.Boolean({
    description: "Whether the move needs the clearing scheme's answer, sent as `third_party_status` in the same request.",
  }),
})
export type Transition = Static<typeof Transition>

const Statuses = (description: string) => Type.Array(TransferStatus, { description })
const Need = (description: string) => Type.Boolean({ description })

export const TransferFlow = Resource('TransferFlow', {
  name: Choice(flowNames, {
    description:
      'The name of the flow, or of its variant: some book transfers need no screening or no hold, and so have fewer statuses and moves.',
  }),
  flow: Choice(flows, { description: 'The flow. The guide Transfers describes the five.' }),
  needs: Type.Object(
    {
      screened: Need('Whether the transfer must have been screened.'),
      held: Need('Whether its money must be held.'),
      sent: Need('Whether it must have been sent to the clearing scheme.'),
      received: Need('Whether its money must have been received.'),
    },
    { description: 'The conditions for COMPLETED.' },
  ),
  statuses: Statuses('The statuses that transfers in this flow can have.'),
  moves: Type.Array(
    Type.Object({
      from: described(TransferStatus, 'The status before the move.'),
      to: described(TransferStatus, 'The status after it.'),
    }),
    {
      description:
        'All moves. A status without a move is terminal. From ON_HOLD, a transfer can also return to the status that it was held in.',
    },
  ),
  carries: Type.Array(
    Type.Object({
      direction: Direction,
      method: Method,
      transfer_types: Type.Array(TransferType, { description: 'The types of transfers.' }),
    }),
    { description: 'Which transfers have this flow. It never changes during the life of a transfer.' },
  ),
})
