// Bugs in the months of events and in their archive.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const file = 'archive/archive.test.ts'
const needed = 'a month that somebody still needs is refused with the reason'
const whole =
  'a month is archived: the file has every event as it was shown, the database keeps what answers are made of, and everything fits'
const forged = 'what somebody does to an archive, or to what the database keeps of it, is found'

export const archiveBugs: readonly Bug[] = [
  {
    name: 'archive-forgets-endpoints',
    about: 'a month leaves the database although an endpoint has not got its events',
    file: 'archive/archive.ts',
    find: 'if (first !== undefined) {\n    const others',
    replace: 'if (first !== undefined && behind.length > 9) {\n    const others',
    caughtBy: [{ file, name: needed }],
  },
  {
    name: 'archive-forgets-retries',
    about: 'a month leaves the database although deliveries of its events will be tried again',
    file: 'archive/archive.sql.ts',
    find: "where status = 'PENDING' and event_id >=",
    replace: "where status = 'WAITING' and event_id >=",
    caughtBy: [{ file, name: needed }],
  },
  {
    name: 'archive-looks-once',
    about: 'a month leaves the database although somebody has asked for another delivery since the first look',
    file: 'archive/archive.ts',
    find: "await requireDelivered(client, month, range)\n      await client.query('commit')",
    replace: "await client.query('commit')",
    caughtBy: [{ file, name: needed }],
  },
  {
    name: 'archive-of-unsealed-rows',
    about: 'a month leaves the database before its last events are sealed',
    file: 'archive/archive.ts',
    find: 'if (id !== undefined)',
    replace: "if (id === 'none')",
    caughtBy: [{ file, name: needed }],
  },
  {
    name: 'archive-takes-the-history-of-clients',
    about: 'the history of a verification is gone with its month',
    file: 'events/events.months.ts',
    find: "readonly string[] = ['client']",
    replace: "readonly string[] = ['none']",
    caughtBy: [{ file, name: whole }],
  },
  {
    name: 'archive-without-stored-text',
    about: 'the files do not have what the seals were computed from',
    file: 'archive/archive.ts',
    find: '...(JSON.stringify(data) !== stored && { stored }),',
    replace: '',
    caughtBy: [{ file, name: whole }],
  },
  {
    name: 'archive-in-any-order',
    about: 'a month is archived before the one before it',
    file: 'archive/archive.ts',
    find: 'if (next?.month === month) return',
    replace: 'if (months.some((known) => known.month === month)) return',
    caughtBy: [{ file, name: 'months are archived one after the other, when they are over, and once' }],
  },
  {
    name: 'archive-redelivers-nothing',
    about: 'a delivery whose event was archived is queued, and waits for ever',
    file: 'webhooks/webhooks.ts',
    find: '    await requireEvent(tx, event)\n',
    replace: '',
    caughtBy: [{ file, name: needed }],
  },
  {
    name: 'verify-takes-everything-for-archived',
    about: 'a row that somebody removed from an archived month is not missed',
    file: 'verify/verify.chain.ts',
    find: 'search.missing > archives.rows',
    replace: 'search.missing > 2 * archives.rows',
    caughtBy: [{ file, name: forged }],
  },
  {
    name: 'archive-check-believes-the-digest',
    about: 'files are not compared with the seals',
    file: 'archive/archive.ts',
    find: 'for await (const misfit of findMisfits(client, files))',
    replace: 'for await (const misfit of findMisfits(client, problems.length > 0 ? files : undefined))',
    caughtBy: [{ file, name: forged }],
  },
  {
    name: 'exports-lose-their-events',
    about: 'a client that is exported while a month is archived has no events',
    file: 'exports/exports.ts',
    find: 'database.snapshot(key.venture_id, keepMonths)',
    replace: 'database.snapshot(key.venture_id)',
    caughtBy: [{ file, name: 'while somebody reads events at one moment, a month waits, and an error leaves everything as it was' }],
  },
  {
    name: 'events-short-in-another-month',
    about: 'an event cannot be read any more when the month before its own was archived',
    file: 'events/events.packing.ts',
    find: ' && month === monthOf(timeOf(id).toISOString())',
    replace: '',
    caughtBy: [{ file: 'events/events.packing.test.ts', name: 'an event of another month than the creation is stored whole' }],
  },
]
