// Finds out whose key a request carries. Every route is closed unless it says otherwise.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { coalesce } from '../platform/coalesce.ts'
import type { Database } from '../platform/database.ts'
import type { App } from '../platform/http.ts'
import { refuse } from '../values/refusals.ts'
import { hashOf, isWellFormed } from './ventures.keys.ts'
import type { Venture } from './ventures.schemas.ts'
import { selectByKeyHashes } from './ventures.sql.ts'

type Known = Venture & { api_key_hash: string }

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose data this request may see. Set on every route that a venture's key opens. */
    venture: Venture
    /** The hash of the key that was sent. */
    keyHash: string
  }
}

type Keys = { database: Database; adminApiKey: string | undefined; kycApiKey: string | undefined }

export function authenticate(app: App, { database, adminApiKey, kycApiKey }: Keys): void {
  const isAdmin = keyTest(adminApiKey)
  const isRelay = keyTest(kycApiKey)

  const findByKeyHash = coalesce<string, Known>(async (hashes) => {
    const rows = await database.rows(selectByKeyHashes(hashes))
    return new Map(rows.map((row) => [row.api_key_hash, row]))
  })

  async function findVenture(key: string): Promise<Known | undefined> {
    const venture = isWellFormed(key) ? await findByKeyHash(hashOf(key)) : undefined
    return venture?.status === 'ACTIVE' ? venture : undefined
  }

  async function requireVenture(request: FastifyRequest): Promise<void> {
    const key = keyOf(request)
    const venture = await findVenture(key)
    if (venture === undefined) refuse(isAdmin(key) || isRelay(key) ? 'forbidden' : 'unauthorized')
    request.venture = venture
    request.keyHash = venture.api_key_hash
    request.logged = { venture_id: venture.id }
  }

  async function requireAdmin(request: FastifyRequest): Promise<void> {
    // Without an admin key these routes do not exist.
    if (adminApiKey === undefined) refuse('route_not_found')
    const key = keyOf(request)
    if (!isAdmin(key)) refuse(isRelay(key) || (await findVenture(key)) !== undefined ? 'forbidden' : 'unauthorized')
  }

  async function requireVentureOrRelay(request: FastifyRequest): Promise<void> {
    if (!isRelay(keyOf(request))) await requireVenture(request)
  }

  app.decorateRequest('venture')
  app.decorateRequest('keyHash')
  app.addHook('onRequest', async (request) => {
    // Nothing is there to be protected; the answer is 404 or 405.
    if (request.is404) return
    switch (request.routeOptions.config.key) {
      case 'none':
        return
      case 'admin':
        return requireAdmin(request)
      case 'verifier':
        return requireVentureOrRelay(request)
      default:
        return requireVenture(request)
    }
  })
}

/** Compares hashes, which are of equal length whatever was sent. */
function keyTest(expected: string | undefined): (key: string) => boolean {
  if (expected === undefined) return () => false
  const hash = Buffer.from(hashOf(expected))
  return (key) => timingSafeEqual(Buffer.from(hashOf(key)), hash)
}

/** The key from either header; sent in both, it must be the same one. */
function keyOf({ headers }: FastifyRequest): string {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  const own = headers['x-api-key']
  if (Array.isArray(own) || (headers.authorization !== undefined && bearer === undefined)) return refuse('unauthorized')
  if (bearer !== undefined && own !== undefined && bearer !== own) refuse('unauthorized')
  return bearer ?? own ?? refuse('unauthorized')
}
