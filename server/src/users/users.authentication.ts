// Authenticates requests, by API key or by the cookie of a session, and checks what the caller may do, by the access that the route declares.

import { timingSafeEqual } from 'node:crypto'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, actAs } from '../platform/actor.ts'
import type { Access, BankRole } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { isUuid } from '../platform/http/validation.ts'
import { either, refuse, refuseField } from '../values/refusals.ts'
import {
  hasAllScopes,
  hashOf,
  houseId,
  isBankKey,
  isWellFormed,
  type KeyRing,
  prefixOf,
  type Scope,
  type Venture,
} from '../ventures/ventures.ts'
import type { AdminKeyStep } from './users.adminkey.rules.ts'
import type { BankKeys } from './users.bankkeys.ts'
import { type Console, refuseSession } from './users.browser.ts'
import { isRefusedToSeenKeys } from './users.seenkeys.ts'
import { type CheckedSession, isFresh, type Sessions } from './users.sessions.ts'

/** A valid key, with the venture data that the check has loaded. */
export type FoundKey = { venture: Pick<Venture, 'id' | 'control'>; key_id: string; scopes: readonly Scope[]; seen_by_bank: boolean }

declare module 'fastify' {
  interface FastifyRequest {
    /** The venture whose data this request may see. Set on every route of ventures. */
    venture: Pick<Venture, 'id' | 'control'>
    /** The sender of this request. Set on every route that is not open to everyone. */
    actor: Actor
    /** The session of the sender, if the request came with a cookie. */
    session: CheckedSession | undefined
    /** The scopes of the venture's key in the request. */
    scopes: readonly Scope[] | undefined
    /** Whether the bank has seen the key in the request. */
    seen_by_bank: boolean
    /** What the admin key in the request may still do. */
    admin_key_step: AdminKeyStep | undefined
    checkedAt_ms: number
  }
  interface FastifyContextConfig {
    /**
     * Finds the requested resource together with the key, in one query instead of two. If it finds nothing, the key is looked up as usual,
     * because the key may be valid and only the resource missing.
     */
    findWithKey?: (request: FastifyRequest, key_hash: string) => Promise<FoundKey | undefined>
    /** Whether the response is the venture itself, so that other kinds of authentication must load all of it. */
    showsVenture?: boolean
  }
}

type Options = {
  keys: KeyRing
  bankKeys: BankKeys
  sessions: Sessions
  console: Console
  /** Finds a venture that the operator names, whatever its status. */
  findVenture(id: string): Promise<Venture | undefined>
  adminApiKey: string | undefined
  /** Refuses what the admin key may no longer do. */
  requireAdminKey(operation: string): Promise<AdminKeyStep>
  kycApiKey: string | undefined
  metricsApiKey: string | undefined
  /** Whether people whose role needs a passkey must have used one in their session. */
  passkeysRequired: boolean
  sandbox: boolean
}

