// Field names in requests that stand for an id, a reference or a position.
import type { Route } from '../../platform/http/http.ts'

export const nameOf = ({ method, url }: Pick<Route, 'method' | 'url'>): string => `${method} ${url}`

/** Identifiers that the caller or another outside party assigns. */
export const labels: ReadonlySet<string> = new Set([
  'organization_id',
  'external_client_code',
  'external_account_id',
  'funds_origin_country_id',
  'order_ref',
  'external_refund_id',
  'end_to_end_id',
  'structured_reference',
  'bank_partner_id',
  'bank_partner_trx_id',
  'externalRefundId',
])

/** External identifiers of a mandate: a random text does not have their form, and the service never looks anything up with them. */
const ofMandates = new Set(['creditor_id', 'reference'])

export function isIdLike(name: string, { format }: { format?: string } = {}): boolean {
  if (ofMandates.has(name)) return false
  if (format !== undefined) return format === 'uuid'
  return /(^|_)(id|token|ref|reference)$|^external_|^(after|since)$|(Id|orderNumber)$/.test(name)
}
