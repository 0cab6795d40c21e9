// The service does what the routes declare: which operations one person at the bank may carry out alone, and which need two.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Authority } from '../platform/http/access.ts'
import { openBank } from '../testing/testing.ts'

const bank = await openBank()
const { handlers } = bank.approvals

const declared = bank.services.operations.list()
const rows = declared.flatMap(([operation, { access }]) => (access.authority === undefined ? [] : [[operation, access.authority] as const]))
const marked = (...wanted: readonly Authority[]) => rows.filter(([, [given]]) => wanted.includes(given)).map(([operation]) => operation)

/** Operations that are carried out once a second person has approved them. */
const approved = new Set(Object.values(handlers).flatMap(({ operations }) => operations))

test('everything that people of the bank may call and that changes something says what one of them may do, and nothing else does', () => {
  const changing = declared.filter(([, { access }]) => !access.reads && access.bank !== undefined)
  assert.deepEqual(
    rows.map(([operation]) => operation),
    changing.map(([operation]) => operation),
  )
  for (const [operation, [, why]] of rows) assert.match(why, /^[A-Z].+\.$/, operation)
})

test('what needs two people has a handler of approvals, and what one person does has none', () => {
  assert.deepEqual(
    marked('together', 'partly').filter((operation) => !approved.has(operation)),
    [],
  )
  assert.deepEqual(
    marked('alone', 'never', 'sandbox').filter((operation) => approved.has(operation)),
    [],
  )
})

test('what needs two people can be answered with the approval that waits, and what one person does cannot', () => {
  const routes = new Map(bank.app.routeTable.map(({ schema }) => [schema.operationId ?? '', schema]))
  const waits = (operation: string) => {
    const response = (routes.get(operation)?.response ?? {}) as { 202?: { properties?: object } }
    return 'payload_hash' in (response[202]?.properties ?? {})
  }
  assert.deepEqual(
    marked('together', 'partly').filter((operation) => !waits(operation)),
    [],
  )
  assert.deepEqual(marked('alone', 'never').filter(waits), [])
})

test('what exists in the sandbox only has no route outside', async () => {
  const outside = await bank.openInstance({ sandbox: false })
  const there = new Set(outside.routeTable.map(({ schema }) => schema.operationId))
  assert.deepEqual(
    marked('sandbox').filter((operation) => there.has(operation)),
    [],
  )
  assert.deepEqual(
    marked('together', 'partly', 'never', 'alone').filter((operation) => !there.has(operation)),
    [],
  )
})
