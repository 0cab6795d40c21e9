// How the data of events is stored. Most events are about transfers, whose text would repeat itself: the names of fifty fields, many of
// them null, of which only a few ever change. So their values are stored without names, as an array in the order of an edition:
//
//   [1, null, "<id>", "<account_id>", …]    all fields: the edition, the status before, then the fields; [4] stands for four nulls
//   [-1, 0, 14, -3]                         the fields that can change; the others are those of the first event of the transfer
//
// Nulls at the end are left out. A status is stored as its index in the list of statuses, and in the short form a time is stored as
// milliseconds after the timestamp of the event: as text, these two would be half the size of a move. Two kinds of events are never short:
// the first event of a transfer, and events of a later month than its creation, so that a month can be archived without the months before
// it. An optional field, such as the details of a transfer, is left out if it is null, and its value may be an object. Any other data is stored as an object, as it is shown, and so are all events from before this format. Reading returns what was shown,
// byte for byte.
import { Choice, fixed } from '../platform/database/sql.ts'
import { timeOf } from '../platform/ids.ts'
import type { Event } from './events.schemas.ts'

type Value = string | number | boolean | null | Readonly<Record<string, unknown>>
type Data = Event['data']

/**
 * `names`: the fields of the resource as it is shown. `changing`: the fields that can change, beginning with those that change most often.
 * `times`: the fields with a time among them. `statuses`: the values of `status` and of the status before. `optional`: the fields, after
 * all others, that a resource may lack.
 */
