// Bugs in the response to a write that a failover could take back, and in where the service connects.
import type { Bug } from './planted.bug.ts'

const standby = 'platform/database/database.standby.test.ts'
const hosts = 'platform/hosts.test.ts'

export const standbyBugs: readonly Bug[] = [
  {
    name: 'barrier-skipped',
    about: 'a row that is there after a crash restart is called done, although the standby does not have it',
    file: 'platform/database/database.ts',
    find: 'if (isThere && (await this.#barrier.confirms(evidence, deadline_ms))) return true',
    replace: 'if (isThere) return true',
    caughtBy: [
      { file: standby, name: 'a COMMIT whose wait for the standby was cancelled has an unknown outcome' },
      {
        file: standby,
        name: 'after a crash restart, rows that never reached the standby are not called done; all of them share one barrier',
      },
    ],
  },
  {
    name: 'cancelled-barrier-counts',
    about: 'a barrier whose wait for the standby was cancelled proves that rows are there',
    file: 'platform/database/database.barrier.ts',
    find: 'resolve(!client.unconfirmed)',
    replace: 'resolve(true)',
    caughtBy: [{ file: standby, name: 'a barrier whose own wait was cancelled proves nothing' }],
  },
  {
    name: 'barrier-for-each',
    about: 'each lost COMMIT leaves a backend behind that waits for the standby',
    file: 'platform/database/database.barrier.ts',
    find: 'if (this.#running) return',
    replace: '',
    caughtBy: [
      {
        file: standby,
        name: 'after a crash restart, rows that never reached the standby are not called done; all of them share one barrier',
      },
    ],
  },
  {
    name: 'barrier-on-another-server',
    about: 'a row of the old primary is confirmed by a barrier on the new one, which does not have it',
    file: 'platform/database/database.barrier.ts',
    find: 'if (rows.length === 0) waiting.resolve(false)',
    replace: 'if (rows.length < 0) waiting.resolve(false)',
    caughtBy: [{ file: standby, name: 'a row that was seen on the old primary is not confirmed by a barrier on the new one' }],
  },
  {
    name: 'cancelled-commit-acknowledged',
    about: 'a COMMIT that no longer waits for the standby is acknowledged',
    file: 'platform/database/database.ts',
    find: "if (client.unconfirmed) broken = new Error('the COMMIT is not confirmed by all servers')",
    replace: '',
    caughtBy: [{ file: standby, name: 'a COMMIT whose wait for the standby was cancelled has an unknown outcome' }],
  },
  {
    name: 'unconfirmed-migration',
    about: 'the service starts on a schema that a failover could take back',
    file: 'platform/database/migrate.ts',
    find: '    requireConfirmed(client)\n',
    replace: '',
    caughtBy: [{ file: standby, name: 'a migration whose wait for the standby was cancelled does not let the service start' }],
  },
  {
    name: 'write-on-a-standby-is-a-bug',
    about: 'a write that reaches a standby is answered with 500',
    file: 'platform/database/database.errors.ts',
    find: '|25006|',
    replace: '|',
    caughtBy: [
      { file: standby, name: 'a standby serves neither reads nor writes: nothing is done, and the caller may try again' },
      {
        file: standby,
        name: 'a write that reaches a standby after all is not done and is no bug, although a later statement fails for another reason',
      },
    ],
  },
  {
    name: 'first-failure-overlooked',
    about: 'of a transaction on a standby the error of a later statement is reported, which looks like a bug',
    file: 'platform/database/database.ts',
    find: 'await firstFailure([begun, numbered, ...tx.underWay])',
    replace: 'await firstFailure(tx.underWay)',
    caughtBy: [
      {
        file: standby,
        name: 'a write that reaches a standby after all is not done and is no bug, although a later statement fails for another reason',
      },
    ],
  },
  {
    name: 'ready-on-a-standby',
    about: 'a service that can change nothing is called ready',
    file: 'platform/service.routes.ts',
    find: 'if (server?.standby !== false) refuse(',
    replace: 'if (server === undefined) refuse(',
    caughtBy: [{ file: 'platform/service.routes.test.ts', name: 'on a standby the service is alive but not ready' }],
  },
  {
    name: 'standby-kept',
    about: 'a connection to a standby is kept, which shows old rows',
    file: 'platform/database/database.primary.ts',
    find: 'if (rows[0]?.standby) throw',
    replace: 'if (rows.length === 0) throw',
    caughtBy: [
      { file: standby, name: 'a standby serves neither reads nor writes: nothing is done, and the caller may try again' },
      { file: standby, name: 'of several hosts the primary is used, whatever their order, also to listen, to migrate and to verify' },
    ],
  },
  {
    name: 'first-host-only',
    about: 'of several hosts only the first is tried',
    file: 'platform/database/database.connections.ts',
    find: 'for (const url of this.#hosts.urls) {',
    replace: 'for (const url of this.#hosts.urls.slice(0, 1)) {',
    caughtBy: [
      { file: standby, name: 'of several hosts the primary is used, whatever their order, also to listen, to migrate and to verify' },
      { file: standby, name: 'after a failover the new primary is found, and a COMMIT that the old one did not answer is found there' },
    ],
  },
  {
    name: 'hosts-not-checked',
    about: 'a list of hosts with an empty one, or the same one twice, is accepted',
    file: 'platform/hosts.ts',
    find: 'if (hosts.length > 1) requireDistinctHosts(hosts)',
    replace: '',
    caughtBy: [
      { file: hosts, name: 'what is not a URL of PostgreSQL, or names its hosts in another way, is refused without repeating any of it' },
      { file: 'config.test.ts', name: 'a bad setting is refused with one sentence that names it and says what it should be' },
    ],
  },
]
