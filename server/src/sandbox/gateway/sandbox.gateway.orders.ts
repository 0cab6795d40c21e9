// The orders of the sandbox gateway. Only actions are stored; what follows from the time (an expired session, a late success) is
// computed on each read, so that a restart loses nothing.
import { randomInt, randomUUID } from 'node:crypto'
import type { Database, Reader, Tx } from '../../platform/database/database.ts'
import { fixed, read, write } from '../../platform/database/sql.ts'
import { type Brand, canceledByPayer, type Effect, maskedPan, sessionExpired, type TestCard } from './sandbox.gateway.cards.ts'

export const languages = ['fr', 'en', 'ar'] as const
export type Language = (typeof languages)[number]

export type NewOrder = {
  order_number: string
  /** In the currency's smallest unit. */
  amount: number
  /** The ISO 4217 numeric code. */
  currency: string
  description: string
  language: Language
  return_url: string
  fail_url: string
}

export type SandboxRefund = { external_refund_id: string | null; amount: number; created_at: string }

export type Order = NewOrder & {
  id: string
  /** The merchant's name. A real gateway derives it from the login; the sandbox has one login for all, so the request contains it. */
  payee: string | null
  order_status: number
  action_code: number
  masked_pan: string | null
  payment_system: Brand | null
  approval_code: string | null
  silent: boolean
  created_at: string
  /** The session has ended. */
  expired: boolean
  /** The order is paid, but does not show it yet. */
  late: boolean
  refunds: SandboxRefund[]
}

/** The status numbers of BPC / RBS gateways. */
const orderStatus = { registered: 0, paid: 2, canceled: 3, refunded: 4, atBank: 5, declined: 6, processing: 7 } as const

/** Undefined if the order number is taken. */
export function registerOrder(database: Database, order: NewOrder, session_s: number): Promise<{ id: string } | undefined> {
  const { order_number, amount, currency, description, language, return_url, fail_url } = order
  return database.transaction((tx) =>
    // A random id, because anyone who has it may pay.
    tx.first(write<{ id: string }>`
      insert into sandbox_orders (id, order_number, amount, currency, description, language, return_url, fail_url, expires_at)
      values (${randomUUID()}, ${order_number}, ${amount}, ${currency}, ${description}, ${language}, ${return_url}, ${fail_url},
        bank_now() + make_interval(secs => ${session_s}))
      on conflict (order_number) do nothing
      returning id`),
  )
}

// By the clock rather than the start of the transaction, which may have waited for a payment that ended after that.
const currently = fixed`clock_timestamp() + (bank_now() - now())`
const columns = fixed`id, order_number, amount, currency, description, language, return_url, fail_url, order_status, action_code,
  masked_pan, payment_system, approval_code, silent, created_at,
  expires_at <= ${currently} as expired, paid_at is not null and paid_at > ${currently} as late`

export async function findOrder(reader: Reader, id: string): Promise<Order | undefined> {
  return withRefunds(reader, await reader.first(read<StoredOrder>`select ${columns} from sandbox_orders where id = ${id}`))
}

async function lockOrder(tx: Tx, id: string): Promise<Order | undefined> {
  return withRefunds(tx, await tx.first(read<StoredOrder>`select ${columns} from sandbox_orders where id = ${id} for update`))
}

type StoredOrder = Omit<Order, 'refunds' | 'payee'>

/** A separate statement, which sees refunds made while we waited for the lock. */
async function withRefunds(reader: Reader, order: StoredOrder | undefined): Promise<Order | undefined> {
  if (order === undefined) return undefined
  const refunds = await reader.rows(read<SandboxRefund>`
    select external_refund_id, amount, created_at from sandbox_refunds where order_id = ${order.id} order by created_at, id`)
  // In a distributed database the payment is on another server.
  const payee = await reader.first(read<{ name: string }>`
    select venture.name from payments payment join ventures venture on venture.id = payment.venture_id
    where payment.gateway_order_number = ${order.order_number}`)
  return { ...order, refunds, payee: payee?.name ?? null }
}

/** The order's status and action code, in the numbers of BPC / RBS gateways. */
export function standingOf(order: Order): { order_status: number; action_code: number } {
  const { order_status, action_code } = order
  if (isUndecided(order) && order.expired) return { order_status: orderStatus.declined, action_code: sessionExpired }
  if (order_status !== orderStatus.paid) return { order_status, action_code }
  if (order.late) return { order_status: orderStatus.processing, action_code: -100 }
  return { order_status: order.refunds.length > 0 ? orderStatus.refunded : orderStatus.paid, action_code }
}

