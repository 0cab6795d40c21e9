// What people of the bank decide about its participations. Each change is a new version; two people make it, except a suspension, which protects.
import { isDeepStrictEqual } from 'node:util'
import { type Approval, type ApprovalHandler, type Approvals, actOrRequest, changesOf, requireSequence, subjectOf } from '../audit/audit.ts'
import type { By } from '../platform/actor.ts'
import { idOfName } from '../platform/bound-id.ts'
import { now } from '../platform/clock.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { uuidv7 } from '../platform/ids.ts'
import { fromNumeric, parseMoney } from '../values/money.ts'
import { type FieldError, refuse, refuseField } from '../values/refusals.ts'
import type { Rail } from './profiles/schemes.profiles.ts'
import { rails } from './profiles/schemes.profiles.ts'
import { RailBook } from './schemes.book.ts'
import { isRule } from './schemes.calendars.ts'
import type { Participations } from './schemes.copy.ts'
import { isZone } from './schemes.cutoffs.ts'
import type { Participation, ParticipationChange } from './schemes.schemas.ts'
import { holdParticipations, insertParticipation, lockParticipations, selectParticipations, selectYears } from './schemes.sql.ts'

/** Every instance has read a version at least once before it is in force. */
const notice_ms = 120_000

const changeAction = 'change-participation'

/** For each rail the version in force and those to come. */
export async function listParticipations(participations: Participations): Promise<Participation[]> {
  const [book, moment] = [await participations.read(), now()]
  return rails.flatMap((rail) => {
    const from = book.inForce(rail, moment)?.version ?? 1
    return book.versionsOf(rail).filter(({ version }) => version >= from)
  })
}

/** With four-eyes approval, a second person must approve the change. */
export async function changeParticipation(approvals: Approvals, change: ParticipationChange, by: By): Promise<Participation | Approval> {
  const { effective_at } = change
  if (effective_at !== undefined && Date.parse(effective_at) < now().getTime() + notice_ms)
    refuseField('effective_at', 'must be at least two minutes from now')
  const wanted = { venture_id: bankId, action: changeAction, resource_id: resourceOf(change.rail), payload: change }
  return actOrRequest(approvals, wanted, by, (allowed) => writeChange(approvals.database, change, allowed))
}

/** Lets payments leave again, two minutes later. */
export async function resumeRail(approvals: Approvals, rail: Rail, by: By): Promise<Participation | Approval> {
  if ((await newestParticipation(approvals.database, rail)).state === 'ENDED') refuse('rail_ended')
  return changeParticipation(approvals, { rail, state: 'ACTIVE' }, by)
}

const resourceOf = (rail: Rail): string => idOfName(`participation ${rail}`)

/** With the authority of two people or without four-eyes approval. A change builds on the newest version, and one that changes nothing adds none. */
export function writeChange(database: Database, { rail, effective_at, ...fields }: ParticipationChange, by: By): Promise<Participation> {
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const newest = await lockNewest(tx, rail)
      requireSequence({ sequence: newest.version }, by.sequence)
      const names = Object.keys(fields) as (keyof typeof fields)[]
      const cut_offs = fields.cut_offs === undefined ? newest.cut_offs : [...new Set(fields.cut_offs)].sort()
      const changed = { ...newest, ...fields, cut_offs }
      if (names.every((name) => isDeepStrictEqual(changed[name], newest[name]))) return newest
      await requireSense(tx, changed)
      if (!by.approved) refuse('approval_required', { sequence: newest.version })
      // An approval may come after the time that was asked for.
      const from_ms = Math.max(now().getTime() + notice_ms, effective_at === undefined ? 0 : Date.parse(effective_at))
      const next = nextOf(newest, changed, new Date(from_ms), by)
      const seen = (row: object) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, wordsOf(value)]))
      const changes = changesOf<Record<string, string | null>>(names, seen(newest), seen(next))
      const asked = effective_at === undefined ? [] : [{ field: 'effective_at', from: null, to: effective_at }]
      by.witness?.(subjectOf({ changes: [...changes, ...asked] }))
      await insertParticipation(tx, next)
      return next
    }),
  )
}

