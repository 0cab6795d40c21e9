// The methods whose payments leave the bank as messages, and what these messages say of them. A method that is not here is carried out by hand, by
// the card gateway, or within the bank.
import type { CreditTransfer } from '../../iso20022/iso20022.ts'
import { methods } from './transfers.methods.ts'
import type { TransferMethod } from './transfers.status.ts'

type RailRecord = {
  /** What people call what it carries. */
  name: string
  /** In the ids of its messages. */
  letter: string
  /** How many payments one message has at most. An instant payment travels alone. */
  most: number
  /** What its messages say of each payment. A direct debit adds the scheme of its mandate. */
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

/** The rail of what comes in or leaves without an order that names a method. */
export const railOf = { payment: 'SEPA', instant: 'INST', debit: 'SDD' } as const satisfies Record<string, Rail>

/** The rail over which the house pays out, whatever rail the money came by. */
export const payoutRail = railOf.payment

/** Payments of these leave in packs, at cut-offs if there are any. */
export const packedRails = rails.filter((rail) => methods[rail].packed)
/** Payments of these leave at once. */
export const instantRails = rails.filter((rail) => methods[rail].instant)
/** Over these the bank collects. All others pay. */
export const collectingRails = rails.filter((rail) => methods[rail].flow.INBOUND === 'collecting')
export const payingRails = rails.filter((rail) => !collectingRails.includes(rail))

export function recordOf(method: TransferMethod): RailRecord {
  const rail = rails.find((each) => each === method)
  if (rail === undefined) throw new Error(`${method} has no messages`)
  return railRecords[rail]
}

/** The rail that a payment came over, by the local instrument of its message. */
export function railOfPayment(local_instrument: string | undefined): Rail {
  const named = payingRails.find((rail) => railRecords[rail].payment_type.local_instrument === (local_instrument ?? ''))
  return named ?? railOf.payment
}
