// Lists: the service returns pages, each with a link to the next.

export type Page<Item> = {
  items: Item[]
  /** The start of the next page: its `after`, or its `since` if the list follows events. Undefined on the last page. */
  next: string | undefined
}

type Query = { [name: string]: unknown }

/** The response for one page: its items and the query of the next one. */
export type PageReader<Item> = (query: Query) => Promise<{ items: Item[]; next: URLSearchParams | undefined }>

/**
 * A list. `for await (const item of list)` iterates over all items and fetches pages as needed. Nothing is requested before that.
 */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #read: PageReader<Item>
  readonly #query: Query

  constructor(read: PageReader<Item>, query: Query) {
    this.#read = read
    this.#query = query
  }

  /** One page: the first, or the one after `after` in the query. */
  async page(): Promise<Page<Item>> {
    const { items, next } = await this.#read(this.#query)
    return { items, next: next?.get('since') ?? next?.get('after') ?? undefined }
  }

  /** All pages, one after the other. */
  async *pages(): AsyncGenerator<Item[], void, undefined> {
    let query: Query | undefined = this.#query
    while (query !== undefined) {
      const { items, next }: Awaited<ReturnType<PageReader<Item>>> = await this.#read(query)
      yield items
      query = next && Object.fromEntries(next)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const items of this.pages()) yield* items
  }

  /** All items at once. Beware of long lists. */
  async toArray(): Promise<Item[]> {
    const all: Item[] = []
    for await (const items of this.pages()) all.push(...items)
    return all
  }
}

/** The query of the next page, from the header `Link`. Only the query is used; the client keeps its own address. */
export function nextQuery(link: string | null): URLSearchParams | undefined {
  const [, target] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? []
  return target === undefined ? undefined : new URL(target, 'http://path').searchParams
}
