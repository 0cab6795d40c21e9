// What becomes of a link when a payer uses it: whether it is open, and the payment that is begun.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '../../platform/database/database.ts'
import { fromNumeric } from '../../values/money.ts'
import { Refusal, refuse } from '../../values/refusals.ts'
import { getVenture } from '../../ventures/ventures.ts'
import { cancelPayment } from '../payments.cancel.ts'
import { registerOrder } from '../payments.register.ts'
import { type FromLink, newPayment, requireGateway, requirePayment } from '../payments.row.ts'
import type { Language } from '../payments.schemas.ts'
import { type PaymentRow, selectPayment } from '../payments.sql.ts'
import { keepPayment, type Payments } from '../payments.ts'
import { seedOf } from './payments.links.attempts.ts'
import { countUses, type LinkKey, type LinkRow, lockLink, selectByNumber, selectLinkByToken } from './payments.links.sql.ts'
import { addressOf } from './payments.links.ts'

/** Why a link cannot be used, now or any more. */
export type Closed = 'inactive' | 'expired' | 'used_up'

/** A link as a payer finds it. `payee` is the venture's name. */
export type Visited = { link: LinkRow; address: string; payee: string; closed: Closed | undefined }

export async function findVisited(payments: Payments, token: string): Promise<Visited | undefined> {
  const { database } = payments
  const link = /^[A-Za-z0-9_-]{22}$/.test(token) ? await database.first(selectLinkByToken(token)) : undefined
  if (link === undefined) return undefined
  const venture = await getVenture(database, link.venture_id)
  // A disabled venture may not transact.
  const closed = venture.status === 'ACTIVE' ? await closedBy(link, (most) => countUses(database, link, most)) : 'inactive'
  return { link, address: addressOf(payments, link), payee: venture.name, closed }
}

/** Counts only where it matters: a link without a limit may have a million payments. */
async function closedBy(link: LinkRow, count: (most: number) => Promise<number>): Promise<Closed | undefined> {
  if (!link.active) return 'inactive'
  if (link.expires_at !== null && Date.parse(link.expires_at) <= Date.now()) return 'expired'
  if (link.max_uses !== null && (await count(link.max_uses)) >= link.max_uses) return 'used_up'
  return undefined
}

export type Payer = { language: Language } & Omit<FromLink, 'payment_link_id'>

type Started = { kind: 'started'; form_url: string } | { kind: 'closed'; closed: Closed } | { kind: 'unanswered' }

/** Begins a payment and tells where its card form is. The same attempt of the same payer begins it once. */
export async function startPayment(payments: Payments, key: LinkKey, payer: Payer, attempt: string): Promise<Started> {
  const order_number = requireGateway(payments).makeOrderNumber(seedOf(attempt, { link_id: key.id, ...payer }))
  const kept = await payments.database.transaction((tx) => keepUse(payments, tx, key, payer, order_number))
  if (kept.kind === 'closed') return kept
  const { form_url, status } = await (kept.kind === 'new' ? registerOrder(payments, kept.payment) : untilRegistered(payments, kept.payment))
  if (form_url !== null) return { kind: 'started', form_url }
  if (kept.kind === 'new' && status === 'PENDING') await giveUseBack(payments, kept.payment)
  return { kind: 'unanswered' }
}

type Kept = { kind: 'new' | 'known'; payment: PaymentRow } | { kind: 'closed'; closed: Closed }

/** Under the lock of the link, so that of all who come at once only as many are let in as it has uses left. */
async function keepUse(payments: Payments, tx: Tx, key: LinkKey, payer: Payer, order_number: string): Promise<Kept> {
  const link = (await lockLink(tx, key)) ?? refuse('payment_link_not_found')
  const known = await findByNumber(tx, link, order_number)
  if (known !== undefined && goesOn(known)) return { kind: 'known', payment: known }
  const closed = await closedBy(link, (most) => countUses(tx, link, most))
  if (closed !== undefined) return { kind: 'closed', closed }
  // A payment that was given up before anybody could pay it keeps its number, so the next one needs another.
  const gateway_order_number = known === undefined ? order_number : requireGateway(payments).makeOrderNumber()
  const payment = paymentOf(payments, link, payer, gateway_order_number)
  await keepPayment(tx, payment)
  return { kind: 'new', payment }
}

/** The payer may still pay it, or has. One that is over leads nowhere, and the payer begins another. */
function goesOn({ status, form_url, session_until }: PaymentRow): boolean {
  if (status === 'PENDING') return true
  if (status === 'REFUSED') return form_url !== null && Date.now() < Date.parse(session_until)
  return status === 'PAID' || status === 'REFUNDED'
}

function paymentOf(payments: Payments, link: LinkRow, { language, ...customer }: Payer, gateway_order_number: string): PaymentRow {
  const { venture_id, amount, currency, description, success_url, fail_url } = link
  const order = { amount, currency, description, language, success_url: success_url ?? '', fail_url: fail_url ?? '' }
  const given = { amount: fromNumeric(amount), gateway_order_number, ...customer, payment_link_id: link.id }
  const row = newPayment(venture_id, order, given)
  // Without places of its own the link lets its payers end on our page.
  const result = `${addressOf(payments, link)}/${row.id}`
  return { ...row, success_url: success_url ?? result, fail_url: fail_url ?? result }
}

async function findByNumber(tx: Tx, link: LinkKey, order_number: string): Promise<PaymentRow | undefined> {
  const found = await tx.first(selectByNumber(link, order_number))
  return found && tx.first(selectPayment({ venture_id: link.venture_id, id: found.id }))
}

/** Another request is registering it at this moment. */
async function untilRegistered({ database }: Payments, payment: PaymentRow): Promise<PaymentRow> {
  let current = payment
  for (let waited_ms = 0; current.form_url === null && current.status === 'PENDING' && waited_ms < 6_000; waited_ms += 100) {
    await sleep(100)
    current = await requirePayment(database, payment)
  }
  return current
}

/**
 * The gateway has not answered, and the payer is about to try again: the payment that nobody can pay must not keep the link's use.
 * Where even this fails, the payment expires by itself.
 */
async function giveUseBack(payments: Payments, payment: PaymentRow): Promise<void> {
  try {
    await cancelPayment(payments, payment)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}
