// Bugs that show only under concurrency, or when something breaks halfway.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const races = 'transfers/writing/transfers.races.test.ts'
const known = 'transfers/writing/transfers.snapshot.test.ts'
const database = 'platform/database/database.test.ts'
const batches = 'platform/batches.test.ts'
const overlap = 'a batch begins while the last one is committed, waits for it in the database, and then sees what it has written'
const slowCommit = 'a COMMIT that takes longer than a lock may take holds up one batch for that time, and none after it'
const notCommitted = 'a batch that was decided over one which is not committed after all is decided anew'
const changedElsewhere =
  'an order is decided over the truth after every change that was made elsewhere, and is carried out once that is undone'
const staysLocked = 'accounts and clients stay locked until the transaction ends, clients for others to share'

export const raceBugs: readonly Bug[] = [
  {
    name: 'destination-not-locked',
    about: 'the account that an internal transfer credits is read without being locked when another instance holds it',
    file: 'transfers/writing/transfers.plan.ts',
    find: "...keys.add('accounts', venture_id, [related?.account_id, related?.receiver_account_id]),",
    replace: `...keys.add('accounts', venture_id, [related?.account_id]),
      ...keys.add('accounts', venture_id, [related?.receiver_account_id]).slice(1),`,
    caughtBy: [{ file: races, name: 'completing an internal transfer waits for a concurrent change of its receiver, and then sees it' }],
  },
  {
    name: 'destination-not-locked-by-a-create',
    about: 'the account that a new internal transfer is to credit is read without being locked when another instance holds it',
    file: 'transfers/writing/transfers.plan.ts',
    find: "...keys.add('accounts', venture_id, [account_id, receiver]),",
    replace: `...keys.add('accounts', venture_id, [account_id]),
        ...keys.add('accounts', venture_id, [receiver]).slice(1),`,
    caughtBy: [{ file: races, name: 'a command waits for a concurrent block, freeze, close or limit change, and then sees it' }],
  },
  {
    name: 'balances-read-before-the-lock',
    about: 'balances are read before waiting for the lock, and are stale when they decide',
    file: 'transfers/writing/transfers.lock.ts',
    find: `const [granted, , , lockedAccounts, lockedTransfers, owners, transfers, children] = await Promise.all([
    claimReferences(tx, plan.claims),
    turn === undefined ? undefined : holdTurn(tx, turn),
    turn === undefined ? undefined : takeTurn(tx, turn),
    lockAccounts(tx, plan.accounts, wait),
    lockTransfers(tx, plan.transfers, wait),
    lockOwners(tx, plan.accounts),`,
    replace: `const [owners, granted, lockedAccounts, lockedTransfers, transfers, children] = await Promise.all([
    lockOwners(tx, plan.accounts),
    claimReferences(tx, plan.claims),
    lockAccounts(tx, plan.accounts, wait),
    lockTransfers(tx, plan.transfers, wait),`,
    caughtBy: [{ file: races, name: 'a command waits for a concurrent block, freeze, close or limit change, and then sees it' }],
  },
  {
    name: 'guard-read-in-the-locking-statement',
    about: 'closing an account looks for frozen money in the statement that locks it, which sees the state before the wait',
    file: 'accounts/accounts.ts',
    find: `      const row = await requireLocked(tx, key)
      requireSequence(row, by.sequence)
      const { event } = accountActions[action]
      const frozen_by_bank = isFrozenByBank(row, action, by)
      const marks = action === 'freeze' && frozen_by_bank && !row.frozen_by_bank && isOnlyMarked(row)
      const to = marks ? row.status : accountActions[action].to
      if (!marks) requireNext(row.status, to)
      if (row.managed) requireAllowed(action, row, by)
      await conditions[action](tx, row, accounts)`,
    replace: `      const held = await accounts.findOpenTransfer(tx, key)
      const row = await requireLocked(tx, key)
      const { to, event } = accountActions[action]
      const frozen_by_bank = isFrozenByBank(row, action, by)
      requireNext(row.status, to)
      if (action !== 'close') await conditions[action](tx, row, accounts)
      else if (held || Number(row.current_balance) || Number(row.reserved_balance)) refuse('account_not_empty', { transfer_id: held?.id })`,
    caughtBy: [
      { file: 'accounts/accounts.test.ts', name: 'a close waits for money that is being received into suspense, and then sees it' },
    ],
  },
  {
    name: 'client-not-locked',
    about: 'a client can be blocked while an order or a move of that client is being decided',
    file: 'transfers/writing/transfers.lock.sql.ts',
    find: 'order by client.id for share of client`',
    replace: 'order by client.id`',
    caughtBy: [
      { file: races, name: 'a command waits for a concurrent block, freeze, close or limit change, and then sees it' },
      { file: races, name: 'a move waits for a concurrent block of the client who pays or is paid, and then sees it' },
    ],
  },
  {
    name: 'event-outside-the-transaction',
    about: 'the event of a transfer is written after its transaction, so either may exist without the other',
    file: 'transfers/writing/transfers.write.ts',
    find: 'if (batch.newEvents.length > 0) emit(tx, ...batch.newEvents)',
    replace: 'if (batch.newEvents.length > 0) setTimeout(() => emit(tx, ...batch.newEvents), 20)',
    caughtBy: [{ file: 'events/events.test.ts', name: 'a change whose event cannot be written does not happen' }],
  },
  {
    name: 'event-in-a-transaction-of-its-own',
    about: 'the event of an account is written in another transaction, which stays when the first one fails',
    file: 'accounts/accounts.ts',
    find: 'emit(tx, { venture_id: key.venture_id, type: event, object, sequence: moved.sequence, previous_status: row.status })',
    replace: `await accounts.database.transaction(async (other) =>
      emit(other, { venture_id: key.venture_id, type: event, object, sequence: moved.sequence, previous_status: row.status }))`,
    caughtBy: [{ file: 'events/events.test.ts', name: 'a change that does not happen emits no event' }],
  },
  {
    name: 'retry-after-an-unknown-commit',
    about: 'a transaction with an unknown outcome is repeated',
    file: 'platform/database/database.ts',
    find: "return done ?? refuse('outcome_unknown', { retry_after_s: 5 })",
    replace: 'return done ?? false',
    caughtBy: [
      { file: database, name: 'a COMMIT that is in progress for longer than the limit has an unknown outcome' },
      { file: database, name: 'a transaction that left no evidence is never reported as done on its number alone, nor repeated' },
    ],
  },
  {
    name: 'commit-in-progress-taken-for-aborted',
    about: 'a COMMIT whose answer was lost is repeated while the server is still processing it',
    file: 'platform/database/database.ts',
    find: "if (!isThere && outcome === 'aborted') return false",
    replace: 'if (!isThere) return false',
    caughtBy: [{ file: database, name: 'a transaction that left no evidence is never reported as done on its number alone, nor repeated' }],
  },
  {
    name: 'rollback-taken-for-commit',
    about: 'a transaction that ended as ROLLBACK is reported as done',
    file: 'platform/database/database.ts',
    find: "if (command !== 'COMMIT') throw new Error(",
    replace: "if (command === 'NEVER') throw new Error(",
    caughtBy: [{ file: database, name: 'a transaction that swallows the error of a failed statement is not reported as committed' }],
  },
  {
    name: 'batches-never-overlap',
    about: 'a batch does not say that it was sent, so the next one begins only when it has ended',
    file: 'transfers/writing/transfers.schedule.ts',
    find: '        overlap?.onSent()\n',
    replace: '',
    caughtBy: [{ file: races, name: overlap }],
  },
  {
    name: 'batch-without-a-turn',
    about: 'a batch does not wait for the last one in the database, and has to run again for what that one holds',
    file: 'transfers/writing/transfers.lock.ts',
    find: 'turn === undefined ? undefined : takeTurn(tx, turn),',
    replace: 'undefined,',
    caughtBy: [{ file: races, name: overlap }],
  },
  {
    name: 'turn-behind-what-was-given-up',
    about: 'a batch waits for a transaction of which the service will not hear any more',
    file: 'transfers/writing/transfers.schedule.ts',
    find: 'if (last === turn) last = undefined',
    replace: '',
    caughtBy: [{ file: races, name: 'nobody waits for a batch that the service has given up' }],
  },
  {
    name: 'turn-not-reached',
    about: 'a batch is refused because the COMMIT of the last one takes long',
    file: 'transfers/writing/transfers.schedule.ts',
    find: 'else if (onSent === undefined || turn.isReached || !isSlow(error)) throw error',
    replace: 'else throw error',
    caughtBy: [{ file: races, name: slowCommit }],
  },
  {
    name: 'batch-that-overtakes',
    about: 'a batch does not wait for the last one if that has not written all of its rows yet',
    file: 'transfers/writing/transfers.lock.ts',
    find: 'claimReferences(tx, plan.claims), holdTurn(tx, turn)])',
    replace: 'claimReferences(tx, plan.claims)])',
    caughtBy: [{ file: races, name: 'a batch does not overtake the last one, which takes longer to be written' }],
  },
  {
    name: 'known-not-compared',
    about: 'a batch is decided over what was known of its accounts, whatever has become of them',
    file: 'transfers/writing/transfers.snapshot.ts',
    find: `account.id = known.id and \${isSame}`,
    replace: 'account.id = known.id',
    caughtBy: [
      { file: known, name: 'a field of an account that differs is found, and what is not compared cannot be changed' },
      { file: known, name: 'a field of a client that differs is found' },
      { file: known, name: changedElsewhere },
      { file: races, name: notCommitted },
    ],
  },
  {
    name: 'known-nulls-not-compared',
    about: 'a limit that is null does not differ from any other',
    file: 'platform/database/sql.ts',
    find: '${column.strings.join(\'\')} is not distinct from ${record}."${name}"',
    replace: 'coalesce(${column.strings.join(\'\')} = ${record}."${name}", true)',
    caughtBy: [{ file: known, name: 'a value that was null, or is null now, differs' }],
  },
  {
    name: 'known-client-not-locked',
    about: 'a client can be blocked while a speculative batch is being committed',
    file: 'transfers/writing/transfers.snapshot.ts',
    find: ' for share of client skip locked) locked`)',
    replace: ') locked`)',
    caughtBy: [{ file: known, name: staysLocked }],
  },
  {
    name: 'known-account-not-locked',
    about: 'an account can be changed while a speculative batch is being committed',
    file: 'transfers/writing/transfers.snapshot.ts',
    find: 'for no key update of account skip locked for share',
    replace: 'for share',
    caughtBy: [{ file: known, name: staysLocked }],
  },
  {
    name: 'known-waits-for-clients',
    about: 'a batch waits for clients in the order of their accounts, and two transactions may wait for each other',
    file: 'transfers/writing/transfers.snapshot.ts',
    find: 'for share of client skip locked) locked`)',
    replace: 'for share of client) locked`)',
    caughtBy: [{ file: known, name: 'what another transaction has locked is not waited for' }],
  },
  {
    name: 'known-not-copied',
    about: 'a batch changes what is known before it is compared, so nothing is ever as it was known',
    file: 'transfers/writing/transfers.lock.ts',
    find: 'accounts.map((account) => ({ ...account }))\n  const lockedAccounts',
    replace: 'accounts\n  const lockedAccounts',
    caughtBy: [{ file: known, name: 'a batch is decided over what the ones before have left, whatever they refused' }],
  },
  {
    name: 'known-without-a-lock',
    about: 'what was read of an account that another transaction holds is taken for known',
    file: 'transfers/writing/transfers.snapshot.ts',
    find: 'client !== undefined && locked.has(account.id)',
    replace: 'client !== undefined',
    caughtBy: [{ file: known, name: 'an account that another transaction holds is not in the snapshot afterwards' }],
  },
  {
    name: 'stale-snapshot-not-run-again',
    about: 'an order is refused because its account has changed since it was in a batch',
    file: 'transfers/writing/transfers.schedule.ts',
    find: 'if (error instanceof StaleSnapshot) speculation.conflicted()',
    replace: 'if (error instanceof StaleSnapshot) throw error',
    caughtBy: [
      { file: known, name: changedElsewhere },
      { file: races, name: notCommitted },
    ],
  },
  {
    name: 'known-for-everything',
    about: 'an order that depends on another transfer is decided without that transfer',
    file: 'transfers/writing/transfers.schedule.ts',
    find: 'if (transfers.length + parents.length + wholeAccounts.length > 0) return false\n',
    replace: 'if (transfers.length > 99 || parents.length > 99 || wholeAccounts.length > 99) return false\n',
    caughtBy: [
      {
        file: known,
        name: 'a batch with an account that is not in the snapshot, or with anything else than a plain create, locks and reads',
      },
    ],
  },
  {
    name: 'nothing-known',
    about: 'no batch is speculative',
    file: 'transfers/writing/transfers.schedule.ts',
    find: 'const owners = this.find(plan.accounts)',
    replace: 'const owners = this.find([{ venture_id: "", id: "" }])',
    caughtBy: [{ file: races, name: 'a batch is written while the last one is committed, and is decided over what that one leaves' }],
  },
  {
    name: 'known-of-another-venture',
    about: 'an account of another venture is known to whoever names it',
    file: 'transfers/writing/transfers.snapshot.ts',
    find: 'if (owner === undefined || owner.account.venture_id !== venture_id) return undefined',
    replace: 'if (owner === undefined) return undefined',
    caughtBy: [{ file: known, name: 'accounts are found with their clients, in the order in which they are asked for, and all or none' }],
  },
  {
    name: 'known-without-end',
    about: 'whatever was in a batch stays in memory',
    file: 'transfers/writing/transfers.snapshot.ts',
    find: 'if (this.#owners.size <= mostAccounts) return\n',
    replace: 'return\n',
    caughtBy: [{ file: known, name: 'of more than ten thousand accounts, the least recently used are dropped' }],
  },
  {
    name: 'batches-without-number',
    about: 'any number of batches begin before the first of them has ended',
    file: 'platform/batches.ts',
    find: 'if (lane.running || lane.sent > mostUnanswered) return',
    replace: 'if (lane.running) return',
    caughtBy: [{ file: batches, name: 'a batch begins while two are committed, and a fourth one does not' }],
  },
  {
    name: 'batches-that-shrink',
    about: 'a batch begins with whoever is there, although another one is still being committed',
    file: 'platform/batches.ts',
    find: 'if (isCommitting && lane.queue.length < Math.min(lane.answered, enoughCommands)) return',
    replace: '',
    caughtBy: [{ file: batches, name: 'while another one is committed, a batch begins when as many wait as the last one had' }],
  },
  {
    name: 'batches-as-large-as-the-last',
    about:
      'while another one is committed, each batch waits for as many commands as the last one had, so one that was large makes all others large',
    file: 'platform/batches.ts',
    find: 'Math.min(lane.answered, enoughCommands)',
    replace: 'lane.answered',
    caughtBy: [{ file: batches, name: 'twenty commands are enough for a batch, however many the last one had' }],
  },
  {
    name: 'batches-held-up',
    about: 'a batch that does not end holds up all smaller ones behind it',
    file: 'platform/batches.ts',
    find: 'lane.sent > 0 && performance.now() - lane.sentAt_ms < longestCommit_ms',
    replace: 'lane.sent > 0',
    caughtBy: [{ file: batches, name: 'a batch that does not end holds up no smaller one behind it' }],
    hangs: true,
  },
  {
    name: 'batches-that-always-overlap',
    about: 'batches begin before the last one has ended where they should take turns',
    file: 'platform/batches.ts',
    find: 'this.#overlaps ? onSent : undefined',
    replace: 'onSent',
    caughtBy: [{ file: batches, name: 'batches take turns unless they are to overlap' }],
  },
  {
    name: 'unknown-batch-done-again',
    about: 'a batch with an unknown outcome is split in halves and repeated',
    file: 'platform/batches.ts',
    find: 'if (error instanceof Refusal || batch.length === 1) {',
    replace: 'if (batch.length === 1) {',
    caughtBy: [{ file: batches, name: 'a refusal of the whole batch reaches every caller, and the batch is not retried' }],
  },
  {
    name: 'job-lost-in-a-crash',
    about: 'a job is deleted before it is done, so it is lost if its worker fails',
    file: 'platform/jobs.ts',
    find: `      await run(job.payload)
      await this.#database.transaction((tx) => tx.run(write\`delete from jobs where id = \${job.id}\`))`,
    replace: `      await this.#database.transaction((tx) => tx.run(write\`delete from jobs where id = \${job.id}\`))
      await run(job.payload)`,
    caughtBy: [
      {
        file: 'platform/jobs.test.ts',
        name: 'a job whose worker died is given to another when its lease expires',
      },
    ],
  },
  {
    name: 'job-taken-twice',
    about: 'a running job stays due, and another worker runs it too',
    file: 'platform/jobs.ts',
    find: "due_at = bank_now() + ${lease_ms} * interval '1 millisecond'\n    where id in (",
    replace: "due_at = due_at + ${lease_ms} * interval '0'\n    where id in (",
    caughtBy: [{ file: 'platform/jobs.test.ts', name: 'several workers share the jobs: each job is done by one of them' }],
  },
]
