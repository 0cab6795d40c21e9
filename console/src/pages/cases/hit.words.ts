// Why a name is taken for an entry of a watch list: what the explanation of a hit says, in words.
import { countryOf } from '../../ui/countries.ts'
import { dayOf, words } from '../../ui/words.ts'

export type Side = {
  name: string
  kind?: string
  birth_dates?: readonly string[]
  countries?: readonly string[]
  identifiers?: readonly string[]
}

export type Pair = { query: string; listed: string; similarity: number }

export type Explanation = {
  inputs: { query: Side; listed: Side & { weak?: boolean } }
  pairs: readonly Pair[]
  won: string
  corrections: readonly { reason: string; change: number }[]
  score: number
}

/** Explanations of another kind are shown as they are. */
export function isExplanation(value: unknown): value is Explanation {
  const { inputs, pairs, corrections } = (value ?? {}) as Partial<Explanation>
  return inputs?.query !== undefined && inputs.listed !== undefined && Array.isArray(pairs) && Array.isArray(corrections)
}

/** `0.973` as `97 %`. Less than all is never shown as all of it. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100)
  return `${rounded === 100 && share < 1 ? 99 : rounded} %`
}

const ways: Readonly<Record<string, string>> = {
  name: 'The words of both names were compared.',
  subset: 'Every word of the listed name is in this one.',
  joined: 'The names are alike when they are written together.',
  identifier: 'A number, such as that of a passport, is the same.',
}

export const wayWords = (won: string): string => ways[won] ?? words(won)

const reasons: Readonly<Record<string, string>> = {
  birth_year_differs: 'Another year of birth',
  birth_date_equal: 'The same date of birth',
  country_differs: 'Another country',
  country_common: 'A country in common',
  kind_differs: 'A person and a company',
}

export function correctionWords({ reason, change }: { reason: string; change: number }): string {
  const points = Math.round(Math.abs(change) * 100)
  return `${reasons[reason] ?? words(reason)}: ${change < 0 ? '−' : '+'}${points} %`
}

type Row = { label: string; query: string; listed: string; verdict: string; tone: 'bad' | 'good' | 'quiet' }

const joined = (values: readonly string[] | undefined): string => values?.join(', ') ?? ''

/** Lists often know no more than a year. */
const bornOn = (dates: readonly string[] | undefined): string => joined(dates?.map((date) => (date.length === 10 ? dayOf(date) : date)))

/** The two side by side, except for the names: what is known about them, and whether it speaks for or against. */
export function sidesOf({ inputs: { query, listed }, corrections }: Explanation): Row[] {
  const found = new Set(corrections.map(({ reason }) => reason))
  const verdictOf = (same: string, different: string, a: string, b: string): Pick<Row, 'verdict' | 'tone'> => {
    if (a === '' || b === '') return { verdict: 'Not known', tone: 'quiet' }
    if (found.has(same)) return { verdict: 'Same', tone: 'bad' }
    return found.has(different) ? { verdict: 'Different', tone: 'good' } : { verdict: 'Does not count', tone: 'quiet' }
  }
  const rowOf = (label: string, a: string, b: string, same: string, different: string): Row => ({
    ...{ label, query: a, listed: b },
    ...verdictOf(same, different, a, b),
  })
  const kinds = [words(query.kind ?? ''), words(listed.kind ?? '')] as const
  const sameKind = kinds[0] !== '' && kinds[0] === kinds[1]
  const rows = [
    { ...rowOf('Kind', ...kinds, '', 'kind_differs'), ...(sameKind && { verdict: 'Same', tone: 'quiet' as const }) },
    rowOf('Born', bornOn(query.birth_dates), bornOn(listed.birth_dates), 'birth_date_equal', 'birth_year_differs'),
    rowOf(
      'Countries',
      joined(query.countries?.map(countryOf)),
      joined(listed.countries?.map(countryOf)),
      'country_common',
      'country_differs',
    ),
    rowOf('Numbers', joined(query.identifiers), joined(listed.identifiers), '', ''),
  ]
  return rows.filter(({ query: a, listed: b }) => a !== '' || b !== '')
}
