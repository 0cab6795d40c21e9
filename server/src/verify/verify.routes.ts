// The operator's routes to verification: the runs of `npm run verify`, and the latest seal.
import { type Static, Type } from 'typebox'
import type { Database } from '../platform/database/database.ts'
import { columnsOf, read } from '../platform/database/sql.ts'
import type { App } from '../platform/http/http.ts'
import { pageOf, sendPage } from '../platform/http/lists.ts'
import { described, Id, Paging, Query, Resource, Timestamp } from '../platform/http/schemas.ts'
import { refuse } from '../values/refusals.ts'

const VerificationRun = Resource('VerificationRun', {
  id: described(Id, 'The id of the run.'),
  started_at: described(Timestamp, 'When it started, in UTC.'),
  ended_at: described(Timestamp, 'When it ended, in UTC.'),
  invariants: Type.Integer({ description: 'How many invariants were checked.' }),
  broken: Type.Array(Type.String(), { description: 'The names of those that were broken; empty if all hold.' }),
})
type VerificationRun = Static<typeof VerificationRun>

const columns = columnsOf(VerificationRun)

export async function verificationRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.get(
    '/operator/verifications',
    {
      config: { key: 'operator' },
      schema: {
        operationId: 'listVerificationRuns',
        tags: ['Books (bank)'],
        summary: 'List the runs of npm run verify, newest first',
        description: 'Each run checks all invariants of the books. `broken` must be empty.',
        querystring: Query(Paging),
        response: { 200: Type.Array(VerificationRun) },
      },
    },
    async (request, reply) =>
      sendPage(
        request,
        reply,
        await database.rows(read<VerificationRun>`select ${columns} from verification_runs ${pageOf(request.query, {})}`),
      ),
  )
}

const Seal = Resource('Seal', {
  number: Type.Integer({ description: 'Its number in the chain, from 1.' }),
  at: described(Timestamp, 'When it was made, in UTC.'),
  rows: Type.Integer({ description: 'How many rows the seal covers.' }),
  root: Type.String({ description: 'A SHA-256 that depends on every row of this seal and on the root of the seal before.' }),
  previous_root: Type.String({ description: 'The root of the seal before.' }),
})
type Seal = Static<typeof Seal>

export async function sealRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.get(
    '/operator/seals/latest',
    {
      config: { key: 'operator' },
      schema: {
        operationId: 'getLatestSeal',
        tags: ['Books (bank)'],
        summary: 'Get the latest seal',
        description:
          'Entries, moves, events and audit entries are sealed once a minute. Publish the root where nobody at the bank can change it: from then on ' +
          'nobody can change a sealed row unseen, not even by rewriting all seals.',
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
