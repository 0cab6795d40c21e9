// Where the rows of ventures are stored, and what depends on it. Nothing outside platform/ asks how many servers the database has.
import { Choice, type Fixed, type Read, read, type Write, write } from './sql.ts'

type OfVenture = { readonly venture_id: string }

/** Names that are unique across ventures. On a single server, unique indexes enforce this. */
export type ClaimKind = 'account_number' | 'link_token' | 'payment' | 'gateway_order_number' | 'gateway_order_id'

/** `id`: the id of the row that has the name. */
export type NameClaim = OfVenture & { kind: ClaimKind; name: string; id: string }

type Writer = { run(query: Write<never>): Promise<number>; send(query: Write<never>): void }

export type Placement = {
  /** Whether the database is spread over several servers. For use in platform/ only. */
  readonly isSpread: boolean
  /**
   * For a statement about rows of one venture, which already has the venture as a condition: adds `and <column> = <the venture>` where that
   * routes the statement to the right server. Adds nothing for rows of several ventures; not every statement about those works on several
   * servers, see `parts`.
   */
  narrow(column: Fixed, rows: readonly OfVenture[]): Choice
  /** Splits rows into groups that one statement can handle. */
  parts<Row extends OfVenture>(rows: readonly Row[]): (readonly Row[])[]
  /** The key that separates commands of different servers into different batches; undefined if nothing has to be separated. */
  apart<Command>(ventureOf: (command: Command) => string): ((command: Command) => string) | undefined
  /**
   * Claims a name where no unique index can enforce it, and returns whether it was free. Where there is an index, it always returns true.
   */
  claimName(tx: Writer, claim: NameClaim): Promise<boolean>
  /**
   * The same without waiting, also for a name that the row already has. The transaction fails if another row has the name, as with a unique
   * index.
   */
  sendName(tx: Writer, claim: NameClaim): void
  /**
   * For the few statements with two forms, about rows of several ventures or of a venture and the bank: `together` if one server has all of
   * them, otherwise `apart`.
   */
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

/** Rows are on the workers of a Citus cluster, by venture (`npm run distribute`). */
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
    // Always in the same order, so that two transactions that lock rows of several ventures cannot deadlock.
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

/** The placement of a database. It changes only while no service is running. */
export async function findPlacement(rows: (query: Read<{ spread: boolean }>) => Promise<{ spread: boolean }[]>): Promise<Placement> {
  const [found] = await rows(askPlacement)
  return found?.spread === true ? onSeveralServers : onOneServer
}

/** Reads rows by their keys, with one statement for each part. */
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
