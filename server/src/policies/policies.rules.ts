// The rules of transaction monitoring. One record defines each kind: what it needs to know, when it fires, and which of its values make no
// sense. A kind that is added to the schema does not compile until it has a complete entry here. Plain data in, figures out.
import { addDays, addTargetDays } from '../values/calendar.ts'
import { fromNumeric, type Money, shareOf, toNumeric } from '../values/money.ts'
import type { Rule } from './policies.schemas.ts'

/** What a rule looks at in addition to the payment itself. Nothing else is looked up. */
export const needs = ['days', 'payee', 'expected', 'similar'] as const
export type Need = (typeof needs)[number]

/** A payment, and what the client has paid or received before, in the currency of the account. */
export type Seen = {
  direction: 'INBOUND' | 'OUTBOUND'
  amount: Money
  currency: string
  today: string
  /** The day on which the payment settles. It is in the past if the payment has waited, for money or because it was held. */
  settles: string
  /** The countries of the other party, its account and its bank, as alpha-3 codes. */
  countries: readonly string[]
  /** What the client's accounts have paid or received in this direction, by settlement day, including this payment. */
  days: readonly { day: string; payments: number; amount: Money }[]
  /** Whether the client has paid to the same account before. */
  paid_before: boolean
  /** What the client has declared to pay or receive in a month; null if nothing was declared, or no limit. */
  expected: Money | null
  /** Payments of about the same amount, including this one. */
  similar: readonly { day: string; amount: Money }[]
}

/** What a rule has found, shown to the person who decides. */
export type Figures = Readonly<Record<string, string | number>>

type RuleOf<Kind extends Rule['kind']> = Extract<Rule, { kind: Kind }>

type RuleKind<One extends Rule> = {
  needs: readonly Need[]
  /** Returns the figures if the rule fires. */
  find(rule: One, seen: Seen): Figures | undefined
  /** What makes no sense in a well-formed rule: a field, and the end of a sentence about it. */
  fault(rule: One): readonly [field: string, message: string] | undefined
}

/** The longest lead time of a rail, in TARGET days: what is ordered today settles within it. */
const lead_days = 2
const month_days = 30

/** PostgreSQL has no year zero. */
const firstDay = '0001-01-01'

/**
 * The days that a rule looks at: this many up to today, and those on which today's orders settle. For a late payment: this many up to its
 * original settlement day, and all days since, so that several payments cannot escape the rules by waiting.
 */
export function windowOf(today: string, days: number, settles = today): { from: string; until: string } {
  const from = addDays(settles < today ? settles : today, 1 - days)
  return { from: from < firstDay ? firstDay : from, until: addTargetDays(today, lead_days) }
}

/** The days that each rule adds up or counts; one for a rule that looks at nothing but the payment. */
export const daysOf = (rule: Rule): number => ('days' in rule ? rule.days : rule.kind === 'expected_volume' ? month_days : 1)

function total({ days, today, settles }: Seen, length: number): { payments: number; amount: Money } {
  const { from, until } = windowOf(today, length, settles)
  const within = days.filter(({ day }) => day >= from && day <= until)
  return {
    payments: within.reduce((sum, { payments }) => sum + payments, 0),
    amount: within.reduce((sum, { amount }) => sum + amount, 0n),
  }
}

/** Amounts that count as just below a threshold: at most the threshold, and below it by at most the given share. */
export function bandOf({ threshold, share }: RuleOf<'just_below'>, currency: string): { least: Money; most: Money } {
  const most = fromNumeric(threshold)
  return { least: most - shareOf(most, share, currency), most }
}

const isZero = (text: string): boolean => Number(text) === 0
const aboveZero = (field: string, text: string) => (isZero(text) ? ([field, 'must be greater than zero'] as const) : undefined)
const noFault = () => undefined

export const ruleKinds: { readonly [Kind in Rule['kind']]: RuleKind<RuleOf<Kind>> } = {
  amount: {
    needs: [],
    find: ({ above }, { amount }) => (amount > fromNumeric(above) ? { amount: toNumeric(amount) } : undefined),
    fault: noFault,
  },
  sum: {
    needs: ['days'],
    find({ above, days }, seen) {
      const { payments, amount } = total(seen, days)
      return amount > fromNumeric(above) ? { sum: toNumeric(amount), payments } : undefined
    },
    fault: ({ above }) => aboveZero('above', above),
  },
  count: {
    needs: ['days'],
    find({ above, days }, seen) {
      const { payments, amount } = total(seen, days)
      return payments > above ? { payments, sum: toNumeric(amount) } : undefined
    },
    fault: noFault,
  },
  new_payee: {
    needs: ['payee'],
    find: ({ above }, { direction, amount, paid_before }) =>
      direction === 'OUTBOUND' && !paid_before && amount > fromNumeric(above) ? { amount: toNumeric(amount) } : undefined,
    fault: noFault,
  },
  expected_volume: {
    needs: ['days', 'expected'],
    find(_rule, seen) {
      const { payments, amount } = total(seen, month_days)
      const { expected } = seen
      return expected !== null && amount > expected
        ? { sum: toNumeric(amount), payments, expected: toNumeric(expected), days: month_days }
        : undefined
    },
    fault: noFault,
  },
  country: {
    needs: [],
    find({ countries }, seen) {
      const found = seen.countries.filter((country) => countries.includes(country))
      return found.length > 0 ? { countries: found.join(', ') } : undefined
    },
    fault: ({ countries }) => (new Set(countries).size < countries.length ? ['countries', 'must not name a country twice'] : undefined),
  },
  just_below: {
    needs: ['similar'],
    find(rule, { amount, currency, today, settles, similar }) {
      const { least, most } = bandOf(rule, currency)
      if (amount < least || amount > most) return undefined
      const { from, until } = windowOf(today, rule.days, settles)
      const found = similar.filter((one) => one.day >= from && one.day <= until && one.amount >= least && one.amount <= most)
      return found.length >= rule.count ? { payments: found.length, least: toNumeric(least), most: toNumeric(most) } : undefined
    },
    fault: ({ threshold, share }) => aboveZero('threshold', threshold) ?? aboveZero('share', share),
  },
}

// The compiler cannot see that a rule and the entry of its kind belong together.
type AnyKind = RuleKind<never>
const kindOf = (rule: Rule): AnyKind => ruleKinds[rule.kind] as AnyKind

/** A rule that has fired, with its figures. */
export type Alert = { rule: Rule; figures: Figures }

export function findAlerts(rules: readonly Rule[], seen: Seen): Alert[] {
  return rules.flatMap((rule) => {
    const figures = kindOf(rule).find(rule as never, seen)
    return figures === undefined ? [] : [{ rule, figures }]
  })
}

export function needsOf(rules: readonly Rule[]): ReadonlySet<Need> {
  return new Set(rules.flatMap((rule) => kindOf(rule).needs))
}

/** Everything in the rules that makes no sense, by field of the policy. */
export function faultsOf(rules: readonly Rule[]): { field: string; message: string }[] {
  const known = new Set<string>()
  return rules.flatMap((rule, index) => {
    const [field, message] = kindOf(rule).fault(rule as never) ?? []
    if (field !== undefined && message !== undefined) return [{ field: `rules.${index}.${field}`, message }]
    const text = JSON.stringify(Object.entries(rule).sort())
    if (known.has(text)) return [{ field: `rules.${index}`, message: 'is the same as an earlier rule' }]
    known.add(text)
    return []
  })
}
