// Every test file is matched by a pattern. One that is not would never run, and so never fail.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { filesOf, partOf } from './tests.files.ts'
import { alone, deep } from './tests.tiers.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Files that git tracks or would track; installed and generated ones are left out. */
function testFilesIn(folder: string): string[] {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', '*.test.ts']
  const names = execFileSync('git', listing, { cwd: folder, encoding: 'utf8' }).split('\0')
  return names.filter((name) => name !== '' && existsSync(join(folder, name))).sort()
}

const namesIn = (folder: string): string[] => filesOf(folder, true).map(({ name }) => name)

function folderWith(files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'vostro-tests-'))
  after(() => rmSync(folder, { recursive: true }))
  for (const file of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), ' '.repeat(file.length))
  }
  return folder
}

test('npm run test:deep runs every test file', (t) => {
  const files = testFilesIn(root)
  t.diagnostic(`${files.length} test files`)
  assert.deepEqual(namesIn(root), files)
  assert.ok(files.length >= 300, `looked at only ${files.length} test files`)
})

test('a test that no pattern matches is found, at any depth', () => {
  const run = ['server/src/service.test.ts', 'server/src/values/very/deep/a.test.ts', 'trust/a.test.ts', 'console/src/a/b.test.ts']
  const strays = ['a.test.ts', 'docs/samples/a.test.ts', 'server/a.test.ts', 'server/migrations/very/deep/a.test.ts']
  const folder = folderWith([...run, ...strays, 'made/a.test.ts', '.gitignore'])
  writeFileSync(join(folder, '.gitignore'), 'made/')
  execFileSync('git', ['init', '-q'], { cwd: folder })
  const strayIn = () => testFilesIn(folder).filter((file) => !namesIn(folder).includes(file))
  assert.deepEqual(strayIn(), strays)
  // Untracked files count unless git ignores them.
  execFileSync('git', ['add', '.'], { cwd: folder })
  assert.deepEqual(strayIn(), strays)
})

test('each row of the tiers names test files, and says why', () => {
  for (const [pattern, reason] of Object.entries({ ...deep, ...alone })) {
    assert.ok(globSync(pattern, { cwd: root }).length > 0, `${pattern} names no file`)
    assert.match(reason, /^[A-Z].{10,}\.$/, pattern)
  }
  const [fast, all] = [filesOf(root, false), filesOf(root, true)]
  assert.equal(all.length - fast.length, all.filter(({ name }) => !fast.some((file) => file.name === name)).length)
})

test('the parts have every file once, the longest first', () => {
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `trust/${name}.test.ts`)
  const folder = folderWith(names)
  const records = Object.fromEntries(names.map((name, index) => [name, { ms: index * 1000, passed: null }]))
  const partsOf = (n: number) =>
    Array.from({ length: n }, (_, index) => partOf(folder, filesOf(folder, true), { k: index + 1, n }, records).map(({ name }) => name))
  assert.deepEqual(partsOf(1), [names.toReversed()])
  assert.deepEqual(partsOf(2), [
    [names[4], names[2], names[0]],
    [names[3], names[1]],
  ])
})
