// What is known about all rails at one moment: every version of every participation, and the calendars. Plain data without a database, so that decisions
// can be made over it.
import { bankId } from '../platform/ids.ts'
import { fromNumeric, type Money } from '../values/money.ts'
import type { Envelope } from './profiles/schemes.profile.ts'
import { packedRails, payingRails, profileNameOf, profileOf, type Rail, railOf, rails } from './profiles/schemes.profiles.ts'
import { Days } from './schemes.calendars.ts'
import type { CalendarYear, Participation } from './schemes.schemas.ts'

type Contents = {
  /** In the order of their versions. */
  versions: readonly Participation[]
  years: readonly CalendarYear[]
  /** Whether methods without a rail are carried as well, which only the stand-ins of the sandbox do. */
  carriesOthers: boolean
}

/** A suspension is in force at once, so that no clock delays it. */
const isDue = ({ state, effective_at }: Participation, moment: Date): boolean =>
  state === 'SUSPENDED' || Date.parse(effective_at) <= moment.getTime()

/** ABSENT: no rail carries the method. */
export type Availability = Participation['state'] | 'ABSENT'

export class RailBook {
  readonly #versions: ReadonlyMap<Rail, readonly Participation[]>
  readonly #years: readonly CalendarYear[]
  readonly #carriesOthers: boolean
  readonly #days = new Map<string, Days>()

  constructor({ versions, years, carriesOthers }: Contents) {
    this.#versions = Map.groupBy(versions, ({ rail }) => rail)
    this.#years = years
    this.#carriesOthers = carriesOthers
  }

  versionsOf(rail: Rail): readonly Participation[] {
    return this.#versions.get(rail) ?? []
  }

  /** The version in force: the newest one whose time has come. */
  inForce(rail: Rail, moment: Date): Participation | undefined {
    return this.versionsOf(rail).findLast((version) => isDue(version, moment))
  }

  /** How the message of a pack is written: by the version that made the pack, which every instance has read before it was in force. */
  envelopeOf({ rail, participation }: { rail: Rail; participation: number }): Envelope {
    const made = this.versionsOf(rail).find(({ version }) => version === participation)
    if (made === undefined) throw new Error(`${rail} has no version ${participation}`)
    return made.envelope
  }

  isActive(rail: Rail, moment: Date): boolean {
    return this.inForce(rail, moment)?.state === 'ACTIVE'
  }

  /** Whether new orders may use a method that leaves the bank. */
  availabilityOf(method: string, moment: Date): Availability {
    const rail = railOf(method)
    if (rail === undefined) return this.#carriesOthers ? 'ACTIVE' : 'ABSENT'
    return this.inForce(rail, moment)?.state ?? 'ABSENT'
  }

  /** The terms of a method, whatever its state; undefined if no rail carries it. */
  termsOf(method: string, moment: Date): Participation | undefined {
    const rail = railOf(method)
    return rail && this.inForce(rail, moment)
  }

  /** By preference, with methods that no rail carries last. */
  preferred<Method extends string>(methods: readonly Method[], moment: Date): Method[] {
    const rankOf = (method: Method) => this.termsOf(method, moment)?.prefers ?? Number.POSITIVE_INFINITY
    const ranked = methods.map((method, index) => ({ method, index, rank: rankOf(method) }))
    return ranked.sort((a, b) => (a.rank === b.rank ? a.index - b.index : a.rank < b.rank ? -1 : 1)).map(({ method }) => method)
  }

  /** The rail of the house's own payments, regardless of the rail on which the money arrived: the first active one, by preference, that carries them. */
  payoutRail({ amount, currency }: { amount: Money; currency: string }, moment: Date): Rail | undefined {
    const possible = this.preferred(
      payingRails.filter((rail) => packedRails.includes(rail)),
      moment,
    )
    return possible.find((rail) => {
      const terms = this.inForce(rail, moment)
      if (terms?.state !== 'ACTIVE' || terms.currency !== currency) return false
      const { smallest, largest } = boundsOf(terms)
      return (smallest === null || amount >= smallest) && (largest === null || amount <= largest)
    })
  }

  /** The earliest settlement date of what is sent today; undefined if no rail carries the method. */
  earliestSettlement(method: string, today: string, moment: Date): string | undefined {
    const terms = this.termsOf(method, moment)
    return terms && this.daysOf(terms).after(today, terms.lead_days)
  }

  /** The day on which a transfer must be sent to settle on its date; undefined if no rail carries its method. */
  sendingDay({ method, settlement_date }: { method: string; settlement_date: string }, moment: Date): string | undefined {
    const terms = this.termsOf(method, moment)
    return terms && this.daysOf(terms).before(settlement_date, terms.lead_days)
  }

  /** Kept for each calendar and currency: the orders of a day ask about the same few dates. */
  daysOf({ rail, calendar, currency }: Pick<Participation, 'rail' | 'calendar' | 'currency'>): Days {
    const { instant } = profileOf(rail)
    const name = `${calendar} ${currency} ${instant}`
    const known = this.#days.get(name)
    if (known !== undefined) return known
    const days = new Days({ calendar, currency, instant }, this.#years)
    this.#days.set(name, days)
    return days
  }
}

export function boundsOf({ smallest, largest }: Pick<Participation, 'smallest' | 'largest'>): {
  smallest: Money | null
  largest: Money | null
} {
  return { smallest: smallest === null ? null : fromNumeric(smallest), largest: largest === null ? null : fromNumeric(largest) }
}

const since = '2000-01-01T00:00:00.000Z'

/** The participations with which every bank begins, as the migration has written them. */
export const firstParticipations: readonly Participation[] = rails.map((rail) => ({
  id: bankId,
  rail,
  version: 1,
  profile: profileNameOf(rail),
  ...profileOf(rail).terms,
  effective_at: since,
  actor: 'service',
  actor_id: null,
  created_at: since,
}))

/** For decisions without a database, such as those of the simulation. */
export const firstBook = new RailBook({ versions: firstParticipations, years: [], carriesOthers: true })
