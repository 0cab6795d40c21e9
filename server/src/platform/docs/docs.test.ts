import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openBank } from '../../testing/testing.ts'
import { guides, isGuide, pathOf, targetOf } from './docs.guides.ts'
import { renderMarkdown } from './docs.markdown.ts'
import { contractOf } from './openapi.ts'

const bank = await openBank()
/** What Chromium and Firefox send. */
const asBrowser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8' }
const get = (url: string, headers: Record<string, string> = {}) => bank.stranger.send({ method: 'GET', url, headers })
const names = Object.keys(guides).filter(isGuide)

test('/ is a page for browsers and JSON for everybody else', async () => {
  const page = await get('/', asBrowser)
  assert.equal(page.status, 200)
  assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  assert.match(page.text, /<h1>Vostro<\/h1>/)
  assert.match(page.text, /Version \d+\.\d+\.\d+/)
  for (const accept of [
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'application/json, text/html;q=0.5',
    'text/html;q=0',
    '',
  ]) {
    const { status, headers, body } = await get('/', { accept })
    assert.deepEqual([status, headers['content-type'], headers['vary']], [200, 'application/json; charset=utf-8', 'accept'], accept)
    assert.equal(body.name, 'Vostro')
    assert.match(body.version, /^\d+\.\d+\.\d+$/)
  }
})

test('everything that / links to exists', async () => {
  const { body } = await get('/')
  const { name, version, ...links } = body
  assert.deepEqual(Object.keys(links), ['reference', 'guides', 'errors', 'contract', 'health', 'readiness'])
  const { text } = await get('/', asBrowser)
  for (const link of Object.values<string>(links)) {
    assert.equal((await get(link)).status, 200, link)
    assert.ok(text.includes(`href="${link}"`), link)
  }
})

test('every document of docs/ is a page of the service', async () => {
  const files = (await readdir(new URL('../../../../docs/', import.meta.url))).filter((file) => file.endsWith('.md'))
  const served = new Set<string>([...names.map((name) => guides[name].file), 'docs/errors.md'])
  assert.deepEqual(
    files.filter((file) => !served.has(`docs/${file}`)),
    [],
    'add it to the guides in docs.guides.ts',
  )
  const { text } = await get('/docs/guides')
  for (const name of names) assert.ok(text.includes(`href="${pathOf(name)}"`), name)
})

/** The places on our own pages that a page links to, and its own anchors. */
function linksIn(text: string): { targets: string[]; anchors: Set<string> } {
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
  return { targets: all(/<a [^>]*href="([/#][^"]*)"/g), anchors: new Set(all(/ id="([^"]*)"/g)) }
}

test('every link between guides, error codes and the home page leads to a page and an anchor that exist', async () => {
  const pages = ['/', '/docs/guides', '/docs/errors', ...names.map(pathOf)]
  const texts = new Map(await Promise.all(pages.map(async (path) => [path, (await get(path, asBrowser)).text] as const)))
  let anchored = 0
  for (const [path, text] of texts) {
    for (const target of linksIn(text).targets) {
      const { pathname, hash } = new URL(target, `http://here${path}`)
      const targetText = texts.get(pathname)
      if (targetText === undefined) assert.equal((await get(pathname)).status, 200, `${path} links to ${target}`)
      if (hash === '') continue
      assert.ok(
        linksIn(targetText ?? '').anchors.has(decodeURIComponent(hash.slice(1))),
        `${path} links to ${target}, which has no such heading`,
      )
      anchored++
    }
  }
  assert.ok(anchored >= 40, `only ${anchored} anchors`)
})

