// What ventures see of the schemes: what they carry, and when.
import { now } from '../platform/clock.ts'
import { profileOf, rails } from './profiles/schemes.profiles.ts'
import type { RailBook } from './schemes.book.ts'
import type { Participations } from './schemes.copy.ts'
import { dayIn, nextCutOff } from './schemes.cutoffs.ts'
import type { Participation, Scheme } from './schemes.schemas.ts'

export async function listSchemes(participations: Participations): Promise<Scheme[]> {
  const [book, moment] = [await participations.current(), now()]
  return rails.flatMap((rail) => {
    const terms = book.inForce(rail, moment)
    return terms === undefined ? [] : [schemeOf(book, terms, moment)]
  })
}

function schemeOf(book: RailBook, terms: Participation, moment: Date): Scheme {
  const { rail, currency, smallest, largest, state, zone, cut_offs } = terms
  const { method, name, instant, messages, payee_needs } = profileOf(rail)
  const days = book.daysOf(terms)
  const next = instant ? undefined : nextCutOff({ cut_offs, zone, days }, moment)
  return {
    rail,
    method,
    name,
    currency,
    available: state === 'ACTIVE',
    instant,
    collects: messages.collect !== undefined,
    smallest,
    largest,
    next_cut_off: next?.toISOString() ?? null,
    value_date: days.firstKnownFrom(dayIn(zone, next ?? moment)) ?? null,
    payee_needs: [...payee_needs],
  }
}