export type Edition = {
  names: readonly string[]
  changing: readonly string[]
  times: ReadonlySet<string>
  statuses: readonly string[]
  optional?: ReadonlySet<string>
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** As in every edition of transfers so far. They never change either: an edition that differs gets its own. */
const changingOfTransfers = words(`
  status updated_at signed_at status_reason status_reason_code third_party_status third_party_status_code third_party_status_reason
  bank_partner_id bank_partner_trx_id`)
const statusesOfTransfers = words(`
  CREATED SIGNED REVIEW READY_TO_CLEAR SENT_TO_PACK PACKED SENT_TO_CLEAR COMPLETED SOME_PROBLEMS CANCELLED REJECTED INVALID ACCEPTED TO_SIGN
  RESERVED TO_RESERVE RECEIVED DROPPED ON_HOLD READY_FOR_SCREENING AML_APPROVED AML_REJECTED MANUAL_ACTION CREDIT_TECH_BALANCE TO_RESEND
  MANUAL_REJECTED TO_CANCEL BLACKLIST_SCANNING AML_SCANNING TO_RETURN`)

/**
 * The editions of each kind of resource. An edition is never changed, because stored events depend on it. If you add a field to the
 * resource, or let one change, add an edition; until then, its events are stored as they are shown.
 */
const editions: Readonly<Record<string, readonly Edition[]>> = {
  transfer: [
    {
      names: words(`
        id account_id unique_reference direction method transfer_type status is_instant purpose settlement_date credit_amount debit_amount
        credit_currency debit_currency exchange_rate fx_fee_amount cr_name cr_iban cr_bank_bic cr_account_id cr_address cr_bank_name cr_city
        cr_country_code cr_postal_code dr_name dr_iban dr_bank_bic dr_account_id dr_address dr_bank_name dr_city dr_country_code dr_postal_code
        beneficiary_id parent_transaction_id mandate_id category_purpose_code purpose_code structured_reference structured_reference_issuer
        bank_partner_id bank_partner_trx_id signed_at status_reason status_reason_code third_party_status third_party_status_code
        third_party_status_reason created_at updated_at`),
      changing: changingOfTransfers,
      times: new Set(['updated_at']),
      statuses: statusesOfTransfers,
    },
    {
      names: words(`
        id account_id unique_reference direction method transfer_type status is_instant purpose settlement_date credit_amount debit_amount
        credit_currency debit_currency exchange_rate fx_fee_amount cr_name cr_iban cr_bank_bic cr_account_id cr_address cr_bank_name cr_city
        cr_country_code cr_postal_code dr_name dr_iban dr_bank_bic dr_account_id dr_address dr_bank_name dr_city dr_country_code dr_postal_code
        beneficiary_id parent_transaction_id mandate_id authentication approval_id category_purpose_code purpose_code structured_reference
        structured_reference_issuer bank_partner_id bank_partner_trx_id signed_at status_reason status_reason_code third_party_status
        third_party_status_code third_party_status_reason created_at updated_at`),
      changing: changingOfTransfers,
      times: new Set(['updated_at']),
      statuses: statusesOfTransfers,
    },
    {
      names: words(`
        id account_id unique_reference direction method transfer_type status is_instant purpose settlement_date credit_amount debit_amount
        credit_currency debit_currency exchange_rate fx_fee_amount cr_name cr_iban cr_bank_bic cr_account_id cr_address cr_bank_name cr_city
        cr_country_code cr_postal_code dr_name dr_iban dr_bank_bic dr_account_id dr_address dr_bank_name dr_city dr_country_code dr_postal_code
        beneficiary_id parent_transaction_id mandate_id authentication approval_id category_purpose_code purpose_code structured_reference
        structured_reference_issuer bank_partner_id bank_partner_trx_id signed_at status_reason status_reason_code third_party_status
        third_party_status_code third_party_status_reason created_at updated_at details`),
      changing: changingOfTransfers,
      times: new Set(['updated_at']),
      statuses: statusesOfTransfers,
      optional: new Set(['details']),
    },
  ],
}

/** The editions of a kind, oldest first. */
export const editionsOf = (kind: string): readonly Edition[] => editions[kind] ?? []

const kindOf = (type: string): string => type.slice(0, type.indexOf('.'))

/** The text that is stored for an event's data. */
export function pack({ id, type, timestamp, sequence, data }: Pick<Event, 'id' | 'type' | 'timestamp' | 'sequence' | 'data'>): string {
  const known = editions[kindOf(type)]
  const edition = known?.at(-1)
  if (known === undefined || edition === undefined || !fits(data.object, edition)) return JSON.stringify(data)
  const object = data.object as Record<string, Value>
  // The id decides in which month the event is kept, and may have been generated a moment after the timestamp.
  const month = monthOf(object['created_at'])
  const isShort = sequence > 1 && month === monthOf(timestamp) && month === monthOf(timeOf(id).toISOString())
  const fields = isShort ? edition.changing : edition.names
  const values = valuesOf(object, fields).map((value, place) => {
    if (fields[place] === 'status') return statusPlace(edition, value)
    return isShort && edition.times.has(fields[place] ?? '') ? timeAfter(timestamp, value) : value
  })
  return JSON.stringify([isShort ? -known.length : known.length, ...withoutNulls([statusPlace(edition, data.previous_status), ...values])])
}

type Reading = (object: Record<string, Value>) => Value[]

const readings = new Map<readonly string[], Reading>()

/** Generated as in platform/http/shown.ts: reading fields is several times faster if their names are known when the function is created. */
function valuesOf(object: Record<string, Value>, names: readonly string[]): Value[] {
  let read = readings.get(names)
  if (read === undefined) {
    // The names are our own, and they are quoted.
    read = new Function('object', `return [${names.map((name) => `object[${JSON.stringify(name)}] ?? null`)}]`) as Reading
    readings.set(names, read)
  }
  return read(object)
}

/** A status that is not in the list stays text. */
function statusPlace({ statuses }: Edition, value: Value): Value {
  const place = statuses.indexOf(String(value))
  return place === -1 ? value : place
}

function timeAfter(timestamp: string, value: Value): Value {
  const time_ms = Date.parse(String(value))
  // Only a time that reads the same when it is written again.
  return !Number.isNaN(time_ms) && new Date(time_ms).toISOString() === value ? time_ms - Date.parse(timestamp) : value
}

/** Whether the object has the fields of the edition in their order, and no value that could be mistaken for an index or a time. */
function fits(object: Data['object'], { names, times, optional }: Edition): boolean {
  let place = 0
  for (const name in object) {
    const value: unknown = (object as Record<string, unknown>)[name]
    if (name !== names[place++] || value === undefined) return false
    // In the stored form, a list is a number of nulls, and null is an optional field that is left out.
    if (optional?.has(name) ? value === null || Array.isArray(value) : typeof value === 'object' && value !== null) return false
    if (typeof value === 'number' && (name === 'status' || times.has(name))) return false
  }
  return place === names.length || names.slice(place).every((name) => optional?.has(name))
}

const monthOf = (time: Value | undefined): string => String(time).slice(0, '2026-11'.length)

/** Replaces runs of nulls by their number, and leaves out those at the end. */
function withoutNulls(values: readonly Value[]): (Value | [number])[] {
  const kept: (Value | [number])[] = []
  let nulls = 0
  for (const value of values) {
    if (value === null) nulls++
    else {
      if (nulls === 1) kept.push(null)
      else if (nulls > 1) kept.push([nulls])
      kept.push(value)
      nulls = 0
    }
  }
  return kept
}

function withNulls(values: readonly (Value | [number])[]): Value[] {
  return values.flatMap((value) => (Array.isArray(value) ? new Array<null>(value[0]).fill(null) : [value]))
}

/** An event as its row has it. `first`: the data of the first event of the resource, if `data` is short. */
export type StoredEvent = Pick<Event, 'type' | 'timestamp'> & { data: unknown; first: unknown }

/** The data of an event as it was shown. */
export function unpack({ type, timestamp, data, first }: StoredEvent): Data {
  if (!Array.isArray(data)) return data as Data
  const [number, ...values] = data as [number, ...(Value | [number])[]]
  const edition = editions[kindOf(type)]?.[Math.abs(number) - 1]
  // Events never change, so a newer version of the service must have written it.
  if (edition === undefined) throw new Error(`the data of an event of type ${type} is of the unknown edition ${number}`)
  const [before = null, ...fields] = withNulls(values)
  const object = number > 0 ? named(edition.names, fields) : completed(edition, fields, { type, timestamp, first })
  for (const name of edition.optional ?? []) if (object[name] === null) delete object[name]
  object['status'] = statusAt(edition, object['status'])
  return { object, previous_status: statusAt(edition, before) } as Data
}

const statusAt = ({ statuses }: Edition, value: Value | undefined): Value => (typeof value === 'number' ? statuses[value] : value) ?? null

const named = (names: readonly string[], values: readonly Value[]): Record<string, Value> =>
  Object.fromEntries(names.map((name, place) => [name, values[place] ?? null]))

function completed({ names, changing, times }: Edition, values: readonly Value[], short: Omit<StoredEvent, 'data'>): Record<string, Value> {
  const { type, timestamp, first } = short
  if (first === null) throw new Error(`an event of type ${type} is stored without the fields that never change, and has no first event`)
  const before = unpack({ type, timestamp, data: first, first: null }).object as Record<string, Value>
  const now = named(changing, values)
  for (const name of times) if (typeof now[name] === 'number') now[name] = new Date(Date.parse(timestamp) + now[name]).toISOString()
  return Object.fromEntries(names.map((name) => [name, (name in now ? now[name] : before[name]) ?? null]))
}

/** For a statement about `event`: the data of the first event of its resource, if its own is short. */
export const firstData = fixed`(
  select one.data from events one
  where one.venture_id = event.venture_id and one.resource_id = event.resource_id and one.sequence = 1 and event.data::text like '[-%')`

/**
 * The same for a statement that finds events of one venture in a nested query. The venture must be repeated for a distributed database,
 * whose planner does not infer it from the outer condition.
 */
export const firstDataOf = (venture_id: string): Choice =>
  new Choice(
    [
      '(select one.data from events one where one.venture_id = ',
      `::uuid and one.resource_id = event.resource_id and one.sequence = 1 and event.data::text like '[-%')`,
    ],
    [venture_id],
  )
