// All rules that depend on the method of a transfer are in its record, so that a new method is complete once its record is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { root } from '../contract.ts'
import { filesThatName, mayName, namesIn } from './source/methods.ts'

test('no code but the records decides by the name of a method', async () => {
  assert.deepEqual(await filesThatName(root), Object.keys(mayName).sort())
})

test('neither the console nor the command line may name a method', () => {
  assert.deepEqual(
    Object.keys(mayName).filter((file) => !file.startsWith('server/src/')),
    [],
  )
})

test('the guard finds a method that is named in code', () => {
  for (const code of [
    "if (method === 'SEPA')",
    "case 'SDD_INTERNAL':",
    'const slow = ["SWIFT"]',
    '{ method: `CARD` }',
    "method <> all('{DOMESTIC}')",
    "'settlement:CARD:'",
    'const codes = {\n  SEPA: 1,\n}',
    'const codes = { INST: 1 }',
    'methods.SDD.packed',
  ])
    assert.equal(namesIn(code).length, 1, code)
  for (const code of ["'CARD_REVERSAL'", '// SEPA only', "/** `'SEPA'` */", 'methods[method].internal', 'card: 1'])
    assert.deepEqual(namesIn(code), [], code)
})
