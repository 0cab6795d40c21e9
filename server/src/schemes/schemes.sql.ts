// SQL statements for participations and calendars.
import type { Tx } from '../platform/database/database.ts'
import { columnsOf, read, write } from '../platform/database/sql.ts'
import { CalendarYear, Participation } from './schemes.schemas.ts'

const columns = columnsOf(Participation)
const yearColumns = columnsOf(CalendarYear)

/** All versions of all rails: people change them rarely. */
export const selectParticipations = () => read<Participation>`select ${columns} from participations order by rail, version`

/** The newest version of each year that people have entered. */
export const selectYears = () => read<CalendarYear>`
  select distinct on (calendar, year) ${yearColumns} from calendar_years order by calendar, year, version desc`

export const selectYear = (calendar: string, year: number) => read<CalendarYear>`
  select ${yearColumns} from calendar_years where calendar = ${calendar} and year = ${year} order by version desc limit 1`

/** The same number in all instances. */
const participationsLock = 5_648_790

/** Until the transaction ends, nobody else changes a participation or a calendar, and nothing is sealed. */
export async function lockParticipations(tx: Tx): Promise<void> {
  await tx.rows(write`select pg_advisory_xact_lock(${participationsLock})`)
}

/** Until the transaction ends, no rail is suspended. Without `wait`, returns whether the lock was free. */
export async function holdParticipations(tx: Tx, wait: boolean): Promise<boolean> {
  if (wait) {
    await tx.rows(write`select pg_advisory_xact_lock_shared(${participationsLock})`)
    return true
  }
  const row = await tx.first(write<{ got: boolean }>`select pg_try_advisory_xact_lock_shared(${participationsLock}) as got`)
  return row?.got === true
}

export function insertParticipation(tx: Tx, row: Participation): Promise<number> {
  return tx.run(write`
    insert into participations (era, xid, ${columns})
    select current_era(), pg_current_xact_id(), ${columns} from json_populate_record(null::participations, ${JSON.stringify(row)})`)
}

export function insertYear(tx: Tx, row: CalendarYear): Promise<number> {
  return tx.run(write`
    insert into calendar_years (era, xid, ${yearColumns})
    select current_era(), pg_current_xact_id(), ${yearColumns} from json_populate_record(null::calendar_years, ${JSON.stringify(row)})`)
}
