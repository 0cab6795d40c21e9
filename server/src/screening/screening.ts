// Screening: watch lists, and the results of comparing names with them. It knows names, but not what they stand for: the folders to the
// right decide who is compared and what follows from a hit.
import type { Database, Reader } from '../platform/database/database.ts'
import { refuse } from '../values/refusals.ts'
import { getVenture } from '../ventures/ventures.ts'
import { ActiveLists } from './screening.active.ts'
import {
  type Compared,
  type Comparison,
  compareAtOnce,
  compareInstant,
  compareSubjects,
  countingLists,
  type Location,
  type Missing,
  type Party,
  type ScreenedText,
  type ScreeningPolicy,
  type Subject,
  withHits,
} from './screening.compare.ts'
import type { Details, UnverifiedSource } from './screening.entries.ts'
import { namesListed } from './screening.mentions.ts'
import { looksOf, readHolder } from './screening.names.ts'
import { beginRun, findWithoutRun, lastFullRun, selectRun, writeRunStep } from './screening.runs.ts'
import type {
  ExplainedScreening,
  HitReason,
  Screening,
  ScreeningCause,
  ScreeningHit,
  ScreeningList,
  SubjectKind,
} from './screening.schemas.ts'
import { similarity } from './screening.similarity.ts'
import {
  type ActiveList,
  countHitsOf,
  type HitRow,
  type KnownPair,
  selectActive,
  selectChangedEntry,
  selectEntryHashes,
  selectHits,
  selectHitsOf,
  selectKnownPairs,
  selectLastScreening,
  selectScreening,
  selectScreenings,
} from './screening.sql.ts'
import { decidingHits, storing } from './screening.store.ts'
import { type ListChanged, listChangedJob, provideSandboxList, watchlistApprovals } from './screening.watchlists.ts'

export type {
  Compared,
  Comparison,
  Details,
  ExplainedScreening,
  HitReason,
  HitRow,
  KnownPair,
  ListChanged,
  Location,
  Missing,
  Party,
  ScreenedText,
  Screening,
  ScreeningCause,
  ScreeningHit,
  ScreeningPolicy,
  Subject,
  SubjectKind,
  UnverifiedSource,
}
export {
  ActiveLists,
  beginRun,
  compareAtOnce,
  compareInstant,
  compareSubjects,
  countHitsOf,
  countingLists,
  decidingHits,
  findWithoutRun,
  lastFullRun,
  listChangedJob,
  looksOf,
  namesListed,
  provideSandboxList,
  selectChangedEntry,
  selectEntryHashes,
  selectHitsOf,
  selectKnownPairs,
  selectRun,
  storing,
  watchlistApprovals,
  withHits,
  writeRunStep,
}

/** The lists with their active versions, whether or not this instance has loaded them. */
export function findActiveLists(reader: Reader): Promise<ActiveList[]> {
  return reader.rows(selectActive())
}

export async function listScreenings(database: Database, venture_id: string, query: ScreeningList): Promise<Screening[]> {
  await getVenture(database, venture_id)
  return selectScreenings(database, venture_id, query)
}

/** The latest screening of a subject, with all hits that the subject has ever had; null if it has not been screened. */
export async function findExplanation(database: Database, venture_id: string, subject_id: string): Promise<ExplainedScreening | null> {
  const last = await database.first(selectLastScreening(venture_id, subject_id))
  return last === undefined ? null : { ...last, hits: await database.rows(selectHitsOf(venture_id, subject_id)) }
}

export async function getScreening(database: Database, venture_id: string, id: string): Promise<ExplainedScreening> {
  const screening = (await database.first(selectScreening(venture_id, id))) ?? refuse('screening_not_found')
  return { ...screening, hits: await database.rows(selectHits(venture_id, id)) }
}

/** The words of an account holder's name; undefined if one of them cannot be read. */
export const holderWords: (name: string) => readonly string[] | undefined = readHolder

/** How similar two words are, from 0 to 1. */
export const wordSimilarity: (first: string, second: string) => number = similarity
