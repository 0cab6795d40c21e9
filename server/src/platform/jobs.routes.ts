// The operator's routes of jobs: list them, and retry or drop dead ones.

import { type Static, Type } from 'typebox'
import { refuse } from '../values/refusals.ts'
import { now } from './clock.ts'
import { accompanied, type Companions } from './companions.ts'
import type { Database, Tx } from './database/database.ts'
import { columnsOf, fragment, read, write } from './database/sql.ts'
import { alone, changesAtBank, readsAtBank } from './http/access.ts'
import type { App } from './http/http.ts'
import { equals, type Filters, pageOf, sendPage } from './http/lists.ts'
import { Choice, CreatedAt, described, Id, Nullable, Paging, PathId, Query, Resource, ShortText, Timestamp } from './http/schemas.ts'
import { notifyWorkers } from './jobs.ts'

/** Without its payload, which may hold personal data. */
const Job = Resource('Job', {
  id: described(Id, 'The id of the job.'),
  kind: Type.String({ description: 'The kind of work.' }),
  venture_id: Type.String({ format: 'uuid', description: 'The nil UUID for a job of no venture.' }),
  state: Choice(['READY', 'DEAD'], {
    description: 'READY: running, or retried automatically. DEAD: failed too often, and waits for a person.',
  }),
  attempts: Type.Integer({ description: 'How many times it was tried.' }),
  last_error: Nullable(Type.String({ description: 'Why the last attempt failed; null if none has.' })),
  due_at: described(Timestamp, 'When the next attempt is due, in UTC.'),
  created_at: CreatedAt,
})
type Job = Static<typeof Job>

const JobList = Query({
  ...Paging,
  state: Type.Optional(Choice(['READY', 'DEAD'], { description: 'Returns only jobs in this state.' })),
  kind: Type.Optional(described(ShortText, 'Returns only jobs of this kind.')),
})
type JobList = Static<typeof JobList>

const columns = columnsOf(Job)
const filters: Filters<JobList> = {
  state: equals(fragment`state`),
  kind: equals(fragment`kind`),
}

const selectJob = (id: string) => read<Job>`select ${columns} from jobs where id = ${id}`

async function getJob(database: Database, id: string): Promise<Job> {
  return (await database.first(selectJob(id))) ?? refuse('job_not_found')
}

/** A job that is not dead is running or will be retried automatically. */
async function lockDead(tx: Tx, id: string): Promise<Job> {
  const job = (await tx.first(read<Job>`select ${columns} from jobs where id = ${id} for update`)) ?? refuse('job_not_found')
  return job.state === 'DEAD' ? job : refuse('job_not_dead')
}

function retryJob(database: Database, id: string, companions: Companions): Promise<Job> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const job = await lockDead(tx, id)
      const due_at = now().toISOString()
      await tx.run(write`update jobs set state = 'READY', attempts = 0, due_at = ${due_at} where id = ${id}`)
      await notifyWorkers(tx)
      return { ...job, state: 'READY', attempts: 0, due_at }
    }),
  )
}

function dropJob(database: Database, id: string, companions: Companions): Promise<Job> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const job = await lockDead(tx, id)
      await tx.run(write`delete from jobs where id = ${id}`)
      return job
    }),
  )
}

const tags = ['Jobs (bank)']
const params = PathId('job_id')

export async function jobRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.get(
    '/operator/jobs',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'listJobs',
        tags,
        summary: 'List jobs, newest first',
        description: 'Completed jobs are deleted. A dead job has failed too often and waits for the operator.',
        querystring: JobList,
        response: { 200: Type.Array(Job) },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, await database.rows(read<Job>`select ${columns} from jobs ${pageOf(request.query, filters)}`)),
  )

  app.get(
    '/operator/jobs/:job_id',
    {
      config: { access: readsAtBank, refusals: ['job_not_found'] },
      schema: {
        operationId: 'getJob',
        tags,
        summary: 'Get a job',
        description: 'A background job, with the error of the last attempt. Completed jobs are deleted.',
        params,
        response: { 200: Job },
      },
    },
    async (request) => getJob(database, request.params.job_id),
  )

  app.post(
    '/operator/jobs/:job_id/retry',
    {
      config: {
        access: changesAtBank(alone('It retries work that the service has to do anyway.')),
        audit: 'always',
        refusals: ['job_not_found', 'job_not_dead'],
        createsNothing: 'Only a dead job can be retried.',
        trial: { fresh: 'deadJob' },
      },
      schema: {
        operationId: 'retryJob',
        tags,
        summary: 'Retry a dead job',
        description: 'The job gets all its attempts again.',
        params,
        response: { 200: Job },
      },
    },
    async (request) => retryJob(database, request.params.job_id, request.companions),
  )

  app.delete(
    '/operator/jobs/:job_id',
    {
      config: {
        access: changesAtBank(alone('It gives up work that the service could not do.')),
        audit: 'always',
        refusals: ['job_not_found', 'job_not_dead'],
        trial: { fresh: 'deadJob' },
      },
      schema: {
        operationId: 'dropJob',
        tags,
        summary: 'Drop a dead job',
        description: 'The work is not done. Drop a job only if its work is no longer needed or was done by hand.',
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await dropJob(database, request.params.job_id, request.companions)
      return reply.code(204).send(null)
    },
  )
}
