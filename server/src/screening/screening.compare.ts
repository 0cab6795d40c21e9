// Compares subjects with the lists. A subject is a payment, a client or a beneficiary. It has parties, each party has a name, and each name
// is compared with every list that applies to the venture. Pairs that a person has cleared are not raised again.

import { hash } from 'node:crypto'
import { now } from '../platform/clock.ts'
import type { Reader } from '../platform/database/database.ts'
import { uuidv7 } from '../platform/ids.ts'
import type { Policy } from '../policies/policies.ts'
import type { ActiveLists } from './screening.active.ts'
import { comparableIdentifier, type Details, type EntryKind } from './screening.entries.ts'
import type { Answer, Hit, Question } from './screening.index.ts'
import { MatcherError } from './screening.matcher.ts'
import { type Reading, readings, readName } from './screening.names.ts'
import type { HitReason, Screening, ScreeningCause, ScreeningOutcome, SubjectKind } from './screening.schemas.ts'
import { algorithm } from './screening.score.ts'
import { type ActiveList, findClearedPairs, type HitRow, selectEntryHashes } from './screening.sql.ts'

/** A name that is compared. */
export type Party = {
  /** The role of the party in the subject. */
  party: string
  /** The client or account behind the name, so that clearing one does not clear another of the same name. */
  ref: string | null
  /** Null if a name is missing. */
  name: string | null
  details?: Details
}

/** A text that is searched for names of companies, vessels and aircraft. `party`: the field with the text. `ref`: who wrote it to whom. */
export type ScreenedText = { party: string; ref: string | null; text: string }

/** The country of a bank. */
export type Location = { party: string; ref: string | null; country: string }

/** What the law requires to be said of a party, and is not. */
export type Missing = { party: string; reason: HitReason }

/**
 * What decides which lists apply to a venture, and from which score on. `instant`: for an instant payment in euro, to which Art. 5d applies.
 */
export type ScreeningPolicy = Pick<Policy, 'version' | 'screen_threshold' | 'block_threshold' | 'lists' | 'screen_peps'> & {
  instant?: Policy['instant_screening']
}

export type Subject = {
  venture_id: string
  kind: SubjectKind
  id: string
  policy: ScreeningPolicy
  parties: readonly Party[]
  texts?: readonly ScreenedText[]
  locations?: readonly Location[]
  missing?: readonly Missing[]
}

export type Comparison = {
  database: Reader
  lists: Pick<ActiveLists, 'current' | 'ask'>
  /** Countries whose banks need a person's decision for every payment, as ISO 3166-1 alpha-2 codes. */
  countries: ReadonlySet<string>
}

/** `policy` and `only` determine which lists must still be active when this is stored. */
export type Compared = { screening: Screening; hits: readonly HitRow[]; policy: ScreeningPolicy; only: string | undefined }

type Request = { cause: ScreeningCause; only?: string }

/**
 * Compares all subjects, in their order. Undefined for a subject whose lists are not loaded. `only`: compares names only, with a single
 * list.
 */
export async function compareSubjects(
  comparison: Comparison,
  subjects: readonly Subject[],
  request: Request,
): Promise<(Compared | undefined)[]> {
  const found = await Promise.all(subjects.map((subject) => compareSubject(comparison, subject, request)))
  const all = found.flatMap((one) => one?.raised ?? [])
  const hashed = await withEntryHashes(comparison.database, all)
  const cleared = await clearedAmong(comparison.database, hashed)
  return found.map((one, index) =>
    one === undefined ? undefined : concluded(one, subjects[index] as Subject, request, { hashed, cleared }),
  )
}

/**
 * Compares subjects while others wait for the result, so it does not wait long for the thread and asks the database nothing. Undefined for
 * a subject that resembles an entry, whose lists are not loaded, or that takes too long: it has to be compared later, without time
 * pressure.
 */
export async function compareAtOnce(
  comparison: Comparison,
  subjects: readonly Subject[],
  request: Request,
  within_ms: number,
): Promise<(Compared | undefined)[]> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), within_ms)
  const found = await Promise.race([Promise.all(subjects.map((subject) => compareSubject(comparison, subject, request))), late.promise])
  clearTimeout(timer)
  const nothing = { hashed: new Map(), cleared: new Set<string>() }
  return subjects.map((subject, index) => {
    const one = found?.[index]
    return one === undefined || one.raised.length > 0 ? undefined : concluded(one, subject, request, nothing)
  })
}

