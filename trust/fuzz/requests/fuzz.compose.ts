// Composes requests: a path, a query, an encoded body, and the key that opens the route.

import { signedHeaders } from '../../../server/src/platform/standard-webhooks.ts'
import type { Random } from '../fuzz.random.ts'
import type { Keys, World } from '../fuzz.world.ts'
import { type Kind, queryRecipes, recipes } from './fuzz.recipes.ts'
import type { Request, Sender } from './fuzz.request.ts'
import type { Target } from './fuzz.targets.ts'

/** The kind of the ids in a field. */
const kindsOfFields: Record<string, Kind> = {
  client_id: 'clients',
  account_id: 'accounts',
  beneficiary_id: 'beneficiaries',
  transfer_id: 'transfers',
  payee_verification_id: 'verifications',
  mandate_id: 'mandates',
  parent_transaction_id: 'transfers',
  payment_id: 'payments',
  link_id: 'links',
  payment_link_id: 'links',
  payout_account_id: 'fundedAccounts',
  payout_id: 'payouts',
  endpoint_id: 'endpoints',
  delivery_id: 'deliveries',
  event_id: 'events',
  logged_request_id: 'loggedRequests',
  since: 'events',
  venture_id: 'ventures',
  key_id: 'keys',
  bank_key_id: 'bankKeys',
  application_id: 'applications',
  order_id: 'orders',
  orderId: 'orders',
  resource_id: 'accounts',
  after: 'transfers',
  // A key alone makes no approvals in the sandbox, so every id is unknown.
  approval_id: 'events',
  case_id: 'cases',
  actor_id: 'events',
  assignee_id: 'events',
  maker_id: 'events',
  watchlist_id: 'watchlists',
  version_id: 'listVersions',
  // Screening depends on loaded lists, so every id is unknown.
  screening_id: 'events',
  // Likewise verifications since the attack began.
  verification_id: 'events',
  subject_id: 'clients',
  bank_payment_id: 'bankPayments',
}

/** The kind of the ids on the bank's side, which knows only ventures whose transfers it processes. */
const kindsOfOperators: Record<string, Kind> = {
  venture_id: 'managedVentures',
  account_id: 'managedAccounts',
  beneficiary_id: 'managedPayees',
  transfer_id: 'managedTransfers',
  parent_transaction_id: 'managedTransfers',
  inbound_payment_id: 'waitingPayments',
  resource_id: 'unappliedPayments',
  unapplied_payment_id: 'unappliedPayments',
  break_id: 'breaks',
  nostro_id: 'nostros',
  pack_id: 'packs',
  message_id: 'messages',
  after: 'unappliedPayments',
}

export function kindOf(field: string, target: Target): Kind {
  if (target.url.startsWith('/api/v1/operator/')) {
    if (field === 'account_id' && target.url.endsWith('/operator/pay-outs')) return 'suspendedAccounts'
    if (field === 'pack_id' && target.url.endsWith('/declare-not-sent')) return 'refusedPacks'
    const known = kindsOfOperators[field]
    if (known !== undefined) return known
  }
  if (field === 'transfer_id' && isOfManaged(target)) return 'sentTransfers'
  if (field === 'token') return target.url.startsWith('/pay/') ? 'linkTokens' : 'verifierTokens'
  if (field === 'client_id' && target.method === 'POST' && target.url.endsWith('/onboarding/details')) return 'freshClients'
  if (field === 'account_id' && target.url.startsWith('/api/v1/sandbox/')) return 'fundedAccounts'
  const kind = kindsOfFields[field]
  if (kind === undefined) throw new Error(`teach fuzz.compose.ts of which kind the ids in ${field} are (${target.id})`)
  return kind
}

/** Routes about payments that have left the bank, which it sends only for ventures whose transfers it processes. */
function isOfManaged({ url }: Target): boolean {
  return url === '/api/v1/transfers/:transfer_id/recalls'
}

export type Parts = {
  why: string
  /** Replaces the method of the target. */
  method?: string
  /** Escaped, as in the path. The default is ids of the venture's own. */
  params?: Record<string, string>
  /** The text after the question mark. */
  query?: string
  /** A value to encode in the form of the target, or bytes to send unchanged. */
  body?: unknown
  headers?: Record<string, string>
  refused?: boolean
  field?: string | undefined
}

const contentTypes = {
  json: 'application/json',
  signed: 'application/json',
  form: 'application/x-www-form-urlencoded',
  none: 'application/json',
}

export class Composer {
  readonly world: World
  readonly neighbour: World
  readonly keys: Keys

