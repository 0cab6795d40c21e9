// Bugs in the command line, and in what the service offers to it: resends that can be followed, and verifications over the API.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const cli = '../../cli/src'
const resends = 'events/events.resends.test.ts'
const refused = 'an event that is refused is sent again, the ones behind it wait, others do not, and after the last attempt it is given up'

export const cliBugs: readonly Bug[] = [
  {
    name: 'cli-zsh-one-word',
    about: 'zsh is offered all words as one',
    file: `${cli}/commands/completion.ts`,
    find: 'offer: `compadd -- \\${=offered}`',
    replace: 'offer: `compadd -- "\\$offered"`',
    caughtBy: [
      { file: `${cli}/table.test.ts`, name: 'the completion of zsh is a script that zsh reads' },
      { file: `${cli}/table.test.ts`, name: 'a person who presses tab in zsh gets the word completed' },
    ],
  },
  {
    name: 'cli-forwards-out-of-order',
    about: 'events overtake an event of the same resource that the target has not accepted yet',
    file: `${cli}/forwarding.ts`,
    find: 'const before = this.#queues.get(resource) ?? Promise.resolve()',
    replace: 'const before = Promise.resolve()',
    caughtBy: [{ file: `${cli}/listen.test.ts`, name: refused }],
  },
  {
    name: 'cli-gives-up-at-once',
    about: 'an event that the target refuses once is never sent again',
    file: `${cli}/forwarding.ts`,
    find: 'const gaveUp = !accepted && ++answers >= attempts',
    replace: 'const gaveUp = !accepted',
    caughtBy: [{ file: `${cli}/listen.test.ts`, name: refused }],
  },
  {
    name: 'cli-key-for-everybody',
    about: 'the file with the key can be read by everybody on the machine',
    file: `${cli}/config.ts`,
    find: 'chmodSync(attempt, 0o600)',
    replace: 'chmodSync(attempt, 0o644)',
    caughtBy: [
      {
        file: `${cli}/commands.test.ts`,
        name: 'login keeps a key that works, for its owner alone; config shows where it comes from; logout forgets it',
      },
    ],
  },
  {
    name: 'cli-invents-in-production',
    about: 'invented clients are registered at a service that is no sandbox',
    file: `${cli}/commands/trigger.ts`,
    find: "if (code === 'route_not_found')",
    replace: 'if (code === undefined)',
    caughtBy: [{ file: `${cli}/trigger.test.ts`, name: 'outside a sandbox nothing is invented' }],
  },
  {
    name: 'cli-broken-config-in-the-way',
    about: 'a config file that cannot be read keeps every shell from starting its completion, and cannot be deleted by logout',
    file: `${cli}/main.ts`,
    find: '    let known: Settings | undefined\n',
    replace: '    let known: Settings | undefined = settingsOf(values, world.environment)\n',
    caughtBy: [
      {
        file: `${cli}/commands.test.ts`,
        name: 'login keeps a key that works, for its owner alone; config shows where it comes from; logout forgets it',
      },
    ],
  },
  {
    name: 'cli-place-lost-silently',
    about: 'a note of its place that listen cannot read makes it skip events without a word',
    file: `${cli}/commands/listen.ts`,
    find: "if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined",
    replace: 'if (error instanceof Error) return undefined',
    caughtBy: [
      {
        file: `${cli}/listen.test.ts`,
        name: 'a place that is lost, or cannot be noted any more, is said',
      },
    ],
  },
  {
    name: 'failed-redeliveries-without-resends',
    about: 'who follows resends does not learn of failed deliveries that were repeated together',
    file: 'webhooks/webhooks.ts',
    find: 'await recordResends(tx, endpoint.venture_id, event_ids)',
    replace: '',
    caughtBy: [{ file: resends, name: 'failed deliveries that are repeated together are resends, those of each resource in order' }],
  },
  {
    name: 'redelivery-without-resend',
    about: 'who follows resends does not learn of a delivery that was repeated',
    file: 'webhooks/webhooks.ts',
    find: 'await recordResend(tx, event)',
    replace: '',
    caughtBy: [{ file: resends, name: 'a delivery that is repeated is a resend' }],
  },
  {
    name: 'resends-without-turns',
    about: 'two resends at the same time take the same number',
    file: 'events/events.resends.ts',
    find: 'await tx.rows(write`select pg_advisory_xact_lock(hashtextextended(${venture_id}, 1))`)',
    replace: '',
    caughtBy: [{ file: resends, name: 'a number that is visible has no number before it that becomes visible later' }],
  },
  {
    name: 'resend-of-a-foreign-event',
    about: 'a venture resends an event of another venture',
    file: 'events/events.resends.ts',
    find: "if (found === undefined) refuse('event_not_found')",
    replace: '',
    caughtBy: [{ file: resends, name: 'only events of the venture can be sent again, and a wrong place is refused' }],
  },
  {
    name: 'two-verifications-at-once',
    about: 'a second verification is accepted while one runs',
    file: 'verify/verify.runs.ts',
    find: "if (inserted === 0) refuse('verification_running')",
    replace: '',
    caughtBy: [
      { file: 'verify/verify.runs.test.ts', name: 'one runs at a time; one whose instance has ended is shown as failed, and makes room' },
    ],
  },
]
