// What people of the bank enter about calendars, year by year. TARGET, FED and ALWAYS are rules of the service.
import {
  type Approval,
  type ApprovalHandler,
  type Approvals,
  actOrRequest,
  type Change,
  changesOf,
  requireSequence,
  subjectOf,
} from '../audit/audit.ts'
import type { By } from '../platform/actor.ts'
import { idOfName } from '../platform/bound-id.ts'
import { now } from '../platform/clock.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { uuidv7 } from '../platform/ids.ts'
import { addDays } from '../values/calendar.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import { calendarRules, closedDays, farthest_days, isRule, openingsOf } from './schemes.calendars.ts'
import type { CalendarYear, CalendarYearUpdate } from './schemes.schemas.ts'
import { insertYear, lockParticipations, selectYear } from './schemes.sql.ts'

const enterAction = 'enter-calendar-year'
const usualWeekend = [6, 7]

export async function getCalendarYear(database: Database, calendar: string, year: number): Promise<CalendarYear> {
  if (!isRule(calendar)) return (await database.first(selectYear(calendar, year))) ?? refuse('calendar_year_not_found')
  const closed = closedDays(calendarRules[calendar], year)
  return { id: null, calendar, year, weekend: [], closed, version: 0, actor: null, actor_id: null, created_at: null }
}

type Entered = { calendar: string; year: number } & CalendarYearUpdate

/** With four-eyes approval, a second person must approve it. */
export function enterCalendarYear(approvals: Approvals, entered: Entered, by: By): Promise<CalendarYear | Approval> {
  const resource_id = idOfName(`calendar ${entered.calendar} ${entered.year}`)
  const wanted = { venture_id: bankId, action: enterAction, resource_id, payload: entered }
  return actOrRequest(approvals, wanted, by, (allowed) => writeYear(approvals.database, entered, allowed))
}

/** Adds the next version of a year, with the authority of two people or without four-eyes approval. The same days again add none. */
async function writeYear(database: Database, { calendar, year, weekend = usualWeekend, closed }: Entered, by: By): Promise<CalendarYear> {
  if (isRule(calendar)) refuse('calendar_is_rule', { detail: `${calendar} is a rule of the service: its days cannot be entered.` })
  const days = { weekend: weekend.toSorted((a, b) => a - b), closed: closed.toSorted() }
  requireSense({ calendar, year, ...days })
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      await lockParticipations(tx)
      const before = await tx.first(selectYear(calendar, year))
      const version = before?.version ?? 0
      requireSequence({ sequence: version }, by.sequence)
      const changes = differences(before, days)
      if (changes.length === 0 && before !== undefined) return before
      if (!by.approved) refuse('approval_required', { sequence: version })
      by.witness?.(subjectOf({ changes }))
      const { kind: actor, id: actor_id } = by.actor
      const row = { id: uuidv7(), calendar, year, ...days, version: version + 1, actor, actor_id, created_at: now().toISOString() }
      await insertYear(tx, row)
      return row
    }),
  )
}

type Closed = Pick<CalendarYear, 'weekend' | 'closed'>

/** For the second person: which days are opened and closed. */
function differences(before: Closed | undefined, after: Closed): Change[] {
  const [was, will] = [new Set(before?.closed), new Set(after.closed)]
  const linesOf = (items: Iterable<unknown>) => [...items].join(', ') || null
  return changesOf<Record<'weekend' | 'opened' | 'closed', string | null>>(
    ['weekend', 'opened', 'closed'],
    { weekend: linesOf(before?.weekend ?? []) },
    { weekend: linesOf(after.weekend), opened: linesOf(was.difference(will)), closed: linesOf(will.difference(was)) },
  )
}

/** A calendar that is closed for a month would stop every payment. */
function requireSense({ calendar, year, weekend, closed }: { calendar: string; year: number; weekend: number[]; closed: string[] }): void {
  const other = closed.findIndex((day) => !day.startsWith(`${year}-`))
  if (other !== -1) refuseField(`closed.${other}`, `must be a day of ${year}`)
  const isOpen = openingsOf(calendar, [
    { id: null, calendar, year, weekend, closed, version: 1, actor: null, actor_id: null, created_at: null },
  ])
  let far = 0
  for (let day = `${year}-01-01`; day.startsWith(`${year}-`); day = addDays(day, 1)) {
    far = isOpen(day) === true ? 0 : far + 1
    if (far >= farthest_days) refuseField('closed', `must leave a day open in every ${farthest_days} days`)
  }
}

/** It takes two people to say on which days money settles. */
export function calendarApprovals(database: Database): ApprovalHandler[] {
  return [
    {
      action: enterAction,
      operations: ['enterCalendarYear'],
      async carryOut({ resource_id: id, payload, sequence }, by) {
        await writeYear(database, payload as Entered, { ...by, approved: true, sequence })
        return { id }
      },
    },
  ]
}
