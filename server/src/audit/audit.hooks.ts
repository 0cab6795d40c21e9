// Audits requests without the help of their folders: a hook adds the audit entry to the companions of every request that is to be audited. Requests of
// people (a venture's or the bank's) and of the admin key always are; for requests with a venture's key, the route declares it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Event } from '../events/events.ts'
import { addressOf } from '../platform/address.ts'
import type { Database } from '../platform/database/database.ts'
import type { AuditRule } from '../platform/http/declaration.ts'
import type { App, Route } from '../platform/http/http.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { auditOf, ClientReads } from './audit.log.ts'

type Options = {
  database: Database
  trustedProxies: readonly string[]
  /** Finds the clients of onboarding details, and the holder of an account. Injected, because this folder cannot import theirs. */
  findClientsOf(venture_id: string, onboarding_ids: readonly string[]): Promise<string[]>
  findHolder(venture_id: string, account_id: string): Promise<string | undefined>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The names of the fields in an audited request. */
    auditedFields: readonly string[] | undefined
  }
}

type Row = { id: string }
type FoundRow = Row & { kind: string }
/** `venture_id`: the venture of the clients, if the request does not name it. */
type Shown = { clients: readonly (string | undefined)[]; onboardings?: readonly string[]; venture_id?: string }

/** The operations that show clients, with the ids of the clients and onboarding details in the response. */
const clientReads: Readonly<Record<string, (params: Record<string, string>, payload: unknown) => Shown | Shown[]>> = {
  getClient: ({ client_id }) => ({ clients: [client_id] }),
  listClients: (_params, payload) => ({ clients: (payload as Row[]).map(({ id }) => id) }),
  find: (_params, payload) => ({ clients: (payload as FoundRow[]).filter(({ kind }) => kind === 'client').map(({ id }) => id) }),
  listKycHistory: ({ client_id }) => ({ clients: [client_id] }),
  getOnboardingDetails: ({ client_id }) => ({ clients: [client_id] }),
  getApproval: (_params, payload) => askedAbout([payload as ShownApproval]),
  listApprovals: (_params, payload) => askedAbout(payload as ShownApproval[]),
  getCase: (_params, payload) => decidedAbout(payload as ShownCase),
  getScreening: (_params, payload) => screened([payload as ScreenedRow]),
  listScreenings: (_params, payload) => screened(payload as ScreenedRow[]),
  getEvent: (_params, payload) => shownBy([payload as Event]),
  listEvents: (_params, payload) => shownBy(payload as Event[]),
}

/** Operations that show a client in a document, which is sent unchanged. The path has the account. */
const documentReads: ReadonlySet<string> = new Set(['getStatement'])

/** Operations of which each use is recorded, no matter who makes it, with what the path names: everything about a client, or a file. */
const downloads: Readonly<Record<string, string>> = { exportClient: 'client_id', getCaseFile: 'case_file_id' }

type ShownApproval = { venture_id: string; action: string; resource_id: string }

/** Actions of two people about a client. The payload has the client's data, or its changes. */
const actionsAboutClients: ReadonlySet<string> = new Set(['register-client', 'change-client', 'unblock-client'])

/** Approvals can concern any venture. */
function askedAbout(approvals: readonly ShownApproval[]): Shown[] {
  const about = approvals.filter(({ action }) => actionsAboutClients.has(action))
  return Object.entries(Object.groupBy(about, ({ venture_id }) => venture_id)).map(([venture_id, those = []]) => ({
    clients: those.map(({ resource_id }) => resource_id),
    venture_id,
  }))
}

type ShownCase = { venture_id: string; resource_id: string; subject: { kind?: string } | null }

/** A case about a client shows which data of the client was compared. */
function decidedAbout({ venture_id, resource_id, subject }: ShownCase): Shown {
  return { clients: subject?.kind === 'client' ? [resource_id] : [], venture_id }
}

type ScreenedRow = { subject_kind: string; subject_id: string }

/** The screening of a client shows which data of the client was compared. */
function screened(screenings: readonly ScreenedRow[]): Shown {
  return { clients: screenings.filter(({ subject_kind }) => subject_kind === 'client').map(({ subject_id }) => subject_id) }
}

/** Events contain the client, or its onboarding details, as it was. */
function shownBy(events: readonly Event[]): Shown {
  const about = (kind: string) => events.filter(({ type }) => type.startsWith(`${kind}.`)).map(({ data }) => data.object.id)
  return { clients: about('client'), onboardings: about('onboarding') }
}