test('a guide that does not exist is a page for browsers and a problem for others, whatever its name', async () => {
  const odd = ['no-such-guide', 'webhooks.md', 'constructor', '__proto__', 'toString', '..%2f..%2fpackage.json', '%00', 'errors', '.env']
  for (const name of odd) {
    const page = await get(`/docs/guides/${name}`, asBrowser)
    assert.equal(page.status, 404, name)
    assert.ok(!page.text.includes('"dependencies"'), name)
    assert.equal((await get(`/docs/guides/${name}`)).problem.code, 'route_not_found', name)
  }
  const page = await get('/docs/guides/no-such-guide', asBrowser)
  assert.match(page.text, /<h1>Guide not found<\/h1>/)
  assert.match(page.headers['content-security-policy'] ?? '', /^default-src 'none'/)
})

test('a link leads to a guide, to another page of the service or to the web, and to no other file', () => {
  const targets = {
    'webhooks.md': '/docs/guides/webhooks',
    'webhooks.md#start': '/docs/guides/webhooks#start',
    '#start': '/docs/guides/transfers#start',
    '../README.md#a-first-session': '/docs/guides/getting-started#a-first-session',
    'errors.md#insufficient_funds': '/docs/errors#insufficient_funds',
    '../openapi.json': '/openapi.json',
    'https://example.com/a?b#c': 'https://example.com/a?b#c',
    'samples/verify.ts': undefined,
    '../package.json': undefined,
    '../../../../etc/passwd': undefined,
    '/etc/passwd': undefined,
    '//example.com/a': 'https://example.com/a',
    'file:///etc/passwd': undefined,
    'javascript:alert(1)': undefined,
    'JavaScript:alert(1)': undefined,
    'data:text/html,x': undefined,
    'http://[': undefined,
  }
  for (const [href, target] of Object.entries(targets)) assert.equal(targetOf(href, 'docs/transfers.md'), target, href)
})

const render = (text: string) => renderMarkdown(text, (href) => targetOf(href, 'docs/transfers.md')).text

test('nothing in a guide becomes markup but Markdown', () => {
  assert.equal(render('a <script>alert(1)</script> b'), '<p>a &lt;script&gt;alert(1)&lt;/script&gt; b</p>\n')
  assert.equal(render('<img src=x onerror=alert(1)>'), '&lt;img src=x onerror=alert(1)&gt;')
  assert.equal(render('<picture>\n  <img src="docs/pictures/console.png" alt="The console">\n</picture>\n\nText'), '<p>Text</p>\n')
  assert.equal(render('<picture>\n</picture><script>alert(1)</script>').includes('<script'), false)
  assert.equal(render('<picture>\n</picture><script>\n</picture>').includes('<script'), false)
  assert.equal(render('`<b>`'), '<p><code>&lt;b&gt;</code></p>\n')
  assert.equal(render('[<b>text</b>](javascript:alert%281%29)'), '<p>&lt;b&gt;text&lt;/b&gt;</p>\n')
  assert.equal(render('[text](https://example.com/"onclick="x)'), '<p><a href="https://example.com/%22onclick=%22x">text</a></p>\n')
  assert.equal(render('![a "picture"](https://example.com/a.png)'), '<p>a &quot;picture&quot;</p>\n')
  assert.equal(render('## <b> "x"'), '<h2 id="b-x"><a href="#b-x">&lt;b&gt; &quot;x&quot;</a></h2>\n')
  assert.equal(render('# Title'), '<h1 id="title">Title</h1>\n')
  assert.equal(render('## See [this](https://example.com/)'), '<h2 id="see-this">See <a href="https://example.com/">this</a></h2>\n')
})

test('headings have the anchors that GitHub gives them', () => {
  const headings = ['client.created', 'payment_link.updated', '`code` & more', "A payer's way", 'Été – été', 'Twice', 'Twice', 'Twice']
  const ids = [...render(headings.map((heading) => `## ${heading}`).join('\n\n')).matchAll(/id="([^"]*)"/g)].map(([, id]) => id)
  assert.deepEqual(ids, ['clientcreated', 'payment_linkupdated', 'code--more', 'a-payers-way', 'été--été', 'twice', 'twice-1', 'twice-2'])
})

