// Finds out whose key a request carries. Every route is closed unless it says otherwise.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { coalesce } from '../platform/coalesce.ts'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/http.ts'
import { refuse } from '../values/refusals.ts'
import { hashOf, isWellFormed } from './ventures.keys.ts'
import type { Venture } from './ventures.schemas.ts'
import { selectByKeyHashes } from './ventures.sql.ts'

type Known = Venture & { api_key_hash: string }

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose data this request may see. Set on every route that a venture's key opens. */
    venture: Pick<Venture, 'id'>
    /** The hash of the key that was sent. */
    keyHash: string
    keyCheckedAt_ms: number
  }
  interface FastifyContextConfig {
    /**
     * Finds what the request asks for by the key that was sent, in one query instead of two, and tells whose it is. Finding nothing
     * proves nothing: the key is then looked up as everywhere else.
     */
    findWithKey?: (request: FastifyRequest, api_key_hash: string) => Promise<string | undefined>
  }
}

type Keys = { database: Database; adminApiKey: string | undefined; kycApiKey: string | undefined }

export function authenticate(app: App, { database, adminApiKey, kycApiKey }: Keys): void {
  const isAdmin = keyTest(adminApiKey)
  const isRelay = keyTest(kycApiKey)

  const findByKeyHash = coalesce<string, Known>(
    async (hashes) => {
      const rows = await database.rows(selectByKeyHashes(hashes))
      return new Map(rows.map((row) => [row.api_key_hash, row]))
    },
    { wait_ms: database.limits.answer_ms },
  )

  async function findVenture(key: string): Promise<Known | undefined> {
    return isWellFormed(key) ? findByKeyHash(hashOf(key)) : undefined
  }

  /** With what the request asks for, where the route can; in which case the key needs no look-up of its own. */
  async function findVentureOf(request: FastifyRequest, key: string): Promise<Pick<Known, 'id' | 'api_key_hash'> | undefined> {
    const { findWithKey } = request.routeOptions.config
    if (findWithKey === undefined || !isWellFormed(key)) return findVenture(key)
    const api_key_hash = hashOf(key)
    const venture_id = await findWithKey(request, api_key_hash)
    return venture_id === undefined ? findByKeyHash(api_key_hash) : { id: venture_id, api_key_hash }
  }

  async function requireVenture(request: FastifyRequest): Promise<void> {
    const key = keyOf(request)
    const venture = await findVentureOf(request, key)
    if (venture === undefined) refuseKey({ known: isAdmin(key) || isRelay(key), needed: "a venture's key" })
    request.venture = venture
    request.keyHash = venture.api_key_hash
    request.logged = { venture_id: venture.id }
  }

  async function requireAdmin(request: FastifyRequest): Promise<void> {
    // Without an admin key these routes do not exist.
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

  // Before the body is read, so that strangers are not listened to; and again if the body was slow to arrive, so that nobody
  // keeps a key alive by holding back the last byte of a request.
  app.addHook('onRequest', checkKey)
  app.addHook('preValidation', async (request) => {
    if (performance.now() - request.keyCheckedAt_ms > slowBody_ms) await checkKey(request)
  })
}

const slowBody_ms = 50

/** A key that opens other doors is told which one this is; of a key that opens none it is not told why. */
function refuseKey({ known, needed }: { known: boolean; needed: string }): never {
  if (known) refuse('forbidden', { detail: `This operation needs ${needed}.` })
  refuse('unauthorized', { detail: 'The API key is unknown, or it was rotated, or its venture is disabled.' })
}

/** Compares hashes, which are of equal length whatever was sent. */
function keyTest(expected: string | undefined): (key: string) => boolean {
  if (expected === undefined) return () => false
  const hash = Buffer.from(hashOf(expected))
  return (key) => timingSafeEqual(Buffer.from(hashOf(key)), hash)
}

/** The key from either header; sent in both, it must be the same one. */
function keyOf({ headers, raw }: FastifyRequest): string {
  // Node keeps the first of two such headers in silence; two keys are a mistake that should not be guessed about.
  if (raw.rawHeaders.filter((text) => text.toLowerCase() === 'authorization').length > 1) {
    return refuse('unauthorized', { detail: 'The header Authorization was sent more than once. Send one API key.' })
  }
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const own = headers['x-api-key']
  if (Array.isArray(own)) return refuse('unauthorized', { detail: 'The header X-API-Key was sent more than once. Send one API key.' })
  if (headers.authorization !== undefined && bearer === undefined) {
    return refuse('unauthorized', { detail: 'The header Authorization must be the word Bearer, a space and the API key.' })
  }
  if (bearer !== undefined && own !== undefined && bearer !== own) {
    refuse('unauthorized', { detail: 'The headers Authorization and X-API-Key have different API keys. Send one of them.' })
  }
  return (
    bearer ??
    own ??
    refuse('unauthorized', { detail: 'The API key is missing. Send it in the header Authorization (Bearer) or X-API-Key.' })
  )
}
