// Every form reads amounts, rates and shares with the one field that asks what it does not understand. The contract says which fields have decimals: a form
// that reads one of them as plain text is found here, and so is every other field for numbers with decimals, also on the pages that the service makes.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { amountKinds, fieldNames, fields } from './policy.fields.ts'
import { ruleFields } from './policy.rules.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const theField = 'console/src/ui/amount-input.tsx'

type Schema = { pattern?: string; $ref?: string; properties?: Record<string, Schema>; items?: Schema } & Partial<
  Record<'anyOf' | 'oneOf' | 'allOf', Schema[]>
>
type Operation = { parameters?: { name: string; schema?: Schema }[]; requestBody?: { content: Record<string, { schema: Schema }> } }
type Contract = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }

const contract = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as Contract

const isDecimal = ({ pattern }: Schema): boolean =>
  pattern !== undefined && new RegExp(pattern).test('0.5') && !new RegExp(pattern).test('x')

/** The names of the fields of a schema that have decimals, at any depth. */
function decimalsIn(schema: Schema, seen: readonly string[] = []): string[] {
  const { $ref, items, properties = {}, anyOf = [], oneOf = [], allOf = [] } = schema
  const name = $ref?.split('/').at(-1)
  if (name !== undefined) return seen.includes(name) ? [] : decimalsIn(contract.components.schemas[name] ?? {}, [...seen, name])
  const own = Object.entries(properties).flatMap(([field, one]) => ([one, ...(one.anyOf ?? [])].some(isDecimal) ? [field] : []))
  const inside = [...anyOf, ...oneOf, ...allOf, ...Object.values(properties), ...(items ? [items] : [])]
  return [...own, ...inside.flatMap((one) => decimalsIn(one, seen))]
}

const decimals: ReadonlySet<string> = new Set(
  Object.values(contract.paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ parameters = [], requestBody }) => [
      ...parameters.flatMap(({ name, schema }) => (schema && isDecimal(schema) ? [name] : [])),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => decimalsIn(schema)),
    ]),
)

/** What labels of such fields have in them. */
const amountWords = /\b(amount|limit|rate|fee|share|margin|prefunding|threshold|price|sum|total|balance)\b/i

/** The ways in which a file of the console reads a number with decimals, and not with the one field. */
function faultsIn(text: string): string[] {
  const faults: string[] = []
  if (/\bNumberInput\b|type="number"|type: 'number'/.test(text)) faults.push('has a field for numbers')
  if (/inputMode[=:] ?["']decimal/.test(text)) faults.push('has a field of its own with a keyboard for decimals')
  if (/\bparseFloat\b/.test(text)) faults.push('reads numbers by parseFloat')
  for (const [, name = ''] of text.matchAll(/\b(?:text|field)\('(\w+)'\)/g)) if (decimals.has(name)) faults.push(`reads ${name} as a text`)
  // A table of fields: what is said of one, up to the next one.
  for (const [entry, name = ''] of text.matchAll(/\bname: '(\w+)'(?:(?!\bname: '|\n\])[\s\S])*/g))
    if (decimals.has(name) && !/\bamount: \{|\bkind: '(amount|share|whole)'/.test(entry)) faults.push(`reads ${name} as a text`)
  for (const [, element = '', plain = '', template = ''] of text.matchAll(
    /<(TextInput|Textarea|input)\b(?:[^>]|=>)*?\blabel=(?:"([^"]*)"|\{`([^`]*)`\})/g,
  ))
    if (amountWords.test(`${plain}${template}`)) faults.push(`reads “${plain}${template}” with ${element}`)
  return faults
}

/** The same, for the pages that the service makes. */
function faultsInPage(text: string): string[] {
  const faults = /inputmode="decimal"|type="number"/.test(text) ? ['has a field for numbers'] : []
  const names = [...text.matchAll(/<(?:input|textarea|select)\b[^>]*?\bname="(\w+)"/g)].flatMap(([, name = '']) =>
    decimals.has(name) ? [name] : [],
  )
  return [...faults, ...names.map((name) => `reads ${name}`)]
}

const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((file) => !file.includes('.test.'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

test('every form of the console reads amounts, rates and shares with the one field', () => {
  const files = filesOf('console/src/**/*.{ts,tsx}').filter(({ file }) => file !== theField)
  assert.deepEqual(
    files.flatMap(({ file, text }) => faultsIn(text).map((fault) => `${file} ${fault}`)),
    [],
  )
  const using = files.filter(({ text }) => /<AmountInput\b|\bamount: \{/.test(text))
  assert.ok(using.length >= 13, `${using.length} files have forms with amounts`)
})

test('every amount, share and score of a policy is read with the one field', () => {
  const read = fieldNames.filter((name) => amountKinds[fields[name].kind] !== undefined)
  assert.deepEqual(
    read,
    fieldNames.filter((name) => decimals.has(name)),
  )
  for (const { name, kind } of Object.values(ruleFields).flat())
    assert.equal(amountKinds[kind] !== undefined, decimals.has(name) && kind !== 'whole', name)
})

test('no page that the service makes reads an amount', () => {
  const pages = filesOf('server/src/**/*.ts').filter(({ text }) => text.includes('<input'))
  assert.ok(pages.length >= 2)
  assert.deepEqual(
    pages.flatMap(({ file, text }) => faultsInPage(text).map((fault) => `${file} ${fault}`)),
    [],
  )
})

test('the guard finds a form that reads an amount by other means', () => {
  for (const name of ['amount', 'debit_amount', 'daily_limit', 'rate', 'margin', 'share', 'card_fee', 'prefunding'])
    assert.ok(decimals.has(name), name)
  for (const name of ['reference', 'currency', 'iban', 'days', 'count']) assert.ok(!decimals.has(name), name)
  for (const form of [
    `<TextInput label="Sum" {...text('amount')} />`,
    `<TextInput label={\`Limit per day, in \${currency}\`} value={limit} />`,
    `<TextInput\n  label="New rate"\n  value={rate}\n/>`,
    `const fields = [\n  { name: 'rate', label: 'Rate' },\n  { name: 'amount', label: 'Amount', amount: {} },\n]`,
    `import { NumberInput } from '@mantine/core'`,
    `<input inputMode="decimal" />`,
    `parseFloat(typed)`,
  ])
    assert.equal(faultsIn(form).length > 0, true, form)
  for (const form of [
    `<AmountInput label="Amount" {...amount('amount')} />`,
    `<TextInput label="Reference" {...text('reference')} />`,
    `{ name: 'amount', label: 'Amount', amount: { currency: 'EUR' } }`,
    `<TextInput label="How often" inputMode="numeric" {...text('max_uses')} />`,
  ])
    assert.deepEqual(faultsIn(form), [], form)
  assert.equal(faultsInPage('<input id="a" name="amount">').length, 1)
  assert.equal(faultsInPage('<input inputmode="decimal" name="x">').length, 1)
  assert.deepEqual(faultsInPage('<input inputmode="numeric" name="pan">'), [])
})
