// `npm test` runs every test file exactly once. A file that no script matches would pass by never being run.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The scripts by which `npm test` runs tests. */
type Scripts = { guards: string; 'test:all': string }

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Scripts & { test: string } }

/** The arguments of `node --test` other than options. */
function patternsOf(script: string): string[] {
  const words = [...script.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)
  return words.slice(words.indexOf('--test') + 1).filter((word) => !word.startsWith('-'))
}

/** Test files of a folder that no script runs, or two. Patterns of one script may overlap: it runs each file once. */
function faultsIn(folder: string, { guards, 'test:all': all }: Scripts): string[] {
  const matched = Object.entries({ guards, 'test:all': all }).map(([name, script]) => ({
    name,
    files: new Set(globSync(patternsOf(script), { cwd: folder })),
  }))
  return testFilesIn(folder).flatMap((file) => {
    const names = matched.filter(({ files }) => files.has(file)).map(({ name }) => name)
    return names.length === 1 ? [] : [`${file} is run by ${names.join(' and ') || 'no script'}`]
  })
}

/** Files that git tracks or would track, so without installed or generated ones. */
function testFilesIn(folder: string): string[] {
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', '*.test.ts']
  const names = execFileSync('git', listing, { cwd: folder, encoding: 'utf8' }).split('\0')
  return names.filter((name) => name !== '' && existsSync(join(folder, name)))
}

test('every test file is run by exactly one script of npm test', (t) => {
  const files = testFilesIn(root)
  t.diagnostic(`${files.length} test files`)
  assert.deepEqual(faultsIn(root, scripts), [])
  assert.ok(files.length >= 75, `looked at only ${files.length} test files`)
  assert.match(scripts.test, /npm run -s guards && npm run -s test:all$/)
})

test('the guard finds a test that no script runs, at any depth, and one that two run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vostro-tests-'))
  after(() => rmSync(folder, { recursive: true }))
  execFileSync('git', ['init', '-q'], { cwd: folder })
  const plant = (file: string, text = '') => {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  for (const file of ['server/src/service.test.ts', 'server/src/guards/deep/a.test.ts', 'server/src/values/very/deep/a.test.ts'])
    plant(file)
  plant('.gitignore', 'made/')
  plant('made/a.test.ts')
  assert.deepEqual(faultsIn(folder, scripts), [])

  const strays = ['a.test.ts', 'docs/samples/a.test.ts', 'server/a.test.ts', 'server/migrations/very/deep/a.test.ts']
  for (const file of strays) plant(file)
  const unrun = strays.map((file) => `${file} is run by no script`)
  assert.deepEqual(faultsIn(folder, scripts), unrun)
  // Only files that git does not ignore count, tracked or not.
  execFileSync('git', ['add', '.'], { cwd: folder })
  assert.deepEqual(faultsIn(folder, scripts), unrun)

  assert.deepEqual(faultsIn(folder, { guards: scripts.guards, 'test:all': 'node --test --test-concurrency=2 "**/*.test.ts"' }), [
    'server/src/guards/deep/a.test.ts is run by guards and test:all',
  ])
  assert.deepEqual(faultsIn(folder, { guards: 'A=b node --test', 'test:all': 'node --test **/*.test.ts "server/**/*.test.ts"' }), [])
  // One level is not every level.
  assert.deepEqual(faultsIn(folder, { ...scripts, 'test:all': scripts['test:all'].replaceAll('**/', '*/') }), [
    ...unrun,
    'server/src/values/very/deep/a.test.ts is run by no script',
  ])
})
