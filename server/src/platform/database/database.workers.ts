// Transactions of one venture that go straight to the worker which has its rows: the coordinator of a distributed database needs several times as long to
// plan a statement and to pass it on as a worker needs to carry it out.
import { randomBytes } from 'node:crypto'
import type { Logger } from '../log.ts'
import { hostUrls } from './database.hosts.ts'
import { Shard } from './database.placed.ts'
import { askNode, findNode, type Node } from './database.shards.ts'
import type { Database, Tx } from './database.ts'
import { read } from './sql.ts'

/** Where the rows of a venture are. */
export type Place = { readonly shard: Shard; readonly worker: Worker }

export type Worker = { readonly node: Node; readonly database: Database; state: 'unknown' | 'usable' | 'resting' }

type Options = {
  coordinator: Database
  /** Opens the database of a worker, with the settings of the coordinator's. */
  open: (url: string) => Database
  log: Pick<Logger, 'warn'>
}

/** A worker that could not be used is tried again after so long. Nobody waits for that. */
const rest_ms = 1_000

/** The places of so many ventures are remembered. */
const mostVentures = 100_000

export class Workers {
  readonly #coordinator: Database
  readonly #open: Options['open']
  readonly #log: Options['log']
  readonly #workers = new Map<string, Worker>()
  readonly #shards = new Map<string, Promise<Shard>>()
  readonly #places = new Map<string, Promise<Place>>()
  #isClosed = false

  constructor({ coordinator, open, log }: Options) {
    this.#coordinator = coordinator
    this.#open = open
    this.#log = log
  }

  /** Where a venture is, or undefined if its worker cannot be used from here. */
  async placeOf(venture_id: string): Promise<Place | undefined> {
    let place = this.#places.get(venture_id)
    if (place === undefined) {
      place = this.#find(venture_id)
      this.#places.set(venture_id, place)
      if (this.#places.size > mostVentures) this.#places.clear()
      place.catch(() => this.#places.delete(venture_id))
    }
    const found = await place
    if (found.worker.state === 'unknown') await this.#try(found.worker)
    return found.worker.state === 'usable' ? found : undefined
  }

  /**
   * Runs `work` in a transaction on the worker. Its statements name the tables as usual. They are those of the shard when the transaction begins; that it was
   * not moved before is for the caller to find out from the coordinator (`findMoved`) before `work` ends.
   */
  transaction<T>({ shard, worker }: Place, work: (tx: Tx) => Promise<T>, since_ms: number): Promise<T> {
    return worker.database.transaction(work, since_ms, { shard, elsewhere: this.#coordinator })
  }

  /** Those of the places that are no longer where their shards are. */
  async findMoved(tx: Tx, places: readonly Place[]): Promise<Set<Place>> {
    const rows = await tx.rows(read<Node & { shard: string }>`
      select nodename as name, nodeport as port, groupid as "group", shardid::text as shard from pg_dist_placement join pg_dist_node using (groupid)
      where shardid = any(${places.map(({ shard }) => shard.id)}::bigint[]) and noderole = 'primary'`)
    const there = new Set(rows.map((row) => `${row.shard} ${keyOf(row)}`))
    const moved = new Set(places.filter(({ shard, worker }) => !there.has(`${shard.id} ${keyOf(worker.node)}`)))
    if (moved.size > 0) this.#forget()
    return moved
  }

  /** What concerns this worker goes through the coordinator until it can be used again. */
  rest(worker: Worker, reason: unknown): void {
    if (worker.state === 'resting') return
    worker.state = 'resting'
    this.#log.warn(
      { err: reason, worker: addressOf(worker.node) },
      'a worker cannot be used directly: what concerns it goes through the coordinator, which is slower',
    )
    // It may have got another address.
    this.#forget()
    this.#wake(worker)
  }

  #wake(worker: Worker): void {
    setTimeout(() => {
      if (!this.#isClosed) this.#wakeOrLeave(worker).catch(() => this.#wake(worker))
    }, rest_ms).unref()
  }

  /** A server that the coordinator does not name any more is left alone: its address may be another's by now. */
  async #wakeOrLeave(worker: Worker): Promise<void> {
    const { name, port, group } = worker.node
    const named = await this.#coordinator.first(read`
      select groupid from pg_dist_node where nodename = ${name} and nodeport = ${port} and groupid = ${group} and noderole = 'primary'`)
    if (named === undefined) {
      this.#workers.delete(keyOf(worker.node))
      return worker.database.close()
    }
    await this.#require(worker)
    this.#log.warn({ worker: addressOf(worker.node) }, 'the worker can be used directly again')
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#workers.values()].map(({ database }) => database.close()))
  }

  #forget(): void {
    this.#places.clear()
    this.#shards.clear()
  }

  async #find(venture_id: string): Promise<Place> {
    const { shard: id, ...node } = await findNode(this.#coordinator, venture_id)
    let shard = this.#shards.get(id)
    if (shard === undefined) {
      shard = this.#findShard(id)
      this.#shards.set(id, shard)
      shard.catch(() => this.#shards.delete(id))
    }
    return { shard: await shard, worker: this.#workerAt(node) }
  }

  /** Every table has a shard for the same ventures; of tables that are everywhere, each worker has its own copy, under the same name. */
  async #findShard(id: string): Promise<Shard> {
    const rows = await this.#coordinator.rows(read<{ table: string; name: string }>`
      select relname::text as "table", relname || '_' || shardid as name
      from pg_dist_shard join pg_class on pg_class.oid = logicalrelid
      where relnamespace = 'public'::regnamespace and not relispartition
        and (shardminvalue is null or shardminvalue = (select shardminvalue from pg_dist_shard where shardid = ${id}::bigint))`)
    return new Shard(id, new Map(rows.map(({ table, name }) => [table, name])))
  }

  #workerAt(node: Node): Worker {
    let worker = this.#workers.get(keyOf(node))
    if (worker === undefined) {
      worker = { node, database: this.#open(urlAt(this.#coordinator.url, addressOf(node))), state: 'unknown' }
      this.#workers.set(keyOf(node), worker)
    }
    return worker
  }

  async #try(worker: Worker): Promise<void> {
    await this.#require(worker).catch((error) => this.rest(worker, error))
  }

  /** It has to let the service in, and to be the server that the coordinator means. */
  async #require(worker: Worker): Promise<void> {
    const number = randomBytes(8).readBigInt64BE(0).toString()
    await worker.database.transaction(async (tx) => {
      const found = await tx.first(read<{ group: number }>`
        select groupid as "group", pg_advisory_xact_lock(${number}::bigint) from pg_dist_local_group`)
      // A copy of the cluster has the same groups. Only the server that is meant has the lock.
      const seen = await askNode(this.#coordinator, worker.node, `select pg_try_advisory_xact_lock(${number})`)
      if (found?.group !== worker.node.group || seen?.success !== true || seen.result !== 'f')
        throw new Error(`it is not the server of the group ${worker.node.group}`)
    })
    worker.state = 'usable'
  }
}

const addressOf = ({ name, port }: Node): string => `${name.includes(':') ? `[${name}]` : name}:${port}`

const keyOf = (node: Node): string => `${node.group} ${addressOf(node)}`

/** The URL of a worker: that of the coordinator with another address. */
export function urlAt(url: string, address: string): string {
  const [first = url] = hostUrls(url)
  const changed = new URL(first)
  changed.host = address
  // A host among the parameters would replace that of the address.
  for (const parameter of ['host', 'port']) changed.searchParams.delete(parameter)
  return changed.href
}
