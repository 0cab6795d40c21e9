// Every page of the console with an address to look at it: pages of one thing need the id of one.
import type { ConsoleBank, Role } from './console.bank.ts'

type PageEntry = { path: string; label?: string; needs: string }
type Table = Record<'venturePages' | 'bankPages' | 'personPages', readonly PageEntry[]>

// By its address, because the console is compiled for browsers and everything here for Node.
const table: Table = await import(new URL('../../console/src/shell/pages.ts', import.meta.url).href)

export type PageToLookAt = {
  /** Such as `v/transfers/$id`. */
  name: string
  entry: PageEntry
  side: 'venture' | 'bank' | 'person'
  /** Its address below /console; undefined if nothing of its kind is there. */
  address(bank: ConsoleBank): Promise<string | undefined>
}

/** The id of something that a page shows. A page with an id that is not here cannot be looked at, which a test says. */
export const idsOf: Record<string, (bank: ConsoleBank) => Promise<string | undefined>> = {}

const firstOf =
  (path: string, ofVenture = true) =>
  async (bank: ConsoleBank) => {
    const [one] = await bank.get(path, ofVenture ? bank.venture : undefined)
    return one?.id as string | undefined
  }
Object.assign(idsOf, { 'v/transfers/$id': firstOf('/transfers?limit=1') })

function pagesOf(side: PageToLookAt['side'], prefix: string, pages: readonly PageEntry[]): PageToLookAt[] {
  return pages.map((entry) => {
    const name = `${prefix}${entry.path}`
    const address = async (bank: ConsoleBank): Promise<string | undefined> => {
      const base = side === 'venture' ? `/v/${bank.venture}/` : side === 'bank' ? '/bank/' : '/'
      if (!entry.path.includes('$')) return base + entry.path
      const id = await idsOf[name]?.(bank)
      return id === undefined ? undefined : base + entry.path.replace(/\$\w+/, encodeURIComponent(id))
    }
    return { name, entry, side, address }
  })
}

export const allPages: readonly PageToLookAt[] = [
  ...pagesOf('venture', 'v/', table.venturePages),
  ...pagesOf('bank', 'bank/', table.bankPages),
  ...pagesOf('person', '', table.personPages),
]

/** Whoever sees everything of a page. */
export const viewerOf = ({ side }: PageToLookAt): Role => (side === 'bank' ? 'bank admin' : 'venture admin')

/** Whoever may not see it: somebody of a venture for the pages of the bank. */
export const strangerOf = ({ side }: PageToLookAt): Role => (side === 'bank' ? 'venture admin' : 'venture viewer')
