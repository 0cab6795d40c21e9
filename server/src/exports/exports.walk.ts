// Walks from a client to everything stored about it. Rows of one kind are found from the ids of another, some hundreds at a time, so an
// export needs little memory, however large it is.
import { listEventsOf } from '../events/events.ts'
import type { Actor } from '../platform/actor.ts'
import type { Placement } from '../platform/database/database.placement.ts'
import type { Snapshot } from '../platform/database/database.snapshot.ts'
import { Columns, type Fragment, fixed, fragment, read } from '../platform/database/sql.ts'
import type { TransferMove } from '../transfers/life/transfers.schemas.ts'
import { shownMoves } from '../transfers/transfers.ts'
import { type Kind, kinds, resources, type Subject } from './exports.kinds.ts'

export type Sight = 'venture' | 'bank'

const viewers: Record<Sight, Pick<Actor, 'kind'>> = { venture: { kind: 'venture' }, bank: { kind: 'operator' } }

type Row = Record<string, unknown>
type Keys = { venture_id: string; ids: readonly string[] }
type Wanted = { kind: Kind; parent: string; subject: Subject; whole: boolean }
type Found = Keys & { rows: readonly Row[] }

/** How many rows of one parent, and of how many parents, one statement reads. */
const [rowsOfOne, parentsAtOnce] = [100, 200]

/** How many rows one statement scans if no index finds them. */
const windowSize = 10_000

const table: Readonly<Record<string, Kind>> = kinds

export class Walk {
  readonly #snapshot: Snapshot
  readonly #subject: Subject
  readonly #sight: Sight
  readonly #placement: Placement

  constructor(snapshot: Snapshot, subject: Subject, { sight, placement }: { sight: Sight; placement: Placement }) {
    this.#snapshot = snapshot
    this.#subject = subject
    this.#sight = sight
    this.#placement = placement
  }

  /** The rows of a kind, as far as the caller may see them. */
  async *rowsOf(name: string): AsyncGenerator<readonly Row[]> {
    const found = name === 'events' ? this.#events() : this.#found(name, { whole: true })
    for await (const { rows } of found) if (rows.length > 0) yield rows
  }

