// What a policy says, in words, and how people write it. Amounts, shares and scores stay texts.
import type { Policy, PolicyUpdate } from '@vostro/sdk'
import type { AmountKind } from './amount-input.tsx'
import { type Rule, ruleWords } from './policy.rules.ts'
import { counted, grouped } from './words.ts'

export type Field = Exclude<keyof PolicyUpdate, 'rules'>

type Kind = 'share' | 'whole' | 'amount' | 'score' | 'choice' | 'yes' | 'names'

export type FieldRule = {
  group: string
  label: string
  kind: Kind
  /** What it means, and for choices what each of them does. */
  meaning: string
  unit?: string
  choices?: Readonly<Record<string, string>>
  /** What an empty field says. */
  none?: string
}

export const fields: Readonly<Record<Field, FieldRule>> = {
  sign_above: {
    group: 'Orders',
    label: 'Signature above',
    kind: 'amount',
    none: 'Never',
    meaning: 'An order above this debit amount, in its own currency, needs a signature.',
  },
  signer: {
    group: 'Orders',
    label: 'Who signs',
    kind: 'choice',
    meaning: 'Who may sign what somebody has ordered.',
    choices: { any: 'Anybody', other: 'Somebody else than who ordered', user: 'A person, not a key, other than who ordered' },
  },
  payee_check: {
    group: 'Orders',
    label: "Check of the payee's name",
    kind: 'choice',
    meaning: 'Whether the name is checked before a payment.',
    choices: { off: 'Off', warn: 'Warn', require: 'Require' },
  },
  funds_wait_h: {
    group: 'Orders',
    label: 'Wait for money',
    kind: 'whole',
    unit: 'hour',
    meaning: 'How long an order waits for money.',
  },
  rate_hold_s: {
    group: 'Orders',
    label: 'Exchange rate holds',
    kind: 'whole',
    unit: 'second',
    meaning: 'How long a rate holds for an order.',
  },
  instant_timeout: {
    group: 'Orders',
    label: 'Instant payment without an answer',
    kind: 'choice',
    meaning: 'What happens to its money.',
    choices: { hold: 'The money is held', restore: 'The money goes back' },
  },
  screen_threshold: {
    group: 'Screening',
    label: 'A person looks from',
    kind: 'score',
    meaning: 'From this score on, a person looks at who resembles an entry of a list.',
  },
  block_threshold: {
    group: 'Screening',
    label: 'Freeze from',
    kind: 'score',
    meaning: 'From this score on, the bank should freeze the payment.',
  },
  lists: {
    group: 'Screening',
    label: 'Watch lists',
    kind: 'names',
    none: 'All that are active',
    meaning: 'The lists that count, by name. Commas separate them.',
  },
  screen_peps: {
    group: 'Screening',
    label: 'Politically exposed persons',
    kind: 'yes',
    meaning: 'Whether they count as hits.',
  },
  review_above: {
    group: 'Screening',
    label: 'Review above',
    kind: 'amount',
    none: 'Never',
    meaning: 'A person at the bank looks at a payment above this debit amount.',
  },
  card_fee: {
    group: 'Card money',
    label: 'Fee',
    kind: 'share',
    meaning: "The bank's share of the card money that it pays out.",
  },
  payout_delay_days: {
    group: 'Card money',
    label: 'Delay of pay-outs',
    kind: 'whole',
    unit: 'day',
    meaning: 'The days between a card payment and its pay-out.',
  },
}

export const fieldNames = Object.keys(fields) as Field[]
export const groups = [...new Set(fieldNames.map((name) => fields[name].group))]

/** `0.015` as `1.5 %`. */
export function percentOf(share: string): string {
  const [whole = '0', decimals = ''] = share.split('.')
  const digits = `${whole}${decimals.padEnd(2, '0')}`
  const at = whole.length + 2
  const left = digits.slice(0, at).replace(/^0+(?=\d)/, '')
  const right = digits.slice(at).replace(/0+$/, '')
  return `${left}${right === '' ? '' : `.${right}`} %`
}

