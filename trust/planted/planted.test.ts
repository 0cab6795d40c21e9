// Guards for planted bugs: each still has its place and its test, the product cannot reach the loader hook, and the command tells caught bugs from missed
// ones.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Change, changed } from '../mutation/mutation.seam.ts'
import { parse, read, root } from '../mutation/mutation.source.ts'
import { bugs } from './planted.bugs.ts'
import { changeOf } from './planted.place.ts'
import { faultWithout, tryBug, tryChange } from './planted.run.ts'

test('every bug has exactly one place, changes it, and leaves its file parseable', () => {
  assert.ok(bugs.length >= 100, `only ${bugs.length}`)
  assert.equal(new Set(bugs.map(({ name }) => name)).size, bugs.length, 'names are not unique')
  for (const bug of bugs) {
    const change = changeOf(bug)
    assert.notEqual(change.was, change.replace, bug.name)
    assert.doesNotThrow(() => parse(change.path, changed(change, read(change.path).text)), bug.name)
  }
})

const source = `
export function one(a: number): number {
  return sum(a, 1)
}
class Two {
  #three(a: number) { return sum(a, 1) }
}
export const four: number = sum(2, 3)
`

test('a place is found by its name, whatever its format', () => {
  const found = (within: string, find: string, text = source) => {
    const { start, was } = changeOf({ folder: 'x', within, find, replace: '' }, [parse('x/y.ts', text)])
    return [text.indexOf(was, start) === start, was]
  }
  assert.deepEqual(found('one', 'sum( a,1 )'), [true, 'sum(a, 1)'])
  assert.deepEqual(found('Two.#three', 'sum(a, 1)'), [true, 'sum(a, 1)'])
  assert.deepEqual(found('four', 'sum(2, 3)'), [true, 'sum(2, 3)'])
  const broken = source.replace('return sum(a, 1)', 'return sum(\n    a,\n    1,\n  )')
  assert.deepEqual(found('one', 'return sum(a, 1)', broken), [true, 'return sum(\n    a,\n    1,\n  )'])
})

test('a piece that is missing, or occurs twice, is an error', () => {
  const change = (within: string, find: string) => () => changeOf({ folder: 'x', within, find, replace: '' }, [parse('x/y.ts', source)])
  assert.throws(change('five', 'sum(a, 1)'), /is there 0 times/)
  assert.throws(change('four', 'sum(a, 1)'), /is there 0 times/)
  assert.throws(change('one', 'a'), /is there [2-9] times: x\/y\.ts:/)
})

/** The titles of the tests in a file; a template in a title matches any text. */
function titlesOf(text: string): RegExp[] {
  return [...text.matchAll(/^ *test\(\s*(['"`])(.*?)(?<!\\)\1,/gm)].map(([, quote, title = '']) => {
    const parts = quote === '`' ? title.split(/\$\{[^}]*\}/) : [title]
    return new RegExp(`^${parts.map((part) => RegExp.escape(part.replaceAll("\\'", "'"))).join('.+')}$`)
  })
}

test('every bug names a test that exists', () => {
  for (const { name, caughtBy, test: title } of bugs) {
    const titles = titlesOf(readFileSync(join(root, caughtBy), 'utf8'))
    assert.ok(
      title === undefined ? titles.length > 0 : titles.some((each) => each.test(title)),
      `${name}: ${caughtBy} has no test "${title}"`,
    )
  }
})

test('nothing of the product refers to the loader hook, and it is started without one', () => {
  const folder = join(root, 'server/src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  assert.ok(files.length >= 100, `looked at ${files.length} files only`)
  // The guards read the whole repository and are not part of the product.
  const product = files.filter((file) => !file.startsWith('guards/'))
  for (const file of product) assert.doesNotMatch(readFileSync(join(folder, file), 'utf8'), /\btrust\/|mutation\.seam|registerHooks/, file)
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.match(scripts.start, /\bnode .*server\/src\/main\.ts$/)
  assert.doesNotMatch(scripts.start, /--import|--require|--loader|NODE_OPTIONS/)
})

test('bugs are caught by the tests that they name', async () => {
  for (const name of ['signature-prefix-accepted', 'sum-at-the-bound']) {
    const bug = bugs.find((each) => each.name === name)
    assert.ok(bug !== undefined)
    assert.equal(await faultWithout(bug), undefined)
    const { caught, why } = await tryBug(bug)
    assert.ok(caught, why)
  }
})

// The following tests use a file and a test of the mutation tool, which need no database.
const path = 'trust/mutation/fixture/limits.ts'
const caughtBy = 'trust/mutation/fixture/limits.test.ts'

function fixed(was: string, replace: string): Change {
  const start = read(path).text.indexOf(was)
  return { path, start, end: start + was.length, was, replace }
}

test('a harmless change, and one that cannot be loaded, do not count as caught', async () => {
  assert.equal((await tryChange(fixed('amount <= limit', 'amount < limit'), { caughtBy })).caught, true)
  const harmless = await tryChange(fixed('amount <= limit', 'limit >= amount'), { caughtBy })
  assert.deepEqual([harmless.caught, harmless.why], [false, 'passes with the bug'])
  for (const replace of ['amount <=', "amount <= limit\n}\nthrow new Error('not today')\n{"]) {
    const broken = await tryChange(fixed('amount <= limit', replace), { caughtBy })
    assert.deepEqual([broken.caught, /not by an assertion/.test(broken.why)], [false, true], broken.why)
  }
  const unnamed = await tryChange(fixed('amount <= limit', 'amount < limit'), { caughtBy, test: 'no such test' })
  assert.deepEqual([unnamed.caught, unnamed.why], [false, 'no test has run'])
  assert.equal(await faultWithout({ caughtBy, test: 'no such test' }), 'there is no such test')
})

test('a test that hangs catches only a bug of which that is said', async () => {
  const change = fixed('!happened()', 'true')
  const test = 'it ends when it has happened'
  const enough_ms = 3_000
  assert.equal((await tryChange(change, { caughtBy, test, hangs: true }, enough_ms)).caught, true)
  const { caught, why } = await tryChange(change, { caughtBy, test }, enough_ms)
  assert.deepEqual([caught, /not by an assertion/.test(why)], [false, true], why)
})

test('the command prints help, lists the bugs, and refuses unknown names and options', () => {
  const command = (...args: string[]) =>
    spawnSync(process.execPath, [fileURLToPath(new URL('planted.ts', import.meta.url)), ...args], { env: {}, encoding: 'utf8' })
  assert.match(command('--help').stdout, /npm run planted/)
  const listed = command('--list', '--only', 'hold-').stdout.trim().split('\n')
  assert.deepEqual(
    listed.map((line) => line.split(':')[0]),
    bugs.flatMap(({ name }) => (name.startsWith('hold-') ? [name] : [])),
  )
  assert.deepEqual([command('--only', 'nothing-like-it').status, command('--colour').status], [2, 2])
})
