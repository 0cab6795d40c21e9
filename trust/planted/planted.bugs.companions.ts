// Bugs in companions and in idempotency keys.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const keys = 'platform/idempotency/idempotency.test.ts'
const companions = 'transfers/writing/transfers.companions.test.ts'

export const companionBugs: readonly Bug[] = [
  {
    name: 'companion-conflict-ignored',
    about: 'a command is carried out although its companion is refused',
    file: 'platform/companions.ts',
    find: "if (result !== 'granted' && ",
    replace: "if (result === 'held' && ",
    caughtBy: [
      { file: companions, name: 'a companion that is taken refuses its command, and the neighbours in the batch are carried out' },
      { file: 'platform/companions.test.ts', name: 'a single command is not even begun if a companion refuses it' },
    ],
  },
  {
    name: 'companion-kept-after-a-refusal',
    about: 'the companion of a refused command stays, as if the command had been carried out',
    file: 'platform/companions.ts',
    find: 'if (refused.length > 0)',
    replace: 'if (refused.length > 1_000)',
    caughtBy: [{ file: companions, name: 'a refused command leaves no companion, and its name is free for the next command' }],
  },
  {
    name: 'companion-written-outside-the-transaction',
    about: 'what belongs to a command is written after its transaction, so that one may be there without the other',
    file: 'platform/idempotency/idempotency.ts',
    find: '    insertKept(\n      tx,\n',
    replace: '    setTimeout(\n      insertKept,\n      20,\n      tx,\n',
    caughtBy: [{ file: keys, name: 'an effect whose key cannot be written does not happen, and its neighbours do' }],
  },
  {
    name: 'companion-locks-not-taken',
    about: 'rows that a companion needs locked are not locked',
    file: 'transfers/writing/transfers.plan.ts',
    find: "needs[index]?.push(...keys.add('accounts', venture_id, accounts), ...keys.add('transfers', venture_id, transfers))",
    replace: 'needs[index]?.push(...accounts, ...transfers)',
    caughtBy: [{ file: companions, name: 'the locks that a companion needs are taken with those of the batch' }],
  },
  {
    name: 'recall-waited-for-in-a-batch',
    about: 'a batch waits for the recall that one of its commands answers, and everybody in it and behind it waits as well',
    file: 'rails/recalls/rails.recalls.sql.ts',
    find: 'for update skip locked`)',
    replace: 'for update`)',
    caughtBy: [
      {
        file: 'rails/recalls/rails.recalls.test.ts',
        name: 'a recall that somebody else holds is waited for, and nobody waits because of it',
      },
    ],
    hangs: true,
  },
  {
    name: 'blocked-command-takes-part',
    about: 'a command that its companion refuses still claims its reference and waits for locks, and its batch with it',
    file: 'transfers/writing/transfers.run.ts',
    find: 'const plan = free.length === commands.length ? planned : await planBatch(tx, free)',
    replace: 'const plan = planned',
    caughtBy: [{ file: keys, name: 'while the first request runs, a second one is refused at once, on the same instance and on another' }],
  },
  {
    name: 'idempotency-key-of-any-venture',
    about: 'a key that one venture has used gives its answer to another venture',
    file: 'platform/idempotency/idempotency.routes.ts',
    find: '...tools.scopeOf(request),',
    replace: "venture_id: '00000000-0000-0000-0000-000000000000', owner_id: '00000000-0000-0000-0000-000000000000',",
    caughtBy: [{ file: keys, name: 'a key means something else to another venture and to another operation' }],
  },
  {
    name: 'idempotency-key-of-any-operation',
    about: 'a key that one operation has used gives its answer to another operation',
    file: 'platform/idempotency/idempotency.routes.ts',
    find: "const { operationId: operation = '', response = {} }",
    replace: "const { operation = 'any', response = {} }",
    caughtBy: [{ file: keys, name: 'a key means something else to another venture and to another operation' }],
  },
  {
    name: 'idempotency-other-request-answered',
    about: 'another request with a key that was used gets the answer to the first one, and is not carried out',
    file: 'platform/idempotency/idempotency.routes.ts',
    find: 'if (request_hash !== attempt.request_hash)',
    replace: "if (request_hash === '')",
    caughtBy: [{ file: keys, name: 'another request with the same key is refused, and fields in another order are the same request' }],
  },
  {
    name: 'idempotency-secret-kept',
    about: 'the key of a new venture lies in the table of answers',
    file: 'platform/idempotency/idempotency.routes.ts',
    find: "if (creation.answer === 'kept' || waits) attempt.answer =",
    replace: "if (creation.answer === 'kept' || creation.answer === 'secret' || waits) attempt.answer =",
    caughtBy: [{ file: keys, name: 'a secret is never kept: a repetition names what was created' }],
  },
  {
    name: 'idempotency-key-waited-for',
    about: 'a repeated request waits until the first one ends, and so does everything in its batch',
    file: 'platform/idempotency/idempotency.sql.ts',
    find: 'as number where pg_try_advisory_xact_lock(number)',
    replace: 'as number where pg_advisory_xact_lock(number) is not null',
    caughtBy: [{ file: keys, name: 'while the first request runs, a second one is refused at once, on the same instance and on another' }],
  },
  {
    name: 'idempotency-row-not-looked-for-after-the-lock',
    about: 'a request that got the lock right after the first one ended is carried out again',
    file: 'platform/idempotency/idempotency.ts',
    find: 'const used = new Set(kept.map(nameOf))',
    replace: 'const used = new Set(kept.slice(kept.length).map(nameOf))',
    caughtBy: [
      { file: keys, name: 'fifty requests with one key over two instances have one effect; the others get its answer or are told to wait' },
    ],
  },
  {
    name: 'idempotency-key-kept-for-ever',
    about: 'a key is answered from an old row after its day is over',
    file: 'platform/idempotency/idempotency.sql.ts',
    find: 'and created_at > ${oldest()} ',
    replace: "and created_at + interval '100 years' > ${oldest()} ",
    caughtBy: [{ file: keys, name: 'after a day a key is free again, whether it was pruned or not' }],
  },
  {
    name: 'idempotency-keys-pruned-too-early',
    about: 'pruning takes keys that are still to be recognised',
    file: 'platform/idempotency/idempotency.sql.ts',
    find: 'const before = oldest()',
    replace: 'const before = new Date().toISOString()',
    caughtBy: [{ file: keys, name: 'pruning deletes what is older than a day, of the given ventures, in steps' }],
  },
  {
    name: 'interrupted-refund-started-again',
    about: 'a refund whose request was interrupted is asked for under another name when the request is repeated',
    file: 'payments/payments.routes.ts',
    find: 'resumeRefund(payments, { ...keyOf(request), external_refund_id })',
    replace: 'refundPayment(payments, keyOf(request), { external_refund_id: `${external_refund_id.slice(0, 30)}-2` })',
    caughtBy: [{ file: keys, name: 'a refund that was interrupted after it was stored is finished by the repetition, and made once' }],
  },
  {
    name: 'replay-not-confirmed',
    about: 'a repeated request is acknowledged although a failover could still take back what the first one did',
    file: 'platform/idempotency/idempotency.routes.ts',
    find: 'await tools.database.confirm(selectKept(tools.database, [attempt]))',
    replace: '',
    caughtBy: [
      { file: 'platform/idempotency/idempotency.test.ts', name: 'an answer that a failover could still take back is not given again' },
    ],
  },
]
