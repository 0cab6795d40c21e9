// Sets of statuses have names. SQL uses the named sets; migrations cannot, so the lists in the migrated database are compared with them. The console and
// the command line take their lists from generated files.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../contract.ts'
import { paidStatuses } from '../payments/payments.ts'
import { listed } from '../platform/database/sql.ts'
import { unfinishedStates } from '../rails/packs/rails.packs.sql.ts'
import { openMessageStates } from '../rails/rails.schemas.ts'
import { rails } from '../schemes/schemes.ts'
import { listFormats } from '../screening/lists/screening.formats.ts'
import { openBank } from '../testing/testing.ts'
import { failedStatuses } from '../transfers/life/transfers.sets.ts'
import {
  terminalStatuses,
  transferDirections,
  transferMethods,
  transferStatuses,
  transferTypes,
} from '../transfers/life/transfers.status.ts'
import { breakStatuses, unappliedStatuses } from '../transfers/life/transfers.unsettled.ts'
import { folderOf, outsideTheOrder, source, sourceFiles } from './source/order.ts'

const { owner } = await openBank()

type List = { at: string; column: string; words: string[] }

/** The lists of words in a definition, as PostgreSQL writes them: `(status = ANY (ARRAY['PAID'::text, …]))`. */
function listsOf(at: string, definition: string): List[] {
  return [...definition.matchAll(/\((\w+) (?:= ANY|<> ALL) \(ARRAY\[([^\]]*)\]/g)].map(([, column = '', words = '']) => ({
    at,
    column,
    words: [...words.matchAll(/'([^']*)'/g)].map(([, word = '']) => word).sort(),
  }))
}

const named: Readonly<Record<string, readonly string[]>> = {
  'transfers_open_authorisations status': terminalStatuses,
  'transfers_unfinished status': terminalStatuses,
  'payments_by_use status': ['PENDING', ...paidStatuses],
  'payments_by_time_paid status': paidStatuses,
  'rail_messages_open state': openMessageStates,
  'rail_packs_unfinished state': unfinishedStates,
}

test('the lists of partial indexes are the named sets', async () => {
  const { rows } = await owner.query<{ name: string; definition: string }>(`
    select index.relname as name, pg_get_expr(indpred, indrelid) as definition
    from pg_index join pg_class index on index.oid = indexrelid join pg_namespace schema on schema.oid = index.relnamespace
    where indpred is not null and schema.nspname = 'public'`)
  assert.ok(rows.length > 20, `looked at too little: ${rows.length} indexes`)
  const found = rows.flatMap(({ name, definition }) => listsOf(name, definition))
  // An index leaves out very frequent event types; code does not use that set.
  const words = found.filter(({ column }) => column !== 'type').map(({ at, column, words }) => [`${at} ${column}`, words] as const)
  assert.deepEqual(
    Object.fromEntries(words.sort()),
    Object.fromEntries(
      Object.entries(named)
        .map(([at, set]) => [at, [...set].sort()] as const)
        .sort(),
    ),
  )
})

/** By table and column, or by table and columns: what a status says about another column. */
const checked: Readonly<Record<string, readonly string[]>> = {
  'transfers direction': transferDirections,
  'transfers method': transferMethods,
  'transfers status': transferStatuses,
  'transfers transfer_type': transferTypes,
  'transfers hold+status': terminalStatuses,
  'breaks status': breakStatuses,
  'unapplied_payments status': unappliedStatuses,
  'sandbox_bank_payments rail': rails,
  'watchlists format': listFormats,
}

test('the checks of columns allow the words of the lists', async () => {
  const { rows } = await owner.query<{ name: string; definition: string }>(`
    select conrelid::regclass || ' ' || string_agg(attname, '+' order by attname) as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_attribute on attrelid = conrelid and attnum = any(conkey)
    where contype = 'c' group by c.oid, conrelid`)
  const found = rows.flatMap(({ name, definition }) => listsOf(name, definition))
  for (const [at, list] of Object.entries(checked)) {
    const of = found.filter((each) => each.at === at)
    assert.deepEqual(
      of.map(({ words }) => words),
      [[...list].sort()],
      at,
    )
  }
})

/** Lists that may be written out, by file and words, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  "payees/payees.sql.ts: 'ACTIVE', 'SUSPENDED'": 'Accounts that are not closed, in the only statement that needs them.',
  "users/users.relations.sql.ts: 'INVITATION', 'RESET'": 'Kinds of links.',
  "verify/verify.invariants.ts: 'APPROVED', 'FAILED'": 'Outcomes of an approval, in the only statement that needs them.',
  'verify/verify.invariants.ts: CARD_AUTH,CARD_ADVICE': 'Transfer types, which the check repeats on purpose.',
  "sandbox/bank/sandbox.bank.sql.ts: 'SETTLED', 'RETURNED'": 'States of the simulated bank, which is another bank.',
}

function writtenOut(code: string): string[] {
  const ofWords = /\bin \(((?:\s*'[A-Z_]+',?){2,})\s*\)|'\{([A-Z_]+(?:,[A-Z_]+)+)\}'/g
  return [...code.matchAll(ofWords)].map(([, list, array]) => (list ?? array ?? '').replace(/\s+/g, ' ').trim())
}

test('no statement writes a list of statuses out', async () => {
  const files = (await sourceFiles()).filter((file) => !file.endsWith('.test.ts') && !outsideTheOrder.has(folderOf(file)))
  const found = new Set<string>()
  for (const file of files) for (const list of writtenOut(await readFile(join(source, file), 'utf8'))) found.add(`${file}: ${list}`)
  assert.deepEqual([...found].sort(), Object.keys(allowed).sort())
})

/** The enums of the contract, as sorted texts. */
function enumsIn(schema: unknown): Set<string> {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('enum' in value && Array.isArray(value.enum))
      found.add(
        value.enum
          .filter((word) => word !== null)
          .sort()
          .join(' '),
      )
    for (const inner of Object.values(value)) look(inner)
  }
  look(schema)
  return found
}

