// The schemas of participations, calendars and schemes.
import { type Static, Type } from 'typebox'
import {
  ActorShown,
  Body,
  CalendarDate,
  Choice,
  CreatedAt,
  CurrencyShown,
  Decimal,
  described,
  Formed,
  GivenTime,
  Id,
  Nullable,
  Resource,
  Timestamp,
} from '../platform/http/schemas.ts'
import { participationStates } from './profiles/schemes.profile.ts'
import { profileNames, rails } from './profiles/schemes.profiles.ts'

const RailName = Choice(rails, { description: 'The rail: the name of the participation.' })
const CalendarName = Formed('^[A-Z][A-Z0-9_]{1,31}$', 'must be the name of a calendar, such as TARGET')
const CutOff = Formed('^([01]\\d|2[0-3]):[0-5]\\d$', 'must be a time of day, such as "15:30"')
const Bic = Formed('^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$', 'must be a BIC of 8 or 11 characters', { transform: 'upper' })

const Header = Type.Object(
  {
    root: Formed('^[A-Za-z_][A-Za-z0-9_.-]{0,63}$', 'must be the name of an XML element', {
      description: 'The element that contains the header and the document.',
    }),
    from_bic: Nullable(described(Bic, "The sender in the header. Null for the bank's own BIC.")),
    to_bic: described(Bic, 'The receiver in the header: that of the clearing system.'),
    business_service: Nullable(
      Type.String({ minLength: 1, maxLength: 35, description: 'What the clearing system wants in `BizSvc`, or null.' }),
    ),
  },
  { additionalProperties: false },
)

const EnvelopeFields = Type.Object(
  {
    clearing_code: Nullable(
      Formed('^[A-Z0-9]{3}$', 'must be a code of three characters', {
        description: 'The code of the clearing system in `ClrSys`, or null.',
      }),
    ),
    clearing_system: Nullable(
      Type.String({ minLength: 1, maxLength: 35, description: 'The own name of the clearing system in `ClrSys`, or null.' }),
    ),
    instructed_bic: Nullable(described(Bic, 'The BIC in `InstdAgt`, or null.')),
    header: Nullable(described(Header, 'The `AppHdr` (head.001.001.02) before each document; null for documents alone.')),
  },
  { additionalProperties: false },
)

/** What a new version may change. */
const changing = {
  calendar: described(CalendarName, 'The calendar by which the rail settles: TARGET, FED, ALWAYS, or one whose years were entered.'),
  zone: Type.String({ minLength: 1, maxLength: 64, description: 'The IANA time zone of the cut-offs, such as `Europe/Berlin`.' }),
  cut_offs: Type.Array(CutOff, {
    maxItems: 96,
    description: 'When packs leave on the days on which the rail settles. A rail without cut-offs sends continuously.',
  }),
  lead_days: Type.Integer({
    minimum: 0,
    maximum: 10,
    description: 'How many settlement days before its settlement date a payment is sent.',
  }),
  answer_hours: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 240,
      description: 'After how many hours without an answer the clearing system is asked about a pack. Null: as RAILS_ANSWER_HOURS says.',
    }),
  ),
  smallest: Nullable(described(Decimal, 'The smallest amount that the bank sends over the rail, or null.')),
  largest: Nullable(described(Decimal, 'The largest amount that the bank sends over the rail, or null.')),
  prefers: Type.Integer({
    minimum: 0,
    maximum: 1_000,
    description: 'Among the rails that fit an order, the one with the smallest number is taken.',
  }),
  envelope: described(EnvelopeFields, 'What the clearing system wants around and in each message.'),
}

export const Participation = Resource('Participation', {
  id: described(Id, 'The id of this version. The service assigns it.'),
  rail: RailName,
  version: Type.Integer({ description: 'The version, from 1. The newest one whose time has come is in force.' }),
  profile: Choice(profileNames, { description: 'The scheme: how messages are written and read.' }),
  currency: CurrencyShown,
  state: Choice(participationStates, {
    description:
      'ACTIVE, SUSPENDED or ENDED. Unless it is ACTIVE, nothing is collected or sealed; answers and incoming messages are still applied.',
  }),
  ...changing,
  effective_at: described(Timestamp, 'From when it is in force, in UTC. A suspension is in force at once.'),
  actor: ActorShown,
  actor_id: Nullable(
    Type.String({ format: 'uuid', description: 'The person who created this version; null for the service and the admin key.' }),
  ),
  created_at: CreatedAt,
})
export type Participation = Static<typeof Participation>

