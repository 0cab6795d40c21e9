// For tests: the tables of the design document, copied as text and parsed here. This file shares no rules with the code that it tests.
import assert from 'node:assert/strict'
import type { Kind } from './transfers.flows.ts'
import type { Circumstances, Facts, MovingTransfer, Standing } from './transfers.guards.ts'
import type { TransferStatus } from './transfers.status.ts'

// ——— The tables of the design ———

const flowTable = `
| sending    | OUTBOUND | SEPA INST SWIFT DOMESTIC   | screened held sent     |
| receiving  | INBOUND  | SEPA INST SWIFT DOMESTIC   | screened received      |
| book       | OUTBOUND | INTERNAL SDD_INTERNAL CARD | screened held          |
| book       | INBOUND  | INTERNAL SDD_INTERNAL CARD | screened               |
| collected  | OUTBOUND | SDD                        | screened received held |
| collecting | INBOUND  | SDD                        | screened sent          |`

const bookTypes = 'FEE FEE_CANCELLATION ADJUSTMENT CCY_EXCHANGE FX_POSITION_CLOSING'

const vocabularyTable = `
| sending receiving book collected collecting | CREATED REVIEW ON_HOLD READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING AML_APPROVED AML_REJECTED |
| sending receiving book collected collecting | MANUAL_ACTION MANUAL_REJECTED SOME_PROBLEMS COMPLETED REJECTED INVALID CANCELLED |
| sending book collecting                     | TO_SIGN SIGNED |
| sending book collected                      | TO_RESERVE RESERVED |
| sending collecting                          | READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR TO_RESEND TO_CANCEL ACCEPTED |
| book                                        | TO_CANCEL |
| receiving                                   | RECEIVED CREDIT_TECH_BALANCE TO_RETURN DROPPED ACCEPTED |
| collected                                   | RECEIVED DROPPED ACCEPTED |`

const moveTable = `
| CREATED | TO_SIGN SIGNED TO_RESERVE RESERVED READY_FOR_SCREENING RECEIVED REVIEW ON_HOLD CANCELLED REJECTED INVALID DROPPED |
| TO_SIGN | SIGNED ON_HOLD CANCELLED MANUAL_REJECTED INVALID |
| SIGNED | TO_RESERVE RESERVED READY_FOR_SCREENING REVIEW ON_HOLD CANCELLED INVALID |
| TO_RESERVE | RESERVED REJECTED ON_HOLD SOME_PROBLEMS CANCELLED |
| RESERVED | READY_FOR_SCREENING READY_TO_CLEAR ACCEPTED COMPLETED REVIEW ON_HOLD TO_CANCEL CANCELLED REJECTED |
| RECEIVED | READY_FOR_SCREENING CREDIT_TECH_BALANCE TO_RETURN MANUAL_ACTION REJECTED INVALID DROPPED |
| READY_FOR_SCREENING | BLACKLIST_SCANNING AML_SCANNING REVIEW ON_HOLD SOME_PROBLEMS TO_CANCEL CANCELLED |
| BLACKLIST_SCANNING | AML_SCANNING AML_APPROVED AML_REJECTED REVIEW ON_HOLD SOME_PROBLEMS |
| AML_SCANNING | AML_APPROVED AML_REJECTED REVIEW ON_HOLD SOME_PROBLEMS |
| REVIEW | READY_FOR_SCREENING AML_APPROVED AML_REJECTED MANUAL_ACTION MANUAL_REJECTED ON_HOLD CREDIT_TECH_BALANCE TO_RETURN TO_CANCEL CANCELLED |
| AML_APPROVED | TO_RESERVE RESERVED READY_TO_CLEAR ACCEPTED COMPLETED CREDIT_TECH_BALANCE ON_HOLD TO_CANCEL CANCELLED |
| READY_TO_CLEAR | SENT_TO_PACK SENT_TO_CLEAR ON_HOLD MANUAL_ACTION INVALID TO_CANCEL CANCELLED |
| SENT_TO_PACK | PACKED READY_TO_CLEAR SOME_PROBLEMS INVALID TO_CANCEL |
| PACKED | SENT_TO_CLEAR READY_TO_CLEAR SOME_PROBLEMS TO_CANCEL |
| SENT_TO_CLEAR | ACCEPTED COMPLETED REJECTED TO_RESEND SOME_PROBLEMS TO_CANCEL |
| ACCEPTED | COMPLETED REJECTED CREDIT_TECH_BALANCE TO_RETURN SOME_PROBLEMS TO_CANCEL |
| TO_RESEND | READY_TO_CLEAR SENT_TO_PACK SENT_TO_CLEAR MANUAL_ACTION TO_CANCEL |
| SOME_PROBLEMS | MANUAL_ACTION ON_HOLD REVIEW TO_RESEND TO_CANCEL REJECTED COMPLETED |
| ON_HOLD | the status it came from, REVIEW MANUAL_ACTION MANUAL_REJECTED TO_RETURN TO_CANCEL CANCELLED |
| MANUAL_ACTION | READY_FOR_SCREENING TO_RESERVE READY_TO_CLEAR TO_RESEND ACCEPTED COMPLETED CREDIT_TECH_BALANCE TO_RETURN MANUAL_REJECTED REJECTED DROPPED TO_CANCEL CANCELLED |
| TO_CANCEL | CANCELLED REJECTED SENT_TO_CLEAR ACCEPTED COMPLETED MANUAL_ACTION SOME_PROBLEMS |
| CREDIT_TECH_BALANCE | READY_FOR_SCREENING ACCEPTED COMPLETED TO_RETURN ON_HOLD MANUAL_ACTION |
| TO_RETURN | REJECTED ON_HOLD MANUAL_ACTION SOME_PROBLEMS |
| COMPLETED CANCELLED REJECTED INVALID DROPPED AML_REJECTED MANUAL_REJECTED | terminal |`

