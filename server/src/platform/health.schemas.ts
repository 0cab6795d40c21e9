// The schemas of instance health.
import { type Static, Type } from 'typebox'
import { Nullable, Resource } from './http/schemas.ts'

const Count = (description: string) => Type.Integer({ description })
const Quantile = (share: string) =>
  Nullable(
    Type.Number({
      description: `${share} of the requests took at most this many milliseconds, rounded up to the bound of a bucket; null if it is more than ten seconds.`,
    }),
  )

const RouteLatency = Type.Object({
  method: Type.String({ description: 'The method.' }),
  route: Type.String({ description: 'The pattern of the path; `unknown` for paths that do not exist.' }),
  count: Count('How many requests were answered since the instance started.'),
  mean_ms: Type.Number({ description: 'The average duration of these requests, in milliseconds.' }),
  p50_ms: Quantile('Half'),
  p99_ms: Quantile('99 %'),
})
export type RouteLatency = Static<typeof RouteLatency>

/** The exchange of files counts as stopped if no round has finished for this long. */
export const roundsEndWithin_s = 300

const gapParts = ['identity', 'verifier', 'rail', 'nostro', 'watch_lists', 'payee_directory'] as const
export type GapPart = (typeof gapParts)[number]

const Gap = Type.Object({
  part: Type.Enum([...gapParts], { description: 'The part that is missing.' }),
  what: Type.String({ description: 'What is missing, as a sentence.' }),
  waits: Type.String({ description: 'What waits for it or does not work without it.' }),
  remedy: Type.String({ description: 'What to do.' }),
})
export type Gap = Static<typeof Gap>

export const OperatorHealth = Resource('OperatorHealth', {
  status: Type.Enum(['GREEN', 'RED'], {
    description: `RED while an instance has not finished a round of the file exchange for ${roundsEndWithin_s / 60} minutes, once the certificate of the listener for other banks has expired, and while something is missing.`,
  }),
  missing: Type.Array(Gap, {
    description: 'What a bank outside the sandbox still lacks. Empty in the sandbox, whose stand-ins play all of it.',
  }),
  requests_last_minute: Count('How many requests this instance answered within the last 60 seconds.'),
  routes: Type.Array(RouteLatency, { description: 'How long requests took, by route. The most frequent route is first.' }),
  pool: Type.Object(
    {
      busy: Count('Connections in use.'),
      idle: Count('Idle connections.'),
      waiting: Count('Requests that are waiting for a connection.'),
    },
    { description: "This instance's connections to the database." },
  ),
  deliveries: Type.Object(
    {
      pending: Count('Deliveries that are waiting for another attempt.'),
      failed: Count('Deliveries that have been given up.'),
      oldest_due_s: Type.Number({ description: 'For how many seconds the oldest delivery that is due has been waiting; 0 if none is.' }),
    },
    { description: 'Webhook deliveries of all ventures.' },
  ),
  jobs: Type.Array(
    Type.Object({
      kind: Type.String({ description: 'The kind of job.' }),
      ready: Count('Jobs that are waiting to become due or for a worker.'),
      dead: Count('Jobs that have been given up.'),
      oldest_due_s: Type.Number({ description: 'For how many seconds the oldest due job has been waiting; 0 if none is.' }),
    }),
    { description: 'Jobs of all instances, by kind. A kind without any is left out.' },
  ),
  request_log: Type.Object(
    {
      waiting: Count('Requests that have not been written yet.'),
      dropped: Count('Requests that are missing from the log because the database did not keep up.'),
    },
    { description: 'The request log of this instance.' },
  ),
  exchange: Nullable(
    Type.Object(
      {
        oldest_file_s: Type.Number({ description: 'For how many seconds the oldest file has been in the inbox; 0 if none is there.' }),
        last_round_s: Type.Number({ description: 'How many seconds ago the last round through the inbox ended.' }),
        refused_files: Count('Files that were refused and set aside since the instance started. Each has a case.'),
      },
      { description: 'The file exchange with the clearing system; null if there is none.' },
    ),
  ),
  vop: Nullable(
    Type.Object(
      {
        answered: Count('Questions of other banks about payees that were answered since the instance started.'),
        refused: Count('Connections and requests of other banks that were refused since then.'),
        certificate_expires_s: Type.Number({
          description: 'In how many seconds the certificate of the listener expires; negative afterwards.',
        }),
      },
      { description: 'The listener for questions of other banks about payees; null if there is none.' },
    ),
  ),
})
export type OperatorHealth = Static<typeof OperatorHealth>
