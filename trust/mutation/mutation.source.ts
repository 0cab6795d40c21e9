// Source files as syntax trees: their declarations and where they are. Planted bugs and mutants find their place with it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Offsets in the text: `text.slice(start, end)`. */
export type Span = { start: number; end: number }

/** The span is the smallest whole expression, statement or line around the change. Its text becomes `replace`. */
export type Mutation = Span & { operator: string; replace: string }

/** A function, a constant, a class, or a member of one, whose name is `Class.member`. */
export type Declaration = Span & { name: string }

export type Node = Span & { type: string; [field: string]: unknown }

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** `path` is relative to the repository. */
export type Source = {
  path: string
  text: string
  statements: readonly Node[]
  declarations: readonly Declaration[]
  /** All functions, including nested ones, by start offset. */
  functions: readonly Span[]
}

export function read(path: string): Source {
  return parse(path, readFileSync(join(root, path), 'utf8'))
}

export function parse(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) throw new SyntaxError(`${path}: ${error.message}`)
  const statements = program.body as unknown as Node[]
  const declarations = statements.flatMap((statement) => declarationsOf(statement, text))
  const functions = statements.flatMap((statement) => [...functionsIn(statement)]).sort((a, b) => a.start - b.start)
  return { path, text, statements, declarations, functions }
}

/** A method begins with its name. */
function* functionsIn(node: Node, parent?: Node): Generator<Span> {
  if (/Function/.test(node.type) && isNode(node['body']))
    yield { start: parent?.['value'] === node ? parent.start : node.start, end: node.end }
  for (const child of childrenOf(node)) yield* functionsIn(child, node)
}

/** Identifies a function by its declaration and its number within it, independent of other declarations. */
export function nameOfFunction(source: Source, { start }: Span): string {
  const declaration = declarationAt(source, { start, end: start })
  const before = source.functions.filter((each) => each.start < start && each.start >= (declaration?.start ?? 0))
  return `${declaration?.name ?? ''}#${before.length}`
}

/** The innermost function around a place. */
export function functionAt(source: Source, place: Span): Span | undefined {
  return source.functions.findLast(({ start, end }) => start <= place.start && place.end <= end)
}

function declarationsOf(statement: Node, text: string): Declaration[] {
  const { start, end } = statement
  const named = (node: unknown, prefix = ''): string => (isNode(node) ? prefix + text.slice(node.start, endOfName(node)) : '')
  if (isNode(statement['declaration'])) return declarationsOf(statement['declaration'], text).map((found) => widened(found, statement))
  if (statement.type === 'FunctionDeclaration') return [{ name: named(statement['id']), start, end }]
  if (statement.type === 'VariableDeclaration') {
    const declarators = statement['declarations'] as Node[]
    return declarators.map((each) => ({ name: named(each['id']), start: declarators.length === 1 ? start : each.start, end: each.end }))
  }
  if (statement.type !== 'ClassDeclaration') return []
  const name = named(statement['id'])
  const members = (statement['body'] as Node)['body'] as Node[]
  return [{ name, start, end }, ...members.map((each) => ({ name: named(each['key'], `${name}.`), start: each.start, end: each.end }))]
}

/** The name of a constant does not include its type. */
const endOfName = (node: Node): number => (isNode(node['typeAnnotation']) ? node['typeAnnotation'].start : node.end)

/** `export` belongs to the exported declaration, not to the members of a class. */
const widened = (found: Declaration, { start, end }: Span): Declaration => (found.name.includes('.') ? found : { ...found, start, end })

/** The innermost declaration around a place. */
export function declarationAt(source: Source, place: Span): Declaration | undefined {
  const around = source.declarations.filter(({ start, end }) => start <= place.start && place.end <= end)
  return around.sort((a, b) => a.end - a.start - (b.end - b.start))[0]
}

export function* childrenOf(node: Node): Generator<Node> {
  for (const value of Object.values(node)) {
    if (isNode(value)) yield value
    else if (Array.isArray(value)) yield* value.filter(isNode)
  }
}
