// The explanation of a hit in words: why a name matches an entry of a watch list.
import { countryOf } from '../../ui/countries.ts'
import { dayOf, words } from '../../ui/words.ts'

type Facts = { kind?: string; birth_dates?: readonly string[]; countries?: readonly string[] }

/** `claimed`: facts that are stated but not verified. Explanations of `vostro-names-1` do not have it. */
export type Side = Facts & {
  name: string
  /** The names that were compared. */
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

/** Unknown kinds of explanations are shown unchanged. */
export function isExplanation(value: unknown): value is Explanation {
  const { inputs, pairs, corrections } = (value ?? {}) as Partial<Explanation>
  return inputs?.query !== undefined && inputs.listed !== undefined && Array.isArray(pairs) && Array.isArray(corrections)
}

/** `0.973` as `97 %`. Only an exact match is shown as 100 %. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100)
  return `${rounded === 100 && share < 1 ? 99 : rounded} %`
}

const ways: Readonly<Record<string, string>> = {
  name: 'The words of both names were compared.',
  subset: 'This name contains every word of the listed name.',
  joined: 'The names are similar when written without spaces.',
  acronym: 'One name has the first letters of the other.',
  identifier: 'An identifier, such as a passport number, is the same.',
}

const fewestOfLong = 5

/** In a long name, the matching words may be far apart. */
function isComparedInPart({ name, words }: Side): boolean {
  const written = name.split(/\s+/).filter(Boolean).length
  return written >= fewestOfLong && words !== undefined && words.length < written
}

export function wayWords({ won, inputs }: Explanation): string {
  const part = isComparedInPart(inputs.query) ? ' Only some words of the long name were compared.' : ''
  return `${ways[won] ?? words(won)}${part}`
}

const reasons: Readonly<Record<string, string>> = {
  birth_year_differs: 'Different year of birth',
  birth_date_equal: 'Same date of birth',
  country_differs: 'Different country',
  country_common: 'A country in common',
  kind_differs: 'A person and a company',
}

/** The source of a fact. */
const sources: Readonly<Record<string, string>> = {
  verified: 'verified',
  venture: 'stated by the venture',
  other_bank: 'stated by the other bank',
  bank: 'stated in the bank’s order',
}

const sourceWords = (from: string): string => sources[from] ?? words(from)

export function correctionWords({ reason, change, from }: Explanation['corrections'][number]): string {
  const points = Math.round(Math.abs(change) * 100)
  const source = from === undefined ? '' : ` (${sourceWords(from)})`
  return `${reasons[reason] ?? words(reason)}: ${change < 0 ? '−' : '+'}${points} %${source}`
}

/** The facts of one side, with their source in small print. */
type Known = { text: string; source: string }

type Row = { label: string; query: readonly Known[]; listed: string; verdict: string; tone: 'bad' | 'good' | 'quiet' }

const joined = (values: readonly string[] | undefined): string => values?.join(', ') ?? ''

/** Lists often have only a year. */
const bornOn = ({ birth_dates }: Facts): string => joined(birth_dates?.map((date) => (date.length === 10 ? dayOf(date) : date)))

const kindOf = ({ kind = 'unknown' }: Facts): string => (kind === 'unknown' ? '' : words(kind))

const countriesOf = ({ countries }: Facts): string => joined(countries?.map(countryOf))

const numbersOf = ({ identifiers }: Side): string => joined(identifiers)

/** Both sides without the names: what is known, its source, and whether it speaks for or against a match. */
export function sidesOf({ inputs: { query, listed }, corrections, won }: Explanation): Row[] {
  const found = new Set(corrections.map(({ reason }) => reason))
  const { claimed } = query
  const knownBy = (factOf: (facts: Facts) => string): Known[] => {
    // Older explanations do not record sources, and count as verified.
    const own = { text: factOf(query), source: claimed === undefined ? '' : sourceWords('verified') }
    const said = claimed ? { text: factOf(claimed), source: sourceWords(claimed.by) } : { text: '', source: '' }
    return [own, said].filter(({ text }) => text !== '')
  }
  const verdictOf = (same: string, different: string, known: readonly Known[], other: string): Pick<Row, 'verdict' | 'tone'> => {
    if (known.length === 0 || other === '') return { verdict: 'Unknown', tone: 'quiet' }
    if (found.has(same)) return { verdict: 'Same', tone: 'bad' }
    if (found.has(different)) return { verdict: 'Different', tone: 'good' }
    const isClaimed = claimed && known.every(({ source }) => source === sourceWords(claimed.by))
    return { verdict: isClaimed ? 'Unverified: ignored' : 'Ignored', tone: 'quiet' }
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
  return { verdict: query === '' || listed === '' ? 'Unknown' : 'Ignored', tone: 'quiet' }
}
