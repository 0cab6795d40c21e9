// Template tags that turn SQL text into prepared statements with parameters. `read` can run anywhere. Only a `Tx` accepts `write`, so a
// write outside a transaction does not compile.
import { createHash } from 'node:crypto'
import { withLines } from './database.states.ts'

declare const row: unique symbol

type Statement<Kind, Row> = {
  readonly kind: Kind
  readonly name: string | undefined
  readonly text: string
  readonly values: unknown[]
  readonly rowMode: 'array'
  readonly [row]?: Row
}

export type Read<Row> = Statement<'read', Row>
export type Write<Row> = Statement<'write', Row>

/** A fragment of SQL to embed in a larger statement, such as a condition of a list or a set of columns. */
export class Fragment {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
  }
}

/** A fragment that is always the same at its position, so its statement keeps its name. */
export class Fixed extends Fragment {
  constructor(text: string) {
    super([text], [])
  }

  get text(): string {
    return this.strings.join('')
  }
}

/** A fragment with two forms, of which only the second has parameters. Its statement has a name for each form. */
export class Choice extends Fragment {
  get isEmpty(): boolean {
    return this.strings.length === 1
  }
}

/** Texts that never change, as a list in SQL: `status in (${listed(terminalStatuses)})`. The planner sees that a partial index fits, which it does not with a parameter. */
export function listed(texts: readonly string[]): Fixed {
  return new Fixed(texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', '))
}

/** The columns of a resource, named like its fields. */
export class Columns extends Fixed {
  constructor(names: readonly string[], of?: string) {
    const prefix = of === undefined ? '' : `${of}.`
    super(names.map((name) => `${prefix}"${name}"`).join(', '))
  }
}

/** Columns with their database types, for an update from a record called `new`. */
export function changesOf(types: Readonly<Record<string, string>>): { assignments: Fixed; definitions: Fixed } {
  const columns = Object.entries(types)
  return {
    assignments: new Fixed(columns.map(([name]) => `"${name}" = new."${name}"`).join(', ')),
    definitions: new Fixed(columns.map(([name, type]) => `"${name}" ${type}`).join(', ')),
  }
}

export type Comparison = { column: Fixed; type: string }

/** A comparison with a record whose fields have the given names. Two nulls are equal. */
export function comparisonOf(fields: Readonly<Record<string, Comparison>>, record: string): { definitions: Fixed; isSame: Fixed } {
  const all = Object.entries(fields)
  return {
    definitions: new Fixed(all.map(([name, { type }]) => `"${name}" ${type}`).join(', ')),
    isSame: new Fixed(all.map(([name, { column }]) => `${column.text} is not distinct from ${record}."${name}"`).join(' and ')),
  }
}

/** `of`: the table's name in a query over several tables. */
export function columnsOf(schema: { properties: object }, of?: string): Columns {
  return new Columns(Object.keys(schema.properties), of)
}

export function fragment(strings: TemplateStringsArray, ...values: unknown[]): Fragment {
  return new Fragment(strings, values)
}

/** A fragment without parameters, so the statements that embed it stay prepared. */
export function fixed(strings: TemplateStringsArray, ...values: readonly Fixed[]): Fixed {
  return new Fixed(flatten(strings, values, []))
}

/** Joins conditions with `and`; an empty list is true. */
export function every(conditions: readonly Fragment[]): Fragment {
  return conditions.length === 0 ? fragment`true` : joined(conditions, ' and ')
}

/** Joins conditions with `or`, in parentheses. */
export function any(conditions: readonly Fragment[]): Fragment {
  return fragment`(${joined(conditions, ' or ')})`
}

function joined(conditions: readonly Fragment[], by: string): Fragment {
  return new Fragment(['', ...conditions.slice(1).map(() => by), ''], conditions)
}

export function read<Row = object>(strings: TemplateStringsArray, ...values: unknown[]): Read<Row> {
  return statement('read', strings, values)
}

export function write<Row = never>(strings: TemplateStringsArray, ...values: unknown[]): Write<Row> {
  return statement('write', strings, values)
}

