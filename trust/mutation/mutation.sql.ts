// Mutants of SQL in tagged templates, derived from its text: one word or operator of a line at a time.
import type { Mutation, Span } from './mutation.source.ts'

const replacements: readonly { find: RegExp; by: string }[] = [
  { find: /\band\b/g, by: 'or' },
  { find: /\bor\b/g, by: 'and' },
  { find: /(?<= )<=(?= )/g, by: '<' },
  { find: /(?<= )>=(?= )/g, by: '>' },
  { find: /(?<= )<(?= )/g, by: '<=' },
  { find: /(?<= )>(?= )/g, by: '>=' },
  { find: /(?<= )=(?= )/g, by: '<>' },
  { find: /(?<= )<>(?= )/g, by: '=' },
  { find: /\bis null\b/g, by: 'is not null' },
  { find: /\bis not null\b/g, by: 'is null' },
  { find: / for (no key )?(update|share)( of [\w, ]+)?( skip locked)?/g, by: '' },
  { find: /\band [\w.]+ (=|<>|<|<=|>|>=) ('[A-Z_]+'|\d+|true|false)(?=\s|$)/g, by: '' },
  { find: /\b(asc|desc)\b/g, by: '' },
]

export function* mutantsOfSql(text: string, { start, end }: Span): Generator<Mutation> {
  let at = start
  for (const line of text.slice(start, end).split('\n')) {
    for (const { find, by } of replacements) {
      for (const { index, 0: found } of line.matchAll(find)) {
        const replace = line.slice(0, index) + by + line.slice(index + found.length)
        yield { start: at, end: at + line.length, operator: 'SQL', replace }
      }
    }
    at += line.length + 1
  }
}
