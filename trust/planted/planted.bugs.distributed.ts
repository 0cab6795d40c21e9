// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
// Bugs in what a distributed database needs.
import type { Bug } from './planted.bug.ts'

const shards = 'platform/database/database.shards.test.ts'
const placed = 'platform/database/database.placed.test.ts'
const straight = 'transfers/transfers.direct.test.ts'

export const distributedBugs: readonly Bug[] = [
  {
    name: 'shard-of-the-first-row',
    about: 'in a distributed database, rows of several ventures are looked for on the server of the first one',
    file: 'platform/database/database.shards.ts',
    find: 'first !== undefined && rows.every(({ venture_id }) => venture_id === first.venture_id)',
    replace: 'first !== undefined',
    caughtBy: [
      {
        file: shards,
        name: 'in a distributed database a statement about one venture is led to its server, and has a name of its own',
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
        name: 'in a distributed database a statement about one venture is led to its server, and has a name of its own',
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
    name: 'claim-of-a-running-transaction',
    about: 'a reference is taken from a transaction of a worker that has not ended',
    file: 'transfers/transfers.references.ts',
    find: ': numbers.has(numberOf(attempt))',
    replace: ": numbers.has('')",
    caughtBy: [
      { file: straight, name: 'whoever wants a reference waits for the transaction that has claimed it, and is told what became of it' },
    ],
  },
  {
    name: 'transfer-that-is-not-there-yet',
    about: 'an order is refused because of a transfer that its worker has not committed yet',
    file: 'transfers/transfers.references.ts',
    find: 'attempt === null ? !existing.has(claim.transfer_id)',
    replace: 'attempt === null ? false',
    caughtBy: [{ file: straight, name: 'a transfer that the coordinator has committed, and the worker has not yet, is waited for' }],
  },
  {
    name: 'second-order-claims-as-well',
    about: 'of two orders with one reference, the second gets it if a claim that kept the first from it is removed in between',
    file: 'transfers/transfers.references.ts',
    find: 'insertClaims(tx, firstsOf(some))',
    replace: 'insertClaims(tx, some)',
    caughtBy: [
      {
        file: straight,
        name: 'of the orders of a batch with one reference, the first alone claims it, whatever others do meanwhile',
      },
    ],
  },
  {
    name: 'claim-of-a-later-transaction',
    about: 'a transaction takes references from those that have begun after it, because their numbers are larger than its own',
    file: 'transfers/transfers.references.ts',
    find: "\n      else exists (select from pg_lock_status() as held where held.locktype = 'transactionid' and held.transactionid = number::xid8::xid) end",
    replace: '\n      end',
    caughtBy: [{ file: straight, name: 'a transaction that has its number already sees that a later one still runs' }],
  },
  {
    name: 'claim-of-another-attempt',
    about: 'whoever frees a reference also removes the claim of an attempt that has been made since',
    file: 'transfers/transfers.references.ts',
    find: ' and claim.attempt = unused.attempt`',
    replace: '`',
    caughtBy: [{ file: straight, name: 'a claim is only taken from the attempt that leads nowhere' }],
  },
  {
    name: 'claim-that-leads-nowhere-found',
    about: 'a claim of a transaction that was not committed counts as a transfer',
    file: 'transfers/transfers.references.ts',
    find: '!reader.distributed || existing.has(transfer_id) ?',
    replace: 'attempt === null || existing.size >= 0 ?',
    caughtBy: [{ file: straight, name: 'a claim whose transaction was not committed leads nowhere, and the next one gets the reference' }],
  },
  {
    name: 'claim-looked-at-once',
    about: 'whoever finds a reference free, but is not the first to claim it, does not look again',
    file: 'transfers/transfers.references.ts',
    find: '    if (open.length === 0) return granted\n',
    replace: '    if (open.length === 0 || granted.size === 0) return granted.union(open.length === 0 ? granted : await claim(open))\n',
    caughtBy: [{ file: straight, name: 'of those who find a reference free, one gets it, and the others look again' }],
  },
  {
    name: 'late-claim-unchecked',
    about: 'a transfer gets a reference that somebody else has claimed since the batch was decided',
    file: 'transfers/transfers.references.ts',
    find: 'else if ((await claiming).size < claims.length)',
    replace: 'else if ((await claiming).size > claims.length)',
    caughtBy: [{ file: straight, name: 'a reference that is claimed late, and that somebody else has, fails the transaction' }],
  },
  {
    name: 'permit-where-the-shard-was',
    about: 'a transaction of a worker is committed although its shard was moved to another one',
    file: 'transfers/transfers.direct.ts',
    find: 'moved.has(place)\n',
    replace: 'moved.size < 0\n',
    caughtBy: [{ file: straight, name: 'nothing is written where a shard no longer is' }],
  },
  {
    name: 'permit-beside-who-runs-alone',
    about: 'a transaction of a worker is permitted to end while somebody waits to run alone',
    file: 'transfers/transfers.direct.ts',
    find: '      .transactionIfFree(async (tx) => {\n        const [moved',
    replace: '      .transaction(async (tx) => {\n        const [moved',
    caughtBy: [{ file: straight, name: 'while somebody runs alone, or waits for that, nothing that goes straight is committed' }],
  },
  {
    name: 'permit-without-claims',
    about: 'a transaction that claims no reference does not ask whether its shard was moved',
    file: 'transfers/transfers.direct.ts',
    find: 'if (this.#attempt === undefined) await this.claim([])',
    replace: '',
    caughtBy: [{ file: straight, name: 'nothing is written where a shard no longer is' }],
  },
  {
    name: 'claims-behind-commit',
    about: 'a transaction of a worker does not wait until its claims are there',
    file: 'transfers/transfers.direct.ts',
    find: '    return this.#permit(own)\n',
    replace: '    setTimeout(() => this.#permit(own).catch(() => {}), 50)\n    return new Set(own.map(({ transfer_id }) => transfer_id))\n',
    caughtBy: [{ file: straight, name: 'a reference is used once, whoever wants it and in whichever way' }],
  },
  {
    name: 'key-locked-on-the-coordinator',
    about: 'the lock of an idempotency key is one of the coordinator, where nothing that goes straight to a worker can take it',
    file: 'platform/idempotency/idempotency.sql.ts',
    find: ' ${atWorker(tx, some[0]?.venture_id)}',
    replace: '',
    caughtBy: [{ file: straight, name: 'a create goes straight, and its repetition is refused in both ways' }],
  },
  {
    name: 'worker-asked-for-the-coordinators',
    about: 'a statement about a table of the coordinator is sent to a worker',
    file: 'platform/database/database.placed.ts',
    find: "kindOf(table) === 'coordinator')) throw",
    replace: "kindOf(table) === 'everywhere')) throw",
    caughtBy: [
      {
        file: placed,
        name: 'a statement about a table of the coordinator is refused each time, also one that names a table of the shard as well',
      },
    ],
  },
  {
    name: 'lock-of-another-server',
    about: 'a lock that others take on the coordinator is taken on a worker',
    file: 'platform/database/database.placed.ts',
    find: "if (!isOfShard && placed.includes('advisory'))",
    replace: "if (!isOfShard && placed.includes('coordinator'))",
    caughtBy: [
      { file: placed, name: 'a lock that others take on the coordinator is refused, and one with a table of the shard is taken there' },
    ],
  },
  {
    name: 'plan-of-another-shard',
    about: 'statements for two shards share a name, so one is carried out for the other',
    file: 'platform/database/database.placed.ts',
    find: 'name: `${name}_${this.id}`, text: placed',
    replace: 'name: `${name}_`, text: placed',
    caughtBy: [{ file: placed, name: 'a statement for a shard has a name of its own, which the database does not cut off' }],
  },
  {
    name: 'statement-behind-the-end',
    about: 'a statement that is sent after the end of its transaction is carried out by itself',
    file: 'platform/database/database.ts',
    find: '    if (this.#hasEnded) return this.#refuseLate()\n    if (this.#shard',
    replace: '    if (this.#shard',
    caughtBy: [{ file: straight, name: 'a statement that is sent after the end of its transaction is refused' }],
  },
  {
    name: 'unreachable-worker-refuses',
    about: 'what concerns a worker that cannot be reached is refused, although the coordinator reaches it',
    file: 'transfers/transfers.direct.ts',
    find: 'isClosed || (isUnreachable &&',
    replace: 'isClosed || (isClosed &&',
    caughtBy: [{ file: straight, name: 'what concerns a worker that cannot be reached any more goes through the coordinator' }],
  },
]
