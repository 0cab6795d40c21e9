// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
// Bugs in what a distributed database needs.
import type { Bug } from './planted.bug.ts'

const shards = 'platform/database/database.placement.test.ts'
const references = 'transfers/writing/transfers.lock.test.ts'

export const distributedBugs: readonly Bug[] = [
  {
    name: 'shard-of-the-first-row',
    about: 'in a distributed database, rows of several ventures are looked for on the server of the first one',
    file: 'platform/database/database.placement.ts',
    find: 'first !== undefined && rows.every(({ venture_id }) => venture_id === first.venture_id)',
    replace: 'first !== undefined',
    caughtBy: [
      {
        file: shards,
        name: 'on several servers a statement about one venture is led to its server, and has a name of its own',
      },
    ],
  },
  {
    name: 'name-of-the-other-form',
    about: 'the two forms of a statement share a name, so one is sent with the parameters of the other',
    file: 'platform/database/sql.ts',
    find: 'const forms = choice ? chosen : prepared',
    replace: 'const forms = prepared',
    caughtBy: [
      {
        file: shards,
        name: 'on several servers a statement about one venture is led to its server, and has a name of its own',
      },
    ],
  },
  {
    name: 'one-half-committed',
    about:
      'in a distributed database, a transaction that writes on the coordinator and on a worker is not prepared, and a crash may leave one half of it',
    file: 'platform/database/database.written.ts',
    find: 'return coordinator && shards && !prepares',
    replace: 'return false && coordinator && shards && !prepares',
    caughtBy: [
      {
        file: 'platform/database/database.written.test.ts',
        name: 'a transaction that writes on the coordinator and on a worker is prepared before it is committed',
      },
    ],
  },
  {
    name: 'removed-events-prepare',
    about: 'every statement about events counts as one that Citus prepares',
    file: 'platform/database/database.written.ts',
    find: '/\\binsert into events\\b.*\\bselect\\b.*\\bfrom unnest\\(/s.test(text)',
    replace: "tables.includes('events')",
    caughtBy: [
      {
        file: 'platform/database/database.written.test.ts',
        name: 'events that are only removed do not make Citus prepare a transaction',
      },
    ],
  },
  {
    name: 'job-before-its-rows',
    about: 'in a distributed database, a job runs while a worker has only prepared what was written together with it',
    file: 'platform/jobs.ts',
    find: 'const trouble = await settled.then(',
    replace: 'const trouble = await Promise.resolve().then(',
    caughtBy: [
      {
        file: 'platform/jobs.test.ts',
        name: 'on a cluster a job runs when the worker has committed what was written together with it',
      },
    ],
  },
  {
    name: 'silent-worker-settled',
    about: 'a worker that does not answer counts as one that has prepared nothing',
    file: 'platform/database/database.shards.ts',
    find: 'if (answer?.success !== true) throw',
    replace: 'if (answer?.success !== true) return new Set()\n  if (answer?.success !== true) throw',
    caughtBy: [
      {
        file: 'platform/jobs.test.ts',
        name: 'on a cluster a job runs when the worker has committed what was written together with it',
      },
    ],
  },
  {
    name: 'unsettled-job-tried',
    about: 'a job that waits for a database server counts as tried, and dies of it',
    file: 'platform/jobs.ts',
    find: 'tried: false }',
    replace: 'tried: true }',
    caughtBy: [
      {
        file: 'platform/jobs.test.ts',
        name: 'on a cluster a job runs when the worker has committed what was written together with it',
      },
    ],
  },
  {
    name: 'settled-with-the-latest',
    about: 'a job also waits for what the worker prepares after it was taken, and under load that never ends',
    file: 'platform/database/database.shards.ts',
    find: 'open = open.intersection(await preparedBy(reader, worker))',
    replace: "open = new Set([...(await preparedBy(reader, worker))].filter((name) => name !== 'under way' && name !== 'elsewhere'))",
    caughtBy: [
      {
        file: 'platform/jobs.test.ts',
        name: 'on a cluster a job runs when the worker has committed what was written together with it',
      },
    ],
  },
  {
    name: 'batches-not-apart',
    about: 'commands of all ventures share a batch, although their rows are on several servers',
    file: 'platform/batches.ts',
    find: 'const name = this.#apart(command)',
    replace: "const name = ''",
    caughtBy: [
      {
        file: 'platform/batches.test.ts',
        name: 'commands that are kept apart run side by side, each in a batch with those of its kind',
      },
    ],
    hangs: true,
  },
  {
    name: 'move-without-a-venture',
    about: 'a move is begun for a venture that cannot exist',
    file: 'platform/distribute/distribute.move.ts',
    find: ' || !uuid.test(venture)',
    replace: '',
    caughtBy: [
      {
        file: 'platform/distribute/distribute.test.ts',
        name: 'a move is that of a venture to a worker, or of as many shards as are needed, and nothing else',
      },
    ],
  },
  {
    name: 'transfer-that-is-not-there-yet',
    about: 'an order is refused because of a transfer that its worker has not committed yet',
    file: 'transfers/writing/transfers.lock.ts',
    find: 'await untilSettled(reader, venture_id, { patience_ms })',
    replace: 'await Promise.resolve()',
    caughtBy: [{ file: references, name: 'a transfer that the coordinator has committed, and the worker has not yet, is waited for' }],
  },
  {
    name: 'statement-behind-the-end',
    about: 'a statement that is sent after the end of its transaction is carried out by itself',
    file: 'platform/database/database.ts',
    find: 'if (this.#hasEnded) return',
    replace: 'if (this.#hasEnded && query.text === "") return',
    caughtBy: [
      { file: 'platform/database/database.test.ts', name: 'a statement that is sent after the end of its transaction is refused' },
    ],
  },
  {
    name: 'key-locked-on-the-coordinator',
    about: 'the lock of an idempotency key ends before its worker has committed the row of the key, and a repetition does not find it',
    file: 'platform/idempotency/idempotency.sql.ts',
    find: ' ${atWorker(tx, some[0]?.venture_id)}',
    replace: '',
    caughtBy: [
      {
        file: 'platform/idempotency/idempotency.test.ts',
        name: 'on several servers the lock of a key is one of the worker that has its row, which may commit after the coordinator',
      },
    ],
  },
]
