// Bugs in mandates, in the test clock, and in statements as camt.053.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const mandates = 'mandates/mandates.test.ts'
const lives = 'mandates/mandates.rules.test.ts'
const deciding = 'transfers/deciding/transfers.mandates.ts'
const clock = 'platform/clock.test.ts'
const sandbox = 'sandbox/sandbox.clock.test.ts'
const camt = 'statements/statements.camt.ts'
const camtTests = 'statements/statements.camt.test.ts'

const allows = 'a mandate allows only what its debtor has signed'
const once = 'a mandate for one collection is used once; a collection that failed does not count'
const follows = 'a managed venture collects with a mandate: everything else follows from it'
const expire = 'keys and idempotency keys expire, and whoever is signed in stays so'
const retries = 'retries of webhooks come due, and are signed with the real time'

export const clockBugs: readonly Bug[] = [
  {
    name: 'mandates-of-another-account',
    about: 'a mandate collects money for any account of the venture',
    file: deciding,
    find: 'if (mandate.account_id !== account.id)',
    replace: "if (mandate.account_id === '')",
    caughtBy: [{ file: mandates, name: allows }],
  },
  {
    name: 'mandates-of-another-debtor',
    about: 'whoever has a mandate of somebody collects from anybody',
    file: deciding,
    find: 'if (given != null && given !== signed)',
    replace: "if (given === '' && given !== signed)",
    caughtBy: [{ file: mandates, name: allows }],
  },
  {
    name: 'mandates-collect-after-their-end',
    about: 'a mandate that was cancelled or has expired still collects',
    file: deciding,
    find: "if (mandate.state !== 'ACTIVE') refuseInactive",
    replace: 'if (mandate.state === undefined) refuseInactive',
    caughtBy: [{ file: mandates, name: allows }],
  },
  {
    name: 'mandates-once-and-again',
    about: 'a mandate for one collection collects again in another batch',
    file: 'transfers/writing/transfers.terms.ts',
    find: "({ sequence_type }) => sequence_type === 'OOFF'",
    replace: "({ sequence_type }) => sequence_type === 'RCUR'",
    caughtBy: [{ file: mandates, name: once }],
  },
  {
    name: 'mandates-once-in-each-batch',
    about: 'a mandate for one collection collects several times in one batch',
    file: 'transfers/deciding/transfers.batch.ts',
    find: 'return this.#usedMandates.has(id) || this.newTransfers.some(({ mandate_id }) => mandate_id === id)',
    replace: 'return this.#usedMandates.has(id)',
    caughtBy: [{ file: mandates, name: once }],
  },
  {
    name: 'mandates-used-by-failures',
    about: 'a collection that was cancelled uses up the mandate',
    file: 'transfers/writing/transfers.lock.sql.ts',
    find: '      and status <> all(${failedStatuses})`)',
    replace: "      and status <> all(${failedStatuses.filter((status) => status === 'DROPPED')})`)",
    caughtBy: [{ file: mandates, name: once }],
  },
  {
    name: 'mandates-uses-not-noted',
    about: 'a mandate that is used expires 36 months after it was signed',
    file: 'mandates/mandates.sql.ts',
    find: 'set last_used_on = greatest(mandates.last_used_on, used.last_used_on)',
    replace: 'set last_used_on = greatest(mandates.last_used_on, mandates.signed_on)',
    caughtBy: [{ file: mandates, name: follows }],
  },
  {
    name: 'mandates-live-for-ever',
    about: 'a mandate does not expire',
    file: 'mandates/mandates.rules.ts',
    find: "return expiresOn(life) < today ? 'EXPIRED' : 'ACTIVE'",
    replace: "return expiresOn(life) < '' ? 'EXPIRED' : 'ACTIVE'",
    caughtBy: [{ file: lives, name: 'it is ACTIVE on its last day and EXPIRED on the next, and CANCELLED whatever its age' }],
  },
  {
    name: 'mandates-not-needed',
    about: 'a managed venture collects without a mandate',
    file: 'ventures/ventures.reserved.ts',
    find: '(subject) => isCollection(subject) && !subject.names_mandate,',
    replace: '(subject) => isCollection(subject) && subject.names_mandate === undefined,',
    caughtBy: [{ file: mandates, name: 'without a mandate collecting stays with the bank' }],
  },
  {
    name: 'mandates-any-creditor',
    about: 'the check digits of a creditor are computed with its business code',
    file: 'values/creditor-id.ts',
    find: 'checkDigits(id.slice(0, 2), id.slice(7))',
    replace: 'checkDigits(id.slice(0, 2), id.slice(4))',
    caughtBy: [
      {
        file: 'values/creditor-id.test.ts',
        name: 'creditor identifiers with correct check digits are valid, whatever their business code',
      },
    ],
  },
  {
    name: 'clock-goes-back',
    about: 'an instance that reads an older offset sets its clock back',
    file: 'platform/clock.ts',
    find: 'if (to_s <= ahead_s) return',
    replace: 'if (to_s === ahead_s) return',
    caughtBy: [{ file: clock, name: 'the clock never goes back, and tells whoever waits of each jump' }],
  },
  {
    name: 'clock-without-ids',
    about: 'ids have the real time, while the rows have that of the test clock',
    file: 'platform/ids.ts',
    find: 'generateOrResetWithTs(now_ms())',
    replace: 'generateOrResetWithTs(Date.now())',
    caughtBy: [{ file: clock, name: 'ids have the time of the clock, and each is greater than the one before' }],
  },
  {
    name: 'clock-everywhere',
    about: 'the clock can be moved outside the sandbox',
    file: 'app.ts',
    find: '      if (sandbox) {\n',
    replace: '      if (sandbox !== undefined) {\n',
    caughtBy: [{ file: sandbox, name: 'outside the sandbox there is no such clock' }],
  },
  {
    name: 'clock-by-operators',
    about: 'everybody at the bank moves the clock',
    file: 'users/users.access.ts',
    find: 'advanceTestClock: adminAtBank,',
    replace: 'advanceTestClock: changesAtBank,',
    caughtBy: [{ file: sandbox, name: 'it never goes back, and not far ahead; only admins of the bank move it' }],
  },
  {
    name: 'clock-without-limit',
    about: 'the clock goes any number of years ahead',
    file: 'platform/test-clock.ts',
    find: 'if (after_s > mostAhead_s)',
    replace: 'if (after_s > mostAhead_s * 100)',
    caughtBy: [{ file: sandbox, name: 'it never goes back, and not far ahead; only admins of the bank move it' }],
  },
  {
    name: 'clock-signs-out',
    about: 'sessions end by the test clock',
    file: 'users/users.sql.ts',
    find: "session.last_seen_at > now() - interval '30 minutes'",
    replace: "session.last_seen_at > bank_now() - interval '30 minutes'",
    caughtBy: [{ file: sandbox, name: expire }],
  },
  {
    name: 'clock-without-keys',
    about: 'API keys expire by the clock of the database',
    file: 'ventures/ventures.apikeys.sql.ts',
    find: 'key.expires_at > bank_now()',
    replace: 'key.expires_at > now()',
    caughtBy: [{ file: sandbox, name: expire }],
  },
  {
    name: 'clock-without-idempotency',
    about: 'idempotency keys expire by the clock of the machine',
    file: 'platform/idempotency/idempotency.sql.ts',
    find: 'const oldest = () => new Date(now().getTime() - kept_ms)',
    replace: 'const oldest = () => new Date(Date.now() - kept_ms)',
    caughtBy: [{ file: sandbox, name: expire }],
  },
  {
    name: 'clock-without-retries',
    about: 'webhooks are retried by the clock of the database',
    file: 'webhooks/webhooks.pending.ts',
    find: 'and next_attempt_at <= ${at}',
    replace: 'and next_attempt_at <= now()',
    caughtBy: [{ file: sandbox, name: retries }],
  },
  {
    name: 'clock-in-signatures',
    about: 'webhooks are signed with a time that receivers refuse',
    file: 'webhooks/webhooks.courier.ts',
    find: 'signedHeaders(secrets, { id, body })',
    replace: 'signedHeaders(secrets, { id, body, at })',
    caughtBy: [{ file: sandbox, name: retries }],
  },
  {
    name: 'camt-debits-come-in',
    about: 'what went out is an incoming transaction in the details of its entry',
    file: camt,
    find: "direction: isCredit ? 'CRDT' : 'DBIT'",
    replace: "direction: isCredit ? 'DBIT' : 'CRDT'",
    caughtBy: [{ file: camtTests, name: 'a statement is valid and says everything' }],
  },
  {
    name: 'camt-any-iban',
    about: 'what a counterparty calls its account is written as an IBAN',
    file: camt,
    find: "const iban = parseIban(counterparty_iban ?? '')",
    replace: 'const iban = counterparty_iban ?? undefined',
    caughtBy: [{ file: camtTests, name: 'whatever texts a line has, the message is valid and its amounts are exact' }],
  },
  {
    name: 'statements-read-unseen',
    about: 'people of the bank read statements without an entry in the audit log',
    file: 'audit/audit.hooks.ts',
    find: "new Set(['getStatement'])",
    replace: "new Set(['listBalances'])",
    caughtBy: [
      {
        file: 'audit/audit.test.ts',
        name: 'a statement shows a client: whoever of the bank reads one is audited, in every format, and a venture is not',
      },
    ],
  },
]