/**
 * Compares an instant payment with the lists that Art. 5d leaves to it: none, or those outside the article. Without any, it is clear for that
 * reason. Undefined if the lists of the policy are not loaded: then clients are not compared with them either.
 */
export async function compareInstant(
  comparison: Comparison,
  given: Subject,
  instant: Policy['instant_screening'],
): Promise<Compared | undefined> {
  const { policy } = given
  const subject = { ...given, policy: { ...policy, instant } }
  const { current } = comparison.lists
  if (countingLists(current, policy).length === 0) return undefined
  if (countingLists(current, subject.policy).length > 0) return (await compareSubjects(comparison, [subject], { cause: 'processing' }))[0]
  return concluded({ lists: [], parties: [], raised: [] }, subject, { cause: 'art_5d' }, { hashed: new Map(), cleared: new Set() })
}

/** The lists that apply according to a policy. Empty if a list that the policy names is missing; then nothing passes. */
export function countingLists(
  active: readonly ActiveList[],
  { lists, screen_peps, instant }: ScreeningPolicy,
  only?: string,
): ActiveList[] {
  if (instant === 'clients') return []
  if (lists?.some((name) => !active.some((list) => list.name === name))) return []
  const counting = active.filter(
    ({ name, purpose, outside_art_5d }) =>
      (lists === null || lists.includes(name)) && (purpose === 'SANCTIONS' || screen_peps) && (instant === undefined || outside_art_5d),
  )
  return only === undefined ? counting : counting.filter(({ watchlist_id }) => watchlist_id === only)
}

/** A hit before it is known whether it has been cleared. */
type Raised = Pick<HitRow, 'venture_id' | 'party' | 'party_hash' | 'reason'> & {
  entry_hash?: string
  found?: { list: ActiveList; hit: Hit }
}

type Found = { lists: readonly ActiveList[]; parties: Screening['parties']; raised: readonly Raised[] }

async function compareSubject(comparison: Comparison, subject: Subject, { only }: Request): Promise<Found | undefined> {
  const lists = countingLists(comparison.lists.current, subject.policy, only)
  if (lists.length === 0) return undefined
  const { parties, texts = [], locations = [], missing = [] } = subject
  const threshold = Number(subject.policy.screen_threshold)
  try {
    const compared = await Promise.all([
      ...parties.map((party) => compareParty(comparison, lists, party, threshold)),
      ...texts.map((text) => compareText(comparison, lists, text, threshold)),
    ])
    const listed = locations.filter(({ country }) => comparison.countries.has(country)).map(raisedCountry)
    const apartFromNames = only === undefined ? [...listed, ...missing.map((one) => raisedMissing(subject, one))] : []
    const raised = [...compared.flatMap(({ raised }) => raised), ...apartFromNames]
    const { venture_id } = subject
    return { lists, parties: compared.flatMap(({ shown }) => shown), raised: raised.map((one) => ({ ...one, venture_id })) }
  } catch (error) {
    // A name that ends the thread is raised as unreadable. Every other failure is temporary, and nothing passes in the meantime.
    if (error instanceof MatcherError) return undefined
    throw error
  }
}

/** Every entry that resembles a name is raised: one that is left out would pass once the others have been cleared. */
const mostHits = 1_000

type Raising = Omit<Raised, 'venture_id'>
type ComparedParty = { shown: Screening['parties']; raised: Raising[] }

/** Other words lower the score of a listed name by up to 15 %, so a longer name is also compared part by part. */
const manyWords = 5

