// The front door of schemes: how schemes speak, how this bank takes part in them, and on which days they settle.
// biome-ignore-all lint/performance/noBarrelFile: the front door names what the folder offers.

export type { Envelope, Job, Profile } from './profiles/schemes.profile.ts'
export {
  collectingRails,
  debitRail,
  instantRail,
  instantRails,
  isInstant,
  packedRails,
  payingRails,
  plainRail,
  profileOf,
  type Rail,
  railOf,
  railOfPayment,
  rails,
} from './profiles/schemes.profiles.ts'
export { type Availability, boundsOf, firstBook, RailBook } from './schemes.book.ts'
export type { Days } from './schemes.calendars.ts'
export { calendarCases, openMissingCalendar } from './schemes.cases.ts'
export { Participations } from './schemes.copy.ts'
export { dayIn, type Leaving, lastCutOff, missing, nextCutOff } from './schemes.cutoffs.ts'
export { activeRailsIn, newestParticipation, participationApprovals, writeChange } from './schemes.participations.ts'
export { type Participation, RailPath } from './schemes.schemas.ts'
export { holdParticipations } from './schemes.sql.ts'
export { calendarApprovals } from './schemes.years.ts'