test('a long guide begins with a list of its sections, a short one does not', async () => {
  const { text } = await get('/docs/guides/bank')
  const [, list = ''] = /<\/h1>\n<details class="contents"><summary>On this page<\/summary><ul>(.*?)<\/ul>/s.exec(text) ?? []
  const listed = [...list.matchAll(/<li><a href="#([^"]*)">/g)].map(([, id]) => id)
  assert.deepEqual(
    listed,
    [...text.matchAll(/<h2 id="([^"]*)">/g)].map(([, id]) => id),
  )
  assert.ok(listed.includes('four-eyes'))
  assert.ok(!(await get('/docs/guides/idempotency')).text.includes('On this page'))
})

test('code and tables scroll by themselves and can be reached with the keyboard; a column without a name has no header', () => {
  assert.equal(render('```sh\na < b\n```'), '<pre tabindex="0"><code>a &lt; b</code></pre>\n')
  const table = render('| | B |\n|---|---|\n| `c` | d |')
  assert.match(table, /^<div class="scroll" tabindex="0"><table>.*<\/table>\n<\/div>\n$/s)
  assert.match(table, /<td><\/td>\s*<th>B<\/th>/)
})

test('guides, error codes and the contract are sent compressed to clients that accept it, and uncompressed to others', async () => {
  for (const url of ['/openapi.json', '/docs/guides/events', '/docs/errors']) {
    const plain = (await get(url)).text
    const bytes = async (encoding: string) => {
      const answer = await bank.app.inject({ method: 'GET', url, headers: { 'accept-encoding': encoding } })
      assert.equal(answer.headers.vary, 'accept-encoding')
      return { encoding: answer.headers['content-encoding'], length: answer.headers['content-length'], bytes: answer.rawPayload }
    }
    const [br, gzip] = [await bytes('gzip, deflate, br, zstd'), await bytes('br;q=0, gzip')]
    assert.deepEqual([br.encoding, gzip.encoding], ['br', 'gzip'])
    assert.equal(brotliDecompressSync(br.bytes).toString(), plain)
    assert.equal(gunzipSync(gzip.bytes).toString(), plain)
    assert.equal(br.length, String(br.bytes.length))
    for (const encoding of ['identity', 'zstd', 'br;q=0', 'gzip;q=0.0, br;q=0', 'br;q=x']) {
      const { bytes: sent, encoding: said } = await bytes(encoding)
      assert.deepEqual([sent.toString() === plain, said], [true, undefined], encoding)
    }
  }
  assert.equal((await get('/openapi.json')).text, contractOf(bank.app))
})

test('the script of the reference is named by its content and may be cached forever; any other name is unknown', async () => {
  const page = await get('/docs/')
  const [, url = ''] = /<script src="([^"]*)">/.exec(page.text) ?? []
  const hash = /^\/docs\/js\/scalar\.([0-9a-f]{16})\.js$/.exec(url)?.[1]
  const answer = await bank.app.inject({ method: 'GET', url, headers: { 'accept-encoding': 'br' } })
  assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(createHash('sha256').update(brotliDecompressSync(answer.rawPayload)).digest('hex').slice(0, 16), hash)
  assert.ok(answer.rawPayload.length < 1_200_000, `${answer.rawPayload.length} bytes`)
  for (const other of ['/docs/js/scalar.js', '/docs/js/scalar.0123456789abcdef.js', '/docs/js/constructor']) {
    const { status, headers } = await get(other)
    assert.deepEqual([status, headers['cache-control']], [404, 'no-store'], other)
  }
})

test('the policy of the reference allows the script of this page and no other', async () => {
  const { headers, text } = await get('/docs/')
  const [, inline = ''] = /<script>([^<]*)<\/script>/.exec(text) ?? []
  const hash = createHash('sha256').update(inline).digest('base64')
  const policy = headers['content-security-policy'] ?? ''
  assert.match(policy, /^default-src 'none'/)
  assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}';`), policy)
  assert.doesNotMatch(policy, /script-src[^;]*unsafe|https?:|\*/)
})
