import type { ListPaymentLinksQuery, NewPaymentLink, PaymentLink } from '@vostro/sdk'
import { action, idOf, listing } from '../resources.ts'
import type { Command } from '../table.ts'

const id = idOf('payment link')

export const paymentLinkCommands: readonly Command[] = [
  listing<ListPaymentLinksQuery, PaymentLink>({
    words: ['payment-links', 'list'],
    summary: 'List payment links, newest first.',
    filters: { active: 'Only active (true) or inactive (false) links.' },
    columns: ['id', 'created_at', 'active', 'amount', 'currency', 'uses', 'description', 'url'],
    list: (vostro, query) => vostro.paymentLinks.list(query),
  }),
  action({
    words: ['payment-links', 'get'],
    summary: 'Show a payment link.',
    args: [id],
    act: (vostro, [id = '']) => vostro.paymentLinks.get(id),
  }),
  action({
    words: ['payment-links', 'create'],
    summary: 'Create a payment link.',
    details: 'For example: vostro payment-links create amount=12.50 currency=EUR description="Two books"',
    fields: true,
    act: (vostro, _, fields) => vostro.paymentLinks.create(fields as NewPaymentLink),
  }),
  action({
    words: ['payment-links', 'deactivate'],
    summary: 'Deactivate a payment link.',
    args: [id],
    act: (vostro, [id = '']) => vostro.paymentLinks.update(id, { active: false }),
  }),
]
