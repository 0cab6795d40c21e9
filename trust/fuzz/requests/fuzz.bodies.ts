// Bodies without a schema in the route table, because routes parse them: forms, the verifier's envelope, and many orders.
import { Envelope } from '../../../server/src/kyc/kyc.schemas.ts'
import { TransferBulk } from '../../../server/src/transfers/orders/transfers.orders.schemas.ts'
import type { Encoding, Schema } from './fuzz.schema.ts'

const text: Schema = { type: 'string' }

function form(fields: Record<string, Schema>, required: readonly string[]): { schema: Schema; encoding: Encoding } {
  return { schema: { type: 'object', properties: fields, required }, encoding: 'form' }
}

const merchant = { userName: { ...text, enum: ['sandbox'] }, password: { ...text, enum: ['sandbox'] } }
const order = { ...merchant, orderId: { ...text, format: 'uuid' } }
const about = ['userName', 'password', 'orderId']

/** Whole numbers of minor units, as gateways use them. */
const minor: Schema = { type: 'string', pattern: '^[1-9]\\d{0,14}$' }
const refundName: Schema = { type: 'string', pattern: '^[\\w-]{1,32}$' }

export const rawBodies: Record<string, { schema: Schema; encoding: Encoding }> = {
  'POST /api/v1/kyc/webhook': { schema: Envelope as object as Schema, encoding: 'signed' },
  'POST /api/v1/transfers/bulk': { schema: TransferBulk as object as Schema, encoding: 'json' },
  'POST /pay/:token': form({ name: text, email: { ...text, format: 'email' }, phone: { ...text, format: 'phone' }, attempt: text }, []),
  'POST /sandbox/gateway/payment/rest/register.do': form(
    {
      ...merchant,
      orderNumber: refundName,
      amount: minor,
      currency: { ...text, enum: ['978', '840', '392', '788'] },
      returnUrl: text,
      failUrl: text,
      description: { ...text, maxLength: 512 },
      language: { ...text, enum: ['en', 'fr', 'ar'] },
      sessionTimeoutSecs: { type: 'string', pattern: '^[1-9]\\d{0,5}$' },
    },
    ['userName', 'password', 'orderNumber', 'amount', 'currency', 'returnUrl'],
  ),
  'POST /sandbox/gateway/payment/rest/getOrderStatusExtended.do': form(order, about),
  'POST /sandbox/gateway/payment/rest/refund.do': form({ ...order, amount: minor, externalRefundId: refundName }, [...about, 'amount']),
  'POST /sandbox/gateway/payment/rest/reverse.do': form(order, about),
  'POST /sandbox/gateway/payment/rest/decline.do': form(order, about),
  'POST /sandbox/gateway/form/:order_id': form(
    { number: text, expiry: text, cvv: { type: 'string', pattern: '^\\d{3}$' }, action: { ...text, enum: ['pay', 'cancel'] } },
    ['number', 'expiry', 'cvv'],
  ),
  'POST /sandbox/gateway/acs/:order_id': form({ action: { ...text, enum: ['confirm', 'cancel'] } }, ['action']),
}
