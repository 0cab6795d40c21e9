// Where in the console the things of a venture are, by their kind.
import { kindOf } from './event-types.ts'

/** The page of each kind. What has no page of its own is not here. */
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

/** The page of something; undefined if it has none. */
export function placeOf(venture: string, kind: string, id: string): string | undefined {
  const page = pages[kind]
  return page === undefined ? undefined : `/v/${venture}/${page}/${id}`
}

/** The page of what an event is about. */
export const placeOfEvent = (venture: string, type: string, resource_id: string): string | undefined =>
  placeOf(venture, kindOf(type), resource_id)
