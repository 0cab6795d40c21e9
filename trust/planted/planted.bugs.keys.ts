// Bugs in the keys of the bank: what the admin key may do once people can do it, and keys of ventures that the bank has seen.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug, NamedTest } from './planted.bug.ts'

const adminKey = (name: string): readonly NamedTest[] => [{ file: 'users/users.adminkey.test.ts', name }]
const seenKeys = (name: string): readonly NamedTest[] => [{ file: 'users/users.seenkeys.test.ts', name }]
const bankKeys = (name: string): readonly NamedTest[] => [{ file: 'users/users.bankkeys.test.ts', name }]
const lessAndLess = 'the admin key does everything with one admin, invites the third one with two, and does nothing with three'
const lockedOut = 'a bank that is locked out gets in by a start with the scope set-up, and everybody learns of it'
const noOrders = 'in a MANAGED venture a key that the bank has seen neither moves money nor makes a later order possible'
const inPart = 'what one person of the bank may do only in part, such a key does in that part only'
/** `npm run authority:attacks` finds these holes by itself. */
const attackedBySeenKey: NamedTest = {
  file: '../../trust/authority/authority.attacks.test.ts',
  name: 'a key that the bank has seen: nothing of a client leaves the bank, nor becomes able to',
}
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
    file: 'users/users.relations.sql.ts',
    find: 'else ${enoughAdmins} end',
    replace: 'else 2 end',
    caughtBy: adminKey('the first three admins are three people from the beginning, and none of them answers for another'),
  },
  {
    name: 'puppet-for-a-colleague',
    about: 'whoever has the admin key puts a colleague out, and a puppet approves at once',
    file: 'users/users.relations.sql.ts',
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
    name: 'seen-key-orders',
    about: 'the bank orders money with a key that it has made for a venture',
    file: authentication,
    find: "found.venture.control === 'MANAGED' && isRefusedToSeenKeys(",
    replace: "found.venture.control === 'OPEN' && isRefusedToSeenKeys(",
    caughtBy: seenKeys(noOrders),
  },
  {
    name: 'seen-key-signs',
    about:
      'the bank signs a transfer, raises a limit or lets an order go on that its venture has stopped, with a key that it has made for the venture',
    file: 'ventures/ventures.reserved.ts',
    find: "actor.seen_by_bank === true ? find('ventures', 'key_seen_by_bank') : undefined",
    replace: 'undefined',
    caughtBy: [...seenKeys(inPart), attackedBySeenKey],
  },
  {
    name: 'seen-key-is-not-marked',
    about: 'nothing tells in an operation that the bank has seen the key',
    file: authentication,
    find: '...(found.seen_by_bank && !sandbox && { seen_by_bank: true })',
    replace: '',
    caughtBy: [...seenKeys(inPart), attackedBySeenKey],
  },
  {
    name: 'seen-key-gives-back',
    about: 'the bank gives a card payment back with a key that it has made for a venture',
    file: 'payments/payments.routes.ts',
    find: "{ managed: venture.control === 'MANAGED', by: { actor, companions } }",
    replace: '{ by: { actor, companions } }',
    caughtBy: [...seenKeys(inPart), attackedBySeenKey],
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
  {
    name: 'bank-key-does-everything',
    about: 'a key of the bank may do what another one is for',
    file: authentication,
    find: 'if (found.scope !== bankKey) refuse(',
    replace: 'if (found.scope === undefined) refuse(',
    caughtBy: bankKeys('each key does the one thing of its scope, and nothing else of the bank or of a venture'),
  },
  {
    name: 'bank-key-for-people',
    about: 'a key of the bank may do what people of the bank do',
    file: authentication,
    find: "if (bankKey === undefined) refuse('forbidden', { detail: 'This operation needs a person of the bank.' })\n    if (found",
    replace: 'if (bankKey !== undefined && found',
    caughtBy: bankKeys('each key does the one thing of its scope, and nothing else of the bank or of a venture'),
  },
  {
    name: 'importer-activates',
    about: 'the key of the list importer activates what it has imported',
    file: 'users/users.access.ts',
    find: 'activateWatchlistVersion: adminAtBank',
    replace: "activateWatchlistVersion: { ...adminAtBank, bankKey: 'lists' }",
    caughtBy: bankKeys('the importer imports a version and names itself, and cannot activate it or make a list'),
  },
  {
    name: 'revoked-bank-key-works',
    about: 'a key of the bank that was revoked still works',
    file: 'users/users.bankkeys.sql.ts',
    find: 'revoked_at is null and (expires_at',
    replace: '(expires_at',
    caughtBy: bankKeys('a key that was revoked or has expired stops working at once on every instance, and stays in the list'),
  },
  {
    name: 'expired-bank-key-works',
    about: 'the expiry of a key of the bank is shown and not enforced',
    file: 'users/users.bankkeys.sql.ts',
    find: ' and (expires_at is null or expires_at > bank_now())',
    replace: '',
    caughtBy: bankKeys('a key that was revoked or has expired stops working at once on every instance, and stays in the list'),
  },
  {
    name: 'bank-key-made-by-one-person',
    about: 'one person makes a key of the bank',
    file: 'users/users.bankkeys.ts',
    find: "if (!approved) refuse('approval_required', { sequence: 0 })",
    replace: '',
    caughtBy: bankKeys('with four eyes two admins make a key, whoever approves gets it, and the admin key does not'),
  },
  {
    name: 'bank-keys-need-the-admin-key',
    about: 'keys of the bank work only where there is an admin key',
    file: authentication,
    find: '    if (await enterByBankKey(request, row)) return\n    // Without',
    replace: '    if (adminApiKey !== undefined && (await enterByBankKey(request, row))) return\n    // Without',
    caughtBy: bankKeys('keys of the bank work where there is no admin key and none for metrics'),
  },
]