// Not in the design's table: a transfer that needs nothing before COMPLETED can reach it without a review.
const noNeedsTable = `
| CREATED SIGNED | COMPLETED |`

const factTable = `
| BLACKLIST_SCANNING AML_SCANNING | scanned                   |
| AML_APPROVED                    | screened                  |
| READY_FOR_SCREENING             | not scanned, not screened |
| RESERVED                        | held                      |
| SENT_TO_CLEAR                   | sent                      |
| TO_RESEND                       | not sent                  |
| RECEIVED                        | received                  |`

// Guard, target statuses, source status ("but X Y": every status except X and Y), and the conditions, of which one must hold. The first
// failing row decides. The row about RECEIVED on a closed account is not in the design: money frozen there could never be moved out. The
// rows from not_cleared on belong to edition 2; the last one belongs to managed processing.
const guardTable = `
| screening_required   | READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR ACCEPTED COMPLETED | any | screened or no need of screened |
| screening_required   | AML_APPROVED                                                        | any | scanned |
| reservation_required | READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR ACCEPTED COMPLETED | any | held or no need of held |
| already_reserved     | TO_RESERVE RESERVED                                                 | any | not held |
| not_sent             | ACCEPTED COMPLETED                                                  | any | sent or no need of sent |
| not_sent             | TO_RESEND                                                           | any | sent |
| not_sent             | SENT_TO_CLEAR                                                       | TO_CANCEL | sent |
| not_received         | CREATED TO_SIGN SIGNED TO_RESERVE RESERVED READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING REVIEW | any | received or no need of received |
| not_received         | AML_APPROVED READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR ACCEPTED TO_RESEND SOME_PROBLEMS        | any | received or no need of received |
| not_received         | MANUAL_ACTION TO_CANCEL CREDIT_TECH_BALANCE TO_RETURN COMPLETED                                       | any | received or no need of received |
| already_sent         | INVALID MANUAL_REJECTED AML_REJECTED READY_FOR_SCREENING REVIEW     | any | not sent |
| already_sent         | TO_RESERVE RESERVED READY_TO_CLEAR SENT_TO_PACK PACKED              | any | not sent |
| already_sent         | SENT_TO_CLEAR                                                       | but TO_CANCEL | not sent |
| already_sent         | REJECTED CANCELLED TO_RESEND                                        | any | not sent or the scheme's word |
| in_suspense          | CANCELLED INVALID DROPPED MANUAL_REJECTED                           | any | not received or not receiving |
| in_suspense          | REJECTED                                                            | but TO_RETURN | not received or not receiving |
| account_closed       | RESERVED                                                            | any | account open |
| account_closed       | RECEIVED                                                            | any | account open or not receiving |
| account_closed       | COMPLETED                                                           | any | account open or OUTBOUND |
| account_closed       | COMPLETED                                                           | any | receiver open |
| not_cleared          | COMPLETED                                                           | any | cleared |
| client_blocked       | RESERVED SENT_TO_PACK PACKED SENT_TO_CLEAR                          | any | client free or sent or INBOUND |
| client_blocked       | READY_TO_CLEAR                                                      | but SENT_TO_PACK PACKED | client free or sent or INBOUND |
| client_blocked       | COMPLETED                                                           | any | client free or sent or INBOUND or not book |
| account_frozen       | RESERVED SENT_TO_PACK PACKED SENT_TO_CLEAR                          | any | account not frozen or sent or INBOUND |
| account_frozen       | READY_TO_CLEAR                                                      | but SENT_TO_PACK PACKED | account not frozen or sent or INBOUND |
| account_frozen       | COMPLETED                                                           | any | account not frozen or sent or INBOUND or not book |
| signature_not_requested | SIGNED                                                           | but TO_SIGN | signed at will |`

