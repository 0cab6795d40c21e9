// What an id, a reference, an email, an IBAN or a name belongs to, and where in the console that is.
import { api, apiOf } from './api.ts'
import { placeOf } from './places.ts'

export type Found = { kind: string; id: string; title: string; subtitle: string; to: string }

/** In the venture; without one, in all ventures of the bank. */
export async function findIn(venture: string | undefined, text: string): Promise<Found[]> {
  if (venture === undefined) {
    const found = await api.operator.find.search({ text })
    return found.map(({ venture_id, ...one }) => ({ ...one, subtitle: '', to: pathOf(venture_id, one) }))
  }
  const found = await apiOf(venture).find.search({ text })
  return found.map((one) => ({ ...one, subtitle: one.subtitle ?? '', to: pathOf(venture, one) }))
}

/** What is a venture, or has no page, is where a venture begins. */
const pathOf = (venture: string, { kind, id }: { kind: string; id: string }): string =>
  placeOf(venture, kind, id) ?? `/v/${venture}/overview`