function isUndecided({ order_status }: Order): boolean {
  return order_status === orderStatus.registered || order_status === orderStatus.atBank
}

export function isDeclined({ order_status }: Order): boolean {
  return order_status === orderStatus.declined
}

/** After a declined card the payer may try another one while the session lasts. */
export function isPayable(order: Order): boolean {
  const { action_code, expired, silent } = order
  return (isUndecided(order) || (isDeclined(order) && action_code !== sessionExpired)) && !expired && !silent
}

export function isAtBank(order: Order): boolean {
  return order.order_status === orderStatus.atBank && isPayable(order)
}

export function isProcessing({ order_status, late }: Order): boolean {
  return order_status === orderStatus.paid && late
}

export function isPaid({ order_status, late }: Order): boolean {
  return order_status === orderStatus.paid && !late
}

export function refundedOf({ refunds }: Order): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0)
}

/** Applies a card's effect to an order that can still be paid, and returns the updated order. */
export function payOrder(database: Database, id: string, attempt: { card: TestCard; effect: Effect; lateBy_s: number }) {
  return change(database, id, async (tx, order) => {
    if (!isPayable(order)) return
    const { card, effect, lateBy_s } = attempt
    await tx.run(write`
      update sandbox_orders set masked_pan = ${maskedPan(card)}, payment_system = ${card.payment_system} where id = ${id}`)
    await apply(tx, id, effect, lateBy_s)
  })
}

/** The payer's decision at the card's bank. */
export function confirmOrder(database: Database, id: string, confirmed: boolean) {
  return change(database, id, async (tx, order) => {
    if (isAtBank(order)) await apply(tx, id, confirmed ? { kind: 'paid' } : { kind: 'declined', action_code: canceledByPayer })
  })
}

/** Reverses a payment in full, or closes an order that was never paid. False if the order's status does not allow it. */
export async function cancelOrder(database: Database, id: string, how: 'reverse' | 'decline'): Promise<boolean> {
  return database.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (order === undefined) return false
    const possible =
      how === 'reverse' ? isPaid(order) && order.refunds.length === 0 : isUndecided(order) || order.order_status === orderStatus.declined
    if (possible) await tx.run(write`update sandbox_orders set order_status = ${orderStatus.canceled} where id = ${id}`)
    return possible
  })
}

type RefundOutcome = 'done' | 'wrong_state' | 'too_much' | 'id_used'

/** The same external id with the same amount is the same refund. Without an external id, each request is a new refund. */
export async function refundOrder(
  database: Database,
  id: string,
  { amount, external_refund_id }: { amount: number; external_refund_id: string | null },
): Promise<RefundOutcome> {
  return database.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (order === undefined || !isPaid(order)) return 'wrong_state'
    const earlier = order.refunds.find((refund) => external_refund_id !== null && refund.external_refund_id === external_refund_id)
    if (earlier !== undefined) return earlier.amount === amount ? 'done' : 'id_used'
    if (refundedOf(order) + amount > order.amount) return 'too_much'
    await tx.run(write`
      insert into sandbox_refunds (id, order_id, external_refund_id, amount)
      values (${randomUUID()}, ${id}, ${external_refund_id}, ${amount})`)
    return 'done'
  })
}

async function change(database: Database, id: string, work: (tx: Tx, order: Order) => Promise<void>): Promise<Order | undefined> {
  return database.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (order === undefined) return undefined
    await work(tx, order)
    return findOrder(tx, id)
  })
}

async function apply(tx: Tx, id: string, effect: Effect, lateBy_s = 0): Promise<void> {
  switch (effect.kind) {
    case 'paid':
    case 'late':
      await tx.run(write`
        update sandbox_orders set order_status = ${orderStatus.paid}, action_code = 0,
          approval_code = ${String(randomInt(1_000_000)).padStart(6, '0')},
          paid_at = ${currently} + make_interval(secs => ${effect.kind === 'late' ? lateBy_s : 0})
        where id = ${id}`)
      return
    case 'secure':
      await tx.run(write`update sandbox_orders set order_status = ${orderStatus.atBank}, action_code = -100 where id = ${id}`)
      return
    case 'declined':
      await tx.run(write`
        update sandbox_orders set order_status = ${orderStatus.declined}, action_code = ${effect.action_code} where id = ${id}`)
      return
    case 'silent':
      await tx.run(write`update sandbox_orders set silent = true where id = ${id}`)
  }
}
