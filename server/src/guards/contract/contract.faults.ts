// Finds faults of the contract: missing descriptions, refusals or examples, and duplicate parameters.

// biome-ignore lint/suspicious/noExplicitAny: the document is searched, whatever it contains.
type Node = any

export type Contract = { paths: Node; webhooks: Node; components: { schemas: Record<string, Node> } }

export type Operation = {
  where: string
  method: string
  path: string
  operationId: string
  summary?: string
  description?: string
  parameters?: { name: string; in: string; required?: boolean; description?: string; example?: unknown }[]
  requestBody?: { content: Record<string, { schema: Node; example?: Node }> }
  responses: Record<string, Node>
  'x-refusals'?: string[]
  'x-codeSamples'?: { source: string }[]
}

export function operationsIn({ paths }: Pick<Contract, 'paths'>): Operation[] {
  return Object.entries<Node>(paths).flatMap(([path, methods]) =>
    Object.entries<Node>(methods).map(([method, operation]) => ({
      ...operation,
      where: operation.operationId ?? `${method} ${path}`,
      method: method.toUpperCase(),
      path,
    })),
  )
}

/** One sentence per fault. */
export function faultsOf(contract: Contract): string[] {
  const operations = operationsIn(contract)
  const events = Object.entries<Node>(contract.webhooks ?? {}).map(([type, { post }]) => ({ ...post, where: type }) as Operation)
  return [
    ...operations.flatMap(operationFaults),
    ...[...operations, ...events].flatMap((operation) => [...textFaults(operation), ...parameterFaults(operation)]),
    ...Object.entries(contract.components.schemas).flatMap(([title, schema]) => fieldFaults(contract, title, schema)),
    ...[...operations, ...events].flatMap(({ where, requestBody, responses }) => fieldFaults(contract, where, { requestBody, responses })),
  ]
}

function textFaults({ where, summary, description }: Operation): string[] {
  return [
    ...(summary?.trim() ? [] : [`${where} has no summary`]),
    ...(isText(description) ? [] : [`${where} has no description`]),
    ...(isText(description) && description === summary ? [`the description of ${where} only repeats its summary`] : []),
  ]
}

function operationFaults(operation: Operation): string[] {
  const { where, parameters = [], requestBody, responses } = operation
  const needed = parameters.filter(({ required, in: place }) => required === true && place !== 'header')
  const bodies = Object.entries(requestBody?.content ?? {}).filter(([type]) => type === 'application/json')
  const codes = operation['x-refusals']
  const listed = Object.values(responses).map(({ description = '' }) => description)
  return [
    ...(codes === undefined ? [`${where} does not list its refusals`] : []),
    ...(codes ?? [])
      .filter((code) => !listed.some((text) => text.includes(`#${code})`)))
      .map((code) => `${where} has no response for ${code}`),
    ...(isText(operation['x-codeSamples']?.[0]?.source) ? [] : [`${where} has no example as a command`]),
    ...needed.filter(({ example }) => example === undefined).map(({ name }) => `the parameter ${name} of ${where} has no example`),
    ...bodies.filter(([, { example }]) => example === undefined).map(() => `the body of ${where} has no example`),
  ]
}

function parameterFaults({ where, parameters = [] }: Operation): string[] {
  const names = parameters.map(({ name }) => name.toLowerCase())
  return [
    ...parameters
      .filter(({ description }) => !isText(description))
      .map(({ name }) => `the parameter ${name} of ${where} has no description`),
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${where} has the parameter ${name} twice`),
  ]
}

/** A field is described on its own, or by the schema that it refers to. */
function fieldFaults(contract: Contract, where: string, node: Node): string[] {
  if (typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) return node.flatMap((inner) => fieldFaults(contract, where, inner))
  const fields = Object.entries<Node>(typeof node.properties === 'object' ? node.properties : {})
  const here = fields
    .filter(([, field]) => !isText(field.description) && !isText(referred(contract, field)?.description))
    .map(([name]) => `the field ${name} of ${where} has no description`)
  const { example: _, properties: __, ...rest } = node
  return [
    ...here,
    ...fields.flatMap(([name, field]) => fieldFaults(contract, `${where}.${name}`, field)),
    ...Object.values(rest).flatMap((inner) => fieldFaults(contract, where, inner)),
  ]
}

function referred({ components: { schemas } }: Contract, { $ref }: Node): Node {
  return typeof $ref === 'string' ? schemas[$ref.replace('#/components/schemas/', '')] : undefined
}

/** A description has more than one word. */
function isText(text: unknown): text is string {
  return typeof text === 'string' && /\S\s+\S/.test(text)
}
