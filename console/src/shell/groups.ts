// The navigation in groups.
import type { PageEntry } from './pages.ts'

/** Those pages of a table that somebody may see and that the navigation names. A page without a group belongs to the one before it. */
export function groupsOf(table: readonly PageEntry[], mine: readonly PageEntry[]): [string, PageEntry[]][] {
  const groups: [string, PageEntry[]][] = [['', []]]
  for (const page of table) {
    if (page.group !== undefined) groups.push([page.group, []])
    if (page.label !== undefined && mine.includes(page)) groups.at(-1)?.[1].push(page)
  }
  return groups.filter(([, pages]) => pages.length > 0)
}
