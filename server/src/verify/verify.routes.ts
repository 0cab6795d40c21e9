// The operator's routes of verification: its runs, and the latest seal.
import { type Static, Type } from 'typebox'
import type { Database } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'
import { alone, changesAtBank, readsAtBank } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { described, Paging, PathId, Query, Resource, Timestamp } from '../platform/http/schemas.ts'
import { refuse } from '../values/refusals.ts'
import { invariants } from './verify.invariants.ts'
import { getRun, listRuns, type Verifications } from './verify.runs.ts'
import { VerificationReport, VerificationRun } from './verify.schemas.ts'

const tags = ['Books (bank)']

export async function verificationRoutes(
  app: App,
  { database, verifications }: { database: Database; verifications: Verifications },
): Promise<void> {
  app.post(
    '/operator/verifications',
    {
      config: {
        access: changesAtBank(alone('It changes nothing.')),
        audit: 'always',
        refusals: ['verification_running'],
        createsNothing: 'Only one run takes place at a time, and a second one does no harm.',
      },
      schema: {
        operationId: 'startVerification',
        tags,
        summary: 'Verify the whole database',
        description:
          'Starts a run that checks all invariants of the books, as `npm run verify` does, while the service keeps running. It takes seconds to ' +
          'minutes: poll the run until its `status` is no longer RUNNING. Only one run takes place at a time.',
        response: { 202: VerificationRun },
      },
    },
    async (request, reply) => reply.code(202).send(await verifications.start(invariants.length + 1, request.companions)),
  )

  app.get(
    '/operator/verifications',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'listVerificationRuns',
        tags,
        summary: 'List the verification runs, newest first',
        description:
          'Runs that were started here or with `npm run verify`. Each checks all invariants of the books. `broken` must be empty.',
        querystring: Query(Paging),
        response: { 200: Type.Array(VerificationRun) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listRuns(database, request.query)),
  )

  app.get(
    '/operator/verifications/:verification_id',
    {
      config: { access: readsAtBank, refusals: ['verification_not_found'] },
      schema: {
        operationId: 'getVerificationRun',
        tags,
        summary: 'Get a verification run',
        description: 'The progress of the run, and once it is DONE the findings, with some of the rows that break an invariant.',
        params: PathId('verification_id'),
        response: { 200: VerificationReport },
      },
    },
    async (request) => getRun(database, request.params.verification_id),
  )
}

const Seal = Resource('Seal', {
  number: Type.Integer({ description: 'The number of the seal in the chain, from 1.' }),
  at: described(Timestamp, 'When the seal was made, in UTC.'),
  rows: Type.Integer({ description: 'How many rows the seal covers.' }),
  root: Type.String({ description: 'A SHA-256 that depends on every row of this seal and on the root of the previous seal.' }),
  previous_root: Type.String({ description: 'The root of the previous seal.' }),
})
type Seal = Static<typeof Seal>

export async function sealRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.get(
    '/operator/seals/latest',
    {
      config: { access: readsAtBank, refusals: ['route_not_found'] },
      schema: {
        operationId: 'getLatestSeal',
        tags,
        summary: 'Get the latest seal',
        description:
          'Entries, moves, events, audit entries, policies, screenings and messages are sealed once a minute. Publish the root where nobody at ' +
          'the bank can change it: from then on, no sealed row can be changed unnoticed, not even by rewriting all seals.',
        response: { 200: Seal },
      },
    },
    async () => {
      const seal = await database.first(
        read<Seal>`select number::int, at, rows, root, previous_root from seals order by number desc limit 1`,
      )
      return seal ?? refuse('route_not_found')
    },
  )
}
