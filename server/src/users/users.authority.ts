// The table of what one person of the bank may do alone, what needs two people, and what nobody there may do, collected from the routes.
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

A client's money leaves only if the client's side or two people of the bank have ordered it. The table lists all operations that change something and
that people of the bank, or the admin key as one of their admins, may call: what one person may do alone, what needs two people, and what nobody there
may do. Where it depends, the tables above give the conditions. The admin key is not a person, so it can do nothing that needs two people. All of this
applies to MANAGED ventures and to the bank itself while [four-eyes approval](bank.md#four-eyes) is on; for an OPEN venture, one person acts alone.

| Operation | Needs | Why |
|---|---|---|
${rows.join('\n')}
`
}
