// Bugs in the client: repeated creates, keys in browsers, lists, events and webhooks.
import type { Bug } from './planted.bug.ts'

const sdk = '../../sdk/src'
const client = `${sdk}/client.test.ts`
const retries = `${sdk}/retries.test.ts`

export const sdkBugs: readonly Bug[] = [
  {
    name: 'sdk-new-key-each-attempt',
    about: 'each attempt of a create has an idempotency key of its own, so a repeated one creates again',
    file: `${sdk}/client.ts`,
    find: "all.set('idempotency-key', idempotencyKey)",
    replace: "all.set('idempotency-key', crypto.randomUUID())",
    caughtBy: [
      { file: retries, name: 'a create is repeated and carried out once: unanswered' },
      { file: retries, name: 'many creates at the same time, each failing in several ways: each is carried out once' },
    ],
  },
  {
    name: 'sdk-repeats-any-post',
    about: 'a POST without an idempotency key is repeated although it may have been carried out',
    file: `${sdk}/client.ts`,
    find: "const repeatable = method !== 'POST' || idempotencyKey !== undefined",
    replace: 'const repeatable = true',
    caughtBy: [{ file: retries, name: 'a POST that takes no key is repeated only if it was certainly not carried out' }],
  },
  {
    name: 'sdk-hides-uncertainty',
    about: 'a refusal does not say that an attempt before it may have been carried out',
    file: `${sdk}/client.ts`,
    find: 'uncertain ||= isUnknown(failure)',
    replace: '',
    caughtBy: [{ file: retries, name: 'a refusal after an attempt without an answer says that the attempt may have done it' }],
  },
  {
    name: 'sdk-key-in-browser',
    about: 'an API key is accepted in a browser',
    file: `${sdk}/client.ts`,
    find: 'if (key !== undefined && isBrowser())',
    replace: "if (key === 'never')",
    caughtBy: [{ file: client, name: 'a client with a key refuses to work in a page or a worker of a browser' }],
  },
  {
    name: 'sdk-id-as-path',
    about: 'an id can lead to another path',
    file: `${sdk}/client.ts`,
    find: 'return encodeURIComponent(text)',
    replace: 'return text',
    caughtBy: [{ file: client, name: 'an id that would lead to another path is refused before anything is sent' }],
  },
  {
    name: 'sdk-first-page-only',
    about: 'a list ends after its first page',
    file: `${sdk}/pages.ts`,
    find: 'query = next && Object.fromEntries(next)',
    replace: 'query = next && undefined',
    caughtBy: [{ file: client, name: 'a list asks for its pages as the loop needs them' }],
  },
  {
    name: 'sdk-follows-from-the-start',
    about: 'who follows events from now on gets all earlier ones',
    file: `${sdk}/follow.ts`,
    find: "cursor = page.items[0]?.id ?? 'start'",
    replace: "cursor = 'start'",
    caughtBy: [{ file: `${sdk}/follow.test.ts`, name: 'goes on after a given event, begins with the next one, and keeps to a type' }],
  },
  {
    name: 'sdk-old-webhook-accepted',
    about: 'a webhook that was recorded may be sent again at any time',
    file: `${sdk}/webhooks.ts`,
    find: 'const tolerance_s = 300',
    replace: 'const tolerance_s = 30_000_000',
    caughtBy: [
      {
        file: `${sdk}/webhooks.test.ts`,
        name: 'refuses another secret, another body, another id or time, and one that is too old or from the future',
      },
    ],
  },
]
