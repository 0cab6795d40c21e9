// Resources as the API shows them. A row has more columns than its resource has fields. The response schema decides what leaves the
// service, in responses and in events, so a new private column stays private by default.
import type { Static, TObject } from 'typebox'

declare const passed: unique symbol

/** The result of `shown`. Events accept nothing else, so passing a raw row does not compile. */
export type Shown<Resource extends object> = Resource & { readonly [passed]: true }

const pickers = new WeakMap<object, (row: object) => object>()

/** The fields of the schema, and nothing else of the row. An optional field that the row does not have is left out. */
export function shown<Schema extends TObject>(schema: Schema, row: Static<Schema>): Shown<Static<Schema>> {
  return pickerOf(schema)(row as object) as Shown<Static<Schema>>
}

type Inner = { type?: unknown; properties?: Record<string, Inner>; required?: readonly string[]; items?: Inner; anyOf?: readonly Inner[] }

function pickerOf(schema: Inner): (row: object) => object {
  let pick = pickers.get(schema)
  if (pick === undefined) {
    pick = makePicker(schema)
    pickers.set(schema, pick)
  }
  return pick
}

/** A generated object literal takes a tenth of the time of filling an object field by field. The names are our own. */
function makePicker({ properties = {}, required = [] }: Inner): (row: object) => object {
  const inner = new Map<string, (value: never) => unknown>()
  const codeOf = (name: string) => {
    const pick = pickerOfValue(name, properties[name])
    if (pick === undefined) return `row[${JSON.stringify(name)}]`
    inner.set(name, pick)
    return `inner.get(${JSON.stringify(name)})(row[${JSON.stringify(name)}])`
  }
  const names = Object.keys(properties)
  const always = names.filter((name) => required.includes(name)).map((name) => `${JSON.stringify(name)}: ${codeOf(name)}`)
  const sometimes = names
    .filter((name) => !required.includes(name))
    .map((name) => `if (row[${JSON.stringify(name)}] !== undefined) shown[${JSON.stringify(name)}] = ${codeOf(name)};`)
  return new Function('inner', `return (row) => { const shown = {${always}}; ${sometimes.join(' ')} return shown }`)(inner) as (
    row: object,
  ) => object
}

/** How the value of a field is shown; undefined if it is shown as it is. */
function pickerOfValue(name: string, schema: Inner = {}): ((value: never) => unknown) | undefined {
  if (!hasFields(schema)) return undefined
  if (schema.type === 'object' && schema.properties !== undefined) return pickerOf(schema)
  const { items } = schema
  if (items?.type === 'object' && items.properties !== undefined) return (values: readonly object[]) => values.map(pickerOf(items))
  throw new Error(`shown() would pass every column inside ${name}: it picks the fields of objects and of lists of objects only`)
}

/** Whether a value of the schema can be or contain an object. */
function hasFields({ type, items, anyOf = [] }: Inner): boolean {
  return [type].flat().includes('object') || [...(items ? [items] : []), ...anyOf].some((inner) => hasFields(inner))
}