async function compareParty(comparison: Comparison, lists: readonly ActiveList[], party: Party, threshold: number): Promise<ComparedParty> {
  const { name, ref, details = {} } = party
  const hits: { list: ActiveList; hit: Hit }[] = []
  const { words, reading: whole } = readName(name ?? '')
  let reading: Reading = whole
  for (const list of lists) {
    if (name === null) break
    const question = { details, threshold, limit: mostHits }
    const answer = await ask(comparison, list, { name, ...question })
    const inside = words.length < manyWords ? [] : await findInside(comparison, list, name, question, partOfName)
    if (answer === undefined || inside === undefined) {
      // With the other lists, the name would end the thread as well.
      reading = 'none'
      break
    }
    for (const { hit } of bestOfEach([...answer.hits.map((hit) => ({ list, hit })), ...inside])) hits.push({ list, hit: named(hit, name) })
  }
  const shown = { party: party.party, name, reading, best_score: bestOf(hits) }
  const party_hash = hash('sha256', JSON.stringify([ref, ...comparedPart(name, details)]))
  const raised: Raising[] = hits.map((found) => ({ party: party.party, party_hash, reason: 'entry', found }))
  // The part of a name that could not be read may be the part that matters.
  if (reading !== 'whole') raised.push({ party: party.party, party_hash, ...unreadable })
  return { shown: [shown], raised }
}

/** The hit with the whole name as it was written, no matter which of its words were compared. */
function named({ explanation, ...hit }: Hit, name: string): Hit {
  const { inputs } = explanation
  return { ...hit, explanation: { ...explanation, inputs: { ...inputs, query: { ...inputs.query, name } } } }
}

const unreadable = { reason: 'unreadable', entry_hash: hash('sha256', 'unreadable') } as const

/** Undefined if the name has ended the thread twice. */
async function ask({ lists }: Comparison, { version_id }: ActiveList, question: Question): Promise<Answer | undefined> {
  try {
    return await lists.ask(version_id, question)
  } catch (error) {
    if (error instanceof MatcherError && error.failure === 'FAILED') return undefined
    throw error
  }
}

/**
 * What identifies the party: the words that are compared (or the name as written, if not all of it can be read), and everything that
 * adjusts the score, no matter who states it. So a cleared party stays cleared when the same facts are verified later.
 */
function comparedPart(name: string | null, { identifiers = [], unverified, ...verified }: Details): unknown[] {
  const words = name !== null && readName(name).reading === 'whole' ? readings(name) : name
  const { kind = unverified?.kind ?? null, birth_date = unverified?.birth_date ?? null } = verified
  const countries = new Set([...(verified.countries ?? []), ...(unverified?.countries ?? [])])
  return [words, kind, birth_date, [...countries].sort(), [...identifiers].sort()]
}

/** The best hit of each entry, best first. */
function bestOfEach<Found extends { list: ActiveList; hit: Hit }>(found: readonly Found[]): Found[] {
  const best = new Map<string, Found>()
  for (const one of found.toSorted((a, b) => b.hit.score - a.hit.score)) {
    const key = `${one.list.version_id} ${one.hit.entry.id}`
    if (!best.has(key)) best.set(key, one)
  }
  return [...best.values()]
}

const bestOf = (found: readonly { hit: Hit }[]): number | null =>
  found.length === 0 ? null : Math.max(...found.map(({ hit }) => hit.score))

/**
 * Names of people are too common in texts: a text that thanks a person is not a payment to that person. An entry of unknown kind may be a
 * company.
 */
const kindsInTexts: readonly EntryKind[] = ['organisation', 'vessel', 'aircraft', 'unknown']

/** How far below the threshold a name may score in a long text, because the surrounding words lower its score. */
const loweredBy = 0.85

/** A hit in part of a text. */
type Inside = { list: ActiveList; hit: Hit; name: string }

/**
 * Searches a text for names. The whole text finds the entries whose words it contains; then only the part of the text with these words is
 * compared, so that a name scores the same in a long text as alone. Undefined if the text has ended the thread twice.
 */
async function findInside(
  comparison: Comparison,
  list: ActiveList,
  text: string,
  question: Omit<Question, 'name'>,
  partOf: (text: string, hit: Hit) => string | undefined,
): Promise<Inside[] | undefined> {
  const wide = await ask(comparison, list, { ...question, name: text, threshold: question.threshold * loweredBy })
  if (wide === undefined) return undefined
  const names = new Set(wide.hits.flatMap((hit) => (hit.explanation.won === 'identifier' ? text : (partOf(text, hit) ?? []))))
  const found: Inside[] = []
  for (const name of names) {
    const answer = await ask(comparison, list, { ...question, name })
    if (answer === undefined) return undefined
    for (const hit of answer.hits) found.push({ list, hit, name })
  }
  return found
}

