// The commands that compare the present rule with the one before, each as it is called, with little to compare.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { processEnvironment } from '../../server/src/platform/config.ts'
import { importList } from '../../server/src/screening/lists/screening.formats.ts'
import { ManagedVenture } from '../../server/src/testing/testing.managed.ts'
import { findTestServer, urlOf } from '../../server/src/testing/testing.server.ts'
import { openBank } from '../../server/src/testing/testing.ts'
import { curveTables, drawCurve, usualCurve } from './screening.curve.ts'
import { disguisesOf, ruleNames } from './screening.disguises.ts'
import { thresholds } from './screening.evaluate.ts'
import { readOnly } from './screening.live.ts'
import { demoPayees, ordinaryPayees } from './screening.payees.ts'

function command(args: readonly string[], env: Record<string, string> = {}) {
  const file = fileURLToPath(new URL('screening.ts', import.meta.url))
  // A bug that is planted in the test is in the command, too.
  const imports = process.execArgv.filter((argument) => argument.startsWith('--import='))
  return spawnSync(process.execPath, [...imports, file, ...args], { encoding: 'utf8', env: { ...processEnvironment(), ...env } })
}

/** The rows of the tables in Markdown, by their first cell. Where the rules differ, a cell has both figures. */
function rowsIn(report: string): Map<string, { number: string; cells: { before: string; now: string }[] }> {
  const rows = report.split('\n').filter((line) => line.startsWith('|'))
  return new Map(
    rows.map((line) => {
      const [about = '', number = '', ...cells] = line.slice(2, -2).split(' | ')
      return [
        about,
        {
          number,
          cells: cells.map((cell) => {
            const [before = '', now = before] = cell.split(' → ')
            return { before, now }
          }),
        },
      ]
    }),
  )
}

const at = (threshold: (typeof thresholds)[number]) => thresholds.indexOf(threshold)

test('--curve says what each rule finds of each disguise, and raises of payees whom nobody has listed', () => {
  const { status, stdout, stderr } = command(['--curve', '--disguises', '400', '--payees', '300'])
  assert.equal(status, 0, stderr)
  assert.match(stderr, /^\d+ of 2\d{3} names$/m)
  assert.match(stdout, /^A list of 200 entries\./)
  const rows = rowsIn(stdout)
  const cell = (about: string, threshold: (typeof thresholds)[number]) => {
    const { before = '', now = '' } = rows.get(about)?.cells[at(threshold)] ?? {}
    return [before, now].map((share) => Number.parseFloat(share)) as [before: number, now: number]
  }
  for (const rule of ruleNames) assert.equal(rows.get(rule)?.number, '40', rule)
  assert.equal(rows.get('all')?.number, '400')
  // What the rules have in common.
  for (const about of ['swapped order', 'merged words']) assert.deepEqual(cell(about, 0.95), [100, 100], about)
  for (const about of ['swapped order', 'a dropped middle word', 'merged words'])
    for (const threshold of thresholds) assert.equal(...cell(about, threshold), about)
  // What they differ in.
  const [before, now] = cell('initials', 0.85)
  assert.ok(before < 50 && now > 90, `initials: ${before} → ${now}`)
  for (const about of ruleNames) assert.ok(cell(about, 0.85)[1] > cell(about, 0.85)[0] - 5, about)
  assert.ok(cell('all', 0.85)[1] > cell('all', 0.85)[0])
  assert.deepEqual([rows.get('ordinary payees')?.number, cell('ordinary payees', 0.85)], ['300', [0, 0]])
  assert.deepEqual(cell('names of the demo bank', 0.85), [0, 0])
})

test('--curve can be drawn for another list, and payees who resemble its entries are counted', (context) => {
  const [one, two] = ordinaryPayees(300)
  const list = `id,schema,name,aliases,birth_date,countries,identifiers,sanctions,dataset
1,Person,Orlin Kesper Vashtree,,1961,LV,,,test
2,Person,"${one?.name}",,,,,,test
3,Company,"${two?.name} Incorporated",,,,,,test
`
  const { status, stdout, stderr } = command([
    '--curve',
    '--disguises',
    '10',
    '--payees',
    '300',
    '--format',
    'OPENSANCTIONS',
    '--file',
    fileWith(context, list),
  ])
  assert.equal(status, 0, stderr)
  const payees = rowsIn(stdout).get('ordinary payees')
  assert.ok(Number(payees?.cells[at(0.97)]?.now) >= 2, JSON.stringify(payees))
})

