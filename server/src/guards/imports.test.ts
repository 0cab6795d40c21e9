import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { folderOf, isToTheRight, order, outsideTheOrder, source, sourceFiles, standsOutside } from './source/order.ts'
import { hiddenImportsIn, specifiersIn } from './source/specifiers.ts'

// A folder imports only folders to its left, and only through their front doors.
const openFolders = new Set(['values', 'platform'])

/** A second front door, for pure code: schemas, tables and plain functions. Nothing in it reaches a database. */
const pureRoom = 'transfers/life'

/** Why an import is not allowed; undefined if it is allowed. */
function fault(from: string, to: string): string | undefined {
  const [fromFolder, toFolder] = [folderOf(from), folderOf(to)]
  if (standsOutside(from) || fromFolder === toFolder) return undefined
  if (!order.includes(toFolder)) return `${from} imports ${to}, which is not a folder of the order`
  if (isToTheRight(toFolder, fromFolder)) return `${from} imports ${to}, which is to its right`
  if (dirname(to) === pureRoom) return undefined
  if (!openFolders.has(toFolder) && to !== `${toFolder}/${toFolder}.ts`) return `${from} enters ${to} beside the front door`
  return undefined
}

test('folders import only to their left and through the front door', async () => {
  const files = await sourceFiles()
  const faults: string[] = []
  let imports = 0
  for (const file of files) {
    const text = await readFile(join(source, file), 'utf8')
    if (!standsOutside(file)) faults.push(...hiddenImportsIn(text).map((hidden) => `${file} hides an import: ${hidden}`))
    for (const target of specifiersIn(text)) {
      imports++
      const found = fault(file, relative(source, join(source, dirname(file), target)))
      if (found) faults.push(found)
    }
  }
  assert.deepEqual(faults, [])
  assert.ok(files.length >= 255 && imports >= 980, `looked at too little: ${files.length} files, ${imports} imports`)
})

test('ARCHITECTURE.md states the same order', async () => {
  const text = await readFile(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const [, stated = ''] = /^ {4}(values, .*)$/m.exec(text) ?? []
  assert.deepEqual(stated.split(', '), order)
})

test('the guard finds an import to the right, one past the front door and one of an unknown folder', () => {
  assert.match(fault('ventures/ventures.ts', 'transfers/transfers.ts') ?? '', /to its right/)
  assert.match(fault('kyc/kyc.ts', 'clients/clients.sql.ts') ?? '', /beside the front door/)
  assert.match(fault('kyc/kyc.ts', 'elsewhere/elsewhere.ts') ?? '', /not a folder/)
  assert.equal(fault('kyc/kyc.ts', 'clients/clients.ts'), undefined)
})

test('the guard finds an import from a nested folder', () => {
  assert.match(fault('transfers/life/x.ts', 'webhooks/webhooks.ts') ?? '', /to its right/)
  assert.match(fault('kyc/deep/x.ts', 'clients/clients.sql.ts') ?? '', /beside the front door/)
  assert.match(fault('kyc/deep/x.ts', 'clients/deep/clients.ts') ?? '', /beside the front door/)
  assert.match(fault('kyc/very/deep/x.ts', 'elsewhere/kyc.ts') ?? '', /not a folder/)
  assert.match(fault('kyc/deep/x.ts', 'service.ts') ?? '', /not a folder/)
  assert.equal(fault('transfers/life/x.ts', 'transfers/deciding/y.ts'), undefined)
  assert.equal(fault('kyc/deep/x.ts', 'clients/clients.ts'), undefined)
  assert.equal(fault('kyc/deep/x.ts', 'platform/database/sql.ts'), undefined)
})

/** The room is pure if its files import only each other, pure values, the platform's schema helpers, and types. */
const withoutTypes = (text: string): string => text.replace(/^import type [^']*'[^']*'/gm, '')
const purePlatform = new Set(['platform/actor.ts', 'platform/http/schemas.ts', 'platform/http/validation.ts'])

function impurity(from: string, to: string): string | undefined {
  const isPure = dirname(to) === pureRoom || folderOf(to) === 'values' || purePlatform.has(to)
  return dirname(from) === pureRoom && !from.endsWith('.test.ts') && !isPure ? `${from} imports ${to}, which is not pure` : undefined
}

test('the second front door is pure', async () => {
  const files = (await sourceFiles()).filter((file) => dirname(file) === pureRoom)
  const faults: string[] = []
  for (const file of files) {
    for (const target of specifiersIn(withoutTypes(await readFile(join(source, file), 'utf8')))) {
      const found = impurity(file, join(dirname(file), target))
      if (found) faults.push(found)
    }
  }
  assert.deepEqual(faults, [])
  assert.ok(files.length >= 9, `looked at too little: ${files.length} files`)
})

test('the guard finds what is not pure in the second front door, and allows other folders to enter it', () => {
  assert.match(impurity('transfers/life/x.ts', 'platform/database/database.ts') ?? '', /is not pure/)
  assert.match(impurity('transfers/life/x.ts', 'transfers/deciding/y.ts') ?? '', /is not pure/)
  assert.equal(impurity('transfers/life/x.ts', 'values/money.ts'), undefined)
  assert.deepEqual(specifiersIn(withoutTypes("import type { A } from './a.ts'\nimport { b } from './b.ts'")), ['./b.ts'])
  assert.equal(fault('processing/x.ts', 'transfers/life/transfers.status.ts'), undefined)
  assert.match(fault('ledger/x.ts', 'transfers/life/transfers.status.ts') ?? '', /to its right/)
  assert.match(fault('processing/x.ts', 'transfers/writing/transfers.run.ts') ?? '', /beside the front door/)
})

test('the guard finds an import whose file it cannot see', () => {
  const hidden = [
    'const { webhooks } = await import(`../webhooks/webhooks.ts`)',
    "await import(/* later */ '../webhooks/webhooks.ts')",
    "await import('../webhooks/' + name)",
    'await import(name)',
    "import { webhooks } from '/srv/vostro/server/src/webhooks/webhooks.ts'",
    "export * from 'file:///srv/vostro/server/src/webhooks/webhooks.ts'",
    "import type { Webhooks } from '#webhooks'",
    "import { webhooks } from '@vostro/server/src/webhooks/webhooks.ts'",
    "const { webhooks } = require('../webhooks/webhooks.ts')",
  ]
  for (const code of hidden) assert.equal(hiddenImportsIn(`import { a } from './a.ts'\n${code}`).length, 1, code)
  const seen = [
    "import { webhooks } from '../webhooks/webhooks.ts'",
    "const { webhooks } = await import('../webhooks/webhooks.ts')",
    "type Webhooks = import('../webhooks/webhooks.ts').Webhooks",
    "import { readFile } from 'node:fs/promises'",
    "library ??= require('libphonenumber-js/min')",
    '// The import (of everything) comes later.',
  ]
  for (const code of seen) assert.deepEqual(hiddenImportsIn(code), [], code)
})

test('all code of the service is in files that the guards read', async () => {
  const files = (await readdir(source, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  assert.deepEqual(
    files.map(({ name }) => name).filter((name) => /\.[cm]?[jt]sx?$/.test(name) && !name.endsWith('.ts')),
    [],
  )
})

test('the order contains every folder of the source, and no other', async () => {
  const entries = await readdir(source, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory() && !outsideTheOrder.has(entry.name)).map((entry) => entry.name)
  assert.deepEqual(folders.sort(), [...order].sort())
})
