import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

// A folder imports only folders to its left, and enters each by its front door.
const order = [
  'values',
  'platform',
  'events',
  'ledger',
  'ventures',
  'clients',
  'onboarding',
  'kyc',
  'beneficiaries',
  'accounts',
  'transfers',
  'payments',
  'webhooks',
  'verify',
  'sandbox',
]
// Tests about the code, and what tests are made with.
const outsideTheOrder = new Set(['guards', 'testing'])
const openFolders = new Set(['values', 'platform'])
const source = fileURLToPath(new URL('..', import.meta.url))

/** Why an import is not allowed; undefined when it is. */
function fault(from: string, to: string): string | undefined {
  // A folder is the first segment of the path: a file in transfers/life/ is one of transfers.
  const [fromFolder = '', toFolder = ''] = [from, to].map((file) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '.'))
  // The files at the top put the whole together, and tests may look at anything.
  if (fromFolder === '.' || outsideTheOrder.has(fromFolder) || fromFolder === toFolder || from.endsWith('.test.ts')) return undefined
  if (!order.includes(toFolder)) return `${from} imports ${to}, which is no folder of the order`
  if (order.indexOf(toFolder) > order.indexOf(fromFolder)) return `${from} imports ${to}, which is to its right`
  if (!openFolders.has(toFolder) && to !== `${toFolder}/${toFolder}.ts`) return `${from} enters ${to} beside the front door`
  return undefined
}

test('folders import only to their left and by the front door', async () => {
  const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.ts'))
  const faults: string[] = []
  let imports = 0
  for (const file of files) {
    const text = await readFile(join(source, file), 'utf8')
    for (const [, target = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      imports++
      const found = fault(file, relative(source, join(source, dirname(file), target)))
      if (found) faults.push(found)
    }
  }
  assert.deepEqual(faults, [])
  assert.ok(files.length >= 30 && imports >= 80, `looked at too little: ${files.length} files, ${imports} imports`)
})

test('the guard sees an import to the right, one beside the door and one of an unknown folder', () => {
  assert.match(fault('ventures/ventures.ts', 'transfers/transfers.ts') ?? '', /to its right/)
  assert.match(fault('kyc/kyc.ts', 'clients/clients.sql.ts') ?? '', /beside the front door/)
  assert.match(fault('kyc/kyc.ts', 'elsewhere/elsewhere.ts') ?? '', /no folder/)
  assert.equal(fault('kyc/kyc.ts', 'clients/clients.ts'), undefined)
})

test('every folder of the source is in the order', async () => {
  const entries = await readdir(source, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory() && !outsideTheOrder.has(entry.name)).map((entry) => entry.name)
  assert.deepEqual(
    folders.filter((folder) => !order.includes(folder)),
    [],
  )
})
