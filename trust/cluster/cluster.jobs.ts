// A job is visible once the coordinator has committed it. Rows written with it on a worker may still be prepared, not committed.
import { randomUUID } from 'node:crypto'
import { Database } from '../../server/src/platform/database/database.ts'
import { read } from '../../server/src/platform/database/sql.ts'
import { enqueue, JobWorker } from '../../server/src/platform/jobs.ts'
import { createLog } from '../../server/src/platform/log.ts'
import type { Cluster } from '../../server/src/testing/testing.cluster.ts'
import type { Scene } from './cluster.types.ts'

/** The service of the scene has no handler for it. */
const kind = 'cluster.settled'

export async function jobsWait({ context, cluster, setup }: Scene): Promise<void> {
  const database = new Database({ url: cluster.coordinator.url('service'), wait_ms: 20_000 })
  await database.findPlacement()
  try {
    for (const { id: venture_id } of setup.world.ventures) {
      const key = randomUUID()
      await leavePrepared(cluster, { venture_id, key })
      await database.transaction((tx) => enqueue(tx, kind, { venture_id }))
      let found = -1
      const run = async () => {
        found = (await database.rows(read`select key from idempotency_keys where venture_id = ${venture_id} and key = ${key}`)).length
      }
      await new JobWorker({ database, log: createLog('silent'), handlers: { [kind]: { run } } }).runDue()
      context.results.faults++
      if (found !== 1) context.results.broken.push(`a job ran and found ${found} rows that were written together with it`)
    }
  } finally {
    await database.close()
  }
}

/** As after a crash in between: a worker has prepared a row, the coordinator has decided to commit it, and Citus will notice in a while. */
async function leavePrepared(cluster: Cluster, { venture_id, key }: { venture_id: string; key: string }): Promise<void> {
  const name = `citus_0_${process.pid}_${key}`
  const { shard, group, worker } = await cluster.placeOf('idempotency_keys', venture_id)
  await cluster.coordinator.asOwner(async (decision) => {
    await decision.query('begin')
    // Citus ends no prepared transaction before the decision is made.
    await decision.query('select recover_prepared_transactions()')
    await decision.query('insert into pg_dist_transaction (groupid, gid) values ($1, $2)', [group, name])
    await worker.asOwner(async (client) => {
      await client.query('begin')
      await client.query('set local citus.enable_manual_changes_to_shards = on')
      await client.query(
        `insert into ${shard} (venture_id, operation, owner_id, key, request_hash, resource_id, created_at)
         values ($1, 'prepared', $1, $2, repeat('0', 64), $2, now())`,
        [venture_id, key],
      )
      await client.query(`prepare transaction '${name}'`)
    })
    await decision.query('commit')
  })
}
