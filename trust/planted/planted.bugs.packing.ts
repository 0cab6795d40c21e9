// Bugs in the short form in which events are stored.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const packing = 'events/events.packing.test.ts'
const roundTrip = { file: packing, name: 'what is read is what was written, byte for byte' }
const everyReader = {
  file: packing,
  name: 'whoever reads an event gets it as it happened: by id, in lists, as a follower, as a webhook and in SQL',
}

export const packingBugs: readonly Bug[] = [
  {
    name: 'event-needs-an-earlier-month',
    about: 'an event is stored without fields that only an event of another month has',
    file: 'events/events.packing.ts',
    find: 'month === monthOf(timestamp) && month === monthOf(timeOf(id).toISOString())',
    replace: "month !== ''",
    caughtBy: [{ file: packing, name: 'an event of another month than the creation is stored whole' }],
  },
  {
    name: 'event-shows-the-first-status',
    about: 'an event shows the fields of the first event where they have become null since',
    file: 'events/events.packing.ts',
    find: '(name in now ? now[name] : before[name]) ?? null',
    replace: 'now[name] ?? before[name] ?? null',
    caughtBy: [roundTrip],
  },
  {
    name: 'event-in-another-order',
    about: 'an event is shown with its fields in another order than it had',
    file: 'events/events.packing.ts',
    find: 'if (name !== names[place++] || value',
    replace: 'if (place++ > names.length || value',
    caughtBy: [{ file: packing, name: 'what has other fields, and other resources, are stored as they are shown' }],
  },
  {
    name: 'webhook-sends-the-stored-form',
    about: 'a webhook gets the data of an event as it is stored',
    file: 'webhooks/webhooks.pending.ts',
    find: "const isPacked = data.startsWith('[')",
    replace: "const isPacked = data.startsWith('[-')",
    caughtBy: [everyReader],
  },
  {
    name: 'verify-overlooks-a-number-given-twice',
    about: 'two events of a resource with the same sequence are not found by verify',
    file: 'verify/verify.invariants.ts',
    find: ' or count(distinct sequence) <> count(*)',
    replace: '',
    caughtBy: [{ file: 'verify/verify.test.ts', name: 'broken and found: events have no gaps' }],
  },
]
