// What a watch list contains, whichever format it came in.

export const entryKinds = ['person', 'organisation', 'vessel', 'aircraft', 'unknown'] as const
export type EntryKind = (typeof entryKinds)[number]

/** `weak`: the publisher says that the alias is of low quality, such as a nickname. */
export type ListedName = { name: string; weak: boolean }

/** The primary name comes first. Dates are ISO dates; one of which only the month or the year is known is cut there. */
export type Entry = {
  id: string
  kind: EntryKind
  topics: readonly string[]
  names: readonly ListedName[]
  birth_dates: readonly string[]
  /** ISO 3166-1 alpha-2, in upper case. */
  countries: readonly string[]
  identifiers: readonly string[]
}

/** Who says something about a party that nobody has verified. `bank`: in an order of the bank's own. */
export const claimants = ['venture', 'other_bank', 'bank'] as const
export type Claimant = (typeof claimants)[number]

type Known = { kind?: EntryKind; birth_date?: string; countries?: readonly string[] }

/** What is known about a name besides the name. What is claimed may raise a score, and never lowers it: only the other facts are verified. */
export type Details = Known & { identifiers?: readonly string[]; claimed?: Known & { by: Claimant } }

/** Shorter numbers are too likely to be somebody else's. */
const shortestIdentifier = 5

/** Numbers of documents are compared without spaces and punctuation. Undefined if nothing comparable is left. */
export function comparableIdentifier(identifier: string): string | undefined {
  const bare = identifier.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
  return bare.length >= shortestIdentifier && /\p{N}/u.test(bare) ? bare : undefined
}