async function compareText(
  comparison: Comparison,
  lists: readonly ActiveList[],
  screened: ScreenedText,
  threshold: number,
): Promise<ComparedParty> {
  const { party, text } = screened
  const details = { identifiers: vesselNumbersIn(text) }
  const found: Inside[] = []
  for (const list of lists) {
    const inside = await findInside(comparison, list, text, { details, kinds: kindsInTexts, threshold, limit: mostHits }, spanOf)
    if (inside === undefined) return failedText(screened)
    found.push(...inside)
  }
  const hits = bestOfEach(found)
  const raised = hits.map(
    ({ list, hit, name }): Raising => ({ party, party_hash: textHash(screened, name), reason: 'entry', found: { list, hit } }),
  )
  // Most texts are not names, so an unreadable text is not raised.
  return { shown: [{ party, name: text, reading: readName(text).reading, best_score: bestOf(hits) }], raised }
}

/** A name is cleared in every text between the same accounts, whichever field it is in. */
const textHash = ({ ref }: ScreenedText, name: string): string => hash('sha256', JSON.stringify(['text', ref, ...comparedPart(name, {})]))

/** A text that has ended the thread twice. */
function failedText(screened: ScreenedText): ComparedParty {
  const { party, text } = screened
  return {
    shown: [{ party, name: text, reading: 'none', best_score: null }],
    raised: [{ party, party_hash: textHash(screened, text), ...unreadable }],
  }
}

/** Ships' numbers are unmistakable; other numbers in a text are invoices and dates. */
function vesselNumbersIn(text: string): string[] {
  const named = /\bI\.?M\.?O\.?\s*(?:no|nr|num|number)?[^\p{L}\p{N}]*(\d{7})(?!\d)/giu
  const numbers = [...text.normalize('NFKC').matchAll(named)].flatMap(([, number = '']) => [`IMO${number}`, number])
  return numbers.filter((number) => comparableIdentifier(number) !== undefined)
}

/** How many other words may stand between the words of a name. */
const mostAmong = 2

/** The shortest part of a text that contains all matched words, if they are close together. Scattered over a text, they are not a name. */
function spanOf(text: string, { explanation: { pairs } }: Hit): string | undefined {
  const matched = new Set(pairs.map(({ query }) => query))
  const parts = text.split(/\s+/).filter(Boolean)
  const words = parts.map((part) => readings(part).flat())
  let shortest: string[] | undefined
  for (let start = 0; start < parts.length; start++) {
    const missing = new Set(matched)
    for (let end = start; end < parts.length && end < start + matched.size + mostAmong; end++) {
      for (const word of words[end] ?? []) missing.delete(word)
      if (missing.size > 0) continue
      const span = parts.slice(start, end + 1)
      if (shortest === undefined || span.length < shortest.length) shortest = span
      break
    }
  }
  return shortest?.join(' ')
}

/** In a name, unlike in a text, words belong together however far apart they are, if the listed name begins and ends with two of them. */
function partOfName(name: string, hit: Hit): string | undefined {
  return hasBothEnds(hit) ? matchedWords(name, hit) : spanOf(name, hit)
}

function hasBothEnds({ explanation: { inputs, pairs } }: Hit): boolean {
  const { words } = inputs.listed
  return [words[0], words.at(-1)].every((end) => pairs.some(({ listed }) => listed === end?.word))
}

function matchedWords(name: string, { explanation: { pairs } }: Hit): string {
  const missing = new Set(pairs.map(({ query }) => query))
  const parts = name.split(/\s+/)
  return parts
    .filter(
      (part) =>
        readings(part)
          .flat()
          .filter((word) => missing.delete(word)).length > 0,
    )
    .join(' ')
}

function raisedCountry({ party, ref, country }: Location): Raising {
  const party_hash = hash('sha256', JSON.stringify([ref, country]))
  return { party, party_hash, reason: 'country', entry_hash: hash('sha256', `country ${country}`) }
}

