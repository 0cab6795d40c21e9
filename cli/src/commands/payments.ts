import { randomUUID } from 'node:crypto'
import type { ListPaymentsQuery, Payment, PaymentOrder } from '@vostro/sdk'
import { action, idOf, listing } from '../resources.ts'
import type { Command } from '../table.ts'

const id = idOf('payment')

export const paymentCommands: readonly Command[] = [
  listing<ListPaymentsQuery, Payment>({
    words: ['payments', 'list'],
    summary: 'List card payments, newest first.',
    filters: { status: 'Only payments in this status.', payment_link_id: 'Only payments of this payment link.' },
    columns: ['id', 'created_at', 'status', 'amount', 'currency', 'refunded_amount', 'masked_pan', 'order_ref', 'description'],
    list: (vostro, query) => vostro.payments.list(query),
  }),
  action({ words: ['payments', 'get'], summary: 'Show a card payment.', args: [id], act: (vostro, [id = '']) => vostro.payments.get(id) }),
  action({
    words: ['payments', 'create'],
    summary: 'Create a card payment. The payer opens `form_url`.',
    details:
      'For example: vostro payments create amount=12.50 currency=EUR success_url=https://shop.example/ok fail_url=https://shop.example/no',
    fields: true,
    act: (vostro, _, fields) => vostro.payments.create(fields as PaymentOrder),
  }),
  action({
    words: ['payments', 'cancel'],
    summary: 'Cancel a card payment.',
    args: [id],
    act: (vostro, [id = '']) => vostro.payments.cancel(id),
  }),
  action({
    words: ['payments', 'refund'],
    summary: 'Refund a card payment.',
    args: [id, { name: 'AMOUNT', describe: 'The amount, such as 12.50 (default: all that remains).', optional: true }],
    options: { id: { describe: 'Your id for this refund. Repeating it does not refund twice.', value: 'ID' } },
    act: (vostro, [id = '', amount], _, call) => {
      const external_refund_id = call.text('id') ?? (amount === undefined ? undefined : `vostro-${randomUUID().slice(0, 18)}`)
      return vostro.payments.refund(id, { amount, external_refund_id })
    },
  }),
]
