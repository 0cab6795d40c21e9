// Bugs in who may do what: scopes, roles, sessions, links and passwords.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const keys = 'ventures/ventures.apikeys.test.ts'
const sessions = 'users/users.session.test.ts'
const links = 'users/users.links.test.ts'
const passkeys = 'users/users.passkeys.test.ts'
const authentication = 'users/users.authentication.ts'

export const peopleBugs: readonly Bug[] = [
  {
    name: 'metrics-key-is-admin',
    about: 'the key for metrics opens every route of the operator',
    file: authentication,
    find: 'if (!isAdmin(key)) return refuseKey',
    replace: 'if (!isAdmin(key) && !isMonitor(key)) return refuseKey',
    caughtBy: [
      {
        file: 'guards/routes.test.ts',
        name: 'every route accepts and refuses each kind of key as declared, whatever the body and the path contain',
      },
    ],
  },
  {
    name: 'scope-not-asked',
    about: 'a key may call every operation, whatever its scopes',
    file: authentication,
    find: "if (scopes === 'any' || (scopes === 'all' ? hasAllScopes(given) : scopes.some((scope) => given.includes(scope)))) return",
    replace: "if (scopes !== 'all' || hasAllScopes(given)) return",
    caughtBy: [
      {
        file: keys,
        name: 'each scope opens its own area for reading and writing, read opens all areas for reading, and a refusal names the scope',
      },
    ],
  },
  {
    name: 'signing-without-its-scope',
    about: 'a key that may order transfers also signs them',
    file: authentication,
    find: "if (isSigning && !scopes.includes('sign'))",
    replace: "if (isSigning && !scopes.includes('sign') && !scopes.includes('transfers'))",
    caughtBy: [{ file: keys, name: 'signing needs the scope sign, and with sign alone a transfer can only be signed' }],
  },
  {
    name: 'expired-key-works',
    about: 'the expiry of a key is shown and not enforced',
    file: 'ventures/ventures.apikeys.sql.ts',
    find: 'key.revoked_at is null and (key.expires_at is null or key.expires_at > bank_now()) and',
    replace: 'key.revoked_at is null and',
    caughtBy: [{ file: keys, name: 'an expired key stops working, and so does a revoked one, at once on every instance' }],
  },
  {
    name: 'expired-key-reads-its-venture',
    about: 'the expiry of a key is not enforced where the whole venture is found with it',
    file: 'ventures/ventures.apikeys.sql.ts',
    find: `\${wholeVenture}
  from api_keys key join ventures venture on venture.id = key.venture_id
  where key.key_hash = any(\${hashes}) and \${isValidKey}`,
    replace: `\${wholeVenture}
  from api_keys key join ventures venture on venture.id = key.venture_id
  where key.key_hash = any(\${hashes}) and key.revoked_at is null and venture.status = 'ACTIVE'`,
    caughtBy: [{ file: keys, name: 'an expired key stops working, and so does a revoked one, at once on every instance' }],
  },
  {
    name: 'revoked-key-reads-a-transfer',
    about: 'the query that finds a transfer together with its key ignores that the key was revoked',
    file: 'transfers/orders/transfers.orders.ts',
    find: 'and ${isValidKey} and transfer.id',
    replace: "and (key.expires_at is null or key.expires_at > bank_now()) and venture.status = 'ACTIVE' and transfer.id",
    caughtBy: [{ file: keys, name: 'a transfer is found together with the key only if the key may read transfers' }],
  },
  {
    name: 'last-use-written-per-request',
    about: 'every request writes the last use of its key',
    file: 'platform/last-uses.ts',
    find: '    this.#uses.set(name, this.#clock().getTime())',
    replace: '    this.#uses.set(name, this.#clock().getTime())\n    void this.flush()',
    caughtBy: [
      { file: keys, name: 'the last use of a key is written when the instance stops or a minute has passed, not with each request' },
    ],
  },
  {
    name: 'anybody-acts-for-any-venture',
    about: 'whoever is signed in may act for every venture by naming it',
    file: authentication,
    find: "if (found.venture_role === null || found.venture === undefined) refuse('venture_not_found')\n    if (found.venture.status !== 'ACTIVE') refuse('forbidden', { detail: 'The venture is disabled.' })\n    if (!row.venture?.includes(found.venture_role))",
    replace:
      "if (found.venture === undefined) refuse('venture_not_found')\n    if (found.venture.status !== 'ACTIVE') refuse('forbidden', { detail: 'The venture is disabled.' })\n    if (!row.venture?.includes(found.venture_role ?? 'admin'))",
    caughtBy: [{ file: sessions, name: 'a person acts for the ventures they belong to, and learns nothing of others' }],
  },
  {
    name: 'auditor-changes',
    about: 'an auditor of the bank may change what belongs to a venture',
    file: authentication,
    find: '      requireBankRole(row, found.bank_role)\n      requireFresh(row, found)\n      return actForVenture(',
    replace: '      requireFresh(row, found)\n      return actForVenture(',
    caughtBy: [
      {
        file: sessions,
        name: 'the bank acts for any venture, even a disabled one; an auditor only reads; the admin key must name the venture',
      },
    ],
  },
  {
    name: 'key-names-another-venture',
    about: 'a venture’s key that names another venture is accepted',
    file: authentication,
    find: 'if (named !== undefined && String(named).toLowerCase() !== found.venture.id)',
    replace: "if (named === '')",
    caughtBy: [
      {
        file: sessions,
        name: 'the bank acts for any venture, even a disabled one; an auditor only reads; the admin key must name the venture',
      },
    ],
  },
  {
    name: 'house-changed-by-hand',
    about: 'the operator may create things in the books of the house',
    file: authentication,
    find: 'if (venture.id === houseId && !row.reads)',
    replace: "if (venture.id === houseId && row.door === 'none')",
    caughtBy: [{ file: sessions, name: 'nobody changes the house’s books by hand, and the bank may read them' }],
  },
  {
    name: 'cookie-from-another-site',
    about: 'a page of another site may use the cookie of a signed-in person',
    file: 'users/users.browser.ts',
    find: "if (site !== undefined && site !== 'same-origin')",
    replace: "if (site === 'never')",
    caughtBy: [{ file: sessions, name: 'a request with a cookie must come from the console itself' }],
  },
  {
    name: 'console-header-not-asked',
    about: 'a form of another page may change something with the cookie',
    file: 'users/users.browser.ts',
    find: "if (headers['x-vostro-console'] === undefined)",
    replace: "if (headers['x-vostro-console'] === '')",
    caughtBy: [{ file: sessions, name: 'a request with a cookie must come from the console itself' }],
  },
  {
    name: 'cookie-beside-a-key',
    about: 'a request with both a cookie and a key is carried out with the rights of the person',
    file: authentication,
    find: "if (request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined)",
    replace: 'if (request.headers.authorization !== undefined)',
    caughtBy: [{ file: sessions, name: 'a tampered, doubled, ended or unknown cookie is 401, and so is a cookie together with a key' }],
  },
  {
    name: 'idle-session-lives',
    about: 'a session without use lives for twelve hours',
    file: 'users/users.sql.ts',
    find: "session.expires_at > now() and session.last_seen_at > now() - interval '30 minutes'",
    replace: 'session.expires_at > now()',
    caughtBy: [
      {
        file: sessions,
        name: 'a session ends after twelve hours, after half an hour without use, at sign-out, and when its user is disabled',
      },
    ],
  },
  {
    name: 'token-kept-at-reauthentication',
    about: 'a stolen token stays valid after the person has proved who they are',
    file: 'users/users.sql.ts',
    find: 'update sessions set token_hash = ${renewed}, authenticated_at',
    replace: 'update sessions set token_hash = case when ${renewed} = token_hash then token_hash else token_hash end, authenticated_at',
    caughtBy: [{ file: sessions, name: 'the token changes at sign-in and at reauthentication, and the old one is worth nothing' }],
  },
  {
    name: 'old-proof-is-enough',
    about: 'keys and roles are changed hours after the password was given',
    file: 'users/users.sessions.ts',
    find: 'const freshFor_ms = 600_000',
    replace: 'const freshFor_ms = 600_000_000',
    caughtBy: [{ file: sessions, name: 'keys, secrets and roles need a password within the last ten minutes' }],
  },
  {
    name: 'failures-counted-after-hashing',
    about: 'attempts that arrive together are counted one by one and pass together',
    file: 'users/users.throttle.ts',
    find: '      await lock(tx, [address_hash, ...(email_hash === null ? [] : [email_hash])])\n',
    replace: '',
    caughtBy: [
      {
        file: sessions,
        name: 'failed sign-ins are limited by email and address together, by address and by email, even all at once',
      },
    ],
  },
  {
    name: 'passwords-not-needed-at-the-bank',
    about: 'outside the sandbox, a password alone opens the bank',
    file: authentication,
    find: 'if (passkeysRequired && found.lacks_passkey && !enrols)',
    replace: 'if (passkeysRequired && found.lacks_passkey === undefined)',
    caughtBy: [
      {
        file: sessions,
        name: 'outside the sandbox, people of the bank need a passkey, and so do those of a venture who do more than read',
      },
    ],
  },
  {
    name: 'link-used-twice',
    about: 'a link can be used again',
    file: 'users/users.links.sql.ts',
    find: 'update links set used_at = ${at}, user_id = ${user_id} where id = ${id}',
    replace: 'update links set used_at = case when ${at}::text is null then used_at end, user_id = ${user_id} where id = ${id}',
    caughtBy: [{ file: links, name: 'a used, revoked or expired link is 410, an unknown one 404, and none of them changes anything' }],
  },
  {
    name: 'invitation-taken-by-somebody-else',
    about: 'whoever has an invitation for somebody who has a user may accept it for them',
    file: 'users/users.links.ts',
    find: "if (known !== undefined && known.id !== given.signedInAs?.user_id) refuse('user_exists')",
    replace: "if (known !== undefined && given.signedInAs === undefined) refuse('user_exists')",
    caughtBy: [{ file: links, name: 'an invitation for somebody who has a user is accepted by that person alone, while signed in' }],
  },
  {
    name: 'reset-leaves-sessions',
    about: 'whoever stole a session keeps it after the password was reset',
    file: 'users/users.links.ts',
    find: '    await deleteSessionsOf(tx, user.id)\n    await note(',
    replace: '    await note(',
    caughtBy: [{ file: links, name: 'a reset ends all sessions, lives an hour, and replaces the one before' }],
  },
  {
    name: 'venture-resets-a-banker',
    about: 'an admin of a venture can take over somebody who also works elsewhere',
    file: 'users/users.people.ts',
    find: "isOfBank || (by.actor.kind !== 'operator' && memberships.length > 1)",
    replace: 'isOfBank',
    caughtBy: [{ file: links, name: 'a venture cannot reset somebody who also belongs to another venture or to the bank; the bank can' }],
  },
  {
    name: 'last-admin-removed',
    about: 'the bank can lose its last admin',
    file: 'users/users.people.ts',
    find: "if (!staysAdmin && admins.every(({ user_id }) => user_id === id) && admins.length > 0) refuse('last_admin')",
    replace: "if (!staysAdmin && admins.length < 0) refuse('last_admin')",
    caughtBy: [{ file: links, name: 'the last active admin of the bank stays, even if two are removed at once' }],
  },
  {
    name: 'last-two-admins-disabled-at-once',
    about: 'two requests that disable the last two admins do not see each other',
    file: 'users/users.sql.ts',
    find: 'for update of membership, person',
    replace: 'for update of membership',
    caughtBy: [{ file: links, name: 'of the last two admins who are disabled at once, one stays' }],
  },
  {
    name: 'second-invitation-changes-the-role',
    about: 'an invitation that stayed open makes the last admin an auditor',
    file: 'users/users.links.ts',
    find: "    if (known !== undefined && (await isMember(tx, known.id, venture_id ?? ''))) refuse('already_member')\n",
    replace: '',
    caughtBy: [{ file: links, name: 'whoever has accepted an invitation does not change the role with another one' }],
  },
  {
    name: 'invitations-outlive-the-accepted-one',
    about: 'the other invitations of somebody who has accepted one stay open',
    file: 'users/users.links.ts',
    find: "    await revokeInvitationsOf(tx, { email: user.email, venture_id: venture_id ?? '', except: link.id }, given.at)\n",
    replace: '',
    caughtBy: [{ file: links, name: 'whoever has accepted an invitation does not change the role with another one' }],
  },
  {
    name: 'busy-sign-in-counts-as-a-failure',
    about: 'a service that is too busy to check passwords locks people out who know theirs',
    file: 'users/users.signin.ts',
    find: '    await database.transaction((tx) => cancelAttempt(tx, attempt))\n',
    replace: '',
    caughtBy: [{ file: sessions, name: 'a sign-in that is refused because too many are waiting is no failure' }],
  },
  {
    name: 'removed-passkey-signs-in',
    about: 'a passkey that is removed while its signature is checked begins a session',
    file: 'users/users.passkeys.ts',
    find: "  if (written === 0) refuse('sign_in_failed')\n",
    replace: '',
    caughtBy: [{ file: passkeys, name: 'a passkey that is removed while it signs in begins no session' }],
  },
  {
    name: 'unlimited-challenges',
    about: 'anybody fills the database with challenges',
    file: 'users/users.passkeys.ts',
    find: '  await throttle.countChallenge(address)\n',
    replace: '',
    caughtBy: [{ file: passkeys, name: 'challenges are limited by address, and none is stored beyond the limit' }],
  },
  {
    name: 'challenge-signed-twice',
    about: 'an intercepted sign-in with a passkey can be repeated',
    file: 'users/users.passkeys.ts',
    find: '  return taken === 1 ? challenge : undefined',
    replace: '  return taken >= 0 ? challenge : undefined',
    caughtBy: [
      {
        file: passkeys,
        name: 'a challenge works once, and only ours; a foreign origin, an unverified user and an unknown device are refused',
      },
    ],
  },
  {
    name: 'password-adds-a-passkey',
    about: 'whoever knows the password of somebody with a passkey can add a passkey of their own',
    file: authentication,
    find: 'if (session.has_passkey && !session.by_passkey)',
    replace: 'if (session.has_passkey === undefined)',
    caughtBy: [{ file: passkeys, name: 'a password alone neither adds nor removes a passkey where there is one' }],
  },
  {
    name: 'event-names-a-banker',
    about: 'a venture learns which person of the bank caused an event',
    file: 'events/events.list.ts',
    find: "event.actor === 'operator' && viewer.kind !== 'operator' ? { ...event, actor_id: null } : event",
    replace: "event.actor === 'operator' && viewer.kind === 'service' ? { ...event, actor_id: null } : event",
    caughtBy: [{ file: sessions, name: 'what a person creates and moves names them, and the bank’s people are hidden from ventures' }],
  },
]