/** Returns the check itself, for long-running responses: it fails if the caller may no longer see them. */
export function authenticate(app: App, options: Options): (request: FastifyRequest) => Promise<void> {
  const {
    keys,
    bankKeys,
    sessions,
    console,
    findVenture,
    adminApiKey,
    requireAdminKey,
    kycApiKey,
    metricsApiKey,
    passkeysRequired,
    sandbox,
  } = options
  const isAdmin = keyMatcher(adminApiKey)
  const isRelay = keyMatcher(kycApiKey)
  const isMonitor = keyMatcher(metricsApiKey)

  async function findByHash(key_hash: string): Promise<FoundKey | undefined> {
    const found = await keys.find(key_hash)
    return found && { venture: found, key_id: found.key_id, scopes: found.scopes, seen_by_bank: found.seen_by_bank }
  }

  function isOfBank(key: string): boolean {
    return isAdmin(key) || isRelay(key) || isMonitor(key)
  }

  async function isValidBankKey(key: string): Promise<boolean> {
    return isBankKey(key) && (await bankKeys.find(hashOf(key))) !== undefined
  }

  /** Whether it is a valid key of any kind. */
  async function isKnown(key: string): Promise<boolean> {
    if (isOfBank(key) || (await isValidBankKey(key))) return true
    return isWellFormed(key) && (await findByHash(hashOf(key))) !== undefined
  }

  /** If the route can find its resource together with the key, the key needs no query of its own. */
  async function findKeyOf(
    request: FastifyRequest,
    key_hash: string,
    { findWithKey }: FastifyContextConfig,
  ): Promise<FoundKey | undefined> {
    return (findWithKey === undefined ? undefined : await findWithKey(request, key_hash)) ?? findByHash(key_hash)
  }

  async function requireVenture(request: FastifyRequest, row: Access, config: FastifyContextConfig): Promise<void> {
    const token = console.tokenOf(request)
    if (token !== undefined) return requireMember(request, token, row, config)
    const key = keyOf(request)
    // Text that is not one of our keys may be a secret of another system, so it is not logged.
    const key_hash = isWellFormed(key) ? hashOf(key) : undefined
    const key_prefix = key_hash === undefined ? {} : { key_prefix: prefixOf(key) }
    request.logged = key_prefix
    const found = key_hash === undefined ? undefined : await findKeyOf(request, key_hash, config)
    if (key_hash === undefined || found === undefined) {
      if (isAdmin(key) && request.headers['vostro-venture'] !== undefined) return actByAdminKey(request, row)
      return refuseKey({ known: isOfBank(key) || (await isValidBankKey(key)), needed: "a venture's key" })
    }
    // From here on, a refused request is attributed to the venture.
    request.actor = { kind: 'venture', id: found.key_id, ...(found.seen_by_bank && !sandbox && { seen_by_bank: true }) }
    request.logged = { venture_id: found.venture.id, ...key_prefix }
    const named = request.headers['vostro-venture']
    if (named !== undefined && String(named).toLowerCase() !== found.venture.id)
      refuse('forbidden', { detail: "The venture in the header Vostro-Venture is not the key's venture." })
    requireScope(row, found.scopes)
    request.seen_by_bank = found.seen_by_bank
    if (request.actor.seen_by_bank && found.venture.control === 'MANAGED' && isRefusedToSeenKeys(operationOf(request), row))
      refuse('key_seen_by_bank')
    request.venture = found.venture
    request.scopes = found.scopes
    keys.uses.note(key_hash)
  }

  async function requireAdmin(request: FastifyRequest, row: Access): Promise<void> {
    requireBankRole(row, 'admin')
    request.admin_key_step = await requireAdminKey(operationOf(request))
  }

  async function actByAdminKey(request: FastifyRequest, row: Access): Promise<void> {
    await requireAdmin(request, row)
    actForVenture(request, row, { venture: await findVenture(namedVenture(request)), id: null })
  }

  /** People of the bank and the admin key may act for any venture, even a disabled one. */
  function actForVenture(
    request: FastifyRequest,
    row: Access,
    { venture, id }: { venture: FoundKey['venture'] | undefined; id: string | null },
  ): void {
    if (venture === undefined) refuse('venture_not_found')
    if (venture.id === houseId && !row.reads) refuse('forbidden', { detail: 'The books of the house cannot be changed by hand.' })
    request.venture = venture
    request.actor = { kind: 'operator', id }
    request.logged = { ...request.logged, venture_id: venture.id }
  }

  /** A signed-in person who acts for a venture. */
  async function requireMember(
    request: FastifyRequest,
    token: string,
    row: Access,
    { showsVenture = false }: FastifyContextConfig,
  ): Promise<void> {
    const found = await requireSession(request, token, row, { forVenture: true, whole: showsVenture })
    if (found.bank_role !== null) {
      requireBankRole(row, found.bank_role)
      requireFresh(row, found)
      return actForVenture(request, row, { venture: found.venture, id: found.user_id })
    }
    // A person who is not a member of a venture does not learn whether it exists.
    if (found.venture_role === null || found.venture === undefined) refuse('venture_not_found')
    if (found.venture.status !== 'ACTIVE') refuse('forbidden', { detail: 'The venture is disabled.' })
    if (!row.venture?.includes(found.venture_role))
      refuse('forbidden', { detail: needed('role', row.venture, 'of the venture') ?? 'This operation needs a key of the venture.' })
    requireFresh(row, found)
    request.venture = found.venture
  }

  async function requireOperator(request: FastifyRequest, row: Access): Promise<void> {
    const token = console.tokenOf(request)
    if (token !== undefined) {
      const found = await requireSession(request, token, row)
      if (found.bank_role === null) return refuse('forbidden', { detail: needed('role', row.bank, 'at the bank') ?? '' })
      requireBankRole(row, found.bank_role)
      return requireFresh(row, found)
    }
    if (await enterByBankKey(request, row)) return
    // Without an admin key, only people of the bank and its connectors can call these routes.
    if (adminApiKey === undefined) refuse('route_not_found')
    const key = keyOf(request)
    if (!isAdmin(key)) return refuseKey({ known: await isKnown(key), needed: 'the admin key' })
    await requireAdmin(request, row)
    request.actor = { kind: 'operator', id: null }
  }

  /** Whether the request has a bank key. A key that is invalid, or not allowed to do this, is refused. */
  async function enterByBankKey(request: FastifyRequest, { bankKey }: Access): Promise<boolean> {
    const { authorization, 'x-api-key': apiKey } = request.headers
    const key = authorization === undefined && apiKey === undefined ? '' : keyOf(request)
    if (!isBankKey(key)) return false
    const key_hash = hashOf(key)
    request.logged = { key_prefix: prefixOf(key) }
    const found = (await bankKeys.find(key_hash)) ?? refuseKey({ known: false, needed: '' })
    request.actor = { kind: 'connector', id: found.id }
    if (bankKey === undefined) refuse('forbidden', { detail: 'This operation needs a person of the bank.' })
    if (found.scope !== bankKey) refuse('forbidden', { detail: `This operation needs a key of the bank with the scope ${bankKey}.` })
    bankKeys.uses.note(key_hash)
    return true
  }

  async function requireMonitor(request: FastifyRequest, row: Access): Promise<void> {
    if (metricsApiKey === undefined || console.tokenOf(request) !== undefined) return requireOperator(request, row)
    if (await enterByBankKey(request, row)) return
    const key = keyOf(request)
    if (isMonitor(key)) request.actor = { kind: 'connector', id: null }
    else if (adminApiKey !== undefined) await requireOperator(request, row)
    else refuseKey({ known: await isKnown(key), needed: 'the key for metrics' })
  }

  async function requirePerson(request: FastifyRequest, row: Access): Promise<void> {
    const token = console.tokenOf(request)
    if (token === undefined) {
      const key = keyOf(request, 'There is no session. Sign in first.')
      return refuseKey({ known: await isKnown(key), needed: 'a signed-in person' })
    }
    requireFresh(row, await requireSession(request, token, row))
  }

  async function requireSession(
    request: FastifyRequest,
    token: string,
    { enrols = false }: Access,
    { forVenture = false, whole = false } = {},
  ): Promise<CheckedSession> {
    if (request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined)
      refuse('unauthorized', { detail: 'The request has both the cookie of a session and an API key. Send one of them.' })
    console.requireSameOrigin(request, isReading(request))
    // The header is refused only once the session is known to be valid.
    const named = request.headers['vostro-venture']
    const venture_id = forVenture && isUuid(String(named)) ? String(named).toLowerCase() : undefined
    const found = (await sessions.find(token, { id: venture_id, whole })) ?? refuseSession()
    if (forVenture && venture_id === undefined) namedVenture(request)
    request.session = found
    request.actor = { kind: found.bank_role === null ? 'user' : 'operator', id: found.user_id }
    request.logged = found.logged
    // Automatic requests of the console do not keep a session alive.
    if (request.headers['x-vostro-console'] !== 'live') sessions.uses.note(found.token_hash)
    if (passkeysRequired && found.lacks_passkey && !enrols) refuse('passkey_required')
    return found
  }

  async function requireRelay(request: FastifyRequest): Promise<void> {
    const key = keyOf(request)
    if (!isRelay(key)) refuseKey({ known: await isKnown(key), needed: 'the key of the identity verifier' })
    request.actor = { kind: 'connector', id: null }
  }

  async function requireVentureOrRelay(request: FastifyRequest, row: Access, config: FastifyContextConfig): Promise<void> {
    if (console.tokenOf(request) !== undefined || !isRelay(keyOf(request))) return requireVenture(request, row, config)
    request.actor = { kind: 'connector', id: null }
  }

  /** For sign-in and links. It does not matter whether a person is already signed in. */
  async function requireConsole(request: FastifyRequest): Promise<void> {
    console.requireSafe()
    console.requireSameOrigin(request, false)
    const token = isFormed(request) ? console.tokenOf(request) : undefined
    request.session = token === undefined ? undefined : await sessions.find(token)
  }

  /** A cookie that is not a token prevents nobody from signing in. */
  function isFormed(request: FastifyRequest): boolean {
    try {
      return console.tokenOf(request) !== undefined
    } catch {
      return false
    }
  }

  app.decorateRequest('venture')
  app.decorateRequest('actor')
  app.decorateRequest('session')
  app.decorateRequest('scopes')
  app.decorateRequest('seen_by_bank', false)
  app.decorateRequest('admin_key_step')
  app.decorateRequest('checkedAt_ms', 0)

  async function check(request: FastifyRequest): Promise<void> {
    request.checkedAt_ms = performance.now()
    const { config } = request.routeOptions
    const { access: row } = config
    if (row === undefined) throw new Error(`${request.method} ${request.routeOptions.url} does not say who may call it`)
    switch (row.door) {
      case 'none':
        return row.fromConsole === true ? requireConsole(request) : undefined
      case 'relay':
        return requireRelay(request)
      case 'operator':
        return requireOperator(request, row)
      case 'monitor':
        return requireMonitor(request, row)
      case 'session':
        return requirePerson(request, row)
      case 'verifier':
        return requireVentureOrRelay(request, row, config)
      default:
        return requireVenture(request, row, config)
    }
  }

  // The framework registers HEAD together with GET, with the same schema.
  app.addHook('onRoute', (route) => {
    const { operationId } = (route.schema ?? {}) as { operationId?: string }
    if (operationId === undefined || route.config?.access?.reads !== false) return
    // Only where something changes, because these hooks would otherwise run for every request.
    const own = route.preHandler === undefined ? [] : [route.preHandler].flat()
    const checks = [
      ...(operationId === 'updateTransfer' ? [requireSigningScope] : []),
      ...(operationId === 'inviteBankUser' ? [requireThirdAdmin] : []),
    ]
    route.preHandler = [...checks, ...own, nameActor]
  })
  app.addHook('onClose', async () => {
    await keys.uses.stop()
    await bankKeys.uses.stop()
    await sessions.uses.stop()
  })

  // The caller is checked before the body is read, so bodies without a valid key are not read at all. If the body was slow to arrive, the
  // caller is checked again, so nobody can keep using a revoked key by delaying the last byte of a request.
  app.addHook('onRequest', check)
  app.addHook('preValidation', async (request) => {
    if (performance.now() - request.checkedAt_ms > slowBody_ms) await check(request)
  })
  return check
}

