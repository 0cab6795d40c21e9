// Bugs on the bank's side: the audit log, four eyes, cases and seals.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const log = 'audit/audit.test.ts'
const approvals = 'audit/audit.approvals.test.ts'
const cases = 'cases/cases.test.ts'
const facts = 'transfers/facts/transfers.facts.test.ts'
const together = 'transfers/facts/transfers.facts.together.test.ts'
const related = 'nobody approves a request of somebody whom they invited or reset, nor of somebody who invited or reset them'
const seals = 'verify/verify.seals.test.ts'
const history = 'verify/verify.history.test.ts'

/** How both places of a seal say at which transaction they stop. */
const sealedUpTo = (end: 'xmin' | 'xmax') => `(era, xid) < (\${current}::int, pg_snapshot_${end}(pg_current_snapshot()))\`
    return rowsWhere(
      strand,
      source,
      fragment\`\${range} and (era, xid) <= (
        select era, xid from (
          (\${places(source.relation)} where \${source.within} and \${range} order by era, xid offset \${most - 1} limit 1)
          union all select \${current}::int, pg_snapshot_${end}(pg_current_snapshot())) as ends`

export const bankBugs: readonly Bug[] = [
  {
    name: 'audit-forgets-people',
    about: 'changes by people are audited only where changes by a key are',
    file: 'audit/audit.hooks.ts',
    find: "if (isPerson || rule === 'always') return true",
    replace: "if (rule === 'always') return true",
    caughtBy: [{ file: log, name: 'an entry says who, what, about which venture, from where, and which fields, and has no values' }],
  },
  {
    name: 'audit-forgets-fields-of-keys',
    about: "a venture's key changes limits and compliance fields without an audit entry",
    file: 'audit/audit.hooks.ts',
    find: "typeof rule === 'object' && rule.fields.some(",
    replace: "typeof rule === 'object' && rule.fields.every(",
    caughtBy: [{ file: log, name: "a venture's key is audited for keys, secrets, limits and compliance fields, and for nothing else" }],
  },
  {
    name: 'audit-dropped-by-idempotency',
    about: 'a request with an idempotency key is not audited',
    file: 'platform/idempotency/idempotency.routes.ts',
    find: 'request.companions = [...(request.companions ?? []), companion(',
    replace: 'request.companions = [companion(',
    caughtBy: [{ file: log, name: 'a request that is repeated with its idempotency key leaves one entry' }],
  },
  {
    name: 'audit-reads-every-time',
    about: 'every instance audits the reading of a client again',
    file: 'audit/audit.sql.ts',
    find: "const wanted = entries.filter(({ resource }) => fresh.has(resource ?? ''))",
    replace: 'const wanted = [...entries].filter(() => fresh.size >= 0)',
    caughtBy: [
      {
        file: log,
        name: "a bank person's reading of a client is audited once for each person, client and day, also over several instances",
      },
    ],
  },
  {
    name: 'approval-requested-twice-at-once-fails',
    about: 'two requests of one person in the same millisecond have the same id, and the second is answered with 500',
    file: 'audit/audit.approvals.sql.ts',
    find: 'on conflict do nothing`)',
    replace: "on conflict (venture_id, resource_id) where state = 'PENDING' do nothing`)",
    caughtBy: [{ file: approvals, name: 'what one person requests twice in a millisecond has one id, and the second is not stored' }],
  },
  {
    name: 'approval-by-its-maker',
    about: 'whoever makes a request can approve it (the database still refuses, which is a 500)',
    file: 'audit/audit.approvals.ts',
    find: "if (approval.maker_id === checker_id) refuse('own_approval')",
    replace: '',
    caughtBy: [{ file: approvals, name: 'nobody approves a request of their own, but whoever made it may withdraw it' }],
  },
  {
    name: 'approval-by-the-inviter',
    about: 'somebody who invited the maker approves the request',
    file: 'audit/audit.approvals.ts',
    find: "if (await people.areRelated(reader, maker_id, checker_id)) throw new NotByThem('related_approval')",
    replace: '',
    caughtBy: [{ file: approvals, name: related }],
  },
  {
    name: 'approval-by-the-invited',
    about: 'somebody whom the maker invited approves the request',
    file: 'users/users.relations.ts',
    find: 'return Map.groupBy(others, ({ user_id, other_id }) => nameOfPair(inOrder(user_id, other_id)))',
    replace: 'return Map.groupBy(others, ({ user_id, other_id }) => nameOfPair({ one_id: user_id, other_id }))',
    caughtBy: [{ file: approvals, name: related }],
  },
  {
    name: 'approval-by-the-admin-key',
    about: 'the admin key counts as a person',
    file: 'audit/audit.approvals.ts',
    find: "return kind === 'operator' && id !== null ? id : refuse('person_needed')",
    replace: "return kind === 'operator' ? (id ?? '00000000-0000-0000-0000-000000000000') : refuse('person_needed')",
    caughtBy: [{ file: approvals, name: 'the admin key can neither make nor approve what needs two people' }],
  },
  {
    name: 'approval-of-a-changed-resource',
    about: 'an approval is carried out although the resource has changed since the request',
    file: 'audit/audit.approvals.ts',
    find: 'if (sequence !== undefined && current !== sequence)',
    replace: 'if (sequence !== undefined && current < sequence)',
    caughtBy: [
      { file: approvals, name: 'a resource that has changed since the request is not touched: the approval fails with the reason' },
      { file: cases, name: 'what happened to the case since the first person decided makes the approval fail' },
    ],
  },
  {
    name: 'approval-of-another-payload',
    about: 'a payload that was changed in the database is carried out',
    file: 'audit/audit.approvals.ts',
    find: 'if (hashOf(approval.payload) !== approval.payload_hash)',
    replace: 'if (hashOf(approval.payload) === undefined)',
    caughtBy: [{ file: approvals, name: 'a payload that is not what the maker requested is not carried out' }],
  },
  {
    name: 'approval-never-expires',
    about: 'a request can be approved after its time is over',
    file: 'audit/audit.approvals.ts',
    find: "state === 'PENDING' && Date.parse(expires_at) <= now().getTime()",
    replace: "state === 'PENDING' && Date.parse(expires_at) <= 0",
    caughtBy: [{ file: approvals, name: 'an expired request cannot be decided, is listed as expired, and makes room for another' }],
  },
  {
    name: 'venture-enabled-by-one-person',
    about: 'with four eyes, one person enables a venture',
    file: 'ventures/ventures.ts',
    find: "(status === 'ACTIVE' && current.status !== 'ACTIVE')",
    replace: "(status === 'ACTIVE' && current.status === undefined)",
    caughtBy: [{ file: approvals, name: 'enabling a venture waits for a second person, and takes effect with the approval' }],
  },
  {
    name: 'key-replaced-by-one-person',
    about: 'with four eyes, one person makes a key for a venture',
    file: 'ventures/ventures.ts',
    find: 'if (!approvals.fourEyes) return replaceKeys(',
    replace: 'if (approvals.fourEyes) return replaceKeys(',
    caughtBy: [{ file: approvals, name: 'a replaced key needs a second person, who alone gets it; the stored approval never has it' }],
  },
  {
    name: 'key-made-by-one-person',
    about: 'with four eyes, one person makes another key for a venture',
    file: 'ventures/ventures.ts',
    find: 'if (!approvals.fourEyes) return createKey(',
    replace: 'if (approvals.fourEyes) return createKey(',
    caughtBy: [{ file: approvals, name: 'another key for a venture needs a second person, who alone gets it' }],
  },
  {
    name: 'control-changed-by-one-person',
    about: 'with four eyes, one person changes who processes the transfers of a venture',
    file: 'ventures/ventures.ts',
    find: 'const releases = control !== current.control || ',
    replace: 'const releases = ',
    caughtBy: [{ file: approvals, name: 'changing the control of a venture needs a second person' }],
  },
  {
    name: 'bank-frees-by-one-person',
    about: 'with four eyes, one person of the bank does what only two may',
    file: 'audit/audit.ts',
    find: 'approved: !approvals.fourEyes',
    replace: 'approved: approvals.fourEyes || !approvals.fourEyes',
    caughtBy: [
      { file: approvals, name: 'what the bank froze and whom it blocked, two people free' },
      { file: approvals, name: 'policies and rates are set by two people' },
    ],
  },
  {
    name: 'case-decided-by-one-person',
    about: 'a decision that releases something does not wait for a second person',
    file: 'cases/cases.ts',
    find: 'if (!rule.needsTwo) return act(',
    replace: 'if (rule.needsTwo) return act(',
    caughtBy: [{ file: cases, name: 'a decision that releases something waits for a second person' }],
  },
  {
    name: 'decision-that-does-not-fit',
    about: 'a case is decided in a way that its kind knows and its subject does not allow',
    file: 'cases/cases.ts',
    find: 'const rule = allowed.includes(decision) ? handler.decisions[decision] : undefined',
    replace: 'const rule = handler.decisions[decision]',
    caughtBy: [{ file: facts, name: 'an unapplied payment is not given to a wrong account' }],
  },
  {
    name: 'case-for-an-auditor',
    about: 'a case is assigned to somebody who cannot decide it',
    file: 'cases/cases.ts',
    find: '  if (assignee_id !== null) await requireDecider(database, assignee_id)\n',
    replace: '',
    caughtBy: [{ file: cases, name: 'a case is assigned and given back while it is open' }],
  },
  {
    name: 'details-for-nothing',
    about: 'details are accepted with a decision that takes none, and nobody looks at them',
    file: 'cases/cases.ts',
    find: 'return details === undefined ? null : refuseDetails(',
    replace: 'return details === undefined || rule !== undefined ? null : refuseDetails(',
    caughtBy: [{ file: cases, name: 'a decision that the kind does not offer, an unknown case and a wrong body are refused' }],
  },
  {
    name: 'reported-by-one-person',
    about: 'with four eyes, one person reports what the scheme has done',
    file: 'audit/audit.ts',
    find: '  if (!approvals.fourEyes) return act({ actor, companions, approved: true })',
    replace: '  if (approvals.fourEyes) return act({ actor, companions, approved: true })',
    caughtBy: [{ file: together, name: 'a payment for an account that is ACTIVE is booked once, when a second person has approved it' }],
  },
  {
    name: 'asked-in-vain',
    about: 'a second person is asked to approve what would be refused',
    file: 'audit/audit.ts',
    find: '  const subject = await rehearsed((rehearsal) => act({ ...rehearsal, actor }))\n',
    replace: '  const subject = null\n',
    caughtBy: [
      { file: together, name: 'a report that cannot be booked is refused at once, and nobody is asked to approve it' },
      {
        file: cases,
        name: 'a resource that has changed makes the approval fail and leaves the case open, and one that refuses is not asked about',
      },
    ],
  },
  {
    name: 'pending-answered-as-made',
    about: 'a repeated request that waits for a second person is answered as if something had been made',
    file: 'platform/idempotency/idempotency.routes.ts',
    find: 'if (creation.waits?.(made)) reply.code(202)',
    replace: 'if (creation.waits?.(made)) reply.code(reply.statusCode)',
    caughtBy: [
      { file: together, name: 'a request with an Idempotency-Key that waits for a second person is answered again with its approval' },
    ],
  },
  {
    name: 'case-decided-twice',
    about: 'a case is decided again',
    file: 'cases/cases.ts',
    find: "      if (row.state !== 'OPEN') return decidedAlready(row)\n      if (row.sequence + 1 !== sequence)",
    replace: '      if (row.sequence + 1 > sequence + 1)',
    caughtBy: [{ file: cases, name: 'of many decisions at once, one is carried out' }],
  },
  {
    name: 'seal-passes-a-running-transaction',
    about: 'rows are sealed although an older transaction may still add some before them',
    file: 'verify/verify.seals.ts',
    // The end of the range and the end of a seal both stop at the oldest running transaction, so the bug is in both.
    find: sealedUpTo('xmin'),
    replace: sealedUpTo('xmax'),
    caughtBy: [{ file: seals, name: 'a transaction that commits late is sealed late, and nothing is missed' }],
  },
  {
    name: 'seal-forgets-the-rest-of-a-transaction',
    about: 'rows from before the seals that the first seal cannot hold are never sealed',
    file: 'verify/verify.sealing.ts',
    find: 'await read(found.filter(isInMigration), restOfTransaction, false)',
    replace: 'void isInMigration',
    caughtBy: [{ file: seals, name: 'rows that existed before the seals are sealed by their ids, in pieces' }],
  },
  {
    name: 'seal-ends-within-a-transaction',
    about: 'a seal that is full leaves out the other rows of its last transaction, and they are never sealed',
    file: 'verify/verify.seals.ts',
    find: '      order by era, xid limit 1)`,',
    replace: '      order by era, xid limit 1) limit ${most}`,',
    caughtBy: [{ file: seals, name: 'many instances that seal at once write one chain, in pieces as small as you like' }],
  },
  {
    name: 'seal-with-an-unreadable-list',
    about: 'a seal whose list was destroyed is skipped',
    file: 'verify/verify.chain.ts',
    find: "if (to === undefined || expected === undefined) {\n    yield { table: 'seals', was: 'changed', seal: seal.number }\n    return\n  }",
    replace: 'if (to === undefined || expected === undefined) return',
    caughtBy: [{ file: seals, name: 'a seal that was changed, removed or rewritten is named' }],
  },
  {
    name: 'seal-does-not-depend-on-amounts',
    about: 'an amount of an entry can be changed unseen',
    file: 'verify/verify.seals.ts',
    find: "    amount: 'text',\n    balance: 'text',",
    replace: "    balance: 'text',",
    caughtBy: [
      { file: seals, name: 'entries: a changed row is named, whatever was changed' },
      { file: seals, name: 'entries: every column is sealed' },
    ],
  },
  {
    name: 'seal-root-not-checked',
    about: 'whoever changes a row and its place in the list is not noticed',
    file: 'verify/verify.chain.ts',
    find: 'if (fits && rootOf(seal, covered) !== seal.root)',
    replace: 'if (!fits && rootOf(seal, covered) !== seal.root)',
    caughtBy: [{ file: seals, name: 'changing a row and its place in the list breaks the root' }],
  },
  {
    name: 'seal-chain-not-checked',
    about: 'a seal that was removed is not noticed',
    file: 'verify/verify.chain.ts',
    find: 'if (number > expected) yield',
    replace: 'if (number < expected) yield',
    caughtBy: [{ file: seals, name: 'a seal that was changed, removed or rewritten is named' }],
  },
  {
    name: 'seal-stops-at-the-last-row',
    about: 'a row with an old number that is inserted into a quiet table is sealed as genuine',
    file: 'verify/verify.sealing.ts',
    find: 'if (one.isAll) one.end = endBefore(answer, era)\n        else if',
    replace: 'if',
    caughtBy: [
      { file: seals, name: 'a row that claims to be older than what has been sealed is named, also in a table that was quiet since' },
    ],
  },
  {
    name: 'seal-at-the-end-forgotten',
    about: 'whoever removes the last seal is not noticed, although a run of verify has seen it',
    file: 'verify/verify.seals.ts',
    find: 'run.seal_number > (select coalesce(max(number), -1) from seals)',
    replace: 'run.seal_number < (select coalesce(max(number), -1) from seals)',
    caughtBy: [
      { file: seals, name: 'a run of verify remembers the last seal: whoever removes it, or seals again without a row, is found' },
    ],
  },
  {
    name: 'message-of-a-transfer-lost',
    about: 'verify does not miss the claim on the message that has brought a transfer',
    file: 'verify/verify.invariants.ts',
    find: "transfer.exempt and transfer.direction = 'INBOUND' and transfer.unique_reference",
    replace: "transfer.exempt and transfer.direction = 'NONE' and transfer.unique_reference",
    caughtBy: [{ file: 'verify/verify.test.ts', name: 'broken and found: messages are booked once' }],
  },
  {
    name: 'forged-journal-unnoticed',
    about: 'verify misses entries, but does not notice those that nothing has caused',
    file: 'verify/verify.invariants.ts',
    find: 'currency, amount having sum(found) <> 0',
    replace: 'currency, amount having sum(found) < 0',
    caughtBy: [
      { file: history, name: 'a balanced journal that nothing has caused is named, although it is a new row and the balance fits' },
    ],
  },
  {
    name: 'changed-payee-unnoticed',
    about: 'verify compares a transfer with its last event only while it is under way',
    file: 'verify/verify.invariants.ts',
    find: "where json_populate_record(transfer, event.shown -> 'object') is distinct from transfer`",
    replace: "where transfer.status <> 'COMPLETED' and json_populate_record(transfer, event.shown -> 'object') is distinct from transfer`",
    caughtBy: [{ file: history, name: 'a completed payment cannot get another amount, another payee or another status' }],
  },
  {
    name: 'claim-not-bound',
    about: 'the id of what was booked says nothing about its message',
    file: 'transfers/facts/transfers.claims.ts',
    find: 'id: boundId(sender, kind, tx_id)',
    replace: 'id: uuidv7()',
    caughtBy: [{ file: history, name: 'a claim cannot be renamed so that its message could be booked again' }],
  },
  {
    name: 'approval-not-bound',
    about: 'the id of an approval says nothing about who asked for it, and what for',
    file: 'audit/audit.approvals.ts',
    find: 'id: boundId(venture_id, action, resource_id, JSON.stringify(payload), String(sequence), maker_id, ...seenIn(subject))',
    replace: 'id: crypto.randomUUID()',
    caughtBy: [{ file: history, name: 'nobody can change who asked for an approval, what for, or who decided it' }],
  },
  {
    name: 'forged-approval-unnoticed',
    about: 'verify does not ask whether the audit log knows who decided an approval',
    file: 'verify/verify.invariants.ts',
    find: 'where approval.checker_id is not null and log.id is null',
    replace: 'where approval.checker_id is null and log.id is not null',
    caughtBy: [{ file: history, name: 'nobody can change who asked for an approval, what for, or who decided it' }],
  },
  {
    name: 'changed-rate-unnoticed',
    about: 'verify does not compare a rate with what two people approved',
    file: 'verify/verify.invariants.ts',
    find: "(payload ->> 'rate')::numeric",
    replace: 'rate.rate',
    caughtBy: [{ file: history, name: 'a rate cannot be changed, and one that nobody set is named' }],
  },
  {
    name: 'rate-proposed-last-counts',
    about: 'a rate that was approved last does not count if it was proposed before another one',
    file: 'rates/rates.sql.ts',
    find: 'order by from_currency, to_currency, created_at desc, id desc`',
    replace: 'order by from_currency, to_currency, id desc`',
    caughtBy: [{ file: 'rates/rates.test.ts', name: 'the rate that was approved last counts, also if somebody had asked for it first' }],
  },
  {
    name: 'clients-read-in-approvals',
    about: 'somebody of the bank reads in an approval who is to become a client, and no entry says so',
    file: 'audit/audit.hooks.ts',
    find: 'getApproval: (_params, payload) => askedAbout([payload as ShownApproval]),',
    replace: 'getApproval: () => ({ clients: [] }),',
    caughtBy: [
      {
        file: 'audit/audit.test.ts',
        name: 'approvals show clients too: reading what was asked for about one is audited, also in a list of several ventures',
      },
    ],
  },
  {
    name: 'clients-read-in-events',
    about: 'somebody of the bank reads clients in the list of events, and no entry says so',
    file: 'audit/audit.hooks.ts',
    find: 'listEvents: (_params, payload) => shownBy(payload as Event[]),',
    replace: 'listEvents: () => ({ clients: [] }),',
    caughtBy: [
      { file: 'audit/audit.test.ts', name: 'events show clients too: reading them is audited for each client whose data they carry' },
    ],
  },
  {
    name: 'idempotency-keys-shared',
    about: 'somebody who repeats the idempotency key of another gets the answer to that one',
    file: 'app.ts',
    find: "owner_id: actor?.kind === 'venture' ? venture_id : (actor?.id ?? bankId)",
    replace: 'owner_id: venture_id',
    caughtBy: [
      {
        file: 'platform/idempotency/idempotency.test.ts',
        name: 'people have keys of their own: nobody is shown the answer to somebody else, nor a venture the answer to the bank',
      },
      {
        file: 'platform/idempotency/idempotency.test.ts',
        name: 'a venture that repeats a reserved order of the bank is refused, and a colleague gets the approval that waits',
      },
    ],
  },
  {
    name: 'seal-inserted-row-unseen',
    about: 'a row that was inserted behind the seals is not noticed',
    file: 'verify/verify.chain.ts',
    find: 'if (!listed.has(nameOf({ venture_id, id, leaf })))',
    replace: 'if (listed.size < 0)',
    caughtBy: [{ file: seals, name: 'entries: an inserted row is named, wherever it claims to stand' }],
  },
]
