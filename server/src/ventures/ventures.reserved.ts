// The actions that the bank reserves to itself in MANAGED ventures: one table of operations and conditions, with reasons. The checks, the
// guide and `transitions` read it. This folder may not import transfers, clients or accounts, so each condition declares the fields that it
// needs.
import { type By, isVentures } from '../platform/actor.ts'
import { refuse } from '../values/refusals.ts'

type Given = string | number | null | undefined

/** The fields of an order that only the bank may set. */
export const debtorFields = [
  'dr_name',
  'dr_iban',
  'dr_bank_bic',
  'dr_address',
  'dr_bank_name',
  'dr_city',
  'dr_country_code',
  'dr_postal_code',
] as const
const schemeFields = ['third_party_status', 'third_party_status_code', 'third_party_status_reason'] as const
const partnerFields = ['bank_partner_id', 'bank_partner_trx_id'] as const

/** The facts that the conditions of each operation use. */
export type Subjects = {
  createTransfer: {
    direction: string
    transfer_type: string
    /**
     * Properties of the method in the order. Undefined if the order names none: the service then chooses one that the venture may use.
     */
    method: { ventureOrders: boolean; collects: boolean } | undefined
    /** `refund_days`: of the parent's method. */
    parent: { direction: string; status: string; settlement_date: string; refund_days: number | null } | undefined
    /** Whether the order names a mandate. A later check decides whether the mandate allows the order. */
    names_mandate: boolean
    beneficiary_name: string | undefined
    two_currencies: boolean
    today: string
    order: { [Field in (typeof debtorFields)[number] | 'cr_name' | 'settlement_date' | 'exchange_rate' | 'fx_fee_amount']?: Given } & {
      debit_amount?: Given
      credit_amount?: Given
    }
  }
  createTransfers: object
  updateTransfer: {
    /** Undefined if the update does not change the status, or if the transfer has ended. */
    move: Move | undefined
    ordered_by_bank: boolean
    update: { [Field in (typeof schemeFields)[number] | (typeof partnerFields)[number] | 'status_reason_code' | 'signed_at']?: Given }
  }
  createBeneficiary: object
  updateBeneficiary: object
  createMandate: object
  createPayout: object
  updatePayoutSettings: { payout_account_id: string | null }
  refundPayment: object
  cancelPayment: { status: string }
  updateAccount: { raises_limit: boolean }
  registerPerson: { kyc_level?: string; risk_level?: string }
  updateClient: {
    client: ClientMarks & { blocked_by_bank: boolean; blacklisted_by_bank: boolean }
    update: { [Field in keyof ClientMarks]?: ClientMarks[Field] | undefined }
  }
  activateAccount: { frozen_by_bank: boolean }
  closeAccount: { frozen_by_bank: boolean }
}

type ClientMarks = { blocked: boolean; is_blacklisted: boolean; blacklisted_comment: string | null; risk_level: string }

/** `frozen`: before the transfer was sent, the bank froze the account or stopped its client. */
type Move = { from: string; to: string; on_hold_from: string | null; on_hold_by_bank: boolean; sent: boolean; frozen: boolean }

export type Operation = keyof Subjects

type Row<Name extends Operation> = {
  operation: Name
  /** Who is bound by the row: ventures' keys and people, the bank's people (who then need an approval), or both. */
  binds: 'ventures' | 'people' | 'both'
  /** The condition in words, for the guide and the refusal. */
  what: string
  reason: string
  applies(subject: Subjects[Name]): boolean
}

/** A row without the types of its condition. */
export type Reservation = Pick<Row<Operation>, 'operation' | 'binds' | 'what' | 'reason'>

function row<Name extends Operation>(
  operation: Name,
  binds: Row<Name>['binds'],
  [what, reason]: readonly [what: string, reason: string],
  applies: Row<Name>['applies'],
): Row<Name> {
  return { operation, binds, what, reason, applies }
}

