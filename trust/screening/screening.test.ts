// The evaluation itself: its parts differ, its figures make sense, and the command refuses unknown options.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readName } from '../../server/src/screening/screening.names.ts'
import { entryOf } from '../../server/src/screening/screening.testing.ts'
import { commonWords } from '../../server/src/testing/testing.names.ts'
import { variants } from '../../server/src/testing/testing.probes.ts'
import { SeededRandom } from '../../server/src/values/seeded-random.ts'
import { evaluate, inventList, type Part, probesOf, tableOf, thresholds, usualSizes } from './screening.evaluate.ts'

const sizes = { names: 300, probes: 60, strangers: 60 }

test('the two parts have no name of a family or a company in common, and each is the same every time', () => {
  const namesOf = (part: Part) => inventList(part, 3000).map(({ names }) => names[0]?.name ?? '')
  assert.deepEqual(namesOf('tuning'), namesOf('tuning'))
  const wordsOf = (part: Part) => new Set(namesOf(part).flatMap((name) => readName(name).words))
  const both = wordsOf('tuning').intersection(wordsOf('held-out'))
  assert.deepEqual([...both.difference(commonWords)], [])
  assert.ok(both.size > 100)
})

test('of a list that is given, each part probes other entries, and a name that both have is probed by neither', () => {
  const entries = ['Orlin Vashtree', 'Kesper Dromgold', 'Tuvald Moonfruit', 'Vashtree, ORLIN', 'Zelda Quillfeather'].map((name, at) =>
    entryOf({ id: String(at) }, name),
  )
  const idsOf = (part: Part) => probesOf(entries, part).map(({ id }) => id)
  assert.deepEqual([idsOf('tuning'), idsOf('held-out')], [['2', '4'], ['1']])
})

test('exact, reordered and joined names are always found, and higher thresholds find less', () => {
  const lines = evaluate('tuning', sizes)
  const sharesOf = (about: string) => lines.find((line) => line.about === about)?.shares ?? []
  assert.equal(lines.length, Object.keys(variants).length + 2)
  for (const about of ['exact', 'reordered']) assert.deepEqual(new Set(sharesOf(about)), new Set([1]), about)
  assert.equal(sharesOf('joined')[thresholds.indexOf(0.97)], 1)
  assert.ok((sharesOf('one typo')[thresholds.indexOf(0.85)] ?? 0) > 0.9)
  for (const { about, shares } of lines)
    assert.deepEqual(
      shares,
      shares.toSorted((a, b) => b - a),
      about,
    )
  assert.match(tableOf(lines), /^\| Probe \| Names \| 0\.80 \|.*\n\|.*\n\| exact \| 60 \| 100\.0 %/)
})

test('each variant changes a name in its own way, and only where it can', () => {
  const random = new SeededRandom(1)
  assert.equal(variants.reordered('Orlin Vashtree'), 'vashtree orlin')
  assert.equal(variants.joined('Orlin Vashtree'), 'orlinvashtree')
  assert.equal(variants.initials('Orlin Vashtree'), 'o vashtree')
  assert.match(variants['one typo']('Orlin Vashtree', random), /^orlin (?!vashtree$)/)
  assert.match(variants['a typo in every word']('Orlin Vashtree', random), /^(?!orlin )\S+ (?!vashtree$)/)
  assert.equal(variants['a dropped word']('Orlin Kesper Vashtree', random)?.split(' ').length, 2)
  assert.notEqual(variants.transliteration('Orlin Vashtree', random), 'orlin vashtree')
  assert.deepEqual(
    [variants['a dropped word']('Orlin Vashtree', random), variants.reordered('Orlin'), variants.joined('Orlin')],
    [undefined, undefined, undefined],
  )
})

test('the guide has the table of the held-out part', async () => {
  const guide = await readFile(new URL('../../docs/screening.md', import.meta.url), 'utf8')
  const table = tableOf(evaluate('held-out', usualSizes))
  assert.ok(guide.includes(table), `docs/screening.md should have this table:\n${table}`)
})

test('the command prints help, and refuses unknown options, parts, formats and broken lists', () => {
  const command = (...args: string[]) =>
    spawnSync(process.execPath, [fileURLToPath(new URL('screening.ts', import.meta.url)), ...args], { encoding: 'utf8' })
  assert.match(command('--help').stdout, /npm run screening:evaluate/)
  assert.deepEqual(
    [['--colour'], ['--part', 'all'], ['--names', '0'], ['--format', 'TEAPOT']].map((args) => command(...args).status),
    [2, 2, 2, 2],
  )
  const broken = command('--format', 'UN', '--file', fileURLToPath(import.meta.url))
  assert.deepEqual([broken.status, /well-formed/.test(broken.stderr)], [2, true])
})
