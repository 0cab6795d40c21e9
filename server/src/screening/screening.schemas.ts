// The schemas of watch lists and screenings in requests and responses. All of them are for the bank.
import { type Static, Type } from 'typebox'
import {
  ActorShown,
  Body,
  Choice,
  CreatedAt,
  described,
  Formed,
  Id,
  Nullable,
  Paging,
  Query,
  Resource,
  Timestamp,
  UpdatedAt,
} from '../platform/http/schemas.ts'
import { listFormats } from './lists/screening.formats.ts'

export const listPurposes = ['SANCTIONS', 'PEPS'] as const

const purpose = {
  description:
    '`PEPS`: politically exposed persons, who count only for ventures whose policy has `screen_peps`. The default is `SANCTIONS`.',
}

const outside = {
  description:
    'Whether the list is outside Art. 5d of Regulation (EU) No 260/2012, such as a list of national measures. Only such a list is compared during an instant payment in euro, and only if the policy says `transactions`.',
}

export const Watchlist = Resource('Watchlist', {
  id: described(Id, 'The id of the watch list. The service assigns it.'),
  name: Type.String({ description: 'The name by which policies select the list.' }),
  format: Choice(listFormats, { description: 'The format of all versions of the list.' }),
  purpose: Choice(listPurposes, purpose),
  outside_art_5d: Type.Boolean(outside),
  active_version_id: Nullable(Type.String({ format: 'uuid', description: 'The active version; null until one is activated.' })),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})
export type Watchlist = Static<typeof Watchlist>

export const NewWatchlist = Body('NewWatchlist', {
  name: Formed(
    '^[a-z0-9][a-z0-9_-]{0,63}$',
    'must have 1 to 64 lower-case letters, digits, hyphens and underscores, and begin with a letter or a digit',
    { description: 'The name by which policies select the list: lower-case letters, digits, hyphens and underscores.' },
  ),
  format: Choice(listFormats, { description: 'The format of all versions of the list.' }),
  purpose: Type.Optional(Choice(listPurposes, purpose)),
  outside_art_5d: Type.Optional(Type.Boolean({ description: `${outside.description} The default is false.` })),
})
export type NewWatchlist = Static<typeof NewWatchlist>

