// A profile: how a scheme speaks. Pure data, one file for each scheme. How this bank takes part in a scheme is a participation, a row.
import type { MessageType } from '../../iso20022/iso20022.ts'

/** What a message is sent for. */
export type Job = 'pay' | 'collect' | 'return' | 'ask' | 'recall'

/** What a payee needs for the scheme to reach them. */
export type PayeeNeed = { field: 'iban' | 'bic'; when: 'always' | 'iban_outside_eea' }

export const participationStates = ['ACTIVE', 'SUSPENDED', 'ENDED'] as const

/** What a clearing system wants around and in each message. `header`: an AppHdr (head.001.001.02) before the document; null for none. */
export type Envelope = {
  clearing_code: string | null
  clearing_system: string | null
  instructed_bic: string | null
  header: { root: string; from_bic: string | null; to_bic: string; business_service: string | null } | null
}

/** The terms on which a bank takes part in a scheme. */
export type ParticipationTerms = {
  currency: string
  state: (typeof participationStates)[number]
  calendar: string
  zone: string
  cut_offs: string[]
  lead_days: number
  answer_hours: number | null
  smallest: string | null
  largest: string | null
  prefers: number
  envelope: Envelope
}

export type Profile = {
  /** The method of its transfers, which is also the name of its rail. */
  method: string
  /** The name of its payments, for people. */
  name: string
  /** Used in the ids of its messages. */
  letter: string
  /** One message for each job. A scheme either pays or collects. */
  messages: Partial<Record<Job, MessageType>>
  /** The maximum number of payments in one message. An instant payment travels alone. */
  most: number
  /** Each payment is answered within seconds, around the clock. */
  instant: boolean
  /** Payments leave in packs, at the cut-offs if there are any. */
  packed: boolean
  /** The payment type in its messages. A direct debit adds the scheme of its mandate. */
  payment_type: { service_level: string; local_instrument?: string }
  currencies: readonly string[]
  payee_needs: readonly PayeeNeed[]
  /** The terms on which a bank takes part until it has agreed on others. */
  terms: ParticipationTerms
}
