// What is specific to Citus, for a database whose rows are on several servers (`npm run distribute`). See database.placement.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimKind } from './database.placement.ts'
import type { Reader } from './database.ts'
import { Choice, read } from './sql.ts'

/**
 * An additional `from` item with one row. Where rows of ventures are on several servers, it routes a statement without tables to the
 * venture's worker. Used for a lock that must last until that worker has committed, which may be after the coordinator.
 */
export const atWorker = ({ placement }: Pick<Reader, 'placement'>, venture_id: string | undefined): Choice =>
  placement.isSpread
    ? new Choice(
        [
          ', (select count(*) from idempotency_keys where venture_id = ',
          '::uuid and owner_id = ',
          `::uuid and operation = '') as at_worker`,
        ],
        [venture_id, venture_id],
      )
    : new Choice([''], [])

/** The ventures that have claimed these names, by name. */
export async function findNames(reader: Reader, kind: ClaimKind, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await reader.rows(read<{ name: string; venture_id: string }>`
    select name, venture_id from claims where kind = ${kind} and name = any(${names})`)
  return new Map(rows.map(({ name, venture_id }) => [name, venture_id]))
}

/** The transactions that a worker has prepared for the coordinator, whose group is 0. */
const prepared = `select coalesce(json_agg(gid), '[]') from pg_prepared_xacts where database = current_database() and gid like 'citus\\_0\\_%'`

/** How long a worker may take to commit what it has prepared. After a crash of the worker it takes longer. */
const settling_ms = 10_000

/** A server of the cluster, as the coordinator knows it. */
type Node = { name: string; port: number; group: number }

/** The worker that has the rows of a venture. */
async function findNode(reader: Pick<Reader, 'first'>, venture_id: string): Promise<Node> {
  const node = await reader.first(read<Node>`
    select nodename as name, nodeport as port, groupid as "group" from pg_dist_placement join pg_dist_node using (groupid)
    where shardid = get_shard_id_for_distribution_column('idempotency_keys', ${venture_id}::uuid) and noderole = 'primary'`)
  if (node === undefined) throw new Error(`the venture ${venture_id} has no worker`)
  return node
}

/** A worker's response to a statement that the coordinator passes on, or why there is none. */
async function askNode(
  reader: Pick<Reader, 'first'>,
  { name, port }: Pick<Node, 'name' | 'port'>,
  statement: string,
): Promise<{ success: boolean; result: string } | undefined> {
  return reader.first(read<{ success: boolean; result: string }>`
    select success, result from master_run_on_worker(array[${name}], array[${port}]::int[], array[${statement}], false)`)
}

/**
 * Waits until a venture's worker has committed everything that the coordinator has committed by now. The coordinator commits first and
 * tells the workers afterwards, so a reader who sees a row on the coordinator may not yet find the rows that the same transaction wrote on
 * a worker. Throws if that takes too long or the worker does not respond.
 */
export async function untilSettled(reader: Reader, venture_id: string, { patience_ms = settling_ms } = {}): Promise<void> {
  if (!reader.placement.isSpread) return
  const worker = await findNode(reader, venture_id)
  const end_ms = performance.now() + patience_ms
  const names = await preparedBy(reader, worker)
  if (names.size === 0) return
  // Transactions that the coordinator has not committed do not matter yet, nor do those that the worker prepares from now on.
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
