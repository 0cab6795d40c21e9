// The terms of a participation as texts of a form, and back.
import type { Participation } from '@vostro/sdk'
import { linesOf } from '../../ui/lines.ts'

type Texts = Readonly<Record<string, string>>

/** An empty field of the form means that there is no value. */
const orNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text)
const textOf = (value: string | number | null): string => (value === null ? '' : String(value))

export type Terms = Pick<
  Participation,
  'calendar' | 'zone' | 'cut_offs' | 'lead_days' | 'answer_hours' | 'smallest' | 'largest' | 'prefers'
>

export function termsOf(from: Terms): Terms {
  const { calendar, zone, cut_offs, lead_days, answer_hours, smallest, largest, prefers } = from
  return { calendar, zone, cut_offs, lead_days, answer_hours, smallest, largest, prefers }
}

export function fieldsOf({ currency, ...participation }: Terms & Pick<Participation, 'currency'>): Record<string, string> {
  const { cut_offs, ...terms } = termsOf(participation)
  const texts = Object.entries(terms).map(([name, value]) => [name, textOf(value)] as const)
  return { ...Object.fromEntries(texts), cut_offs: cut_offs.join('\n'), currency }
}

/** Only what differs from before is sent. What is no number is left to the service to refuse. */
export function givenTerms(given: Texts, before: Terms): Partial<Terms> & { effective_at?: string } {
  const numberOf = (text: string | undefined) => (orNull(text) === null ? null : Number.isNaN(Number(text)) ? text : Number(text)) as number
  const after: Terms = {
    calendar: given['calendar'] ?? before.calendar,
    zone: given['zone'] ?? before.zone,
    cut_offs: linesOf(given['cut_offs'] ?? ''),
    lead_days: numberOf(given['lead_days']),
    answer_hours: numberOf(given['answer_hours']),
    smallest: orNull(given['smallest']),
    largest: orNull(given['largest']),
    prefers: numberOf(given['prefers']),
  }
  const names = Object.keys(after) as (keyof Terms)[]
  const changed = names.filter((name) => String(after[name]) !== String(before[name]))
  const { effective_at } = given
  return { ...Object.fromEntries(changed.map((name) => [name, after[name]])), ...(effective_at && { effective_at }) }
}

type Envelope = Participation['envelope']

export function envelopeOf({ clearing_code, clearing_system, instructed_bic, header }: Envelope): Record<string, string> {
  const texts = { clearing_code, clearing_system, instructed_bic, ...header }
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, textOf(value)]))
}

/** Without a root there is no header. */
export function givenEnvelope(given: Texts): Envelope {
  const { root, to_bic = '' } = given
  return {
    clearing_code: orNull(given['clearing_code']),
    clearing_system: orNull(given['clearing_system']),
    instructed_bic: orNull(given['instructed_bic']),
    header: root ? { root, to_bic, from_bic: orNull(given['from_bic']), business_service: orNull(given['business_service']) } : null,
  }
}

/** The amounts that are sent, in words. */
export function spanOf({ smallest, largest }: Pick<Terms, 'smallest' | 'largest'>, written: (amount: string) => string): string {
  const [least, most] = [smallest && `from ${written(smallest)}`, largest && `up to ${written(largest)}`]
  return [least, most].filter(Boolean).join(' ') || 'Any that the scheme carries'
}
