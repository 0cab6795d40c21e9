// Mutants: small changes of a source file, each of which a test should notice. They are derived from the syntax tree, and for SQL from its text.
import { hash } from 'node:crypto'
import {
  childrenOf,
  declarationAt,
  functionAt,
  isNode,
  type Mutation,
  type Node,
  nameOfFunction,
  parse,
  type Source,
  type Span,
} from './mutation.source.ts'
import { mutantsOfSql } from './mutation.sql.ts'

/** `id` depends neither on the line nor on the format. `calledAs`: the name of the innermost function around it. */
export type Mutant = Mutation & { id: string; path: string; line: number; within: string; was: string; calledAs: string | undefined }

const comparisons: Record<string, readonly string[]> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
}
const arithmetic: Record<string, readonly string[]> = { '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['*'] }
const logical: Record<string, readonly string[]> = { '&&': ['||'], '||': ['&&'], '??': ['&&'] }
const literals: Record<string, string> = { true: 'false', false: 'true', 0: '1', 1: '0', '0n': '1n', '1n': '0n', "''": "'mutant'" }

/** Limits the elements per list: some lists are whole tables, whose elements would be most of all mutants. */
const mostOfList = 3

export const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '')

export function mutantsOf(source: Source): Mutant[] {
  const found = source.statements.flatMap((statement) => [...mutationsIn(statement, undefined, source.text)])
  const counts = new Map<string, number>()
  return found.map((mutation) => {
    const { start, end, operator, replace } = mutation
    const was = source.text.slice(start, end)
    const within = declarationAt(source, mutation)?.name ?? ''
    const name = [source.path, within, operator, withoutSpace(was), withoutSpace(replace)].join('\n')
    const nth = counts.get(name) ?? 0
    counts.set(name, nth + 1)
    const id = hash('sha256', `${name}\n${nth}`).slice(0, 12)
    const around = functionAt(source, mutation)
    const calledAs = around && nameOfFunction(source, around)
    return { ...mutation, id, path: source.path, line: source.text.slice(0, start).split('\n').length, within, was, calledAs }
  })
}

/** Some operators cannot replace others without brackets. */
export function isParseable({ path, text }: Source, { start, end, replace }: Mutation): boolean {
  try {
    parse(path, text.slice(0, start) + replace + text.slice(end))
    return true
  } catch {
    return false
  }
}

