// What a route declares about itself in `config`, beside its schema. A route that leaves something out does not compile.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifySchema,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify'
import type { RefusalCode } from '../../values/refusals.ts'
import type { Access, Changing, Open, Reading } from './access.ts'
import type { Example } from './examples.ts'
import type { Trial } from './trial.ts'

/**
 * When a request is audited. Requests by people and with the admin key always are, except with `never`, which is for requests that change nothing, or only
 * their own session. For a venture's key: people: never. always: always. fields: if the request contains one of them.
 */
export type AuditRule = 'never' | 'people' | 'always' | { readonly fields: readonly string[] }

/** The result of a creating operation. */
export type Made = { id: string }

export type Creation = {
  /** The path of the created resource. */
  location?: (made: Made, params: never) => string
  /**
   * kept: the answer is stored in the transaction of the effect. secret: it is never stored, because it contains a secret. A function: the
   * answer is only known after the effect, because a partner or further transactions follow. It is stored then; if that never happened,
   * the function answers a repeated request, from the id of the resource that the first one created.
   */
  answer: 'kept' | 'secret' | ((request: never, id: string) => Promise<Made>)
  /** Whether only a pending request was created: the status is then 202, without a location. */
  waits?: (made: Made) => boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. */
    access?: Access
    /** When a request is audited. */
    audit?: AuditRule
    /** The refusal codes of the operation itself. Those of all operations of its kind are added. */
    refusals?: readonly RefusalCode[]
    /** An example request for the contract. */
    example?: Example
    /** How the guards make valid requests, if the example with the ids of their fixtures is not enough. */
    trial?: Trial | readonly Trial[]
    /** The operation creates something: it returns the result, and accepts an Idempotency-Key. */
    creates?: Creation
    /** For a creating operation: fields that turn the guards' request into a different one. */
    another?: Readonly<Record<string, unknown>>
    /** Why a repeated POST cannot create anything twice. */
    createsNothing?: string
    /** A missing body counts as an empty object. */
    optionalBody?: boolean
    /** The route receives its body as bytes, without a schema. */
    rawBody?: boolean
    /** For the contract: the files in a multipart/form-data body, with their descriptions. */
    files?: Readonly<Record<string, string>>
    /** For the contract: the schema of the content of the bytes. */
    envelope?: object
  }
}

type Refusing = { refusals: readonly RefusalCode[] }

/** Every change that is not open to everyone declares when it is audited. */
type Changes = { access: Open } | { access: Changing; audit: AuditRule }

/** A POST either creates something and accepts an Idempotency-Key, or says why it creates nothing. */
type Posts = { creates: Creation; another: Readonly<Record<string, unknown>> } | { creates?: undefined; createsNothing: string }

/** A page, or a stand-in for a partner. */
type Page<Config> = { config: Config; schema: { hide: true; operationId?: undefined } }

/** An operation of the contract, unless it is hidden. */
type Operation<Config> = { config: Config & Refusing; schema: { operationId: string; hide?: boolean } }

type DeclaredGet = Page<{ access: Open }> | Operation<{ access: Open | Reading }>
type DeclaredPost = Page<{ access: Open | (Changing & { door: 'relay' }) } & Posts> | Operation<Changes & Posts>
type DeclaredChange = Operation<Changes>

/** Fastify's method that registers a route, but the route must declare everything. */
type Register<Declared> = <
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  const Schema extends FastifySchema = FastifySchema,
>(
  path: string,
  options: RouteShorthandOptions<
    RawServerDefault,
    IncomingMessage,
    ServerResponse,
    RouteGeneric,
    ContextConfigDefault,
    Schema,
    TypeBoxTypeProvider,
    FastifyBaseLogger
  > &
    Declared,
  handler: RouteHandlerMethod<
    RawServerDefault,
    IncomingMessage,
    ServerResponse,
    RouteGeneric,
    ContextConfigDefault,
    Schema,
    TypeBoxTypeProvider,
    FastifyBaseLogger
  >,
) => unknown

/** How routes are registered. */
export type Registering = {
  get: Register<DeclaredGet>
  post: Register<DeclaredPost>
  put: Register<DeclaredChange>
  delete: Register<DeclaredChange>
}
