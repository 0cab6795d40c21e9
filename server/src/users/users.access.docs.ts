// The whole table of access for a reviewer: who may call which operation, as the routes declare it.
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
  if (door === 'none') return fromConsole === true ? 'anybody, from the console' : 'anybody'
  if (door === 'session') return 'anybody who is signed in'
  return [...(venture === undefined ? [] : [`venture: ${listed(venture)}`]), ...(bank === undefined ? [] : [`bank: ${listed(bank)}`])].join(
    '; ',
  )
}

function notesOf({ isSensitive, empowers, enrols, authority }: Access): string {
  return [
    ...(isSensitive === true ? ['sensitive'] : []),
    ...(empowers === true ? ['empowers'] : []),
    ...(enrols === true ? ['leads to a passkey, or out'] : []),
    ...(authority === undefined ? [] : [`at the bank: ${authorityWords[authority[0]]}`]),
  ].join('; ')
}

export function accessMarkdown(operations: Operations): string {
  const rows = operations
    .list()
    .map(([name, { method, url, access }]) => [`\`${name}\``, `${method} ${url}`, keysOf(access), peopleOf(access), notesOf(access)])
  return `## Who may call what

All operations, as their routes declare it. A key needs one of the scopes that are named. What is sensitive asks for a fresh proof; whose role allows
what empowers needs a passkey. What people of the bank may do alone is explained in [Reserved to the bank](reserved.md).

${[['Operation', 'Request', 'Keys', 'People', 'Notes'], Array(5).fill('---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`
}
