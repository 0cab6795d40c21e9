import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import { startCommand } from '../../server/src/testing/testing.process.ts'
import { median } from '../figures.ts'
import { load, requireStatus } from '../load/load.ts'
import { machineTimeOf, processOf } from '../usage.ts'
import { findVersions, shareModules } from './against.checkout.ts'
import { CannotCompare, readOptions, scenarioNames } from './against.options.ts'
import { type Estimate, estimate, type Pair, resultOf, tableOf, turnsOf, verdictLineOf, verdictOf } from './against.statistics.ts'

const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function makeFolder(): string {
  const folder = makeDataFolder('against-test')
  folders.push(folder)
  return folder
}

/** The numbers from 1 to `count`, unordered. */
const shuffled = (count: number) => Array.from({ length: count }, (_, index) => ((index * 7) % count) + 1)

test('the median is the middle value, or lies between the two in the middle', () => {
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 3, 2]), 2.5)
  assert.equal(median([5]), 5)
  assert.ok(Number.isNaN(median([])))
})

test('the interval of the median lies between the ranks that the binomial distribution gives', () => {
  // Tables of the sign test: with these ranks the interval covers the median in at least 95 of 100 cases; with the next ones it does not.
  const ranks: [count: number, low: number, high: number][] = [
    [6, 1, 6],
    [8, 1, 8],
    [9, 2, 8],
    [10, 2, 9],
    [20, 6, 15],
    [25, 8, 18],
    [100, 40, 61],
  ]
  for (const [count, low, high] of ranks) {
    assert.deepEqual(estimate(shuffled(count)), { median: (count + 1) / 2, low, high }, `${count} values`)
  }
})

test('fewer than six values, or one that is not a number, give no interval', () => {
  assert.deepEqual(estimate([1, 2, 3, 4, 5]), { median: 3, low: -Infinity, high: Infinity })
  assert.deepEqual(estimate([1, 1, 1, 1, 1, 1, Number.NaN]), { median: Number.NaN, low: -Infinity, high: Infinity })
  assert.deepEqual(estimate([1, 1, 1, 1, 1, 1, Infinity]), { median: Number.NaN, low: -Infinity, high: Infinity })
})

const around = (median: number, halfWidth = 0.02): Estimate => ({ median, low: median - halfWidth, high: median + halfWidth })

test('a scenario is met, failed or not decided by its intervals', () => {
  const cases: [what: string, throughput: Estimate, cpu: Estimate, verdict: string][] = [
    ['the same', around(1), around(1), 'met'],
    ['faster and cheaper', around(1.3), around(0.7), 'met'],
    ['slower, but the interval reaches the goal', around(0.955), around(1), 'met'],
    ['the interval ends on the goal', { median: 0.95, low: 0.93, high: 0.97 }, around(1), 'met'],
    ['CPU time on its bound', around(1), around(1.03), 'met'],
    ['slower', around(0.94), around(1), 'failed'],
    ['more CPU time', around(1), around(1.031), 'failed'],
    ['faster with more CPU time', around(1.2), around(1.1), 'failed'],
    ['slower with less CPU time', around(0.9), around(0.9), 'failed'],
    ['throughput varies too much', around(1, 0.06), around(1), 'not decided'],
    ['CPU time varies too much', around(1), around(1, 0.06), 'not decided'],
    ['slower, but varies too much', around(0.8, 0.06), around(1), 'not decided'],
    ['slower and CPU time varies too much', around(0.9), around(1, 0.06), 'not decided'],
    ['too few pairs', estimate([1, 1, 1, 1]), estimate([1, 1, 1, 1]), 'not decided'],
    ['CPU time unknown', around(1), estimate([Number.NaN]), 'not decided'],
  ]
  for (const [what, throughput, cpu, verdict] of cases) assert.equal(verdictOf(throughput, cpu).verdict, verdict, what)
})

test('a verdict states its reason', () => {
  assert.equal(
    verdictOf(around(0.94), around(1.2)).because,
    'throughput 0.940 × [0.920 to 0.960] does not reach 0.97 × and CPU per request 1.200 × [1.180 to 1.220] is more than 1.03 ×',
  )
  assert.equal(
    verdictOf(around(0.8, 0.06), around(1)).because,
    "the interval is wider than ± 5 % (throughput 0.800 × [0.740 to 0.860]), although all of the throughput's is below 0.97 ×",
  )
  assert.equal(
    verdictOf(estimate([1, 1]), around(1)).because,
    'the interval is wider than ± 5 % (throughput 1.000 × [too few pairs for an interval])',
  )
})

