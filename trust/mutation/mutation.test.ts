// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
// The mutants that are made, the tests that run for them, and, for a tiny folder, that the command tells killed mutants from survivors.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Covered, isOfProduct } from './mutation.coverage.ts'
import { explained, explanationOf } from './mutation.explained.ts'
import { isParseable, mutantsOf } from './mutation.mutants.ts'
import { tableOf } from './mutation.report.ts'
import type { Result } from './mutation.results.ts'
import { mutantsIn, mutatedFolders, type Sampled, sample, testsOf } from './mutation.sample.ts'
import { parse, read } from './mutation.source.ts'

const kept = mkdtempSync(join(tmpdir(), 'vostro-mutants-'))
after(() => rmSync(kept, { recursive: true }))

const fixture = 'trust/mutation/fixture'

function made(text: string): string[] {
  return mutantsOf(parse('x.ts', text)).map(({ operator, was, replace }) => `${operator}: ${was} -> ${replace}`)
}

test('mutants are made of code, and of no types or imports', () => {
  assert.deepEqual(made('const a = b < 7'), ['comparison: b < 7 -> b <= 7', 'comparison: b < 7 -> b >= 7'])
  assert.deepEqual(made('const a = b === c'), ['comparison: b === c -> b !== c'])
  assert.deepEqual(made('const a = b && c'), ['logical: b && c -> b || c'])
  assert.deepEqual(made('const a = b + 5'), ['arithmetic: b + 5 -> b - 5'])
  assert.deepEqual(made("const a = b + 'text'"), [])
  assert.deepEqual(made('const a = { b: true }'), ['literal: b: true -> b: false'])
  assert.deepEqual(made('const a = [b, c]'), ['removed element: [b, c] -> [ c]', 'removed element: [b, c] -> [b, ]'])
  assert.deepEqual(made('const a = b?.c'), ['optional chaining: b?.c -> b.c'])
  assert.deepEqual(made('if (a) b()'), [
    'negated condition: a -> !(a)',
    'removed statement: if (a) b() -> ;',
    'removed statement: b() -> ;',
  ])
  assert.deepEqual(made('function f() { let a; let b }'), ['empty function: let a; let b -> return'])
  assert.deepEqual(made('function f() { return [a] }').slice(0, 1), ['empty result: return [a] -> return []'])
  assert.deepEqual(made("import { a } from ''\ntype B = 0 | 1 | true\nlet c: 0 | ''"), [])
})

test('mutants are made of SQL, one word or sign at a time', () => {
  const text = 'const q = read`\n  select a from b where c <= ${d} and e is null\n  order by a for update skip locked`'
  assert.deepEqual(
    made(text),
    ['SQL:   select a from b where c <=  ->   select a from b where c < '].concat([
      'SQL:  and e is null ->  or e is null',
      'SQL:  and e is null ->  and e is not null',
      'SQL:   order by a for update skip locked ->   order by a',
    ]),
  )
  assert.ok(made("const q = read`select a from b where c = 1 and state = 'OPEN'`").some((each) => each.endsWith('where c = 1 ')))
})

test('a mutant that cannot be parsed is left out, and names depend on neither line nor format', () => {
  const source = parse('x.ts', 'const a = b ?? c\nconst d = (b ?? c) || e')
  const [first, ...others] = mutantsOf(source)
  assert.ok(first !== undefined && isParseable(source, first))
  assert.equal(others.length, 2)
  const mixed = parse('x.ts', 'const a = b || c || d')
  assert.deepEqual(
    mutantsOf(mixed).map((each) => isParseable(mixed, each)),
    [true, true],
  )
  const coalescing = parse('x.ts', 'const a = b && (c ?? d)')
  assert.ok(mutantsOf(coalescing).every((each) => isParseable(coalescing, each)))
  assert.equal(isParseable(coalescing, { start: 10, end: 23, operator: '', replace: 'b && c ?? d' }), false)
  const ids = (text: string) => mutantsOf(parse('x.ts', text)).map(({ id }) => id)
  const [one, two] = [ids('const a = b < c'), ids('\n\nconst a =\n  b <\n  c')]
  assert.deepEqual(one, two)
  assert.equal(new Set(ids('const a = b < c || b < c')).size, ids('const a = b < c || b < c').length)
})

test('a mutant knows the function around it, by its declaration and its number there', () => {
  const text = `const a = 1 < 2
function b() { return 3 < 4 }
class C { async d() { return list.map((each) => each < 5) } }
const e = { f() { return 6 < 7 }, g: () => 8 < 9 }`
  const names = mutantsOf(parse('x.ts', text)).map(({ was, calledAs }) => `${was}: ${calledAs}`)
  const expected = ['1 < 2: undefined', '3 < 4: b#0', 'each < 5: C.d#1', '6 < 7: e#0', '8 < 9: e#1']
  assert.deepEqual(
    [...new Set(names.filter((name) => name.includes(' < ') && !name.includes('=>')))].filter((name) => expected.includes(name)),
    expected,
  )
})

test('a sample takes as many from each folder, and the same seed takes the same', () => {
  const folders = sample([fixture, 'ledger'], 6, 1).map(({ folder }) => folder)
  assert.deepEqual(folders, [fixture, 'ledger', fixture, 'ledger', fixture, 'ledger'])
  const names = (seed: number) => sample([fixture, 'ledger'], 8, seed).map(({ id }) => id)
  assert.deepEqual(names(1), names(1))
  assert.notDeepEqual(names(1), names(2))
  // The other folders make up for one with too few mutants.
  assert.equal(sample([fixture, 'ledger'], 30, 1).length, 30)
  assert.throws(() => sample(['nowhere'], 1, 1), /nothing to change in nowhere/)
})

