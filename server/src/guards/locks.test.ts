// Advisory locks are numbers. Two locks with the same number would be one lock, so waiting for one would mean waiting for the other.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { source, sourceFiles } from './source/order.ts'

/** The lock numbers that a file defines. */
const locksIn = (code: string): string[] =>
  [...code.matchAll(/^(?:export )?const \w+(?:Lock|Key) = (5_648_\d{3})$/gm)].map(([, number = '']) => number)

const repeated = (numbers: readonly string[]): string[] => numbers.filter((number, at) => numbers.indexOf(number) < at)

test('every advisory lock has a number of its own', async () => {
  const files = (await sourceFiles()).filter((file) => !file.endsWith('.test.ts'))
  const numbers = (await Promise.all(files.map(async (file) => locksIn(await readFile(join(source, file), 'utf8'))))).flat()
  assert.ok(numbers.length >= 9)
  assert.deepEqual(repeated(numbers), [])
})

test('a number that is used twice is found', () => {
  const numbers = locksIn('const one = 1\nexport const setUpLock = 5_648_001\nconst archiveKey = 5_648_002\nconst lastLock = 5_648_001\n')
  assert.deepEqual(repeated(numbers), ['5_648_001'])
})
