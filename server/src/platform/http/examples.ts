// Example requests, which the contract shows and the guards send, and the values that they share.

/** An example request, without the ids in its path. */
export type Example = {
  /** Values of the path that are not ids. */
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
  /** Body fields that only the caller knows, such as a password. */
  own?: readonly string[]
  /** The files of a form, by name. */
  files?: Readonly<Record<string, string>>
  /** Sent by a signed-in person, although keys may call the operation. */
  byPerson?: boolean
  /** The response sets a session cookie. */
  signsIn?: boolean
  /** The verifier signs the body. */
  isSigned?: boolean
}

const id = (number: string): string => `01a1de8a-c9c0-7000-8000-0000000000${number}`

/** The ids in examples, by name. The same id means the same resource in all examples, including those of events. */
export const exampleIds = {
  event_id: id('01'),
  venture_id: id('02'),
  client_id: id('03'),
  application_id: id('05'),
  beneficiary_id: id('06'),
  account_id: id('07'),
  transfer_id: id('08'),
  endpoint_id: id('09'),
  payment_id: id('0a'),
  link_id: id('0b'),
  key_id: id('0c'),
  payout_id: id('0d'),
  mandate_id: id('0e'),
  delivery_id: id('0f'),
  user_id: id('10'),
  invitation_id: id('11'),
  passkey_id: id('12'),
  approval_id: id('13'),
  case_id: id('14'),
  job_id: id('15'),
  pack_id: id('16'),
  message_id: id('17'),
  watchlist_id: id('18'),
  version_id: id('19'),
  screening_id: id('1a'),
  payee_verification_id: id('1b'),
  inbound_payment_id: id('1c'),
  unapplied_payment_id: id('1d'),
  break_id: id('1e'),
  nostro_id: id('1f'),
  bank_payment_id: id('20'),
  logged_request_id: id('21'),
  verification_id: id('22'),
  session_id: id('23'),
  clearing_id: id('24'),
  assignee_id: id('10'),
  maker_id: id('25'),
  payout_account_id: id('07'),
  bank_key_id: id('24'),
  other_case_id: id('26'),
  case_file_id: id('27'),
  question_id: id('28'),
} as const

export const exampleIban = 'DE89370400440532013000'

/** A payment out of the account. */
export const exampleOrder = {
  account_id: exampleIds.account_id,
  unique_reference: 'INVOICE-2026-1001',
  beneficiary_id: exampleIds.beneficiary_id,
  debit_amount: '30.00',
  purpose: 'Invoice 1001',
}

/** The rails in examples: for payments, for instant payments, for direct debits, and for international payments. */
export const exampleRails = { payments: 'SEPA', instant: 'INST', debits: 'SDD', abroad: 'SWIFT' } as const

/** A payment has no mandate, and a collection has neither a beneficiary nor a parent. */
export const orderTrials = {
  pays: { body: { debit_amount: '1.00', mandate_id: null } },
  collects: { body: { credit_amount: '1.00', beneficiary_id: null, parent_transaction_id: null } },
} as const
