// What an id, a reference, an email, an IBAN or a name belongs to, and where in the console that is.
import { type Api, api, apiOf } from './api.ts'
import { placeOf } from './places.ts'

export type Found = { kind: string; id: string; title: string; subtitle: string; to: string }

/** In the venture; without one, in all ventures of the bank. */
export async function findIn(venture: string | undefined, text: string): Promise<Found[]> {
  if (venture === undefined) {
    const found = await api.operator.find.search({ text })
    return Promise.all(found.map(async ({ venture_id, ...one }) => ({ ...one, subtitle: '', to: await pathOf(venture_id, one) })))
  }
  const found = await apiOf(venture).find.search({ text })
  return Promise.all(found.map(async (one) => ({ ...one, subtitle: one.subtitle ?? '', to: await pathOf(venture, one) })))
}

type One = { kind: string; id: string }

/** What has no page of its own is on the page of what it belongs to. */
async function pathOf(venture: string, { kind, id }: One): Promise<string> {
  const own = kind === 'venture' ? undefined : (placeOf(venture, kind, id) ?? (await ownerOf(apiOf(venture), venture, { kind, id })))
  return own ?? `/v/${venture}/overview`
}

async function ownerOf(ofVenture: Api, venture: string, { kind, id }: One): Promise<string | undefined> {
  if (kind === 'beneficiary') return placeOf(venture, 'client', (await ofVenture.beneficiaries.get(id)).client_id)
  if (kind === 'mandate') return placeOf(venture, 'account', (await ofVenture.mandates.get(id)).account_id)
  return undefined
}
