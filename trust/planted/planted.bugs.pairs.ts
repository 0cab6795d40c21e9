// Bugs with which two people who count as one approve for each other, and others about who decides what waits for a second person.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug, NamedTest } from './planted.bug.ts'

const inPairs = (name: string): readonly NamedTest[] => [{ file: 'users/users.pairs.test.ts', name }]
const deciding = (name: string): readonly NamedTest[] => [{ file: 'audit/audit.deciding.test.ts', name }]
const onlyWithFourEyes: readonly NamedTest[] = [
  { file: 'ventures/ventures.control.test.ts', name: 'outside the sandbox, the bank processes for a venture only with four eyes' },
]
const ofVentures = (name: string): readonly NamedTest[] => [{ file: 'users/users.ventures.test.ts', name }]
const people = 'users/users.people.ts'
const pairs = 'users/users.pairs.ts'
const statements = 'users/users.pairs.sql.ts'
const untilTakenBack =
  'two related people approve for each other once a third admin has cleared them, and no longer once that is taken back'
const thirdAdmin = 'only a third admin clears a pair: neither one of the two, nor who is related to them, nor the admin key'
const noTime = 'no time frees a pair, and none ends a clearing'
const atMostFifty = 'one person has at most 50 open requests'

export const pairBugs: readonly Bug[] = [
  {
    name: 'pair-cleared-in-vain',
    about: 'two related people whom a third has cleared still cannot approve for each other',
    file: pairs,
    find: 'return !coversAll(clearing?.ties, evidence)',
    replace: 'return clearing === undefined || evidence.length > 0',
    caughtBy: inPairs(untilTakenBack),
  },
  {
    name: 'clearing-outlives-its-end',
    about: 'a pair stays cleared although somebody has taken the clearing back',
    file: statements,
    find: 'and one_id = ${one_id} and other_id = ${other_id} and taken_back_at is null`',
    replace: 'and one_id = ${one_id} and other_id = ${other_id} order by id desc limit 1`',
    caughtBy: inPairs(untilTakenBack),
  },
  {
    name: 'pair-clears-itself',
    about: 'one of the two clears the pair',
    file: pairs,
    find: 'return id !== one_id && id !== other_id && [one_id, other_id].every(',
    replace: 'return id === one_id || id === other_id || [one_id, other_id].every(',
    caughtBy: inPairs(thirdAdmin),
  },
  {
    name: 'pair-cleared-by-a-relative',
    about: 'somebody clears a pair who has let one of the two in',
    file: pairs,
    find: '(of) => evidenceIn(ties, inOrder(id, of)).length === 0',
    replace: '(of) => evidenceIn(ties, inOrder(id, of)).length === 0 || of !== id',
    caughtBy: inPairs(thirdAdmin),
  },
  {
    name: 'pair-of-people-who-left',
    about: 'somebody is offered to clear a pair of whom one has left, which is refused',
    file: pairs,
    find: "relation === 'RELATED' && areThere &&",
    replace: "relation === 'RELATED' && (areThere || true) &&",
    caughtBy: inPairs('a pair says whether the person who asks may clear it, and that is what the service does'),
  },
  {
    name: 'strangers-cleared',
    about: 'a pair is cleared in advance that nothing relates, so that nobody notices when something does',
    file: pairs,
    find: "if (coversAll(earlier?.ties ?? [], ties)) refuse('pair_not_related')",
    replace: '',
    caughtBy: inPairs('there is nothing to clear between strangers, with oneself, or with somebody who is not at the bank'),
  },
  {
    name: 'clearing-covers-the-future',
    about: 'a cleared pair stays cleared after one of the two has reset the other',
    file: pairs,
    find: 'return cleared !== undefined && evidence.every((id) => cleared.includes(id))',
    replace: 'return cleared !== undefined || evidence.length === 0',
    caughtBy: inPairs('a clearing covers what relates two people by then: whoever resets the other later counts as one with them again'),
  },
  {
    name: 'time-frees-a-pair',
    about: 'whoever waits for a year can approve for the person whom they have let in',
    file: 'users/users.relations.sql.ts',
    find: 'where user_id = any(${user_ids}) and used_at is not null\n    union',
    replace: "where user_id = any(${user_ids}) and used_at > bank_now() - interval '1 year'\n    union",
    caughtBy: inPairs(noTime),
  },
  {
    name: 'pairs-by-name',
    about: 'the pair that has moved the most money is somewhere in the list',
    file: statements,
    find: 'order by coalesce(sum(amount) filter (where currency = ${currency}), 0) desc, count(*) desc, one_id',
    replace: 'order by 0 * coalesce(sum(amount) filter (where currency = ${currency}), 0) desc, count(*) desc, one_id',
    caughtBy: inPairs('pairs are listed with what they have agreed on in 90 days, by the amount in a currency'),
  },
  {
    name: 'pairs-by-payload',
    about: 'payments on which a pair has agreed count as nothing, because their payload calls the amount something else',
    file: statements,
    find: "case when subject ->> 'amount' is null then payload else subject end as money",
    replace: 'payload as money',
    caughtBy: inPairs('what an approval moves counts by what the second person has seen, whatever its payload is called'),
  },
  {
    name: 'related-pairs-not-listed',
    about: 'a pair that a third admin could clear is in no list before it has agreed on something',
    file: pairs,
    find: '[...clearings, ...related]',
    replace: '[...clearings]',
    caughtBy: inPairs('pairs who are related are listed with what relates them, before they have agreed on anything'),
  },
  {
    name: 'relatives-could-approve',
    about: 'somebody waits for an approval of a person who is related to them, and nobody says that there is no other',
    file: pairs,
    find: 'return one === other || (evidence.length > 0 &&',
    replace: 'return one === other || (evidence.length > 0 && one === other &&',
    caughtBy: [
      {
        file: 'audit/audit.approvers.test.ts',
        name: 'neither people who are related to the person who asks count, nor those who were disabled',
      },
    ],
  },
  {
    name: 'clearings-not-verified',
    about: 'an owner of the database clears a pair, and nobody finds it',
    file: 'verify/verify.invariants.ts',
    find: "isBoundToOther('id', ['one_id', 'other_id', 'ties', 'reason', 'cleared_by'])",
    replace:
      "isBoundToOther('id', ['one_id', 'other_id', 'ties', 'reason', 'cleared_by', 'taken_back_at']).strings.length === 0 ? isBoundToOther('id', []) : fragment`false`",
    caughtBy: inPairs('verify finds clearings that nobody has made, and those that were changed'),
  },
  {
    name: 'requests-without-end',
    about: 'one person asks for a thousand small things, so that whoever has to approve them looks at none',
    file: 'audit/audit.approvals.ts',
    find: 'const mostOpen = 50',
    replace: 'const mostOpen = 50_000',
    caughtBy: inPairs(atMostFifty),
  },
  {
    name: 'requests-counted-at-once',
    about: 'requests of one person that arrive together are counted without one another',
    file: 'audit/audit.approvals.sql.ts',
    find: '  await tx.rows(read`select pg_advisory_xact_lock(hashtextextended(${`requests ${maker_id}`}, 0))`)\n',
    replace: '',
    caughtBy: inPairs(atMostFifty),
  },
  {
    name: 'checker-asked-once',
    about: 'somebody whose role has ended since the click approves',
    file: 'audit/audit.approvals.ts',
    find: '    await allow(tx)\n',
    replace: '',
    caughtBy: [
      ...deciding('a checker whose role ends between the click and the commit approves nothing, and the request stays open'),
      ...deciding('a maker whose role ends between the click and the commit gets nothing: the request fails'),
      ...deciding('two people who are no longer cleared when the transaction begins do not approve for each other'),
    ],
  },
  {
    name: 'late-checker-ends-the-request',
    about: 'somebody whose role has ended ends a request by approving it',
    file: 'audit/audit.approvals.ts',
    find: ' && !(error instanceof NotByThem)',
    replace: '',
    caughtBy: deciding('a checker whose role ends between the click and the commit approves nothing, and the request stays open'),
  },
  {
    name: 'role-ends-while-deciding',
    about: 'somebody is disabled while their approval is carried out, and it is carried out all the same',
    file: people,
    find: '    await whileNobodyDecides(tx)\n',
    replace: '',
    caughtBy: deciding('whoever takes a role or a clearing away waits for what is being decided'),
  },
  {
    name: 'restored-request-stays-open',
    about: 'a request that somebody has rejected since the dump was made can be approved after it was restored',
    file: 'audit/audit.approvals.sql.ts',
    find: "update approvals set state = 'EXPIRED' where state = 'PENDING'`",
    replace: "update approvals set state = 'EXPIRED' where state = 'PENDING' and expires_at < bank_now()`",
    caughtBy: [
      {
        file: 'audit/audit.approvals.test.ts',
        name: 'what waited when a dump was made that is restored has expired, and can be asked for again',
      },
    ],
  },
  {
    name: 'clock-frees',
    about: 'a request whose time is over can be approved, because only the list looks at the clock',
    file: 'audit/audit.approvals.ts',
    find: "state === 'PENDING' && Date.parse(expires_at) <= now().getTime()",
    replace: "state === 'PENDING' && Date.parse(expires_at) <= Date.now()",
    caughtBy: deciding('a clock that is 73 hours ahead lets requests expire and frees nothing'),
  },
  {
    name: 'managed-without-four-eyes',
    about: 'outside the sandbox, one person processes for a venture that was registered while four eyes were off',
    file: 'ventures/ventures.ts',
    find: "if (control === 'MANAGED' && !mayManage) refuse('four_eyes_off')",
    replace: '',
    caughtBy: onlyWithFourEyes,
  },
  {
    name: 'becomes-managed-without-four-eyes',
    about: 'outside the sandbox, a venture becomes MANAGED while four eyes are off',
    file: 'ventures/ventures.ts',
    find: "if (control !== current.control && control === 'MANAGED' && !mayManage) refuse('four_eyes_off')",
    replace: '',
    caughtBy: onlyWithFourEyes,
  },
  {
    name: 'four-eyes-switched-off',
    about: 'whoever can restart the service turns four eyes off and then does alone what needs two people',
    file: 'service.ts',
    find: '    await requireFourEyes(database, config)\n',
    replace: '',
    caughtBy: [{ file: 'service.test.ts', name: 'outside the sandbox, four eyes cannot be off once the bank processes for a venture' }],
  },
  {
    name: 'bank-invites-beside-an-admin',
    about: 'two people of the bank let a puppet into a venture that has an admin, and order what its clients pay',
    file: people,
    find: '      if (isUnderFourEyes(by)) await requireNoAdmin(tx, venture_id)\n',
    replace: '',
    caughtBy: ofVentures('while a MANAGED venture has an admin, the bank neither invites nor resets anybody there, and the admin does'),
  },
  {
    name: 'bank-resets-beside-an-admin',
    about: 'two people of the bank take over somebody of a venture that has an admin',
    file: people,
    find: '  if (isUnderFourEyes(by)) await requireNobodyElse(tx, id)\n',
    replace: '',
    caughtBy: ofVentures('while a MANAGED venture has an admin, the bank neither invites nor resets anybody there, and the admin does'),
  },
  {
    name: 'late-invitation-beside-an-admin',
    about: 'an invitation that was requested before the venture had an admin is made afterwards',
    file: people,
    find: "(by.actor.kind === 'operator' && by.maker_id !== undefined)",
    replace: 'by.approved === undefined',
    caughtBy: ofVentures('without an active admin, two people of the bank let the first one in, and are refused as soon as there is one'),
  },
  {
    name: 'last-admin-removed-by-one-person',
    about: 'one person of the bank removes the last admin of a venture, so that the bank may let somebody in',
    file: people,
    find: "      requireSequence({ sequence }, by.sequence)\n      if (isLast(admins, id) && needsTwo(by)) refuse('approval_required', { sequence })\n",
    replace: '      requireSequence({ sequence }, by.sequence)\n',
    caughtBy: ofVentures('removing the last active admin of a MANAGED venture takes two people of the bank; any other, one'),
  },
  {
    name: 'last-admin-demoted-by-one-person',
    about: 'one person of the bank makes the last admin of a venture an operator, so that the bank may let somebody in',
    file: people,
    find: "if (isAbove(role, current.role) && needsTwo(by)) refuse('approval_required', { sequence })\n      if (isLast(admins, id) && needsTwo(by))",
    replace: "if (isAbove(role, current.role) && needsTwo(by)) refuse('approval_required', { sequence })\n      if (isLast(admins, ''))",
    caughtBy: ofVentures('demoting the last active admin of a MANAGED venture takes two people of the bank; any other, one'),
  },
  {
    name: 'last-admin-disabled-by-one-person',
    about: 'one person of the bank disables the last admin of a venture, so that the bank may let somebody in',
    file: people,
    find: '(givesRole || givesAccess || takesVenture) && !by.approved',
    replace: '(givesRole || givesAccess) && !by.approved',
    caughtBy: ofVentures('disabling the last active admin of a MANAGED venture takes two people of the bank; any other, one'),
  },
  {
    name: 'last-two-admins-race',
    about: 'two people of the bank who remove the last two admins at once do not see each other',
    file: 'users/users.sql.ts',
    find: 'order by membership.user_id for update of membership`',
    replace: 'order by membership.user_id`',
    caughtBy: ofVentures('removing the last two admins at once leaves one'),
  },
  {
    name: 'banker-who-is-the-last-admin-stays',
    about: 'somebody of the bank cannot be put out at once because they are the last admin of a venture',
    file: people,
    find: ' && current.bank_role === null\n',
    replace: '\n',
    caughtBy: ofVentures('somebody of the bank is put out at once, also if they are the last admin of a venture'),
  },
]