/** A write to a table whose rows decide something. Each row that it changes gets a line, in the same statement. See database.states.ts. */
export function stated<Row = never>(strings: TemplateStringsArray, ...values: unknown[]): Write<Row> {
  return statement('write', strings, values, withLines)
}

/** `ids`: the positions of the parameters that are arrays of ids. */
type Named = { name: string; text: string; ids: ReadonlySet<number> }

// The strings of a template are the same object at each call, so text and name are built once for each place in the code. If the statement
// has a choice, they are built a second time for the other form.
const prepared = new WeakMap<readonly string[], Named>()
const chosen = new WeakMap<readonly string[], Named>()

const rowMode = 'array'

function statement<Kind>(
  kind: Kind,
  strings: readonly string[],
  values: unknown[],
  finished = (text: string) => text,
): Statement<Kind, never> {
  const choice = values.some((value) => value instanceof Choice && !value.isEmpty)
  const forms = choice ? chosen : prepared
  const known = forms.get(strings)
  if (known !== undefined) {
    const parameters = choice ? values.flatMap(parametersOf) : values.filter(isParameter)
    return { kind, name: known.name, text: known.text, values: withLiterals(parameters, known.ids), rowMode }
  }
  const flat: unknown[] = []
  const text = finished(flatten(strings, values, flat))
  const ids = idsIn(text)
  // Composed statements stay unnamed: they are lists, whose best plan depends on the given filters.
  if (values.some((value) => value instanceof Fragment && !(value instanceof Fixed || value instanceof Choice))) {
    return { kind, name: undefined, text, values: withLiterals(flat, ids), rowMode }
  }
  const name = nameOf(text)
  forms.set(strings, { name, text, ids })
  return { kind, name, text, values: withLiterals(flat, ids), rowMode }
}

const names = new Map<string, string>()

/** Names a composed statement, so that it is prepared. For one with few variants, whose best plan does not depend on its parameters. */
export function named<Row>(query: Read<Row>): Read<Row> {
  let name = names.get(query.text)
  if (name === undefined) {
    name = nameOf(query.text)
    names.set(query.text, name)
  }
  return { ...query, name }
}

const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

const idsIn = (text: string): ReadonlySet<number> => new Set([...text.matchAll(/\$(\d+)::uuid\[\]/g)].map(([, place]) => Number(place) - 1))

/** Arrays in PostgreSQL's notation. */
function withLiterals(values: readonly unknown[], ids: ReadonlySet<number>): unknown[] {
  return values.map((value, place) => (!Array.isArray(value) ? value : ids.has(place) ? idsLiteral(value) : arrayLiteral(value)))
}

const idLength = 36

/**
 * Arrays of ids need no quotes: without them, a text of an id's length cannot become two elements or NULL, and PostgreSQL refuses anything
 * that is not an id.
 */
function idsLiteral(values: readonly unknown[]): unknown {
  for (const value of values) if (typeof value !== 'string' || value.length !== idLength) return arrayLiteral(values)
  return `{${values.join(',')}}`
}

/** Ids, numbers, times and most other texts can be array elements as they are. */
const needsQuotes = /[\s"\\{},]|^$|^null$/i

/**
 * The driver quotes every element and searches each for two characters, which takes several times as long; a batch sends about fifty
 * arrays. Values other than text, numbers and booleans are left to the driver.
 */
function arrayLiteral(values: readonly unknown[]): unknown {
  let text = '{'
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (index > 0) text += ','
    if (typeof value === 'string') text += needsQuotes.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value
    else if (value === null || value === undefined) text += 'NULL'
    else if (typeof value === 'number' || typeof value === 'boolean') text += value
    else return values
  }
  return `${text}}`
}

const parametersOf = (value: unknown): unknown[] =>
  value instanceof Choice ? value.values.filter(isParameter) : value instanceof Fixed ? [] : [value]

const isParameter = (value: unknown): boolean => !(value instanceof Fixed || value instanceof Choice)

function flatten(strings: readonly string[], values: readonly unknown[], flat: unknown[]): string {
  return strings.reduce((text, string, index) => {
    const value = values[index - 1]
    if (value instanceof Fragment) return text + flatten(value.strings, value.values, flat) + string
    flat.push(value)
    return `${text}$${flat.length}${string}`
  })
}
