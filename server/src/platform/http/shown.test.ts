import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Resource } from './schemas.ts'
import { shown } from './shown.ts'

const Thing = Resource('Thing', { id: Type.String(), 'odd "name"': Type.String(), note: Type.String() })

test('only fields that the schema declares are shown', () => {
  const row = { id: '1', 'odd "name"': 'x', note: 'n', private_column: 'secret', venture_id: 'v' }
  assert.deepEqual(shown(Thing, row), { id: '1', 'odd "name"': 'x', note: 'n' })
})

const Part = Type.Object({ id: Type.String(), note: Type.Optional(Type.String()) })

test('of objects inside a resource, too, only declared fields are shown, in their order', () => {
  const Whole = Resource('Whole', { id: Type.String(), part: Part, parts: Type.Optional(Type.Array(Part)) })
  const part = { secret: 's', note: 'n', id: '2' }
  const all = shown(Whole, { id: '1', part, parts: [part, { id: '3', secret: 's' }] } as never)
  assert.equal(JSON.stringify(all), '{"id":"1","part":{"id":"2","note":"n"},"parts":[{"id":"2","note":"n"},{"id":"3"}]}')
})

test('an optional field that a row does not have is left out', () => {
  const Whole = Resource('Whole', { id: Type.String(), note: Type.Optional(Type.String()), part: Type.Optional(Part) })
  assert.deepEqual(Object.keys(shown(Whole, { id: '1', note: undefined, part: undefined } as never)), ['id'])
  assert.deepEqual(shown(Whole, { id: '1', part: { id: '2' } }), { id: '1', part: { id: '2' } })
})

test('an object of several possible forms is refused, because its columns would not be chosen', () => {
  for (const part of [
    Type.Union([Part, Type.Null()]),
    Type.Array(Type.Union([Part, Type.Null()])),
    Type.Object({}, { type: ['object', 'null'] }),
  ]) {
    const Whole = Resource('Whole', { id: Type.String(), part })
    assert.throws(() => shown(Whole, { id: '1', part: { id: '2', secret: 's' } } as never), /every column inside part/)
  }
})