const bookings = ['FEE', 'FEE_CANCELLATION', 'ADJUSTMENT', 'CCY_EXCHANGE', 'FX_POSITION_CLOSING']
const cardTypes = ['CARD_AUTH', 'CARD_ADVICE', 'CARD_CLEARING', 'CARD_REVERSAL']
const reversals = ['PAYMENT_REVERSAL', 'PAYMENT_TECHNICAL_REVERSAL', 'PAYMENT_CANCELLATION']
/** The statuses in which a venture may cancel a transfer, and those in which it may put one ON_HOLD. */
export const cancellable = [
  'CREATED',
  'TO_SIGN',
  'SIGNED',
  'TO_RESERVE',
  'RESERVED',
  'READY_FOR_SCREENING',
  'AML_APPROVED',
  'READY_TO_CLEAR',
  'SENT_TO_PACK',
  'PACKED',
]
export const holdable = cancellable.filter((status) => status !== 'SENT_TO_PACK' && status !== 'PACKED')

/** The moves that a venture may make: signing, cancelling an unsent transfer, and holding, unless the bank has frozen the money. */
export function ventureMayMove({ from, to, on_hold_from, on_hold_by_bank, sent, frozen }: Move): boolean {
  if (frozen) return false
  const cancels = (to === 'CANCELLED' || to === 'TO_CANCEL') && !sent
  if (from === 'ON_HOLD') return !on_hold_by_bank && (to === on_hold_from || cancels)
  return to === 'SIGNED' || (cancels && cancellable.includes(from)) || (to === 'ON_HOLD' && holdable.includes(from))
}

/** The moves that one person of the bank may make alone: those that stop a transfer, and the cancellations that the venture may make. */
function operatorMayMove(move: Move): boolean {
  const { from, to, on_hold_by_bank } = move
  const waitsForDecision = from === 'REVIEW' || (from === 'ON_HOLD' && on_hold_by_bank)
  const cancels = (to === 'CANCELLED' || to === 'TO_CANCEL') && ventureMayMove(move)
  return cancels || to === 'ON_HOLD' || (to === 'MANUAL_ACTION' && !waitsForDecision)
}

const isSet = (value: Given): boolean => value != null
/** From lowest to highest. */
const risks = ['Low', 'Medium', 'High']
const riskOf = (risk_level = ''): number => risks.indexOf(risk_level)

const isNamed = (value: unknown): boolean => value !== undefined

/** Whether a direct debit can still be returned. The days are counted from its settlement. */
function isRefundable(
  { direction, settlement_date, refund_days }: NonNullable<Subjects['createTransfer']['parent']>,
  today: string,
): boolean {
  const days = (Date.parse(today) - Date.parse(settlement_date)) / 86_400_000
  return direction === 'OUTBOUND' && refund_days !== null && days <= refund_days
}

/** Whether an order collects money by direct debit. */
function isCollection({ direction, method, transfer_type }: Pick<Subjects['createTransfer'], 'direction' | 'method' | 'transfer_type'>) {
  return direction === 'INBOUND' && method?.collects === true && transfer_type === 'PAYMENT'
}