/** Types and import specifiers are not mutated. */
const isLeftOut = ({ type }: Node): boolean =>
  type.startsWith('Import') ||
  type.startsWith('ExportAll') ||
  (type.startsWith('TS') && !['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(type))

function* mutationsIn(node: Node, parent: Node | undefined, text: string): Generator<Mutation> {
  if (isLeftOut(node)) return
  const make = makers[node.type]
  if (make !== undefined) yield* make(node, text, parent)
  for (const child of childrenOf(node)) yield* mutationsIn(child, node, text)
}

type Maker = (node: Node, text: string, parent: Node | undefined) => Iterable<Mutation>

const makers: Record<string, Maker> = {
  *BinaryExpression(node, text) {
    yield* withOperator(node, text, 'comparison', comparisons)
    const isText = [node['left'], node['right']].some((side) => isNode(side) && isString(side))
    if (!isText) yield* withOperator(node, text, 'arithmetic', arithmetic)
  },
  *LogicalExpression(node, text) {
    yield* withOperator(node, text, 'logical', logical)
  },
  *IfStatement(node, text) {
    yield* negated(node, text)
    if (!isNode(node['alternate'])) yield replaced(node, 'removed statement', ';')
  },
  *ConditionalExpression(node, text) {
    yield* negated(node, text)
  },
  *WhileStatement(node, text) {
    yield* negated(node, text)
  },
  *ExpressionStatement(node) {
    const type = isNode(node['expression']) ? node['expression'].type : ''
    if (['CallExpression', 'AwaitExpression', 'AssignmentExpression', 'UpdateExpression'].includes(type))
      yield replaced(node, 'removed statement', ';')
  },
  *FunctionDeclaration(node) {
    yield* emptied(node)
  },
  *FunctionExpression(node) {
    yield* emptied(node)
  },
  *ArrowFunctionExpression(node) {
    yield* emptied(node)
  },
  *ReturnStatement(node) {
    const value = node['argument']
    if (isNode(value) && value.type === 'ArrayExpression' && value.end - value.start > 2) yield replaced(node, 'empty result', 'return []')
  },
  *Literal(node, text, parent) {
    const other = literals[text.slice(node.start, node.end)]
    if (other === undefined || parent === undefined) return
    // A literal alone tells readers little, so its surroundings are shown too.
    const around = parent.end - parent.start <= 200 ? parent : node
    yield within(around, node, 'literal', other, text)
  },
  *ArrayExpression(node, text) {
    const elements = (node['elements'] as unknown[]).filter(isNode)
    for (const element of elements.slice(0, mostOfList)) {
      const after = /^\s*,/.exec(text.slice(element.end, node.end))?.[0].length ?? 0
      const removed = { start: element.start, end: element.end + after }
      yield within(node.end - node.start <= 300 ? node : removed, removed, 'removed element', '', text)
    }
  },
  *MemberExpression(node, text) {
    const object = node['object']
    if (node['optional'] !== true || !isNode(object) || node['computed'] === true) return
    const at = text.indexOf('?.', object.end)
    yield within(node, { start: at, end: at + 2 }, 'optional chaining', '.', text)
  },
  *TaggedTemplateExpression(node, text) {
    const quasis = (node['quasi'] as Node)['quasis'] as Node[]
    for (const quasi of quasis) yield* mutantsOfSql(text, withoutDelimiters(quasi, text))
  },
}

/** The text between the delimiters of a template part. */
function withoutDelimiters({ start, end }: Span, text: string): Span {
  const shown = text.slice(start, end)
  return { start: start + (/^[`}]/.test(shown) ? 1 : 0), end: end - (shown.endsWith('${') ? 2 : shown.endsWith('`') ? 1 : 0) }
}

const isString = (node: Node): boolean => node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node['value'] === 'string')

const replaced = ({ start, end }: Span, operator: string, replace: string): Mutation => ({ start, end, operator, replace })

/** The whole text of `around`, with a part of it replaced. */
function within(around: Span, part: Span, operator: string, by: string, text: string): Mutation {
  return replaced(around, operator, text.slice(around.start, part.start) + by + text.slice(part.end, around.end))
}

function* withOperator(node: Node, text: string, kind: string, table: Record<string, readonly string[]>): Generator<Mutation> {
  const { left, right, operator } = node
  if (!isNode(left) || !isNode(right) || typeof operator !== 'string') return
  const start = text.indexOf(operator, left.end)
  for (const other of table[operator] ?? []) yield within(node, { start, end: start + operator.length }, kind, other, text)
}

function* negated(node: Node, text: string): Generator<Mutation> {
  const condition = node['test']
  // For a comparison, the opposite is already a mutant.
  if (isNode(condition) && condition.type !== 'BinaryExpression')
    yield replaced(condition, 'negated condition', `!(${text.slice(condition.start, condition.end)})`)
}

/** A function without a return value becomes one that does nothing. */
function* emptied(node: Node): Generator<Mutation> {
  const body = node['body']
  if (!isNode(body) || body.type !== 'BlockStatement' || returnsSomething(body)) return
  const [first, ...others] = body['body'] as Node[]
  const last = others.at(-1)
  // If there is only one statement, removing it is already a mutant.
  if (first !== undefined && last !== undefined) yield replaced({ start: first.start, end: last.end }, 'empty function', 'return')
}

function returnsSomething(node: Node): boolean {
  if (node.type === 'ReturnStatement') return isNode(node['argument'])
  if (/Function/.test(node.type)) return false
  return [...childrenOf(node)].some(returnsSomething)
}
