// Every page of the console with an address to look at it: pages of one thing need the id of one.
import { eventually } from '../../server/src/testing/testing.waits.ts'
import type { ConsoleBank, Role } from './console.bank.ts'

type PageEntry = { path: string; label?: string; needs: string }
type Table = Record<'venturePages' | 'bankPages' | 'personPages', readonly PageEntry[]>

// Loaded by path, because the console is compiled for browsers and this for Node.
const table: Table = await import(new URL('../../console/src/shell/pages.ts', import.meta.url).href)

/** A bank with something for the pages to show. */
export type Place = Pick<ConsoleBank, 'origin' | 'venture' | 'get' | 'signIn'>

export type PageToLookAt = {
  /** For example `v/transfers/$id`. */
  name: string
  entry: PageEntry
  side: 'venture' | 'bank' | 'person'
  /** Its address below /console; undefined if nothing of its kind is there. */
  address(bank: Place): Promise<string | undefined>
}

const firstOf =
  (path: string, { ofVenture = true } = {}) =>
  async (bank: Place): Promise<string | undefined> => {
    const [one] = await bank.get(path, ofVenture ? bank.venture : undefined)
    return one?.id
  }
const firstOfBank = (path: string) => firstOf(path, { ofVenture: false })

/** The id that a page needs, or several for nested ones. A page without an entry cannot be viewed, which a test reports. */
export const idsOf: Record<string, (bank: Place) => Promise<string | readonly string[] | undefined>> = {
  'v/clients/$client': firstOf('/clients?limit=1'),
  'v/accounts/$account': firstOf('/accounts?limit=1'),
  'v/beneficiaries/$beneficiary': firstOf('/beneficiaries?limit=1'),
  'v/mandates/$mandate': firstOf('/mandates?limit=1'),
  'v/questions/$question': firstOf('/questions?limit=1'),
  'v/transfers/$id': firstOf('/transfers?limit=1'),
  'v/payments/$payment': firstOf('/payments?limit=1'),
  'v/links/$link': firstOf('/payment-links?limit=1'),
  'v/webhooks/$endpoint': firstOf('/webhook-endpoints?limit=1'),
  'v/webhooks/$endpoint/deliveries/$delivery': async (bank) => {
    const [one] = await bank.get('/webhook-deliveries?limit=1', bank.venture)
    return one && [one.endpoint_id, one.id]
  },
  'v/events/$event': firstOf('/events?limit=1'),
  'v/requests/$request': requestOf,
  'bank/ventures/$id': async ({ venture }) => venture,
  'bank/cases/$id': firstOfBank('/operator/cases?limit=1'),
  'bank/approvals/$id': firstOfBank('/operator/approvals?limit=1'),
  'bank/packs/$pack': firstOfBank('/operator/packs?limit=1'),
  'bank/messages/$message': firstOfBank('/operator/messages?limit=1'),
  'bank/inbound/$payment': firstOfBank('/operator/inbound-payments?limit=1'),
  'bank/unapplied/$payment': firstOfBank('/operator/unapplied-payments?limit=1'),
  'bank/reconciliation/$nostro': firstOfBank('/operator/nostros?limit=1'),
  'bank/breaks/$break': firstOfBank('/operator/breaks?limit=1'),
  'bank/watch-lists/$list': firstOfBank('/operator/watchlists'),
  'bank/invariants/$run': firstOfBank('/operator/verifications?limit=1'),
  'bank/users/$id': firstOfBank('/operator/users?limit=1'),
  'find/$text': async () => 'NOTHING-LIKE-IT',
}

/** Requests of the bank for a venture are not in the venture's log, so a venture user makes some. */
async function requestOf(bank: Place): Promise<string> {
  const viewer = await bank.signIn('venture viewer')
  await viewer('GET', '/transfers?limit=1', undefined, bank.venture)
  let found: { id: string }[] = []
  await eventually(async () => {
    found = await bank.get('/requests?limit=1', bank.venture)
    return found.length > 0
  })
  return found[0]?.id ?? ''
}

function pagesOf(side: PageToLookAt['side'], prefix: string, pages: readonly PageEntry[]): PageToLookAt[] {
  return pages.map((entry) => {
    const name = `${prefix}${entry.path}`
    const address = async (bank: Place): Promise<string | undefined> => {
      const base = side === 'venture' ? `/v/${bank.venture}/` : side === 'bank' ? '/bank/' : '/'
      if (!entry.path.includes('$')) return base + entry.path
      const ids = await idsOf[name]?.(bank)
      if (ids === undefined) return undefined
      const rest = [ids].flat()
      return base + entry.path.replace(/\$\w+/g, () => encodeURIComponent(rest.shift() ?? ''))
    }
    return { name, entry, side, address }
  })
}

export const allPages: readonly PageToLookAt[] = [
  ...pagesOf('venture', 'v/', table.venturePages),
  ...pagesOf('bank', 'bank/', table.bankPages),
  ...pagesOf('person', '', table.personPages),
]

/** A person who may see everything on a page. */
export const viewerOf = ({ side }: PageToLookAt): Role => (side === 'bank' ? 'bank admin' : 'venture admin')

/** A person who may not see it: for pages of the bank, a venture user. */
export const strangerOf = ({ side }: PageToLookAt): Role => (side === 'bank' ? 'venture admin' : 'venture viewer')