test('the order of measurements is ABBA', () => {
  assert.deepEqual([0, 1, 2, 3].flatMap(turnsOf), ['ours', 'theirs', 'theirs', 'ours', 'ours', 'theirs', 'theirs', 'ours'])
  // Warm-up pairs have negative numbers.
  assert.deepEqual([-2, -1].flatMap(turnsOf), ['ours', 'theirs', 'theirs', 'ours'])
})

test('ratios are computed for each pair, and CPU time for each request', () => {
  const theirs = { requests: 1_000, perSecond: 500, service_s: 0.1, database_s: 0.3 }
  const pairs: Pair[] = shuffled(9).map((speed) => ({
    // Twice the requests in the same CPU time of the service.
    ours: { requests: 2_000, perSecond: 500 + speed, service_s: 0.1, database_s: 0.6 },
    theirs,
  }))
  const result = resultOf('create', pairs, 0.125)
  assert.deepEqual(result.perSecond, { ours: 505, theirs: 500, ratio: { median: 1.01, low: 1.004, high: 1.016 } })
  const exactly = (median: number) => ({ median, low: median, high: median })
  assert.deepEqual(result.service_us, { ours: 50, theirs: 100, ratio: exactly(0.5) })
  assert.deepEqual(result.database_us, { ours: 300, theirs: 300, ratio: exactly(1) })
  assert.deepEqual([result.cpu_us.ours, result.cpu_us.theirs].map(Math.round), [350, 400])
  assert.ok(Math.abs(result.cpu_us.ratio.median - 0.875) < 1e-9)
  assert.equal(result.verdict, 'met')
  assert.match(tableOf(result), /stolen CPU time +12\.5 %/)
  assert.match(verdictLineOf(result), /^create: ≥ 0\.97 × met: throughput 1\.010 × \[1\.004 to 1\.016\]/)
})

test('without options, all scenarios run for twenty pairs of three seconds', () => {
  assert.deepEqual(readOptions(['HEAD~1']), { commit: 'HEAD~1', only: scenarioNames, pairs: 20, seconds: 3, transfers: 20_000 })
  assert.deepEqual(readOptions(['abc', '--only', 'list', '--only=get', '--pairs=4', '--seconds', '0.5', '--transfers', '7']), {
    commit: 'abc',
    only: ['get', 'list'],
    pairs: 4,
    seconds: 0.5,
    transfers: 7,
  })
  assert.equal(readOptions(['--help']), undefined)
})

test('wrong options are refused with one sentence', () => {
  const refusals: [args: string[], sentence: string][] = [
    [[], 'Name the commit to compare with: npm run bench:against -- COMMIT'],
    [['a', 'b'], 'Name one commit only: a and b are two.'],
    [['a', '--only', 'lists'], 'There is no scenario lists: choose from get, list, create, move, key, session.'],
    [['a', '--pairs', '0'], '--pairs is "0", but must be a whole number from 1 to 1000.'],
    [['a', '--pairs', '2.5'], '--pairs is "2.5", but must be a whole number from 1 to 1000.'],
    [['a', '--pairs', '1e2'], '--pairs is "1e2", but must be a whole number from 1 to 1000.'],
    [['a', '--seconds', 'three'], '--seconds is "three", but must be a number from 0.1 to 3600.'],
    [['a', '--transfers', ''], '--transfers is "", but must be a whole number from 1 to 10000000.'],
    [['a', '--rounds', '3'], "Unknown option '--rounds'."],
    [['a', '--pairs'], "Option '--pairs <value>' argument missing."],
  ]
  for (const [args, message] of refusals) assert.throws(() => readOptions(args), new CannotCompare(message), args.join(' '))
})

const never = new AbortController().signal

test('an unknown commit is refused, and so is a folder without commits', async () => {
  const root = makeFolder()
  await assert.rejects(findVersions('HEAD', never, root), { message: /^git cannot read this repository: \S/ })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe', encoding: 'utf8' }).trim()
  git('init')
  await assert.rejects(findVersions('HEAD', never, root), { message: /^git cannot read this repository: \S/ })
  writeFileSync(join(root, 'file'), 'one')
  git('add', '.')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false', 'commit', '-m', 'First')
  await assert.rejects(findVersions('nothing', never, root), new CannotCompare('There is no commit nothing in this repository.'))
  // A tree is not a commit, and an option is not a name.
  for (const name of ['HEAD:', '--all']) await assert.rejects(findVersions(name, never, root), CannotCompare)

  const commit = git('rev-parse', 'HEAD')
  const title = `${git('rev-parse', '--short', 'HEAD')} First`
  assert.deepEqual(await findVersions('HEAD', never, root), { ours: { commit, title }, theirs: { commit, title } })
  writeFileSync(join(root, 'file'), 'two')
  assert.equal((await findVersions('HEAD', never, root)).ours.title, `${title} (with uncommitted changes)`)
})

