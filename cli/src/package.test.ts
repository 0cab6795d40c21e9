// The package as it is published, on plain Node; and `npx vostro` in the checkout.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '../../server/src/platform/embedded/embedded.ts'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import { install, pack, plainNode } from '../../server/src/testing/testing.packages.ts'
import { nobodysUrl } from './cli.testing.ts'

// biome-ignore lint/style/noProcessEnv: where npm is installed is a matter of the machine.
const PATH = process.env['PATH'] ?? ''
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'vostro-cli-package-'))
after(() => rmSync(folder, { recursive: true }))
const tarball = pack('cli', folder)
const user = join(folder, 'user')
install(user, [pack('sdk', folder), tarball])
const bin = join(user, 'node_modules/.bin/vostro')

test('the tarball contains the command, its compiled code, the README and the licence, and depends on the SDK alone', () => {
  const names = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n').sort()
  const sources = globSync('**/*.ts', { cwd: join(root, 'cli/src') }).filter((name) => !/\.test(ing)?\.ts$/.test(name))
  assert.deepEqual(
    names,
    [
      'package/LICENSE',
      'package/README.md',
      'package/bin/vostro.js',
      'package/package.json',
      ...sources.map((name) => `package/dist/${name.replace(/ts$/, 'js')}`),
    ].sort(),
  )
  const { dependencies } = JSON.parse(readFileSync(join(user, 'node_modules/@vostro/cli/package.json'), 'utf8'))
  const { version } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8'))
  assert.deepEqual(dependencies, { '@vostro/sdk': version })
})

test('the installed command runs on plain Node', async (t) => {
  const node = plainNode()
  t.diagnostic(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim())
  const help = spawnSync(node, [bin, '--help'], { encoding: 'utf8', env: {} })
  assert.deepEqual([help.status, help.stderr], [0, ''])
  assert.match(help.stdout, /^The command line of Vostro\.\n/)
  const env = { VOSTRO_CONFIG: join(folder, 'config'), VOSTRO_KEY: 'k' }
  const nobody = await nobodysUrl()
  const away = spawnSync(node, [bin, 'clients', 'get', 'x', '--url', nobody], { encoding: 'utf8', env })
  assert.deepEqual([away.status, away.stdout], [3, ''])
  assert.match(away.stderr, /^The service cannot be reached at http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/)
  for (const name of ['backup', 'restore']) {
    const none = spawnSync(node, [bin, name, 'file'], { encoding: 'utf8', env })
    assert.equal(none.status, 2)
    assert.match(
      none.stderr,
      new RegExp(`^\`vostro ${name}\` works on the embedded database, so it runs only in a checkout of Vostro\\.\n$`),
    )
  }
  const standIn = createServer((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('[]'))
  await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve))
  after(() => standIn.close())
  const url = `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`
  const listed = await promisify(execFile)(node, [bin, 'clients', 'list', '--url', url], { env })
  assert.equal(listed.stdout, 'Nothing found.\n')
})

test('in the checkout, npx runs the sources, and backup and restore start the scripts of the server', () => {
  const env = { PATH, HOME: folder, VOSTRO_CONFIG: join(folder, 'config') }
  const npx = (...words: string[]) => spawnSync('npx', ['--offline', 'vostro', ...words], { cwd: root, encoding: 'utf8', env })
  const help = npx('listen', '--help')
  assert.equal(help.status, 0, help.stderr)
  assert.match(help.stdout, /^vostro listen\n/)
  const empty = { ...env, DATA_DIR: join(folder, 'data') }
  const local = (...words: string[]) => spawnSync('npx', ['--offline', 'vostro', ...words], { cwd: root, encoding: 'utf8', env: empty })
  const backup = local('backup', join(folder, 'backup.zst'))
  assert.equal(backup.status, 1, backup.stderr)
  assert.match(backup.stderr, /There is no (embedded )?database/)
  const restore = local('restore', join(folder, 'none.zst'), '--replace')
  assert.equal(restore.status, 1, restore.stderr)
  assert.match(restore.stderr, /There is no file .*none\.zst/)
})

test('backup and restore of an embedded database, as the commands of a checkout', async () => {
  const place = makeDataFolder('cli-backup')
  after(() => rmSync(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  const { stop } = await startEmbeddedPostgres({ dataDir: join(place, 'data'), onLog: () => {} })
  await stop()
  const vostro = (data: string, ...words: string[]) =>
    spawnSync(process.execPath, [join(root, 'cli/bin/vostro.js'), ...words], {
      cwd: place,
      encoding: 'utf8',
      env: { PATH, HOME: folder, DATA_DIR: join(place, data) },
    })
  const backup = vostro('data', 'backup', 'today.vostro')
  assert.equal(backup.status, 0, backup.stderr)
  assert.ok(statSync(join(place, 'today.vostro')).size > 100_000, 'relative to where the command was started')
  const restore = vostro('other', 'restore', 'today.vostro')
  assert.equal(restore.status, 0, restore.stderr)
  assert.ok(existsSync(join(place, 'other/postgres')))
  const again = vostro('other', 'restore', 'today.vostro')
  assert.deepEqual([again.status, /There is already a database in /.test(again.stderr)], [1, true])
})
