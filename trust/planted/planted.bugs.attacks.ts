// Bugs that let pages of others, thieves of cookies, and whoever only looks, do something in the console.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const stolen = 'users/users.stolen.test.ts'
const streams = 'desk/desk.stream.test.ts'
const browser = '../../trust/console/attacks/attacks.test.ts'
const texts = '../../trust/console/attacks/attacks.texts.test.ts'

export const attackBugs: readonly Bug[] = [
  {
    name: 'neighbour-reads-with-the-cookie',
    about: 'a page of another port or another name of the same site may read with the cookie of a visitor',
    file: 'users/users.browser.ts',
    find: "if (site !== undefined && site !== 'same-origin')",
    replace: "if (site !== undefined && site !== 'same-origin' && site !== 'same-site')",
    caughtBy: [
      {
        file: browser,
        name: 'a page of a neighbour sends requests in every way there is with the victim’s cookie, reads nothing and changes nothing',
      },
    ],
  },
  {
    name: 'stream-outlives-the-session',
    about: 'whoever listens goes on listening after the session has ended',
    file: 'desk/desk.routes.ts',
    find: 'checkAgain(request).then(',
    replace: 'Promise.resolve().then(',
    caughtBy: [
      { file: stolen, name: 'a stolen cookie is worth nothing after its person has signed out' },
      { file: stolen, name: 'a stolen cookie is worth nothing after its person was taken out of the venture' },
    ],
  },
  {
    name: 'planted-session-goes-on',
    about: 'the session whose cookie was in the browser before somebody signed in goes on beside the new one',
    file: 'users/users.signin.ts',
    find: 'if (session !== undefined) await deleteSession(tx, session.token_hash)',
    replace: '',
    caughtBy: [
      { file: stolen, name: 'a cookie that was planted before somebody signs in never becomes a session' },
      { file: stolen, name: 'a stolen cookie is worth nothing after its person has signed in again in the same browser' },
    ],
  },
  {
    name: 'one-person-takes-all-streams',
    about: 'one person can listen as often as the instance has places, and nobody else can',
    file: 'desk/desk.routes.ts',
    find: ' || ofPerson >= mostOfPerson',
    replace: '',
    caughtBy: [{ file: streams, name: 'nobody takes all places: neither a person, nor with requests that are dropped at once' }],
  },
  {
    name: 'place-of-a-failed-stream-lost',
    about: 'a stream that could not begin keeps its place for good',
    file: 'desk/desk.routes.ts',
    find: '        streams.delete(stream)\n        throw error',
    replace: '        throw error',
    caughtBy: [{ file: streams, name: 'a stream that could not begin leaves its place to others' }],
  },
  {
    name: 'viewer-may-do-what-anybody-may',
    about: 'everybody in a venture may do what any role of it may',
    file: 'users/users.authentication.ts',
    find: 'if (!row.venture?.includes(found.venture_role))',
    replace: 'if (row.venture === undefined)',
    caughtBy: [
      {
        file: 'guards/matrix/matrix.viewers.test.ts',
        name: 'viewers and auditors send every changing request as it is right, and it changes nothing',
      },
    ],
  },
  {
    name: 'dots-lead-out-of-the-console',
    about: 'whoever signs in is sent to any page of the service, also to one that redirects to a shop',
    file: '../../console/src/entrance/enter.ts',
    find: "return /^\\/console\\/(?!sign-in|passkey)/.test(pathname) ? pathname + search : '/console/'",
    replace: 'return pathname === undefined ? search : to',
    caughtBy: [
      { file: '../../console/src/entrance/enter.test.ts', name: 'after signing in, one gets to a page of the console and nowhere else' },
    ],
  },
  {
    name: 'verified-people-run-scripts',
    about: 'the page of the verifier writes the name of a person into its markup as it is',
    file: 'platform/http/html.ts',
    find: "if (typeof value === 'string') return escapeHtml(value)",
    replace: "if (typeof value === 'string') return value",
    caughtBy: [{ file: texts, name: 'pages for payers and for people who are verified show texts as texts' }],
  },
]
