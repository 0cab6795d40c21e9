// The meaning of a BPC gateway's answers. Pure, and strict about one thing: an unclear answer is `unknown`, never a failure, because money
// may have moved all the same.
import { numericOf } from '../../values/currency.ts'
import type { PaymentStatus } from '../payments.status.ts'
import { maskPan, withoutPans } from './payments.gateway.masking.ts'
import type { ChangeResult, GatewayRefund, OrderTerms, Registration, Rejected, StatusReading, Unknown } from './payments.gateway.ts'

// Error codes that mean "understood, and not done". 7 stands both for an internal error and for an order in the wrong state, and other
// codes are undocumented: after any of those, something may have happened.
const clearlyRefused = {
  register: new Set(['3', '4', '5']),
  other: new Set(['4', '5', '6']),
}
const orderNumberTaken = '1'

export function readRegistration(answer: unknown): Registration {
  return orUnknown(() => {
    const { error_code, fields } = headOf(answer)
    if (error_code === orderNumberTaken) return { kind: 'order_number_taken' }
    if (error_code !== '0') return refusal(error_code, fields, clearlyRefused.register)
    return { kind: 'registered', order_id: idIn(fields, 'orderId'), form_url: webAddressIn(fields, 'formUrl') }
  })
}

/** For refunds, reversals and declines. Only the error code says that they were carried out, so it must be present. */
export function readChange(answer: unknown): ChangeResult {
  return orUnknown(() => {
    const { error_code, fields } = headOf(answer)
    if (error_code !== '0') return refusal(error_code, fields, clearlyRefused.other)
    if (isAbsent(fields['errorCode'])) unclear('errorCode')
    return { kind: 'done' }
  })
}

export function readStatus(answer: unknown, terms: OrderTerms): StatusReading {
  return orUnknown(() => {
    const { error_code, fields } = headOf(answer)
    if (error_code !== '0') return refusal(error_code, fields, clearlyRefused.other)
    const gateway_order_status = integerIn(fields, 'orderStatus') ?? unclear('orderStatus')
    const action_code = integerIn(fields, 'actionCode')
    const refunds = refundsIn(fields)
    const refunded_minor = amountIn(objectIn(fields, 'paymentAmountInfo'), 'refundedAmount') ?? sumOf(refunds)
    const status = statusOf({ gateway_order_status, action_code, refunded_minor }, fields, terms)
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

function statusOf({ gateway_order_status, action_code, refunded_minor }: Facts, fields: Fields, terms: OrderTerms): PaymentStatus {
  switch (gateway_order_status) {
    // Registered, held, at the card issuer, awaited, partly completed: the money has not arrived yet.
    case 0:
    case 1:
    case 5:
    case 7:
    case 8:
      return 'PENDING'
    case 2:
      return fitsTerms(fields, terms) ? 'PAID' : 'FAILED'
    case 3:
      return 'CANCELED'
    case 4:
      if (!fitsTerms(fields, terms)) return 'FAILED'
      return refunded_minor !== null && refunded_minor >= BigInt(terms.amount_minor) ? 'REFUNDED' : 'PAID'
    case 6:
      if (action_code === sessionExpired) return 'EXPIRED'
      return action_code === canceledByPayer ? 'CANCELED' : 'REFUSED'
    default:
      return unclear('orderStatus')
  }
}

/** Whether the gateway took the amount and currency we registered. An answer without them is unclear. */
function fitsTerms(fields: Fields, terms: OrderTerms): boolean {
  const amount = amountIn(fields, 'amount') ?? unclear('amount')
  const currency = integerIn(fields, 'currency') ?? unclear('currency')
  return amount === BigInt(terms.amount_minor) && currency === Number(numericOf(terms.currency))
}

function refundsIn(fields: Fields): GatewayRefund[] {
  const list = fields['refunds'] ?? []
  if (!Array.isArray(list)) return unclear('refunds')
  const refunds: GatewayRefund[] = []
  for (const item of list) {
    if (!isObject(item)) return unclear('refunds')
    // The gateway also lists attempts that the card issuer refused.
    if ((integerIn(item, 'actionCode') ?? 0) !== 0) continue
    refunds.push({
      amount_minor: amountIn(item, 'amount') ?? unclear('refunds'),
      external_refund_id: refundIdIn(item),
      date: timeIn(item, 'date'),
    })
  }
  return refunds
}

/** An id that we could not have sent belongs to a refund that was made by hand at the gateway. */
function refundIdIn({ externalRefundId: id }: Fields): string | null {
  if (isAbsent(id)) return null
  return typeof id === 'string' && /^(?!\d+$)[\w-]{1,32}$/.test(id) ? id : foreignRefundId
}

const foreignRefundId = '(not ours)'

function sumOf(refunds: readonly GatewayRefund[]): bigint | null {
  return refunds.length === 0 ? null : refunds.reduce((sum, { amount_minor }) => sum + amount_minor, 0n)
}

// How fields are read. A field that decides something must be present and valid, or the whole answer is unclear; a field that only
// describes is null if it is not text.

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

function orUnknown<Reading>(read: () => Reading): Reading | Unknown {
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

/** Numbers come as numbers or as text; currency numbers have leading zeros. */
function integerIn(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  if (isAbsent(value)) return undefined
  if (typeof value !== 'number' && typeof value !== 'string') return unclear(name)
  return /^-?\d{1,6}$/.test(String(value)) ? Number(value) : unclear(name)
}

function amountIn(fields: Fields, name: string): bigint | undefined {
  const value = fields[name]
  if (isAbsent(value)) return undefined
  // A larger number lost its last digits when the JSON was parsed.
  if (typeof value === 'number' ? !Number.isSafeInteger(value) : typeof value !== 'string') return unclear(name)
  return /^\d{1,18}$/.test(String(value)) ? BigInt(value as number | string) : unclear(name)
}

/** An id of 12 to 19 digits could be a card number. */
function idIn(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' && /^(?!\d{12,19}$)[\w-]{1,64}$/.test(value) ? value : unclear(name)
}

/** Payers will be sent there. */
function webAddressIn(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string' || value.length > 2048) return unclear(name)
  const url = URL.parse(value)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return unclear(name)
  // Normalised, so that it is safe in a Location header.
  return url.href
}

/** Text without card numbers, control characters and lone surrogates, which the database would reject; at most 255 characters. */
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
