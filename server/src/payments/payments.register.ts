// Registering an order with the gateway. An answer that is lost does no harm: nobody has seen the form of that order, so nobody can pay it,
// and another order is registered under another number.
import type { Tx } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs.ts'
import type { Registration } from './gateway/payments.gateway.ts'
import { minorOf, type Payments, requireGateway, requirePayment, returnUrlOf, savePayment, session_s, sessionEnd } from './payments.row.ts'
import { lockPayment, type PaymentKey, type PaymentRow } from './payments.sql.ts'

export const registerJob = 'payments.register'
/** Asks what has become of an order. */
export const askJob = 'payments.ask'
export const firstQuestion_ms = 10_000

const mostNumbers = 3

/** Tells the payment as it is then; where the gateway does not answer, it stays PENDING and without a form, and the job tries again. */
export async function registerOrder(payments: Payments, row: PaymentRow): Promise<PaymentRow> {
  let current = row
  for (let attempt = 1; isUnregistered(current); attempt++) {
    const answer = await sendOrder(payments, current)
    if (answer.kind === 'unknown') break
    if (answer.kind !== 'order_number_taken') return keepAnswer(payments, current, answer)
    if (attempt === mostNumbers) break
    current = await changeNumber(payments, current)
  }
  return current
}

function sendOrder(payments: Payments, { id, gateway_order_number, amount, currency, ...row }: PaymentRow): Promise<Registration> {
  const return_url = returnUrlOf(payments, id)
  return requireGateway(payments).register({
    order_number: gateway_order_number,
    amount_minor: minorOf(amount, currency),
    currency,
    return_url,
    fail_url: return_url,
    description: row.description ?? row.order_ref ?? gateway_order_number,
    language: row.language,
    session_timeout_s: session_s,
  })
}

function changeNumber(payments: Payments, key: PaymentKey): Promise<PaymentRow> {
  const gateway_order_number = requireGateway(payments).makeOrderNumber()
  return payments.database.transaction(async (tx) => {
    const row = await requireLocked(tx, key)
    if (!isUnregistered(row)) return row
    return savePayment(tx, row, { ...row, gateway_order_number })
  })
}

async function requireLocked(tx: Tx, key: PaymentKey): Promise<PaymentRow> {
  const row = await lockPayment(tx, key)
  if (row === undefined) throw new Error('a payment is gone')
  return row
}

const isUnregistered = ({ status, gateway_order_id }: PaymentRow) => status === 'PENDING' && gateway_order_id === null

type Told = Exclude<Registration, { kind: 'unknown' } | { kind: 'order_number_taken' }>

/** The first answer counts. One that comes after another, or after a cancellation, is of an order that nobody will see. */
function keepAnswer({ database }: Payments, key: PaymentRow, answer: Told): Promise<PaymentRow> {
  return database.transaction(async (tx) => {
    const row = await requireLocked(tx, key)
    if (!isUnregistered(row) || row.gateway_order_number !== key.gateway_order_number) return row
    if (answer.kind === 'rejected') return savePayment(tx, row, { ...row, status: 'FAILED', gateway_error_code: answer.error_code })
    const { order_id, form_url } = answer
    const { venture_id, id } = row
    await enqueue(tx, askJob, { venture_id, id, asked: 0 }, firstQuestion_ms)
    return savePayment(tx, row, { ...row, gateway_order_id: order_id, form_url, session_until: sessionEnd() })
  })
}

/** Registers what is still not registered, under a new number, for the old one may have been taken by an answer that was lost. */
export async function registerLater(payments: Payments, key: PaymentKey): Promise<void> {
  const row = await requirePayment(payments.database, key)
  if (!isUnregistered(row)) return
  if (Date.now() > Date.parse(row.session_until)) return giveUp(payments, key)
  const registered = await registerOrder(payments, await changeNumber(payments, key))
  if (isUnregistered(registered)) throw new Error('the gateway has not taken the order yet')
}

function giveUp({ database }: Payments, key: PaymentKey): Promise<void> {
  return database.transaction(async (tx) => {
    const row = await requireLocked(tx, key)
    if (isUnregistered(row)) savePayment(tx, row, { ...row, status: 'EXPIRED', gateway_error_code: 'not_registered' })
  })
}