// Methods, the currencies that leave or enter the bank, the largest amount, what a beneficiary needs, and the types, as of edition 2.
const methodTable = `
| SEPA INST    | EUR on both sides | 999999999.99 | IBAN of a SEPA country, outside the EEA also a BIC                    | payments bookings |
| SDD          | EUR               | 999999999.99 | IBAN of a SEPA country                                                | payments bookings |
| SDD_INTERNAL | EUR               | 999999999.99 | IBAN of a SEPA country, account of this venture                       | payments          |
| DOMESTIC     | USD               | –            | routing and account number                                            | payments bookings |
| SWIFT        | any               | –            | IBAN, or account number with BIC, SWIFT code or routing number        | payments bookings |
| INTERNAL     | any               | –            | account of this venture                                               | payments          |
| CARD         | any               | –            | –                                                                     | cards             |`

const typeTable = `
| payments | PAYMENT PAYMENT_RETURN PAYMENT_REVERSAL PAYMENT_TECHNICAL_REVERSAL PAYMENT_CANCELLATION |
| bookings | FEE FEE_CANCELLATION ADJUSTMENT CCY_EXCHANGE FX_POSITION_CLOSING |
| cards    | CARD_AUTH CARD_ADVICE CARD_CLEARING CARD_REVERSAL |`

// ——— Parsing the tables ———

const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
const words = new Map<string, readonly string[]>()

/** Cached: tests ask for the same rows millions of times. */
function wordsOf(text = ''): readonly string[] {
  const found = words.get(text) ?? text.split(' ')
  words.set(text, found)
  return found
}

const designFlows = rowsOf(flowTable).map(([flow, direction, methods, needs]) => ({
  flow,
  direction,
  methods: wordsOf(methods),
  needs: wordsOf(needs),
}))
const designVocabulary = rowsOf(vocabularyTable).map(([flows, statuses]) => ({ flows: wordsOf(flows), statuses: wordsOf(statuses) }))
const readMoves = (table: string) => new Map(rowsOf(table).flatMap(([from, to = '']) => wordsOf(from).map((one) => [one, to] as const)))
export const designMoves = readMoves(moveTable)
const noNeedsMoves = readMoves(noNeedsTable)
export const designFacts = rowsOf(factTable).map(([statuses, changes = '']) => ({
  statuses: wordsOf(statuses),
  changes: changes.split(', '),
}))
const designGuards = rowsOf(guardTable).map(([guard, to, from = '', passes = '']) => ({
  guard,
  to: wordsOf(to),
  from,
  passes: passes.split(' or '),
}))

const typesOfGroup = new Map(rowsOf(typeTable).map(([group, types]) => [group, wordsOf(types)] as const))
/** The rows of the table of methods, one for each method. */
export const designMethods = rowsOf(methodTable).flatMap(([methods, currency = '', largest = '', beneficiary = '', groups]) =>
  wordsOf(methods).map((method) => ({
    method,
    currencies: currency === 'any' ? 'any' : currency.split(' ').slice(0, 1),
    exchanges: !currency.endsWith(' on both sides'),
    largest: largest === '–' ? null : largest,
    beneficiary,
    types: wordsOf(groups).flatMap((group) => typesOfGroup.get(group) ?? []),
  })),
)

type Design = { flow: string; needs: ReadonlySet<string>; statuses: ReadonlySet<string> }

const cache = new Map<string, Design>()

