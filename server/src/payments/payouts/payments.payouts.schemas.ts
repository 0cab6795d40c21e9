// Payouts of card money on the wire.
import { type Static, Type } from 'typebox'
import {
  Body,
  CreatedAt,
  CurrencyShown,
  described,
  Id,
  Name,
  Nullable,
  OptionalField,
  Paging,
  Query,
  Resource,
} from '../../platform/http/schemas.ts'

export const Payout = Resource(
  'Payout',
  {
    id: described(Id, 'The id of the payout. The service assigns it.'),
    account_id: described(Id, 'The account that received the money, or from which it was taken back.'),
    transfer_id: described(Id, 'The transfer that credits or debits the account.'),
    payment_id: Nullable(described(Id, 'The payment whose refund or cancellation took the money back. Null: the money was paid out.')),
    currency: CurrencyShown,
    amount: Type.String({ description: 'The amount taken from the payable card money. Below zero if it was taken back from the account.' }),
    fee_amount: Type.String({ description: 'The fee of the bank, which is a part of `amount`.' }),
    net_amount: Type.String({ description: 'What the account received, or paid if it is below zero: `amount` minus `fee_amount`.' }),
    description: Nullable(Type.String({ description: 'The purpose of the transfer, or null.' })),
    created_at: CreatedAt,
  },
  'Card money that was paid out to the venture, or taken back from it.',
)
export type Payout = Static<typeof Payout>

export const PayoutOrder = Body('PayoutOrder', {
  description: OptionalField(described(Name, 'Shown as the purpose of the transfer. Without it, the purpose is "Card payments".')),
})
export type PayoutOrder = Static<typeof PayoutOrder>

export const PayoutList = Query(Paging)
export type PayoutList = Static<typeof PayoutList>

export const PayoutSettings = Resource('PayoutSettings', {
  payout_account_id: Nullable(described(Id, 'The account that receives the card money, every day. Null: nothing is paid out.')),
})
export type PayoutSettings = Static<typeof PayoutSettings>

export const PayoutSettingsUpdate = Body('PayoutSettingsUpdate', {
  payout_account_id: Nullable(
    described(Id, 'The account of the venture that receives the card money, every day; null to pay nothing out.'),
  ),
})
export type PayoutSettingsUpdate = Static<typeof PayoutSettingsUpdate>

const CurrencyBalance = Type.Object({
  currency: CurrencyShown,
  payable: Type.String({
    description: 'What the bank owes the venture. Below zero if the gateway gave back more than is left after payouts.',
  }),
  available: Type.String({
    description: 'The part of `payable` that can be paid out now: neither too recent nor about to be refunded. Never below zero.',
  }),
  paid_out: Type.String({ description: 'The sum of all payouts with their fees, minus what was taken back.' }),
  fees: Type.String({ description: 'The sum of the fees of all payouts.' }),
})

export const CardBalance = Resource('CardBalance', {
  balances: Type.Array(CurrencyBalance, { description: "One for each currency of the venture's card payments." }),
})
export type CardBalance = Static<typeof CardBalance>
