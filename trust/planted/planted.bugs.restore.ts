// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
// Bugs in what outlives a process: the order of events after a restore, backups, upgrades, and the deletion of old rows.
import type { Bug } from './planted.bug.ts'

const era = 'events/events.era.test.ts'
const backup = 'platform/backup/backup.test.ts'
const retention = 'webhooks/webhooks.retention.test.ts'
const upgrade = '../../trust/upgrade/upgrade.test.ts'

const misses = 'after a restore, followers miss nothing, repeat nothing, and see earlier eras first'
const damaged = 'a truncated, altered or foreign file is refused, and the database that is there stays as it was'

export const restoreBugs: readonly Bug[] = [
  {
    name: 'era-hidden-from-followers',
    about: 'events of earlier eras are hidden until the new cluster has reached their numbers',
    file: 'events/events.changes.ts',
    find: '(era, xid) < ((select era from event_era), pg_snapshot_xmin(pg_current_snapshot()))',
    replace: 'xid < pg_snapshot_xmin(pg_current_snapshot())',
    caughtBy: [{ file: era, name: misses }],
  },
  {
    name: 'era-ignored-by-followers',
    about: 'a follower whose last event is of another cluster does not see new events, which have lower numbers',
    file: 'events/events.changes.ts',
    find: 'fragment`(era, xid, id) > (${place.era}::int, ${place.xid}::xid8, ${place.id}::uuid)`',
    replace: 'fragment`${place.era}::int > 0 and (xid, id) > (${place.xid}::xid8, ${place.id}::uuid)`',
    caughtBy: [{ file: era, name: misses }],
  },
  {
    name: 'era-ignored-by-couriers',
    about: 'the snapshot of one cluster decides about events of another',
    file: 'webhooks/webhooks.pending.ts',
    find: '(event.era > created.since_era or not pg_visible_in_snapshot(event.xid, created.since))',
    replace: 'not pg_visible_in_snapshot(event.xid, created.since)',
    caughtBy: [
      { file: era, name: 'an endpoint that began, or stands, at a number of another cluster begins another era and misses nothing' },
    ],
  },
  {
    name: 'era-not-noticed-at-endpoints',
    about: 'an endpoint that stands at a number of another cluster misses events, if no event has such a number',
    file: 'webhooks/webhooks.sql.ts',
    find: '(era = (select era from event_era) and xid > pg_snapshot_xmax(pg_current_snapshot()))',
    replace: 'false',
    caughtBy: [
      { file: era, name: 'an endpoint that began, or stands, at a number of another cluster begins another era and misses nothing' },
    ],
  },
  {
    name: 'era-begins-beside-writers',
    about: 'an era begins while a transaction still writes events of the one before it',
    file: 'platform/database/database.ts',
    find: 'as xid, pg_advisory_xact_lock(${aloneKey})',
    replace: 'as xid, pg_advisory_xact_lock_shared(${aloneKey})',
    caughtBy: [{ file: era, name: 'an era begins only when no transaction of the era before it is running' }],
  },
  {
    name: 'era-not-locked-by-writers',
    about: 'a writer does not wait for the era that is about to begin, and writes in the one before it',
    file: 'platform/database/database.ts',
    find: 'pg_advisory_xact_lock_shared(${aloneKey})',
    replace: '${aloneKey}::int as key',
    caughtBy: [{ file: era, name: 'a writer that waits for another era to begin writes in that era' }],
  },
  {
    name: 'era-makes-writers-fail',
    about: 'a writer that has waited too long for another era fails as if by a bug',
    file: 'platform/database/database.ts',
    find: 'throw (await firstFailure([begun, numbered, ...tx.underWay])) ?? error',
    replace: 'throw (await firstFailure(tx.underWay)) ?? error',
    caughtBy: [{ file: era, name: 'a writer that waits too long for another era is told that the service is unavailable' }],
  },
  {
    name: 'era-begun-twice',
    about: 'instances that start together each begin an era',
    file: 'events/events.era.ts',
    find: 'if (!(await isNeeded(tx))) return undefined',
    replace: 'await isNeeded(tx)',
    caughtBy: [{ file: era, name: 'two instances that start together begin one era' }],
  },
  {
    name: 'backup-without-its-log',
    about: 'PostgreSQL may delete the log that a running backup needs',
    file: 'platform/backup/backup.ts',
    find: "await client.query(`select pg_create_physical_replication_slot('vostro_backup_' || pg_backend_pid(), true, true)`)",
    replace: '',
    caughtBy: [
      {
        file: backup,
        name: 'a backup made while the service writes has all that was acknowledged before, and its restore verifies and goes on',
      },
    ],
  },
  {
    name: 'backup-readable',
    about: 'everybody on the machine can read the backup, and in it the keys',
    file: 'platform/backup/backup.ts',
    find: "createWriteStream(attempt, { flags: 'wx', mode: 0o600, flush: true })",
    replace: "createWriteStream(attempt, { flags: 'wx', mode: 0o644, flush: true })",
    caughtBy: [
      {
        file: backup,
        name: 'a backup made while the service writes has all that was acknowledged before, and its restore verifies and goes on',
      },
    ],
  },
  {
    name: 'backup-cut-short',
    about: 'an interrupted backup leaves a file that looks like one',
    file: 'platform/backup/backup.ts',
    find: '    rmSync(attempt, { force: true })\n',
    replace: '    renameSync(attempt, file)\n',
    caughtBy: [{ file: backup, name: 'a backup that is interrupted leaves no file' }],
  },
  {
    name: 'restore-of-an-altered-file',
    about: 'a file that was altered is restored',
    file: 'platform/backup/backup.restore.ts',
    find: 'if (sha256 !== digestBefore)',
    replace: 'if (sha256 === undefined)',
    caughtBy: [{ file: backup, name: damaged }],
  },
  {
    name: 'restore-of-a-truncated-file',
    about: 'a file whose end is missing is restored',
    file: 'platform/backup/backup.restore.ts',
    find: 'if (!complete) throw',
    replace: 'if (of < 0) throw',
    caughtBy: [{ file: backup, name: damaged }],
  },
  {
    name: 'restore-over-a-database',
    about: 'a restore replaces a database without being told to',
    file: 'platform/backup/backup.restore.ts',
    find: 'if (replaced !== undefined && !replace) {',
    replace: 'if (replaced === dataDir && !replace) {',
    caughtBy: [{ file: backup, name: 'a database that is there is replaced only if told, and is then kept aside' }],
  },
  {
    name: 'restore-anywhere',
    about: 'a file can make a restore write outside of the data folder',
    file: 'platform/backup/backup.tar.ts',
    find: "if (name.split('/').some((part) => part === '' || part === '.' || part === '..'))",
    replace: "if (name.split('/').some((part) => part === '.'))",
    caughtBy: [{ file: backup, name: 'an archive cannot write outside of the folder, and other versions and formats are refused' }],
  },
  {
    name: 'restore-half-done',
    about: 'after a restore that was killed in the middle, the service starts with an empty database',
    file: 'platform/embedded/embedded.ts',
    find: '    requireFinishedRestore(dataDir)\n',
    replace: '',
    caughtBy: [
      { file: backup, name: 'after a restore that was killed while it replaced the database, Vostro does not start with an empty one' },
    ],
  },
  {
    name: 'retention-of-undelivered',
    about: 'deliveries that never succeeded are deleted, and can no longer be sent again',
    file: 'webhooks/webhooks.retention.ts',
    find: "status = 'DELIVERED' and delivered_at < ${until.toISOString()}",
    replace: "coalesce(delivered_at, '-infinity') < ${until.toISOString()}",
    caughtBy: [
      { file: retention, name: 'deliveries are deleted 30 days after they succeeded; undelivered ones and recent ones stay' },
      { file: retention, name: 'deliveries of all ventures are deleted, in steps of a thousand, past those that stay' },
    ],
  },
  {
    name: 'retention-ends-early',
    about: 'the deletion ends at the first deliveries that stay',
    file: 'webhooks/webhooks.retention.ts',
    find: 'last: seen === stepSize ? last : null',
    replace: 'last: deleted === stepSize ? last : null',
    caughtBy: [{ file: retention, name: 'deliveries of all ventures are deleted, in steps of a thousand, past those that stay' }],
  },
  {
    name: 'retention-never-runs',
    about: 'the service deletes nothing by itself',
    file: 'service.ts',
    find: '    retention.start()\n',
    replace: '',
    caughtBy: [{ file: 'service.test.ts', name: 'the service deletes old deliveries by itself, from its start on' }],
    hangs: true,
  },
  {
    name: 'finished-job-kept',
    about: 'jobs stay in their table after they are done',
    file: 'platform/jobs.ts',
    find: 'delete from jobs where id = ${job.id}',
    replace: 'update jobs set attempts = attempts where id = ${job.id}',
    caughtBy: [{ file: 'platform/jobs.test.ts', name: 'a job is done once it is due, and is deleted afterwards' }],
  },
  {
    name: 'migration-skipped',
    about: 'when several migrations are to be applied, the second one is skipped',
    file: 'platform/database/migrate.ts',
    find: 'for (const file of files.slice(rows.length)) {',
    replace: 'for (const file of files.slice(rows.length).filter((_, index) => index !== 1)) {',
    caughtBy: [{ file: 'platform/database/migrate.test.ts', name: 'files are applied in order, each once, and a second run does nothing' }],
  },
  {
    name: 'migration-level-without-fixture',
    about: 'a migration level that nobody upgrades from in a test is not noticed',
    file: '../../trust/upgrade/upgrade.levels.ts',
    find: '!present.includes(level)',
    replace: 'present.includes(level) && level < 0',
    caughtBy: [{ file: upgrade, name: 'a level without a fixture is found, unless it is the newest' }],
  },
]
