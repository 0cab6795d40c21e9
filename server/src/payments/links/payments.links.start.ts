// A payer uses a link: whether it is open, and the payment that starts.

import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { fromNumeric } from '../../values/money.ts'
import { Refusal, refuse } from '../../values/refusals.ts'
import { getVenture } from '../../ventures/ventures.ts'
import { cancelPayment } from '../payments.cancel.ts'
import { registerOrder } from '../payments.register.ts'
import { type FromLink, newPayment, requireGateway, requirePayment, savePayment } from '../payments.row.ts'
import type { Language } from '../payments.schemas.ts'
import { lockPayment, type PaymentRow, selectPayment } from '../payments.sql.ts'
import { type Payments, storePayment } from '../payments.ts'
import { seedOf } from './payments.links.attempts.ts'
import {
  countPaid,
  countUses,
  type LinkKey,
  type LinkRow,
  lockLink,
  selectByNumber,
  selectLinkByToken,
  selectOldestOpen,
} from './payments.links.sql.ts'
import { addressOf } from './payments.links.ts'

/** Why a link cannot be used. */
export type Closed = 'inactive' | 'expired' | 'used_up'

/** A link as a payer sees it. `payee` is the name of the venture. */
export type Visited = { link: LinkRow; address: string; payee: string; closed: Closed | undefined }

export async function findVisited(payments: Payments, token: string): Promise<Visited | undefined> {
  const { database } = payments
  const link = /^[A-Za-z0-9_-]{22}$/.test(token) ? await database.first(selectLinkByToken(token)) : undefined
  if (link === undefined) return undefined
  const venture = await getVenture(database, link.venture_id)
  // A disabled venture may not transact.
  const closed = venture.status === 'ACTIVE' ? await closedBy(link, (most) => countPaid(database, link, most)) : 'inactive'
  return { link, address: addressOf(payments, link), payee: venture.name, closed }
}

/**
 * Only paid payments use up a link: a payment that anyone may start and nobody pays must not close it for others. Counts only if the link
 * has a limit: one without may have a million payments.
 */
async function closedBy(link: LinkRow, countPaid: (most: number) => Promise<number>): Promise<Closed | undefined> {
  if (!link.active) return 'inactive'
  if (link.expires_at !== null && Date.parse(link.expires_at) <= now().getTime()) return 'expired'
  if (link.max_uses !== null && (await countPaid(link.max_uses)) >= link.max_uses) return 'used_up'
  return undefined
}

export type Payer = { language: Language } & Omit<FromLink, 'payment_link_id'>

type Started = { kind: 'started'; form_url: string } | { kind: 'closed'; closed: Closed } | { kind: 'unanswered' }

/** Starts a payment and returns the address of its card form. The same attempt of the same payer starts it only once. */
export async function startPayment(payments: Payments, key: LinkKey, payer: Payer, attempt: string): Promise<Started> {
  const order_number = requireGateway(payments).makeOrderNumber(seedOf(attempt, { link_id: key.id, ...payer }))
  const open = () => payments.database.transaction((tx) => openUse(payments, tx, key, payer, order_number))
  let opened = await open()
  if (opened.kind === 'late') {
    if (opened.payment !== undefined) await freeUse(payments, opened.payment)
    opened = await open()
  }
  if (opened.kind === 'closed') return opened
  // Its order could not be declined, so it may still be paid.
  if (opened.kind === 'late') return { kind: 'unanswered' }
  const { form_url, status } = await (opened.kind === 'new'
    ? registerOrder(payments, opened.payment)
    : waitUntilRegistered(payments, opened.payment))
  if (form_url !== null) return { kind: 'started', form_url }
  if (opened.kind === 'new' && status === 'PENDING') await freeUse(payments, opened.payment)
  return { kind: 'unanswered' }
}

/** `late`: the payment has the last place of the link, and its payer has had enough time; undefined if it has just ended. */
type Opened =
  | { kind: 'new' | 'known'; payment: PaymentRow }
  | { kind: 'late'; payment: PaymentRow | undefined }
  | { kind: 'closed'; closed: Closed }

