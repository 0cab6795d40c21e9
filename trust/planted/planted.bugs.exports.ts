// Bugs in the exports of clients.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const file = 'exports/exports.test.ts'
const everyRow =
  'every row of the database that names the client is in the export of the bank, or in a table that is left out with a reason'

export const exportBugs: readonly Bug[] = [
  {
    name: 'exports-tip-off',
    about: 'the export of a venture has the scans before a review, so it tells that a list has stopped the payment',
    file: 'exports/exports.walk.ts',
    find: "venture: { kind: 'venture' }",
    replace: "venture: { kind: 'operator' }",
    caughtBy: [{ file, name: 'a venture gets what it may see: its rows, and nothing of lists, cases, scans and the people of the bank' }],
  },
  {
    name: 'exports-without-payees',
    about: 'payments that others have sent to the client are not in its export',
    file: 'exports/exports.kinds.ts',
    find: 'kept.iban = any(${subject.ibans}) and kept.client_id <> parent.id',
    replace: 'kept.iban = any(${subject.ibans}) and kept.client_id = parent.id',
    caughtBy: [{ file, name: everyRow }],
  },
  {
    name: 'exports-first-page-only',
    about: 'of what there is much, the export has the first hundred rows',
    file: 'exports/exports.walk.ts',
    find: 'if (count === rowsOfOne) yield*',
    replace: 'if (count > rowsOfOne) yield*',
    caughtBy: [{ file, name: 'everything is in the archive, however much it is' }],
  },
  {
    name: 'exports-of-many-moments',
    about: 'what changes while an export is read is half in it',
    file: 'platform/database/database.snapshot.ts',
    find: 'begin isolation level repeatable read, read only',
    replace: 'begin isolation level read committed, read only',
    caughtBy: [{ file, name: 'an archive is as everything was at one moment' }],
  },
  {
    name: 'exports-unseen',
    about: 'nobody learns who has taken everything about a client',
    file: 'audit/audit.hooks.ts',
    find: "new Set(['exportClient'])",
    replace: "new Set(['exportClients'])",
    caughtBy: [{ file, name: 'each export is in the audit log, and HEAD gives nothing out' }],
  },
  {
    name: 'exports-wait-for-slow-readers',
    about: 'whoever takes an export and does not read it keeps a connection and the place of the venture',
    file: 'platform/database/database.snapshot.ts',
    find: 'void this.close().then(() => this.onExpired())',
    replace: 'this.onExpired()',
    caughtBy: [
      {
        file: 'platform/database/database.snapshot.test.ts',
        name: 'a snapshot that is not read ends by itself, tells it, and gives its place back once',
      },
    ],
  },
]
