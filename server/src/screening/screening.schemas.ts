// The schemas of watch lists and screenings in requests and responses. All of them are the bank's.
import { type Static, Type } from 'typebox'
import { actorKinds } from '../platform/actor.ts'
import { Body, Choice, Formed, Id, Nullable, Paging, Query, Resource, Timestamp } from '../platform/http/schemas.ts'
import { listFormats } from './lists/screening.formats.ts'

export const listPurposes = ['SANCTIONS', 'PEPS'] as const

const purpose = {
  description: '`PEPS`: politically exposed persons, who count only for ventures whose policy has `screen_peps`. Default: `SANCTIONS`.',
}

export const Watchlist = Resource('Watchlist', {
  id: Id,
  name: Type.String({ description: 'The name by which policies choose the list.' }),
  format: Choice(listFormats),
  purpose: Choice(listPurposes, purpose),
  active_version_id: Nullable(
    Type.String({ format: 'uuid', description: 'The version that is compared with; null until one is activated.' }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Watchlist = Static<typeof Watchlist>

export const NewWatchlist = Body('NewWatchlist', {
  name: Formed(
    '^[a-z0-9][a-z0-9_-]{0,63}$',
    'must have 1 to 64 lower-case letters, digits, hyphens and underscores, and begin with a letter or a digit',
  ),
  format: Choice(listFormats, { description: 'In which format all versions of the list are.' }),
  purpose: Type.Optional(Choice(listPurposes, purpose)),
})
export type NewWatchlist = Static<typeof NewWatchlist>

export const VersionColumns = Type.Object({
  id: Id,
  watchlist_id: Id,
  sha256: Type.String({ description: 'Of the files of the publication.' }),
  entries: Type.Integer(),
  names: Type.Integer({ description: 'How many names and aliases the entries have.' }),
  unknown_countries: Type.Array(Type.String(), { description: 'Names of countries without a code, which were left out of the entries.' }),
  imported_at: Timestamp,
  imported_by: Choice(actorKinds),
  imported_by_id: Nullable(Id),
  activated_at: Nullable(Type.String({ format: 'date-time', description: 'When the version was activated last.' })),
  replaced_at: Nullable(Type.String({ format: 'date-time', description: 'When another version replaced it last.' })),
  deleted_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When its entries were deleted, long after it was needed. It cannot be activated again.',
    }),
  ),
})

export const WatchlistVersion = Resource('WatchlistVersion', {
  ...VersionColumns.properties,
  active: Type.Boolean({ description: 'Whether names are compared with this version.' }),
})
export type WatchlistVersion = Static<typeof WatchlistVersion>

export const Activation = Body('WatchlistActivation', {
  force: Type.Optional(
    Type.Boolean({ description: 'Activates the version although it has at least 20 % fewer entries or names than the active one.' }),
  ),
})
export type Activation = Static<typeof Activation>

export const VersionList = Query({ ...Paging })
export type VersionList = Static<typeof VersionList>

export const subjectKinds = ['transfer', 'client', 'beneficiary'] as const
export type SubjectKind = (typeof subjectKinds)[number]

export const screeningOutcomes = ['CLEAR', 'HIT', 'BLOCK'] as const
export type ScreeningOutcome = (typeof screeningOutcomes)[number]

/** processing: a payment on its way. created, changed: a client or a beneficiary. list: a new version. nightly: all are compared again from time to time. */
export const screeningCauses = ['processing', 'created', 'changed', 'list', 'nightly'] as const
export type ScreeningCause = (typeof screeningCauses)[number]

export const hitReasons = ['entry', 'unreadable', 'country'] as const
export const hitStates = ['OPEN', 'CLEARED', 'CONFIRMED'] as const

const Score = Nullable(Type.Number())

const ScreenedParty = Type.Object({
  party: Type.String({ description: 'Which part of the subject: `creditor`, `text`, …' }),
  name: Nullable(Type.String()),
  reading: Choice(['whole', 'part', 'none'], { description: 'Whether the name could be read.' }),
  best_score: Score,
})
export type ScreenedParty = Static<typeof ScreenedParty>

export const ScreeningHit = Resource('ScreeningHit', {
  id: Id,
  party: Type.String(),
  reason: Choice(hitReasons, {
    description:
      '`entry`: it resembles an entry. `unreadable`: not all of the name could be compared. `country`: the bank does not deal with this country.',
  }),
  watchlist_id: Nullable(Id),
  version_id: Nullable(Id),
  entry_id: Nullable(Type.String()),
  score: Score,
  explanation: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'Everything that the score was computed from, so that it can be computed again.',
  }),
  state: Choice(hitStates),
  decided_by: Nullable(Type.String({ format: 'uuid', description: 'The person who decided; null if it was the admin key.' })),
  decided_at: Nullable(Timestamp),
})
export type ScreeningHit = Static<typeof ScreeningHit>

const fields = {
  id: Id,
  venture_id: Id,
  subject_kind: Choice(subjectKinds),
  subject_id: Id,
  cause: Choice(screeningCauses),
  parties: Type.Array(ScreenedParty),
  versions: Type.Array(Id, { description: 'The versions of the lists that were compared with.' }),
  algorithm: Type.String(),
  policy_version: Type.Integer(),
  screen_threshold: Type.Number(),
  block_threshold: Type.Number(),
  outcome: Choice(screeningOutcomes),
  best_score: Score,
  created_at: Timestamp,
}

export const Screening = Resource('Screening', fields)
export type Screening = Static<typeof Screening>

export const ExplainedScreening = Resource('ExplainedScreening', { ...fields, hits: Type.Array(ScreeningHit) })
export type ExplainedScreening = Static<typeof ExplainedScreening>

export const ScreeningList = Query({
  subject_id: Type.Optional(Id),
  outcome: Type.Optional(Choice(screeningOutcomes)),
  ...Paging,
})
export type ScreeningList = Static<typeof ScreeningList>