test('disguises and payees are the same every time, and as many as are asked for', async () => {
  const sandbox = new URL('../../server/src/screening/lists/screening.sandbox.csv', import.meta.url)
  const result = await importList('OPENSANCTIONS', { list: readFileSync(sandbox) })
  assert.ok(result.ok)
  const disguises = disguisesOf(result.entries, 500)
  assert.deepEqual(disguises, disguisesOf(result.entries, 500))
  assert.deepEqual([disguises.length, ruleNames.length], [500, 10])
  const of = (rule: string) => disguises.filter((disguise) => disguise.rule === rule)
  for (const { entry, party } of of('a false kind')) assert.notEqual(party.details?.unverified?.kind, entry.kind)
  for (const { entry, party } of of('a false country'))
    assert.deepEqual(
      party.details?.unverified?.countries?.filter((country) => entry.countries.includes(country)),
      [],
    )
  for (const { party } of of('far-apart words')) assert.ok((party.name?.split(' ').length ?? 0) >= 5, party.name ?? '')
  const payees = ordinaryPayees(1_000)
  assert.deepEqual(payees, ordinaryPayees(1_000))
  assert.equal(new Set(payees.map(({ name }) => name)).size, 1_000)
  const demo = demoPayees().map(({ name }) => name)
  assert.ok(demo.length > 1_000)
  for (const listed of ['Mortimer Grimshade', 'Zelda Quilfeather', 'Zelda Quillfeather']) assert.equal(demo.includes(listed), false, listed)
})

test('the guide has the table of disguises', async () => {
  const list = readFileSync(new URL('../../server/src/screening/lists/screening.sandbox.csv', import.meta.url))
  const result = await importList('OPENSANCTIONS', { list })
  assert.ok(result.ok)
  const [table = ''] = curveTables(await drawCurve(result.entries, { ...usualCurve, payees: 1 })).split('\n\n')
  const guide = readFileSync(new URL('../../docs/screening.md', import.meta.url), 'utf8')
  assert.ok(guide.includes(table), `docs/screening.md should have this table:\n${table}`)
})

function fileWith(context: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'vostro-names-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'cases.csv')
  writeFileSync(file, text)
  return file
}

const header = 'case_group,schema,name1,name2,is_match,quality'

test('--pairs counts the pairs of the same that are found, and those of different ones that are raised', (context) => {
  const pairs = [
    'a,Person,Orlin Vashtree,Orlin Vashtree,true,STRONG',
    // A nickname.
    'a,Person,Bill Dromgold,William Dromgold,true,MEDIUM',
    'a,Person,Somebody Else,Tuvald Moonfruit,true,WEAK',
    // A vessel with the name of a company is another one: its kind is only said.
    'a,Vessel,Gloomy Pelican,Gloomy Pelican,false,MEDIUM',
    'a,Company,Blackmoor Phantom,Whitmore Fandango,false,MEDIUM',
  ]
  const { status, stdout, stderr } = command(['--pairs', fileWith(context, `${[header, ...pairs].join('\n')}\n`)])
  assert.equal(status, 0, stderr)
  const rows = rowsIn(stdout)
  const [same, different] = [rows.get('the same, found'), rows.get('different, raised')]
  assert.deepEqual([same?.number, same?.cells[at(0.85)]], ['3', { before: '1', now: '2' }])
  assert.deepEqual([different?.number, different?.cells[at(0.85)]], ['2', { before: '1', now: '1' }])
  assert.match(stdout, /^F1 of all pairs: vostro-names-2 best .*, 0\.400 at 0\.85; vostro-names-3 best .*, 0\.667 at 0\.85\.$/m)
  // Each half has some of the pairs.
  const halves = ['F1 of the tuning half', 'F1 of the held-out half'].map((half) => Number(rows.get(half)?.number))
  assert.deepEqual([rows.get('F1 of all pairs')?.number, (halves[0] ?? 0) + (halves[1] ?? 0)], ['5', 5])
})

test('--pairs refuses a file that is not as expected, with the line', (context) => {
  const refused = (...lines: string[]) => {
    const { status, stderr, stdout } = command(['--pairs', fileWith(context, lines.map((line) => `${line}\n`).join(''))])
    assert.deepEqual([status, stdout], [2, ''])
    return stderr
  }
  assert.match(refused('schema,name1,name2'), /^cases\.csv, line 1: .* lacks is_match/)
  assert.match(
    refused(header, 'a,Person,A,B,true,x', 'a,Person,A,B,maybe,x'),
    /^cases\.csv, line 3: is_match must be true or false, not maybe/,
  )
  assert.match(refused(header, 'a,Person,,B,true,x'), /^cases\.csv, line 2: a pair needs two names/)
  assert.match(refused(header, 'a,Person,A'), /^cases\.csv, line 2: the record has 3 fields instead of 6/)
  assert.match(refused(header), /^cases\.csv: the file contains no pairs/)
  const missing = command(['--pairs', '/nowhere/cases.csv'])
  assert.deepEqual([missing.status, /no such file/.test(missing.stderr)], [2, true])
})

