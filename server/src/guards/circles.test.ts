// There are no circular imports in the service, its clients, attacks and measurements; type imports count. The service and its tests import nothing
// from attacks and measurements, only the reverse.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { specifiersIn } from './source/specifiers.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Folder names instead of paths, because no file of the service may contain a path to the attacks. */
const folders = ['server/src', 'trust', 'bench', 'docs', 'sdk/src', 'cli/src'] as const
const [service, attacks, measurements] = folders

/** The imports of each file, as paths from the root. */
type Graph = ReadonlyMap<string, readonly string[]>

function graphOf(texts: ReadonlyMap<string, string>): Graph {
  const targets = ([file, text]: [string, string]) => specifiersIn(text).map((specifier) => join(dirname(file), specifier))
  // The texts of planted bugs contain imports that do not resolve from there. Any other unresolved import does not compile.
  return new Map([...texts].map((entry) => [entry[0], targets(entry).filter((target) => texts.has(target))]))
}

/** Groups of files that import each other: Tarjan's strongly connected components. */
function circlesIn(graph: Graph): string[][] {
  const circles: string[][] = []
  const numbers = new Map<string, number>()
  const stack: string[] = []
  /** The lowest number on the stack that is reachable from the file. */
  const visit = (file: string): number => {
    const number = numbers.size
    numbers.set(file, number)
    stack.push(file)
    const imported = graph.get(file) ?? []
    let lowest = number
    for (const target of imported) {
      const known = numbers.get(target)
      if (known === undefined) lowest = Math.min(lowest, visit(target))
      else if (stack.includes(target)) lowest = Math.min(lowest, known)
    }
    if (lowest === number) {
      const component = stack.splice(stack.indexOf(file))
      if (component.length > 1 || imported.includes(file)) circles.push(component.sort())
    }
    return lowest
  }
  for (const file of graph.keys()) if (!numbers.has(file)) visit(file)
  return circles
}

const isIn = (file: string, folder: string): boolean => file.startsWith(`${folder}/`)

/** Imports of attacks or measurements by the service. */
function outward(graph: Graph): string[] {
  const isForbidden = (target: string) => isIn(target, attacks) || isIn(target, measurements)
  const inside = [...graph].filter(([file]) => isIn(file, service))
  return inside.flatMap(([file, targets]) => targets.filter(isForbidden).map((target) => `${file} imports ${target}`))
}

async function readEverything(): Promise<Map<string, string>> {
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd: root },
  ).sort()
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const)))
}

const texts = await readEverything()
const graph = graphOf(texts)

test('no file imports itself, directly or through others', () => {
  assert.deepEqual(circlesIn(graph), [])
})

test('the service imports nothing from trust and bench', () => {
  assert.deepEqual(outward(graph), [])
})

test('every folder and nearly every import was checked', (t) => {
  const counts = folders.map((folder) => [...graph.keys()].filter((file) => isIn(file, folder)).length)
  const imports = [...graph.values()].flat().length
  t.diagnostic(`${folders.map((folder, index) => `${counts[index]} files in ${folder}`).join(', ')}, ${imports} imports`)
  const least = [255, 70, 18, 2, 9]
  assert.ok(counts.every((count, index) => count >= (least[index] ?? 0)) && imports >= 1_300, `${counts} files, ${imports} imports`)
})

/** The faults that the guard finds when these files are added. */
function withPlanted(planted: Record<string, string>): { circles: string[][]; outward: string[] } {
  const added = graphOf(new Map([...texts, ...Object.entries(planted)]))
  return { circles: circlesIn(added), outward: outward(added) }
}

test('the guard finds every kind of import that closes a circle, wherever the files are', () => {
  const kinds = [
    `import { b } from './b.ts'`,
    `import type { B } from './b.ts'`,
    `import {\n  type B,\n  b,\n} from './b.ts'`,
    `import './b.ts'`,
    `export { b } from './b.ts'`,
    `export type { B } from './b.ts'`,
    `export * from './b.ts'`,
    `const b = await import('./b.ts')`,
    `type B = import('./b.ts').B`,
    `import { b } from "./b.ts"`,
  ]
  for (const folder of [`${service}/values/`, `${attacks}/planted/`, `${measurements}/`]) {
    for (const kind of kinds) {
      const planted = { [`${folder}a.ts`]: kind, [`${folder}b.ts`]: `import type { A } from './a.ts'` }
      assert.deepEqual(withPlanted(planted).circles, [Object.keys(planted)], kind)
    }
  }
})

test('the guard finds a long circle, one across folders and a file that imports itself', () => {
  const long = {
    'server/src/values/a.ts': `import '../platform/b.ts'`,
    'server/src/platform/b.ts': `import '../guards/c.ts'`,
    'server/src/guards/c.ts': `import '../values/a.ts'\nimport '../values/d.ts'`,
    'server/src/values/d.ts': '',
  }
  assert.deepEqual(withPlanted(long).circles, [['server/src/guards/c.ts', 'server/src/platform/b.ts', 'server/src/values/a.ts']])
  assert.deepEqual(withPlanted({ 'bench/a.ts': `import './a.ts'` }).circles, [['bench/a.ts']])
  assert.deepEqual(withPlanted({ 'bench/a.ts': `import './b.ts'`, 'bench/b.ts': '' }).circles, [])
})

// A constant, because the guard would mistake the whole path for an import of this file.
const above = '../../../'

test('the guard finds an attack or a measurement imported by the service, and allows the reverse', () => {
  const planted = {
    'server/src/values/a.ts': `import '${above}${attacks}/faults/results.ts'`,
    'server/src/values/a.test.ts': `import type { Usage } from '${above}${measurements}/usage.ts'`,
    [`${attacks}/a.ts`]: `import '../server/src/services.ts'`,
  }
  assert.deepEqual(withPlanted(planted).outward, [
    `server/src/values/a.ts imports ${attacks}/faults/results.ts`,
    `server/src/values/a.test.ts imports ${measurements}/usage.ts`,
  ])
})
