// The routes of card payments: those of the venture, and the public one through which payers return.
import { Type } from 'typebox'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { returnOf } from './checkout/payments.return.ts'
import { cancelPayment } from './payments.cancel.ts'
import { refundPayment } from './payments.refunds.ts'
import { Payment, PaymentList, PaymentOrder, RefundOrder } from './payments.schemas.ts'
import { createPayment, getPayment, listPayments, type Payments } from './payments.ts'

const params = PathId('payment_id')
const tags = ['Payments']

export async function paymentRoutes(app: App, { payments }: { payments: Payments }): Promise<void> {
  const keyOf = (request: { venture: { id: string }; params: { payment_id: string } }) => ({
    venture_id: request.venture.id,
    id: request.params.payment_id,
  })

  app.post(
    '/payments',
    {
      schema: {
        operationId: 'createPayment',
        tags,
        summary: 'Create a card payment',
        description:
          'Send the payer to `form_url`. It is null while the gateway does not answer; the payment is then PENDING, and `form_url` is there ' +
          'as soon as the gateway has taken the order.',
        body: PaymentOrder,
        response: { 201: Payment },
      },
    },
    async (request, reply) => {
      const payment = await createPayment(payments, request.venture.id, request.body)
      return reply.code(201).header('location', `/api/v1/payments/${payment.id}`).send(payment)
    },
  )

  app.get(
    '/payments',
    {
      schema: {
        operationId: 'listPayments',
        tags,
        summary: 'List payments, newest first',
        querystring: PaymentList,
        response: { 200: Type.Array(Payment) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listPayments(payments, request.venture.id, request.query)),
  )

  app.get(
    '/payments/:payment_id',
    { schema: { operationId: 'getPayment', tags, summary: 'Get a payment', params, response: { 200: Payment } } },
    async (request) => getPayment(payments, keyOf(request)),
  )

  app.post(
    '/payments/:payment_id/cancel',
    {
      schema: {
        operationId: 'cancelPayment',
        tags,
        summary: 'Cancel a payment',
        description:
          'One that nobody has paid yet can no longer be paid; one that was paid is reversed, as long as nothing of it was refunded. ' +
          'The gateway decides: one that was paid meanwhile is refused with 409.',
        params,
        response: { 200: Payment },
      },
    },
    async (request) => cancelPayment(payments, keyOf(request)),
  )

  app.post(
    '/payments/:payment_id/refund',
    {
      config: { optionalBody: true },
      schema: {
        operationId: 'refundPayment',
        tags,
        summary: 'Give money back',
        description:
          'Without `amount`, all that is left. Asked again under the same `external_refund_id`, or again for all that is left, nothing is ' +
          'given back twice. While the gateway does not answer: 503 `outcome_unknown`, and the refund goes on by itself.',
        params,
        body: RefundOrder,
        response: { 200: Payment },
      },
    },
    async (request) => refundPayment(payments, keyOf(request), request.body),
  )

  app.get(
    '/payments/:payment_id/return',
    {
      config: { key: 'none' },
      schema: {
        operationId: 'returnFromPayment',
        tags,
        summary: 'Where the gateway sends the payer back to',
        description:
          'Asks the gateway what has become of the payment and sends the payer to its `success_url` or `fail_url`, with `payment_id` and ' +
          '`status` added. Nothing else in the address has any effect.',
        params,
        response: { 302: Type.Null() },
      },
    },
    async (request, reply) => {
      const { returns } = request.query as { returns?: unknown }
      const count = typeof returns === 'string' && /^[0-3]$/.test(returns) ? Number(returns) : 0
      const place = await returnOf(payments, request.params.payment_id, count)
      return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(place, 302)
    },
  )
}