/** Flow, needs and statuses of a kind of transfer according to the tables. */
export function design({ direction, method, transfer_type }: Kind): Design {
  const key = `${direction} ${method} ${transfer_type}`
  const found = cache.get(key) ?? readDesign({ direction, method, transfer_type })
  cache.set(key, found)
  return found
}

function readDesign({ direction, method, transfer_type }: Kind): Design {
  const type = wordsOf(bookTypes).includes(transfer_type)
  const found = designFlows.find((row) => row.direction === direction && (type ? row.flow === 'book' : row.methods.includes(method)))
  assert.ok(found)
  const { flow = '' } = found
  const needs = new Set(found.needs)
  // Only card types can be ordered over CARD. A debit of another type is older than that rule and is screened.
  const isExempt = method === 'CARD' && (transfer_type.startsWith('CARD_') || direction === 'INBOUND')
  if (type || isExempt) needs.delete('screened')
  if (method === 'CARD' && transfer_type === 'CARD_REVERSAL') needs.delete('held')
  const statuses = new Set(designVocabulary.filter(({ flows }) => flows.includes(flow)).flatMap((row) => row.statuses))
  if (!needs.has('held')) for (const status of ['TO_RESERVE', 'RESERVED']) statuses.delete(status)
  return { flow, needs, statuses }
}

/** The statuses in a status's row, plus those for kinds that need nothing. */
function followersOf(status: TransferStatus, needs: Design['needs']): readonly string[] {
  const listed = wordsOf(designMoves.get(status))
  return needs.size === 0 ? [...listed, ...wordsOf(noNeedsMoves.get(status))] : listed
}

/** What blocks a move according to the tables, or undefined. */
export function designBlock(
  transfer: MovingTransfer,
  to: TransferStatus,
  circumstances: Circumstances,
  { flow, needs, statuses } = design(transfer),
) {
  const row = designMoves.get(transfer.status) ?? ''
  if (row === 'terminal') return 'transfer_terminal'
  if (row.startsWith('the status it came from') && transfer.on_hold_from === to) return undefined
  if (!statuses.has(transfer.status) || !statuses.has(to) || !followersOf(transfer.status, needs).includes(to))
    return 'transfer_transition_not_allowed'
  const truths: Record<string, boolean> = {
    "the scheme's word": circumstances.third_party_status_given,
    'account open': !circumstances.account_closed,
    'receiver open': !circumstances.receiver_closed,
    'client free': !circumstances.client_blocked,
    'account not frozen': !circumstances.account_frozen,
    cleared: !circumstances.uncleared,
    'signed at will': !circumstances.signed_on_request,
    OUTBOUND: transfer.direction === 'OUTBOUND',
    INBOUND: transfer.direction === 'INBOUND',
    'not receiving': flow !== 'receiving',
    'not book': flow !== 'book',
  }
  for (const fact of ['scanned', 'screened', 'held', 'sent', 'received'] as const) {
    truths[fact] = transfer[fact]
    truths[`not ${fact}`] = !transfer[fact]
    truths[`no need of ${fact}`] = !needs.has(fact)
  }
  const comesFrom = (from: string) =>
    from === 'any' || (from.startsWith('but ') ? !wordsOf(from).includes(transfer.status) : from === transfer.status)
  return designGuards.find((row) => row.to.includes(to) && comesFrom(row.from) && !row.passes.some((truth) => truths[truth]))?.guard
}

/** The statuses that follow the transfer's status in the tables, ignoring the guards. */
export function designNext({ status, on_hold_from, ...kind }: MovingTransfer): TransferStatus[] {
  const { statuses, needs } = design(kind)
  const listed = followersOf(status, needs).filter((word) => statuses.has(word) && word !== on_hold_from) as TransferStatus[]
  return on_hold_from === null ? listed : [on_hold_from, ...listed]
}

/** The standing after a move according to the tables: the new status and the changed facts. */
export function designAfter({ on_hold_from, ...standing }: Standing, to: TransferStatus): Standing {
  const after = { ...standing, status: to, on_hold_from: to === 'ON_HOLD' ? standing.status : null }
  if (standing.status === 'ON_HOLD' && on_hold_from === to) return after
  for (const change of designFacts.filter(({ statuses }) => statuses.includes(to)).flatMap(({ changes }) => changes)) {
    after[change.replace('not ', '') as keyof Facts] = !change.startsWith('not ')
  }
  return after
}
