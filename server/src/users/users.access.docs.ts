// The complete access table for reviewers: who may call which operation, collected from the routes.
import type { Access } from '../platform/http/access.ts'
import type { Operations } from '../platform/http/operations.ts'
import { authorityWords } from './users.authority.ts'

const listed = (words: readonly string[] = []): string => words.join(', ')

function keysOf({ door, scopes, bankKey, bank }: Access): string {
  const ofVenture = { any: 'any key', all: 'a key with all scopes' } as const
  const keys = [
    ...(scopes === undefined ? [] : [typeof scopes === 'string' ? ofVenture[scopes] : listed(scopes)]),
    ...(bankKey === undefined ? [] : [`bank key: ${bankKey}`]),
    ...(door === 'verifier' || door === 'relay' ? ["the verifier's relay"] : []),
    ...(door === 'monitor' ? ['the key for metrics'] : []),
    ...(bank?.includes('admin') === true ? ['admin key'] : []),
  ]
  return keys.join('; ')
}

function peopleOf({ door, fromConsole, venture, bank }: Access): string {
  if (door === 'none') return fromConsole === true ? 'anyone, from the console' : 'anyone'
  if (door === 'session') return 'anyone who is signed in'
  return [...(venture === undefined ? [] : [`venture: ${listed(venture)}`]), ...(bank === undefined ? [] : [`bank: ${listed(bank)}`])].join(
    '; ',
  )
}

function notesOf({ isSensitive, empowers, enrols, authority }: Access): string {
  return [
    ...(isSensitive === true ? ['sensitive'] : []),
    ...(empowers === true ? ['empowers'] : []),
    ...(enrols === true ? ['works without a passkey'] : []),
    ...(authority === undefined ? [] : [`at the bank: ${authorityWords[authority[0]]}`]),
  ].join('; ')
}

export function accessMarkdown(operations: Operations): string {
  const rows = operations
    .list()
    .map(([name, { method, url, access }]) => [`\`${name}\``, `${method} ${url}`, keysOf(access), peopleOf(access), notesOf(access)])
  return `## Who may call what

All operations, as their routes declare them. A key needs one of the listed scopes. Sensitive operations require a fresh proof; roles that may call an
empowering operation need a passkey. [Reserved to the bank](reserved.md) explains what people of the bank may do alone.

${[['Operation', 'Request', 'Keys', 'People', 'Notes'], Array(5).fill('---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`
}
