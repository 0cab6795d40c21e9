// Cases about calendars: payments wait for a year that nobody has entered.
import type { CaseHandler } from '../cases/cases.ts'
import { openFirstCase } from '../cases/cases.ts'
import { idOfName } from '../platform/bound-id.ts'
import { accompanied } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { houseId } from '../ventures/ventures.ts'
import type { Days } from './schemes.calendars.ts'
import type { Participation } from './schemes.schemas.ts'

const kind = 'calendar_missing'

/** In the transaction that finds it missing. There is at most one open case for each rail. */
export function openMissingCalendar(tx: Tx, { rail, calendar }: Pick<Participation, 'rail' | 'calendar'>, days: Days, today: string): void {
  const payload = { rail, calendar, year: days.missingYear(today) ?? null }
  openFirstCase(tx, { venture_id: houseId, kind, resource_id: idOfName(`${kind} ${rail}`), payload, severity: 'URGENT', due_h: 4 })
}

export function calendarCases(database: Database): Record<typeof kind, CaseHandler> {
  return {
    [kind]: {
      kind,
      decisions: { close: { needsTwo: false } },
      look: async ({ payload }) => ({ subject: payload, allowed: ['close'] }),
      decide: ({ resource_id: id }, _decision, { companions }) =>
        database.transaction((tx) => accompanied(tx, companions, async () => ({ id }))),
    },
  }
}
