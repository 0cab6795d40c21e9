// Where in the console something is, by its kind and id.
import { apiOf } from './api.ts'

export type Found = { kind: string; id: string; title: string; subtitle: string; to: string }

const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What an id, reference, email or IBAN belongs to. */
export async function findIn(venture: string | undefined, text: string): Promise<Found[]> {
  if (venture === undefined) return isId.test(text) ? [] : []
  const api = apiOf(venture)
  const { items } = await api.transfers.list({ search: text, limit: 5 }).page()
  return items.map(({ id, unique_reference, status }) => ({
    ...{ kind: 'transfer', id, title: unique_reference, subtitle: status },
    to: `/v/${venture}/transfers/${id}`,
  }))
}