  async *#keysOf(name: string): AsyncGenerator<Keys> {
    const { venture_id, client_id } = this.#subject
    if (name === 'client') yield { venture_id, ids: [client_id] }
    else yield* name === 'events' ? this.#events() : this.#found(name, { whole: false })
  }

  async *#found(name: string, { whole }: { whole: boolean }): AsyncGenerator<Found> {
    const kind = table[name] as Kind
    for (const parent of Object.keys(kind.of)) {
      for await (const { venture_id, ids } of this.#keysOf(parent)) {
        for (let start = 0; start < ids.length; start += parentsAtOnce)
          for (const subject of this.#subjectsOf(kind, parent))
            yield* this.#children({ kind, parent, subject, whole }, { venture_id, ids: ids.slice(start, start + parentsAtOnce) })
      }
    }
  }

  /** One statement about rows of each parent covers as many ventures as it can. */
  #subjectsOf({ across }: Kind, parent: string): Subject[] {
    if (across !== parent) return [this.#subject]
    const parts = this.#placement.parts(this.#subject.ventures.map((venture_id) => ({ venture_id })))
    return parts.map((part) => ({ ...this.#subject, ventures: part.map(({ venture_id }) => venture_id) }))
  }

  /** First some rows of every parent, then the rest of those that have more. */
  async *#children(wanted: Wanted, keys: Keys, after?: string): AsyncGenerator<Found> {
    const { kind, parent, subject, whole } = wanted
    const edge = kind.of[parent]
    if (edge === undefined) return
    const { venture_id, ids } = keys
    const { pagedBy, windowEnd } = kind
    const end = windowEnd && (await this.#snapshot.first(read<{ id: string }>`${windowEnd({ venture_id, after, size: windowSize })}`))?.id
    const page = windowEnd === undefined ? pageOf(pagedBy, after) : windowOf(after, end)
    const asked = { what: this.#columnsOf(kind, whole), venture_id, subject, page }
    const rows = await this.#snapshot.rows(read<Row>`
      select kept.* from unnest(${ids}::uuid[]) as parent (id) cross join lateral (${edge(asked)}) as kept`)
    yield* this.#grouped(kind, venture_id, rows, whole)
    if (end !== undefined) return yield* this.#children(wanted, keys, end)
    if (pagedBy === undefined) return
    for (const [id, { count, last }] of countsOf(rows)) {
      if (count === rowsOfOne) yield* this.#children(wanted, { venture_id, ids: [id] }, last)
    }
  }

  *#grouped(kind: Kind, venture_id: string, rows: readonly Row[], whole: boolean): Generator<Found> {
    const groups = kind.hasVenture ? grouped(rows, (row) => String(row['_venture'])) : new Map([[venture_id, rows]])
    for (const [owner, members] of groups) {
      const ids = kind.hasId ? members.map((row) => String(row['_id'])) : []
      yield { venture_id: owner, ids, rows: whole ? this.#shown(kind, members) : [] }
    }
  }

  #columnsOf(kind: Kind, whole: boolean): Fragment {
    const key = fragment`parent.id as "_parent", ${kind.pagedBy ?? fixed`null`} as "_key", ${kind.hasId ? fixed`kept.id` : fixed`null`} as "_id",
      ${kind.hasVenture ? fixed`kept.venture_id` : fixed`null`} as "_venture"`
    if (!whole) return key
    const seen = this.#sight === 'bank' ? (kind.columns ?? fixed`kept.*`) : new Columns(kind.fields ?? [], 'kept')
    return fragment`${key}, ${seen}`
  }

  #shown({ isShown }: Kind, rows: readonly Row[]): Row[] {
    const shown = rows.map(({ _parent, _key, _id, _venture, ...row }) => row)
    if (isShown !== 'moves') return shown
    const moves = shown as unknown as (TransferMove & { transfer_id: string })[]
    return [...grouped(moves, ({ transfer_id }) => transfer_id).values()].flatMap((ofOne) =>
      shownMoves(ofOne, viewers[this.#sight]),
    ) as unknown as Row[]
  }

  async *#events(): AsyncGenerator<Found> {
    for (const parent of resources) {
      for await (const { venture_id, ids } of this.#keysOf(parent)) {
        for (let start = 0; start < ids.length; start += parentsAtOnce)
          yield* this.#eventsOf({ venture_id, ids: ids.slice(start, start + parentsAtOnce) })
      }
    }
  }

  async *#eventsOf({ venture_id, ids: resource_ids }: Keys, after?: number): AsyncGenerator<Found> {
    const events = await listEventsOf(this.#snapshot, { venture_id, resource_ids, after, limit: rowsOfOne }, viewers[this.#sight])
    yield { venture_id, ids: events.map(({ id }) => id), rows: events }
    for (const [id, ofOne] of grouped(events, ({ resource_id }) => resource_id)) {
      const last = ofOne.at(-1)
      if (ofOne.length === rowsOfOne) yield* this.#eventsOf({ venture_id, ids: [id] }, last?.sequence)
    }
  }
}

function pageOf(column: Fragment | undefined, after: string | undefined): Fragment {
  if (column === undefined) return fragment``
  const rest = after === undefined ? fragment`` : fragment`and ${column} > ${after}`
  return fragment`${rest} order by ${column} limit ${rowsOfOne}`
}

function windowOf(after: string | undefined, end: string | undefined): Fragment {
  const from = after === undefined ? fragment`` : fragment`and kept.id > ${after}`
  return end === undefined ? from : fragment`${from} and kept.id <= ${end}`
}

function grouped<Member>(members: readonly Member[], keyOf: (member: Member) => string): Map<string, Member[]> {
  const groups = new Map<string, Member[]>()
  for (const member of members) {
    const group = groups.get(keyOf(member))
    if (group === undefined) groups.set(keyOf(member), [member])
    else group.push(member)
  }
  return groups
}

/** How many rows each parent has, and the key of the last one. The rows of a parent are in order. */
function countsOf(rows: readonly Row[]): Map<string, { count: number; last: string }> {
  const counts = new Map<string, { count: number; last: string }>()
  for (const { _parent, _key } of rows) {
    const id = String(_parent)
    counts.set(id, { count: (counts.get(id)?.count ?? 0) + 1, last: String(_key) })
  }
  return counts
}
