// Payment links: addresses that a venture gives to its payers. Each visit may start a payment while the link is open.

import { randomBytes } from 'node:crypto'
import { emit } from '../../events/events.ts'
import { now } from '../../platform/clock.ts'
import { accompanied, type Companions } from '../../platform/companions.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Shown, shown } from '../../platform/http/shown.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { formatMoney } from '../../values/money.ts'
import { refuse, refuseField } from '../../values/refusals.ts'
import { requireGateway } from '../payments.row.ts'
import { type Payments, requireAmount, requireNoPan, requirePayersUrl } from '../payments.ts'
import { type NewPaymentLink, PaymentLink, type PaymentLinkList, type PaymentLinkUpdate } from './payments.links.schemas.ts'
import {
  type CountedLink,
  countUses,
  insertLink,
  type LinkKey,
  type LinkRow,
  lockLink,
  selectLink,
  selectLinks,
  writeLink,
} from './payments.links.sql.ts'

export async function createPaymentLink(
  payments: Payments,
  venture_id: string,
  given: NewPaymentLink,
  companions?: Companions,
): Promise<PaymentLink> {
  requireGateway(payments)
  const amount = requireAmount(given.amount, given.currency)
  requireNoPan('description', given.description)
  requireShopUrls(payments, given)
  requireFuture(given.expires_at)
  const at = now().toISOString()
  const row: LinkRow = {
    id: uuidv7(),
    venture_id,
    // 128 random bits, so nobody can guess a link.
    token: randomBytes(16).toString('base64url'),
    active: true,
    amount: formatMoney(amount, given.currency),
    currency: given.currency,
    description: given.description ?? null,
    language: given.language ?? 'EN',
    success_url: given.success_url ?? null,
    fail_url: given.fail_url ?? null,
    ask_name: given.ask_name ?? false,
    ask_email: given.ask_email ?? false,
    ask_phone: given.ask_phone ?? false,
    max_uses: given.max_uses ?? null,
    expires_at: given.expires_at ?? null,
    created_at: at,
    updated_at: at,
    sequence: 1,
  }
  return payments.database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const object = showLink(payments, { ...row, uses: 0 })
      insertLink(tx, row)
      emit(tx, { venture_id, type: 'payment_link.created', object, sequence: row.sequence })
      return object
    }),
  )
}

/** Both addresses of the shop, or neither. */
function requireShopUrls(payments: Payments, given: NewPaymentLink): void {
  const fields = ['success_url', 'fail_url'] as const
  if (fields.every((field) => (given[field] ?? null) === null)) return
  for (const field of fields)
    requirePayersUrl(
      payments,
      field,
      given[field] ?? refuseField(field, `is required together with ${field === 'success_url' ? 'fail_url' : 'success_url'}`),
    )
}

function requireFuture(expires_at: string | null | undefined): void {
  if (expires_at && Date.parse(expires_at) <= now().getTime()) refuseField('expires_at', 'must be in the future')
}

export async function getPaymentLink(payments: Payments, key: LinkKey): Promise<PaymentLink> {
  return showLink(payments, (await payments.database.first(selectLink(key))) ?? refuse('payment_link_not_found'))
}

export async function listPaymentLinks(payments: Payments, venture_id: string, query: PaymentLinkList): Promise<PaymentLink[]> {
  return (await selectLinks(payments.database, venture_id, query)).map((row) => showLink(payments, row))
}

const changeable = ['active', 'description', 'max_uses', 'expires_at'] as const

/** An update that changes nothing writes nothing and emits no event. */
export function updatePaymentLink(
  payments: Payments,
  key: LinkKey,
  update: PaymentLinkUpdate,
  companions?: Companions,
): Promise<PaymentLink> {
  const change = async (tx: Tx): Promise<PaymentLink> => {
    const row = (await lockLink(tx, key)) ?? refuse('payment_link_not_found')
    const uses = await countUses(tx, key)
    const next = { ...row, ...update }
    if (changeable.every((field) => next[field] === row[field])) return showLink(payments, { ...row, uses })
    if (next.expires_at !== row.expires_at) requireFuture(next.expires_at)
    const saved = { ...next, updated_at: now().toISOString(), sequence: row.sequence + 1 }
    const { venture_id, sequence } = saved
    const object = showLink(payments, { ...saved, uses })
    writeLink(tx, saved)
    emit(tx, { venture_id, type: 'payment_link.updated', object, sequence })
    return object
  }
  return payments.database.transaction((tx) => accompanied(tx, companions, () => change(tx)))
}

/** The resource, with its address and without internal fields. */
function showLink(payments: Payments, row: CountedLink): Shown<PaymentLink> {
  return shown(PaymentLink, { ...row, url: addressOf(payments, row) })
}

export function addressOf({ publicUrl }: Pick<Payments, 'publicUrl'>, { token }: Pick<LinkRow, 'token'>): string {
  return `${publicUrl()}/pay/${token}`
}
