// The statements in the source, for the guards, with their embedded fragments. The code is read and not run: a fragment is found directly
// in the expression, or through a name in it that refers to a constant or a function, which may be imported. If an expression may become
// one of several fragments, all of them count.
import { dirname, join } from 'node:path'
import { type Span, type SqlText, sqlTexts } from './sql.ts'

export type Statement = {
  file: string
  /** The declaration that contains the statement, with a number from its second statement on. */
  name: string
  /** Each fragment is in parentheses, and every other value is a `$`. */
  text: string
  /** A fragment for which the guard found no statement that contains it. */
  loose: boolean
}

/** A constant or a function. `scope` is the declaration at the top of the file that contains it, or itself. */
type Binding = { name: string; scope: string; span: Span; isFunction: boolean }

type Source = { file: string; code: string; texts: SqlText[]; bindings: Binding[]; imports: Map<string, string> }
type Sources = ReadonlyMap<string, Source>

type Found = { source: Source; text: SqlText }

/** `files`: the code of each file by its path. */
export function statementsOf(files: ReadonlyMap<string, string>): Statement[] {
  const sources: Sources = new Map([...files].map(([file, code]) => [file, sourceOf(file, code)]))
  const all = [...sources.values()].flatMap((source) => source.texts.map((text) => ({ source, text })))
  const placed = new Set<SqlText>()
  const composed = (found: Found) => ({ ...found, sql: compose(sources, found, placed) })
  const statements = all.filter(({ text }) => text.kind !== 'fragment').map(composed)
  const loose = all.filter(({ text }) => text.kind === 'fragment' && !placed.has(text)).map(composed)
  const counts = new Map<string, number>()
  return [...statements, ...loose].map(({ source, text, sql }) => {
    const scope = scopeOf(source, text)
    const count = (counts.get(`${source.file} ${scope}`) ?? 0) + 1
    counts.set(`${source.file} ${scope}`, count)
    return { file: source.file, name: count === 1 ? scope : `${scope} ${count}`, text: sql, loose: text.kind === 'fragment' }
  })
}

function sourceOf(file: string, code: string): Source {
  return { file, code, texts: sqlTexts(code), bindings: bindingsIn(code), imports: importsIn(file, code) }
}

const declaration = /^( *)(?:export )?(?:async )?(function|const|let|class) (\w+)/gm

/** The formatter indents what belongs to a declaration, except for the brackets that close it. */
function bindingsIn(code: string): Binding[] {
  let scope = ''
  return [...code.matchAll(declaration)].map(({ 0: found, 1: indent = '', 2: word, 3: name = '', index: start }) => {
    if (indent === '') scope = name
    const after = start + found.length
    const rest = code.slice(after).search(new RegExp(`\\n {0,${indent.length}}[^\\s)\\]}>]`))
    return { name, scope, span: { start, end: rest < 0 ? code.length : after + rest }, isFunction: word === 'function' }
  })
}

function importsIn(file: string, code: string): Map<string, string> {
  const imports = [...code.matchAll(/^import \{([^}]*)\} from '(\.[^']+)'/gm)]
  return new Map(
    imports.flatMap(([, names = '', from = '']) => (names.match(/\w+/g) ?? []).map((name) => [name, join(dirname(file), from)] as const)),
  )
}

function scopeOf({ bindings }: Source, { place }: SqlText): string {
  return bindings.findLast(({ span }) => span.start <= place.start)?.scope ?? ''
}

/** The text with its fragments, which are added to `placed`. */
function compose(sources: Sources, { source, text }: Found, placed: Set<SqlText>, around: readonly SqlText[] = []): string {
  const values = text.holes.map((hole) => {
    const fragments = fragmentsIn(sources, source, hole, scopeOf(source, text)).filter(({ text }) => !around.includes(text))
    for (const { text } of fragments) placed.add(text)
    return fragments.map((found) => `(${compose(sources, found, placed, [...around, text])})`).join(' ') || '$'
  })
  return text.parts.reduce((sql, part, index) => `${sql} ${values[index - 1]} ${part}`)
}

/** The fragments that an expression may become. */
function fragmentsIn(sources: Sources, source: Source, span: Span, scope: string, seen = new Set<Binding>()): Found[] {
  const own = outermostIn(source, span)
  const names = new Set(codeBeside(source, span, own).match(/(?<![.\w])[a-zA-Z_]\w*/g))
  const named = [...names].flatMap((name) => bindingsOf(sources, source, name, scope)).filter(({ binding }) => !seen.has(binding))
  for (const { binding } of named) seen.add(binding)
  const theirs = named.flatMap(({ source, binding }) =>
    // The names in a function depend on its callers, so only its own fragments count.
    binding.isFunction ? outermostIn(source, binding.span) : fragmentsIn(sources, source, binding.span, binding.scope, seen),
  )
  return [...own, ...theirs].filter(({ text }) => text.kind === 'fragment')
}

/** The pieces of SQL in a span that are not part of another one there. */
function outermostIn(source: Source, span: Span): Found[] {
  const inside = source.texts.filter(({ place }) => isWithin(place, span))
  const outermost = inside.filter((text) => !inside.some((other) => other !== text && isWithin(text.place, other.place)))
  return outermost.map((text) => ({ source, text }))
}

const isWithin = (inner: Span, outer: Span): boolean => inner.start >= outer.start && inner.end <= outer.end

/** The code of a span without SQL and other texts, whose words are not names. */
function codeBeside({ code }: Source, { start, end }: Span, sql: readonly Found[]): string {
  const without = (rest: string, { text: { place } }: Found) => rest.slice(0, place.start - start) + rest.slice(place.end - start)
  return sql.reduceRight(without, code.slice(start, end)).replace(/'[^'\n]*'/g, '')
}

/** Prefers a name of the same declaration, then any of the file (a parameter often has the name of what is passed), then an import. */
function bindingsOf(sources: Sources, source: Source, name: string, scope: string): { source: Source; binding: Binding }[] {
  const all = source.bindings.filter((binding) => binding.name === name)
  const own = all.filter((binding) => binding.scope === scope)
  if (all.length > 0) return (own.length > 0 ? own : all).map((binding) => ({ source, binding }))
  const from = sources.get(source.imports.get(name) ?? '')
  return from === undefined ? [] : bindingsOf(sources, from, name, name)
}