export function keepAuditLog(app: App, { database, trustedProxies, findClientsOf, findHolder }: Options): void {
  const reads = new ClientReads(database)

  const contextOf = (request: FastifyRequest) => ({
    actor: request.actor.kind,
    actor_id: request.actor.id,
    action: operationOf(request),
    venture_id: request.venture?.id ?? paramsOf(request)['venture_id'] ?? bankId,
    request_id: request.id,
    address: addressOf(request, trustedProxies),
  })

  /** Runs before validation, which adds defaults to the fields that were sent. */
  const noteFields = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    if (request.actor !== undefined) {
      const fields = fieldsOf(request.body)
      if (isAudited(request.routeOptions.config.audit, { isPerson: isPerson(request), fields })) request.auditedFields = fields
    }
    done()
  }

  /** Runs after validation, which brings ids into their stored form. */
  const audit = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    const { auditedFields: fields } = request
    if (fields !== undefined) {
      const resource = Object.values(paramsOf(request)).at(-1) ?? null
      request.companions = auditOf({ ...contextOf(request), resource, fields })
    }
    done()
  }

  /** HEAD shows nothing of a client. */
  const isRead = ({ method, actor }: FastifyRequest, { statusCode }: FastifyReply) =>
    method !== 'HEAD' && actor?.kind === 'operator' && statusCode < 400

  /** Runs before the document is sent. Documents are not serialized, so the other hook would not see them. */
  const auditDocument = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    if (isRead(request, reply)) {
      const context = contextOf(request)
      const holder = await findHolder(context.venture_id, paramsOf(request)['account_id'] ?? '')
      await reads.record(context, holder === undefined ? [] : [holder])
    }
    return payload
  }

  /** Runs before the archive or the file is sent. */
  const auditDownload = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    if (request.method !== 'HEAD' && reply.statusCode < 400)
      await reads.recordDownload(contextOf(request), paramsOf(request)[downloads[operationOf(request)] ?? ''] ?? '')
    return payload
  }

  const auditReading = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const shownIn = clientReads[operationOf(request)]
    if (shownIn !== undefined && isRead(request, reply)) {
      for (const { clients, onboardings = [], ...whose } of [shownIn(paramsOf(request), payload)].flat()) {
        const context = { ...contextOf(request), ...whose }
        const owners = onboardings.length === 0 ? [] : await findClientsOf(context.venture_id, onboardings)
        await reads.record(
          context,
          [...clients, ...owners].flatMap((id) => id ?? []),
        )
      }
    }
    return payload
  }

  app.decorateRequest('auditedFields')
  // Only routes that need a hook get it, because every hook costs time in each request of its route.
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().some(changesSomething)) {
      route.preValidation = [noteFields, ...[route.preValidation ?? []].flat()]
      route.preHandler = [audit, ...[route.preHandler ?? []].flat()]
    } else if (operationIn(route.schema) in clientReads) {
      route.preSerialization = [auditReading, ...[route.preSerialization ?? []].flat()]
    } else if (documentReads.has(operationIn(route.schema))) {
      route.onSend = [auditDocument, ...[route.onSend ?? []].flat()]
    } else if (operationIn(route.schema) in downloads) {
      route.onSend = [auditDownload, ...[route.onSend ?? []].flat()]
    }
  })
  app.addHook('onReady', async () => requireRules(app.routeTable))
}

/**
 * Routes without an actor have no rule, because nobody can be named beforehand: payers, the service's partners, and users of links, which
 * are audited where they are used.
 */
export function requireRules(routes: readonly Route[]): void {
  const missing = routes
    .filter(({ method, key, config }) => changesSomething(method) && key !== 'none' && key !== 'relay' && config?.audit === undefined)
    .map(({ method, url, schema }) => schema.operationId ?? `${method} ${url}`)
  if (missing.length > 0) throw new Error(`the routes do not say when to audit ${missing.join(', ')}`)
}

const changesSomething = (method: string): boolean => method !== 'GET' && method !== 'HEAD'

const isPerson = ({ actor }: FastifyRequest): boolean => actor.kind === 'user' || actor.kind === 'operator'

function isAudited(rule: AuditRule | undefined, { isPerson, fields }: { isPerson: boolean; fields: readonly string[] }): boolean {
  if (rule === 'never') return false
  if (isPerson || rule === 'always') return true
  return typeof rule === 'object' && rule.fields.some((field) => fields.includes(field))
}

const operationIn = (schema: unknown): string => (schema as Route['schema'] | undefined)?.operationId ?? ''

const operationOf = ({ routeOptions }: FastifyRequest): string => operationIn(routeOptions.schema)

const paramsOf = ({ params }: FastifyRequest) => (params ?? {}) as Record<string, string>

function fieldsOf(body: unknown): string[] {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && !Buffer.isBuffer(body) ? Object.keys(body) : []
}