function copiedIn(code: string, enums: ReadonlySet<string>): string[] {
  const lists = [...code.matchAll(/\[((?:\s*'[\w.]+',?){2,})\s*\]/g)].map(([, list = '']) =>
    [...list.matchAll(/'([^']+)'/g)].map(([, word = '']) => word),
  )
  return lists.filter((words) => enums.has(words.sort().join(' '))).map((words) => words.join(' '))
}

const contract = enumsIn(JSON.parse(await readFile(`${root}openapi.json`, 'utf8')))

test('neither the console nor the command line copies a list of the contract', async () => {
  const found: string[] = []
  for (const folder of ['console/src', 'cli/src']) {
    const files = (await readdir(root + folder, { recursive: true })).filter(
      (file) => /\.tsx?$/.test(file) && !/\.(made|test|testing)\.tsx?$/.test(file),
    )
    assert.ok(files.length > 15, `looked at too little: ${files.length} files of ${folder}`)
    for (const file of files)
      found.push(...copiedIn(await readFile(`${root}${folder}/${file}`, 'utf8'), contract).map((list) => `${folder}/${file}: ${list}`))
  }
  assert.deepEqual(found, [], 'add a row to contract.values.ts')
})

test('the guard finds a list that is copied, in any order', () => {
  assert.deepEqual(copiedIn("choices: ['CLOSED', 'ACTIVE', 'PENDING',\n 'SUSPENDED']", contract), ['ACTIVE CLOSED PENDING SUSPENDED'])
  for (const code of ["['ACTIVE', 'PENDING']", "['bash', 'zsh']", 'choices: accountStatuses'])
    assert.deepEqual(copiedIn(code, contract), [], code)
})

test('the guard finds lists in SQL, and those of PostgreSQL', () => {
  assert.deepEqual(writtenOut("where status in ('PAID',\n  'REFUNDED')"), ["'PAID', 'REFUNDED'"])
  assert.deepEqual(writtenOut("status <> all('{CARD,SWIFT}')"), ['CARD,SWIFT'])
  for (const code of ['status in (${ended})', "status in ('PAID')", "status = 'PAID'"]) assert.deepEqual(writtenOut(code), [], code)
  const [list] = listsOf('index', "(managed AND (status <> ALL (ARRAY['B'::text, 'A'::text])))")
  assert.deepEqual(list, { at: 'index', column: 'status', words: ['A', 'B'] })
})

test('a list in SQL has the words that it is made from', async () => {
  const words = [...failedStatuses, "it's", 'a\\b', 'a,b']
  const { rows } = await owner.query<{ words: string[] }>(`select array[${listed(words).text}] as words`)
  assert.deepEqual(rows[0]?.words, words)
})