  constructor(world: World, neighbour: World, keys: Keys) {
    this.world = world
    this.neighbour = neighbour
    this.keys = keys
  }

  request(target: Target, random: Random, parts: Parts): Request {
    const { why, params = {}, query = '', refused = false, field } = parts
    const path = Object.entries(this.#idsFor(target, random, params)).reduce((url, [name, id]) => url.replace(`:${name}`, id), target.url)
    const { as, key } = this.#keyFor(target, random)
    const { body, headers } = this.#encoded(target, parts, random)
    return {
      target,
      why,
      method: parts.method ?? target.method,
      path: (path.endsWith('/*') ? `${path.slice(0, -1)}${params['*'] ?? 'x/y/z'}` : path) + (query === '' ? '' : `?${query}`),
      headers: { ...(key === undefined ? {} : { 'x-api-key': key }), ...headers, ...parts.headers },
      body,
      as,
      refused,
      field,
    }
  }

  /** A body that the service accepts, unless its subject is in the wrong state. */
  goodBody(target: Target, random: Random): Record<string, unknown> | undefined {
    if (target.body === undefined) return undefined
    const recipe = recipes[target.id]
    if (recipe === undefined) throw new Error(`there is no recipe for the body of ${target.id} in fuzz.recipes.ts`)
    return recipe(this.world.ingredients(random))
  }

  /** A query that the service accepts, unless its subject is in the wrong state. Empty where none is needed. */
  goodQuery({ id, requiredQuery }: Target, random: Random): Record<string, string> {
    const recipe = queryRecipes[id]
    if (recipe === undefined && requiredQuery.length > 0) throw new Error(`there is no recipe for the query of ${id} in fuzz.recipes.ts`)
    return recipe?.(random) ?? {}
  }

  /** Two ids in one path belong together; most other pairs would lead nowhere. */
  #idsFor(target: Target, random: Random, given: Record<string, string>): Record<string, string> {
    const names = Object.keys(target.params)
    const together = this.world.pairs.filter((pair) => names.length > 1 && names.every((name) => name in pair))
    const found = together.length > 0 && random.chance(0.7) ? random.pick(together) : {}
    const other = (name: string) => {
      const choices = target.params[name]?.enum
      return choices === undefined ? this.world.pick(kindOf(name, target), random) : String(random.pick(choices))
    }
    return Object.fromEntries(names.map((name) => [name, given[name] ?? found[name] ?? other(name)]))
  }

  #keyFor(target: Target, random: Random): { as: Sender; key: string | undefined } {
    const { key, url } = target
    // A venture whose key is rotated has no other requests in progress.
    if (url === '/api/v1/venture/rotate-key') return { as: 'disposable', key: random.pick(this.world.disposables).api_key }
    if (isOfManaged(target)) return { as: 'managed', key: this.world.managed?.api_key }
    switch (key) {
      case 'none':
        return { as: 'nobody', key: undefined }
      case 'operator':
      case 'monitor':
        return { as: 'admin', key: this.keys.admin }
      case 'relay':
        return { as: 'relay', key: this.keys.relay }
      case 'verifier':
        return random.chance(0.5) ? { as: 'relay', key: this.keys.relay } : { as: 'venture', key: this.world.venture.api_key }
      default:
        return { as: 'venture', key: this.world.venture.api_key }
    }
  }

  #encoded({ encoding }: Target, { body }: Parts, random: Random): { body: Uint8Array | undefined; headers: Record<string, string> } {
    if (body === undefined) return { body: undefined, headers: {} }
    const headers = { 'content-type': contentTypes[encoding] }
    const bytes = body instanceof Uint8Array ? body : Buffer.from(encoding === 'form' ? formOf(body) : JSON.stringify(body))
    if (encoding !== 'signed') return { body: bytes, headers }
    return {
      body: bytes,
      headers: { ...headers, ...signedHeaders([this.keys.webhookSecret], { id: `msg_${random.uuid()}`, body: bytes }) },
    }
  }
}

function formOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return String(body)
  return Object.entries(body)
    .map(([name, value]) => `${escaped(name)}=${escaped(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&')
}

/** The text after the question mark. */
export function queryText(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${escaped(name)}=${escaped(String(value))}`)
    .join('&')
}

/** A lone surrogate has no UTF-8; this sends the three bytes that it would have. */
export function escaped(text: string): string {
  return [...text].map((character) => (character.isWellFormed() ? encodeURIComponent(character) : '%ED%A0%80')).join('')
}
