// Bugs in what the seals cover.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const seals = 'verify/verify.seals.test.ts'
const states = 'platform/database/database.states.test.ts'
const stated = 'guards/states.test.ts'
const anchors = 'verify/verify.anchors.test.ts'

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
    find: 'values (current_era(), pg_current_xact_id(), ${id}',
    replace: "values (current_era(), '0'::xid8, ${id}",
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
    find: 'if (isBeginning) search.beginnings.set(table, end)',
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
  {
    name: 'changes-without-a-line',
    about: 'a change of what decides leaves no line',
    file: 'platform/database/sql.ts',
    find: "return statement('write', strings, values, withLines)",
    replace: "return statement('write', strings, values)",
    caughtBy: [{ file: states, name: 'a row that is inserted, changed and deleted has a line for each' }],
  },
  {
    name: 'iban-decides-nothing',
    about: 'the IBAN of a beneficiary is not part of its hash',
    file: 'platform/database/database.states.ts',
    find: "      iban: 'text',\n",
    replace: '',
    caughtBy: [
      { file: 'verify/verify.test.ts', name: 'broken and found: rows that decide are as their last lines say' },
      { file: stated, name: 'every column of these tables is said to decide or not' },
    ],
  },
  {
    name: 'lines-of-deleted-rows',
    about: 'a row that was deleted has a line as if it were there',
    file: 'platform/database/database.states.ts',
    find: "what.toLowerCase() === 'delete from' ? 'null' : hashIn(name, label)",
    replace: 'hashIn(name, label)',
    caughtBy: [{ file: states, name: 'a row that is inserted, changed and deleted has a line for each' }],
  },
  {
    name: 'oldest-line-counts',
    about: 'a row is compared with its first line, so that whoever takes back a change is not found',
    file: 'verify/verify.states.ts',
    find: 'order by venture_id, row_id, version desc',
    replace: 'order by venture_id, row_id, version',
    caughtBy: [{ file: 'verify/verify.test.ts', name: 'real traffic breaks no invariant, and progress is reported' }],
  },
  {
    name: 'anchors-without-roots',
    about: 'no root leaves the database',
    file: 'verify/verify.sealing.ts',
    find: "    if (written) await this.#anchor(seal, covered['audit_log'] ?? Buffer.alloc(0))\n",
    replace: '',
    caughtBy: [{ file: anchors, name: 'each seal leaves a line with its root and the audit entries that it covers' }],
  },
  {
    name: 'anchors-without-passkeys',
    about: 'a passkey that is removed leaves no line',
    file: 'users/users.sql.ts',
    find: '  anchorPasskeys(tx, deleted)\n  return deleted.length\n}\n\nfunction',
    replace: '  return deleted.length\n}\n\nfunction',
    caughtBy: [{ file: anchors, name: 'a key or passkey that is revoked leaves a line' }],
  },
  {
    name: 'anchors-stop-the-service',
    about: 'a file that takes no line stops the seals',
    file: 'platform/anchors.ts',
    find: "      this.#log.error({ err: error }, 'an anchor could not be written to ANCHOR_FILE')\n      return false\n",
    replace: '      throw error\n',
    caughtBy: [{ file: anchors, name: 'a file that takes no line is counted and said, and stops nothing' }],
  },
  {
    name: 'anchored-seals-may-be-others',
    about: 'a seal in the place of one that was cut off passes, whatever its root',
    file: 'verify/verify.anchored.ts',
    find: '  where seal.root is distinct from anchor.root order by 1`',
    replace: '  where seal.number is null order by 1`',
    caughtBy: [{ file: anchors, name: 'the seven changes of an owner of the database are each named with its row' }],
  },
  {
    name: 'anchored-entries-may-be-gone',
    about: 'an audit entry that was removed together with its seal is not named',
    file: 'verify/verify.anchored.ts',
    find: '  where entry.id is null order by 1, 3`',
    replace: '  where false order by 1, 3`',
    caughtBy: [{ file: anchors, name: 'the seven changes of an owner of the database are each named with its row' }],
  },
  {
    name: 'anchored-keys-come-back',
    about: 'a bank key that was revoked after the backup works again',
    file: 'restore.ts',
    find: '  bank_keys: revokeBankKeyAgain,',
    replace: '  bank_keys: async () => 0,',
    caughtBy: [{ file: anchors, name: 'what was revoked after a backup is found, and revoked again' }],
  },
]
