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

test('a resource with objects inside is refused, because their columns would not be chosen', () => {
  const Part = Type.Object({ id: Type.String() })
  for (const part of [Part, Type.Array(Part), Type.Union([Part, Type.Null()])]) {
    const Whole = Resource('Whole', { id: Type.String(), part })
    assert.throws(() => shown(Whole, { id: '1', part: { id: '2', secret: 's' } } as never), /every column inside part/)
  }
})
