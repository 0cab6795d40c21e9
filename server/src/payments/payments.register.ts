// Registering an order with the gateway. A lost answer does no harm: nobody has seen that order's form, so nobody can pay it, and we
// register another order under another number.
import { now } from '../platform/clock.ts'
import type { Tx } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs.ts'
import type { Registration } from './gateway/payments.gateway.ts'
import { minorOf, type Payments, requireGateway, requirePayment, returnUrlOf, savePayment, session_s, sessionEnd } from './payments.row.ts'
import { lockPayment, type PaymentKey, type PaymentRow } from './payments.sql.ts'

export const registerJob = 'payments.register'
/** The kind is stored in the table of jobs, so it keeps its old name. */
export const refreshJob = 'payments.ask'
export const firstRefresh_ms = 10_000

const maxAttempts = 3

/** Returns the updated payment. If the gateway does not answer, it stays PENDING without a form, and the job tries again. */
export async function registerOrder(payments: Payments, row: PaymentRow): Promise<PaymentRow> {
  let current = row
  for (let attempt = 1; isUnregistered(current); attempt++) {
    const answer = await sendOrder(payments, current)
    if (answer.kind === 'unknown') break
    if (answer.kind !== 'order_number_taken') return saveRegistration(payments, current, answer)
    if (attempt === maxAttempts) break
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

type ClearAnswer = Exclude<Registration, { kind: 'unknown' } | { kind: 'order_number_taken' }>

/** The first answer counts. An answer after another one, or after a cancellation, concerns an order whose form nobody will see. */
function saveRegistration({ database }: Payments, key: PaymentRow, answer: ClearAnswer): Promise<PaymentRow> {
  return database.transaction(async (tx) => {
    const row = await requireLocked(tx, key)
    if (!isUnregistered(row) || row.gateway_order_number !== key.gateway_order_number) return row
    if (answer.kind === 'rejected') return savePayment(tx, row, { ...row, status: 'FAILED', gateway_error_code: answer.error_code })
    const { order_id, form_url } = answer
    const { venture_id, id } = row
    await enqueue(tx, refreshJob, { venture_id, id, asked: 0 }, firstRefresh_ms)
    return savePayment(tx, row, { ...row, gateway_order_id: order_id, form_url, session_until: sessionEnd() })
  })
}

/** The job: registers the order if that has not succeeded, under a new number, because a request whose answer was lost may have taken the old one. */
export async function registerLater(payments: Payments, key: PaymentKey): Promise<void> {
  const row = await requirePayment(payments.database, key)
  if (!isUnregistered(row)) return
  if (now().getTime() > Date.parse(row.session_until)) return expireUnregistered(payments, key)
  const registered = await registerOrder(payments, await changeNumber(payments, key))
  if (isUnregistered(registered)) throw new Error('the gateway has not taken the order yet')
}

function expireUnregistered({ database }: Payments, key: PaymentKey): Promise<void> {
  return database.transaction(async (tx) => {
    const row = await requireLocked(tx, key)
    if (isUnregistered(row)) savePayment(tx, row, { ...row, status: 'EXPIRED', gateway_error_code: 'not_registered' })
  })
}