test('the command prints in one sentence why nothing can be compared, and exits with 2', async () => {
  const command = fileURLToPath(new URL('against.ts', import.meta.url))
  const run = (args: string[], PATH: string) =>
    new Promise<{ code: unknown; said: string }>((resolve) => {
      execFile(process.execPath, [command, ...args], { env: { PATH } }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, said: stdout + stderr }),
      )
    })
  assert.deepEqual(await run(['HEAD', '--pairs', 'many'], ''), {
    code: 2,
    said: '--pairs is "many", but must be a whole number from 1 to 1000.\n',
  })
  assert.deepEqual(await run(['HEAD'], makeFolder()), {
    code: 2,
    said: 'The program git is needed to unpack another commit, and it is not installed.\n',
  })
})

test('a version is started with the flags and the environment of its own start script', () => {
  const root = makeFolder()
  const start = 'NODE_COMPILE_CACHE=node_modules/.cache/node exec node --import=./server/check.js --stack-size=900 server/src/main.ts'
  writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts: { start } }))
  assert.deepEqual(startCommand(root), {
    flags: [`--import=${join(root, 'server/check.js')}`, '--stack-size=900'],
    environment: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node') },
  })
})

test('packages are shared, except for workspaces and the cache', async () => {
  const [ours, theirs] = [makeFolder(), makeFolder()]
  for (const folder of [
    'node_modules/fastify',
    'node_modules/@types/node',
    'node_modules/@vostro',
    'node_modules/.cache',
    'server/node_modules/ajv',
  ])
    mkdirSync(join(ours, folder), { recursive: true })
  mkdirSync(join(theirs, 'server'))
  symlinkSync('../../server', join(ours, 'node_modules/@vostro/server'))
  await shareModules(join(ours, 'node_modules'), join(theirs, 'node_modules'))
  const leads = (path: string) => realpathSync(join(theirs, path))
  assert.equal(leads('node_modules/fastify'), join(ours, 'node_modules/fastify'))
  assert.equal(leads('node_modules/@types/node'), join(ours, 'node_modules/@types/node'))
  assert.equal(leads('node_modules/@vostro/server'), join(theirs, 'server'))
  assert.equal(leads('server/node_modules/ajv'), join(ours, 'server/node_modules/ajv'))
  assert.throws(() => leads('node_modules/.cache'), { code: 'ENOENT' })
})

test('one response with another status invalidates a measurement', async () => {
  let count = 0
  const server = createServer((_request, response) => {
    count++
    response.writeHead(count === 5 ? 503 : 200, { 'content-length': 2 }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const spec = { port, connections: 2, seconds: 60, method: 'GET' as const, paths: Array(10).fill('/'), keys: ['key'], once: true }
  const result = await load(spec)
  assert.throws(() => requireStatus(result, '200'), { message: /^expected only 200, got \{"200":9,"503":1\}$/ })
  requireStatus(await load(spec), '200')
  server.close()
  await assert.rejects(load(spec), { message: /^the load generator failed: .*ECONNREFUSED/ })
  const stop = new AbortController()
  stop.abort()
  await assert.rejects(load(spec, stop.signal), { name: 'AbortError' })
})

test('CPU times are read from /proc whatever the process is called', () => {
  const behind = 'S 7 1 1 0 -1 4194560 1 2 3 4 150 50 1000 234 20 0 1 0 100 200 300'
  assert.deepEqual(processOf(`42 (a) b (c) ${behind}`), { pid: 42, parent: 7, cpu_s: 2, ended_s: 12.34 })
  assert.equal(processOf(''), undefined)
})

test('stolen time is the eighth of the CPU times, and guests are not counted twice', () => {
  assert.deepEqual(machineTimeOf('cpu  10 1 20 50 3 2 4 10 7 7\ncpu0 5 0 10 25 1 1 2 5 3 3\n'), { all: 100, stolen: 10 })
})
