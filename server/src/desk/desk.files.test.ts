// The files of the console: the service serves what a build leaves, and switches to a new build without a gap.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { builtFolder, someAsset } from '../testing/testing.console.ts'
import { openBank } from '../testing/testing.ts'
import { canBuild } from './desk.build.ts'
import { ConsoleFiles } from './desk.files.ts'

const bank = await openBank()
const get = (url: string, headers: Record<string, string> = {}) => bank.app.inject({ url, headers })

let builds = 0
const folders: string[] = []
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true })
})

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vostro-console-'))
  folders.push(folder)
  return folder
}

/** Writes the files that a build leaves. */
async function build(folder: string, stamp: string): Promise<void> {
  const assets = join(folder, 'dist', stamp, 'assets')
  await mkdir(assets, { recursive: true })
  await writeFile(join(folder, 'dist', stamp, 'index.html'), `index of ${stamp}`)
  for (const suffix of ['', '.br', '.gz']) await writeFile(join(assets, `main-${stamp}.js${suffix}`), `script of ${stamp}`)
  const pointer = join(folder, 'dist', 'current')
  await writeFile(pointer, `${stamp}\n`)
  // For two builds within one tick of the file system's clock.
  await utimes(pointer, new Date(), new Date(Date.UTC(2026, 0, 1) + ++builds * 1_000))
}

test('without a build there is no page, and the first one is found without a restart', async () => {
  const folder = await emptyFolder()
  const files = new ConsoleFiles(folder)
  assert.equal(await files.index(), undefined)
  assert.equal(await files.file('main-a.js'), undefined)
  await build(folder, 'a')
  assert.equal(await files.index(), 'index of a')
  assert.equal(String((await files.file('main-a.js'))?.plain), 'script of a')
})

test('after a new build, pages that were opened with the last one still find their files', async () => {
  const folder = await emptyFolder()
  const files = new ConsoleFiles(folder)
  await build(folder, 'a')
  await files.index()
  await build(folder, 'b')
  assert.equal(await files.index(), 'index of b')
  assert.equal(String((await files.file('main-a.js'))?.plain), 'script of a')
  assert.equal(String((await files.file('main-b.js'))?.plain), 'script of b')
  assert.equal(await files.file('../../../package.json'), undefined)
})

test('a build that vanishes while it is read leaves the last one', async () => {
  const folder = await emptyFolder()
  const files = new ConsoleFiles(folder)
  await build(folder, 'a')
  await files.index()
  await build(folder, 'b')
  await rm(join(folder, 'dist', 'b'), { recursive: true })
  assert.equal(await files.index(), 'index of a')
})

test('only a checkout with its sources and build tools can build', async () => {
  assert.equal(canBuild(), true)
  assert.equal(canBuild(await emptyFolder()), false)
})

test('files are compressed, kept for ever, and the same for everybody', async () => {
  const url = `/console/assets/${await someAsset()}`
  const plain = await get(url)
  assert.equal(plain.statusCode, 200)
  assert.match(String(plain.headers['content-type']), /^text\/javascript/)
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(plain.headers['cross-origin-resource-policy'], 'same-origin')
  const zipped = await get(url, { 'accept-encoding': 'gzip' })
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  assert.deepEqual(gunzipSync(zipped.rawPayload), plain.rawPayload)
  const small = await get(url, { 'accept-encoding': 'br, gzip' })
  assert.equal(small.headers['content-encoding'], 'br')
  assert.deepEqual(brotliDecompressSync(small.rawPayload), plain.rawPayload)
  for (const other of ['/console/assets/none.js', '/console/assets/', '/console/assets/..%2findex.html', '/console/assets/__proto__'])
    assert.equal((await get(other)).json().code, 'route_not_found', other)
})

test('colours follow the scheme that somebody has chosen in the console, and not only that of the system', async () => {
  const assets = join(await builtFolder(), 'assets')
  const styles = (await readdir(assets)).filter((name) => name.endsWith('.css'))
  assert.ok(styles.length > 0)
  // Such variables would mean that the build replaced light-dark(), so that only the system's setting would count.
  for (const name of styles) assert.doesNotMatch(await readFile(join(assets, name), 'utf8'), /--lightningcss/, name)
})

test('every address of the console is the same page, with a nonce of its own and a policy that lets nothing else in', async () => {
  const nonces = new Set<string>()
  for (const url of [
    '/console/',
    '/console/sign-in',
    '/console/set-up',
    '/console/v/some/transfers/other?status=REVIEW',
    '/console/%3Cb%3E',
  ]) {
    const { statusCode, headers, body } = await get(url)
    assert.equal(statusCode, 200, url)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    const policy = String(headers['content-security-policy'])
    const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    assert.ok(nonce.length >= 24 && body.includes(`content="${nonce}"`), url)
    nonces.add(nonce)
    assert.match(policy, /^default-src 'none'; script-src 'self';/)
    assert.match(policy, /form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.doesNotMatch(body, /<b>|<script>|%NONCE%/)
  }
  assert.equal(nonces.size, 5)
  assert.equal((await get('/console')).headers.location, '/console/')
})