const table = [
  row(
    'createTransfer',
    'both',
    [`A transfer of type ${bookings.join(', ')}`, "It is booked between the account and the bank's own books."],
    ({ transfer_type }) => bookings.includes(transfer_type),
  ),
  row(
    'createTransfer',
    'both',
    [`A transfer of type ${cardTypes.join(', ')}`, 'The card scheme reports it to the bank.'],
    ({ transfer_type }) => cardTypes.includes(transfer_type),
  ),
  row(
    'createTransfer',
    'both',
    [`A transfer of type ${reversals.join(', ')}`, 'The clearing scheme reports it to the bank.'],
    ({ transfer_type }) => reversals.includes(transfer_type),
  ),
  row(
    'createTransfer',
    'both',
    [
      'An INBOUND transfer over SDD without `mandate_id`, unless it returns a direct debit',
      'Collecting money by direct debit needs a mandate.',
    ],
    (subject) => isCollection(subject) && !subject.names_mandate,
  ),
  row(
    'createTransfer',
    'both',
    [
      'Any other INBOUND transfer, except a collection with a mandate, and the PAYMENT_RETURN of a direct debit that the account paid in the last eight weeks',
      'Only the bank knows what money has arrived.',
    ],
    (subject) => {
      const { direction, transfer_type, parent, today } = subject
      if (isCollection(subject)) return false
      return direction === 'INBOUND' && !(transfer_type === 'PAYMENT_RETURN' && parent !== undefined && isRefundable(parent, today))
    },
  ),
  row(
    'createTransfer',
    'both',
    [
      'An OUTBOUND PAYMENT over SDD, SDD_INTERNAL or CARD',
      "A direct debit comes from the creditor's bank, a card transaction from the card scheme.",
    ],
    ({ direction, transfer_type, method }) => direction === 'OUTBOUND' && transfer_type === 'PAYMENT' && method?.ventureOrders === false,
  ),
  row(
    'createTransfer',
    'both',
    ['A PAYMENT_RETURN of money that is frozen in suspense', 'The money was never credited, and the bank decides what happens to it.'],
    ({ transfer_type, parent }) => transfer_type === 'PAYMENT_RETURN' && parent?.status === 'AML_REJECTED',
  ),
  row(
    'createTransfer',
    'both',
    ['`exchange_rate` or `fx_fee_amount`', "The rate and the fee come from the bank's rate table."],
    ({ order }) => isSet(order.exchange_rate) || isSet(order.fx_fee_amount),
  ),
  row(
    'createTransfer',
    'both',
    ['Both amounts of a transfer in two currencies', "The second amount follows from the bank's rate."],
    ({ order, two_currencies }) => two_currencies && isSet(order.debit_amount) && isSet(order.credit_amount),
  ),
  row(
    'createTransfer',
    'both',
    [
      'Any `dr_*` field, unless the transfer collects money with a mandate',
      "The debtor is the account's client, whom the bank has identified.",
    ],
    (subject) => !isCollection(subject) && debtorFields.some((field) => isSet(subject.order[field])),
  ),
  row(
    'createTransfer',
    'both',
    ["A `cr_name` other than the beneficiary's", 'The bank screens the beneficiary.'],
    ({ order, beneficiary_name }) => isSet(order.cr_name) && order.cr_name !== beneficiary_name,
  ),
  row(
    'createTransfer',
    'both',
    ['A `settlement_date` in the past', 'A payment cannot settle before it is ordered.'],
    ({ order, today }) => typeof order.settlement_date === 'string' && order.settlement_date < today,
  ),
  row(
    'createTransfer',
    'people',
    [
      'Any transfer',
      "A client's money leaves only if the client's side or two people of the bank have ordered it. Money that arrives by direct debit leaves another person's account.",
    ],
    () => true,
  ),
  row(
    'createTransfers',
    'people',
    ['Many transfers in one request', 'The bank orders one payment at a time, so that a second person sees each one.'],
    () => true,
  ),
  row(
    'updateTransfer',
    'ventures',
    ['Any move of a transfer that the bank ordered', 'The bank processes its own transfers.'],
    ({ move, ordered_by_bank }) => move !== undefined && ordered_by_bank,
  ),
  row(
    'updateTransfer',
    'ventures',
    [
      'Any move of an OUTBOUND transfer that was not sent, once the bank has frozen its account or blocked or blacklisted its client',
      'Only the bank can lift its own freeze.',
    ],
    ({ move }) => move?.frozen === true,
  ),
  row(
    'updateTransfer',
    'ventures',
    [
      `Every move except SIGNED; CANCELLED and TO_CANCEL before the transfer is sent, from ${cancellable.join(', ')}; ON_HOLD from ${holdable.join(', ')}; and back from an ON_HOLD of the venture's own, or from there to CANCELLED or TO_CANCEL`,
      'Screening, clearing and settlement belong to the bank.',
    ],
    ({ move }) => move !== undefined && !ventureMayMove(move),
  ),
  row(
    'updateTransfer',
    'people',
    [
      'Every move except ON_HOLD; CANCELLED and TO_CANCEL where the venture may make them now; MANUAL_ACTION, unless from REVIEW or from an ON_HOLD of the bank; and SIGNED, which nobody at the bank may make',
      'Moves that let a payment continue, end a review or record what the scheme has done take the decision of a case, or two people.',
    ],
    ({ move }) => move !== undefined && !operatorMayMove(move),
  ),
  row(
    'updateTransfer',
    'both',
    [schemeFields.map((field) => `\`${field}\``).join(', '), 'They say what the clearing scheme answered to the bank.'],
    ({ update }) => schemeFields.some((field) => isNamed(update[field])),
  ),
  row(
    'updateTransfer',
    'both',
    [partnerFields.map((field) => `\`${field}\``).join(', '), "They identify the transfer at the bank's partner."],
    ({ update }) => partnerFields.some((field) => isNamed(update[field])),
  ),
  row('updateTransfer', 'ventures', ['`status_reason_code`', 'It is the code that the bank reports to the scheme.'], ({ update }) =>
    isNamed(update.status_reason_code),
  ),
  row('updateTransfer', 'both', ['`signed_at`', 'The service records when a transfer is signed.'], ({ update }) =>
    isNamed(update.signed_at),
  ),
  row('createBeneficiary', 'people', ['Creating a beneficiary', "It makes a later payment of a client's money possible."], () => true),
  row('updateBeneficiary', 'people', ['Showing or hiding a beneficiary', 'It decides which beneficiaries a client sees.'], () => true),
  row('createMandate', 'people', ['Registering a mandate', 'It allows collecting money from another person.'], () => true),
  row('createPayout', 'people', ['Paying out card money', "It moves the venture's money."], () => true),
  row(
    'updatePayoutSettings',
    'people',
    ['Setting an account for card money', 'Card money is paid out to it every day.'],
    ({ payout_account_id }) => payout_account_id !== null,
  ),
  row('refundPayment', 'people', ['Refunding a card payment', "It takes the venture's money."], () => true),
  row(
    'cancelPayment',
    'people',
    ['Cancelling a card payment that is PAID', "It gives the venture's money back to the payer."],
    ({ status }) => status === 'PAID',
  ),
  row(
    'updateAccount',
    'people',
    ['Raising or removing a limit', 'It makes a larger payment possible.'],
    ({ raises_limit }) => raises_limit,
  ),
  row(
    'registerPerson',
    'both',
    ['`kyc_level` NOT_REQUIRED', 'The bank decides who needs no verification, and it takes two of its people.'],
    ({ kyc_level }) => kyc_level === 'NOT_REQUIRED',
  ),
  row('registerPerson', 'ventures', ['`risk_level`', 'The bank assesses the risk of a client.'], ({ risk_level }) => isNamed(risk_level)),
  row(
    'updateClient',
    'ventures',
    ['A change of `risk_level`', 'The bank assesses the risk of a client.'],
    ({ client, update }) => isNamed(update.risk_level) && update.risk_level !== client.risk_level,
  ),
  row(
    'updateClient',
    'ventures',
    ['A change of `is_blacklisted` or `blacklisted_comment`', 'The bank keeps the blacklist.'],
    ({ client, update }) =>
      (isNamed(update.is_blacklisted) && update.is_blacklisted !== client.is_blacklisted) ||
      (isNamed(update.blacklisted_comment) && update.blacklisted_comment !== client.blacklisted_comment),
  ),
  row(
    'updateClient',
    'people',
    ['Lowering `risk_level`', 'A client with a lower risk is checked less often.'],
    ({ client, update }) => isNamed(update.risk_level) && riskOf(update.risk_level) < riskOf(client.risk_level),
  ),
  row(
    'updateClient',
    'both',
    ['Unblocking a client whom the bank blocked', 'Only the bank can lift its own block.'],
    ({ client, update }) => client.blocked_by_bank && update.blocked === false,
  ),
  row(
    'updateClient',
    'people',
    ['Taking a client whom the bank blacklisted off the blacklist', 'It takes two people to reverse a blacklisting by the bank.'],
    ({ client, update }) => client.blacklisted_by_bank && update.is_blacklisted === false,
  ),
  row(
    'activateAccount',
    'both',
    ['Activating an account that the bank froze', 'Only the bank can lift its own freeze.'],
    ({ frozen_by_bank }) => frozen_by_bank,
  ),
  row(
    'closeAccount',
    'both',
    ['Closing an account that the bank froze', 'Only the bank can lift its own freeze.'],
    ({ frozen_by_bank }) => frozen_by_bank,
  ),
] as const

