// The data of events as shown, in SQL: the same as events/events.packing.ts in code, a second and slower time, for checks of many rows.
import { type Edition, editionsOf } from '../events/events.ts'
import { Fixed } from '../platform/database/sql.ts'

const list = (names: readonly string[]) => `'{${names.join(',')}}'::text[]`

/** The names and values in an array. */
const valuesOf = (data: string, names: readonly string[]) => `
  select (array['previous_status'] || ${list(names)})[row_number() over (order by part.place, copy) - 1] as name,
    case when json_typeof(part.value) <> 'array' then part.value end as value
  from json_array_elements(case when json_typeof(${data}) = 'array' then ${data} else '[]' end) with ordinality as part (value, place)
  cross join generate_series(1, case when json_typeof(part.value) = 'array' then (part.value ->> 0)::int else 1 end) as copy`

/** The values that change, and the constant ones from the resource's first event. */
function shortValues({ names, changing, times }: Edition, known: readonly Edition[]): string {
  const timed = `json_typeof(value) = 'number' and name = any(${list([...times])})`
  const time = `to_char((event.timestamp + value::text::int * interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const first = known.map(
    ({ names }, index) => `
      select name, value from (${valuesOf('one.data', names)}) as packed
      where json_typeof(one.data) = 'array' and one.data ->> 0 = '${index + 1}'`,
  )
  return `
    select name, case when ${timed} then to_json(${time}) else value end as value from (${valuesOf('event.data', changing)}) as changed
    union all
    select kept.name, kept.value from events one cross join lateral (
      select key as name, value from json_each(one.data -> 'object') where json_typeof(one.data) = 'object'
      union all ${first.join(' union all ')}) as kept
    where one.venture_id = event.venture_id and one.resource_id = event.resource_id and one.sequence = 1
      and kept.name = any(${list(names.filter((name) => !changing.includes(name)))})`
}

/** Optional fields without a value are left out. */
function shownAs({ names, statuses, optional = new Set() }: Edition, values: string): string {
  const isShown = `wanted.name <> 'previous_status' and (value is not null or wanted.name <> all(${list([...optional])}))`
  const isStatus = `json_typeof(value) = 'number' and wanted.name in ('status', 'previous_status')`
  const value = `case when ${isStatus} then to_json((${list(statuses)})[value::text::int + 1]) else value end`
  return `
    select json_build_object('object', json_object_agg(wanted.name, ${value}) filter (where ${isShown}),
      'previous_status', (json_agg(${value}) filter (where wanted.name = 'previous_status')) -> 0)
    from unnest(array['previous_status'] || ${list(names)}) as wanted (name) left join (${values}) as found on found.name = wanted.name`
}

function casesOf(kind: string): string[] {
  const known = editionsOf(kind)
  const when = (number: number) =>
    `when event.type like '${kind}.%' and json_typeof(event.data) = 'array' and event.data ->> 0 = '${number}'`
  return known.flatMap((edition, index) => [
    `${when(index + 1)} then (${shownAs(edition, valuesOf('event.data', edition.names))})`,
    `${when(-index - 1)} then (${shownAs(edition, shortValues(edition, known))})`,
  ])
}

/** For a statement about `event`. The fields are not in the order in which they were shown. */
export const shownData = new Fixed(`(case ${casesOf('transfer').join('\n')} else event.data end)`)
