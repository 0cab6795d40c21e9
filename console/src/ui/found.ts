// Finds what an id, a reference, an email, an IBAN or a name belongs to, and its page.
import { api, apiOf } from './api.ts'
import { placeOf } from './places.ts'

export type Found = { kind: string; id: string; title: string; subtitle: string; to: string }

/** Searches a venture or, without one, all ventures of the bank. */
export async function findIn(venture: string | undefined, text: string): Promise<Found[]> {
  if (venture === undefined) {
    const found = await api.operator.find.search({ text })
    return found.map(({ venture_id, ...one }) => ({ ...one, subtitle: '', to: pathOf(venture_id, one) }))
  }
  const found = await apiOf(venture).find.search({ text })
  return found.map((one) => ({ ...one, subtitle: one.subtitle ?? '', to: pathOf(venture, one) }))
}

/** Ventures, and resources without a page, lead to the venture's first page. */
const pathOf = (venture: string, { kind, id }: { kind: string; id: string }): string =>
  placeOf(venture, kind, id) ?? `/v/${venture}/overview`
