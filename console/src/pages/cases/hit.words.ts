// Why a name is taken for an entry of a watch list: what the explanation of a hit says, in words.
import { countryOf } from '../../ui/countries.ts'
import { dayOf, words } from '../../ui/words.ts'

type Facts = { kind?: string; birth_dates?: readonly string[]; countries?: readonly string[] }

/** `claimed`: what somebody says and nobody has verified. Explanations of `vostro-names-1` do not have it. */
export type Side = Facts & {
  name: string
  /** Those that were compared. */
  words?: readonly unknown[]
  identifiers?: readonly string[]
  claimed?: (Facts & { by: string }) | null
}

export type Pair = { query: string; listed: string; similarity: number }

export type Explanation = {
  inputs: { query: Side; listed: Side & { weak?: boolean } }
  pairs: readonly Pair[]
  won: string
  corrections: readonly { reason: string; change: number; from?: string }[]
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

const fewestOfLong = 5

/** In a long name, the words that match may stand far apart. */
function isComparedInPart({ name, words }: Side): boolean {
  const written = name.split(/\s+/).filter(Boolean).length
  return written >= fewestOfLong && words !== undefined && words.length < written
}

export function wayWords({ won, inputs }: Explanation): string {
  const part = isComparedInPart(inputs.query) ? ' Only some words of the long name were compared.' : ''
  return `${ways[won] ?? words(won)}${part}`
}

const reasons: Readonly<Record<string, string>> = {
  birth_year_differs: 'Another year of birth',
  birth_date_equal: 'The same date of birth',
  country_differs: 'Another country',
  country_common: 'A country in common',
  kind_differs: 'A person and a company',
}

/** Who knows a fact, or only says it. */
const sources: Readonly<Record<string, string>> = {
  verified: 'verified',
  venture: 'the venture says so',
  other_bank: 'the other bank says so',
  bank: 'the order of the bank says so',
}

const sourceWords = (from: string): string => sources[from] ?? words(from)

export function correctionWords({ reason, change, from }: Explanation['corrections'][number]): string {
  const points = Math.round(Math.abs(change) * 100)
  const source = from === undefined ? '' : ` (${sourceWords(from)})`
  return `${reasons[reason] ?? words(reason)}: ${change < 0 ? '−' : '+'}${points} %${source}`
}

/** What is known of one side, and in small letters from whom. */
type Known = { text: string; source: string }

type Row = { label: string; query: readonly Known[]; listed: string; verdict: string; tone: 'bad' | 'good' | 'quiet' }

const joined = (values: readonly string[] | undefined): string => values?.join(', ') ?? ''

/** Lists often know no more than a year. */
const bornOn = ({ birth_dates }: Facts): string => joined(birth_dates?.map((date) => (date.length === 10 ? dayOf(date) : date)))

const kindOf = ({ kind = 'unknown' }: Facts): string => (kind === 'unknown' ? '' : words(kind))

const countriesOf = ({ countries }: Facts): string => joined(countries?.map(countryOf))

const numbersOf = ({ identifiers }: Side): string => joined(identifiers)

/** The two side by side, except for the names: what is known about them and from whom, and whether it speaks for or against. */
export function sidesOf({ inputs: { query, listed }, corrections, won }: Explanation): Row[] {
  const found = new Set(corrections.map(({ reason }) => reason))
  const { claimed } = query
  const knownBy = (factOf: (facts: Facts) => string): Known[] => {
    // Before it was kept who says what, everything counted as verified.
    const own = { text: factOf(query), source: claimed === undefined ? '' : sourceWords('verified') }
    const said = claimed ? { text: factOf(claimed), source: sourceWords(claimed.by) } : { text: '', source: '' }
    return [own, said].filter(({ text }) => text !== '')
  }
  const verdictOf = (same: string, different: string, known: readonly Known[], other: string): Pick<Row, 'verdict' | 'tone'> => {
    if (known.length === 0 || other === '') return { verdict: 'Not known', tone: 'quiet' }
    if (found.has(same)) return { verdict: 'Same', tone: 'bad' }
    if (found.has(different)) return { verdict: 'Different', tone: 'good' }
    const isClaimed = claimed && known.every(({ source }) => source === sourceWords(claimed.by))
    return { verdict: isClaimed ? 'Not verified: does not count' : 'Does not count', tone: 'quiet' }
  }
  const rowOf = (label: string, factOf: (facts: Facts) => string, same: string, different: string): Row => {
    const [known, other] = [knownBy(factOf), factOf(listed)]
    return { label, query: known, listed: other, ...verdictOf(same, different, known, other) }
  }
  const kind = rowOf('Kind', kindOf, '', 'kind_differs')
  const isSameKind = kind.query.some(({ text }) => text === kind.listed)
  const numbers = numbersOf(query)
  const rows: Row[] = [
    { ...kind, ...(isSameKind && { verdict: 'Same', tone: 'quiet' as const }) },
    rowOf('Born', bornOn, 'birth_date_equal', 'birth_year_differs'),
    rowOf('Countries', countriesOf, 'country_common', 'country_differs'),
    {
      label: 'Numbers',
      query: numbers === '' ? [] : [{ text: numbers, source: '' }],
      listed: numbersOf(listed),
      ...(won === 'identifier' ? ({ verdict: 'Same', tone: 'bad' } as const) : numbersVerdict(numbers, numbersOf(listed))),
    },
  ]
  return rows.filter(({ query: known, listed: other }) => known.length > 0 || other !== '')
}

function numbersVerdict(query: string, listed: string): Pick<Row, 'verdict' | 'tone'> {
  return { verdict: query === '' || listed === '' ? 'Not known' : 'Does not count', tone: 'quiet' }
}
