// What a watch list contains, in whichever format it arrived.

export const entryKinds = ['person', 'organisation', 'vessel', 'aircraft', 'unknown'] as const
export type EntryKind = (typeof entryKinds)[number]

/** `weak`: the publisher marks the alias as low quality, such as a nickname. */
export type ListedName = { name: string; weak: boolean }

/** The primary name comes first. Dates are ISO dates, shortened if only the month or the year is known. */
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

/** Who states unverified facts about a party. `bank`: the bank, in one of its own orders. */
export const unverifiedSources = ['venture', 'other_bank', 'bank'] as const
export type UnverifiedSource = (typeof unverifiedSources)[number]

type Known = { kind?: EntryKind; birth_date?: string; countries?: readonly string[] }

/**
 * What is known about a name besides the name itself. Unverified facts may raise a score but never lower it, because only the other facts
 * are verified.
 */
export type Details = Known & { identifiers?: readonly string[]; unverified?: Known & { by: UnverifiedSource } }

/** A shorter number is too likely to belong to another person. */
const shortestIdentifier = 5

/** Document numbers are compared without spaces and punctuation. Undefined if nothing comparable is left. */
export function comparableIdentifier(identifier: string): string | undefined {
  const bare = identifier.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
  return bare.length >= shortestIdentifier && /\p{N}/u.test(bare) ? bare : undefined
}