/** Cleared for this subject only: the next payment may come from someone else. */
function raisedMissing({ id }: Subject, { party, reason }: Missing): Raising {
  return { party, party_hash: hash('sha256', JSON.stringify([id, reason])), reason, entry_hash: hash('sha256', `missing ${reason}`) }
}

type Hashed = ReadonlyMap<Raised, string>

/** The hash of an entry is not in the index, because only hits need it. */
async function withEntryHashes(reader: Reader, raised: readonly Raised[]): Promise<Hashed> {
  const byVersion = new Map<string, Set<string>>()
  for (const { found } of raised)
    if (found !== undefined) {
      const ids = byVersion.get(found.list.version_id) ?? new Set()
      byVersion.set(found.list.version_id, ids.add(found.hit.entry.id))
    }
  const known = new Map<string, string>()
  for (const [version_id, ids] of byVersion)
    for (const { entry_id, hash } of await reader.rows(selectEntryHashes(version_id, [...ids])))
      known.set(`${version_id} ${entry_id}`, hash)
  const hashOf = ({ entry_hash, found }: Raised) => entry_hash ?? known.get(`${found?.list.version_id} ${found?.hit.entry.id}`) ?? ''
  return new Map(raised.map((one) => [one, hashOf(one)]))
}

const nameOf = ({ venture_id, party_hash, entry_hash }: { venture_id: string; party_hash: string; entry_hash: string }) =>
  `${venture_id} ${party_hash} ${entry_hash}`

async function clearedAmong(reader: Reader, hashed: Hashed): Promise<ReadonlySet<string>> {
  if (hashed.size === 0) return new Set()
  const pairs = Array.from(hashed, ([{ venture_id, party_hash }, entry_hash]) => ({ venture_id, party_hash, entry_hash }))
  return new Set((await findClearedPairs(reader, pairs)).map(nameOf))
}

function concluded(
  { lists, parties, raised }: Found,
  { venture_id, kind, id: subject_id, policy }: Subject,
  { cause, only }: Request,
  { hashed, cleared }: { hashed: Hashed; cleared: ReadonlySet<string> },
): Compared {
  const screening_id = uuidv7()
  const hits = raised.flatMap((one): HitRow[] => {
    const entry_hash = hashed.get(one) ?? ''
    if (cleared.has(nameOf({ ...one, entry_hash }))) return []
    const { party, party_hash, reason, found } = one
    const entry =
      found === undefined
        ? { watchlist_id: null, version_id: null, entry_id: null, score: null, explanation: null }
        : {
            watchlist_id: found.list.watchlist_id,
            version_id: found.list.version_id,
            entry_id: found.hit.entry.id,
            score: found.hit.score,
            explanation: found.hit.explanation,
          }
    const undecided = { state: 'OPEN' as const, decided_by: null, decided_at: null }
    return [{ venture_id, id: uuidv7(), screening_id, party, party_hash, entry_hash, reason, ...entry, ...undecided }]
  })
  const [screen_threshold, block_threshold] = [Number(policy.screen_threshold), Number(policy.block_threshold)]
  const screening: Screening = {
    id: screening_id,
    venture_id,
    subject_kind: kind,
    subject_id,
    cause,
    parties,
    versions: lists.map(({ version_id }) => version_id).sort(),
    algorithm,
    policy_version: policy.version,
    screen_threshold,
    block_threshold,
    outcome: outcomeOf(hits, block_threshold),
    best_score: bestScore(hits),
    created_at: now().toISOString(),
  }
  return { screening, hits, policy, only }
}

function outcomeOf(hits: readonly HitRow[], block_threshold: number): ScreeningOutcome {
  if (hits.length === 0) return 'CLEAR'
  return hits.some(({ score }) => score !== null && score >= block_threshold) ? 'BLOCK' : 'HIT'
}

const bestScore = (hits: readonly HitRow[]): number | null =>
  hits.reduce<number | null>((best, { score }) => (score === null ? best : Math.max(best ?? 0, score)), null)

/** The same with only some of its hits. */
export function withHits({ screening, ...compared }: Compared, hits: readonly HitRow[]): Compared {
  const outcome = outcomeOf(hits, screening.block_threshold)
  return { ...compared, screening: { ...screening, outcome, best_score: bestScore(hits) }, hits }
}
