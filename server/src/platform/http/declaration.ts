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
 * When a request with a venture's key is audited; requests of people and of the admin key always are. never: it changes nothing, or only the session it
 * was sent with, so nobody's request is. people: never for keys. always: whoever sends it. fields: if the request sends one of them.
 */
export type AuditRule = 'never' | 'people' | 'always' | { readonly fields: readonly string[] }

/** What a creating operation makes. */
export type Made = { id: string }

export type Creation = {
  /** Where the created resource is, by what was made and the parameters of the path. */
  location?: (made: Made, params: never) => string
  /**
   * kept: the answer is kept in the transaction of the effect. secret: it is never kept, because it holds a secret. A function: the answer
   * comes after the effect, when a partner has been asked or more transactions have been made. It is kept then; if it never came, the
   * function answers a repeated request, from the id of what the first one made.
   */
  answer: 'kept' | 'secret' | ((request: never, id: string) => Promise<Made>)
  /** Whether what was made is only a request that waits for somebody: it is answered with 202, and there is nothing at its location yet. */
  waits?: (made: Made) => boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. */
    access?: Access
    /** When a request is audited. */
    audit?: AuditRule
    /** The codes with which the operation itself refuses. What any operation of its kind refuses is added. */
    refusals?: readonly RefusalCode[]
    /** An example of a request, for the contract. */
    example?: Example
    /** How the guards make valid requests, where the example with ids of their fixtures is not enough. */
    trial?: Trial | readonly Trial[]
    /** The operation creates something: it answers with what it made, and takes an Idempotency-Key. */
    creates?: Creation
    /** For an operation that creates something: fields that make the request of the guards another one. */
    another?: Readonly<Record<string, unknown>>
    /** Why a POST creates nothing that a repeated request could create again. */
    createsNothing?: string
    /** A missing body is the same as an empty object. */
    optionalBody?: boolean
    /** The route takes its body as bytes, without a schema. */
    rawBody?: boolean
    /** Which files the bytes contain, as multipart/form-data, and what each is, for the contract. */
    files?: Readonly<Record<string, string>>
    /** The schema of what the bytes contain, for the contract. */
    envelope?: object
  }
}

type Refusing = { refusals: readonly RefusalCode[] }

/** What people of the bank or keys may change says when it is audited. */
type Changes = { access: Open } | { access: Changing; audit: AuditRule }

/** A POST either creates something and takes an Idempotency-Key, or says why it creates nothing. */
type Posts = { creates: Creation; another: Readonly<Record<string, unknown>> } | { creates?: undefined; createsNothing: string }

/** A page, or a stand-in for a partner. */
type Page<Config> = { config: Config; schema: { hide: true; operationId?: undefined } }

/** An operation of the contract, unless it is hidden. */
type Operation<Config> = { config: Config & Refusing; schema: { operationId: string; hide?: boolean } }

type DeclaredGet = Page<{ access: Open }> | Operation<{ access: Open | Reading }>
type DeclaredPost = Page<{ access: Open | (Changing & { door: 'relay' }) } & Posts> | Operation<Changes & Posts>
type DeclaredChange = Operation<Changes>

/** A method that registers a route, as Fastify has it, if the route declares everything. */
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
