// What statements need when the rows of ventures are on several servers (`npm run distribute`). On a single PostgreSQL all of this adds nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reader, Tx } from './database.ts'
import { Choice, type Fixed, read, write } from './sql.ts'

/** Whose rows are where. */
type Shape = Pick<Reader, 'distributed'>

type OfVenture = { readonly venture_id: string }

const nothing = new Choice([''], [])

/**
 * `and <column> = <the venture of the rows>` in a distributed database: it leads the statement to the server that has them. For rows of several
 * ventures, about which not every statement is possible there, see `byVenture`.
 */
export function onShard({ distributed }: Shape, column: Fixed, rows: readonly OfVenture[]): Choice {
  if (!distributed) return nothing
  const [first] = rows
  const isOne = first !== undefined && rows.every(({ venture_id }) => venture_id === first.venture_id)
  return isOne ? new Choice(['and ', ' = ', '::uuid'], [column, first.venture_id]) : nothing
}

/**
 * Another item of a `from`, with one row: in a distributed database it leads a statement without tables to the worker that has the rows of the venture. For locks that
 * transactions of that worker alone take as well, and for what only it can tell.
 */
export const atWorker = ({ distributed }: Shape, venture_id: string | undefined): Choice =>
  distributed
    ? new Choice(
        [
          ', (select count(*) from idempotency_keys where venture_id = ',
          '::uuid and owner_id = ',
          `::uuid and operation = '') as at_worker`,
        ],
        [venture_id, venture_id],
      )
    : nothing

/** All rows together on a single PostgreSQL; those of each venture by themselves in a distributed database. */
export function byVenture<Row extends OfVenture>({ distributed }: Shape, rows: readonly Row[]): (readonly Row[])[] {
  if (!distributed || rows.length < 2) return rows.length === 0 ? [] : [rows]
  const parts = Map.groupBy(rows, ({ venture_id }) => venture_id)
  // In the same order everywhere, so that two transactions which lock rows of several ventures cannot deadlock.
  return [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part)
}

/** Reads rows by their keys: with one statement, or with one for each venture in a distributed database. */
export async function rowsByVenture<Key extends OfVenture, Row>(
  shape: Shape,
  keys: readonly Key[],
  select: (part: readonly Key[]) => Promise<Row[]>,
): Promise<Row[]> {
  const parts = byVenture(shape, keys)
  const [only] = parts
  if (only === undefined) return []
  if (parts.length === 1) return select(only)
  const found: Row[] = []
  for (const part of parts) found.push(...(await select(part)))
  return found
}

/** Names that are unique across ventures. On a single PostgreSQL a unique index takes care of them. */
export type ClaimKind = 'account_number' | 'link_token' | 'payment' | 'gateway_order_number' | 'gateway_order_id'

/** `id`: of the row that has the name. */
export type NameClaim = OfVenture & { kind: ClaimKind; name: string; id: string }

/** Claims a name in a distributed database. Tells whether it was free; on a single PostgreSQL it always seems to be. */
export async function claimName(tx: Tx, { kind, name, venture_id, id }: NameClaim): Promise<boolean> {
  if (!tx.distributed) return true
  const claimed = await tx.run(write`
    insert into claims (kind, name, venture_id, id) values (${kind}, ${name}, ${venture_id}, ${id}) on conflict do nothing`)
  return claimed === 1
}

/** Claims a name in a distributed database, or claims it again for the same row. The transaction fails if another row has it, as with a unique index. */
export function sendName(tx: Tx, { kind, name, venture_id, id }: NameClaim): void {
  if (!tx.distributed) return
  tx.send(write`
    insert into claims (kind, name, venture_id, id) values (${kind}, ${name}, ${venture_id}, ${id})
    on conflict (kind, name) do update set name = case when claims.id = excluded.id then excluded.name end`)
}

/** The ventures that have claimed names, by the name. Only in a distributed database. */
export async function findNames(reader: Reader, kind: ClaimKind, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await reader.rows(read<{ name: string; venture_id: string }>`
    select name, venture_id from claims where kind = ${kind} and name = any(${names})`)
  return new Map(rows.map(({ name, venture_id }) => [name, venture_id]))
}

/** In a distributed database a batch has the commands of one venture, whose rows are on one server. */
export function apart({ distributed }: Shape): ((command: OfVenture) => string) | undefined {
  return distributed ? ({ venture_id }) => venture_id : undefined
}

/** The transactions that a worker has prepared for the coordinator, whose group is 0. */
const prepared = `select coalesce(json_agg(gid), '[]') from pg_prepared_xacts where database = current_database() and gid like 'citus\\_0\\_%'`

/** How long a worker may take to commit what it has prepared. After a crash of its own it takes longer. */
const settling_ms = 10_000

/** A server of the cluster, as the coordinator knows it. */
export type Node = { name: string; port: number; group: number }

/** Where the rows of a venture are: on which worker, and in which of its shards. */
export async function findNode(reader: Pick<Reader, 'first'>, venture_id: string): Promise<Node & { shard: string }> {
  const node = await reader.first(read<Node & { shard: string }>`
    select nodename as name, nodeport as port, groupid as "group", shardid::text as shard from pg_dist_placement join pg_dist_node using (groupid)
    where shardid = get_shard_id_for_distribution_column('idempotency_keys', ${venture_id}::uuid) and noderole = 'primary'`)
  if (node === undefined) throw new Error(`the venture ${venture_id} has no worker`)
  return node
}

/** What a worker answers to a statement that the coordinator passes on, or why it does not. */
export async function askNode(
  reader: Pick<Reader, 'first'>,
  { name, port }: Pick<Node, 'name' | 'port'>,
  statement: string,
): Promise<{ success: boolean; result: string } | undefined> {
  return reader.first(read<{ success: boolean; result: string }>`
    select success, result from master_run_on_worker(array[${name}], array[${port}]::int[], array[${statement}], false)`)
}

/**
 * Waits until the worker of a venture has committed whatever the coordinator has committed by now. The coordinator commits first and then tells the workers, so
 * whoever sees a row of it may not find the rows on a worker that were written together with it. Throws if that takes too long, or if the worker does not answer.
 */
export async function untilSettled(reader: Reader, venture_id: string, { patience_ms = settling_ms } = {}): Promise<void> {
  if (!reader.distributed) return
  const worker = await findNode(reader, venture_id)
  const end_ms = performance.now() + patience_ms
  const names = await preparedBy(reader, worker)
  if (names.size === 0) return
  // What the coordinator has not committed is nobody's business yet, and neither is what the worker prepares from now on.
  const decided = await reader.rows(read<{ gid: string }>`
    select gid from pg_dist_transaction where groupid = ${worker.group} and gid = any(${[...names]})`)
  let open = new Set(decided.map(({ gid }) => gid))
  for (let pause_ms = 10; open.size > 0; pause_ms = Math.min(2 * pause_ms, 500)) {
    if (performance.now() > end_ms) throw new Error(`a worker has not committed ${open.size} transactions in time`)
    await sleep(pause_ms)
    open = open.intersection(await preparedBy(reader, worker))
  }
}

async function preparedBy(reader: Reader, worker: Node): Promise<Set<string>> {
  const answer = await askNode(reader, worker, prepared)
  if (answer?.success !== true) throw new Error(`a worker does not say what it has prepared: ${answer?.result}`)
  return new Set(JSON.parse(answer.result) as string[])
}