/** Holds the lock of the link, so that of many simultaneous payers only as many start as the link has uses left. */
async function openUse(payments: Payments, tx: Tx, key: LinkKey, payer: Payer, order_number: string): Promise<Opened> {
  const link = (await lockLink(tx, key)) ?? refuse('payment_link_not_found')
  const known = await findByNumber(tx, link, order_number)
  if (known !== undefined && continues(known)) return { kind: 'known', payment: known }
  const closed = await closedBy(link, (most) => countPaid(tx, link, most))
  if (closed !== undefined) return { kind: 'closed', closed }
  const isFull = link.max_uses !== null && (await countUses(tx, link, link.max_uses)) >= link.max_uses
  if (isFull) return shareUse(tx, link, payer)
  // A payment that was given up before anyone could pay it keeps its number, so the next one needs another.
  const gateway_order_number = known === undefined ? order_number : requireGateway(payments).makeOrderNumber()
  const payment = paymentOf(payments, link, payer, gateway_order_number)
  await storePayment(tx, payment)
  return { kind: 'new', payment }
}

/** A payer who shares a payment has at least this much time left to pay it. */
const leastTime_ms = 300_000

/**
 * Payments have taken all places of the link, but some of them are unpaid. The payer continues the oldest of these, which is most likely
 * abandoned: of all payers with its form, the gateway lets only one pay. So the link is never paid too often, and nobody can keep others
 * from paying by starting a payment. If too little time is left, the payment makes room for another.
 */
async function shareUse(tx: Tx, link: LinkRow, { language: _, ...customer }: Payer): Promise<Opened> {
  const { venture_id } = link
  const oldest = await tx.first(selectOldestOpen(link))
  const payment = oldest && (await lockPayment(tx, { venture_id, id: oldest.id }))
  if (payment?.status !== 'PENDING') return { kind: 'late', payment: undefined }
  const left_ms = Date.parse(payment.session_until) - now().getTime()
  if (payment.cancel_requested || left_ms < leastTime_ms) return { kind: 'late', payment }
  return { kind: 'known', payment: savePayment(tx, payment, { ...payment, ...customer }) }
}

/** Whether the payer paid or may still pay this payment. If it has ended, the payer starts another. */
function continues({ status, form_url, session_until }: PaymentRow): boolean {
  if (status === 'PENDING') return true
  if (status === 'REFUSED') return form_url !== null && now().getTime() < Date.parse(session_until)
  return status === 'PAID' || status === 'REFUNDED'
}

function paymentOf(payments: Payments, link: LinkRow, { language, ...customer }: Payer, gateway_order_number: string): PaymentRow {
  const { venture_id, amount, currency, description, success_url, fail_url } = link
  const order = { amount, currency, description, language, success_url: success_url ?? '', fail_url: fail_url ?? '' }
  const given = { amount: fromNumeric(amount), gateway_order_number, ...customer, payment_link_id: link.id }
  const row = newPayment(venture_id, order, given)
  // A link without a shop's addresses sends its payers to our own result page.
  const result = `${addressOf(payments, link)}/${row.id}`
  return { ...row, success_url: success_url ?? result, fail_url: fail_url ?? result }
}

async function findByNumber(tx: Tx, link: LinkKey, order_number: string): Promise<PaymentRow | undefined> {
  const found = await tx.first(selectByNumber(link, order_number))
  return found && tx.first(selectPayment({ venture_id: link.venture_id, id: found.id }))
}

/** Waits for a payment that another request is registering right now. */
async function waitUntilRegistered({ database }: Payments, payment: PaymentRow): Promise<PaymentRow> {
  let current = payment
  for (let waited_ms = 0; current.form_url === null && current.status === 'PENDING' && waited_ms < 6_000; waited_ms += 100) {
    await sleep(100)
    current = await requirePayment(database, payment)
  }
  return current
}

/** A payment that nobody can pay, or that is late, must not keep one of the link's uses. If this fails, the payment expires by itself. */
async function freeUse(payments: Payments, payment: PaymentRow): Promise<void> {
  try {
    await cancelPayment(payments, payment, { unpaidOnly: true })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}
