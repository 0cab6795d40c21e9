// The published package: packed, installed into an empty folder, run on plain Node, compiled against, and opened in a browser.
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { makeSecret, signedHeaders } from '../../server/src/platform/standard-webhooks.ts'
import { openBrowser, skipped } from '../../server/src/testing/testing.browser.ts'
import { install, pack, plainNode } from '../../server/src/testing/testing.packages.ts'
import { openMember } from '../../server/src/testing/testing.sessions.ts'
import { openBank } from '../../server/src/testing/testing.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'vostro-package-'))
after(() => rmSync(folder, { recursive: true }))
const tarball = pack('sdk', folder)
const user = join(folder, 'user')
install(user, [tarball])
const installed = join(user, 'node_modules/@vostro/sdk')

// The service and the test page share an origin, which must be known before the service starts.
const front = createServer((incoming, outgoing) => {
  const path = incoming.url ?? ''
  if (path.startsWith('/sdk/'))
    outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(installed, 'dist', path.slice(5))))
  else if (path === '/page') outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Page</title>')
  else {
    const onward = request(new URL(path, service), { method: incoming.method ?? '', headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  }
})
await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
after(() => front.close())
const origin = `http://localhost:${(front.address() as AddressInfo).port}`
const bank = await openBank()
const app = await bank.openInstance({ consoleUrl: origin })
const service = await app.listen({ port: 0, host: '127.0.0.1' })
const { venture } = await bank.registerVenture()

test('the tarball contains the code, its types, the README and the licence, and nothing else', () => {
  const names = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n').sort()
  const modules = readdirSync(new URL('.', import.meta.url)).filter((name) => !/^make\.ts$|\.test\.ts$|\.testing\.ts$/.test(name))
  assert.deepEqual(names, [
    'package/LICENSE',
    'package/README.md',
    ...modules.flatMap((name) => [`package/dist/${name.replace(/ts$/, 'd.ts')}`, `package/dist/${name.replace(/ts$/, 'js')}`]).sort(),
    'package/package.json',
  ])
  assert.equal(readFileSync(join(installed, 'LICENSE'), 'utf8'), readFileSync(join(root, 'LICENSE'), 'utf8'))
  const { dependencies, private: isPrivate } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.deepEqual([dependencies, isPrivate], [undefined, undefined])
})

test('all of its code together is at most 12 kB with gzip, even before anybody minifies it', (t) => {
  const code = readdirSync(join(installed, 'dist'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(installed, 'dist', name), 'utf8'))
  const size = gzipSync(code.join('\n'), { level: 9 }).length
  t.diagnostic(`${size} bytes`)
  assert.ok(code.length >= 8 && size <= 12_000, `${size} bytes`)
})

const script = `
import { Vostro, VostroProblem, verifyWebhook, InvalidWebhook } from '@vostro/sdk'
const { baseUrl, key, secret, headers, body } = JSON.parse(process.argv[2])
const vostro = new Vostro({ key, baseUrl })
const link = await vostro.paymentLinks.create({ amount: '12.50', currency: 'EUR' })
const listed = []
for await (const { id } of vostro.paymentLinks.list({ limit: 1 })) listed.push(id)
const followed = []
for await (const { type } of vostro.events.follow({ interval_ms: 5 })) { followed.push(type); break }
const refused = await vostro.transfers.get(link.id).catch((error) => error instanceof VostroProblem && error.code)
const event = await verifyWebhook(body, headers, secret)
const forged = await verifyWebhook(body + ' ', headers, secret).catch((error) => error instanceof InvalidWebhook)
console.log(JSON.stringify({ found: listed.includes(link.id), followed, refused, event, forged, version: process.version }))
`

test('runs on plain Node, in a folder that has nothing else', async (t) => {
  writeFileSync(join(user, 'main.mjs'), script)
  const secret = makeSecret()
  const body = '{"type":"transfer.completed"}'
  const given = { baseUrl: service, key: venture.api_key, secret, body, headers: signedHeaders([secret], { id: 'msg_1', body }) }
  const { stdout, stderr } = await promisify(execFile)(plainNode(), ['main.mjs', JSON.stringify(given)], { cwd: user, env: {} })
  const { version, ...result } = JSON.parse(stdout)
  t.diagnostic(`Node ${version}`)
  assert.deepEqual(result, {
    found: true,
    followed: ['payment_link.created'],
    refused: 'transfer_not_found',
    event: { type: 'transfer.completed' },
    forged: true,
  })
  assert.equal(stderr, '')
})

test('its types serve strict users, with the library of browsers or of Node', () => {
  const code = `
import { Vostro, VostroProblem, verifyWebhook, type Transfer, type ProblemCode } from '@vostro/sdk'
const vostro = new Vostro({ key: 'k', baseUrl: 'https://bank.example' })
export async function reviews(): Promise<string[]> {
  const ids: string[] = []
  for await (const transfer of vostro.transfers.list({ status: 'REVIEW' })) ids.push(transfer.id)
  return ids
}
export const get = (id: string): Promise<Transfer> => vostro.transfers.get(id)
export const codeOf = (error: unknown): ProblemCode | undefined => (error instanceof VostroProblem ? error.code : undefined)
export const verified = (request: Request, secret: string) => request.text().then((body) => verifyWebhook(body, request.headers, secret))
// @ts-expect-error
export const wrong: ProblemCode = 'invented'
`
  const usual = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, target: 'es2022' }
  const kinds = {
    bundler: { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'], types: [] },
    node: { module: 'nodenext', lib: ['es2023'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
  }
  for (const [name, options] of Object.entries(kinds)) {
    const place = join(user, name)
    mkdirSync(place)
    writeFileSync(join(place, 'use.mts'), code)
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...usual, ...options }, include: ['use.mts'] }))
    const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', place], { encoding: 'utf8' })
    assert.equal(stdout, '', name)
  }
})

test('in a browser it refuses a key, in pages and in workers, and works with the session of its own origin', {
  skip: skipped,
}, async () => {
  const { person } = await openMember(bank, venture.id, 'operator')
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`${origin}/page`)
    const refused = `
      import('/sdk/sdk.js').then(({ Vostro }) => {
        try { return String(new Vostro({ key: 'k', baseUrl: ORIGIN })) } catch (error) { return error.message }
      })`.replace('ORIGIN', JSON.stringify(origin))
    assert.match(String(await page.evaluate(refused)), /^An API key must not be used in a browser/)
    const inWorker = `new Promise((resolve) => {
      const code = ${JSON.stringify(refused.replace("'/sdk/", `'${origin}/sdk/`))} + '.then((text) => postMessage(text))'
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' })
      worker.onmessage = ({ data }) => resolve(data)
    })`
    assert.match(String(await page.evaluate(inWorker)), /^An API key must not be used in a browser/)

    const session = `(async () => {
      const { Vostro, VostroProblem } = await import('/sdk/sdk.js')
      const { email, password, venture } = ${JSON.stringify({ ...person, venture: venture.id })}
      const vostro = new Vostro({ venture })
      const before = await vostro.session.get().catch((error) => error instanceof VostroProblem && error.code)
      await vostro.session.signIn({ email, password })
      const { id } = await vostro.paymentLinks.create({ amount: '1.00', currency: 'EUR' })
      const read = await vostro.paymentLinks.get(id)
      await vostro.session.signOut()
      const after = await vostro.paymentLinks.get(id).catch((error) => error.code)
      return { before, same: read.id === id, after }
    })()`
    assert.deepEqual(await page.evaluate(session), { before: 'unauthorized', same: true, after: 'unauthorized' })
  } finally {
    await browser.close()
  }
})
