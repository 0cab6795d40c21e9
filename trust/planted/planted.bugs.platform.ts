// Bugs in what every request passes through: input validation and output.
import type { Bug } from './planted.bug.ts'

const http = 'platform/http/http.test.ts'

export const platformBugs: readonly Bug[] = [
  {
    name: 'unmigrated-start',
    about: 'the service starts with its own login on a database that lacks migrations',
    file: 'platform/database/migrate.ts',
    find: 'if (rows.length < files.length)',
    replace: 'if (rows.length === 0)',
    caughtBy: [
      {
        file: 'platform/database/migrate.test.ts',
        name: 'a login that does not own the tables is enough if nothing is left to apply, and otherwise the error says what to do',
      },
    ],
  },
  {
    name: 'host-not-required',
    about: 'a request of HTTP/1.1 without Host is carried out',
    file: 'platform/http/http.ts',
    find: "if (request.headers.host === undefined && request.raw.httpVersion !== '1.0')",
    replace: "if (request.headers.host === '')",
    caughtBy: [{ file: http, name: 'a request without Host gets a problem; HTTP/1.0 needs none' }],
  },
  {
    name: 'abort-reported-as-bug',
    about: 'a client that closes its connection in the middle of a body is logged as a bug of the service',
    file: 'platform/http/problems.ts',
    find: 'const aborted = wasAborted(error, request)',
    replace: 'const aborted = wasAborted(error, request) && request.raw.complete',
    caughtBy: [{ file: http, name: 'a client that goes away in the middle of its body is not an error of the service' }],
  },
  {
    name: 'log-without-key-prefix',
    about: 'a log line does not say which key was used',
    file: 'users/users.authentication.ts',
    find: 'request.logged = { venture_id: found.venture.id, ...key_prefix }',
    replace: 'request.logged = { venture_id: found.venture.id }',
    caughtBy: [
      { file: 'platform/http/http.test.ts', name: 'a log line names the venture and the prefix of its key, and no text that is not a key' },
    ],
  },
  {
    name: 'response-only-field-accepted',
    about: 'read-only and unknown fields are accepted in a request',
    file: 'platform/http/schemas.ts',
    find: 'return Type.Object(fields, { title, additionalProperties: false })',
    replace: 'return Type.Object(fields, { title })',
    caughtBy: [
      { file: 'transfers/deciding/transfers.create.test.ts', name: 'fields that only the service sets are refused in a request' },
      { file: 'accounts/accounts.test.ts', name: 'an update refuses all other fields, such as status, balance and owner' },
      { file: 'clients/clients.test.ts', name: 'an update refuses fields that it cannot change' },
    ],
  },
  {
    name: 'body-coerced',
    about: 'a JSON number is accepted where a decimal string is required',
    file: 'platform/http/validation.ts',
    find: 'body: prepare(new Ajv({ ...shared, coerceTypes: false })),',
    replace: 'body: prepare(new Ajv({ ...shared, coerceTypes: true })),',
    caughtBy: [
      {
        file: 'transfers/deciding/transfers.create.test.ts',
        name: 'a decimal is a string of digits and a point, and anything else is refused',
      },
    ],
  },
  {
    name: 'duplicate-name-accepted',
    about: 'of a duplicate field in a body the last one counts, although a proxy may have checked the first one',
    file: 'platform/http/json.ts',
    find: 'if (names.has(name)) refuse(',
    replace: "if (names.has(name) && name === '') refuse(",
    caughtBy: [
      {
        file: 'platform/http/json.test.ts',
        name: 'a duplicate name in one object is refused at any depth, however its characters are escaped',
      },
    ],
  },
  {
    name: 'direction-characters-accepted',
    about: 'a text may contain characters that change its reading direction',
    file: 'platform/http/characters.ts',
    find: '\\u202A-\\u202E',
    replace: '',
    caughtBy: [{ file: 'transfers/deciding/transfers.create.test.ts', name: 'control and bidi characters are refused in every text' }],
  },
  {
    name: 'error-shows-a-stack',
    about: 'the response to an internal error contains the stack trace and data of the row',
    file: 'platform/http/problems.ts',
    find: 'detail: refusal.message,',
    replace: 'detail: refusal.details.detail ?? error.stack ?? refusal.message,',
    caughtBy: [{ file: http, name: 'a bug reveals nothing to the caller and no data to the log' }],
  },
  {
    name: 'key-in-the-log',
    about: 'the log contains the headers of each request, including the API key',
    file: 'platform/http/http.ts',
    find: '        ...request.logged,\n',
    replace: '        ...request.logged,\n        headers: request.headers,\n',
    caughtBy: [{ file: 'ventures/ventures.test.ts', name: 'no log line contains a key' }],
  },
  {
    name: 'search-takes-wildcards',
    about: 'a search for % finds everything',
    file: 'platform/http/lists.ts',
    find: "text.replace(/[\\\\%_]/g, '\\\\$&')",
    replace: 'text',
    caughtBy: [{ file: 'accounts/accounts.test.ts', name: 'the list is newest first, filters, searches and pages' }],
  },
  {
    name: 'email-shared',
    about: 'two clients can have the same email',
    file: 'values/email.ts',
    find: 'toLowerCase()',
    replace: 'trim()',
    caughtBy: [
      {
        file: 'clients/clients.test.ts',
        name: 'an email is unique across ventures, ignoring case, and the refusal reveals nothing about the other client',
      },
    ],
  },
  {
    name: 'lists-shared-too-late',
    about: 'a list is answered with what was read before the request arrived',
    file: 'platform/database/database.ts',
    find: 'turn.finally(forget), work)',
    replace: 'turn, work).finally(forget)',
    caughtBy: [
      {
        file: 'platform/database/database.test.ts',
        name: 'those who wait for the same list share one reading, which begins after they have asked',
      },
    ],
  },
]