export const VersionColumns = Type.Object({
  id: described(Id, 'The id of the version. The service assigns it.'),
  watchlist_id: described(Id, 'The watch list.'),
  sha256: Type.String({ description: 'The SHA-256 of the files.' }),
  entries: Type.Integer({ description: 'How many persons, organisations, vessels and aircraft it lists.' }),
  names: Type.Integer({ description: 'How many names and aliases the entries have.' }),
  unknown_countries: Type.Array(Type.String(), { description: 'Names of countries without a code, which were left out of the entries.' }),
  imported_at: described(Timestamp, 'When it was imported, in UTC.'),
  imported_by: ActorShown,
  imported_by_id: Nullable(described(Id, 'The person or the key of the bank that imported it; null for the admin key and the service.')),
  activated_at: Nullable(Type.String({ format: 'date-time', description: 'When the version was last activated.' })),
  replaced_at: Nullable(Type.String({ format: 'date-time', description: 'When another version last replaced it.' })),
  deleted_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When its entries were deleted, long after they were needed. It cannot be activated again.',
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

/**
 * processing: a payment being processed. created, changed: a client or a beneficiary. list: a new version. nightly: everyone is compared every
 * day. art_5d: an instant payment, which is not compared because all clients are, every day.
 */
export const screeningCauses = ['processing', 'created', 'changed', 'list', 'nightly', 'art_5d'] as const
export type ScreeningCause = (typeof screeningCauses)[number]

export const hitReasons = ['entry', 'unreadable', 'country', 'payer_account', 'payer_name', 'payer_address'] as const
export type HitReason = (typeof hitReasons)[number]
export const hitStates = ['OPEN', 'CLEARED', 'CONFIRMED'] as const

const Score = Nullable(
  Type.Number({ description: 'How similar the name is to the entry, from 0 to 1; null if nothing could be compared.' }),
)

const ScreenedParty = Type.Object({
  party: Type.String({
    description: 'The field in which it was found: a party, such as `creditor` or `ultimate_debtor`, or a text, such as `purpose`.',
  }),
  name: Nullable(Type.String({ description: 'The name that was compared; null if there is none.' })),
  reading: Choice(['whole', 'part', 'none'], { description: 'Whether the name could be read.' }),
  best_score: described(Score, 'The highest score of the name, from 0 to 1; null if nothing was compared.'),
})
export type ScreenedParty = Static<typeof ScreenedParty>

export const ScreeningHit = Resource('ScreeningHit', {
  id: described(Id, 'The id of the hit. The service assigns it.'),
  party: Type.String({
    description: 'The field in which it was found: a party, such as `creditor` or `ultimate_debtor`, or a text, such as `purpose`.',
  }),
  reason: Choice(hitReasons, {
    description:
      '`entry`: the name resembles an entry. `unreadable`: part of the name could not be compared. `country`: the bank does not deal with this country. ' +
      '`payer_account`, `payer_name`, `payer_address`: the payment does not say this of its payer, as the law requires.',
  }),
  watchlist_id: Nullable(described(Id, 'The list of the entry; null if the reason is not an entry.')),
  version_id: Nullable(described(Id, 'The version of the list; null if the reason is not an entry.')),
  entry_id: Nullable(Type.String({ description: 'The id of the entry in its list; null if the reason is not an entry.' })),
  score: Score,
  explanation: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description:
      'Everything that the score was computed from, so that it can be computed again, and the source of each fact: verified, or claimed by the venture, the other bank or the bank.',
  }),
  state: Choice(hitStates, {
    description: 'OPEN: waiting for a decision. CLEARED: not the listed entry. CONFIRMED: the listed entry.',
  }),
  decided_by: Nullable(Type.String({ format: 'uuid', description: 'The person who decided; null if it was the admin key.' })),
  decided_at: Nullable(described(Timestamp, 'When it was decided, in UTC; null until then.')),
})
export type ScreeningHit = Static<typeof ScreeningHit>

const fields = {
  id: described(Id, 'The id of the screening. The service assigns it.'),
  venture_id: described(Id, 'The venture of the subject.'),
  subject_kind: Choice(subjectKinds, { description: 'What was screened.' }),
  subject_id: described(Id, 'The transfer, client or beneficiary that was screened.'),
  cause: Choice(screeningCauses, {
    description:
      'The reason for the screening. processing: a payment being processed. created, changed: a client or a beneficiary. list: a new version of a list. nightly: everything is compared again every day. art_5d: an instant payment in euro; its parties are not compared during the payment, because all clients are compared every day.',
  }),
  parties: Type.Array(ScreenedParty, { description: 'The names that were compared.' }),
  versions: Type.Array(Id, { description: 'The versions of the lists that it was compared with.' }),
  algorithm: Type.String({ description: 'The version of the comparison, with which scores can be computed again.' }),
  policy_version: Type.Integer({ description: "The version of the venture's policy that gave the thresholds." }),
  screen_threshold: Type.Number({ description: 'From this score on, a person reviews it.' }),
  block_threshold: Type.Number({ description: 'From this score on, a freeze of the payment is proposed.' }),
  outcome: Choice(screeningOutcomes, {
    description: 'CLEAR: nothing was found. HIT: a person must review it. BLOCK: a person must review it, and should freeze it.',
  }),
  best_score: described(Score, 'The highest score of all parties, from 0 to 1; null if nothing was compared.'),
  created_at: CreatedAt,
}

export const Screening = Resource('Screening', fields)
export type Screening = Static<typeof Screening>

export const ExplainedScreening = Resource('ExplainedScreening', {
  ...fields,
  hits: Type.Array(ScreeningHit, { description: 'The hits, with their explanations.' }),
})
export type ExplainedScreening = Static<typeof ExplainedScreening>

export const ScreeningList = Query({
  subject_id: Type.Optional(described(Id, 'Returns only screenings of this transfer, client or beneficiary.')),
  outcome: Type.Optional(Choice(screeningOutcomes, { description: 'Returns only screenings with this outcome.' })),
  ...Paging,
})
export type ScreeningList = Static<typeof ScreeningList>
