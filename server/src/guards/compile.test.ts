// Rules that the compiler enforces. Each is broken on purpose in a copy of the source, which must then fail to compile at that place.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

type Violation = {
  rule: string
  /** Relative to server/src. */
  file: string
  find: string
  replace: string
  /** The file where the compiler must fail, relative to server/src, and its error. */
  stops: string
  says: RegExp
}

const violations: readonly Violation[] = [
  {
    rule: 'a rail without rules',
    file: 'transfers/life/transfers.status.ts',
    find: "'SWIFT', 'DOMESTIC'] as const",
    replace: "'SWIFT', 'DOMESTIC', 'PIGEON'] as const",
    stops: 'transfers/life/transfers.methods.ts',
    says: /'PIGEON' is missing/,
  },
  {
    rule: 'a rule of monitoring that nobody evaluates',
    file: 'policies/policies.schemas.ts',
    find: "    Body('ExpectedVolumeRule', {\n",
    replace: "    Body('MoonRule', { kind: Type.Literal('full_moon') }),\n    Body('ExpectedVolumeRule', {\n",
    stops: 'policies/policies.rules.ts',
    says: /'full_moon' is missing/,
  },
  {
    rule: 'a filter that is declared and not handled',
    file: 'accounts/accounts.schemas.ts',
    find: '  account_type: Type.Optional(described(',
    replace: '  colour: Type.Optional(AccountType),\n  account_type: Type.Optional(described(',
    stops: 'accounts/accounts.sql.ts',
    says: /'colour' is missing/,
  },
  {
    rule: 'the first filter of a list that had none',
    file: 'ventures/ventures.schemas.ts',
    find: 'export const VentureList = Query(Paging)',
    replace: 'export const VentureList = Query({ ...Paging, colour: Type.Optional(Type.String()) })',
    stops: 'ventures/ventures.sql.ts',
    says: /'colour' is missing/,
  },
  {
    rule: 'the first filter of a list that has only a limit',
    file: 'kyc/kyc.schemas.ts',
    find: 'Query({ limit: Paging.limit })',
    replace: 'Query({ limit: Paging.limit, colour: Type.Optional(Type.String()) })',
    stops: 'kyc/kyc.sql.ts',
    says: /'colour' is missing/,
  },
  {
    rule: 'an event that carries a row instead of the resource',
    file: 'clients/clients.ts',
    find: 'const object = shown(Client, saved)',
    replace: 'const object = saved',
    stops: 'clients/clients.ts',
    says: /not assignable to type 'Shown</,
  },
  {
    rule: 'a refusal without title, cause and remedy',
    file: 'values/refusals.ts',
    find: 'export const catalogue = {\n',
    replace: 'export const catalogue = {\n  out_of_coffee: { status: 418 },\n',
    stops: 'values/refusals.ts',
    says: /missing the following properties from type 'Kind'/,
  },
]

