// The examples for nginx and Caddy: their required lines, and that the programs accept them.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../../config.ts'
import { program, run } from '../../testing/testing.programs.ts'
import { openBank } from '../../testing/testing.ts'
import { root, textOf } from './packaging.files.ts'

const nginxText = textOf('deploy/nginx/vostro.conf')
const caddyText = textOf('deploy/caddy/Caddyfile')
const bank = await openBank()

test('both let a whole watch list pass, only to the route that takes one, and hide the metrics', () => {
  const { watchlistLimit_mb, port, host } = readConfig({})
  const uploads = bank.app.routeTable.filter(({ url, method }) => method === 'POST' && /\/watchlists\/:watchlist_id\/versions$/.test(url))
  assert.equal(uploads.length, 1)
  const path = uploads[0]?.url.replace(':watchlist_id', '00000000-0000-4000-8000-000000000000') ?? ''
  for (const [text, size] of [
    [nginxText, `client_max_body_size ${watchlistLimit_mb}m;`],
    [caddyText, `max_size ${watchlistLimit_mb}MiB`],
  ] as const) {
    const pattern = /\^\/api\/v1\/operator\/watchlists\S*/.exec(text)?.[0] ?? 'none'
    assert.match(path, new RegExp(pattern))
    assert.doesNotMatch('/api/v1/operator/watchlists', new RegExp(pattern))
    assert.equal(text.split(size).length, 2, size)
    assert.ok(text.includes(`${host}:${port}`) && /\/metrics \{\s+(return|respond) 404/.test(text))
    assert.ok(!text.includes('Strict-Transport-Security'), 'the service sends it, as its settings say')
  }
  assert.match(nginxText, /proxy_set_header X-Forwarded-For \$remote_addr;/)
  const limited = new RegExp(/location ~ (\S*session\S*) \{/.exec(nginxText)?.[1] ?? 'none')
  const people = bank.app.routeTable.map(({ url }) => url).filter((url) => /^\/(pay|api\/v1\/session)\b/.test(url))
  assert.ok(people.length > 5)
  for (const url of people) assert.match(url, limited)
  assert.doesNotMatch('/api/v1/payments', limited)
})

test('both keep the pages that others than the bank open off the host of the console, and nothing else', () => {
  const elsewhere = new RegExp(/~(\^console\S+) 1;/.exec(nginxText)?.[1] ?? 'none')
  assert.match(nginxText, /map \$host\$uri \$vostro_elsewhere/)
  assert.match(nginxText, /if \(\$vostro_elsewhere\) \{\s+return 308 https:\/\/api\.bank\.example\$request_uri;/)
  const [, names = ''] = /host console\.bank\.example\s+path (.+)/.exec(caddyText) ?? []
  assert.match(caddyText, /redir @elsewhere https:\/\/api\.bank\.example\{uri\} 308/)
  const byCaddy = (path: string) =>
    names.split(' ').some((name) => (name.endsWith('/*') ? path.startsWith(name.slice(0, -1)) : path === name))
  // The console's files, its requests, and paths that proxies and browsers request on any host.
  const atHome = /^\/($|console|api\/v1\/|healthz$|readyz$|metrics$|openapi\.json$|sandbox\/|favicon)/
  const urls = [...bank.app.routeTable.map(({ url }) => url), '/consent', '/consent/some']
  assert.ok(urls.some((url) => url.startsWith('/pay/')) && urls.some((url) => url.startsWith('/docs/')))
  for (const url of urls) {
    const isAway = !atHome.test(url)
    assert.equal(elsewhere.test(`console.bank.example${url}`), isAway, url)
    assert.equal(byCaddy(url), isAway, url)
    assert.ok(!elsewhere.test(`api.bank.example${url}`), url)
  }
})

const nginx = program('nginx', { version: '-v', from: 'the package nginx' })
const caddy = program('caddy', { version: 'version', from: 'the package caddy' })
const openssl = program('openssl', { version: 'version', from: 'OpenSSL' })

test('nginx accepts its example', { skip: nginx.missing || openssl.missing }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'vostro-nginx-'))
  after(() => rmSync(folder, { recursive: true }))
  const live = join(folder, 'live/api.bank.example')
  mkdirSync(live, { recursive: true })
  const names = ['-keyout', join(live, 'privkey.pem'), '-out', join(live, 'fullchain.pem'), '-subj', '/CN=api.bank.example']
  execFileSync(openssl.path, ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...names], { stdio: 'pipe' })
  const check = (text: string) => {
    writeFileSync(join(folder, 'vostro.conf'), text.replaceAll('/etc/letsencrypt', folder))
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`)
    const main = `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\ninclude ${folder}/vostro.conf;\n}\n`
    writeFileSync(join(folder, 'nginx.conf'), main)
    return run(nginx.path, ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')])
  }
  const { status, output } = check(nginxText)
  assert.equal(status, 0, output)
  assert.notEqual(check(nginxText.replace('proxy_pass http://vostro;', 'proxy_pas http://vostro;')).status, 0)
})

test('Caddy accepts its example', { skip: caddy.missing }, () => {
  const check = (file: string) => run(caddy.path, ['validate', '--adapter', 'caddyfile', '--config', file])
  const { status, output } = check(join(root, 'deploy/caddy/Caddyfile'))
  assert.equal(status, 0, output)
  const folder = mkdtempSync(join(tmpdir(), 'vostro-caddy-'))
  after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'Caddyfile'), caddyText.replace('reverse_proxy', 'reverse_prox'))
  assert.notEqual(check(join(folder, 'Caddyfile')).status, 0)
})
