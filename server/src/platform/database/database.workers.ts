// Transactions of one venture that go straight to the worker which has its rows: the coordinator of a distributed database needs several times as long to
// plan a statement and to pass it on as a worker needs to carry it out.
import { randomBytes } from 'node:crypto'
import type { Logger } from '../log.ts'
import { hostUrls } from './database.hosts.ts'
import { Shard } from './database.placed.ts'
import type { Database, Tx } from './database.ts'
import { fixed, read } from './sql.ts'

/** Where the rows of a venture are. */
export type Place = { readonly shard: Shard; readonly worker: Worker }

/** `address`: as the coordinator knows it. */
export type Worker = {
  readonly address: string
  readonly group: number
  readonly database: Database
  state: 'unknown' | 'usable' | 'resting'
}

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
    const rows = await tx.rows(read<{ shard: string; address: string }>`
      select shardid::text as shard, ${address} as address from pg_dist_placement join pg_dist_node using (groupid)
      where shardid = any(${places.map(({ shard }) => shard.id)}::bigint[]) and noderole = 'primary'`)
    const addressOf = new Map(rows.map(({ shard, address }) => [shard, address]))
    const moved = new Set(places.filter(({ shard, worker }) => addressOf.get(shard.id) !== worker.address))
    if (moved.size > 0) this.#forget()
    return moved
  }

  /** What concerns this worker goes through the coordinator until it can be used again. */
  rest(worker: Worker, reason: unknown): void {
    if (worker.state === 'resting') return
    worker.state = 'resting'
    this.#log.warn(
      { err: reason, worker: worker.address },
      'a worker cannot be used directly: what concerns it goes through the coordinator, which is slower',
    )
    // It may have got another address.
    this.#forget()
    this.#wake(worker)
  }

  #wake(worker: Worker): void {
    setTimeout(() => {
      if (this.#isClosed) return
      this.#wakeIfNamed(worker).then(
        () => this.#log.warn({ worker: worker.address }, 'the worker can be used directly again'),
        () => this.#wake(worker),
      )
    }, rest_ms).unref()
  }

  /** A server that the coordinator does not name any more is left alone: its address may be another's by now. */
  async #wakeIfNamed(worker: Worker): Promise<void> {
    const named = await this.#coordinator.first(read`
      select groupid from pg_dist_node where ${address} = ${worker.address} and groupid = ${worker.group} and noderole = 'primary'`)
    if (named !== undefined) return this.#require(worker)
    this.#workers.delete(keyOf(worker))
    await worker.database.close()
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
    const row = await this.#coordinator.first(read<{ id: string; group: number; address: string }>`
      select shardid::text as id, groupid as "group", ${address} as address from pg_dist_placement join pg_dist_node using (groupid)
      where shardid = get_shard_id_for_distribution_column('idempotency_keys', ${venture_id}::uuid) and noderole = 'primary'`)
    if (row === undefined) throw new Error(`the venture ${venture_id} has no worker`)
    let shard = this.#shards.get(row.id)
    if (shard === undefined) {
      shard = this.#findShard(row.id)
      this.#shards.set(row.id, shard)
      shard.catch(() => this.#shards.delete(row.id))
    }
    return { shard: await shard, worker: this.#workerAt(row) }
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

  #workerAt({ group, address }: { group: number; address: string }): Worker {
    let worker = this.#workers.get(keyOf({ group, address }))
    if (worker === undefined) {
      worker = { address, group, database: this.#open(urlAt(this.#coordinator.url, address)), state: 'unknown' }
      this.#workers.set(keyOf(worker), worker)
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
      const [found] = await tx.rows(read<{ group: number }>`
        select groupid as "group", pg_advisory_xact_lock(${number}::bigint) from pg_dist_local_group`)
      const [name, port] = partsOf(worker.address)
      // A copy of the cluster has the same groups. Only the server that is meant has the lock.
      const [seen] = await this.#coordinator.rows(read<{ success: boolean; result: string }>`
        select success, result from master_run_on_worker(
          array[${name}], array[${port}]::int[], array[${`select pg_try_advisory_xact_lock(${number})`}], false)`)
      if (found?.group !== worker.group || seen?.success !== true || seen.result !== 'f')
        throw new Error(`it is not the server of the group ${worker.group}`)
    })
    worker.state = 'usable'
  }
}

const address = fixed`case when nodename like '%:%' then '[' || nodename || ']' else nodename end || ':' || nodeport`

const keyOf = ({ group, address }: Pick<Worker, 'group' | 'address'>): string => `${group} ${address}`

/** The name and the port, as Citus knows them. */
function partsOf(address: string): [name: string, port: string] {
  const colon = address.lastIndexOf(':')
  return [address.slice(0, colon).replace(/^\[|\]$/g, ''), address.slice(colon + 1)]
}

/** The URL of a worker: that of the coordinator with another address. */
export function urlAt(url: string, address: string): string {
  const [first = url] = hostUrls(url)
  const changed = new URL(first)
  changed.host = address
  // A host among the parameters would replace that of the address.
  for (const parameter of ['host', 'port']) changed.searchParams.delete(parameter)
  return changed.href
}
