// Bugs in the keys of the bank: what the admin key may do once people can do it, and keys of ventures that the bank has seen.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug, NamedTest } from './planted.bug.ts'

const adminKey = (name: string): readonly NamedTest[] => [{ file: 'users/users.adminkey.test.ts', name }]
const seenKeys = (name: string): readonly NamedTest[] => [{ file: 'users/users.seenkeys.test.ts', name }]
const lessAndLess = 'the admin key does everything with one admin, invites the third one with two, and does nothing with three'
const lockedOut = 'a bank that is locked out gets in by a start with the scope set-up, and everybody learns of it'
const noOrders = 'in a MANAGED venture a key that the bank has seen neither moves money nor makes a later order possible'
const marked = 'the mark is on what the bank makes and replaces, and on what is made or rotated with such a key'
const rules = 'users/users.adminkey.ts'
const authentication = 'users/users.authentication.ts'

export const keyBugs: readonly Bug[] = [
  {
    name: 'admin-key-never-retires',
    about: 'the admin key does everything, however many admins have a passkey',
    file: rules,
    find: "if (!allowed.includes(operation)) refuse('admin_key_retired')",
    replace: '',
    caughtBy: adminKey(lessAndLess),
  },
  {
    name: 'admin-key-acts-for-ventures',
    about: 'a retired admin key still acts for ventures',
    file: authentication,
    find: '    await requireAdmin(request, row)\n    actForVenture(',
    replace: "    requireBankRole(row, 'admin')\n    actForVenture(",
    caughtBy: adminKey(lessAndLess),
  },
  {
    name: 'third-invitation-is-anybody',
    about: 'with two admins, the admin key invites people with any role',
    file: authentication,
    find: "if (admin_key_step === 'THIRD_ADMIN' && ",
    replace: "if (admin_key_step === 'NOTHING' && ",
    caughtBy: adminKey(lessAndLess),
  },
  {
    name: 'lost-passkey-revives-admin-key',
    about: 'the admin key comes back when a passkey is lost',
    file: rules,
    find: 'admins.length >= adminKeySteps[name].admins || recorded.some((row) => row.step === name)',
    replace: 'admins.length >= adminKeySteps[name].admins',
    caughtBy: adminKey('a step stays when passkeys are lost, admins leave and the service starts again'),
  },
  {
    name: 'step-not-recorded-with-passkey',
    about: 'a step is recorded only when somebody uses the admin key',
    file: 'users/users.passkeys.ts',
    find: '    await recordStepsFor(tx, session.user_id)\n',
    replace: '',
    caughtBy: adminKey('a step is recorded with the passkey or the role that leads to it, although nobody uses the admin key'),
  },
  {
    name: 'step-not-recorded-with-role',
    about: 'a step is not recorded when somebody with a passkey becomes an admin',
    file: 'users/users.people.ts',
    find: "if (givesRole || status === 'ACTIVE') await recordStepsFor(tx, id)",
    replace: '',
    caughtBy: adminKey('a step is recorded with the passkey or the role that leads to it, although nobody uses the admin key'),
  },
  {
    name: 'steps-recorded-without-lock',
    about: 'admins who register a passkey at the same moment do not see each other',
    file: rules,
    find: '  await lockSetUp(tx)\n  const admins',
    replace: '  const admins',
    caughtBy: adminKey('of two admins who register a passkey at the same moment, none is overlooked'),
  },
  {
    name: 'old-bank-not-recorded',
    about: 'the step of a bank that had its admins before is never recorded',
    file: rules,
    find: "if (step !== 'EVERYTHING' && !recorded.some((row) => row.step === step)) await database.transaction(recordSteps)",
    replace: '',
    caughtBy: adminKey('a bank that had its admins before is found out by the first request, and it is recorded'),
  },
  {
    name: 'invitation-in-reserve',
    about: 'an invitation of the admin key lets somebody in after the key is retired',
    file: 'users/users.links.ts',
    find: "if (!sandbox && (await isRetired(tx))) refuse('link_expired')",
    replace: '',
    caughtBy: adminKey('an invitation that was kept in reserve lets nobody in after the admin key is retired'),
  },
  {
    name: 'third-admin-is-related',
    about: 'the third admin of a bank may not answer for the first two',
    file: 'users/users.links.sql.ts',
    find: 'else ${enoughAdmins} end',
    replace: 'else 2 end',
    caughtBy: adminKey('the first three admins are three people from the beginning, and none of them answers for another'),
  },
  {
    name: 'puppet-for-a-colleague',
    about: 'whoever has the admin key puts a colleague out, and a puppet approves at once',
    file: 'users/users.links.sql.ts',
    find: ' or bool_or(not earlier.is_there)',
    replace: '',
    caughtBy: adminKey('nobody gains a second approver by putting a colleague out and letting a puppet in'),
  },
  {
    name: 'set-up-reopened-for-people',
    about: 'after a start with the scope set-up, any admin lets in another one alone',
    file: 'users/users.links.ts',
    find: 'const isReopened = reopensSetUp(adminKey) && isAdminKey(by)',
    replace: 'const isReopened = reopensSetUp(adminKey)',
    caughtBy: adminKey(lockedOut),
  },
  {
    name: 'set-up-link-without-its-start',
    about: 'a set-up link works although the bank has admins and the service was not started for it',
    file: 'users/users.links.ts',
    find: "if (!reopensSetUp(given.adminKey) && (await hasBankAdmin(tx))) refuse('link_expired')",
    replace: '',
    caughtBy: adminKey(lockedOut),
  },
  {
    name: 'reopening-not-audited',
    about: 'a start with the scope set-up is not in the audit log',
    file: 'service.ts',
    find: '      await patiently(() => recordReopening(database))\n',
    replace: '',
    caughtBy: adminKey(lockedOut),
  },
  {
    name: 'seen-key-orders',
    about: 'the bank orders money with a key that it has made for a venture',
    file: authentication,
    find: "if (!sandbox && countsAsBank(found) && ruleForSeenKeys(operationOf(request)) === 'refused') refuse('key_seen_by_bank')",
    replace: '',
    caughtBy: seenKeys(noOrders),
  },
  {
    name: 'seen-key-signs',
    about: 'the bank signs a transfer, or raises a limit, with a key that it has made for a venture',
    file: authentication,
    find: 'if (countsAsBank(request) && isRefused(',
    replace: 'if (!countsAsBank(request) && isRefused(',
    caughtBy: seenKeys(noOrders),
  },
  {
    name: 'seen-key-makes-working-keys',
    about: 'with a key that the bank has seen, the bank makes one that may order',
    file: 'ventures/ventures.apikeys.routes.ts',
    find: 'createKey(ventures, venture.id, body, { companions, seen_by_bank })',
    replace: 'createKey(ventures, venture.id, body, { companions, seen_by_bank: false })',
    caughtBy: seenKeys(marked),
  },
  {
    name: 'rotated-key-is-clean',
    about: 'a key that the bank has seen is rotated into one that may order',
    file: 'ventures/ventures.ts',
    find: 'issueKey(tx, keyKind, { ...old, venture_id })',
    replace: 'issueKey(tx, keyKind, { ...old, venture_id, seen_by_bank: false })',
    caughtBy: seenKeys(marked),
  },
  {
    name: 'first-key-is-clean',
    about: 'the key in the answer to the registration of a venture may order',
    file: 'ventures/ventures.ts',
    find: 'expires_at: null, seen_by_bank: true }',
    replace: 'expires_at: null, seen_by_bank: false }',
    caughtBy: seenKeys(noOrders),
  },
  {
    name: 'approved-key-is-clean',
    about: 'a key that two people of the bank make may order',
    file: 'ventures/ventures.ts',
    find: '{ ...by, sequence, seen_by_bank: true }',
    replace: '{ ...by, sequence, seen_by_bank: false }',
    caughtBy: seenKeys('what two people of the bank make carries the mark, too'),
  },
]
