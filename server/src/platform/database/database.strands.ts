// Strands: sets of rows whose transaction numbers come from the same server and can therefore be ordered. Every server numbers its own transactions, so a
// table on one server is one strand, and a distributed table has one strand for each shard.
import pg from 'pg'
import { findPlacement, type Placement } from './database.placement.ts'
import { type Fragment, fixed, fragment, type Read, read } from './sql.ts'

/**
 * Rows of a table that share one order, even after their shard has moved. `name`: the name of the table if all its rows belong to the strand, otherwise
 * with the range of the shard's venture hashes, such as `entries/-2147483648..-1`.
 */
export type Strand = { readonly name: string; readonly table: string; readonly sources: readonly Source[] }

/** A relation with rows of a strand: the text for FROM, and the condition that selects the rows. */
export type Source = { readonly relation: string; readonly within: Fragment; readonly worker?: Worker }

type Worker = { readonly name: string; readonly port: number }

/** The hash range of a shard in the name of a strand. */
const rangeIn = /^([a-z_]+)\/(-?\d+)\.\.(-?\d+)$/

/** Whether the rows of ventures with this hash belong to the named strand. */
export function isOfStrand(name: string, hash: number): boolean {
  const [, , min, max] = rangeIn.exec(name) ?? []
  return min === undefined || max === undefined || (hash >= Number(min) && hash <= Number(max))
}

/** The result of a statement on one source. `server`: which run of which server; absent if a worker has the rows. */
export type Stretch = { bytes: Buffer | null; xmin: string; server?: string }

export type Question = { strand: Strand; ask: (source: Source) => Read<Stretch> }

/** Runs a statement on the only PostgreSQL server, or on the coordinator. */
type Run = <Row extends object>(query: Read<Row>) => Promise<Row[]>

type Shard = Worker & { table: string; relation: string; min: number; max: number }

const all = fixed`true`

export class Strands {
  /** The current strands, in the order of the tables, then of the hashes. */
  readonly all: readonly Strand[]
  readonly #shards: ReadonlyMap<string, readonly Shard[]>
  readonly #run: Run

  private constructor(run: Run, tables: readonly string[], shards: readonly Shard[]) {
    this.#run = run
    this.#shards = Map.groupBy(shards, ({ table }) => table)
    this.all = tables.flatMap((table) => this.#shards.get(table)?.map((shard) => this.named(nameOf(shard))) ?? [this.named(table)])
  }

  static async find(run: Run, tables: readonly string[], placement?: Placement): Promise<Strands> {
    const { isSpread } = placement ?? (await findPlacement(run))
    return new Strands(run, tables, isSpread ? await run(selectShards(tables)) : [])
  }

  /** Also finds strands from before or after a distribution, because rows keep their order. */
  named(name: string): Strand {
    const [, table = name, min, max] = rangeIn.exec(name) ?? []
    const shards = this.#shards.get(table)
    const range = min === undefined || max === undefined ? undefined : { min: Number(min), max: Number(max) }
    if (shards === undefined) return { name, table, sources: [{ relation: table, within: withinOf(range) }] }
    const touched = range === undefined ? shards : shards.filter(({ min, max }) => min <= range.max && max >= range.min)
    const isWhole = touched.every(({ min, max }) => range === undefined || (min >= range.min && max <= range.max))
    return {
      name,
      table,
      sources: touched.map(({ relation, name, port }) => ({
        relation: `${relation} as ${table}`,
        within: isWhole ? all : withinOf(range),
        worker: { name, port },
      })),
    }
  }

  /** Asks the servers that have the rows: for each question, one stretch from each source. A worker gets all its questions in one statement. */
  async read(questions: readonly Question[]): Promise<Stretch[][]> {
    const asked = questions.flatMap(({ strand, ask }, question) =>
      strand.sources.map((source) => ({ question, source, query: ask(source) })),
    )
    const answers = questions.map((): Stretch[] => [])
    for (const { question, query } of asked.filter(({ source }) => source.worker === undefined))
      answers[question]?.push(...(await this.#run(query)))
    const onWorkers = asked.flatMap(({ source: { worker }, ...rest }) => (worker === undefined ? [] : [{ ...rest, worker }]))
    const found = await this.#askWorkers(onWorkers)
    for (const [index, { question }] of onWorkers.entries()) {
      const stretch = found[index]
      if (stretch === undefined) throw new Error('a worker did not answer')
      answers[question]?.push(stretch)
    }
    return answers
  }

  async #askWorkers(asked: readonly { query: Read<Stretch>; worker: Worker }[]): Promise<Stretch[]> {
    if (asked.length === 0) return []
    const byWorker = Map.groupBy(asked.keys(), (index) => `${asked[index]?.worker.name} ${asked[index]?.worker.port}`)
    const commands = [...byWorker.values()].map((indexes) => {
      const parts = indexes.map((index) => `select ${index} as index, found.* from (${literally(asked[index]?.query)}) as found`)
      const { name, port } = asked[indexes[0] ?? 0]?.worker ?? { name: '', port: 0 }
      return { name, port, command: `select json_agg(answer) from (${parts.join(' union all ')}) as answer` }
    })
    const answers = await this.#run(
      askWorkers(
        commands.map(({ name }) => name),
        commands.map(({ port }) => port),
        commands.map(({ command }) => command),
      ),
    )
    const stretches: Stretch[] = []
    for (const { node, success, result } of answers) {
      if (!success) throw new Error(`the worker ${node} does not answer: ${result}`)
      for (const { index, bytes, xmin } of JSON.parse(result) as { index: number; bytes: string | null; xmin: string }[])
        stretches[index] = { bytes: bytes === null ? null : Buffer.from(bytes.slice(2), 'hex'), xmin }
    }
    return stretches
  }
}

const nameOf = ({ table, min, max }: Shard): string => `${table}/${min}..${max}`

/** Citus distributes rows by this hash function of PostgreSQL. */
const withinOf = (range: { min: number; max: number } | undefined): Fragment =>
  range === undefined ? all : fragment`uuid_hash(venture_id) between ${range.min}::int and ${range.max}::int`

/** With their schema: a worker must not find a relation of the same name by its search path. */
const selectShards = (tables: readonly string[]) => read<Shard>`
  select logicalrelid::text as "table", format('%I.%I', nspname, relname || '_' || shardid) as relation, shardminvalue::int as min,
    shardmaxvalue::int as max, nodename as name, nodeport as port
  from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
    join pg_class on pg_class.oid = logicalrelid join pg_namespace on pg_namespace.oid = relnamespace
  where logicalrelid = any(${tables}::regclass[]) and shardminvalue is not null and shardstate = 1 and noderole = 'primary'
  order by 1, 3`

const askWorkers = (names: string[], ports: number[], commands: string[]) => read<{ node: string; success: boolean; result: string }>`
  select node_name || ':' || node_port as node, success, result
  from master_run_on_worker(${names}::text[], ${ports}::int[], ${commands}::text[], true)`

/** A statement as text, with its parameters inlined as literals. */
function literally(query: Read<Stretch> | undefined): string {
  const { text, values } = query ?? { text: '', values: [] }
  return text.replaceAll(/\$(\d+)/g, (_, number) => pg.escapeLiteral(`${values[Number(number) - 1]}`))
}
