// Lists: the service gives them page by page, with a link to the next one.

export type Page<Item> = {
  items: Item[]
  /** Where the next page begins: its `after`, or its `since` if the list follows events. Undefined on the last page. */
  next: string | undefined
}

type Query = { [name: string]: unknown }

/** The answer to one request for a page: its items and the query of the next one. */
export type PageReader<Item> = (query: Query) => Promise<{ items: Item[]; next: URLSearchParams | undefined }>

/**
 * A list. `for await (const item of list)` goes through all of it and asks for pages as it needs them. Nothing is sent before that.
 */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #read: PageReader<Item>
  readonly #query: Query

  constructor(read: PageReader<Item>, query: Query) {
    this.#read = read
    this.#query = query
  }

  /** One page: the first, or the one of the `after` in the query. */
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

  /** Everything at once. Think of how long the list may be. */
  async toArray(): Promise<Item[]> {
    const all: Item[] = []
    for await (const items of this.pages()) all.push(...items)
    return all
  }
}

/** The query of the next page, from the header `Link`. Only the query counts: the client asks the address that it was given. */
export function nextQuery(link: string | null): URLSearchParams | undefined {
  const [, target] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? []
  return target === undefined ? undefined : new URL(target, 'http://path').searchParams
}