test('one of --curve, --pairs and --live is asked for at a time, and sizes are whole numbers', () => {
  for (const args of [
    ['--curve', '--live'],
    ['--pairs', 'x.csv', '--curve'],
    ['--curve', '--disguises', '0'],
    ['--curve', '--payees', '1.5'],
  ])
    assert.equal(command(args).status, 2, args.join(' '))
})

test('--live names the clients and beneficiaries of a database that would become hits, and changes nothing', async () => {
  const bank = await openBank()
  await bank.lists.refresh()
  const venture = await ManagedVenture.open(bank)
  const near = { first_name: 'M.', last_name: 'Grimshade', date_of_birth: '1991-04-13' }
  const [ordinary, unverified, verified] = [
    await venture.registerClient(),
    await venture.registerClient(near),
    await venture.registerClient(near),
  ]
  await bank.owner.query("update clients set kyc_status = 'VALIDATED' where id = $1", [verified.id])
  // A hit by both rules.
  await venture.registerClient({ first_name: 'Mortimer', last_name: 'Grimshade', date_of_birth: '1961-04-13' })
  const payee = (name: string) => {
    const details = { name, iban: 'DE89370400440532013000', beneficiary_type: 'COMPANY', country_code: 'NZL' }
    return venture.addBeneficiary(ordinary.id, details)
  }
  const [found, cleared] = [await payee('Z. Quillfeather'), await payee('N. Flurnum')]
  for (const name of ['Mortimer Grimshade', 'Charles Babbage', '李明']) await payee(name)
  await bank.runJobs()
  await bank.owner.query(
    `insert into cleared_pairs (venture_id, party_hash, entry_hash, hit_id, cleared_by, cleared_at)
     select hit.venture_id, hit.party_hash, hit.entry_hash, hit.id, null, now() from screening_hits hit
     join screenings screening on screening.id = hit.screening_id where screening.subject_id = $1`,
    [cleared.id],
  )
  const strict = await ManagedVenture.open(bank)
  await bank.admin.put(`/ventures/${strict.venture.id}/policy`, { lists: ['there-is-no-such-list'] })
  await strict.registerClient(near)
  const open = await bank.registerVenture()
  await open.registerClient(near)

  const tables = ['screenings', 'screening_hits', 'cleared_pairs', 'cases', 'jobs', 'events', 'audit_log']
  const stored = () => Promise.all(tables.map((table) => bank.count(table)))
  const before = await stored()
  const { rows } = await bank.owner.query('select current_database() as name')
  const { status, stdout, stderr } = command(['--live'], { DATABASE_URL: urlOf(findTestServer().serviceUrl, rows[0].name) })
  assert.equal(status, 0, stderr)
  assert.match(stderr, /^\d+ clients and beneficiaries compared, venture 1 of 2$/m)
  const lines = stdout.trim().split('\n')
  assert.deepEqual(lines, [
    `venture ${venture.venture.id}: client ${unverified.id} resembles sandbox-demo-1 of sandbox: below → 0.922`,
    `venture ${venture.venture.id}: beneficiary ${found.id} resembles sandbox-demo-2 of sandbox: below → 0.924`,
    `venture ${strict.venture.id}: not compared, because its policy names a list that has no active version, or there is none`,
    'Of 4 clients and 5 beneficiaries of MANAGED ventures, 1 client and 1 beneficiary would become hits that are not today.',
  ])
  assert.deepEqual(await stored(), before)
})

test('a connection of --live writes nothing, whatever else its URL says', async () => {
  const bank = await openBank()
  const { rows } = await bank.owner.query('select current_database() as name')
  const url = urlOf(findTestServer().ownerUrl, rows[0].name)
  for (const given of [url, `${url}&options=-c%20statement_timeout%3D5000`, url.replace('?', '?options=-c%20statement_timeout%3D5000&')]) {
    const client = new pg.Client({ connectionString: readOnly(given) })
    await client.connect()
    await assert.rejects(client.query('create table teapots ()'), { code: '25006' }, given)
    if (given.includes('statement')) assert.equal((await client.query('show statement_timeout')).rows[0].statement_timeout, '5s')
    await client.end()
  }
})

test('--live says what is wrong if there is no database', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'vostro-names-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const { status, stderr } = command(['--live'], { DATA_DIR: folder })
  assert.equal(status, 1)
  assert.match(stderr, /There is no database in /)
})