/** Route options, one per line, each with the error that the compiler reports. The first ones are complete. */
const operation = "schema: { operationId: 'look', response }"
const declared: readonly { rule: string; route: string; misses?: RegExp }[] = [
  { rule: 'a complete GET', route: `get('/', { config: { access: readsAtBank, refusals: [] }, ${operation} }` },
  { rule: 'a complete PUT', route: `put('/', { config: { access: atBank, audit: 'people', refusals: [] }, ${operation} }` },
  { rule: 'a complete page', route: "get('/', { config: { access: anybody }, schema: { hide: true } }" },
  { rule: 'a route without config', route: `get('/', { ${operation} }`, misses: /'config' is missing/ },
  { rule: 'a route without access', route: `get('/', { config: { refusals: [] }, ${operation} }`, misses: /'access' is missing/ },
  {
    rule: 'a route without refusals',
    route: `get('/', { config: { access: readsAtBank }, ${operation} }`,
    misses: /'refusals' is missing/,
  },
  {
    rule: 'a code that is not in the catalogue',
    route: `get('/', { config: { access: readsAtBank, refusals: ['out_of_tea'] }, ${operation} }`,
    misses: /"out_of_tea"' is not assignable/,
  },
  {
    rule: 'a closed route without an operationId',
    route: "get('/', { config: { access: readsAtBank, refusals: [] }, schema: { hide: true } }",
    misses: /to type 'Open'/,
  },
  {
    rule: 'a GET that changes something',
    route: `get('/', { config: { access: atBank, refusals: [] }, ${operation} }`,
    misses: /'false' is not assignable to type 'true'/,
  },
  {
    rule: 'a PUT that only reads',
    route: `put('/', { config: { access: readsAtBank, audit: 'people', refusals: [] }, ${operation} }`,
    misses: /'true' is not assignable to type 'false'/,
  },
  {
    rule: 'a change that does not say when it is audited',
    route: `put('/', { config: { access: atBank, refusals: [] }, ${operation} }`,
    misses: /'audit' is missing/,
  },
  {
    rule: 'a change by people of the bank that does not say what one of them may do',
    route: `put('/', { config: { access: { door: 'operator', reads: false, bank: bankRoles }, audit: 'people', refusals: [] }, ${operation} }`,
    misses: /'authority' is missing/,
  },
  {
    rule: 'the same, with the words for it',
    route: `put('/', { config: { access: changesAtBank(), audit: 'people', refusals: [] }, ${operation} }`,
    misses: /Expected 1 arguments/,
  },
  {
    rule: 'a POST that neither creates something nor says why not',
    route: `post('/', { config: { access: atBank, audit: 'people', refusals: [] }, ${operation} }`,
    misses: /'createsNothing' is missing/,
  },
  {
    rule: 'a creating POST of which the guards cannot make another request',
    route: `post('/', { config: { access: atBank, audit: 'people', refusals: [], creates: { answer: 'kept' } }, ${operation} }`,
    misses: /'another' is missing/,
  },
]

const plantedRoutes = [
  "import { Type } from 'typebox'",
  "import { alone, anybody, bankRoles, changesAtBank, readsAtBank } from './platform/http/access.ts'",
  "import type { App } from './platform/http/http.ts'",
  'const response = { 200: Type.Object({}) }',
  "const atBank = changesAtBank(alone('It protects.'))",
  'export const words = { anybody, bankRoles }',
  'export function planted(app: App): void {',
  ...declared.map(({ route }) => `  app.${route}, async () => ({}))`),
  '}',
]
const plantedFile = 'planted.routes.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

test('every planted violation is a compiler error', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'vostro-compile-'))
  context.after(() => rmSync(folder, { recursive: true }))
  cpSync(join(root, 'server'), join(folder, 'server'), { recursive: true, filter: (path) => !path.includes('node_modules') })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const config = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as object
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      ...config,
      include: [],
      files: [plantedFile, ...violations.map(({ stops }) => stops)].map((file) => `server/src/${file}`),
    }),
  )
  writeFileSync(join(folder, 'package.json'), readFileSync(join(root, 'package.json')))
  for (const { rule, file, find, replace } of violations) {
    const path = join(folder, 'server/src', file)
    const parts = readFileSync(path, 'utf8').split(find)
    assert.equal(parts.length, 2, `${rule}: the piece to be replaced stands in ${file} ${parts.length - 1} times`)
    writeFileSync(path, parts.join(replace))
  }
  writeFileSync(join(folder, 'server/src', plantedFile), plantedRoutes.join('\n'))
  const errors = errorsIn(await compile(folder))
  for (const { rule, stops, says } of violations) {
    const found = errors.filter((error) => error.startsWith(`server/src/${stops}(`))
    assert.match(found.join('\n'), says, `${rule} compiled`)
  }
  for (const { rule, route, misses } of declared) {
    const line = plantedRoutes.findIndex((text) => text.includes(route)) + 1
    const found = errors.filter((error) => error.startsWith(`server/src/${plantedFile}(${line},`)).join('\n')
    if (misses === undefined) assert.equal(found, '', rule)
    else assert.match(found, misses, `${rule} compiled`)
  }
})

/** Compiler errors, each with the lines that explain it. */
function errorsIn(output: string): string[] {
  return output.split(/\n(?! )/)
}

async function compile(folder: string): Promise<string> {
  const compiler = spawn(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--pretty', 'false', '-p', folder], {
    cwd: folder,
  })
  let said = ''
  for await (const chunk of compiler.stdout) said += chunk
  return said
}
