// The pages of a venture's resources, by kind.
import { kindOf } from './event-types.ts'

/** Kinds without a page are left out. */
const pages: Partial<Record<string, string>> = {
  client: 'clients',
  account: 'accounts',
  beneficiary: 'beneficiaries',
  mandate: 'mandates',
  transfer: 'transfers',
  payment: 'payments',
  payment_link: 'links',
  event: 'events',
  webhook_endpoint: 'webhooks',
}

/** The page of a resource; undefined if it has none. */
export function placeOf(venture: string, kind: string, id: string): string | undefined {
  const page = pages[kind]
  return page === undefined ? undefined : `/v/${venture}/${page}/${id}`
}

/** The page of an event's object. */
export const placeOfEvent = (venture: string, type: string, resource_id: string): string | undefined =>
  placeOf(venture, kindOf(type), resource_id)
