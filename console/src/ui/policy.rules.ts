// The rules of a policy, which send payments to review.
import type { PolicyUpdate } from '@vostro/sdk'
import { countryOf } from './countries.ts'
import { counted, grouped } from './words.ts'

export type Rule = NonNullable<PolicyUpdate['rules']>[number]
export type RuleKind = Rule['kind']

const says: { [K in RuleKind]: (rule: Extract<Rule, { kind: K }>) => string } = {
  amount: ({ above }) => `A payment above ${grouped(above)}.`,
  sum: ({ above, days }) => `Payments totalling more than ${grouped(above)} within ${counted(days, 'day')}.`,
  count: ({ above, days }) => `More than ${counted(above, 'payment')} within ${counted(days, 'day')}.`,
  new_payee: ({ above }) => `A payment above ${grouped(above)} to a new payee account.`,
  expected_volume: () => 'Monthly volume above the onboarding details.',
  country: ({ countries }) => `The other party, its account or its bank is in ${countries.map(countryOf).join(' or ')}.`,
  just_below: ({ threshold, share, count, days }) =>
    `${counted(count, 'payment')} within ${counted(days, 'day')} , each just below ${grouped(threshold)} (within ${share} of it).`,
}

export function ruleWords(rule: Rule): string {
  return (says[rule.kind] as (rule: Rule) => string)(rule)
}

export const ruleKinds: Readonly<Record<RuleKind, string>> = {
  amount: 'Amount of a payment',
  sum: 'Sum over several days',
  count: 'Number of payments',
  new_payee: 'New payee',
  expected_volume: 'Expected volume',
  country: 'Country',
  just_below: 'Just below a threshold',
}

/** An input of a rule. */
export type RuleField = { name: string; label: string; kind: 'amount' | 'whole' | 'share' | 'countries' }

const days: RuleField = { name: 'days', label: 'Days', kind: 'whole' }

export const ruleFields: Readonly<Record<RuleKind, readonly RuleField[]>> = {
  amount: [{ name: 'above', label: 'Above', kind: 'amount' }],
  sum: [{ name: 'above', label: 'Above', kind: 'amount' }, days],
  count: [{ name: 'above', label: 'More than', kind: 'whole' }, days],
  new_payee: [{ name: 'above', label: 'Above', kind: 'amount' }],
  expected_volume: [],
  country: [{ name: 'countries', label: 'Countries (three letters)', kind: 'countries' }],
  just_below: [
    { name: 'threshold', label: 'Threshold', kind: 'amount' },
    { name: 'share', label: 'Share below', kind: 'share' },
    { name: 'count', label: 'Payments', kind: 'whole' },
    days,
  ],
}

const forms: Readonly<Record<RuleField['kind'], RegExp>> = {
  amount: /^\d{1,15}(\.\d{1,10})?$/,
  whole: /^[1-9]\d{0,5}$/,
  share: /^0(\.\d{1,10})?$/,
  countries: /^[A-Z]{3}([\s,]+[A-Z]{3})*$/,
}

/** The rule in the form; undefined while a field is missing or invalid. */
export function ruleOf(kind: RuleKind, texts: Readonly<Record<string, string>>): Rule | undefined {
  const entries = ruleFields[kind].map(({ name, kind: form }): [string, unknown] | undefined => {
    const text = (texts[name] ?? '').trim().toUpperCase()
    if (!forms[form].test(text)) return undefined
    if (form === 'countries') return [name, text.split(/[\s,]+/)]
    return [name, form === 'whole' ? Number(text) : text]
  })
  if (entries.includes(undefined)) return undefined
  return { kind, ...Object.fromEntries(entries as [string, unknown][]) } as Rule
}
