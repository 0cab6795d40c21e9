// The image, without building it: what the Dockerfile says, and that the files it copies are enough for a user who may write none of them.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { guides } from '../../platform/docs/docs.guides.ts'
import { canEnter, chooseAccount } from '../../platform/embedded/embedded.account.ts'
import { makeDataFolder } from '../../testing/testing.folders.ts'
import { startCommand } from '../../testing/testing.process.ts'
import { findTestServer, urlOf } from '../../testing/testing.server.ts'
import { openBank } from '../../testing/testing.ts'
import { copiedFiles, type Instruction, isIgnored, parseDockerfile, type Stage } from './packaging.dockerfile.ts'
import { commandOf, manifest, root, textOf } from './packaging.files.ts'

const { args, stages } = parseDockerfile(textOf('Dockerfile'))
const [consoleStage, build, final] = stages
assert.ok(consoleStage !== undefined && build !== undefined && final !== undefined)
const dockerignore = textOf('.dockerignore')
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(root, file)))
const sent = files.filter((file) => !isIgnored(file, dockerignore))
const copied = copiedFiles(build, sent)
const copiedForConsole = copiedFiles(consoleStage, sent)

const all = ({ instructions }: { instructions: Instruction[] }, name: string) => instructions.filter((one) => one.name === name)
const environment = (text: string) => text.split('=') as [string, string]

test('there are three stages on the Node that the project pins, and the last one has only what the others made', () => {
  assert.equal(stages.length, 3)
  const pinned = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'))
  assert.ok(pinned.length > 0)
  for (const [name, version] of pinned) assert.equal(args['NODE_VERSION'], version, name)
  for (const { base } of stages) assert.equal(base, `node:${args['NODE_VERSION']}-bookworm-slim`)
  assert.deepEqual([consoleStage.name, build.name], ['console', 'build'])
  assert.deepEqual(
    all(final, 'COPY').map(({ flags, words }) => [flags, words]),
    [
      [{ from: 'build' }, ['/vostro', './']],
      [{ from: 'console' }, ['/vostro/console/dist', 'console/dist']],
    ],
  )
  assert.deepEqual(all(final, 'RUN'), [])
})

test('it runs as a user without rights, with the command and the environment of npm start', () => {
  for (const stage of stages) assert.match(all(stage, 'USER').at(-1)?.text ?? '', /^[1-9]\d*:[1-9]\d*$/)
  assert.deepEqual(all(build, 'USER').at(-1)?.text, all(final, 'USER').at(-1)?.text, 'compiled code is kept by user')
  assert.deepEqual(all(final, 'CMD')[0]?.words, commandOf(manifest.scripts.start))
  const given = Object.fromEntries(all(final, 'ENV').map(({ text }) => environment(text)))
  const started = manifest.scripts.start.split(' ').filter((word) => /^[A-Z_]+=/.test(word))
  assert.deepEqual(given, { ...Object.fromEntries(started.map(environment)), HOST: '0.0.0.0', BUILD_CONSOLE: 'off' })
  const compiles = all(build, 'RUN').at(-1)?.text ?? ''
  for (const word of [...started, ...startCommand().flags]) assert.ok(compiles.includes(word), `code is compiled with ${word}`)
})

test('no development dependency is installed, no script runs, and every workspace of the image is there when npm wants it', () => {
  for (const [stage, flags] of [
    [build, ['--omit=dev', '--omit=optional', '--ignore-scripts']],
    // The build tools have parts for each platform, which are optional.
    [consoleStage, ['--workspace=console', '--ignore-scripts']],
  ] as const) {
    const installs = stage.instructions.flatMap(({ name, text }, at) => (name === 'RUN' && /\bnpm\b/.test(text) ? [at] : []))
    assert.equal(installs.length, 1)
    const [install = 0] = installs
    assert.deepEqual(stage.instructions[install]?.words, ['npm', 'ci', ...flags])
    const before = copiedFiles({ ...stage, instructions: stage.instructions.slice(0, install) }, sent)
    for (const file of ['package.json', 'package-lock.json', '.npmrc', ...manifest.workspaces.map((name) => `${name}/package.json`)])
      assert.equal(before.get(file), file, `${file} must be copied before npm ci`)
  }
})

test('everything that is copied exists, and nothing else is sent to the build', () => {
  for (const { flags, words } of [consoleStage, build].flatMap((stage) => all(stage, 'COPY'))) {
    assert.deepEqual(flags, {})
    for (const source of words.slice(0, -1))
      assert.ok(
        sent.some((file) => file === source || file.startsWith(`${source}/`)),
        source,
      )
  }
  assert.deepEqual(
    sent.filter((file) => (copied.get(file) ?? copiedForConsole.get(file)) !== file),
    [],
  )
  for (const file of ['server/src/main.ts', 'server/src/platform/database/migrate.ts', 'server/node-version.js', 'NOTICE', 'LICENSE'])
    assert.ok(copied.has(file), file)
  assert.ok(!copied.has('console/build.ts') && copiedForConsole.has('console/build.ts'))
  const secrets = ['.env', 'data/admin-key', 'restored/admin-key', 'server/.env', 'server/data/admin-key', 'docs/.env', 'backup.key']
  const tests = ['server/src/service.test.ts', 'server/src/testing/testing.ts', 'server/src/guards/head.test.ts', 'trust/fuzz/fuzz.ts']
  const installed = ['node_modules/pg/package.json', 'server/node_modules/pg/package.json', 'console/node_modules/vite/package.json']
  const built = ['console/dist/current', 'console/src/ui/words.test.ts', 'console/.env']
  const unwanted = [...secrets, ...tests, ...installed, ...built, '.git/config', 'bench/bench.ts', 'deploy/compose/env.example']
  assert.deepEqual(
    unwanted.filter((file) => [consoleStage, build].some((stage) => copiedFiles(stage, [file]).size > 0) && !isIgnored(file, dockerignore)),
    [],
  )
})