type Value = string | number | boolean | readonly string[] | null | undefined

/** What a field says, for people. */
export function fieldWords(name: Field, value: Value): string {
  const { kind, unit = '', choices = {}, none = '' } = fields[name]
  if (value === null || value === undefined) return none
  if (kind === 'choice') return choices[String(value)] ?? String(value)
  if (kind === 'yes') return value ? 'Count as hits' : 'Do not count'
  if (kind === 'share') return percentOf(String(value))
  if (kind === 'whole') return counted(Number(value), unit)
  if (kind === 'amount') return grouped(String(value))
  return Array.isArray(value) ? value.join(', ') : String(value)
}

export type Draft = Record<Field, string>

/** A policy as people edit it: every field is a text. */
export function draftOf(policy: Policy): Draft {
  const textOf = (value: Value): string => (Array.isArray(value) ? value.join(', ') : value === null ? '' : String(value))
  return Object.fromEntries(fieldNames.map((name) => [name, textOf(policy[name])])) as Draft
}

const forms: Partial<Record<Kind, [RegExp, string]>> = {
  share: [/^0(\.\d{1,10})?$/, 'A share such as 0.015, less than 1.'],
  whole: [/^\d{1,6}$/, 'A whole number.'],
  amount: [/^(\d{1,15}(\.\d{1,10})?)?$/, 'An amount such as 10000, or nothing.'],
  score: [/^(0\.[5-9]\d{0,3}|1)$/, 'A score from 0.5 to 1.'],
}

/** How an amount, a share or a score is read; undefined for other fields. */
export const amountKinds: Partial<Record<string, AmountKind>> = {
  amount: { isZeroAllowed: true },
  share: { number: { name: 'A share', decimals: 10 }, isZeroAllowed: true, say: percentOf },
  score: { number: { name: 'A score', decimals: 4 } },
}

/** What is wrong with a text; undefined if nothing is. The service has the last word. */
export function faultOf(name: Field, text: string): string | undefined {
  const [form, fault] = forms[fields[name].kind] ?? []
  return form === undefined || form.test(text.trim()) ? undefined : fault
}

function textValue(name: Field, text: string): Value {
  const { kind } = fields[name]
  const trimmed = text.trim()
  if (kind === 'whole') return Number(trimmed)
  if (kind === 'yes') return trimmed === 'true'
  if (kind === 'amount') return trimmed === '' ? null : trimmed
  if (kind !== 'names') return trimmed
  const names = trimmed.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
  return names.length === 0 ? null : names
}

/** What has changed: only that is sent. */
export function changesOf(policy: Policy, draft: Draft, rules: readonly Rule[]): PolicyUpdate {
  const before = draftOf(policy)
  const changed = fieldNames.filter((name) => draft[name].trim() !== before[name])
  return {
    ...Object.fromEntries(changed.map((name) => [name, textValue(name, draft[name])])),
    ...(JSON.stringify(rules) !== JSON.stringify(policy.rules) && { rules: [...rules] }),
  } as PolicyUpdate
}

/** A change in words. Of a rule that is new nothing was before, and of one that goes nothing comes after. */
export type Change = { label: string; before?: string; after?: string }

/** What changes, what it was and what it becomes. */
export function changeWords(policy: Partial<Policy>, changes: PolicyUpdate): Change[] {
  const ofFields = fieldNames
    .filter((name) => name in changes)
    .map((name) => ({ label: fields[name].label, before: fieldWords(name, policy[name]), after: fieldWords(name, changes[name]) }))
  if (changes.rules === undefined) return ofFields
  const before = ((policy.rules ?? []) as Rule[]).map(ruleWords)
  const after = changes.rules.map(ruleWords)
  return [
    ...ofFields,
    ...after.filter((rule) => !before.includes(rule)).map((rule) => ({ label: 'New rule', after: rule })),
    ...before.filter((rule) => !after.includes(rule)).map((rule) => ({ label: 'Rule that goes', before: rule })),
  ]
}
