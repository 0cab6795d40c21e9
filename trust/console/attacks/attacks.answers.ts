// Responses in which every text is hostile, whoever could have written it, so that no page depends on what the service refuses today.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { everything, scriptAddress } from './attacks.payloads.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
}

type Operation = { responses: Record<string, { content?: Record<string, { schema?: Schema }> }> }
type Contract = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }

const contract: Contract = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))

const patterns = Object.keys(contract.paths)
  .toSorted((one, other) => one.split('{').length - other.split('{').length)
  .map((path) => ({ path, form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }))

function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (contract.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
}

/** Texts of our own: ids, times, amounts, codes and statuses, recognised by their form where no schema defines them. */
const looksOwn = /^([0-9a-f-]{36}|\d{4}-\d\d-\d\d.*|-?\d+(\.\d+)?|[A-Z0-9_]+|[a-z]+([._-][a-z]+)*|)$/

/** Codes that the contract describes in words, and by which pages look something up. */
const codes =
  /(^|_)(currency|country|country_code|nationality|status|code|type|kind|method|role|reason_code|cursor|prefix|id|route|action)$|^(birth_country|country_of_tax_residence|language)$/

function isFree(name: string, { enum: choices, const: only, format, pattern }: Schema): boolean {
  if (choices !== undefined || only !== undefined || codes.test(name)) return false
  return format === undefined && (pattern === undefined || new RegExp(pattern, 'u').test(everything))
}

function hostileText(name: string): string {
  return /(^|_)(url|link)$/.test(name) ? scriptAddress : everything
}

/** Replaces every text that a person could have written with a hostile one. `name`: the field. */
export function hostile(value: unknown, schema: Schema | undefined, name = ''): unknown {
  const known = schema === undefined ? undefined : resolved(schema)
  if (known?.anyOf !== undefined)
    return hostile(
      value,
      known.anyOf.map(resolved).find((one) => one.type !== 'null'),
      name,
    )
  if (typeof value === 'string') {
    const isHostile = known?.type === undefined ? !looksOwn.test(value) && !codes.test(name) : isFree(name, known)
    return isHostile ? hostileText(name) : value
  }
  if (Array.isArray(value)) return value.map((one) => hostile(one, known?.items, name))
  if (typeof value !== 'object' || value === null) return value
  const more = typeof known?.additionalProperties === 'object' ? known.additionalProperties : undefined
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, hostile(inner, known?.properties?.[field] ?? more, field)]),
  )
}

function schemaOf(method: string, path: string, status: number): Schema | undefined {
  const found = patterns.find(({ form }) => form.test(path))
  const operation = found && contract.paths[found.path]?.[method.toLowerCase()]
  return operation?.responses[String(status)]?.content?.['application/json']?.schema
}

/** From now on the page gets hostile answers. */
export async function answerHostile(page: Page): Promise<void> {
  await page.route(/\/api\/v1\//, async (route) => {
    const request = route.request()
    const response = await route.fetch()
    if (!/json/.test(response.headers()['content-type'] ?? '')) return route.fulfill({ response })
    const schema = schemaOf(request.method(), new URL(request.url()).pathname, response.status())
    return route.fulfill({ response, json: hostile(await response.json(), schema) })
  })
}
