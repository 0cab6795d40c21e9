// The coordinator is killed while transactions write on it and on one worker each, and comes back: each of them is there with both halves, or not at all.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Database, type Tx } from '../../server/src/platform/database/database.ts'
import { write } from '../../server/src/platform/database/sql.ts'
import type { PostgresServer } from '../../server/src/testing/testing.standby.ts'
import { preparedOn, startAgain } from './cluster.killed.ts'
import type { Options, Scene } from './cluster.types.ts'

const writers = 8

/** Marks the rows of this scene. */
const operation = 'both halves'

export const coordinatorKilled =
  ({ kills }: Options) =>
  async ({ context, cluster, setup }: Scene): Promise<void> => {
    const { coordinator } = cluster
    const { results } = context
    const database = new Database({ url: coordinator.url('service'), wait_ms: 20_000 })
    await database.findPlacement()
    await makeCommitsSlow(coordinator)
    const stopped = new AbortController()
    const acknowledged = new Set<string>()
    const writing = Array.from({ length: writers }, async (_, number) => {
      const venture_id = setup.world.ventures[number % setup.world.ventures.length]?.id ?? ''
      while (!stopped.signal.aborted) {
        const id = randomUUID()
        // Without a response the outcome is unknown, but either both halves exist or neither.
        await database
          .transaction((tx) => bothHalves(tx, { venture_id, id }))
          .then(
            () => acknowledged.add(id),
            () => sleep(20),
          )
      }
    })
    try {
      for (let number = 0; number < kills; number++) {
        await context.pause(300, 900)
        await coordinator.kill()
        results.faults++
        await startAgain(coordinator)
        await setup.bank.untilReady()
        context.say(`killed ${number + 1} of ${kills} times, ${acknowledged.size} acknowledged`)
      }
    } finally {
      stopped.abort()
      await Promise.all(writing)
      await database.close()
    }
    for (const worker of cluster.workers) while ((await preparedOn(worker)) > 0) await sleep(200)
    await coordinator.asOwner(async (client) => {
      const idsOf = async (statement: string) =>
        new Set((await client.query<{ id: string }>(statement, [operation])).rows.map(({ id }) => id))
      const claims = await idsOf(`select id::text as id from claims where kind = 'link_token' and name like $1 || ' %'`)
      const keys = await idsOf('select key as id from idempotency_keys where operation = $1')
      const halves = claims.symmetricDifference(keys)
      const lost = acknowledged.difference(claims)
      results.notes.push(`${claims.size} transactions of both, ${acknowledged.size} acknowledged`)
      if (halves.size > 0) results.broken.push(`${halves.size} transactions of ${claims.union(keys).size} have only one half`)
      if (lost.size > 0) results.broken.push(`${lost.size} acknowledged transactions are lost`)
      if (acknowledged.size === 0) results.broken.push('no transaction was acknowledged')
      // Claims of nothing, which `verify` would find.
      await client.query(`delete from claims where kind = 'link_token' and name like $1 || ' %'`, [operation])
    })
    await setup.bank.untilReady()
  }

/** A commit waits before it is written to the disk, so that most of the kills come in between. */
async function makeCommitsSlow(coordinator: PostgresServer): Promise<void> {
  await coordinator.asOwner(async (client) => {
    for (const setting of ['fsync = on', 'commit_siblings = 0', 'commit_delay = 20000']) await client.query(`alter system set ${setting}`)
    await client.query('select pg_reload_conf()')
  })
}

/** One row on the coordinator and one on a worker. */
async function bothHalves(tx: Tx, { venture_id, id }: { venture_id: string; id: string }): Promise<void> {
  tx.placement.sendName(tx, { kind: 'link_token', name: `${operation} ${id}`, venture_id, id })
  tx.send(write`
    insert into idempotency_keys (venture_id, operation, owner_id, key, request_hash, resource_id, created_at)
    values (${venture_id}, ${operation}, ${venture_id}, ${id}, ${'0'.repeat(64)}, ${id}, ${new Date().toISOString()})`)
}
