// The SQL in the source, for the guards: where it is, and which tables it reads and writes.

/** One piece of SQL. Embedded expressions have their own place in the source, so each value or fragment is a `$` here. */
export type SqlText = {
  kind: 'read' | 'write' | 'fragment' | 'query'
  /** Whether the rows that it changes get lines in `row_states`. */
  isStated: boolean
  line: number
  text: string
  /** Its position in the source. */
  place: Span
  /** The text before, between and after the embedded expressions, and the positions of those in the source. */
  parts: string[]
  holes: Span[]
}

export type Span = { start: number; end: number }

/** A template with a tag of platform/database/sql.ts, or a literal passed to the driver. The tags are also words in comments. */
const beginnings = /(?<![\w.$`])(?:read|write|stated|fragment|fixed)(?=[<`])|\.query\b/g

const kinds: Readonly<Record<string, SqlText['kind']>> = { fixed: 'fragment', stated: 'write' }

export function sqlTexts(code: string): SqlText[] {
  return [...code.matchAll(beginnings)].flatMap(({ 0: found, index }) => {
    let start = afterTypes(code, index + found.length)
    if (found === '.query') {
      if (code[start] !== '(') return []
      start += /^\(\s*/.exec(code.slice(start))?.[0].length ?? 0
    }
    const quote = code[start]
    if (quote !== '`' && (!(quote === "'" || quote === '"') || found !== '.query')) return []
    const { parts, holes, end } = literal(code, start)
    const kind = kinds[found] ?? (found.replace('.', '') as SqlText['kind'])
    const line = code.slice(0, index).split('\n').length
    return [{ kind, isStated: found === 'stated', line, text: parts.join('$'), place: { start: index, end: end + 1 }, parts, holes }]
  })
}

/** Skips type arguments in angle brackets. An arrow closes no bracket. */
function afterTypes(code: string, start: number): number {
  if (code[start] !== '<') return start
  for (let at = start, depth = 0; at < code.length; at++) {
    if (code[at] === '<') depth++
    if (code[at] === '>' && code[at - 1] !== '=' && --depth === 0) return at + 1
  }
  return code.length
}

/** The text of the string or template that begins here, and its end. */
function literal(code: string, start: number): { parts: string[]; holes: Span[]; end: number } {
  const quote = code[start]
  const parts: string[] = []
  const holes: Span[] = []
  let text = ''
  for (let at = start + 1; at < code.length; at++) {
    const character = code[at]
    if (character === quote) return { parts: [...parts, text], holes, end: at }
    if (character === '\\') text += code[++at]
    else if (quote === '`' && code.startsWith('${', at)) {
      const hole = { start: at + 2, end: endOfExpression(code, at + 2) }
      parts.push(text)
      holes.push(hole)
      text = ''
      at = hole.end
    } else text += character
  }
  throw new Error('a literal does not end')
}

function endOfExpression(code: string, start: number): number {
  for (let at = start, depth = 1; at < code.length; at++) {
    const character = code[at] ?? ''
    if ('\'"`'.includes(character)) at = literal(code, at).end
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at
  }
  throw new Error('an expression does not end')
}

export type TableUse = { table: string; writes: boolean }

/**
 * Which tables a piece of SQL names, and whether it writes them. Every word that is the name of a table counts as the table: a column,
 * an alias or a common table expression of the same name would be hard to read anyway, and nothing is overlooked.
 */
export function usesOf(sql: string, tables: ReadonlySet<string>): TableUse[] {
  const words = wordsOf(sql)
  return words.flatMap((word, index) => {
    const [second, first] = [words[index - 2], words[index - 1]]
    // A column of something, or an alias that is defined here.
    if (!tables.has(word) || first === '.' || first === 'as') return []
    return [{ table: word, writes: writing.has(first ?? '') || (first === 'from' && second === 'delete') }]
  })
}

const writing = new Set(['into', 'update', 'truncate', 'table', 'copy'])

/** Whether the name of a table is a value, so that the text does not reveal which table it is. */
export function hidesTable(sql: string): boolean {
  const words = wordsOf(sql)
  return words.some((word, index) => {
    const [second, first = ''] = [words[index - 2], words[index - 1]]
    return word === '$' && second !== 'distinct' && (writing.has(first) || first === 'from' || first === 'join' || first === 'using')
  })
}

/** Words and signs in lower case, without comments, strings and the keywords between a verb and its table. */
export function wordsOf(sql: string): string[] {
  const plain = sql.replace(/--.*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g, ' ').toLowerCase()
  return (plain.match(/"[^"]*"|[a-z_][a-z0-9_]*|\S/g) ?? [])
    .map((word) => word.replaceAll('"', ''))
    .filter((word, index, words) => !(word === 'only' || isSchema(words, index) || (word === '.' && isSchema(words, index - 1))))
}

const isSchema = (words: readonly string[], index: number): boolean => words[index] === 'public' && words[index + 1] === '.'
