// What a gateway's answers mean to us. Pure, and strict about one thing: what is not clear is `unknown`, never a failure, because
// money may have moved all the same.
import { numericOf } from '../../values/currency.ts'
import type { PaymentStatus } from '../payments.status.ts'
import { maskPan, withoutPans } from './payments.masking.ts'

/** Nothing is known: ask again. With a code, the gateway did answer, but the code leaves open whether it has done something. */
export type Unknown = { kind: 'unknown'; reason: string; error_code?: string }
/** The gateway understood the request and did nothing. */
export type Rejected = { kind: 'rejected'; error_code: string; error_message: string | null }

export type Registration = { kind: 'registered'; order_id: string; form_url: string } | { kind: 'order_number_taken' } | Rejected | Unknown

export type Outcome = { kind: 'done' } | Rejected | Unknown

/** Money that went back. `external_refund_id` is the one we gave, which is how a repetition is recognised. */
export type GatewayRefund = { amount_minor: bigint; external_refund_id: string | null; date: string | null }

/** The fields are named as those of the payment that they fill. */
export type OrderStatus = {
  kind: 'status'
  status: PaymentStatus
  gateway_order_status: number
  /** `amount_mismatch` when the gateway took another amount or currency than ours. */
  gateway_error_code: string | null
  action_code: string | null
  action_code_description: string | null
  approval_code: string | null
  resp_code: string | null
  resp_code_desc: string | null
  card_brand: string | null
  masked_pan: string | null
  /** Those that succeeded. */
  refunds: GatewayRefund[]
  /** All that went back. Null when the gateway does not tell. */
  refunded_minor: bigint | null
}

/** A rejected question tells nothing about the payment. */
export type StatusReading = OrderStatus | Rejected | Unknown

export type Ours = { amount_minor: bigint | string; currency: string }

// Codes that mean "understood, and not done". 7 is the gateway's own trouble or a state that it does not like, and others are not
// documented: after those something may have happened.
const clearlyRefused = {
  register: new Set(['3', '4', '5']),
  other: new Set(['4', '5', '6']),
}
const orderNumberTaken = '1'

export function readRegistration(answer: unknown): Registration {
  return clearly(() => {
    const { error_code, fields } = headOf(answer)
    if (error_code === orderNumberTaken) return { kind: 'order_number_taken' }
    if (error_code !== '0') return refusal(error_code, fields, clearlyRefused.register)
    return { kind: 'registered', order_id: idIn(fields, 'orderId'), form_url: webAddressIn(fields, 'formUrl') }
  })
}

/** Of refund, reversal and decline. Nothing but the code tells that they were carried out, so here it must be there. */
export function readOutcome(answer: unknown): Outcome {
  return clearly(() => {
    const { error_code, fields } = headOf(answer)
    if (error_code !== '0') return refusal(error_code, fields, clearlyRefused.other)
    if (isAbsent(fields['errorCode'])) unclear('errorCode')
    return { kind: 'done' }
  })
}

export function readStatus(answer: unknown, ours: Ours): StatusReading {
  return clearly(() => {
    const { error_code, fields } = headOf(answer)
    if (error_code !== '0') return refusal(error_code, fields, clearlyRefused.other)
    const gateway_order_status = integerIn(fields, 'orderStatus') ?? unclear('orderStatus')
    const action_code = integerIn(fields, 'actionCode')
    const refunds = refundsIn(fields)
    const refunded_minor = amountIn(objectIn(fields, 'paymentAmountInfo'), 'refundedAmount') ?? sumOf(refunds)
    const status = statusOf({ gateway_order_status, action_code, refunded_minor }, fields, ours)
    const card = objectIn(fields, 'cardAuthInfo')
    const params = objectIn(fields, 'params')
    return {
      kind: 'status',
      status,
      gateway_order_status,
      gateway_error_code: status === 'FAILED' ? 'amount_mismatch' : null,
      action_code: action_code === undefined ? null : String(action_code),
      action_code_description: textIn(fields, 'actionCodeDescription'),
      approval_code: textIn(card, 'approvalCode'),
      resp_code: textIn(params, 'respCode'),
      resp_code_desc: textIn(params, 'respCode_desc'),
      card_brand: textIn(card, 'paymentSystem'),
      masked_pan: typeof card['pan'] === 'string' ? (maskPan(card['pan']) ?? null) : null,
      refunds,
      refunded_minor,
    }
  })
}

type Facts = { gateway_order_status: number; action_code: number | undefined; refunded_minor: bigint | null }

const sessionExpired = -2007
const canceledByPayer = 10

function statusOf({ gateway_order_status, action_code, refunded_minor }: Facts, fields: Fields, ours: Ours): PaymentStatus {
  switch (gateway_order_status) {
    // Registered, held, at the card's bank, awaited, partly completed: none of them is money yet.
    case 0:
    case 1:
    case 5:
    case 7:
    case 8:
      return 'PENDING'
    case 2:
      return isOurs(fields, ours) ? 'PAID' : 'FAILED'
    case 3:
      return 'CANCELED'
    case 4:
      if (!isOurs(fields, ours)) return 'FAILED'
      return refunded_minor !== null && refunded_minor >= BigInt(ours.amount_minor) ? 'REFUNDED' : 'PAID'
    case 6:
      if (action_code === sessionExpired) return 'EXPIRED'
      return action_code === canceledByPayer ? 'CANCELED' : 'REFUSED'
    default:
      return unclear('orderStatus')
  }
}