export const ParticipationChange = Body('ParticipationChange', {
  rail: RailName,
  ...Type.Partial(Type.Object(changing)).properties,
  state: Type.Optional(Choice(['ACTIVE', 'ENDED'], { description: 'ENDED: the bank no longer takes part. ACTIVE: it takes part again.' })),
  effective_at: Type.Optional(
    described(GivenTime, 'From when the change is in force, at least two minutes from now. If absent, two minutes after it is decided.'),
  ),
})
export type ParticipationChange = Static<typeof ParticipationChange>

export const RailPath = Type.Object({ rail: RailName })

const days = {
  weekend: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    uniqueItems: true,
    maxItems: 6,
    description: 'The weekdays that are always closed, from 1 for Monday to 7 for Sunday.',
  }),
  closed: Type.Array(CalendarDate, { uniqueItems: true, maxItems: 366, description: 'The other days of the year that are closed.' }),
}

export const CalendarYear = Resource('CalendarYear', {
  id: Nullable(Type.String({ format: 'uuid', description: 'The id of this version; null if the calendar is a rule of the service.' })),
  calendar: Type.String({ description: 'The name of the calendar.' }),
  year: Type.Integer({ description: 'The year.' }),
  ...days,
  version: Type.Integer({ description: 'The version of this year, from 1; 0 if the calendar is a rule of the service.' }),
  actor: Nullable(ActorShown),
  actor_id: Nullable(Type.String({ format: 'uuid', description: 'The person who entered it; null for the admin key and for a rule.' })),
  created_at: Nullable(described(Timestamp, 'When this version was entered, in UTC; null for a rule.')),
})
export type CalendarYear = Static<typeof CalendarYear>

export const CalendarYearUpdate = Body('CalendarYearUpdate', {
  ...days,
  weekend: Type.Optional(
    described(days.weekend, 'The weekdays that are always closed, from 1 for Monday to 7 for Sunday. [6, 7] if absent.'),
  ),
})
export type CalendarYearUpdate = Static<typeof CalendarYearUpdate>

export const CalendarPath = Type.Object({
  calendar: described(CalendarName, 'The name of the calendar.'),
  year: Formed('^2\\d{3}$', 'must be a year from 2000 to 2999', { description: 'The year.' }),
})

export const Scheme = Resource('Scheme', {
  rail: RailName,
  method: Type.String({ description: 'The method of its transfers.' }),
  name: Type.String({ description: 'The name of its payments.' }),
  currency: CurrencyShown,
  available: Type.Boolean({ description: 'Whether new orders are accepted.' }),
  instant: Type.Boolean({ description: 'Whether each payment is answered within seconds, on every day.' }),
  collects: Type.Boolean({ description: 'Whether it collects direct debits rather than pays.' }),
  smallest: Nullable(Type.String({ description: 'The smallest amount of a transfer, or null.' })),
  largest: Nullable(Type.String({ description: 'The largest amount of a transfer, or null.' })),
  next_cut_off: Nullable(described(Timestamp, 'When the next pack leaves, in UTC; null if payments leave continuously.')),
  value_date: Nullable(described(CalendarDate, 'The day on which a payment that leaves next settles; null if its calendar is incomplete.')),
  payee_needs: Type.Array(
    Type.Object({
      field: Type.String({ description: 'What the payee must have: `iban` or `bic`.' }),
      when: Choice(['always', 'iban_outside_eea'], { description: 'Always, or only for an IBAN of a country outside the EEA.' }),
    }),
    { description: 'What a payee needs for the scheme to reach them.' },
  ),
})
export type Scheme = Static<typeof Scheme>
