// Bugs in authentication and in the separation of ventures.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const ventures = 'ventures/ventures.test.ts'

export const tenantBugs: readonly Bug[] = [
  {
    name: 'venture-missing-in-a-read',
    about: 'a client is found by its id alone, in any venture',
    file: 'clients/clients.sql.ts',
    find: 'read<Client>`select ${columns} from clients where venture_id = ${venture_id} and id = ${id}`',
    replace: 'read<Client>`select ${columns} from clients where id = ${id} and ${venture_id}::uuid is not null`',
    caughtBy: [{ file: 'clients/clients.test.ts', name: 'another venture’s client looks exactly like one that does not exist' }],
  },
  {
    name: 'venture-missing-in-a-list',
    about: 'the list of transfers shows those of every venture',
    file: 'transfers/orders/transfers.list.ts',
    find: 'from transfers where venture_id = ${venture_id} and ${rest}',
    replace: 'from transfers where ${venture_id}::uuid is not null and ${rest}',
    caughtBy: [
      { file: 'transfers/orders/transfers.list.test.ts', name: 'a list never contains transfers of another venture, whatever the filter' },
    ],
  },
  {
    name: 'venture-missing-in-the-deliveries-of-all-endpoints',
    about: 'the list of all deliveries shows those of every venture',
    file: 'webhooks/webhooks.sql.ts',
    find: 'from webhook_deliveries where venture_id = ${venture_id} and ${rest}`,\n    ordered',
    replace: 'from webhook_deliveries where ${venture_id}::uuid is not null and ${rest}`,\n    ordered',
    caughtBy: [
      { file: 'webhooks/webhooks.deliveries.test.ts', name: 'deliveries of another venture are never listed, whatever the filter' },
    ],
  },
  {
    name: 'venture-missing-in-the-entries-of-a-transfer',
    about: 'the entries of any transfer are shown to every venture',
    file: 'transfers/orders/transfers.history.ts',
    find: 'from entries where venture_id = ${venture_id} and cause_id = ${id}',
    replace: 'from entries where ${venture_id}::uuid is not null and cause_id = ${id}',
    caughtBy: [
      {
        file: 'transfers/orders/transfers.entries.test.ts',
        name: "another venture's transfer has no entries for anybody else: it is as unknown as one that does not exist",
      },
    ],
  },
  {
    name: 'find-ignores-scopes',
    about: 'a key without the scope for clients finds clients',
    file: 'desk/desk.find.ts',
    find: 'filter(({ operation }) => maySee(operation, scopes))',
    replace: 'filter(({ operation }) => maySee(operation, undefined) || scopes)',
    caughtBy: [{ file: 'desk/desk.find.test.ts', name: 'a key finds only what its scopes let it list' }],
  },
  {
    name: 'find-ignores-the-venture',
    about: 'a client is found by its email in any venture',
    file: 'clients/clients.find.ts',
    find: 'from clients where venture_id = any(${ventures}) and id = ${id}',
    replace: 'from clients where ${ventures}::uuid[] is not null and id = ${id}',
    caughtBy: [{ file: 'desk/desk.find.test.ts', name: 'nothing of another venture is found' }],
  },
  {
    name: 'statistics-of-every-venture',
    about: 'the figures of a venture count the transfers of every venture',
    file: 'transfers/orders/transfers.statistics.ts',
    find: 'select status from transfers where venture_id = ${venture_id} and',
    replace: 'select status from transfers where ${venture_id}::uuid is not null and',
    caughtBy: [{ file: 'desk/desk.statistics.test.ts', name: 'the figures are those of the own venture' }],
  },
  {
    name: 'audit-log-tells-ventures-what-the-bank-reads',
    about: 'a venture sees which of its clients the bank has looked at',
    file: 'audit/audit.sql.ts',
    find: "(actor <> 'operator' or action = any(${visible}))",
    replace: '(${visible}::text[] is not null)',
    caughtBy: [
      {
        file: 'audit/audit.venture.test.ts',
        name: 'a venture does not see what the bank has read, nor what the bank does about it on its own side',
      },
    ],
  },
  {
    name: 'venture-missing-in-a-list-of-payments',
    about: 'the list of payments shows those of every venture',
    file: 'payments/payments.sql.ts',
    find: 'from payments where venture_id = ${venture_id} and ${rest}',
    replace: 'from payments where ${venture_id}::uuid is not null and ${rest}',
    caughtBy: [{ file: 'payments/payments.test.ts', name: "another venture's payment is as unknown as one that does not exist" }],
  },
  {
    name: 'venture-missing-in-a-list-of-events',
    about: 'followers get the events of every venture',
    file: 'events/events.list.ts',
    find: 'const own = fragment`venture_id = ${venture_id}`',
    replace: 'const own = fragment`${venture_id}::uuid is not null`',
    caughtBy: [{ file: 'events/events.test.ts', name: 'invalid list parameters and events of other ventures are refused' }],
  },
  {
    name: 'venture-missing-in-the-entries',
    about: 'the entries of any account are shown to every venture',
    file: 'accounts/accounts.sql.ts',
    find: 'from entries where venture_id = ${venture_id} and account_id = ${id}',
    replace: 'from entries where ${venture_id}::uuid is not null and account_id = ${id}',
    caughtBy: [
      {
        file: 'accounts/accounts.test.ts',
        name: 'the entries of an account are visible to its own venture only',
      },
    ],
  },
  {
    name: 'venture-missing-in-the-history',
    about: 'the history of any transfer is shown to every venture',
    file: 'transfers/orders/transfers.history.ts',
    find: 'from transfer_moves where venture_id = ${venture_id} and transfer_id = ${id}',
    replace: 'from transfer_moves where ${venture_id}::uuid is not null and transfer_id = ${id}',
    caughtBy: [
      {
        file: 'transfers/life/transfers.moves.test.ts',
        name: 'a transfer is visible to its own venture only, and not with a disabled or rotated key',
      },
    ],
  },
  {
    name: 'venture-missing-in-a-delivery',
    about: 'an endpoint shows any delivery, even one of another venture',
    file: 'webhooks/webhooks.sql.ts',
    find: `    select \${deliveryColumns} from webhook_deliveries
    where venture_id = \${endpoint.venture_id} and endpoint_id = \${endpoint.id} and id = \${id}`,
    replace: `    select \${deliveryColumns} from webhook_deliveries
    where \${endpoint.venture_id}::uuid is not null and \${endpoint.id}::uuid is not null and id = \${id}`,
    caughtBy: [{ file: 'webhooks/webhooks.test.ts', name: 'a delivery is found only through its own endpoint' }],
  },
  {
    name: 'venture-missing-in-a-redelivery',
    about: 'an endpoint can redeliver any delivery, even one of another venture',
    file: 'webhooks/webhooks.sql.ts',
    find: `    where venture_id = \${endpoint.venture_id} and endpoint_id = \${endpoint.id} and id = \${id}
    returning`,
    replace: `    where \${endpoint.venture_id}::uuid is not null and \${endpoint.id}::uuid is not null and id = \${id}
    returning`,
    caughtBy: [{ file: 'webhooks/webhooks.test.ts', name: 'a delivery is found only through its own endpoint' }],
  },
  {
    name: 'venture-not-compared-in-a-batch',
    about: 'a batch finds rows by id alone, so its commands can use accounts of other ventures in the batch',
    file: 'transfers/deciding/transfers.batch.ts',
    find: 'return row?.venture_id === venture_id ? row : undefined',
    replace: 'return venture_id === undefined ? undefined : row',
    caughtBy: [{ file: 'transfers/writing/transfers.races.test.ts', name: 'commands in one batch cannot see the data of other ventures' }],
  },
  {
    name: 'duplicate-tells-of-another-venture',
    about: 'a reference used by another venture reveals the id of that venture’s transfer',
    file: 'transfers/deciding/transfers.decide.ts',
    find: 'if (claim.venture_id !== venture_id) {',
    replace: 'if (claim.venture_id === undefined) {',
    caughtBy: [
      {
        file: 'transfers/deciding/transfers.create.test.ts',
        name: 'a reference is unique across ventures, and only its own venture gets the id of the existing transfer',
      },
    ],
  },
  {
    name: 'key-rotation-leaves-the-old-key',
    about: 'a rotated key keeps working',
    file: 'ventures/ventures.apikeys.sql.ts',
    find: `    update api_keys set revoked_at = \${at}
    where venture_id = \${venture_id} and id = \${id} and revoked_at is null and`,
    replace: `    update api_keys set revoked_at = null
    where \${at} <> '' and venture_id = \${venture_id} and id = \${id} and revoked_at is null and`,
    caughtBy: [{ file: ventures, name: 'a rotated key stops working immediately on every instance, and the new one works' }],
  },
  {
    name: 'key-rotated-by-a-dead-key',
    about: 'two concurrent rotations both succeed, and one of the two new keys does not work',
    file: 'ventures/ventures.apikeys.sql.ts',
    find: 'and id = ${id} and revoked_at is null and (expires_at is null or expires_at > ${at})',
    replace: 'and id = ${id} and (expires_at is null or expires_at > ${at})',
    caughtBy: [{ file: ventures, name: 'of many concurrent rotations with one key, exactly one succeeds and its key works' }],
  },
  {
    name: 'key-remembered',
    about: 'a key that was valid once stays valid forever',
    file: 'ventures/ventures.apikeys.ts',
    find: `const find = coalesce<string, KeyOfVenture>(
    async (hashes) => {
      const rows = await database.rows(selectByKeyHashes(hashes))
      return new Map(rows.map((row) => [row.key_hash, row]))`,
    replace: `const remembered = new Map<string, KeyOfVenture>()
  const find = coalesce<string, KeyOfVenture>(
    async (hashes) => {
      for (const row of await database.rows(selectByKeyHashes(hashes))) remembered.set(row.key_hash, row)
      return remembered`,
    caughtBy: [{ file: ventures, name: 'during constant use of a key, no request that starts after its rotation succeeds' }],
  },
  {
    name: 'venture-shown-without-its-key',
    about: 'the check of a session loads no prefix, and the route that shows the venture does not either',
    file: 'ventures/ventures.routes.ts',
    find: 'config: { findWithKey, showsVenture: true }',
    replace: 'config: { findWithKey }',
    caughtBy: [
      { file: 'users/users.session.test.ts', name: 'a person acts for the ventures they belong to, and learns nothing of others' },
    ],
  },
  {
    name: 'reads-remembered',
    about: 'coalesced reads cache their result for later callers',
    file: 'platform/coalesce.ts',
    find: `    let asked = group.asked.get(key)
    if (asked === undefined) {
      asked = Promise.withResolvers<Value | undefined>()`,
    replace: `    const kept = ((load as { kept?: Map<Key, Waiting<Value>> }).kept ??= new Map())
    let asked = kept.get(key)
    if (asked === undefined) {
      asked = Promise.withResolvers<Value | undefined>()
      kept.set(key, asked)`,
    caughtBy: [
      {
        file: 'platform/coalesce.test.ts',
        name: 'nothing is cached: a key requested during a load, or after it, is loaded again',
      },
    ],
  },
  {
    name: 'disabled-venture-let-in',
    about: 'the key of a disabled venture keeps working',
    file: 'ventures/ventures.apikeys.sql.ts',
    find: "> bank_now()) and venture.status = 'ACTIVE'`",
    replace: '> bank_now())`',
    caughtBy: [{ file: ventures, name: 'disabling a venture takes effect immediately on every instance, and enabling it restores access' }],
  },
  {
    name: 'disabled-venture-reads-a-transfer',
    about: 'the query that finds a transfer together with its key ignores that the venture is disabled',
    file: 'transfers/orders/transfers.orders.ts',
    find: 'and ${isValidKey} and transfer.id',
    replace: 'and key.revoked_at is null and (key.expires_at is null or key.expires_at > bank_now()) and transfer.id',
    caughtBy: [
      {
        file: 'transfers/life/transfers.moves.test.ts',
        name: 'a transfer is visible to its own venture only, and not with a disabled or rotated key',
      },
    ],
  },
  {
    name: 'slow-request-outlives-its-key',
    about: 'a request that holds back its last byte is carried out after its key was disabled',
    file: 'users/users.authentication.ts',
    find: 'if (performance.now() - request.checkedAt_ms > slowBody_ms) await check(request)',
    replace: 'if (performance.now() - request.checkedAt_ms > 60_000) await check(request)',
    caughtBy: [{ file: ventures, name: 'delaying the end of a request does not keep a disabled key valid' }],
  },
  {
    name: 'verifier-believes-any-venture',
    about: 'a venture can send verification events about clients of other ventures',
    file: 'kyc/kyc.ts',
    find: "return sender === 'relay' || subject?.venture_id === sender.venture_id ? subject : undefined",
    replace: 'return sender === undefined ? undefined : subject',
    caughtBy: [{ file: 'kyc/kyc.test.ts', name: 'a venture may send events about its own clients only' }],
  },
]
