// Names in requests that stand for an id, a reference or a position.
import type { Route } from '../../platform/http/http.ts'

export const nameOf = ({ method, url }: Pick<Route, 'method' | 'url'>): string => `${method} ${url}`

/** The caller's own names, for what only the caller or another outside party identifies. */
export const labels: ReadonlySet<string> = new Set([
  'organization_id',
  'external_client_code',
  'external_account_id',
  'funds_origin_country_id',
  'order_ref',
  'external_refund_id',
  'structured_reference',
  'bank_partner_id',
  'bank_partner_trx_id',
  'externalRefundId',
])

/** Names of a mandate outside the service: they have a form that a random text has not, and nothing is looked up by them. */
const ofMandates = new Set(['creditor_id', 'reference'])

export function isIdLike(name: string, { format }: { format?: string } = {}): boolean {
  if (ofMandates.has(name)) return false
  if (format !== undefined) return format === 'uuid'
  return /(^|_)(id|token|ref|reference)$|^external_|^(after|since)$|(Id|orderNumber)$/.test(name)
}
