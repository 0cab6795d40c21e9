// Moves shards to other workers. Shards must not be moved in any other way: the events of a venture are ordered by the transaction numbers
// of its server, so the events on a new server need a new era.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { openPrimary } from '../database/database.primary.ts'
import { tablesAt } from '../database/database.tables.ts'
import { aloneKey } from '../database/database.ts'
import { StartupError } from '../startup-error.ts'
import { type Node, requireCitus, requireMigrated, requireRole, requireWorkers } from './distribute.checks.ts'

/** A worker as host and port, with the venture whose shard it gets; or as many moves as it takes to spread the shards evenly. */
export type Move = { venture_id: string; to: string } | 'balance'

/** How many shards of each table were moved, and the era that began before that. */
export type Moved = { moved: number; era: number | undefined }

export const moveUsage = `npm run distribute -- move --venture ID --to HOST:PORT    moves the shards that contain the rows of a venture
npm run distribute -- move --balance                     moves shards so that all workers have as many`

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function readMove(args: readonly string[]): Move {
  const { venture, to, balance } = readFlags(args)
  if (balance === true && venture === undefined && to === undefined) return 'balance'
  if (balance === true || venture === undefined || to === undefined || !uuid.test(venture)) throw new StartupError(moveUsage)
  return { venture_id: venture.toLowerCase(), to }
}

function readFlags(args: readonly string[]) {
  try {
    const options = { venture: { type: 'string' }, to: { type: 'string' }, balance: { type: 'boolean' } } as const
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new StartupError(`${(error as Error).message}\n\n${moveUsage}`)
  }
}

type Statement = { text: string; values: unknown[] }

/** Statements about tables that belong to other folders. */
export type Others = { beginEra: Statement; selectVenture: (id: string) => Statement }

type Step = { shardid: string; from: Node; to: Node }

/**
 * Until all shards are moved, writes of the service wait, or are refused as `unavailable` after their time limit; reads continue. The era
 * begins before the first shard moves, so if the command ends in between, only an era number is lost.
 */
export async function move(ownerUrl: string, wanted: Move, others: Others, say: (line: string) => void = () => {}): Promise<Moved> {
  const client = await openPrimary(ownerUrl, 'vostro distribute')
  let era: number | undefined
  try {
    await requireCitus(client)
    const workers = await requireWorkers(client)
    await requireMigrated(client)
    await requireRole(client)
    await requireDistributed(client)
    const steps = await (wanted === 'balance' ? stepsOfBalance(client, workers) : stepOfVenture(client, workers, wanted, others))
    if (steps.length === 0) return { moved: 0, era }
    await clearLeftovers(client)
    await lock(client)
    await requireEnded(client)
    era = await begin(client, others)
    for (const { shardid, from, to } of steps) {
      say(`Shard ${shardid}: from ${nameOf(from)} to ${nameOf(to)}.`)
      await client.query(`select citus_move_shard_placement($1, $2, $3, $4, $5, 'block_writes')`, [
        shardid,
        from.nodename,
        from.nodeport,
        to.nodename,
        to.nodeport,
      ])
    }
    return { moved: steps.length, era }
  } catch (error) {
    if (error instanceof StartupError) throw error
    const done =
      era === undefined
        ? 'Nothing was moved'
        : 'Not everything was moved. What was moved stays in its new place, and the command can be repeated'
    throw new StartupError(`${done}: ${(error as Error).message}.`)
  } finally {
    // The lock ends with the connection.
    await client.end()
  }
}

const nameOf = ({ nodename, nodeport }: Pick<Node, 'nodename' | 'nodeport'>): string => `${nodename}:${nodeport}`

const [firstTable = ''] = tablesAt('shards')

async function requireDistributed(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_dist_partition where logicalrelid = to_regclass($1)', [`public.${firstTable}`])
  if (rowCount === 0) throw new StartupError('The tables are not distributed: run "npm run distribute" first. Nothing was changed.')
}

async function stepOfVenture(
  client: pg.Client,
  workers: readonly Node[],
  { venture_id, to }: Exclude<Move, 'balance'>,
  { selectVenture }: Others,
): Promise<Step[]> {
  const target = workers.find((worker) => nameOf(worker) === to)
  if (target === undefined)
    throw new StartupError(`There is no worker ${to}. There are ${workers.map(nameOf).join(', ')}. Nothing was changed.`)
  const { text, values } = selectVenture(venture_id)
  const { rowCount } = await carryOut(client, { text, values })
  if (rowCount === 0) throw new StartupError(`There is no venture ${venture_id}. Nothing was changed.`)
  const { rows } = await client.query<{ shardid: string; groupid: number }>(
    `select shardid::text, groupid from pg_dist_placement where shardid = get_shard_id_for_distribution_column($1::regclass, $2::uuid)`,
    [firstTable, venture_id],
  )
  return stepsOf(
    workers,
    rows.map((row) => ({ ...row, to: target })),
  )
}

