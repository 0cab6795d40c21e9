// Bugs in the request log.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import type { Bug } from './planted.bug.ts'

const tests = 'requests/requests.test.ts'
const days = 'requests/requests.days.test.ts'
const log = 'requests/requests.log.ts'
const sql = 'requests/requests.sql.ts'
const hooks = 'requests/requests.hooks.ts'

const alone = 'requests without a valid key, and those of the bank, are for the bank alone'
const narrowed = 'a list is narrowed by request id, status or class of statuses, route, method, code, key and time'
const dropped = 'while nothing can be written, requests are answered, and those for which there is no room are dropped and counted'
const once = 'a batch whose outcome is unknown is written once, and so is what was recorded meanwhile'
const mixed = 'requests that are written together keep what each of them has, whatever it is'
const later = 'what could not be written is written later, once; what is still left when the instance stops is counted'

export const requestLogBugs: readonly Bug[] = [
  {
    name: 'request-log-of-another-venture',
    about: 'a venture reads a request of another venture by its id',
    file: sql,
    find: 'select ${columns} from requests where venture_id = ${venture_id} and id = ${id}`',
    replace: 'select ${columns} from requests where venture_id <> ${bankId} and id = ${id}`',
    caughtBy: [{ file: tests, name: 'a request is found again by its id, by nobody but its venture and the bank' }],
  },
  {
    name: 'request-log-shows-the-bank',
    about: 'a venture sees which of its data the people of the bank have read',
    file: hooks,
    find: 'actor !== undefined && isVentures(actor) ? logged',
    replace: 'actor !== undefined ? logged',
    caughtBy: [{ file: tests, name: alone }],
  },
  {
    name: 'request-log-of-paths',
    about: 'the log contains paths, with the ids and secrets in them, instead of routes',
    file: hooks,
    find: 'route: patternOf(request.routeOptions.url)',
    replace: 'route: request.url',
    caughtBy: [{ file: tests, name: 'a venture sees what it has requested and what became of it, and nothing of what it has sent' }],
  },
  {
    name: 'request-log-of-pages',
    about: 'probes and pages fill the log',
    file: hooks,
    find: 'log.isOn && request.url.startsWith(prefix)',
    replace: "log.isOn && request.url.startsWith('/')",
    caughtBy: [{ file: tests, name: 'pages, documents and probes are not in the log' }],
  },
  {
    name: 'request-log-without-bound',
    about: 'while the database is away, the log takes more and more memory',
    file: log,
    find: 'if (this.#waiting.length >= this.#most) {',
    replace: 'if (this.#waiting.length >= this.#most * 1_000) {',
    caughtBy: [{ file: tests, name: dropped }],
  },
  {
    name: 'request-log-drops-silently',
    about: 'requests for which there is no room are not counted',
    file: log,
    find: '      this.#dropped++\n',
    replace: '',
    caughtBy: [
      { file: tests, name: dropped },
      { file: tests, name: 'the metrics show what waits and what was dropped' },
    ],
  },
  {
    name: 'request-log-gives-up',
    about: 'what cannot be written at the moment is dropped at once',
    file: log,
    find: 'isAway = error instanceof Refusal\n',
    replace: 'isAway = error instanceof TypeError\n',
    caughtBy: [{ file: tests, name: later }],
  },
  {
    name: 'request-log-batch-grows',
    about: 'a batch that is sent again has more rows than before, and these are lost if the others are there already',
    file: log,
    find: 'if (this.#batch.length === 0) this.#batch =',
    replace: 'this.#batch =',
    caughtBy: [{ file: tests, name: once }],
  },
  {
    name: 'request-log-written-counted-as-dropped',
    about: 'a batch that is there already, because its outcome was unknown, is counted as dropped',
    file: log,
    find: 'if (!isDuplicate(error)) throw error',
    replace: 'throw error',
    caughtBy: [{ file: tests, name: once }],
  },
  {
    name: 'request-log-kinds-mixed-up',
    about: 'requests of one batch that differ in their status only all get the status of the first',
    file: sql,
    find: '${route} ${status} ${code}',
    replace: '${route} ${code}',
    caughtBy: [{ file: tests, name: mixed }],
  },
  {
    name: 'request-log-off-when-embedded',
    about: 'the embedded database, on which people try the service, keeps no requests unless told to',
    file: 'requests/requests.settings.ts',
    find: 'given.REQUEST_LOG ?? databaseUrl === undefined',
    replace: 'given.REQUEST_LOG ?? false',
    caughtBy: [{ file: 'config.test.ts', name: 'requests are logged on the embedded database, unless the setting decides otherwise' }],
  },
  {
    name: 'request-log-off-looks-empty',
    about: 'a log that is off says that nobody has asked for anything',
    file: 'requests/requests.ts',
    find: "if (found.length === 0 && !isOn) refuse('request_log_off')",
    replace: '',
    caughtBy: [{ file: tests, name: 'while the log is off, nothing is recorded, and what was recorded before can still be read' }],
  },
  {
    name: 'request-log-stuck',
    about: 'one batch that the database cannot take keeps all later ones from being written',
    file: log,
    find: 'isAway = error instanceof Refusal\n',
    replace: 'isAway = error instanceof Error\n',
    caughtBy: [{ file: tests, name: 'a batch that the database can never take is dropped and counted, and does not hold up the next one' }],
  },
  {
    name: 'request-log-lost-at-the-stop',
    about: 'an instance that stops throws away what it has not written yet',
    file: log,
    find: '    this.#isOn = false\n    await this.flush()\n',
    replace: '    this.#isOn = false\n',
    caughtBy: [{ file: tests, name: 'an instance that stops writes what it has recorded' }],
  },
  {
    name: 'request-log-asleep',
    about: 'once there was nothing to write, nothing is written any more',
    file: log,
    find: '      this.#writing = undefined\n      if (',
    replace: '      if (this.#waiting.length > 0) this.#writing = undefined\n      if (',
    caughtBy: [{ file: tests, name: 'the log goes on after there was nothing to write' }],
  },
  {
    name: 'request-log-class-too-wide',
    about: 'the filter 4xx also finds requests that succeeded',
    file: sql,
    find: 'status between ${first} and ${first + 99}',
    replace: 'status between ${first - 200} and ${first + 99}',
    caughtBy: [{ file: tests, name: narrowed }],
  },
  {
    name: 'request-log-scope-refused-hidden',
    about: 'a venture does not see requests that were refused because its key lacks a scope',
    file: 'users/users.authentication.ts',
    find: '    request.logged = { venture_id: found.venture.id, ...key_prefix }\n',
    replace: "    request.logged = { ...(row.scopes === 'any' ? { venture_id: found.venture.id } : {}), ...key_prefix }\n",
    caughtBy: [{ file: tests, name: 'what is refused for its scope, its role or its header is the venture’s, because the key is valid' }],
  },
  {
    name: 'request-log-day-not-made',
    about: 'after a jump of the clock, requests are not logged until the days are made by chance',
    file: log,
    find: 'if (newest > this.#lastDay) this.#lastDay',
    replace: "if (this.#lastDay === '') this.#lastDay",
    caughtBy: [{ file: days, name: 'after a long jump of the clock the log goes on, and everything old is dropped' }],
  },
  {
    name: 'request-log-kept-for-good',
    about: 'the days of the log are never dropped',
    file: 'requests/requests.retention.ts',
    find: 'yield* persistently(',
    replace: 'if (!isOn) yield* persistently(',
    caughtBy: [{ file: days, name: 'a row stays for seven days, and its day is dropped then' }],
  },
  {
    name: 'request-log-drop-tried-once',
    about: 'a day that somebody reads is not dropped before the next hour',
    file: 'platform/retention.ts',
    find: '|| ++failures === attempts) throw error',
    replace: '|| ++failures > 0) throw error',
    caughtBy: [{ file: days, name: 'dropping does not wait for those who read the log, and is tried again' }],
  },
]
