import type { PageEntry } from './pages.ts'

/** The pages that the signed-in person may see, grouped for the navigation. A page without a group joins the one before it. */
export function groupsOf(table: readonly PageEntry[], mine: readonly PageEntry[]): [string, PageEntry[]][] {
  const groups: [string, PageEntry[]][] = [['', []]]
  for (const page of table) {
    if (page.group !== undefined) groups.push([page.group, []])
    if (page.label !== undefined && mine.includes(page)) groups.at(-1)?.[1].push(page)
  }
  return groups.filter(([, pages]) => pages.length > 0)
}
