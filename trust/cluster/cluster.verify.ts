// What unique indexes and foreign keys keep on a single PostgreSQL is found by `npm run verify` on a distributed one.
import { randomUUID } from 'node:crypto'
import { checkInvariants } from '../../server/src/verify/verify.ts'
import type { Scene } from './cluster.types.ts'

/** Changes that an attacker with full access could make, and the invariant each breaks. `$1`, `$2`: an unused venture id and id. */
const damages: Readonly<Record<string, { breaks: string; statement: string }>> = {
  'a number that nobody has claimed': {
    breaks: 'names are claimed',
    statement: `delete from claims where kind = 'account_number' and venture_id = $1 and $2 <> id`,
  },
  'a number that another row has claimed': {
    breaks: 'names are claimed',
    statement: `update claims set id = $2 where kind = 'account_number' and venture_id = $1`,
  },
  'a claim of nothing': {
    breaks: 'names are claimed',
    statement: `insert into claims (kind, name, venture_id, id) values ('link_token', 'nothing', $1, $2)`,
  },
  'an event about nobody': {
    breaks: 'no row points across ventures',
    statement: `insert into kyc_events (received_by, id, type, created_at, data, raw, headers, received_at, verdict, venture_id, client_id)
      values ($1, 'planted', 'planted', now(), '{}', '', '{}', now(), 'APPLIED', $1, $2)`,
  },
}

export async function verified({ context, cluster, setup: { world } }: Scene): Promise<void> {
  const [venture] = world.ventures
  await cluster.coordinator.asOwner(async (client) => {
    for (const [what, { breaks, statement }] of Object.entries(damages)) {
      await client.query('begin')
      await client.query(`set local session_replication_role = replica`)
      await client.query(statement, [venture?.id, randomUUID()])
      const found = (await checkInvariants(client)).filter(({ violations }) => violations > 0).map(({ name }) => name)
      await client.query('rollback')
      context.results.faults++
      if (!found.includes(breaks)) context.results.broken.push(`${what}: found "${found.join()}" instead of "${breaks}"`)
    }
  })
}
