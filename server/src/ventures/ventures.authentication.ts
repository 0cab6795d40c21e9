// Authenticates requests by API key. Every route needs a venture's key unless it declares otherwise.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { coalesce } from '../platform/coalesce.ts'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/http.ts'
import { refuse } from '../values/refusals.ts'
import { hashOf, isWellFormed, prefixOf } from './ventures.keys.ts'
import type { Venture } from './ventures.schemas.ts'
import { selectByKeyHashes } from './ventures.sql.ts'

type VentureWithHash = Venture & { api_key_hash: string }

declare module 'fastify' {
  interface FastifyRequest {
    /** The venture whose data this request may see. Set on every route that accepts a venture's key. */
    venture: Pick<Venture, 'id'>
    /** The hash of the key in the request. */
    keyHash: string
    keyCheckedAt_ms: number
  }
  interface FastifyContextConfig {
    /**
     * Finds the requested resource together with the key, in one query instead of two, and returns the id of the venture. If it finds
     * nothing, the key is looked up as usual, because the resource may be missing and the key valid.
     */
    findWithKey?: (request: FastifyRequest, api_key_hash: string) => Promise<string | undefined>
  }
}

type Keys = { database: Database; adminApiKey: string | undefined; kycApiKey: string | undefined }

export function authenticate(app: App, { database, adminApiKey, kycApiKey }: Keys): void {
  const isAdmin = keyMatcher(adminApiKey)
  const isRelay = keyMatcher(kycApiKey)

  const findByKeyHash = coalesce<string, VentureWithHash>(
    async (hashes) => {
      const rows = await database.rows(selectByKeyHashes(hashes))
      return new Map(rows.map((row) => [row.api_key_hash, row]))
    },
    { wait_ms: database.limits.answer_ms },
  )

  async function findVenture(key: string): Promise<VentureWithHash | undefined> {
    return isWellFormed(key) ? findByKeyHash(hashOf(key)) : undefined
  }

  /** If the route can find its resource together with the key, the key needs no separate query. */
  async function findVentureOf(request: FastifyRequest, key: string): Promise<Pick<VentureWithHash, 'id' | 'api_key_hash'> | undefined> {
    const { findWithKey } = request.routeOptions.config
    if (findWithKey === undefined || !isWellFormed(key)) return findVenture(key)
    const api_key_hash = hashOf(key)
    const venture_id = await findWithKey(request, api_key_hash)
    return venture_id === undefined ? findByKeyHash(api_key_hash) : { id: venture_id, api_key_hash }
  }

  async function requireVenture(request: FastifyRequest): Promise<void> {
    const key = keyOf(request)
    // A text that is not a key of ours may be a secret of another system, and is not logged.
    const key_prefix = isWellFormed(key) ? { key_prefix: prefixOf(key) } : {}
    request.logged = key_prefix
    const venture = await findVentureOf(request, key)
    if (venture === undefined) refuseKey({ known: isAdmin(key) || isRelay(key), needed: "a venture's key" })
    request.venture = venture
    request.keyHash = venture.api_key_hash
    request.logged = { venture_id: venture.id, ...key_prefix }
  }

  async function requireAdmin(request: FastifyRequest): Promise<void> {
    // Without an admin key, these routes do not exist.
    if (adminApiKey === undefined) refuse('route_not_found')
    const key = keyOf(request)
    if (!isAdmin(key)) refuseKey({ known: isRelay(key) || (await findVenture(key)) !== undefined, needed: 'the admin key' })
  }

  async function requireRelay(request: FastifyRequest): Promise<void> {
    const key = keyOf(request)
    if (!isRelay(key))
      refuseKey({ known: isAdmin(key) || (await findVenture(key)) !== undefined, needed: 'the key of the identity verifier' })
  }

  async function requireVentureOrRelay(request: FastifyRequest): Promise<void> {
    if (!isRelay(keyOf(request))) await requireVenture(request)
  }

  app.decorateRequest('venture')
  app.decorateRequest('keyHash')
  app.decorateRequest('keyCheckedAt_ms', 0)

  async function checkKey(request: FastifyRequest): Promise<void> {
    request.keyCheckedAt_ms = performance.now()
    switch (request.routeOptions.config.key) {
      case 'none':
        return
      case 'admin':
        return requireAdmin(request)
      case 'relay':
        return requireRelay(request)
      case 'verifier':
        return requireVentureOrRelay(request)
      default:
        return requireVenture(request)
    }
  }

  // Check the key before the body is read, so bodies without a valid key are not read at all; and again if the body was slow to arrive,
  // so nobody can keep using a revoked key by delaying the last byte of a request.
  app.addHook('onRequest', checkKey)
  app.addHook('preValidation', async (request) => {
    if (performance.now() - request.keyCheckedAt_ms > slowBody_ms) await checkKey(request)
  })
}

const slowBody_ms = 50

/** For a valid key of another kind, the refusal names the kind that is needed. For an invalid key, it does not reveal the reason. */
function refuseKey({ known, needed }: { known: boolean; needed: string }): never {
  if (known) refuse('forbidden', { detail: `This operation needs ${needed}.` })
  refuse('unauthorized', { detail: 'The API key is unknown, or it was rotated, or its venture is disabled.' })
}

/** Compares hashes, because timingSafeEqual needs equal lengths. */
function keyMatcher(expected: string | undefined): (key: string) => boolean {
  if (expected === undefined) return () => false
  const hash = Buffer.from(hashOf(expected))
  return (key) => timingSafeEqual(Buffer.from(hashOf(key)), hash)
}

/** The key from either header. If both are sent, they must have the same key. */
function keyOf({ headers, raw }: FastifyRequest): string {
  // Node silently keeps the first of two such headers. Refuse two keys instead of guessing which one is meant.
  if (raw.rawHeaders.filter((text) => text.toLowerCase() === 'authorization').length > 1) {
    return refuse('unauthorized', { detail: 'The header Authorization was sent more than once. Send one API key.' })
  }
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const apiKeyHeader = headers['x-api-key']
  if (Array.isArray(apiKeyHeader))
    return refuse('unauthorized', { detail: 'The header X-API-Key was sent more than once. Send one API key.' })
  if (headers.authorization !== undefined && bearer === undefined) {
    return refuse('unauthorized', { detail: 'The header Authorization must be the word Bearer, a space and the API key.' })
  }
  if (bearer !== undefined && apiKeyHeader !== undefined && bearer !== apiKeyHeader) {
    refuse('unauthorized', { detail: 'The headers Authorization and X-API-Key have different API keys. Send one of them.' })
  }
  return (
    bearer ??
    apiKeyHeader ??
    refuse('unauthorized', { detail: 'The API key is missing. Send it in the header Authorization (Bearer) or X-API-Key.' })
  )
}
