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
