// How much of the built console a browser has to load: the sign-in page loads little, and each page loads little more than itself.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { builtFolder } from '../testing/testing.console.ts'

/** The limits, in bytes after gzip. */
const budget = {
  signInScripts: 110_000,
  appScripts: 230_000,
  appStyles: 26_000,
  page: 15_000,
  /** Scripts that a page loads only when needed, such as the charts. */
  later: 25_000,
}

/** A script: its static imports, and its dynamic imports with their styles. */
type Script = { size: number; imports: string[]; later: Map<string, string[]> }

type Sizes = {
  signInScripts: number
  appScripts: number
  appStyles: number
  pages: Map<string, number>
  later: Map<string, number>
  /** Unreachable scripts, which no measurement would include. */
  unreached: string[]
}

const sizeOf = (assets: string, file: string): number => statSync(join(assets, `${file}.gz`)).size

function readScript(assets: string, file: string): Script {
  const text = readFileSync(join(assets, file), 'utf8')
  const imports = [...text.matchAll(/\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)].map(([, name = '']) => name)
  // Vite's preload list, to which the indexes below refer.
  const preloaded = [...(/m\.f=\[([^\]]*)\]/.exec(text)?.[1] ?? '').matchAll(/"assets\/([^"]+)"/g)].map(([, name = '']) => name)
  const later = text.matchAll(
    /import\(\s*["'`]\.\/([\w.-]+\.js)["'`]\s*\)(?:(?:(?!import\()[\s\S]){0,200}?__vite__mapDeps\(\[([\d,]*)\]\))?/g,
  )
  return {
    size: sizeOf(assets, file),
    imports,
    later: new Map(
      [...later].map(([, name = '', places = '']) => {
        const files = places.split(',').flatMap((place) => preloaded[Number(place || Number.NaN)] ?? [])
        return [name, files.filter((one) => one.endsWith('.css'))]
      }),
    ),
  }
}

class Build {
  readonly #assets: string
  readonly #index: string
  readonly #scripts: ReadonlyMap<string, Script>

  constructor(folder: string) {
    this.#assets = join(folder, 'assets')
    this.#index = readFileSync(join(folder, 'index.html'), 'utf8')
    const names = readdirSync(this.#assets).filter((name) => name.endsWith('.js'))
    this.#scripts = new Map(names.map((name) => [name, readScript(this.#assets, name)]))
  }

  /** The entry loads either the entrance, or the app, which loads the pages. */
  sizes(): Sizes {
    const [, entry = ''] = /<script [^>]*src="\/console\/assets\/([^"]+)"/.exec(this.#index) ?? []
    const doors = [...this.#script(entry).later.keys()]
    assert.deepEqual(doors.map((name) => name.split('-')[0]).toSorted(), ['app', 'entrance'])
    const [appDoor = '', entrance = ''] = doors.toSorted()
    const signIn = this.#loadedBy([entry, entrance])
    const app = this.#loadedBy([entry, appDoor])
    const pages = this.#lazyOf([...app].filter((name) => name !== entry))
    const withPages = this.#loadedBy([...app, ...pages])
    const later = this.#lazyOf([...signIn, ...withPages]).filter((name) => !signIn.has(name) && !withPages.has(name))
    const all = this.#loadedBy([...signIn, ...withPages, ...later])
    const styles = [...this.#index.matchAll(/href="\/console\/assets\/([^"]+\.css)"/g)].map(([, name = '']) => name)
    const appStyles = new Set([...styles, ...(this.#script(entry).later.get(appDoor) ?? [])])
    const measured = (names: Iterable<string>) => new Map([...names].map((name) => [name, this.#script(name).size]))
    return {
      signInScripts: this.#sum(signIn),
      appScripts: this.#sum(app),
      appStyles: [...appStyles].reduce((sum, name) => sum + sizeOf(this.#assets, name), 0),
      pages: measured(pages),
      later: measured(later),
      unreached: [...this.#scripts.keys()].filter((name) => !all.has(name)),
    }
  }

  #script(name: string): Script {
    const script = this.#scripts.get(name)
    assert.ok(script !== undefined, `the build has no ${name}`)
    return script
  }

  /** These scripts and all that they import. */
  #loadedBy(names: Iterable<string>, loaded = new Set<string>()): Set<string> {
    for (const name of names) {
      if (loaded.has(name)) continue
      loaded.add(name)
      this.#loadedBy(this.#script(name).imports, loaded)
    }
    return loaded
  }

  #lazyOf(names: Iterable<string>): string[] {
    return [...new Set([...names].flatMap((name) => [...this.#script(name).later.keys()]))]
  }

  #sum(names: Iterable<string>): number {
    return [...names].reduce((sum, name) => sum + this.#script(name).size, 0)
  }
}

function faultsOf({ pages, later, unreached, ...sums }: Sizes): string[] {
  const tooLarge = (what: string, size: number, most: number) => (size > most ? [`${what}: ${size} bytes, at most ${most}`] : [])
  const names = ['signInScripts', 'appScripts', 'appStyles'] as const
  return [
    ...names.flatMap((name) => tooLarge(name, sums[name], budget[name])),
    ...[...pages].flatMap(([name, size]) => tooLarge(name, size, budget.page)),
    ...[...later].flatMap(([name, size]) => tooLarge(name, size, budget.later)),
    ...unreached.map((name) => `${name} is loaded by nothing`),
  ]
}

test('the console keeps to its budget', async (t) => {
  const sizes = new Build(await builtFolder()).sizes()
  const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
  const largest = Math.max(...sizes.pages.values())
  t.diagnostic(`sign-in ${kB(sizes.signInScripts)}, app ${kB(sizes.appScripts)} and ${kB(sizes.appStyles)} of styles`)
  t.diagnostic(`${sizes.pages.size} pages, the largest ${kB(largest)}`)
  assert.deepEqual(faultsOf(sizes), [])
  assert.ok(sizes.pages.size > 60 && sizes.signInScripts > 50_000 && sizes.appStyles > 10_000, 'less was measured than there is')
})

/** A text of about this size after gzip. */
const noise = (bytes: number) => `/*${randomBytes(bytes).toString('base64')}*/`

/** A build of the same shape as ours, in which some files are too large. */
function plant(large: Readonly<Record<string, number>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'vostro-sizes-'))
  after(() => rmSync(folder, { recursive: true }))
  const files: Record<string, string> = {
    'index-1.js': `const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/entrance-1.js","assets/app-1.js","assets/app-1.css"])))=>i;import{a}from"./react-1.js";f(()=>import("./entrance-1.js"),__vite__mapDeps([0]));f(()=>import(\`./app-1.js\`),__vite__mapDeps([1,2]))`,
    'react-1.js': 'export{}',
    'entrance-1.js': 'import"./react-1.js"',
    'app-1.js': 'import{b}from"./kit-1.js";const load=()=>import("./page-1.js")',
    'kit-1.js': 'import"./react-1.js"',
    'page-1.js': 'import{c}from"./app-1.js";const chart=()=>import("./chart-1.js")',
    'chart-1.js': '',
    'app-1.css': '',
  }
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<script type="module" crossorigin src="/console/assets/index-1.js"></script>')
  for (const [name, text] of Object.entries({
    ...files,
    ...Object.fromEntries(Object.keys(large).map((one) => [one, files[one] ?? ''])),
  })) {
    const content = text + (large[name] === undefined ? '' : noise(large[name]))
    writeFileSync(join(folder, 'assets', name), content)
    writeFileSync(join(folder, 'assets', `${name}.gz`), gzipSync(content))
  }
  return folder
}

test('the guard finds what is too large wherever it is, and what it would not measure', () => {
  const faultsWith = (large: Readonly<Record<string, number>>) =>
    faultsOf(new Build(plant(large)).sizes()).map((fault) => fault.split(/[: ]/)[0])
  assert.deepEqual(faultsWith({}), [])
  assert.deepEqual(faultsWith({ 'page-1.js': 20_000 }), ['page-1.js'])
  assert.deepEqual(faultsWith({ 'chart-1.js': 30_000 }), ['chart-1.js'])
  assert.deepEqual(faultsWith({ 'app-1.css': 30_000 }), ['appStyles'])
  assert.deepEqual(faultsWith({ 'kit-1.js': 250_000 }), ['appScripts'])
  assert.deepEqual(faultsWith({ 'react-1.js': 120_000 }), ['signInScripts'])
  assert.deepEqual(faultsWith({ 'entrance-1.js': 120_000 }), ['signInScripts'])
  assert.deepEqual(faultsWith({ 'other-1.js': 1_000 }), ['other-1.js'])
})
