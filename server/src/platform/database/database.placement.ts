// Where the rows of ventures are, and what differs because of that: nothing outside of platform/ asks on how many servers a database is.
import { Choice, type Fixed, type Read, read, type Write, write } from './sql.ts'

type OfVenture = { readonly venture_id: string }

/** Names that are unique across ventures. On one server a unique index takes care of them. */
export type ClaimKind = 'account_number' | 'link_token' | 'payment' | 'gateway_order_number' | 'gateway_order_id'

/** `id`: of the row that has the name. */
export type NameClaim = OfVenture & { kind: ClaimKind; name: string; id: string }

type Writer = { run(query: Write<never>): Promise<number>; send(query: Write<never>): void }

export type Placement = {
  /** Whether the database is on several servers. Only for platform/. */
  readonly isSpread: boolean
  /**
   * For a statement about rows of one venture, which it has as a condition already: `and <column> = <the venture>`, where that leads the statement to the
   * server that has them. Nothing for rows of several ventures, about which not every statement is possible on several servers; see `parts`.
   */
  narrow(column: Fixed, rows: readonly OfVenture[]): Choice
  /** Rows in the parts that one statement can be about. */
  parts<Row extends OfVenture>(rows: readonly Row[]): (readonly Row[])[]
  /** What keeps commands of a batch apart, because their rows are on different servers; undefined if nothing does. */
  apart<Command>(ventureOf: (command: Command) => string): ((command: Command) => string) | undefined
  /** Claims a name where no unique index can keep it. Tells whether it was free; with an index it always seems to be. */
  claimName(tx: Writer, claim: NameClaim): Promise<boolean>
  /** The same without waiting, also for a name that the row has already. The transaction fails if another row has it, as with a unique index. */
  sendName(tx: Writer, claim: NameClaim): void
  /** For the few statements that have two forms: about rows of several ventures, or of a venture and the bank, which are not `together` everywhere. */
  either<Result>(forms: { together: () => Result; apart: () => Result }): Result
}

const nothing = new Choice([''], [])

export const onOneServer: Placement = {
  isSpread: false,
  narrow: () => nothing,
  parts: (rows) => (rows.length === 0 ? [] : [rows]),
  apart: () => undefined,
  claimName: async () => true,
  sendName() {},
  either: ({ together }) => together(),
}

/** On the workers of a Citus cluster, by venture (`npm run distribute`). */
export const onSeveralServers: Placement = {
  isSpread: true,
  narrow(column, rows) {
    const [first] = rows
    const isOne = first !== undefined && rows.every(({ venture_id }) => venture_id === first.venture_id)
    return isOne ? new Choice(['and ', ' = ', '::uuid'], [column, first.venture_id]) : nothing
  },
  parts(rows) {
    if (rows.length < 2) return rows.length === 0 ? [] : [rows]
    const parts = Map.groupBy(rows, ({ venture_id }) => venture_id)
    // In the same order everywhere, so that two transactions which lock rows of several ventures cannot deadlock.
    return [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part)
  },
  apart: (ventureOf) => ventureOf,
  async claimName(tx, { kind, name, venture_id, id }) {
    const claimed = await tx.run(write`
      insert into claims (kind, name, venture_id, id) values (${kind}, ${name}, ${venture_id}, ${id}) on conflict do nothing`)
    return claimed === 1
  },
  sendName(tx, { kind, name, venture_id, id }) {
    tx.send(write`
      insert into claims (kind, name, venture_id, id) values (${kind}, ${name}, ${venture_id}, ${id})
      on conflict (kind, name) do update set name = case when claims.id = excluded.id then excluded.name end`)
  },
  either: ({ apart }) => apart(),
}

const askPlacement = read<{ spread: boolean }>`
  select to_regclass('claims') is not null and exists (select from pg_extension where extname = 'citus') as spread`

/** That of a database. It changes only while no service runs. */
export async function findPlacement(rows: (query: Read<{ spread: boolean }>) => Promise<{ spread: boolean }[]>): Promise<Placement> {
  const [found] = await rows(askPlacement)
  return found?.spread === true ? onSeveralServers : onOneServer
}

/** Reads rows by their keys, with one statement for each of the parts. */
export async function rowsByVenture<Key extends OfVenture, Row>(
  { placement }: { readonly placement: Placement },
  keys: readonly Key[],
  select: (part: readonly Key[]) => Promise<Row[]>,
): Promise<Row[]> {
  const parts = placement.parts(keys)
  const [only] = parts
  if (only === undefined) return []
  if (parts.length === 1) return select(only)
  const found: Row[] = []
  for (const part of parts) found.push(...(await select(part)))
  return found
}
