// The routes of card payments: those of the venture, and the public one to which payers return.
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Approval, type Approvals, fourEyes, isApproval, sendOrWait } from '../audit/audit.ts'
import { alone, anybody, changes, empowering, partly, reads, together } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { returnOf } from './checkout/payments.return.ts'
import { cancelByBank, cancelPayment } from './payments.cancel.ts'
import { refundPayment, resumeRefund } from './payments.refunds.ts'
import { Payment, PaymentList, PaymentOrder, RefundOrder } from './payments.schemas.ts'
import { createPayment, getPayment, listPayments, type Payments } from './payments.ts'

const params = PathId('payment_id')
const tags = ['Payments']

export async function paymentRoutes(app: App, { payments, approvals }: { payments: Payments; approvals: Approvals }): Promise<void> {
  const keyOf = (request: { venture: { id: string }; params: { payment_id: string } }) => ({
    venture_id: request.venture.id,
    id: request.params.payment_id,
  })
  // The answer to a repeated request if the first one was interrupted while it was calling the gateway.
  const getMade = ({ venture }: FastifyRequest, id: string) => getPayment(payments, { venture_id: venture.id, id })
  const finishRefund = (request: Parameters<typeof keyOf>[0], external_refund_id: string) =>
    resumeRefund(payments, { ...keyOf(request), external_refund_id })

  app.post(
    '/payments',
    {
      config: {
        access: empowering(changes('payments', alone('A payer pays the venture.'))),
        audit: 'people',
        refusals: ['gateway_missing'],
        creates: { answer: getMade, location: ({ id }) => `/api/v1/payments/${id}` },
        another: { amount: '6.00' },
        example: {
          body: {
            amount: '12.50',
            currency: 'EUR',
            success_url: 'https://shop.example/thanks',
            fail_url: 'https://shop.example/sorry',
            order_ref: 'ORDER-1001',
            description: 'Two books',
          },
        },
      },
      schema: {
        operationId: 'createPayment',
        tags,
        summary: 'Create a card payment',
        description:
          'Send the payer to `form_url`. It is null if the card gateway does not respond; the payment is then PENDING, and `form_url` is set as soon ' +
          'as the gateway has registered the order.',
        body: PaymentOrder,
        response: { 201: Payment },
      },
    },
    async (request) => createPayment(payments, request.venture.id, request.body, request.companions),
  )

  app.get(
    '/payments',
    {
      config: { access: reads('payments'), refusals: [] },
      schema: {
        operationId: 'listPayments',
        tags,
        summary: 'List payments, newest first',
        description: 'All card payments of the venture, created by its server or through a payment link.',
        querystring: PaymentList,
        response: { 200: Type.Array(Payment) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listPayments(payments, request.venture.id, request.query)),
  )

  app.get(
    '/payments/:payment_id',
    {
      config: { access: reads('payments'), refusals: ['payment_not_found'] },
      schema: {
        operationId: 'getPayment',
        tags,
        summary: 'Get a payment',
        description: 'The payment as it is now. Reading a PENDING payment does not refresh it: the service polls the gateway on its own.',
        params,
        response: { 200: Payment },
      },
    },
    async (request) => getPayment(payments, keyOf(request)),
  )

  app.post(
    '/payments/:payment_id/cancel',
    {
      config: {
        access: changes(
          'payments',
          partly("Cancelling a paid payment sends the venture's money back to the payer. One person cancels an unpaid one."),
        ),
        audit: 'people',
        refusals: ['payment_not_found', 'payment_transition_not_allowed', 'gateway_missing', 'payable_insufficient', ...fourEyes],
        createsNothing: 'A payment is canceled once.',
        trial: { fresh: 'payment' },
      },
      schema: {
        operationId: 'cancelPayment',
        tags,
        summary: 'Cancel a payment',
        description:
          'An unpaid payment can no longer be paid; a paid payment is reversed, provided that no part of it was refunded. The card gateway ' +
          'decides: if the payment was paid in the meantime, the response is 409. With four-eyes approval, two people of the bank cancel a paid ' +
          'payment of a MANAGED venture: the response to the first is then an approval, with status 202.',
        params,
        response: { 200: Payment, 202: Approval },
      },
    },
    async (request, reply) => {
      const { venture, actor, companions } = request
      return actor.kind === 'operator'
        ? sendOrWait(reply, await cancelByBank(payments, approvals, { venture, id: request.params.payment_id }, { actor, companions }))
        : cancelPayment(payments, keyOf(request), { managed: venture.control === 'MANAGED', by: { actor, companions } })
    },
  )

  app.post(
    '/payments/:payment_id/refund',
    {
      config: {
        access: empowering(changes('payments', together("It takes the venture's money."))),
        audit: 'people',
        refusals: [
          'payment_not_found',
          'payment_transition_not_allowed',
          'refund_exceeds_payment',
          'refund_exists',
          'refund_refused',
          'payable_insufficient',
          'gateway_missing',
          ...fourEyes,
        ],
        optionalBody: true,
        creates: { answer: finishRefund, waits: isApproval },
        another: { amount: '0.20' },
        example: { body: { amount: '0.50', external_refund_id: 'refund-1001' } },
        trial: { body: { amount: '0.10' } },
      },
      schema: {
        operationId: 'refundPayment',
        tags,
        summary: 'Refund a payment',
        description:
          'Refunds `amount`, or the whole remaining amount. Repeating the request with the same `external_refund_id`, or again for the whole ' +
          'remaining amount, does not refund the money twice. While the card gateway does not respond, the response is 503 `outcome_unknown` and ' +
          'the refund continues in the background. With four-eyes approval, two people of the bank refund a payment of a MANAGED venture: the ' +
          'response to the first is then an approval, with status 202.',
        params,
        body: RefundOrder,
        response: { 200: Payment, 202: Approval },
      },
    },
    async ({ venture, params: { payment_id: id }, body: order, actor, companions }, reply) =>
      sendOrWait(reply, await refundPayment(payments, approvals, { venture, id, order }, { actor, companions })),
  )

  app.get(
    '/payments/:payment_id/return',
    {
      config: { access: anybody, refusals: ['payment_not_found'] },
      schema: {
        operationId: 'returnFromPayment',
        tags,
        summary: 'Return from the card gateway',
        description:
          'Asks the card gateway for the status of the payment and redirects the payer to `success_url` or `fail_url`, with `payment_id` and ' +
          '`status` added. Other parameters of the URL are ignored.',
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
