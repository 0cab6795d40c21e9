// The routes of payment links, for ventures. Payers use the pages of `payments.pages.routes.ts`.
import { Type } from 'typebox'
import { alone, changes, empowering, reads } from '../../platform/http/access.ts'
import type { App } from '../../platform/http/http.ts'
import { sendPage } from '../../platform/http/lists.ts'
import { PathId } from '../../platform/http/schemas.ts'
import type { Payments } from '../payments.ts'
import { NewPaymentLink, PaymentLink, PaymentLinkList, PaymentLinkUpdate } from './payments.links.schemas.ts'
import { createPaymentLink, getPaymentLink, listPaymentLinks, updatePaymentLink } from './payments.links.ts'

const params = PathId('link_id')
const tags = ['Payment links']

export async function paymentLinkRoutes(app: App, { payments }: { payments: Payments }): Promise<void> {
  const keyOf = (request: { venture: { id: string }; params: { link_id: string } }) => ({
    venture_id: request.venture.id,
    id: request.params.link_id,
  })

  app.post(
    '/payment-links',
    {
      config: {
        access: empowering(changes('payments', alone('A payer pays the venture.'))),
        audit: 'people',
        refusals: ['gateway_missing'],
        creates: { answer: 'kept', location: ({ id }) => `/api/v1/payment-links/${id}` },
        another: { amount: '6.00' },
        example: {
          body: {
            amount: '12.50',
            currency: 'EUR',
            description: 'Two books',
            ask_email: true,
            max_uses: 1,
            expires_at: '2030-12-31T00:00:00Z',
          },
        },
      },
      schema: {
        operationId: 'createPaymentLink',
        tags,
        summary: 'Create a payment link',
        description:
          'Give its `url` to the payer: a page in French, English or Arabic that asks only for the details you want and leads to the card form. ' +
          'Append `/qr.svg` to `url` for a QR code.',
        body: NewPaymentLink,
        response: { 201: PaymentLink },
      },
    },
    async (request) => createPaymentLink(payments, request.venture.id, request.body, request.companions),
  )

  app.get(
    '/payment-links',
    {
      config: { access: reads('payments'), refusals: [] },
      schema: {
        operationId: 'listPaymentLinks',
        tags,
        summary: 'List payment links, newest first',
        description: 'Each link with the number of its uses.',
        querystring: PaymentLinkList,
        response: { 200: Type.Array(PaymentLink) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listPaymentLinks(payments, request.venture.id, request.query)),
  )

  app.get(
    '/payment-links/:link_id',
    {
      config: { access: reads('payments'), refusals: ['payment_link_not_found'] },
      schema: {
        operationId: 'getPaymentLink',
        tags,
        summary: 'Get a payment link',
        description: 'The link with the number of its uses.',
        params,
        response: { 200: PaymentLink },
      },
    },
    async (request) => getPaymentLink(payments, keyOf(request)),
  )

  app.put(
    '/payment-links/:link_id',
    {
      config: {
        access: changes('payments', alone('A payer pays the venture.')),
        audit: 'people',
        refusals: ['payment_link_not_found'],
        example: { body: { active: false } },
        trial: { body: { description: 'Changed' } },
      },
      schema: {
        operationId: 'updatePaymentLink',
        tags,
        summary: 'Update a payment link',
        description: 'Payments that were already started can still be paid. For another amount, create another link.',
        params,
        body: PaymentLinkUpdate,
        response: { 200: PaymentLink },
      },
    },
    async (request) => updatePaymentLink(payments, keyOf(request), request.body, request.companions),
  )
}