/** One line for a person. */
const wordsOf = (value: unknown): string | null => {
  if (value == null) return null
  if (Array.isArray(value)) return value.join(', ') || null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function nextOf(newest: Participation, changed: Participation, effective: Date, { actor }: By): Participation {
  return {
    ...changed,
    id: uuidv7(),
    version: newest.version + 1,
    effective_at: effective.toISOString(),
    actor: actor.kind,
    actor_id: actor.id,
    created_at: now().toISOString(),
  }
}

/**
 * In force at once, and one person is enough: nothing is collected or sealed any more. A later version that is not in force yet is overtaken, and has to be
 * decided again.
 */
export async function suspendRail(
  { database, participations }: { database: Database; participations: Participations },
  rail: Rail,
  by: By,
): Promise<Participation> {
  const suspended = await database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const newest = await lockNewest(tx, rail)
      const current = (await bookIn(tx)).inForce(rail, now()) ?? newest
      if (current.state === 'SUSPENDED') return current
      if (current.state === 'ENDED') refuse('rail_ended')
      const next = nextOf(newest, { ...current, state: 'SUSPENDED' }, now(), by)
      await insertParticipation(tx, next)
      return next
    }),
  )
  // This instance accepts no further order for it. The others follow within a minute, and none of them seals anything.
  await participations.read()
  return suspended
}

async function bookIn(reader: Reader): Promise<RailBook> {
  return new RailBook({ versions: await reader.rows(selectParticipations()), years: [], carriesOthers: false })
}

async function lockNewest(tx: Tx, rail: Rail): Promise<Participation> {
  await lockParticipations(tx)
  return newestParticipation(tx, rail)
}

/** The version that was decided last, whether or not it is in force yet. Every rail has one: the migration wrote the first. */
export async function newestParticipation(reader: Reader, rail: Rail): Promise<Participation> {
  const newest = (await bookIn(reader)).versionsOf(rail).at(-1)
  if (newest === undefined) throw new Error(`${rail} has no participation`)
  return newest
}

/** The active rails, which nobody can suspend until the transaction ends. Undefined, without `wait`, if somebody is changing them. */
export async function activeRailsIn(tx: Tx, { wait, moment }: { wait: boolean; moment: Date }): Promise<ReadonlySet<Rail> | undefined> {
  const [isHeld, book] = await Promise.all([holdParticipations(tx, wait), bookIn(tx)])
  return isHeld ? new Set(rails.filter((rail) => book.isActive(rail, moment))) : undefined
}

/** Well-formed fields can still contradict each other, or name what does not exist. */
async function requireSense(tx: Tx, { calendar, zone, currency, smallest, largest, envelope }: Participation): Promise<void> {
  const errors: FieldError[] = []
  const years = isRule(calendar) ? [] : (await tx.rows(selectYears())).filter((year) => year.calendar === calendar)
  if (!isRule(calendar) && years.length === 0)
    errors.push({ field: 'calendar', message: 'must be TARGET, FED, ALWAYS or a calendar with a year' })
  if (!isZone(zone)) errors.push({ field: 'zone', message: 'must be an IANA time zone, such as Europe/Berlin' })
  for (const [field, amount] of Object.entries({ smallest, largest }))
    if (amount !== null && !(parseMoney(amount, currency) ?? 0n))
      errors.push({ field, message: `must be an amount in ${currency} greater than zero` })
  if (errors.length === 0 && smallest !== null && largest !== null && fromNumeric(smallest) > fromNumeric(largest))
    errors.push({ field: 'smallest', message: 'must not be more than largest' })
  if (envelope.clearing_code !== null && envelope.clearing_system !== null)
    errors.push({ field: 'envelope.clearing_system', message: 'must be null if clearing_code is given: a message has one of them' })
  if (errors.length > 0)
    refuse('participation_invalid', { detail: errors.map(({ field, message }) => `${field} ${message}.`).join(' '), errors })
}

/** It takes two people to change how the bank takes part in a scheme. */
export function participationApprovals(database: Database): ApprovalHandler[] {
  return [
    {
      action: changeAction,
      operations: ['changeParticipation', 'resumeRail'],
      async carryOut({ resource_id: id, payload, sequence }, by) {
        await writeChange(database, payload as ParticipationChange, { ...by, approved: true, sequence })
        return { id }
      },
    },
  ]
}