test('tests, and what tests compare the product with, are not changed', () => {
  assert.deepEqual(
    [
      'a/b.ts',
      'a/b.test.ts',
      'a/b.design.ts',
      'a/b.testing.ts',
      'testing/a.ts',
      'server/src/testing/a.ts',
      'a/b.made.ts',
      'a/b.sql',
    ].filter(isOfProduct),
    ['a/b.ts', 'testing/a.ts'],
  )
})

test('the tests that call what is changed are asked, first those that are about it and quick', () => {
  const covered = (file: string, ms: number, touched: Record<string, string[]>, passed = true): Covered => ({
    file,
    hash: '',
    ms,
    passed,
    touched,
  })
  const all = [
    covered('server/src/a/a.far.test.ts', 100, { 'server/src/b/b.one.ts': ['f#0'] }),
    covered('server/src/b/b.one.test.ts', 900, { 'server/src/b/b.one.ts': ['f#0'] }),
    covered('server/src/b/b.two.test.ts', 300, { 'server/src/b/b.one.ts': ['f#0', 'g#0'] }),
    covered('server/src/b/b.broken.test.ts', 1, { 'server/src/b/b.one.ts': ['f#0'] }, false),
    covered('server/src/c/c.test.ts', 10, { 'server/src/b/b.other.ts': ['h#0'] }),
  ]
  const asked = (calledAs: string | undefined, path = 'server/src/b/b.one.ts', most = 5) =>
    testsOf({ path, calledAs }, all, most).map(({ file }) => file.slice(11))
  assert.deepEqual(asked('f#0'), ['b/b.one.test.ts', 'b/b.two.test.ts', 'a/a.far.test.ts'])
  assert.deepEqual(asked('f#0', undefined, 1), ['b/b.one.test.ts'])
  assert.deepEqual(asked('g#0'), ['b/b.two.test.ts'])
  assert.deepEqual(asked(undefined), ['b/b.one.test.ts', 'b/b.two.test.ts', 'a/a.far.test.ts'])
  assert.deepEqual(asked(undefined, 'server/src/b/b.rows.ts').length, 4)
  const routes = { 'server/src/b/b.one.ts': ['f#0'] }
  const much = { 'server/src/b/b.one.ts': ['f#0', 'g#0', 'h#0', 'i#0'] }
  const far = [covered('server/src/c/c.test.ts', 100, routes), covered('server/src/d/d.test.ts', 1000, much)]
  assert.equal(testsOf({ path: 'server/src/b/b.one.ts', calledAs: 'f#0' }, far, 1)[0]?.file, 'server/src/d/d.test.ts')
})

test('the table counts by folder, and leaves what is explained out of the score', () => {
  const mutant: Sampled = {
    folder: 'a',
    id: '',
    path: '',
    line: 1,
    within: '',
    was: 'a',
    replace: 'b',
    start: 0,
    end: 1,
    operator: '',
    calledAs: undefined,
  }
  const result = (state: Result['state']): Result => ({ id: '', state, by: '', tried: {}, ms: 0 })
  const tried = [
    ...(['killed', 'killed', 'types', 'survived'] as const).map((state) => ({ mutant, result: result(state) })),
    { mutant: { ...mutant, folder: 'b' }, result: undefined },
  ]
  const rows = tableOf(tried)
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/))
  assert.deepEqual(rows, [
    ['folder', 'mutants', 'by tests', 'by types', 'explained', 'survived', 'left', 'score'],
    ['a', '4', '2', '1', '0', '1', '0', '75 %'],
    ['b', '1', '0', '0', '0', '0', '1'],
    ['all', '5', '2', '1', '0', '1', '1', '75 %'],
  ])
})

test('every explanation is of a mutant that there is', () => {
  const mutants = mutatedFolders.flatMap(mutantsIn)
  assert.deepEqual(
    new Set(mutants.map(({ path }) => path.split('/')[2])).size,
    new Set(mutatedFolders.map((folder) => folder.split('/')[0])).size,
  )
  for (const each of explained) {
    const { within, was, replace, why } = each
    assert.ok(why.length > 20, within)
    assert.ok(
      mutants.some((mutant) => explanationOf(mutant) === why),
      `${within}: ${was} -> ${replace}`,
    )
  }
})

function command(...args: string[]) {
  const tool = fileURLToPath(new URL('mutate.ts', import.meta.url))
  return spawnSync(process.execPath, [tool, ...args], { encoding: 'utf8' })
}

test('the command tells the mutants that tests notice from those that they do not, and changes no source', () => {
  const before = read(`${fixture}/limits.ts`).text
  const run = (...more: string[]) => command('--folder', fixture, '--sample', '20', '--keep', kept, ...more)
  const first = run()
  assert.equal(first.status, 1, first.stderr)
  assert.match(first.stdout, /limits\.ts:10 {2}isAbove .*\n {2}- amount > limit\n {2}\+ amount >= limit\n {2}survived 1 test file/)
  assert.doesNotMatch(first.stdout, /isWithin/)
  assert.match(first.stdout, /all +6 +4 +0 +0 +2 +0 +67 %/)
  assert.equal(read(`${fixture}/limits.ts`).text, before)
  // Mutants with a result are not tried again.
  const second = run('--resume')
  assert.deepEqual([second.status, second.stdout], [1, first.stdout])
})

test('the command prints help, lists mutants, and refuses what it does not know', () => {
  assert.match(command('--help').stdout, /npm run mutate/)
  assert.match(command('--list', '--folder', fixture).stdout, /amount <= limit\n {2}\+ amount/)
  assert.deepEqual([command('--colour').status, command('--sample', '0').status, command('--folder', 'nowhere').status], [2, 2, 2])
})
