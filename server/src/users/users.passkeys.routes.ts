import { Type } from 'typebox'
import { enrolling, fromConsole, readsOwn, sensitive, themselves } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { PathId } from '../platform/http/schemas.ts'
import {
  listPasskeys,
  reauthenticateWithPasskey,
  registerPasskey,
  removePasskey,
  signInWithPasskey,
  startPasskeyRegistration,
  startPasskeySignIn,
} from './users.passkeys.ts'
import { Passkey, PasskeyOptions, PasskeyProof, PasskeyRegistration, Session } from './users.schemas.ts'
import { type SessionOptions, sessionRequests } from './users.session.requests.ts'

const tags = ['Sessions']

/** An example of what a browser sends for a passkey. */
const credential = {
  id: 'AZ2dTdAZRgKGDgcT0sZ1vQ',
  rawId: 'AZ2dTdAZRgKGDgcT0sZ1vQ',
  type: 'public-key',
  response: { clientDataJSON: 'eyJ0eXBlIjoi…', authenticatorData: 'SZYN5YgOjGh0…', signature: 'MEUCIQDx…' },
}

export async function passkeyRoutes(app: App, options: SessionOptions): Promise<void> {
  const { database, console, throttle } = options
  const keeper = { database, throttle, console }
  const { sessionOf, fromOf, welcome } = sessionRequests(options)

  app.get(
    '/session/passkeys',
    {
      config: { access: readsOwn, refusals: [] },
      schema: {
        operationId: 'listPasskeys',
        tags,
        summary: 'List your passkeys',
        description: 'The passkeys that you have registered, with the time of their last use.',
        response: { 200: Type.Array(Passkey) },
      },
    },
    async (request) => listPasskeys(database, sessionOf(request).user_id),
  )

  app.post(
    '/session/passkeys/options',
    {
      config: {
        access: enrolling(sensitive(themselves)),
        audit: 'never',
        refusals: [],
        createsNothing: 'It creates a challenge, which expires after a few minutes.',
      },
      schema: {
        operationId: 'startPasskeyRegistration',
        tags,
        summary: 'Get the options to create a passkey',
        description: 'The `publicKey` options for `navigator.credentials.create()`. Send the result to `POST /api/v1/session/passkeys`.',
        response: { 200: PasskeyOptions },
      },
    },
    async (request) => startPasskeyRegistration(keeper, sessionOf(request)),
  )

  app.post(
    '/session/passkeys',
    {
      config: {
        access: enrolling(sensitive(themselves)),
        audit: 'always',
        refusals: ['passkey_refused'],
        createsNothing: 'A challenge is signed once.',
        example: {
          body: {
            name: 'Laptop',
            credential: { ...credential, response: { clientDataJSON: 'eyJ0eXBlIjoi…', attestationObject: 'o2NmbXRkbm9u…' } },
          },
          own: ['credential'],
        },
      },
      schema: {
        operationId: 'registerPasskey',
        tags,
        summary: 'Register a passkey',
        description: 'From then on, the session counts as signed in with a passkey. Your other sessions end.',
        body: PasskeyRegistration,
        response: { 201: Passkey },
      },
    },
    async (request, reply) => {
      const registration = { ...request.body, address: fromOf(request).address }
      const { passkey, token } = await registerPasskey(keeper, sessionOf(request), registration, request.companions)
      console.setCookie(reply, token)
      return reply.code(201).send(passkey)
    },
  )

  app.delete(
    '/session/passkeys/:passkey_id',
    {
      config: {
        access: sensitive(themselves),
        audit: 'always',
        refusals: ['passkey_not_found'],
        trial: { fresh: 'passkey', kinds: { passkey_id: 'theirs' } },
      },
      schema: {
        operationId: 'removePasskey',
        tags,
        summary: 'Remove a passkey',
        description:
          'The passkey no longer works, and your other sessions end. A person who signed in with only a password cannot remove one. After the ' +
          'last one is removed, the session counts as signed in without a passkey.',
        params: PathId('passkey_id'),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const removal = { id: request.params.passkey_id, address: fromOf(request).address }
      await removePasskey(database, sessionOf(request), removal, request.companions)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/session/passkey/options',
    {
      config: {
        access: fromConsole,
        refusals: ['too_many_sign_ins'],
        createsNothing: 'It creates a challenge, which expires after a few minutes.',
      },
      schema: {
        operationId: 'startPasskeySignIn',
        tags,
        summary: 'Get the options to use a passkey',
        description: 'The `publicKey` options for `navigator.credentials.get()`. Send the result to `POST /api/v1/session/passkey`.',
        response: { 200: PasskeyOptions },
      },
    },
    async (request) => startPasskeySignIn(keeper, fromOf(request).address),
  )

  app.post(
    '/session/passkey',
    {
      config: {
        access: fromConsole,
        refusals: ['sign_in_failed', 'too_many_sign_ins'],
        createsNothing: 'A challenge is signed once.',
        example: { body: { credential }, own: ['credential'], signsIn: true },
        trial: { fresh: 'credential' },
      },
      schema: {
        operationId: 'signInWithPasskey',
        tags,
        summary: 'Sign in with a passkey',
        description: 'Starts a session and sets its cookie. Such a session may do everything that the roles of the person allow.',
        body: PasskeyProof,
        response: { 200: Session },
      },
    },
    async (request, reply) => welcome(reply, await signInWithPasskey(keeper, request.body, fromOf(request))),
  )

  app.post(
    '/session/reauthentication/passkey',
    {
      config: {
        access: enrolling(themselves),
        audit: 'never',
        refusals: ['sign_in_failed', 'too_many_sign_ins'],
        createsNothing: 'A challenge is signed once.',
        example: { body: { credential }, own: ['credential'] },
        trial: { by: 'newSession', fresh: 'credential' },
      },
      schema: {
        operationId: 'reauthenticateWithPasskey',
        tags,
        summary: 'Reauthenticate with a passkey',
        description: 'The cookie changes. The options come from POST /session/passkey/options.',
        body: PasskeyProof,
        response: { 200: Session },
      },
    },
    async (request, reply) => {
      const { address } = fromOf(request)
      return welcome(reply, await reauthenticateWithPasskey(keeper, sessionOf(request), { proof: request.body, address }))
    },
  )
}
