// Collects the entries of a list file from records that each contain part of an entry, and refuses what cannot be an entry.
import type { Entry, EntryKind, ListedName } from '../screening.entries.ts'
import { countryOf } from './screening.countries.ts'
import { dateOf } from './screening.dates.ts'
import type { RefuseAt } from './screening.refusal.ts'
import { directionMark } from './screening.text.ts'

type Parts = { line: number; kind: EntryKind; primary: string[] } & Record<
  'topics' | 'aliases' | 'weak' | 'birth_dates' | 'countries' | 'identifiers',
  Set<string>
>

/** No published id or name is nearly this long. In a broken file, one may swallow the rest of the file. */
const longestId = 255
const longestName = 1_000

export class Collector {
  readonly #refuseAt: RefuseAt
  readonly #parts = new Map<string, Parts>()
  readonly #unknownCountries = new Set<string>()

  constructor(refuseAt: RefuseAt) {
    this.#refuseAt = refuseAt
  }

  /** Begins an entry. Each id stands for one entry. */
  begin(id: string, line: number, kind: EntryKind): EntryParts {
    if (id === '') return this.#refuseAt(line, 'the entry has no id')
    if (id.length > longestId) return this.#refuseAt(line, `the id ${id.slice(0, 20)}… has more than ${longestId} characters`)
    const before = this.#parts.get(id)
    if (before !== undefined) return this.#refuseAt(line, `the id ${id} is already used in line ${before.line}`)
    const sets = { topics: new Set<string>(), aliases: new Set<string>(), weak: new Set<string>(), birth_dates: new Set<string>() }
    const parts: Parts = { line, kind, primary: [], ...sets, countries: new Set(), identifiers: new Set() }
    this.#parts.set(id, parts)
    return new EntryParts(parts, this.#unknownCountries)
  }

  /** An entry that has already begun. */
  find(id: string): EntryParts | undefined {
    const parts = this.#parts.get(id)
    return parts === undefined ? undefined : new EntryParts(parts, this.#unknownCountries)
  }

  end(): Imported {
    if (this.#parts.size === 0) return this.#refuseAt(undefined, 'the file contains no entries')
    const entries = Array.from(this.#parts, ([id, parts]): Entry => {
      const { line, kind, primary, topics, aliases, weak, birth_dates, countries, identifiers } = parts
      if (primary.length === 0) return this.#refuseAt(line, `the entry ${id} has no name`)
      const strong = new Set([...primary, ...aliases])
      const names: ListedName[] = Array.from(strong, (name) => ({ name, weak: false }))
      for (const name of weak) if (!strong.has(name)) names.push({ name, weak: true })
      // XML can write the mark as a number.
      const mark = /\p{Bidi_Control}/u.exec(names.map(({ name }) => name).join(' '))
      if (mark !== null) return this.#refuseAt(line, directionMark(mark[0]))
      if (names.some(({ name }) => name.length > longestName))
        return this.#refuseAt(line, `a name of the entry ${id} has more than ${longestName} characters`)
      const facts = { birth_dates: [...birth_dates], countries: [...countries], identifiers: [...identifiers] }
      return { id, kind, topics: [...topics], names, ...facts }
    })
    return { entries, unknown_countries: [...this.#unknownCountries].sort() }
  }
}

/** `unknown_countries`: names of countries in the file that have no code. The entries omit them. */
export type Imported = { entries: readonly Entry[]; unknown_countries: readonly string[] }

/** What the records say about one entry. Empty texts are ignored. */
export class EntryParts {
  readonly #parts: Parts
  readonly #unknownCountries: Set<string>

  constructor(parts: Parts, unknownCountries: Set<string>) {
    this.#parts = parts
    this.#unknownCountries = unknownCountries
  }

  get kind(): EntryKind {
    return this.#parts.kind
  }

  primary(name: string): void {
    const clean = cleaned(name)
    if (clean !== '') this.#parts.primary.push(clean)
  }

  alias(name: string, { weak = false } = {}): void {
    this.#add(weak ? 'weak' : 'aliases', name)
  }

  topic(topic: string): void {
    this.#add('topics', topic)
  }

  identifier(identifier: string): void {
    this.#add('identifiers', identifier)
  }

  /** A date in any of the forms that the lists use. Anything else is ignored, because a birth date only adjusts a score. */
  birthDate(text: string): void {
    const date = dateOf(text)
    if (date !== undefined) this.#parts.birth_dates.add(date)
  }

  /** A code or an English name. */
  country(text: string): void {
    const clean = cleaned(text)
    if (clean === '') return
    const code = countryOf(clean)
    if (code === undefined) this.#unknownCountries.add(clean)
    else this.#parts.countries.add(code)
  }

  #add(part: 'topics' | 'aliases' | 'weak' | 'identifiers', text: string): void {
    const clean = cleaned(text)
    if (clean !== '') this.#parts[part].add(clean)
  }
}

function cleaned(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
