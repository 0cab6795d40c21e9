// Guards over the planted bugs: each still fits the source and names existing tests, the product cannot reach the loader hook, and the
// command distinguishes caught bugs from others.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Bug, pathOf, plant, sourceOf } from './planted.bug.ts'
import { bugs } from './planted.bugs.ts'
import { tryBug } from './planted.run.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

function bugNamed(name: string): Bug {
  const bug = bugs.find((each) => each.name === name)
  if (bug === undefined) throw new Error(`no bug is called ${name}`)
  return bug
}

test('every bug fits its file in exactly one place, changes it, and leaves it loadable', () => {
  assert.ok(bugs.length >= 24, `only ${bugs.length}`)
  assert.equal(new Set(bugs.map(({ name }) => name)).size, bugs.length, 'names are not unique')
  for (const bug of bugs) {
    const text = sourceOf(bug.file)
    const changed = plant(bug, text)
    assert.notEqual(changed, text, bug.name)
    // Node does not read JSX; the build of the console would say so.
    if (!bug.file.endsWith('.tsx')) assert.doesNotThrow(() => stripTypeScriptTypes(changed), bug.name)
  }
})

test('a piece that is missing, or occurs twice, is an error', () => {
  const change = { file: 'x.ts', find: 'one', replace: 'two' }
  assert.equal(plant(change, 'only one.'), 'only two.')
  for (const text of ['nothing', 'one and one']) assert.throws(() => plant(change, text), /x\.ts has the piece/)
})

/** The titles of the tests in a file; a template in a title matches any text. */
function titlesOf(text: string): RegExp[] {
  return [...text.matchAll(/^ *test\(\s*(['"`])(.*?)(?<!\\)\1,/gm)].map(([, quote, title = '']) => {
    const parts = quote === '`' ? title.split(/\$\{[^}]*\}/) : [title]
    return new RegExp(`^${parts.map((part) => RegExp.escape(part.replaceAll("\\'", "'"))).join('.+')}$`)
  })
}

test('every bug names tests that exist', () => {
  for (const { name, caughtBy } of bugs) {
    assert.ok(caughtBy.length > 0, name)
    for (const catching of caughtBy) {
      const titles = titlesOf(sourceOf(catching.file))
      assert.ok(
        titles.some((title) => title.test(catching.name)),
        `${name}: ${catching.file} has no test "${catching.name}"`,
      )
    }
  }
})

test('nothing of the product refers to the loader hook, and it is started without one', () => {
  const files = readdirSync(pathOf(''), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  assert.ok(files.length >= 100, `looked at ${files.length} files only`)
  // The guards read the whole repository and are no part of the product.
  const product = files.filter((file) => !file.startsWith('guards/'))
  for (const file of product) assert.doesNotMatch(sourceOf(file), /\btrust\/|planted\.seam|registerHooks/, file)
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.match(scripts.start, /\bnode .*server\/src\/main\.ts$/)
  assert.doesNotMatch(scripts.start, /--import|--require|--loader|NODE_OPTIONS/)
})

test('bugs are caught by the tests that they name', async () => {
  for (const name of ['signature-prefix-accepted', 'disabled-venture-let-in']) {
    const { caught, why } = await tryBug(bugNamed(name))
    assert.ok(caught, why)
  }
})

test('a harmless change, and one that cannot be loaded, do not count as caught', async () => {
  const { caughtBy, file } = bugNamed('signature-prefix-accepted')
  const find = 'const window_s = 300'
  const harmless = await tryBug({ file, find, replace: 'const window_s = 3 * 100', caughtBy })
  assert.deepEqual([harmless.caught, /passes with the bug/.test(harmless.why)], [false, true])
  for (const replace of ['const window_s = 300 +', "throw new Error('not today')"]) {
    const broken = await tryBug({ file, find, replace, caughtBy })
    assert.deepEqual([broken.caught, /something else than an assertion/.test(broken.why)], [false, true], broken.why)
  }
})

test('a test that hangs catches only a bug of which that is said', async () => {
  const { hangs, ...bug } = bugNamed('batches-not-apart')
  assert.equal(hangs, true)
  // However slow the machine is: what has not begun has not ended, either.
  const enough_ms = 3_000
  assert.equal((await tryBug({ ...bug, hangs }, enough_ms)).caught, true)
  const { caught, why } = await tryBug(bug, enough_ms)
  assert.deepEqual([caught, /something else than an assertion/.test(why)], [false, true], why)
  const harmless = await tryBug({ ...bug, replace: 'const name = this.#apart( command )', hangs })
  assert.deepEqual([harmless.caught, /passes with the bug/.test(harmless.why)], [false, true])
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
