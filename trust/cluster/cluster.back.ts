// A database goes back to one server, as docs/citus.md says: its rows are dumped through the coordinator and restored into a database without Citus.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expireRequests } from '../../server/src/audit/audit.ts'
import { keepEra } from '../../server/src/events/events.ts'
import { Database } from '../../server/src/platform/database/database.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { createLog } from '../../server/src/platform/log.ts'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import { Sealing } from '../../server/src/verify/verify.sealing.ts'
import { sealedFromTheFuture } from '../../server/src/verify/verify.seals.ts'
import { verifyDatabase } from '../../server/src/verify/verify.ts'
import { endpointFromTheFuture } from '../../server/src/webhooks/webhooks.ts'
import type { Options, Scene } from './cluster.types.ts'

const run = promisify(execFile)

/** What migrations have put into a new database. */
const empty = `do $$ declare name text; begin
  for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'migrations'
  loop execute format('truncate %I cascade', name); end loop; end $$`

/** The service must be stopped. */
export async function broughtBack({ context, cluster: { coordinator } }: Scene, { binaries }: Options): Promise<void> {
  const { broken, notes } = context.results
  const file = join(makeDataFolder('dump'), 'vostro.dump')
  const program = (name: string) => join(binaries, name)
  const tables = ['claims', 'migrations'].map((table) => `--exclude-table=${table}`)
  const dump = ['--data-only', '--load-via-partition-root', '--schema=public', ...tables, '--format=custom', `--file=${file}`]
  await run(program('pg_dump'), [...dump, coordinator.url('owner')])
  await coordinator.asOwner((client) => client.query('create database one'), 'postgres')
  const [ownerUrl, serviceUrl] = [coordinator.url('owner', 'one'), coordinator.url('service', 'one')]
  await migrate({ ownerUrl, serviceUrl })
  await coordinator.asOwner(async (client) => {
    await client.query('set session_replication_role = replica')
    await client.query(empty)
  }, 'one')
  const PGOPTIONS = '-c session_replication_role=replica'
  await run(program('pg_restore'), ['--data-only', `--dbname=${ownerUrl}`, file], { env: { PGOPTIONS } })
  const database = new Database({ url: serviceUrl })
  try {
    // As at the start of the service.
    const era = await keepEra(database, { numbers: [endpointFromTheFuture, ...sealedFromTheFuture], begin: expireRequests })
    const sealing = new Sealing({ database, log: createLog('silent'), every_ms: 60_000 })
    const seals = async () =>
      (await coordinator.asOwner((client) => client.query<{ count: number }>('select count(*)::int as count from seals'), 'one')).rows[0]
        ?.count
    const before = await seals()
    await sealing.runDue()
    const violations = (await verifyDatabase(serviceUrl)).filter((finding) => finding.violations > 0)
    for (const { name, examples } of violations) broken.push(`back on one server, "${name}" is violated, such as ${examples[0]}`)
    notes.push(
      `back on one server: ${era === undefined ? 'the same era' : `era ${era} begins`}, ${before} and then ${await seals()} seals, ${violations.length} invariants broken`,
    )
  } finally {
    await database.close()
  }
}