export const reservations: readonly Reservation[] = table

type Code = 'reserved_to_bank' | 'approval_required' | 'key_seen_by_bank'

/**
 * The first row that reserves an operation of a MANAGED venture from this actor, and the code of the refusal; undefined if the operation
 * may be carried out. A key that the bank has seen is bound by the rows for both sides: it belongs to the venture, and the bank's people
 * could use it.
 */
export function reservationOf<Name extends Operation>(
  operation: Name,
  subject: Subjects[Name],
  { actor, approved = false }: Pick<By, 'actor' | 'approved'>,
): (Reservation & { code: Code }) | undefined {
  const find = (other: Row<Name>['binds'], code: Code) => {
    const row = (table as readonly Row<Operation>[]).find(
      (row) => row.operation === operation && row.binds !== other && (row as Row<Name>).applies(subject),
    )
    return row && { ...row, code }
  }
  const asVenture = isVentures(actor) ? find('people', 'reserved_to_bank') : undefined
  if (asVenture !== undefined || approved) return asVenture
  if (actor.kind === 'operator') return find('ventures', 'approval_required')
  return actor.seen_by_bank === true ? find('ventures', 'key_seen_by_bank') : undefined
}

/** Refuses an operation of a MANAGED venture that is reserved to the bank, or that one person of the bank may not carry out alone. */
export function requireUnreserved<Name extends Operation>(
  operation: Name,
  subject: Subjects[Name],
  by: Pick<By, 'actor' | 'approved'>,
  /** The sequence of the resource, for the person who requests the approval. */
  sequence?: number,
): void {
  const reservation = reservationOf(operation, subject, by)
  if (reservation === undefined) return
  const { what, reason, code } = reservation
  refuse(code, {
    detail: `${what}: ${inDetail[code]}. ${reason}`,
    reserved: what,
    reason,
    ...(code !== 'approval_required' || sequence === undefined ? {} : { sequence }),
  })
}

