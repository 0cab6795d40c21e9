// Bugs in how people sign in and out, and in what protects their browsers.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const sessions = 'users/users.session.test.ts'
const factors = 'users/users.factors.test.ts'
const record = 'users/users.record.test.ts'

export const signInBugs: readonly Bug[] = [
  {
    name: 'common-password-accepted',
    about: 'a password of common words, years and repetitions is accepted if it is long enough',
    file: 'users/users.passwords.ts',
    find: 'if (!isGuessable(password, known)) return undefined',
    replace: 'if (known.length >= 0) return undefined',
    caughtBy: [{ file: sessions, name: 'a changed password ends the other sessions, and a weak one is refused' }],
  },
  {
    name: 'digits-hide-a-common-password',
    about: 'a common password is not recognised when digits and signs stand for letters',
    file: 'users/users.guesses.ts',
    find: "inLetters(text, 'i'), inLetters(text, 'l')",
    replace: 'text',
    caughtBy: [{ file: 'users/users.guesses.test.ts', name: 'with digits, signs and capitals: guessed soon' }],
  },
  {
    name: 'repeated-password-accepted',
    about: 'a short password is accepted if it is typed twice',
    file: 'users/users.guesses.ts',
    find: 'return text.slice(0, from).includes(text.slice(from, to))',
    replace: 'return to > text.length',
    caughtBy: [{ file: 'users/users.guesses.test.ts', name: 'repeated: guessed soon' }],
  },
  {
    name: 'pages-stay-after-sign-out',
    about: 'after a sign-out, the browser keeps what it has stored of the pages',
    file: 'users/users.browser.ts',
    find: `    reply.header('clear-site-data', '"cache", "storage"')\n`,
    replace: '',
    caughtBy: [
      {
        file: sessions,
        name: 'a session ends after twelve hours, after half an hour without use, at sign-out, and when its user is disabled',
      },
    ],
  },
  {
    name: 'hosts-below-forced-to-https',
    about: 'browsers are told to use https for all hosts below, though the bank has not said so',
    file: 'app.ts',
    find: "hstsSubdomains ? '; includeSubDomains' : ''",
    replace: "'; includeSubDomains'",
    caughtBy: [
      {
        file: 'guards/headers.test.ts',
        name: 'browsers that come over https are told to come back over https, and to its hosts below if the bank says so',
      },
    ],
  },
  {
    name: 'no-rate-limit-by-default',
    about: 'outside the sandbox, a venture may send any number of requests unless somebody has set a limit',
    file: 'platform/platform.settings.ts',
    find: "(sandbox ? 'off' : 600)",
    replace: "'off'",
    caughtBy: [{ file: 'config.test.ts', name: 'some defaults follow from other settings' }],
  },
  {
    name: 'allow-names-a-method-twice',
    about: 'the header Allow names a method as often as there are routes that take the path',
    file: 'platform/http/http.ts',
    find: "[...new Set(taken.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]",
    replace: "taken.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))",
    caughtBy: [{ file: 'platform/http/http.test.ts', name: 'a path takes the methods that Allow names, each once, and no other' }],
  },
  {
    name: 'power-without-a-passkey',
    about: 'people of a venture who may make keys and payments need no passkey',
    file: 'users/users.sql.ts',
    find: 'where held.user_id = session.user_id and held.role = any(',
    replace: 'where false and held.role = any(',
    caughtBy: [{ file: factors, name: 'who reads in one venture and orders in another needs the passkey in both' }],
  },
  {
    name: 'enrolling-opens-more',
    about: 'whoever lacks the passkey that the role needs may end sessions and change the password',
    file: 'users/users.access.ts',
    find: "const themselves: Changing = { door: 'session', reads: false }",
    replace: "const themselves: Changing = { door: 'session', reads: false, enrols: true }",
    caughtBy: [
      { file: factors, name: 'without the passkey that a role needs, a session sees who it is, registers one, or ends; nothing else' },
    ],
  },
  {
    name: 'password-steps-up',
    about: 'somebody who knows the password of a person with a passkey proves to be that person',
    file: 'users/users.signin.ts',
    find: "if (has_passkey) refuse('passkey_required')",
    replace: '',
    caughtBy: [{ file: factors, name: 'a password is no proof of somebody who has a passkey, however they signed in' }],
  },
  {
    name: 'sessions-outlive-a-factor',
    about: 'a session goes on after its passkey was removed in another browser',
    file: 'users/users.sessions.ts',
    find: '  await deleteSessionsOf(tx, user_id, token_hash)\n',
    replace: '',
    caughtBy: [
      ...['a changed password', 'another passkey', 'a removed passkey'].map((change) => ({
        file: factors,
        name: `${change} ends all other sessions, those with the passkey included, and needs a proof of the last minutes`,
      })),
    ],
  },
  {
    name: 'ended-session-changes-a-factor',
    about: 'a session that another change has just ended still changes the password',
    file: 'users/users.sessions.ts',
    find: 'if ((await tx.first(selectToken(token_hash))) === undefined) refuseSession()',
    replace: '',
    caughtBy: [{ file: factors, name: 'a change waits for one before it, and is refused if that has ended its session' }],
  },
  {
    name: 'removed-passkey-still-counts',
    about: 'after the last passkey was removed, the session still counts as one with a passkey',
    file: 'users/users.passkeys.ts',
    find: '      await forgetPasskeyUse(tx, session.user_id)\n',
    replace: '',
    caughtBy: [{ file: factors, name: 'after the last passkey is removed, the session is one without, and registers another one' }],
  },
  {
    name: 'invitation-without-the-passkey',
    about: 'somebody who needs a passkey gets into another venture with the password alone',
    file: 'users/users.links.ts',
    find: "if (known !== undefined && given.signedInAs?.lacksPasskey === true) refuse('passkey_required')",
    replace: '',
    caughtBy: [{ file: factors, name: 'somebody who needs a passkey accepts no further invitation without it' }],
  },
  {
    name: 'venture-signs-out-the-bank',
    about: "a venture's admin signs out people of the bank who are members",
    file: 'users/users.people.ts',
    find: "if (by.actor.kind !== 'operator' && (await isMember(tx, id, bankId))) refuse('user_elsewhere')",
    replace: '',
    caughtBy: [
      { file: factors, name: 'admins sign somebody out everywhere, who may sign in again; a venture does it to its own people only' },
    ],
  },
  {
    name: 'failures-not-recorded',
    about: 'nobody learns that somebody else tries their password',
    file: 'users/users.throttle.ts',
    find: 'noteAttempt(tx, { id, address, ...tried })',
    replace: 'undefined && noteAttempt(tx, { id, address, ...tried })',
    caughtBy: [{ file: record, name: 'sign-ins, failures, proofs and sign-outs are recorded with factor, address and session' }],
  },
  {
    name: 'throttling-not-recorded',
    about: 'nobody learns that attempts at their password are refused',
    file: 'users/users.throttle.ts',
    find: 'if (tried !== undefined) this.#noteLater(tried.email, address)',
    replace: '',
    caughtBy: [
      { file: record, name: 'a refusal because of too many attempts is recorded once for each address, and only of people who exist' },
    ],
    hangs: true,
  },
  {
    name: 'throttling-recorded-many-times',
    about: 'refused attempts that arrive on several instances at once fill the record of a person',
    file: 'users/users.record.ts',
    find: '  await tx.rows(read`select pg_advisory_xact_lock(hashtextextended(${`throttled ${email} ${address}`}, 0))`)\n',
    replace: '',
    caughtBy: [{ file: record, name: 'attempts that are refused at once leave one entry, on whichever instances they arrive' }],
  },
  {
    name: 'sign-ins-kept-for-ever',
    about: 'addresses of people are never deleted',
    file: 'users/users.record.ts',
    find: 'where created_at < ${before} order by created_at',
    replace: "where created_at < ${before}::timestamptz - interval '1 year' order by created_at",
    caughtBy: [{ file: record, name: 'entries are deleted after their time, and no others' }],
  },
]
