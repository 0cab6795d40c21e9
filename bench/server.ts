// The measured service: the real application on its own durable PostgreSQL, in its own process, with additional routes
// that respond without a key and without the database, as the upper limit of the HTTP part.

import { createApp } from '../server/src/app.ts'
import { Client, PersonRegistration } from '../server/src/clients/clients.schemas.ts'
import { unsetOptionalFields } from '../server/src/clients/clients.ts'
import { readConfig } from '../server/src/config.ts'
import { Database } from '../server/src/platform/database/database.ts'
import { migrate } from '../server/src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../server/src/platform/embedded/embedded.ts'
import { anybody } from '../server/src/platform/http/access.ts'
import type { App } from '../server/src/platform/http/http.ts'
import { createLog } from '../server/src/platform/log.ts'
import { openServices } from '../server/src/services.ts'
import { Transfer } from '../server/src/transfers/life/transfers.schemas.ts'
import { Venture } from '../server/src/ventures/ventures.schemas.ts'
import { Sealing } from '../server/src/verify/verify.sealing.ts'
import { createCouriers } from '../server/src/workers.ts'
import { type Profile, sampleSelf } from './profiler.ts'
import { measureSealing, type SealingRun } from './rails.sealing.ts'
import { measureStatements, type StatementsRun } from './rails.statements.ts'
import { type LoggingRun, logRequests } from './requests.rows.ts'
import { measureWalks, type WalkRun } from './walks.ts'

const [dataDir = '', adminApiKey = '', statStatements = 'false', settings = '{}'] = process.argv.slice(2)

const postgres = await startEmbeddedPostgres({ dataDir, statStatements: statStatements === 'true' })
await migrate(postgres)
const database = new Database({ url: postgres.serviceUrl })
// The request log is measured on request, by bench:requests.
const services = openServices({
  config: { ...readConfig({ PORT: '0', ...JSON.parse(settings) }), adminApiKey, requestLog: false },
  database,
  log: createLog('info'),
})
const app = await createApp(services)
await app.register(fixedRoutes)
const url = await app.listen({ port: 0, host: '127.0.0.1' })
// For sessions, and for calls of the sandboxes.
services.self.listensOn(url)
// The rest of a running service. Without an endpoint it costs five queries of an empty table per second.
const couriers = createCouriers(services)
couriers.start()
// Without a MANAGED venture they cost two queries every few seconds.
services.lists.start()
services.processing.start()
services.sending.start()
services.inbox?.start()
services.simulatedBank?.start()
await services.vop.listener?.start()
process.send?.({ port: Number(new URL(url).port), postgres })

// Measured only on request; once a second, so that little is unsealed at the end of a round.
const sealing = new Sealing({ database, log: createLog('warn'), every_ms: 1_000 })

let endProfile: (() => Promise<Profile>) | undefined
process.on('message', async (message) => {
  if (message === 'profile') {
    endProfile = await sampleSelf()
    process.send?.('sampling')
  } else if (message === 'profiled') {
    process.send?.(await endProfile?.())
  } else if (message === 'seal') {
    sealing.start()
    process.send?.('sealing')
  } else if (message === 'sealed') {
    await sealing.stop()
    await sealing.runDue()
    process.send?.('sealed')
  } else if (message === 'log requests') {
    services.requests.start()
    process.send?.('logging')
  } else if (message === 'requests logged') {
    await services.requests.stop()
    process.send?.(services.requests.dropped)
  } else if (isWalkRun(message)) {
    await Promise.all([services.processing.stop(), services.sending.stop()])
    process.send?.(await measureWalks(services.transfers, message))
    services.processing.start()
    services.sending.start()
  } else if (isLoggingRun(message)) {
    await logRequests(services.requests, message)
    process.send?.('logged')
  } else if (isSealingRun(message)) {
    process.send?.(await measureSealing(services, message))
  } else if (isStatementsRun(message)) {
    process.send?.(await measureStatements(services, message))
  } else {
    await stop()
  }
})

const isWalkRun = (message: unknown): message is WalkRun => typeof message === 'object' && (message as WalkRun).kind === 'walks'

const isSealingRun = (message: unknown): message is SealingRun => typeof message === 'object' && (message as SealingRun).kind === 'sealing'

const isLoggingRun = (message: unknown): message is LoggingRun => typeof message === 'object' && (message as LoggingRun).kind === 'logging'

const isStatementsRun = (message: unknown): message is StatementsRun =>
  typeof message === 'object' && (message as StatementsRun).kind === 'statements'

async function stop(): Promise<void> {
  await services.vop.listener?.stop()
  await app.close()
  await couriers.stop()
  await services.processing.stop()
  await services.sending.stop()
  await services.inbox?.stop()
  await services.files?.close()
  await services.messages.close()
  await services.lists.stop()
  await sealing.stop()
  await database.close()
  await postgres.stop()
  if (process.connected) process.disconnect?.()
}

const text = 'A text of some length'
const fixedTransfer = Object.fromEntries(
  Object.entries(Transfer.properties as Record<string, { type?: unknown }>).flatMap(([name, { type }]) =>
    type === 'object' ? [] : [[name, type === 'boolean' ? true : type === 'string' ? text : null]],
  ),
) as unknown as Transfer

async function fixedRoutes(app: App): Promise<void> {
  const venture: Venture = {
    id: '0198c6f2-0000-7000-8000-000000000000',
    name: 'Acme',
    status: 'ACTIVE',
    control: 'OPEN',
    api_key_prefix: 'vk_test_abcd',
    created_at: '2026-11-15T00:00:00.000Z',
  }
  const client = (person: PersonRegistration): Client => ({
    ...unsetOptionalFields,
    ...person,
    id: venture.id,
    kyc_level: 'FULL_KYC',
    kyc_status: 'CREATED',
    kyc_note: null,
    risk_level: 'Low',
    blocked: false,
    is_blacklisted: false,
    blacklisted_comment: null,
    created_at: venture.created_at,
    updated_at: venture.created_at,
  })
  app.post(
    '/fixed/clients/person',
    {
      config: { access: anybody, createsNothing: 'It stores nothing.' },
      schema: { hide: true, body: PersonRegistration, response: { 201: Client } },
    },
    async (request, reply) => reply.code(201).send(client(request.body)),
  )
  app.get(
    '/fixed/transfer',
    { config: { access: anybody }, schema: { hide: true, response: { 200: Transfer } } },
    async () => fixedTransfer,
  )
  app.get('/fixed', { config: { access: anybody }, schema: { hide: true, response: { 200: Venture } } }, async () => venture)
}
