// Full runs: once a day, everyone of a venture is compared with all lists. A row says how far the run has got, so a run that was interrupted
// continues there, and a step that two workers take counts once.
import type { Reader, Tx } from '../platform/database/database.ts'
import { fixed, read, write } from '../platform/database/sql.ts'
import { firstIdAt } from '../platform/ids.ts'
import type { SubjectKind } from './screening.schemas.ts'

/** A run that has not ended. `kind`, `after`: the last subject that was compared. */
export type Run = { venture_id: string; id: string; started_at: string; kind: SubjectKind; after: string }

/** The subjects that a step comes to. */
export type RunPlace = Pick<Run, 'kind' | 'after'>

const day_ms = 86_400_000

/** A run that takes longer is given up for a new one. */
const longest_ms = 26 * 3_600_000

const runColumns = fixed`run.venture_id, run.id, run.started_at, run.kind, run.after`

/** When the last full run of the venture ended: everyone known at that time had been compared. Undefined if none has ended. */
export async function lastFullRun(database: Reader, venture_id: string): Promise<Date | undefined> {
  const last = await database.first(read<{ ended_at: string }>`
    select ended_at from screening_runs where venture_id = ${venture_id} and ended_at is not null order by ended_at desc limit 1`)
  return last && new Date(last.ended_at)
}

/** The ventures, of the given ones, that had no run today and have none that is under way. */
export async function findWithoutRun(reader: Reader, venture_ids: readonly string[], now: Date): Promise<string[]> {
  const runs = await reader.rows(read<{ venture_id: string }>`
    select venture_id from screening_runs where venture_id = any(${venture_ids})
      and (id = ${idOn(now)} or ended_at is null and started_at >= ${new Date(now.getTime() - longest_ms).toISOString()})`)
  const known = new Set(runs.map(({ venture_id }) => venture_id))
  return venture_ids.filter((venture_id) => !known.has(venture_id))
}

/** A venture has one run a day: its id is that of the day. */
const idOn = (now: Date): string => firstIdAt(new Date(Math.floor(now.getTime() / day_ms) * day_ms))

/** Returns the id of the new run; undefined if another instance has begun it. */
export async function beginRun(tx: Tx, venture_id: string, { kind, after }: RunPlace, now: Date): Promise<string | undefined> {
  const id = idOn(now)
  const begun = await tx.run(write`
    insert into screening_runs (venture_id, id, started_at, compared, kind, after)
    values (${venture_id}, ${id}, ${now.toISOString()}, 0, ${kind}, ${after}) on conflict (venture_id, id) do nothing`)
  return begun > 0 ? id : undefined
}

/** The run if it has not ended and no newer one has replaced it. */
export const selectRun = (venture_id: string, id: string) => read<Run>`
  select ${runColumns} from screening_runs run where run.venture_id = ${venture_id} and run.id = ${id} and run.ended_at is null
    and not exists (select from screening_runs newer where newer.venture_id = ${venture_id} and newer.id > ${id})`

/** `next`: undefined if everyone has been compared. */
export type RunStep = { run: Run; compared: number; next: RunPlace | undefined; now: Date }

/** Returns false if another worker has taken this step. */
export async function writeRunStep(tx: Tx, { run, compared, next, now }: RunStep): Promise<boolean> {
  const { kind, after } = next ?? run
  const ended_at = next === undefined ? now.toISOString() : null
  const written = await tx.run(write`
    update screening_runs
    set kind = ${kind}, after = ${after}, compared = compared + ${compared}, ended_at = ${ended_at}::timestamptz
    where venture_id = ${run.venture_id} and id = ${run.id} and kind = ${run.kind} and after = ${run.after} and ended_at is null`)
  return written > 0
}