/** Takes the next shard from the worker that has the most and gives it to the one that has the fewest, one at a time. */
async function stepsOfBalance(client: pg.Client, workers: readonly Node[]): Promise<Step[]> {
  const { rows } = await client.query<{ shardid: string; groupid: number }>(
    `select shardid::text, groupid from pg_dist_placement join pg_dist_shard using (shardid)
     where logicalrelid = $1::regclass order by shardid`,
    [firstTable],
  )
  const hands = workers.map((worker) => ({ worker, shards: rows.filter(({ groupid }) => groupid === worker.groupid) }))
  const steps: Parameters<typeof stepsOf>[1][number][] = []
  for (;;) {
    hands.sort((a, b) => a.shards.length - b.shards.length)
    const [fewest, most] = [hands[0], hands.at(-1)]
    if (fewest === undefined || most === undefined || most.shards.length - fewest.shards.length < 2) return stepsOf(workers, steps)
    const shard = most.shards.pop()
    if (shard === undefined) return stepsOf(workers, steps)
    fewest.shards.push(shard)
    steps.push({ ...shard, to: fewest.worker })
  }
}

function stepsOf(workers: readonly Node[], wanted: readonly { shardid: string; groupid: number; to: Node }[]): Step[] {
  return wanted.flatMap(({ shardid, groupid, to }) => {
    const from = workers.find((worker) => worker.groupid === groupid)
    if (from === undefined)
      throw new StartupError(`The shard ${shardid} is on the coordinator, which the service does not expect. Nothing was changed.`)
    return from === to ? [] : [{ shardid, from, to }]
  })
}

/** How often to check for leftovers of earlier moves, one second apart. */
const mostLooks = 10

/**
 * A moved shard stays behind until nobody reads it any more, and until then it cannot move back. Leftovers are removed before the writes of
 * the service have to wait, because that can take a while.
 */
async function clearLeftovers(client: pg.Client): Promise<void> {
  for (let look = 1; ; look++) {
    await client.query('call citus_cleanup_orphaned_resources()')
    const { rows } = await client.query<{ name: string }>('select object_name as name from pg_dist_cleanup where object_type = 1 limit 1')
    const [left] = rows
    if (left === undefined) return
    if (look === mostLooks)
      throw new StartupError(
        `The leftovers of an earlier move cannot be removed yet, because they are still being read (${left.name}): try again in a minute. Nothing was changed.`,
      )
    await sleep(1_000)
  }
}

/** Waits for running transactions of the service to end and keeps new ones waiting, until the connection ends. */
async function lock(client: pg.Client): Promise<void> {
  await client.query(`set lock_timeout = '10s'`)
  try {
    await client.query('select pg_advisory_lock($1)', [aloneKey])
  } catch {
    throw new StartupError('A transaction of Vostro did not end within ten seconds: try again. Nothing was changed.')
  }
  await client.query('reset lock_timeout')
}

/** A committed transaction that a worker has not heard of yet would appear in an era that followers have left behind. */
async function requireEnded(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ success: boolean; result: string; nodename: string; nodeport: number }>(
    'select success, result, nodename, nodeport from run_command_on_workers($1)',
    [`select count(*) from pg_prepared_xacts where database = current_database() and gid like 'citus%'`],
  )
  const left = rows.find(({ success, result }) => !success || result !== '0')
  if (left === undefined) return
  throw new StartupError(
    left.success
      ? `The worker ${nameOf(left)} has ${left.result} prepared transactions that are not finished yet: wait until Citus has finished them, or run "select recover_prepared_transactions();" on the coordinator, and try again. Nothing was changed.`
      : `The worker ${nameOf(left)} cannot be asked (${left.result}). Nothing was changed.`,
  )
}

async function begin(client: pg.Client, { beginEra: { text, values } }: Others): Promise<number | undefined> {
  const { rows } = await carryOut<{ era: number }>(client, { text, values })
  return rows[0]?.era
}

const carryOut = <Row extends object>(client: pg.Client, statement: Statement) => client.query<Row>(statement)
