// The adapter to gateways of the BPC and RBS family, which includes SATIM's: requests are form POSTs, answers are JSON.
import { createHash, randomInt } from 'node:crypto'
import { parseJson } from '../../platform/http/json.ts'
import { callPartner, PartnerFailure } from '../../platform/outgoing/partner.ts'
import { numericOf } from '../../values/currency.ts'
import { Refusal } from '../../values/refusals.ts'
import { readChange, readRegistration, readStatus } from './payments.gateway.bpc.answers.ts'
import type { CardGateway, Unknown } from './payments.gateway.ts'

type Options = {
  /** A function, because the sandbox knows its address only after it listens. */
  url(): string
  user: string
  password: string
  /** Called for every request that got no clear answer or was rejected. */
  onTrouble?: (operation: string, reason: string) => void
  /** For each request, until the last byte of its answer. */
  timeout_ms?: number
}

export function bpcGateway(options: Options): CardGateway {
  const call = callsOf(options)
  return {
    makeOrderNumber,
    register: (order) => {
      const fields = {
        orderNumber: order.order_number,
        amount: String(order.amount_minor),
        currency: numericOf(order.currency),
        returnUrl: order.return_url,
        failUrl: order.fail_url,
        description: order.description,
        language: order.language.toLowerCase(),
        sessionTimeoutSecs: String(order.session_timeout_s),
      }
      return call('register', fields, readRegistration)
    },
    getStatus: ({ order_id, ...terms }) => call('getOrderStatusExtended', { orderId: order_id }, (answer) => readStatus(answer, terms)),
    refund: async ({ order_id, amount_minor, external_refund_id }) => {
      if (!/^(?!\d+$)[\w-]{1,32}$/.test(external_refund_id)) throw new RangeError('the external_refund_id does not have the required form')
      const fields = { orderId: order_id, amount: String(amount_minor), externalRefundId: external_refund_id }
      return call('refund', fields, readChange)
    },
    reverse: (order_id) => call('reverse', { orderId: order_id }, readChange),
    decline: (order_id) => call('decline', { orderId: order_id }, readChange),
  }
}

const orderNumberCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const orderNumberLength = 10

/** The family takes ten characters: 52 bits, so random numbers hardly ever collide. */
function makeOrderNumber(seed?: string): string {
  if (seed === undefined) {
    return Array.from({ length: orderNumberLength }, () => orderNumberCharacters.charAt(randomInt(orderNumberCharacters.length))).join('')
  }
  const hash = BigInt(`0x${createHash('sha256').update(seed).digest('hex')}`)
  return (hash % 36n ** BigInt(orderNumberLength)).toString(36).toUpperCase().padStart(orderNumberLength, '0')
}

type Result = { kind: string; reason?: string; error_code?: string }
type Call = <R extends Result>(operation: string, fields: Record<string, string>, read: (answer: unknown) => R) => Promise<R | Unknown>

function callsOf(options: Options): Call {
  const post = formPosts(options)
  return async (operation, fields, read) => {
    const posted = await post(operation, fields)
    const result = posted.kind === 'answered' ? read(posted.answer) : posted
    report(operation, result, options.onTrouble)
    return result
  }
}

/** The operator should learn that the gateway is down or rejects our password; the callers of the API alone cannot fix it. */
function report(operation: string, { kind, reason = '', error_code }: Result, onTrouble: Options['onTrouble']): void {
  if (kind === 'unknown') onTrouble?.(operation, reason)
  if (kind === 'rejected') onTrouble?.(operation, `the gateway refused with error ${error_code}`)
}

type Posted = { kind: 'answered'; answer: unknown } | Unknown

function formPosts({ url, user, password, timeout_ms = 5_000 }: Options) {
  return async (operation: string, fields: Record<string, string>): Promise<Posted> => {
    try {
      const body = new URLSearchParams({ userName: user, password, ...fields })
      const headers = { accept: 'application/json' }
      const { status, bytes } = await callPartner(`${url()}/payment/rest/${operation}.do`, { method: 'POST', headers, body, timeout_ms })
      if (status !== 200) return { kind: 'unknown', reason: `the gateway answered with status ${status}` }
      // Any content type will do: gateways of this family label their JSON in many ways.
      return { kind: 'answered', answer: parseJson(bytes) }
    } catch (error) {
      if (error instanceof PartnerFailure) return { kind: 'unknown', reason: error.message }
      if (error instanceof Refusal) return { kind: 'unknown', reason: 'the answer is not JSON' }
      throw error
    }
  }
}
