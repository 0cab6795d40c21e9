// Bugs in what the seals cover.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const seals = 'verify/verify.seals.test.ts'

export const sealBugs: readonly Bug[] = [
  {
    name: 'outcomes-are-not-sealed',
    about: 'the outcome of a screening can be changed unseen',
    file: 'verify/verify.seals.ts',
    find: "    outcome: 'text',\n",
    replace: '',
    caughtBy: [{ file: seals, name: 'screenings: every column is sealed' }],
  },
  {
    name: 'hits-are-not-numbered',
    about: 'a hit does not say the number of its transaction, so that it is never sealed',
    file: 'screening/screening.sql.ts',
    find: 'insert into screening_hits (era, xid, ${hitColumns}, venture_id, screening_id, party_hash, entry_hash)\n    select (select era from event_era), pg_current_xact_id(), ',
    replace: 'insert into screening_hits (${hitColumns}, venture_id, screening_id, party_hash, entry_hash)\n    select ',
    caughtBy: [{ file: seals, name: 'hits and messages that the service writes after the first seal are sealed' }],
  },
  {
    name: 'messages-are-not-numbered',
    about: 'a message does not say the number of its transaction, so that it is never sealed',
    file: 'rails/rails.messages.ts',
    find: 'values ((select era from event_era), pg_current_xact_id(), ${id}',
    replace: "values ((select era from event_era), '0'::xid8, ${id}",
    caughtBy: [{ file: seals, name: 'hits and messages that the service writes after the first seal are sealed' }],
  },
  {
    name: 'seals-leave-a-table-out',
    about: 'a seal may leave out a table that was sealed before',
    file: 'verify/verify.chain.ts',
    find: "if (seal.number === before.number + 1) yield { table: 'seals', was: 'changed', seal: seal.number }\n      return",
    replace: 'continue',
    caughtBy: [{ file: seals, name: 'a seal that says nothing about a table any more is named, also if its root fits' }],
  },
  {
    name: 'rows-before-their-table',
    about: 'a row that says it was written before its table was sealed is overlooked',
    file: 'verify/verify.chain.ts',
    find: 'if (isBeginning) yield* outsiders(search.client, table, end)',
    replace: 'if (isBeginning) noRows.at(0)',
    caughtBy: [{ file: seals, name: 'policies: an inserted row is named, wherever it claims to stand' }],
  },
  {
    name: 'message-bytes-unseen',
    about: 'nobody compares the bytes of a message with its hash',
    file: 'verify/verify.rails.ts',
    find: "where sha256 <> encode(sha256(body), 'hex')",
    replace: "where sha256 <> encode(sha256(body), 'hex') and body is null",
    caughtBy: [{ file: 'verify/verify.test.ts', name: 'broken and found: messages have the bytes of their hash' }],
  },
]