const slowBody_ms = 50

function operationOf({ routeOptions }: FastifyRequest): string {
  return ((routeOptions.schema ?? {}) as { operationId?: string }).operationId ?? ''
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The venture in the header, for which a person or the operator acts. */
function namedVenture({ headers, raw }: FastifyRequest): string {
  const id = headers['vostro-venture']
  // Node joins two such headers with a comma.
  if (raw.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'vostro-venture').length > 1)
    refuseField(ventureHeader, 'must be sent only once')
  if (id === undefined) refuseField(ventureHeader, 'is required: name the venture that you act for')
  return isUuid(String(id)) ? String(id).toLowerCase() : refuseField(ventureHeader, 'must be the id of a venture')
}
const ventureHeader = 'Vostro-Venture'

/** For example `This operation needs the role admin or operator of the venture.` Undefined if no role is enough. */
function needed(what: 'scope' | 'role', words: readonly string[] = [], where = ''): string | undefined {
  return words.length === 0 ? undefined : `This operation needs the ${what} ${either(words)}${where === '' ? '' : ` ${where}`}.`
}

function requireScope({ scopes }: Access, given: readonly Scope[]): void {
  if (scopes === undefined) refuse('forbidden', { detail: 'This operation needs a signed-in person, or the admin key.' })
  if (scopes === 'any' || (scopes === 'all' ? hasAllScopes(given) : scopes.some((scope) => given.includes(scope)))) return
  refuse('forbidden', { detail: scopes === 'all' ? 'This operation needs a key with all scopes.' : (needed('scope', scopes) ?? '') })
}

