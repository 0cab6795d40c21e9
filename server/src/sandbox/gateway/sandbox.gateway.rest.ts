// The sandbox gateway's REST endpoints for the merchant: form POSTs in, JSON out, refusals as an `errorCode` in a response of status 200.

import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Database } from '../../platform/database/database.ts'
import { anybody } from '../../platform/http/access.ts'
import { type Form, readForm } from '../../platform/http/forms.ts'
import type { App } from '../../platform/http/http.ts'
import { isUuid } from '../../platform/http/validation.ts'
import { currencyCodes, numericOf } from '../../values/currency.ts'
import { actionCodes } from './sandbox.gateway.cards.ts'
import {
  cancelOrder,
  findOrder,
  isPaid,
  languages,
  type NewOrder,
  type Order,
  refundedOf,
  refundOrder,
  registerOrder,
  standingOf,
} from './sandbox.gateway.orders.ts'

type Options = {
  database: Database
  /** The page where the payer enters a card. */
  formUrl(id: string): string
  /** The longest time for which a request about a silent order hangs. */
  silence_s: number
  credentials: Credentials
}

type Credentials = { user: string; password: string }

/** 1: order number taken; 3: unknown currency; 4: missing value; 5: wrong value, or access denied; 6: no such order; 7: not allowed now. */
class Fault extends Error {
  readonly code: 1 | 3 | 4 | 5 | 6 | 7

  constructor(code: Fault['code'], message: string) {
    super(message)
    this.code = code
  }
}

export function restRoutes(app: App, { database, formUrl, silence_s, credentials }: Options): void {
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort())

  function endpoint(name: string, carryOut: (form: Form, reply: FastifyReply) => Promise<object>): void {
    const options = {
      config: { access: anybody, rawBody: true, createsNothing: 'It stands in for a partner, which does not support the header.' },
      schema: { hide: true },
    } as const
    app.post(`/payment/rest/${name}.do`, options, async (request, reply) => {
      try {
        const form = readForm(request.body)
        requireCredentials(form, credentials)
        return await carryOut(form, reply)
      } catch (error) {
        if (error instanceof Fault) return { errorCode: String(error.code), errorMessage: error.message }
        throw error
      }
    })
  }

  /** The order of the request. If the gateway is silent about it, the request hangs until the caller gives up. */
  async function requireOrder(form: Form, reply: FastifyReply): Promise<Order> {
    const id = required(form, 'orderId')
    const order = isUuid(id) ? await findOrder(database, id) : undefined
    if (order === undefined) throw new Fault(6, 'There is no such order')
    if (order.silent) {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      await sleep(silence_s * 1000, undefined, { signal: AbortSignal.any([gone.signal, stopping.signal]) }).catch(() => {})
      throw new Fault(7, 'System error')
    }
    return order
  }

  endpoint('register', async (form) => {
    const { order, session_s } = readOrder(form)
    const registered = await registerOrder(database, order, session_s)
    if (registered === undefined) throw new Fault(1, 'An order with this number was registered before')
    // As BPC / RBS gateways do: the code is present only on an error.
    return { orderId: registered.id, formUrl: formUrl(registered.id) }
  })

  endpoint('getOrderStatusExtended', async (form, reply) => describe(await requireOrder(form, reply)))

  endpoint('refund', async (form, reply) => {
    const { id } = await requireOrder(form, reply)
    const amount = Number(required(form, 'amount', amountPattern))
    const external_refund_id = optional(form, 'externalRefundId', /^[\w-]{1,32}$/) ?? null
    switch (await refundOrder(database, id, { amount, external_refund_id })) {
      case 'wrong_state':
        throw wrongState()
      case 'too_much':
        throw new Fault(7, 'The refund is larger than what is left of the payment')
      case 'id_used':
        throw new Fault(5, 'There is a refund of another amount with this externalRefundId')
      case 'done':
        return success
    }
  })

  for (const name of ['reverse', 'decline'] as const) {
    endpoint(name, async (form, reply) => {
      const { id } = await requireOrder(form, reply)
      if (!(await cancelOrder(database, id, name))) throw wrongState()
      return success
    })
  }
}

const success = { errorCode: '0', errorMessage: 'Success' }

function wrongState(): Fault {
  return new Fault(7, 'The payment is not in the right state')
}

function requireCredentials(form: Form, { user, password }: Credentials): void {
  if (form.get('userName') !== user || form.get('password') !== password) throw new Fault(5, 'Access denied')
}

// As many digits as a JavaScript number represents exactly.
const amountPattern = /^[1-9]\d{0,14}$/
const numericCodes = new Set(currencyCodes.map(numericOf))

function readOrder(form: Form): { order: NewOrder; session_s: number } {
  const order_number = required(form, 'orderNumber', /^[\w-]{1,32}$/)
  const amount = Number(required(form, 'amount', amountPattern))
  const currency = required(form, 'currency')
  if (!numericCodes.has(currency)) throw new Fault(3, 'This currency is not known')
  const return_url = webAddress('returnUrl', required(form, 'returnUrl'))
  const fail_url = webAddress('failUrl', form.get('failUrl') || return_url)
  const description = optional(form, 'description', /^\P{Cc}{0,512}$/u) ?? ''
  const language = languages.find((language) => language === (form.get('language') || 'en'))
  if (language === undefined) throw wrongValue('language')
  const session_s = Number(optional(form, 'sessionTimeoutSecs', /^[1-9]\d{0,5}$/) ?? 1200)
  return { order: { order_number, amount, currency, description, language, return_url, fail_url }, session_s }
}

function required(form: Form, name: string, pattern = /^/): string {
  return optional(form, name, pattern) ?? missing(name)
}

/** An empty value counts as missing. */
function optional(form: Form, name: string, pattern: RegExp): string | undefined {
  const value = form.get(name) || undefined
  if (value !== undefined && !pattern.test(value)) throw wrongValue(name)
  return value
}

function missing(name: string): never {
  throw new Fault(4, `${name} is missing`)
}

function wrongValue(name: string): Fault {
  return new Fault(5, `${name} has a wrong value`)
}

function webAddress(name: string, text: string): string {
  const address = URL.parse(text)
  if (address === null || !/^https?:$/.test(address.protocol) || address.href.length > 2048) throw wrongValue(name)
  return address.href
}

function describe(order: Order): object {
  const { order_status, action_code } = standingOf(order)
  const meaning = actionCodes.get(action_code)
  const paid = isPaid(order)
  return {
    ...success,
    orderNumber: order.order_number,
    orderStatus: order_status,
    actionCode: action_code,
    actionCodeDescription: meaning?.description ?? '',
    amount: order.amount,
    currency: order.currency,
    date: Date.parse(order.created_at),
    orderDescription: order.description,
    attributes: [{ name: 'mdOrder', value: order.id }],
    ...(order.masked_pan === null
      ? {}
      : {
          cardAuthInfo: {
            pan: order.masked_pan,
            paymentSystem: order.payment_system,
            ...(paid ? { approvalCode: order.approval_code } : {}),
          },
        }),
    params: meaning?.resp_code === undefined ? {} : { respCode: meaning.resp_code, respCode_desc: meaning.resp_code_desc },
    paymentAmountInfo: {
      approvedAmount: paid ? order.amount : 0,
      depositedAmount: paid ? order.amount : 0,
      refundedAmount: refundedOf(order),
    },
    refunds: order.refunds.map(({ external_refund_id, amount, created_at }) => ({
      amount,
      actionCode: 0,
      date: Date.parse(created_at),
      ...(external_refund_id === null ? {} : { externalRefundId: external_refund_id }),
    })),
  }
}