const inDetail: Record<Code, string> = {
  reserved_to_bank: 'reserved to the bank',
  approval_required: 'needs an approval or the decision of a case',
  key_seen_by_bank: 'needs a key that the bank has not seen',
}

const operations: Record<Operation, string> = {
  createTransfer: 'Create a transfer',
  createTransfers: 'Create many transfers',
  updateTransfer: 'Update a transfer',
  createBeneficiary: 'Create a beneficiary',
  updateBeneficiary: 'Update a beneficiary',
  createMandate: 'Register a mandate',
  createPayout: 'Pay out card money',
  updatePayoutSettings: 'Set the account for card money',
  refundPayment: 'Refund a card payment',
  cancelPayment: 'Cancel a card payment',
  updateAccount: 'Update an account',
  registerPerson: 'Register a client',
  updateClient: 'Update a client',
  activateAccount: 'Activate an account',
  closeAccount: 'Close an account',
}

const boundInWords: Record<Reservation['binds'], readonly [ventures: string, people: string]> = {
  ventures: ['reserved', '–'],
  people: ['–', 'approval'],
  both: ['reserved', 'approval'],
}

/** The tables for the guide, one for each operation. */
export function reservedMarkdown(): string {
  const sections = Object.entries(operations).map(([operation, title]) => {
    const rows = reservations
      .filter((row) => row.operation === operation)
      .map(({ binds, what, reason }) => ['', what, reason, ...boundInWords[binds], ''].join(' | ').trim())
    return `## ${title}

| What | Why | Venture | Person at the bank |
|---|---|---|---|
${rows.join('\n')}
`
  })
  return `# Reserved to the bank

In a venture whose \`control\` is \`MANAGED\`, the bank processes the transfers. For actions that the following tables mark as reserved, the venture's
keys and people get 403 \`reserved_to_bank\`, and nothing is stored. Actions marked with approval take two people of the bank: with four-eyes approval,
a person's request gets 202 and an approval, and is carried out when a second person approves; the admin key gets 403 \`person_needed\`. Without
four-eyes approval, it is carried out immediately. A dash means that the row does not apply. Outside the sandbox, both columns apply to a
[key that the bank has seen](bank.md#api-keys): where a person at the bank needs an approval, the key gets 403 \`key_seen_by_bank\`. Ventures whose \`control\` is \`OPEN\` are not restricted.

${sections.join('\n')}`
}