/** Signing a transfer takes the scope `sign`, any other change the scope `transfers`. */
async function requireSigningScope({ scopes, body }: FastifyRequest): Promise<void> {
  if (scopes === undefined) return
  const { status, signed_at: _, signed_hash: _hash, ...others } = body as { status?: string; signed_at?: string; signed_hash?: string }
  const isSigning = status === 'SIGNED'
  if (isSigning && !scopes.includes('sign')) refuse('forbidden', { detail: 'Signing a transfer needs the scope sign.' })
  if ((!isSigning || Object.keys(others).length > 0) && !scopes.includes('transfers'))
    refuse('forbidden', { detail: 'With the scope sign alone, a transfer can only be signed. This change needs the scope transfers.' })
}

/** The last thing that the admin key can do is let in the third admin. */
async function requireThirdAdmin({ admin_key_step, body }: FastifyRequest): Promise<void> {
  if (admin_key_step === 'THIRD_ADMIN' && (body as { role?: string }).role !== 'admin') refuse('admin_key_retired')
}

/** Not asynchronous: what follows a hook only has its actor if the hook itself calls it. */
function nameActor({ actor }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (actor === undefined) done()
  else actAs(actor, done)
}

const ofVenture = (roles: Access['venture']): string => (roles === undefined ? 'a key' : 'a key or a person')

