// Resources as the API shows them. A row has more columns than its resource has fields. The response schema decides what leaves the
// service, in responses and in events, so a new private column stays private by default.
import type { Static, TObject } from 'typebox'

declare const passed: unique symbol

/** The result of `shown`. Events accept nothing else, so passing a raw row does not compile. */
export type Shown<Resource extends object> = Resource & { readonly [passed]: true }

const pickers = new WeakMap<TObject, (row: object) => object>()

/** The fields of the schema, and nothing else of the row. */
export function shown<Schema extends TObject>(schema: Schema, row: Static<Schema>): Shown<Static<Schema>> {
  let pick = pickers.get(schema)
  if (pick === undefined) {
    const nested = Object.keys(schema.properties).filter((name) => hasFields(schema.properties[name]))
    if (nested.length > 0) throw new Error(`shown() would pass every column inside ${nested.join(', ')}: it picks fields of one level only`)
    const names = Object.keys(schema.properties).map((name) => JSON.stringify(name))
    // A generated object literal takes a tenth of the time of filling an object field by field. The names are our own.
    pick = new Function('row', `return {${names.map((name) => `${name}: row[${name}]`)}}`) as (row: object) => object
    pickers.set(schema, pick)
  }
  return pick(row as object) as Shown<Static<Schema>>
}

/** Whether a value of the schema can be or contain an object. */
function hasFields(schema: { type?: unknown; items?: object; anyOf?: object[] } = {}): boolean {
  return schema.type === 'object' || [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])].some((inner) => hasFields(inner))
}
