// Lists that show less than the service gives, because it has no filter for it.
import type { Page } from '@vostro/sdk'

/** How many pages are read at most before something is shown. */
const most_pages = 10

/**
 * Reads pages until something is found that is to be shown. The cursor is that of the last page that was read, so nothing is left out and nothing
 * is read twice.
 */
export async function readKept<Row>(
  read: (cursor: { after?: string }) => Promise<Page<Row>>,
  keep: (row: Row) => boolean,
  cursor: { after?: string },
): Promise<Page<Row>> {
  let at = cursor
  for (let pages = 1; ; pages++) {
    const { items, next } = await read(at)
    const kept = items.filter(keep)
    if (kept.length > 0 || next === undefined || pages === most_pages) return { items: kept, next }
    at = { after: next }
  }
}
