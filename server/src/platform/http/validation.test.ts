import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Refusal } from '../../values/refusals.ts'
import { Body, CalendarDate, Choice, Decimal, GivenTime, Id, Name, OptionalField, ShortText } from './schemas.ts'
import { checkShape } from './validation.ts'

const Everything = Body('Everything', {
  id: Id,
  name: Type.Optional(Name),
  note: OptionalField(ShortText),
  code: Type.Optional(Type.String({ minLength: 2 })),
  amount: Type.Optional(Decimal),
  on: Type.Optional(CalendarDate),
  at: Type.Optional(GivenTime),
  colour: OptionalField(Choice(['RED', 'BLUE'])),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  sure: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 3, uniqueItems: true })),
  place: Type.Optional(Type.Object({ street: Type.String() }, { additionalProperties: false })),
})

const check = checkShape(Everything)
const id = '01890a5d-ac96-774b-bcce-b302099a8057'

function messagesOf(value: unknown): string[] {
  try {
    check(value)
    return []
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return (error.details.errors ?? []).map(({ field, message }) => `${field} ${message}`)
  }
}

test('errors of a value are described in words', () => {
  const table: [object, string][] = [
    [{ id: '7' }, 'id must be a UUID'],
    [{ name: 7 }, 'name must be a string'],
    [{ name: '  ' }, 'name must not be blank'],
    [{ name: 'a'.repeat(141) }, 'name must have at most 140 characters'],
    [{ note: 7 }, 'note must be a string or null'],
    [{ note: '' }, 'note must not be empty'],
    [{ code: 'a' }, 'code must have at least 2 characters'],
    [
      { amount: '1.00001' },
      'amount must be a decimal number in a string, such as "12.50", with at most 15 digits before the point and 4 after it',
    ],
    [{ on: '2026-02-30' }, 'on must be a valid date in the form YYYY-MM-DD'],
    [{ at: '2026-02-20' }, 'at must be a date and time with its offset, such as 2026-11-15T09:30:00Z'],
    [{ colour: 'GREEN' }, 'colour must be one of RED, BLUE, null'],
    [{ size: 0 }, 'size must be at least 1'],
    [{ size: 10 }, 'size must be at most 9'],
    [{ size: 1.5 }, 'size must be an integer'],
    [{ sure: 'yes' }, 'sure must be true or false'],
    [{ tags: 'a' }, 'tags must be an array'],
    [{ tags: [] }, 'tags must not be empty'],
    [{ tags: ['a', 'b', 'c', 'd'] }, 'tags must have at most 3 items'],
    [{ tags: ['a', 'b', 'a'] }, 'tags must not have the same item twice (items 1 and 3)'],
    [{ tags: ['a', 7] }, 'tags.1 must be a string'],
    [{ place: [] }, 'place must be an object'],
    [{ place: {} }, 'place.street is required'],
    [{ place: { street: 'a', town: 'b' } }, 'place.town is not a field of this request'],
  ]
  for (const [given, message] of table) assert.deepEqual(messagesOf({ id, ...given }), [message])
})

test('a value that is not an object is an error of the whole body, and of several errors the first is described with their number', () => {
  const detailOf = (value: unknown) => {
    try {
      return check(value)
    } catch (error) {
      return (error as Refusal).message
    }
  }
  assert.equal(detailOf([]), 'The body must be an object.')
  assert.equal(detailOf({ name: 7, size: 0 }), 'id is required (and 2 more).')
})
