// Bugs in what the console reads: finding, figures, the stream of changes, sessions, and the lists of the bank.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const finding = { file: 'desk/desk.find.test.ts', name: 'nothing of another venture is found' }
const figures = { file: 'desk/desk.statistics.test.ts', name: 'the figures are those of the own venture' }
const files = 'desk/desk.files.test.ts'
const sessions = 'users/users.session.test.ts'

export const deskBugs: readonly Bug[] = [
  {
    name: 'find-names-of-every-venture',
    about: 'clients of every venture are found by the beginning of their name',
    file: 'clients/clients.find.ts',
    find: 'where venture_id = any(${ventures}) and lower(last_name) ~>=~',
    replace: 'where ${ventures}::uuid[] is not null and lower(last_name) ~>=~',
    caughtBy: [finding],
  },
  {
    name: 'find-references-of-every-venture',
    about: 'a transfer of any venture is found by its reference',
    file: 'transfers/orders/transfers.find.ts',
    find: 'from transfers where venture_id = any(${ventures}) and id = any(${ids})',
    replace: 'from transfers where ${ventures}::uuid[] is not null and id = any(${ids})',
    caughtBy: [finding],
  },
  {
    name: 'find-payees-of-every-venture',
    about: 'whom the clients of another venture pay is found by an IBAN',
    file: 'beneficiaries/beneficiaries.find.ts',
    find: 'from beneficiaries where venture_id = any(${ventures}) and iban =',
    replace: 'from beneficiaries where ${ventures}::uuid[] is not null and iban =',
    caughtBy: [finding],
  },
  {
    name: 'find-names-clients-to-the-bank',
    about: 'people of the bank learn the names of clients without a word about it in the audit log',
    file: 'desk/desk.find.ts',
    find: "title: kind === 'client' ? id : title",
    replace: 'title',
    caughtBy: [
      { file: 'desk/desk.find.test.ts', name: 'the bank finds things of all ventures, and ventures by the beginning of their name' },
    ],
  },
  {
    name: 'statistics-balances-of-every-venture',
    about: 'the balances of a venture contain those of every venture',
    file: 'accounts/accounts.statistics.ts',
    find: 'from accounts where venture_id = ${venture_id} order by',
    replace: 'from accounts where ${venture_id}::uuid is not null order by',
    caughtBy: [figures],
  },
  {
    name: 'statistics-volumes-of-every-venture',
    about: 'the volumes of a venture contain those of every venture',
    file: 'transfers/orders/transfers.statistics.ts',
    find: 'from transfers where venture_id = ${venture_id} and id >= ${from} and created_at >= ${since}\n        order by id desc limit ${most}) as newest',
    replace:
      'from transfers where ${venture_id}::uuid is not null and id >= ${from} and created_at >= ${since}\n        order by id desc limit ${most}) as newest',
    caughtBy: [figures],
  },
  {
    name: 'statistics-deliveries-of-every-venture',
    about: 'a venture is told of deliveries to others that have failed',
    file: 'webhooks/webhooks.statistics.ts',
    find: 'from webhook_deliveries where venture_id = ${venture_id} and status',
    replace: 'from webhook_deliveries where ${venture_id}::uuid is not null and status',
    caughtBy: [figures],
  },
  {
    name: 'statistics-clients-of-every-venture',
    about: 'a venture is told of the verifications of others',
    file: 'clients/clients.statistics.ts',
    find: 'from clients where venture_id = ${venture_id} and kyc_status',
    replace: 'from clients where ${venture_id}::uuid is not null and kyc_status',
    caughtBy: [figures],
  },
  {
    name: 'stream-of-every-venture',
    about: 'the console tells a venture what changes in others',
    file: 'events/events.changes.ts',
    find: 'where venture_id = ${venture_id} and ${isAfter(after)}',
    replace: 'where ${venture_id}::uuid is not null and ${isAfter(after)}',
    caughtBy: [
      {
        file: 'desk/desk.stream.test.ts',
        name: 'whoever looks at a venture learns what changes in it from then on, and nothing of other ventures',
      },
    ],
  },
  {
    name: 'stream-of-what-was-there',
    about: 'whoever opens a page is told of everything that has ever changed',
    file: 'desk/desk.changes.ts',
    find: 'place: await lastEventPlace(this.#database, venture_id) }',
    replace: 'place: undefined }',
    caughtBy: [
      {
        file: 'desk/desk.stream.test.ts',
        name: 'whoever looks at a venture learns what changes in it from then on, and nothing of other ventures',
      },
    ],
  },
  {
    name: 'kyc-history-of-every-venture',
    about: 'the history of any verification is shown to every venture',
    file: 'kyc/kyc.sql.ts',
    find: 'where venture_id = ${venture_id} and resource_id = ${client_id} and type in',
    replace: 'where ${venture_id}::uuid is not null and resource_id = ${client_id} and type in',
    caughtBy: [
      {
        file: 'kyc/kyc.test.ts',
        name: "the history of another venture's client is as unknown as that of one who does not exist",
      },
    ],
  },
  {
    name: 'sessions-of-everybody',
    about: 'the list of own sessions shows those of everybody',
    file: 'users/users.sql.ts',
    find: 'where user_id = ${user_id} and expires_at > now()',
    replace: 'where ${user_id}::uuid is not null and expires_at > now()',
    caughtBy: [{ file: sessions, name: 'people see their own sessions, and end any of them' }],
  },
  {
    name: 'sessions-of-others-ended',
    about: 'whoever knows the id of a session can end it',
    file: 'users/users.sql.ts',
    find: 'delete from sessions where user_id = ${user_id} and id = ${id}',
    replace: 'delete from sessions where ${user_id}::uuid is not null and id = ${id}',
    caughtBy: [{ file: sessions, name: 'sessions that have ended are not listed, and nobody ends those of others' }],
  },
  {
    name: 'one-nonce-for-all',
    about: 'every page of the console has the same nonce, which whoever wants to smuggle a style in then knows',
    file: 'desk/desk.routes.ts',
    find: "const nonce = randomBytes(18).toString('base64')\n",
    replace: "const nonce = Buffer.alloc(18).toString('base64')\n",
    caughtBy: [
      {
        file: files,
        name: 'every address of the console is the same page, with a nonce of its own and a policy that lets nothing else in',
      },
    ],
  },
  {
    name: 'messages-by-their-ids',
    about: 'received messages, whose ids are hashes, stand anywhere in the list',
    file: 'rails/rails.operator.ts',
    find: '${pageOf(query, messageFilters, messageOrder)}',
    replace: '${pageOf(query, messageFilters)}',
    caughtBy: [
      {
        file: 'rails/rails.operator.test.ts',
        name: 'messages are listed newest first, whatever their ids are, and each once from page to page',
      },
    ],
  },
  {
    name: 'messages-of-one-moment-left-out',
    about: 'of messages that were stored in the same millisecond, those behind the end of a page are never shown',
    file: 'platform/http/lists.ts',
    find: '(created_at, id) < (${placeOf(id)})',
    replace: 'created_at < (select created_at from (${placeOf(id)}) as last)',
    caughtBy: [
      {
        file: 'rails/rails.operator.test.ts',
        name: 'messages are listed newest first, whatever their ids are, and each once from page to page',
      },
    ],
  },
  {
    name: 'approvals-that-wait-for-oneself',
    about: 'requests of one’s own are listed among those that one may decide',
    file: 'audit/audit.approvals.sql.ts',
    find: 'maker_id is distinct from ${asking}::uuid',
    replace: '(maker_id = ${asking}::uuid) is not null',
    caughtBy: [
      { file: 'audit/audit.approvals.test.ts', name: 'approvals are listed by who requested them, and by whether they still wait' },
    ],
  },
  {
    name: 'cases-of-nobody-are-all',
    about: 'cases that somebody works on are listed as free',
    file: 'cases/cases.sql.ts',
    find: 'fragment`assignee_id is null`',
    replace: 'fragment`true`',
    caughtBy: [{ file: 'cases/cases.test.ts', name: 'cases are listed by state, kind, venture, resource and assignee' }],
  },
  {
    name: 'desk-places-of-a-venture',
    about: 'the people of one venture can take all places of the live stream',
    file: 'desk/desk.routes.ts',
    find: ' || ofVenture >= mostOfVenture)',
    replace: ' || ofVenture > 2 * mostOfVenture)',
    caughtBy: [
      {
        file: 'desk/desk.stream.test.ts',
        name: 'no venture takes all places: its people have so many together, and others still get theirs',
      },
    ],
  },
]
