// The workspaces outside the service know it only by its contract: their code imports its own files, and what the table allows. Their tests may
// start the service.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** What the code of a workspace may import besides its own files. */
const allowed: Record<string, RegExp> = {
  // No dependencies, and nothing that only Node has: it also runs in browsers.
  sdk: /^$/,
  // Over HTTP, by the SDK.
  cli: /^(node:\w[\w/]*|@vostro\/sdk)$/,
  // In browsers, by the SDK, with the packages that are bundled with it.
  console:
    /^(@vostro\/sdk|@mantine\/(core|hooks|notifications|spotlight)(\/styles(\/\w[\w-]*)?\.css)?|@tanstack\/react-(query|router)|@simplewebauthn\/browser|get-nonce|react|react-dom\/client|uplot(\/dist\/uPlot\.min\.css)?)$/,
}

/** Not part of what is published. */
const tools: Record<string, RegExp> = { 'sdk/src/make.ts': /^node:/ }

/** Why an import of a file of a workspace is not allowed; undefined if it is allowed. */
function fault(file: string, specifier: string): string | undefined {
  const [workspace = ''] = file.split('/')
  if (specifier.startsWith('.')) {
    const target = join(dirname(file), specifier)
    if (!target.startsWith(`${workspace}/src/`)) return `${file} imports ${target}, which is not its own`
    return workspace === 'console' ? consoleFault(file, target) : undefined
  }
  const isAllowed = allowed[workspace]?.test(specifier) || tools[file]?.test(specifier)
  return isAllowed ? undefined : `${file} imports ${specifier}`
}

/** The order of the console: what is to the left knows nothing of what is to the right. */
const layers = ['live', 'ui', 'entrance', 'pages', 'shell']

/** A page knows what all pages have in common, and no other page. */
function consoleFault(file: string, target: string): string | undefined {
  const partsOf = (path: string) => path.split('/').slice(2)
  const [[from = '', page], [to = '', other]] = [partsOf(file), partsOf(target)]
  // The files at the top put it together, and the tables that are made are for everybody.
  if (partsOf(file).length === 1 || partsOf(target).length === 1) return undefined
  if (from === 'pages' && to === 'pages' && page !== other) return `${file} imports another page: ${target}`
  return layers.indexOf(to) > layers.indexOf(from) ? `${file} imports ${target}, which is to its right` : undefined
}

/** Everything that a file imports or re-exports from. */
function importsIn(text: string): string[] {
  return [
    ...text.matchAll(
      /^\s*(?:import|export)\b[^'"]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/gm,
    ),
  ].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '')
}

test('the workspaces outside the service import only their own files and what they may', (t) => {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }
  assert.deepEqual(
    workspaces.filter((name) => name !== 'server'),
    Object.keys(allowed),
  )
  for (const workspace of Object.keys(allowed)) {
    const files = globSync(`${workspace}/src/**/*.{ts,tsx}`, { cwd: root }).filter((file) => !/\.test(ing)?\.ts$/.test(file))
    const imports = files.flatMap((file) =>
      importsIn(readFileSync(join(root, file), 'utf8')).map((specifier) => [file, specifier] as const),
    )
    t.diagnostic(`${workspace}: ${files.length} files, ${imports.length} imports`)
    assert.deepEqual(
      imports.flatMap(([file, specifier]) => fault(file, specifier) ?? []),
      [],
    )
    assert.ok(files.length >= 9 && imports.length >= 15, `${workspace}: looked at too little`)
  }
})

test('the guard finds an import of the service, of a package and of Node', () => {
  assert.match(
    fault('sdk/src/client.ts', '../../server/src/values/refusals.ts') ?? '',
    /server\/src\/values\/refusals\.ts, which is not its own/,
  )
  assert.match(fault('sdk/src/client.ts', 'undici') ?? '', /imports undici/)
  assert.match(fault('sdk/src/client.ts', 'node:crypto') ?? '', /imports node:crypto/)
  assert.match(fault('sdk/src/make.ts', 'undici') ?? '', /imports undici/)
  assert.equal(fault('sdk/src/make.ts', 'node:fs'), undefined)
  assert.equal(fault('sdk/src/client.ts', './pages.ts'), undefined)
  assert.match(fault('cli/src/commands/open.ts', '../../../sdk/src/client.ts') ?? '', /which is not its own/)
  assert.match(fault('cli/src/main.ts', 'undici') ?? '', /imports undici/)
  assert.equal(fault('cli/src/commands/open.ts', '../table.ts'), undefined)
  assert.match(fault('console/src/pages/a/a.tsx', '../b/b.tsx') ?? '', /imports another page/)
  assert.match(fault('console/src/ui/list.tsx', '../pages/a/a.tsx') ?? '', /which is to its right/)
  assert.match(fault('console/src/pages/a/a.tsx', '../../../../server/src/values/money.ts') ?? '', /which is not its own/)
  assert.match(fault('console/src/pages/a/a.tsx', 'lodash') ?? '', /imports lodash/)
  for (const good of ['./part.tsx', '../../ui/list.tsx', '../../access.made.ts', '@vostro/sdk'])
    assert.equal(fault('console/src/pages/a/a.tsx', good), undefined)
  const code =
    "import { a } from 'a'\nimport 'b'\nimport type { C } from \"c\"\nexport * from 'd'\nconst e = await import('e')\nexport type F = import('f').F\nimport {\n  type G,\n  g,\n} from 'g'"
  assert.deepEqual(importsIn(code), ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
})