/** Whether the gateway speaks of our amount and currency. An answer that leaves them out is not clear. */
function isOurs(fields: Fields, ours: Ours): boolean {
  const amount = amountIn(fields, 'amount') ?? unclear('amount')
  const currency = integerIn(fields, 'currency') ?? unclear('currency')
  return amount === BigInt(ours.amount_minor) && currency === Number(numericOf(ours.currency))
}

function refundsIn(fields: Fields): GatewayRefund[] {
  const list = fields['refunds'] ?? []
  if (!Array.isArray(list)) return unclear('refunds')
  const refunds: GatewayRefund[] = []
  for (const item of list) {
    if (!isObject(item)) return unclear('refunds')
    // An attempt that the card's bank refused is listed too.
    if ((integerIn(item, 'actionCode') ?? 0) !== 0) continue
    refunds.push({
      amount_minor: amountIn(item, 'amount') ?? unclear('refunds'),
      external_refund_id: nameIn(item),
      date: timeIn(item, 'date'),
    })
  }
  return refunds
}

/** A name that we would not have given is somebody else's, given by hand at the gateway. */
function nameIn({ externalRefundId: name }: Fields): string | null {
  if (isAbsent(name)) return null
  return typeof name === 'string' && /^(?!\d+$)[\w-]{1,32}$/.test(name) ? name : anothers
}

const anothers = '(not ours)'

function sumOf(refunds: readonly GatewayRefund[]): bigint | null {
  return refunds.length === 0 ? null : refunds.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)
}

// How a field is read. One that decides anything is there and right, or the whole answer is not clear; one that only describes
// is null when it is not a text.

type Fields = Record<string, unknown>

class Unclear extends Error {
  readonly code: { error_code?: string }

  constructor(message: string, code: { error_code?: string } = {}) {
    super(message)
    this.code = code
  }
}

function unclear(field: string): never {
  throw new Unclear(`the answer's ${field} is not understood`)
}

function clearly<Reading>(read: () => Reading): Reading | Unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unclear) return { kind: 'unknown', reason: error.message, ...error.code }
    throw error
  }
}

function headOf(answer: unknown): { error_code: string; fields: Fields } {
  if (!isObject(answer)) throw new Unclear('the answer is not an object')
  return { error_code: String(integerIn(answer, 'errorCode') ?? 0), fields: answer }
}

function refusal(error_code: string, fields: Fields, clear: ReadonlySet<string>): Rejected {
  if (!clear.has(error_code)) throw new Unclear(`the gateway answered with error ${error_code}`, { error_code })
  return { kind: 'rejected', error_code, error_message: textIn(fields, 'errorMessage') }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

function objectIn(fields: Fields, name: string): Fields {
  const value = fields[name]
  return isObject(value) ? value : {}
}

/** Numbers come as numbers or as text, with the leading zeros that currencies have. */
function integerIn(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  if (isAbsent(value)) return undefined
  if (typeof value !== 'number' && typeof value !== 'string') return unclear(name)
  return /^-?\d{1,6}$/.test(String(value)) ? Number(value) : unclear(name)
}

function amountIn(fields: Fields, name: string): bigint | undefined {
  const value = fields[name]
  if (isAbsent(value)) return undefined
  // A larger number has lost its last digits before we saw it.
  if (typeof value === 'number' ? !Number.isSafeInteger(value) : typeof value !== 'string') return unclear(name)
  return /^\d{1,18}$/.test(String(value)) ? BigInt(value as number | string) : unclear(name)
}

/** An id of digits alone could be a card number. */
function idIn(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' && /^(?!\d{12,19}$)[\w-]{1,64}$/.test(value) ? value : unclear(name)
}

/** People will be sent there. */
function webAddressIn(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string' || value.length > 2048) return unclear(name)
  const url = URL.parse(value)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return unclear(name)
  // As a browser reads it, without what has no place in a header.
  return url.href
}

/** Without what the database or a reader would stumble over. */
function textIn(fields: Fields, name: string): string | null {
  const value = fields[name]
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = withoutPans(
    String(value)
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}]+/gu, ' '),
  ).trim()
  return text === '' ? null : [...text].slice(0, 255).join('')
}

/** Milliseconds since 1970, or a time that names its zone. */
function timeIn(fields: Fields, name: string): string | null {
  const value = fields[name]
  const isTime = typeof value === 'number' || (typeof value === 'string' && /(Z|[+-]\d\d:?\d\d)$/.test(value))
  const time = new Date(isTime ? value : Number.NaN)
  return time.getUTCFullYear() >= 1970 && time.getUTCFullYear() <= 9999 ? time.toISOString() : null
}
