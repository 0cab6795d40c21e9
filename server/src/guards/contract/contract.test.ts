import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyRefusals } from '../../contract.operations.ts'
import { eventTypes } from '../../events/events.ts'
import { contractOf } from '../../platform/docs/openapi.ts'
import { exampleIds } from '../../platform/http/examples.ts'
import { compileValidator } from '../../platform/http/validation.ts'
import { openBank } from '../../testing/testing.ts'
import { catalogue } from '../../values/refusals.ts'
import { type Contract, faultsOf, operationsIn } from './contract.faults.ts'

const bank = await openBank()
const contract: Contract = JSON.parse(contractOf(bank.app))

test('every operation, parameter, field and event is described, with refusals and examples, and no parameter is there twice', () => {
  assert.deepEqual(faultsOf(contract), [])
  assert.ok(operationsIn(contract).length >= 180, 'there are operations')
})

test('every operation is in the contract, except those that are hidden', () => {
  assert.deepEqual(
    operationsIn(contract)
      .map(({ operationId }) => operationId)
      .sort(),
    bank.app.routeTable
      .flatMap(({ schema: { operationId, ...schema } }) => ('hide' in schema || operationId === undefined ? [] : [operationId]))
      .sort(),
  )
})

test('every fault is found', () => {
  const field = { type: 'string' }
  const problem = { description: '- [`unknown`](/docs/errors#unknown): Nobody knows it.' }
  const whole = {
    operationId: 'makeGadget',
    summary: 'Make a gadget',
    description: 'Gadgets are made of parts.',
    parameters: [{ name: 'gadget_id', in: 'path', required: true, description: 'The id of the gadget.', example: exampleIds.account_id }],
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Gadget' }, example: {} } } },
    responses: { 404: problem },
    'x-refusals': ['unknown'],
    'x-codeSamples': [{ source: 'curl "$VOSTRO_URL/gadgets"' }],
  }
  const Part = { type: 'object', description: 'A part of a gadget.', properties: {} }
  const Gadget = { type: 'object', properties: { part: { $ref: '#/components/schemas/Part' } } }
  const faults = (operation: object, { schemas = { Gadget, Part }, event = {} }: { schemas?: object; event?: object } = {}) =>
    faultsOf({
      paths: { '/gadgets/{gadget_id}': { post: { ...whole, ...operation } } },
      webhooks: { 'gadget.made': { post: { summary: 'gadget.made it', description: 'A gadget was made.', responses: {}, ...event } } },
      components: { schemas } as Contract['components'],
    })
  assert.deepEqual(faults({}), [])
  assert.deepEqual(faults({ summary: undefined }), ['makeGadget has no summary'])
  assert.deepEqual(faults({ description: '' }), ['makeGadget has no description'])
  assert.deepEqual(faults({ description: 'Make a gadget' }), ['the description of makeGadget only repeats its summary'])
  assert.deepEqual(faults({ 'x-refusals': undefined }), ['makeGadget does not list its refusals'])
  assert.deepEqual(faults({ 'x-refusals': ['unknown', 'gone'] }), ['makeGadget has no response for gone'])
  assert.deepEqual(faults({ 'x-codeSamples': [] }), ['makeGadget has no example as a command'])
  assert.deepEqual(faults({ requestBody: { content: { 'application/json': { schema: {} } } } }), ['the body of makeGadget has no example'])
  const [parameter] = whole.parameters
  assert.deepEqual(faults({ parameters: [{ ...parameter, example: undefined }] }), ['the parameter gadget_id of makeGadget has no example'])
  assert.deepEqual(faults({ parameters: [{ ...parameter, description: undefined }] }), [
    'the parameter gadget_id of makeGadget has no description',
  ])
  assert.deepEqual(faults({ parameters: [parameter, { ...parameter, in: 'query' }] }), ['makeGadget has the parameter gadget_id twice'])
  assert.deepEqual(faults({}, { schemas: { Gadget, Part: { ...Part, description: undefined } } }), [
    'the field part of Gadget has no description',
  ])
  assert.deepEqual(
    faults({}, { schemas: { Gadget, Part: { ...Part, properties: { size: { type: 'array', items: { properties: { x: field } } } } } } }),
    ['the field size of Part has no description', 'the field x of Part.size has no description'],
  )
  assert.deepEqual(faults({ responses: { 200: { description: 'OK it is', schema: { properties: { name: field } } }, 404: problem } }), [
    'the field name of makeGadget has no description',
  ])
  assert.deepEqual(faults({}, { event: { description: undefined } }), ['gadget.made has no description'])
})

test('every code of the catalogue is listed by an operation, or is one that any request can get', () => {
  const listed = new Set<string>([
    ...operationsIn(contract).flatMap((operation) => operation['x-refusals'] ?? []),
    ...anyRefusals,
    ...bank.services.operations.list().flatMap(([, { refusals }]) => refusals),
  ])
  assert.deepEqual(
    Object.keys(catalogue).filter((code) => !listed.has(code)),
    [],
  )
})

test('every event has a schema of its own, which its example matches and another event does not', () => {
  const posts = contract.webhooks as Record<
    string,
    { post: { requestBody: { content: Record<string, { schema: object; example: object }> } } }
  >
  assert.deepEqual(Object.keys(posts), [...eventTypes])
  const bodies = Object.values(posts).map(({ post }) => post.requestBody.content['application/json'] ?? assert.fail('no body'))
  const schemas = { $defs: contract.components.schemas }
  const local = (schema: object): object =>
    JSON.parse(JSON.stringify({ ...schema, ...schemas }).replaceAll('#/components/schemas/', '#/$defs/'))
  for (const [index, { schema, example }] of bodies.entries()) {
    const fits = compileValidator({ schema: local(schema), method: 'POST', url: '/', httpPart: 'body' }) as (data: unknown) => unknown
    assert.equal(fits(structuredClone(example)), true, eventTypes[index] ?? '')
    assert.equal(fits(structuredClone(bodies[(index + 1) % bodies.length]?.example)), false, `${eventTypes[index]} accepts another event`)
  }
})
