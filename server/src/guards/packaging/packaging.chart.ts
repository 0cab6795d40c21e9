// Renders the templates of our Helm chart. It supports only the part of Helm's language that the chart uses; where Helm is installed, a test compares the
// two.
import { createHash } from 'node:crypto'
import { parseAllDocuments, stringify } from 'yaml'

export type Values = { [name: string]: unknown }
type Scope = Readonly<Record<string, unknown>>
type Node =
  | { kind: 'text'; text: string }
  | { kind: 'value'; expression: string }
  | { kind: 'if'; expression: string; body: Node[] }
  | { kind: 'range'; names: string[]; expression: string; body: Node[] }

/** The objects that a template renders to. */
export function renderTemplate(template: string, context: Values): Values[] {
  const tokens = [...template.matchAll(/\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}|(?:(?!\{\{)[\s\S])+/g)].map(([text, before, action, after]) => ({
    text,
    action,
    trimsBefore: before === '-',
    trimsAfter: after === '-',
  }))
  const pieces = tokens.map(({ text, action }, at) => {
    if (action !== undefined) return { action }
    const start = tokens[at - 1]?.trimsAfter ? text.trimStart() : text
    return { text: tokens[at + 1]?.trimsBefore ? start.trimEnd() : start }
  })
  const rendered = render(parseNodes(pieces), { $: context })
  return parseAllDocuments(rendered).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(`${document.errors[0]?.message}\n${rendered}`)
    const value = document.toJS() as Values | null
    return value === null ? [] : [value]
  })
}

type Piece = { text: string } | { action: string }

function parseNodes(pieces: Piece[]): Node[] {
  const nodes: Node[] = []
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    if ('text' in piece) nodes.push({ kind: 'text', text: piece.text })
    else if (piece.action === 'end') return nodes
    else {
      const [, word = '', rest = ''] = /^(if|range)?\s*([\s\S]*)$/.exec(piece.action) ?? []
      if (word === 'if') nodes.push({ kind: 'if', expression: rest, body: parseNodes(pieces) })
      else if (word === 'range') {
        const [, names = '', expression = ''] = /^(\$.*?)\s*:=\s*(.*)$/.exec(rest) ?? []
        nodes.push({ kind: 'range', names: names.split(/\s*,\s*/), expression, body: parseNodes(pieces) })
      } else nodes.push({ kind: 'value', expression: piece.action })
    }
  }
  return nodes
}

function render(nodes: readonly Node[], scope: Scope): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text
      const value = evaluate(node.expression, scope)
      if (node.kind === 'value') return String(value)
      if (node.kind === 'if') return isTrue(value) ? render(node.body, scope) : ''
      const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value as Values).sort(([a], [b]) => (a < b ? -1 : 1))
      return entries
        .map(([key, item]) => {
          const given = node.names.length === 1 ? [item] : [key, item]
          return render(node.body, { ...scope, ...Object.fromEntries(node.names.map((name, at) => [name, given[at]])) })
        })
        .join('')
    })
    .join('')
}

const isTrue = (value: unknown): boolean => (typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value))

/** The last argument is the piped value. */
const functions: Readonly<Record<string, (...values: never[]) => unknown>> = {
  default: (fallback: unknown, value: unknown) => (isTrue(value) ? value : fallback),
  quote: (value: unknown) => JSON.stringify(String(value)),
  toYaml: (value: unknown) => stringify(value).trimEnd(),
  nindent: (count: number, text: string) => `\n${text.replace(/^/gm, ' '.repeat(count))}`,
  sha256sum: (text: string) => createHash('sha256').update(text).digest('hex'),
}

function evaluate(expression: string, scope: Scope): unknown {
  let piped: unknown[] = []
  for (const command of expression.split(/\s*\|\s*/)) {
    const [first = '', ...rest] = command.split(/\s+/)
    const call = functions[first] as ((...values: unknown[]) => unknown) | undefined
    if (call === undefined && (rest.length > 0 || piped.length > 0))
      throw new Error(`the function ${first} is not known here: ${expression}`)
    piped = [call === undefined ? lookUp(first, scope) : call(...rest.map((word) => lookUp(word, scope)), ...piped)]
  }
  return piped[0]
}

function lookUp(word: string, scope: Scope): unknown {
  if (/^\d+$/.test(word)) return Number(word)
  const [, name = '', path = ''] = /^(\$[a-z]*)?((?:\.[A-Za-z]\w*)*)$/.exec(word) ?? []
  if (name === '' && path === '') throw new Error(`${word} is not known here`)
  const start = scope[name === '' ? '$' : name]
  return path
    .split('.')
    .slice(1)
    .reduce((value: unknown, key) => {
      // Helm would write <no value> for a missing value, which is easily overlooked.
      if (typeof value !== 'object' || value === null || !(key in value)) throw new Error(`there is no ${word}`)
      return (value as Values)[key]
    }, start)
}