function requireBankRole({ bank, venture }: Access, role: BankRole): void {
  if (!bank?.includes(role))
    refuse('forbidden', { detail: needed('role', bank, 'at the bank') ?? `This operation needs ${ofVenture(venture)} of the venture.` })
}

/** A person who has a passkey must use it here, because others may know the password. */
function requireFresh({ isSensitive }: Access, session: CheckedSession): void {
  if (isSensitive !== true) return
  if (session.has_passkey && !session.by_passkey) refuse('passkey_required')
  if (!isFresh(session)) refuse('reauthentication_required')
}

/**
 * If the key is valid but of another kind, the refusal names the kind that is needed. If it is invalid, the refusal does not reveal the
 * reason.
 */
function refuseKey({ known, needed }: { known: boolean; needed: string }): never {
  if (known) refuse('forbidden', { detail: `This operation needs ${needed}.` })
  refuse('unauthorized', { detail: 'The API key is unknown, has expired, or was revoked or rotated, or its venture is disabled.' })
}

/** Compares hashes, because timingSafeEqual needs equal lengths. */
function keyMatcher(expected: string | undefined): (key: string) => boolean {
  if (expected === undefined) return () => false
  const hash = Buffer.from(hashOf(expected))
  return (key) => timingSafeEqual(Buffer.from(hashOf(key)), hash)
}

/** The key from either header. If both are sent, they must contain the same key. */
function keyOf(
  { headers, raw }: FastifyRequest,
  missing = 'The API key is missing. Send it in the header Authorization (Bearer) or X-API-Key.',
): string {
  // Node silently keeps the first of two such headers. Refuses two keys instead of guessing which one is meant.
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
  return bearer ?? apiKeyHeader ?? refuse('unauthorized', { detail: missing })
}
