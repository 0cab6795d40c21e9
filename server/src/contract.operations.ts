// The refusal codes of each operation: those that its route declares, and those of its kind. Every test that opens a bank checks them.
import type { FastifyContextConfig, FastifySchema } from 'fastify'
import type { Access } from './platform/http/access.ts'
import { listing } from './platform/http/lists.ts'
import { isRefusedToSeenKeys } from './users/users.seenkeys.ts'
import type { RefusalCode } from './values/refusals.ts'
import { reservations } from './ventures/ventures.reserved.ts'

/** Refusals that any request can get. The contract lists them once for all operations. */
export const anyRefusals = [
  'malformed_request',
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const satisfies readonly RefusalCode[]

/** Refusals of a kind of operation, derived from the declaration of the route. */
const kinds: readonly { applies: (route: Facts) => boolean; refusals: readonly RefusalCode[] }[] = [
  { applies: ({ door }) => door !== 'none', refusals: ['unauthorized', 'forbidden'] },
  { applies: () => true, refusals: ['invalid_request'] },
  { applies: ({ reads, isOpen }) => !reads && !isOpen, refusals: ['malformed_body', 'body_too_large', 'unsupported_media_type'] },
  { applies: ({ isOpen }) => !isOpen, refusals: ['foreign_origin', 'console_needs_https'] },
  {
    applies: ({ door, enrols, isSensitive }) => door !== 'none' && (enrols !== true || isSensitive === true),
    refusals: ['passkey_required'],
  },
  { applies: ({ bank }) => bank?.includes('admin') === true, refusals: ['admin_key_retired'] },
  { applies: ({ orders }) => orders, refusals: ['key_seen_by_bank'] },
  { applies: ({ door }) => door === 'venture' || door === 'verifier', refusals: ['venture_not_found'] },
  { applies: ({ isSensitive }) => isSensitive === true, refusals: ['reauthentication_required'] },
  { applies: ({ creates }) => creates, refusals: ['idempotency_key_in_use', 'idempotency_key_reused'] },
  { applies: ({ keepsSecret }) => keepsSecret, refusals: ['idempotency_secret_shown'] },
  { applies: ({ isList }) => isList, refusals: listing },
  { applies: ({ door }) => door === 'venture', refusals: ['too_many_requests'] },
  { applies: ({ reads, isOpen }) => !reads && !isOpen, refusals: ['outcome_unknown'] },
]

/** `orders`: whether it is closed to a key that the bank has seen. */
type Facts = Access & { isOpen: boolean; creates: boolean; keepsSecret: boolean; isList: boolean; orders: boolean }

/** All refusal codes of an operation, except those that any request can get. */
export function refusalsOf(operationId: string, config: FastifyContextConfig, schema: FastifySchema): Refusals {
  const row = accessIn(config)
  const { properties = {} } = (schema.querystring ?? {}) as { properties?: object }
  const facts: Facts = {
    ...row,
    isOpen: row.door === 'none' && row.fromConsole !== true,
    creates: config.creates !== undefined,
    keepsSecret: config.creates?.answer === 'secret',
    isList: 'limit' in properties,
    orders: isOrder(operationId, row),
  }
  const ofKind = kinds.filter(({ applies }) => applies(facts)).flatMap(({ refusals }) => refusals)
  const own = [...new Set(config.refusals)]
  return { own, ofKind: ofKind.filter((code) => !own.includes(code)) }
}

/** Whether a key that the bank has seen may not do it at all, or not in every case. */
function isOrder(operationId: string, row: Access): boolean {
  if (row.reads || row.scopes === undefined) return false
  return (
    isRefusedToSeenKeys(operationId, row) || reservations.some(({ operation, binds }) => operation === operationId && binds === 'people')
  )
}

/** Registering a route without it fails. */
export function accessIn({ access }: FastifyContextConfig): Access {
  if (access === undefined) throw new Error('the route does not say who may call it')
  return access
}

type Refusals = { own: RefusalCode[]; ofKind: RefusalCode[] }

export function isForPeople({ door, venture, bank }: Access): boolean {
  return door === 'session' || venture !== undefined || bank !== undefined
}
