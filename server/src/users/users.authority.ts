// The page about what one person of the bank may do alone, what needs two, and what nobody there may do, as the routes declare it.
import { type Authority, authorities } from '../platform/http/access.ts'
import type { Operations } from '../platform/http/operations.ts'

export const authorityWords: Readonly<Record<Authority, string>> = {
  together: 'two people',
  partly: 'it depends',
  never: 'never',
  alone: 'one person',
  sandbox: 'sandbox only',
}

/** The table for the guide. */
export function authorityMarkdown(operations: Operations): string {
  const rows = authorities.flatMap((wanted) =>
    operations.list().flatMap(([operation, { access }]) => {
      const [given, why] = access.authority ?? []
      return given === wanted ? [`| \`${operation}\` | ${authorityWords[given]} | ${why} |`] : []
    }),
  )
  return `## What the bank's people may do

Money of a client leaves only if the client's side has ordered it, or two people of the bank have. These are all operations that people of the bank, or
the admin key as one of their admins, may call and that change something: what one person may do alone, what needs two, and what nobody there may do.
The tables above say on what it depends. Where two people are needed, the admin key does nothing: it is not a person. All of this holds for MANAGED
ventures and for the bank itself while [four eyes](bank.md#four-eyes) are on; in place of an OPEN venture, one person acts alone.

| Operation | Needs | Why |
|---|---|---|
${rows.join('\n')}
`
}
