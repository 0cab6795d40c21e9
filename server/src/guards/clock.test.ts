// The service has one clock (platform/clock.ts, which explains the rule). The files that use the clock of the machine or the database are listed here.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderOf, outsideTheOrder, source, sourceFiles } from './source/order.ts'
import { sqlTexts } from './source/sql.ts'

/** Files that use the real time, with the reason. */
const realTime: Readonly<Record<string, string>> = {
  'platform/clock.ts': 'It is the clock.',
  'platform/test-clock.ts': 'It moves the clock, which is stored as an offset from the real time.',
  'platform/ids.ts': 'It creates ids with the time of the clock.',
  'platform/log.ts': 'Log times must match those of other programs.',
  'platform/standard-webhooks.ts': 'Senders and receivers compare the time of a signature with their own clocks.',
  'platform/backup/backup.ts': 'A backup is a file of the machine.',
  'platform/backup/backup.tar.ts': 'A backup is a file of the machine.',
  'platform/backup/backup.restore.ts': 'Replaced files are moved to a folder of the machine.',
  'platform/database/migrate.ts': 'Migrations run before the clock exists.',
  'platform/embedded/embedded.binaries.ts': 'It deletes old files of the machine.',
  'platform/embedded/embedded.postmaster.ts': 'It waits for a process of the machine.',
  'kyc/sumsub/kyc.sumsub.ts': 'Sumsub compares the time of a request with its own clock.',
  'kyc/sumsub/kyc.sumsub.standin.ts': 'It stands in for another machine with its own clock.',
  'payees/vop/payees.vop.certificates.ts': 'Certificates expire in real time.',
  'payees/vop/payees.vop.wire.ts': 'Other banks compare the time of a question with their own clocks.',
  'payments/payments.sql.ts': 'A refund in progress is protected by a lease.',
  'users/users.sessions.ts': 'People stay signed in while they move the clock.',
  'users/users.sql.ts': 'People stay signed in while they move the clock.',
  'webhooks/webhooks.couriers.ts': 'Leases of endpoints expire by the clock of the database.',
  'verify/verify.runs.ts': 'The lease of a run expires by the clock of the database.',
  'sandbox/demo/sandbox.demo.run.ts': 'It moves the clock, which is stored as an offset from the real time.',
  'sandbox/demo/sandbox.demo.sql.ts': 'The instance that fills the service holds a lease.',
  'sandbox/gateway/sandbox.gateway.orders.ts': 'It adds the offset of the test clock to the clock of the database.',
}

const ofMachine = /\bnew Date(?:\(\s*\)|(?!\s*\())|\bDate\.now\b|\bDate\(\s*\)|['"]uuidv7['"]/
const ofDatabase =
  /(?<!bank_)\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(|\b(?:current_(?:timestamp|date|time)|localtime(?:stamp)?)\b/i

/** Comments may mention other clocks. */
const withoutComments = (code: string): string => code.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')

const asksElsewhere = (code: string): boolean =>
  ofMachine.test(withoutComments(code)) || sqlTexts(code).some(({ text }) => ofDatabase.test(text))

test('only files with a reason use another time than that of the clock', async () => {
  const files = (await sourceFiles()).filter((file) => !/\.test(?:ing)?\.ts$/.test(file) && !outsideTheOrder.has(folderOf(file)))
  const found: string[] = []
  for (const file of files) if (asksElsewhere(await readFile(join(source, file), 'utf8'))) found.push(file)
  assert.deepEqual(
    found.filter((file) => !(file in realTime)),
    [],
    'use now() of platform/clock.ts, uuidv7() of platform/ids.ts, and bank_now() or a parameter in SQL',
  )
  assert.deepEqual(
    Object.keys(realTime).filter((file) => !found.includes(file)),
    [],
    'these no longer need an exception',
  )
  assert.ok(files.length >= 200, `looked at too little: ${files.length} files`)
})

test('the guard finds every way to ask for another time', () => {
  for (const code of [
    'const at = new Date()',
    'const at = new Date( )',
    'const at = new Date',
    'const at = Date.now()',
    'const clock = Date.now',
    'const text = Date()',
    "import { uuidv7 } from 'uuidv7'",
    'tx.run(write`update jobs set due_at = now()`)',
    'read`select * from jobs where due_at < Clock_Timestamp ()`',
    'fixed`expires_at > current_timestamp`',
    "client.query('select current_date')",
  ])
    assert.ok(asksElsewhere(code), code)
  for (const code of [
    'const at = new Date(text)',
    'const at = now()',
    'const at = new Date(now().getTime() + day_ms)',
    '// asks new Date() and Date.now()',
    'read`select * from jobs where due_at < bank_now()`',
    'const start_ms = performance.now()',
  ])
    assert.ok(!asksElsewhere(code), code)
})
