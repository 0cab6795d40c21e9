// Bugs in how people sign in and out, and in what protects their browsers.
import type { Bug } from './planted.bug.ts'

const sessions = 'users/users.session.test.ts'

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
    find: 'const spellings = [text, inLetters(text, ',
    replace: 'const spellings = [text, text || inLetters(text, ',
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
]
