// The fields of a policy with their labels and formats. Amounts, shares and scores stay strings.
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
  /** The meaning of the field and of its choices. */
  meaning: string
  unit?: string
  choices?: Readonly<Record<string, string>>
  /** What an empty value means. */
  none?: string
}

export const fields: Readonly<Record<Field, FieldRule>> = {
  sign_above: {
    group: 'Orders',
    label: 'Signature above',
    kind: 'amount',
    none: 'Never',
    meaning: 'Transfers above this debit amount, in their own currency, need a signature.',
  },
  signer: {
    group: 'Orders',
    label: 'Signer',
    kind: 'choice',
    meaning: 'Who may sign a transfer.',
    choices: { any: 'Anyone', other: 'Anyone who did not order it', user: 'A person (not a key) who did not order it' },
  },
  payee_check: {
    group: 'Orders',
    label: 'Payee check',
    kind: 'choice',
    meaning: 'Whether the name of the payee is verified before a payment.',
    choices: { off: 'Off', warn: 'Warn', require: 'Require' },
  },
  funds_wait_h: {
    group: 'Orders',
    label: 'Wait for funds',
    kind: 'whole',
    unit: 'hour',
    meaning: 'How long a transfer waits for funds.',
  },
  rate_hold_s: {
    group: 'Orders',
    label: 'Exchange rate validity',
    kind: 'whole',
    unit: 'second',
    meaning: 'How long an exchange rate is guaranteed for a transfer.',
  },
  instant_timeout: {
    group: 'Orders',
    label: 'Unanswered instant payment',
    kind: 'choice',
    meaning: 'What happens to the money of an unanswered instant payment.',
    choices: { hold: 'Keep the money on hold', restore: 'Release the money' },
  },
  instant_screening: {
    group: 'Screening',
    label: 'Instant payments',
    kind: 'choice',
    meaning: 'What is compared during an instant payment in euro.',
    choices: { clients: 'Nothing: clients are compared every day', transactions: 'Lists outside Art. 5d' },
  },
  screen_threshold: {
    group: 'Screening',
    label: 'Review from score',
    kind: 'score',
    meaning: 'From this score on, a person reviews a name that resembles a list entry.',
  },
  block_threshold: {
    group: 'Screening',
    label: 'Freeze from score',
    kind: 'score',
    meaning: 'From this score on, a freeze of the payment is proposed.',
  },
  lists: {
    group: 'Screening',
    label: 'Watch lists',
    kind: 'names',
    none: 'All active lists',
    meaning: 'Names of the watch lists to use, separated by commas.',
  },
  screen_peps: {
    group: 'Screening',
    label: 'Politically exposed persons',
    kind: 'yes',
    meaning: 'Whether politically exposed persons count as hits.',
  },
  review_above: {
    group: 'Screening',
    label: 'Review above',
    kind: 'amount',
    none: 'Never',
    meaning: 'A person of the bank reviews payments above this debit amount.',
  },
  card_fee: {
    group: 'Card money',
    label: 'Fee',
    kind: 'share',
    meaning: 'The bank’s share of card payouts.',
  },
  payout_delay_days: {
    group: 'Card money',
    label: 'Payout delay',
    kind: 'whole',
    unit: 'day',
    meaning: 'The days between a card payment and its payout.',
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

/** The value of a field, as text. */
export function fieldWords(name: Field, value: Value): string {
  const { kind, unit = '', choices = {}, none = '' } = fields[name]
  if (value === null || value === undefined) return none
  if (kind === 'choice') return choices[String(value)] ?? String(value)
  if (kind === 'yes') return value ? 'Count as hits' : 'Ignore'
  if (kind === 'share') return percentOf(String(value))
  if (kind === 'whole') return counted(Number(value), unit)
  if (kind === 'amount') return grouped(String(value))
  return Array.isArray(value) ? value.join(', ') : String(value)
}

export type Draft = Record<Field, string>

/** A policy in a form: every field is a string. */
export function draftOf(policy: Policy): Draft {
  const textOf = (value: Value): string => (Array.isArray(value) ? value.join(', ') : value === null ? '' : String(value))
  return Object.fromEntries(fieldNames.map((name) => [name, textOf(policy[name])])) as Draft
}

const forms: Partial<Record<Kind, [RegExp, string]>> = {
  share: [/^0(\.\d{1,10})?$/, 'A share such as 0.015, less than 1.'],
  whole: [/^\d{1,6}$/, 'A whole number.'],
  amount: [/^(\d{1,15}(\.\d{1,10})?)?$/, 'An amount such as 10000, or empty.'],
  score: [/^(0\.[5-9]\d{0,3}|1)$/, 'A score from 0.5 to 1.'],
}

/** The number format of amounts, shares and scores; undefined for other fields. */
export const amountKinds: Partial<Record<string, AmountKind>> = {
  amount: { isZeroAllowed: true },
  share: { number: { name: 'A share', decimals: 10 }, isZeroAllowed: true, say: percentOf },
  score: { number: { name: 'A score', decimals: 4 } },
}

/** The error of a field; undefined if it is valid. The service has the last word. */
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

/** Only changed fields are sent. */
export function changesOf(policy: Policy, draft: Draft, rules: readonly Rule[]): PolicyUpdate {
  const before = draftOf(policy)
  const changed = fieldNames.filter((name) => draft[name].trim() !== before[name])
  return {
    ...Object.fromEntries(changed.map((name) => [name, textValue(name, draft[name])])),
    ...(JSON.stringify(rules) !== JSON.stringify(policy.rules) && { rules: [...rules] }),
  } as PolicyUpdate
}

/** A change in words. New rules have no old value, and removed rules no new one. */
export type Change = { label: string; before?: string; after?: string }

/** The changed fields with their old and new values. */
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
    ...before.filter((rule) => !after.includes(rule)).map((rule) => ({ label: 'Removed rule', before: rule })),
  ]
}
