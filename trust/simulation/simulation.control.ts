// Who may do what in a venture whose transfers the bank processes, as a reader of the design would say it. It shares only types with the
// deciding code. What this file forbids must be refused, and a refusal for this reason must be explained by it.
import type { OrderedCommand } from '../../server/src/transfers/deciding/transfers.commands.ts'
import type { TransferUpdate } from '../../server/src/transfers/life/transfers.schemas.ts'
import type { TransferStatus } from '../../server/src/transfers/life/transfers.status.ts'
import type { RefusalCode } from '../../server/src/values/refusals.ts'
import { isOver, type Noted } from './simulation.model.ts'
import { directionOf, type Scene } from './simulation.orders.ts'

export type Bound = 'venture' | 'person' | undefined

/** Whom the rules bind: the venture, and a person of the bank who acts alone. */
export function boundOf({ actor, approved }: Pick<OrderedCommand, 'actor' | 'approved'>): Bound {
  if (actor.kind === 'venture' || actor.kind === 'user') return 'venture'
  return actor.kind === 'operator' && approved !== true ? 'person' : undefined
}

export const codeOf: Record<NonNullable<Bound>, RefusalCode> = { venture: 'reserved_to_bank', person: 'approval_required' }

/** The currency on the other side, as far as an order names it. */
function otherCurrency(scene: Scene): string {
  const { order, receiver, account } = scene
  const named = directionOf(scene) === 'OUTBOUND' ? (order.credit_currency ?? receiver?.currency) : order.debit_currency
  return named ?? account.currency
}

export function isOrderReserved(scene: Scene, today: string, bound: NonNullable<Bound>): boolean {
  const { order, parent, beneficiary, account } = scene
  const [way, type] = [directionOf(scene), order.transfer_type ?? 'PAYMENT']
  if (bound === 'person' && way === 'OUTBOUND') return true
  const paid = parent?.transfer
  const weeks = paid === undefined ? 99 : (Date.parse(today) - Date.parse(paid.settlement_date)) / (7 * 86_400_000)
  const pays = way === 'OUTBOUND' && type === 'PAYMENT' && /^(SEPA|INST|SWIFT|DOMESTIC|INTERNAL)?$/.test(order.method ?? '')
  const givesBack = way === 'OUTBOUND' && type === 'PAYMENT_RETURN' && parent?.status !== 'AML_REJECTED'
  const asksBack = way === 'INBOUND' && type === 'PAYMENT_RETURN' && paid?.direction === 'OUTBOUND' && paid.method === 'SDD' && weeks <= 8
  if (!pays && !givesBack && !asksBack) return true
  if (order.exchange_rate != null || order.fx_fee_amount != null) return true
  if (otherCurrency(scene) !== account.currency && order.debit_amount != null && order.credit_amount != null) return true
  if (Object.entries(order).some(([field, value]) => field.startsWith('dr_') && value != null)) return true
  if (order.cr_name != null && order.cr_name !== beneficiary?.name) return true
  return order.settlement_date != null && order.settlement_date < today
}

const unsent = /^(CREATED|TO_SIGN|SIGNED|TO_RESERVE|RESERVED|READY_FOR_SCREENING|AML_APPROVED|READY_TO_CLEAR|SENT_TO_PACK|PACKED)$/

function ventureMay({ status, sent, before_hold, heldByBank }: Noted, to: TransferStatus): boolean {
  const cancels = to === 'CANCELLED' || to === 'TO_CANCEL'
  if (status === 'ON_HOLD') return !heldByBank && (to === before_hold || cancels)
  if (to === 'SIGNED') return true
  if (cancels) return !sent && unsent.test(status)
  return to === 'ON_HOLD' && unsent.test(status) && !/PACK/.test(status)
}

/** Whether a move puts money that arrived by IBAN into suspense for a case, or takes it from there. */
export function needsCase({ transfer, status, exempt }: Noted, to: TransferStatus): boolean {
  const waits = (at: TransferStatus) => at === 'CREDIT_TECH_BALANCE'
  return exempt && transfer.direction === 'INBOUND' && transfer.parent_transaction_id === null && waits(status) !== waits(to)
}

/** Only the client's side signs its orders, not even two people of the bank. A hold may end there. */
export function isTheirSignature(
  { status, before_hold }: Noted,
  to: TransferStatus | undefined,
  { actor }: Pick<OrderedCommand, 'actor'>,
): boolean {
  return actor.kind === 'operator' && to === 'SIGNED' && !isOver(status) && !(status === 'ON_HOLD' && before_hold === to)
}

const ofTheScheme = /^(third_party_|bank_partner_|signed_at$)/

/** `frozen`: the bank has frozen the account, before the transfer was sent. */
export function isUpdateReserved(noted: Noted, update: TransferUpdate, bound: NonNullable<Bound>, frozen: boolean): boolean {
  const fields = Object.entries(update).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  if (fields.some((field) => ofTheScheme.test(field) || (bound === 'venture' && field === 'status_reason_code'))) return true
  const { status: to } = update
  if (to === undefined || to === noted.status || isOver(noted.status)) return false
  const venture = !frozen && ventureMay(noted, to)
  if (bound === 'venture') return noted.orderedByBank || !venture
  const isDecided = noted.status === 'REVIEW' || (noted.status === 'ON_HOLD' && noted.heldByBank)
  const ends = venture && /CANCEL/.test(to)
  return !ends && to !== 'ON_HOLD' && !(to === 'MANUAL_ACTION' && !isDecided)
}
