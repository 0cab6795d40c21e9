// The methods whose payments leave the bank in messages, and how the messages describe the payments. Payments of other methods are carried out by hand,
// by the card gateway, or within the bank.
import type { CreditTransfer } from '../../iso20022/iso20022.ts'
import { methods } from './transfers.methods.ts'
import type { TransferMethod } from './transfers.status.ts'

type RailRecord = {
  /** The name of its payments, for people. */
  name: string
  /** Used in the ids of its messages. */
  letter: string
  /** The maximum number of payments in one message. An instant payment travels alone. */
  most: number
  /** The payment type in its messages. A direct debit adds the scheme of its mandate. */
  payment_type: NonNullable<CreditTransfer['payment_type']>
}

const records = {
  SEPA: { name: 'SEPA credit transfers', letter: 'S', most: 5_000, payment_type: { service_level: 'SEPA' } },
  INST: { name: 'SEPA instant', letter: 'I', most: 1, payment_type: { service_level: 'SEPA', local_instrument: 'INST' } },
  SDD: { name: 'SEPA direct debits', letter: 'D', most: 5_000, payment_type: { service_level: 'SEPA' } },
} satisfies Partial<Record<TransferMethod, RailRecord>>

export type Rail = keyof typeof records

export const railRecords: Readonly<Record<Rail, RailRecord>> = records
export const rails = Object.keys(records) as readonly Rail[]

/** The default rails, for payments without an order that names a method. */
export const railOf = { payment: 'SEPA', instant: 'INST', debit: 'SDD' } as const satisfies Record<string, Rail>

/** The rail of the house's own payments, regardless of the rail on which the money arrived. */
export const payoutRail = railOf.payment

/** Rails whose payments leave in packs, at the cut-offs if there are any. */
export const packedRails = rails.filter((rail) => methods[rail].packed)
/** Rails whose payments leave at once. */
export const instantRails = rails.filter((rail) => methods[rail].instant)
/** Rails for collecting money. All others are for paying. */
export const collectingRails = rails.filter((rail) => methods[rail].flow.INBOUND === 'collecting')
export const payingRails = rails.filter((rail) => !collectingRails.includes(rail))

export function recordOf(method: TransferMethod): RailRecord {
  const rail = rails.find((each) => each === method)
  if (rail === undefined) throw new Error(`${method} has no messages`)
  return railRecords[rail]
}

/** The rail of an incoming payment, from the local instrument of its message. */
export function railOfPayment(local_instrument: string | undefined): Rail {
  const named = payingRails.find((rail) => railRecords[rail].payment_type.local_instrument === (local_instrument ?? ''))
  return named ?? railOf.payment
}