type Locked = { dev?: boolean; optional?: boolean; devOptional?: boolean; link?: boolean }

/** The package folders that the image installs, below node_modules. */
function installedPackages(): string[] {
  const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Locked> }
  return Object.entries(packages).flatMap(([place, { dev, optional, devOptional, link }]) =>
    /^node_modules\/(@[^/]+\/)?[^/]+$/.test(place) && !dev && !optional && !devOptional && !link ? [place] : [],
  )
}

/** A folder with files of the checkout. */
function folderWith(name: string, files: ReadonlyMap<string, string>): string {
  const folder = makeDataFolder(name)
  after(() => {
    execFileSync('chmod', ['-R', 'u+w', folder])
    rmSync(folder, { recursive: true })
  })
  for (const [file, target] of files) {
    mkdirSync(join(folder, dirname(target)), { recursive: true })
    copyFileSync(join(root, file), join(folder, target))
  }
  return folder
}

/** Builds the console as the image does, from the files that its stage copies. */
function buildConsole(stage: Stage): string {
  const folder = folderWith('image-console', copiedForConsole)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const [program, ...args] = all(stage, 'RUN').at(-1)?.words ?? []
  assert.equal(program, 'node')
  execFileSync(process.execPath, args, { cwd: folder, stdio: 'pipe' })
  return join(folder, 'console/dist')
}

/** The files of the image in their own folder. Its packages are links to those that are installed here. */
function layOut(consoleStage: Stage): string {
  const folder = folderWith('image', copied)
  cpSync(buildConsole(consoleStage), join(folder, 'console/dist'), { recursive: true })
  for (const place of installedPackages()) {
    mkdirSync(join(folder, dirname(place)), { recursive: true })
    symlinkSync(join(root, place), join(folder, place))
  }
  execFileSync('chmod', ['-R', 'a+rX,a-w', folder])
  return folder
}

const account = chooseAccount()

test('the files of the image are enough to serve requests, for a user who may write none of them', {
  skip: !canEnter(account, import.meta.dirname) && 'The user without rights cannot enter the folder of the checkout.',
}, async () => {
  const bank = await openBank()
  const folder = layOut(consoleStage)
  const before = readdirSync(folder, { recursive: true, encoding: 'utf8' }).length
  const [program = '', ...flags] = all(final, 'CMD')[0]?.words ?? []
  assert.equal(program, 'node')
  const env = {
    ...Object.fromEntries(all(final, 'ENV').map(({ text }) => environment(text))),
    // Only the login of the service, which owns nothing.
    DATABASE_URL: urlOf(findTestServer().serviceUrl, bank.owner.database ?? ''),
    PORT: '0',
  }
  // Packages are links, which must not lead Node to other installed packages.
  const child = spawn(process.execPath, ['--preserve-symlinks', '--preserve-symlinks-main', ...flags], {
    ...account,
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text
    })
  try {
    let url: string | undefined
    for (;;) {
      url = /^Vostro is ready on (http:\S+)$/m.exec(output)?.[1]
      if (url !== undefined) break
      assert.equal(child.exitCode, null, output)
      await sleep(20)
    }
    const base = url.replace('0.0.0.0', '127.0.0.1')
    const pages = ['/readyz', '/docs', '/docs/errors', '/openapi.json', ...Object.keys(guides).map((name) => `/docs/guides/${name}`)]
    for (const page of pages) assert.equal((await fetch(base + page)).status, 200, page)
    const index = await (await fetch(`${base}/console/`)).text()
    const [, script = ''] = /<script [^>]*src="([^"]+)"/.exec(index) ?? []
    const { status, headers } = await fetch(base + script, { headers: { 'accept-encoding': 'br' } })
    assert.deepEqual([status, headers.get('content-encoding')], [200, 'br'], `the console: ${index}`)
  } finally {
    child.kill('SIGTERM')
  }
  assert.deepEqual((await closed).slice(0, 1), [0], output)
  assert.equal(readdirSync(folder, { recursive: true, encoding: 'utf8' }).length, before, 'it wrote files')
})

test('the check notices what a Dockerfile gets wrong', () => {
  const { stages } = parseDockerfile(
    `ARG V=1\nFROM node:\${V} AS build\nCOPY --chown=1:1 a b/c ./\nRUN one \\\n  two\nFROM scratch\nCMD ["node", "a b"]\n`,
  )
  assert.deepEqual(
    stages.map(({ base, name }) => [base, name]),
    [
      ['node:1', 'build'],
      ['scratch', undefined],
    ],
  )
  assert.deepEqual(stages[0]?.instructions[0], { name: 'COPY', flags: { chown: '1:1' }, words: ['a', 'b/c', './'], text: 'a b/c ./' })
  assert.deepEqual(stages[1]?.instructions[0]?.words, ['node', 'a b'])
  assert.throws(() => parseDockerfile('RUN one\n'), /before the first FROM/)
  const [stage] = stages
  assert.ok(stage !== undefined)
  assert.deepEqual(
    [...copiedFiles(stage, ['a', 'b/c/d', 'b/d'])],
    [
      ['a', 'a'],
      ['b/c/d', 'd'],
    ],
  )
  assert.ok(isIgnored('a/b.test.ts', '**/*.test.ts') && isIgnored('a/b', 'a') && isIgnored('x', '*\n!y'))
  assert.ok(isIgnored('.env', '*') && isIgnored('a/b/.env', '**/.env') && isIgnored('.env', '**/.env'))
  assert.ok(!isIgnored('y/z', '*\n!y') && !isIgnored('a.test.ts', '*\n!a.test.ts'))
})
