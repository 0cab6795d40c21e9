import { Type } from 'typebox'
import { auditOf } from '../audit/audit.ts'
import { enrolling, fromConsole, readsOwn, sensitive, themselves } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { useLink } from './users.links.ts'
import { listSignIns } from './users.record.ts'
import { LinkUse, OwnSession, PasswordChange, PasswordProof, Session, SignIn, SignInRecord, UsedLink, UserList } from './users.schemas.ts'
import { type SessionOptions, sessionRequests } from './users.session.requests.ts'
import { describeSession, endOwnSession, endSession, listSessions } from './users.sessions.ts'
import { changePassword, reauthenticate, signIn } from './users.signin.ts'

const tags = ['Sessions']

export async function sessionRoutes(app: App, options: SessionOptions): Promise<void> {
  const { database, console, throttle, passkeysRequired, adminKey, fourEyes } = options
  const doorway = { database, throttle }
  const { sessionOf, fromOf, welcome } = sessionRequests(options)

  app.post(
    '/session',
    {
      config: {
        access: fromConsole,
        refusals: ['sign_in_failed', 'too_many_sign_ins'],
        createsNothing: 'If the response is lost, sign in again.',
        example: { body: { email: 'grace@bank.example', password: 'seven quiet rivers 42' }, own: ['email', 'password'], signsIn: true },
        trial: { fresh: 'credentials' },
      },
      schema: {
        operationId: 'signIn',
        tags,
        summary: 'Sign in with a password',
        description: 'Sets the session cookie. Only the console can do this: with the header X-Vostro-Console and from its own origin.',
        body: SignIn,
        response: { 200: Session },
      },
    },
    async (request, reply) => welcome(reply, await signIn(doorway, request.body, fromOf(request))),
  )

  app.get(
    '/session',
    {
      config: { access: enrolling(readsOwn), refusals: [] },
      schema: {
        operationId: 'getSession',
        tags,
        summary: 'Get your session',
        description:
          'Who is signed in, with which roles, and since when; in the sandbox also the time of the service. The console reads it when it opens.',
        response: { 200: Session },
      },
    },
    async (request) => describeSession(database, sessionOf(request), options),
  )

  app.delete(
    '/session',
    {
      config: {
        access: enrolling(themselves),
        audit: 'never',
        refusals: [],
        trial: { by: 'newSession' },
      },
      schema: {
        operationId: 'signOut',
        tags,
        summary: 'Sign out',
        description: 'Ends the session and removes its cookie. Other sessions of the person continue.',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await endSession(database, sessionOf(request), fromOf(request).address)
      console.forget(reply)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/session/sessions',
    {
      config: { access: readsOwn, refusals: [] },
      schema: {
        operationId: 'listSessions',
        tags,
        summary: 'List your sessions, newest first',
        description: 'The browsers in which you are signed in, with the time of their last use. Sessions that have ended are not listed.',
        response: { 200: Type.Array(OwnSession) },
      },
    },
    async (request) => listSessions(database, sessionOf(request)),
  )

  app.delete(
    '/session/sessions/:session_id',
    {
      config: {
        access: themselves,
        audit: 'always',
        refusals: ['session_not_found'],
        trial: { fresh: 'session', kinds: { session_id: 'theirs' } },
      },
      schema: {
        operationId: 'endSession',
        tags,
        summary: 'End one of your sessions',
        description: 'Its browser is signed out at once. Ending your current session signs you out.',
        params: PathId('session_id'),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { session_id } = request.params
      const session = sessionOf(request)
      await endOwnSession(database, session, { id: session_id, address: fromOf(request).address }, request.companions)
      if (session_id === session.session_id) console.forget(reply)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/session/sign-ins',
    {
      config: { access: readsOwn, refusals: [] },
      schema: {
        operationId: 'listSignIns',
        tags,
        summary: 'List your sign-in history, newest first',
        description:
          'Sign-ins, failures, reauthentications, sign-outs and changes of the password and of passkeys, with the address that they came from. ' +
          'Look for entries that were not you. Entries are kept for SIGN_IN_RETENTION_DAYS.',
        querystring: UserList,
        response: { 200: Type.Array(SignInRecord) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listSignIns(database, sessionOf(request).user_id, request.query)),
  )

  app.post(
    '/session/reauthentication',
    {
      config: {
        access: enrolling(themselves),
        audit: 'never',
        refusals: ['sign_in_failed', 'too_many_sign_ins', 'passkey_required'],
        createsNothing: 'It may be repeated with the new cookie.',
        example: { body: { password: 'seven quiet rivers 42' }, own: ['password'] },
        trial: { by: 'newMember', fresh: 'password' },
      },
      schema: {
        operationId: 'reauthenticate',
        tags,
        summary: 'Reauthenticate with your password',
        description:
          'Needed before changes to keys, secrets, roles and approvals if the last proof is more than ten minutes old. The cookie changes. A ' +
          'person with a passkey reauthenticates with that instead.',
        body: PasswordProof,
        response: { 200: Session },
      },
    },
    async (request, reply) => {
      const { password } = request.body
      const { address } = fromOf(request)
      return welcome(reply, await reauthenticate(doorway, sessionOf(request), { password, address }))
    },
  )

  app.put(
    '/session/password',
    {
      config: {
        access: sensitive(themselves),
        audit: 'always',
        refusals: ['weak_password'],
        example: { body: { new_password: 'nine loud mountains 17' } },
        trial: { by: 'newMember' },
      },
      schema: {
        operationId: 'changePassword',
        tags,
        summary: 'Change your password',
        description: 'Your other sessions end. A person with a passkey must have used it in this session.',
        body: PasswordChange,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const change = { password: request.body.new_password, address: fromOf(request).address }
      await changePassword(database, sessionOf(request), change, request.companions)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/session/links',
    {
      config: {
        access: fromConsole,
        refusals: [
          'link_not_found',
          'link_expired',
          'weak_password',
          'user_exists',
          'already_member',
          'too_many_sign_ins',
          'passkey_required',
        ],
        createsNothing: 'A link works once.',
        example: {
          body: { secret: 'Zk3x9mUq0cVh7sT2rLwYbN5pGd8eJfA1iQoXuKvMtRB', name: 'Grace Hopper', password: 'seven quiet rivers 42' },
          own: ['secret', 'password'],
        },
        trial: { fresh: 'link' },
      },
      schema: {
        operationId: 'useLink',
        tags,
        summary: 'Use a link to set up the bank, accept an invitation, or reset the password',
        description:
          'A link works once. A person without a user account gives a name and a password, and for a set-up also an email. A person who already ' +
          'has one accepts an invitation while signed in, with the passkey if there is one; a role that can do more than read ends all sessions. ' +
          'A link that two people of the bank created works only with its code, and not for a MANAGED venture that has got an admin in the ' +
          'meantime. With four-eyes approval, links that a single person of the bank created earlier no longer work.',
        body: LinkUse,
        response: { 200: UsedLink },
      },
    },
    async (request) => {
      const { id: request_id, body: use, session } = request
      const { address } = fromOf(request)
      const known = { action: 'useLink', resource: null, request_id, address, fields: Object.keys(use) }
      return useLink(database, {
        use,
        adminKey,
        fourEyes,
        address,
        signedInAs: session && {
          user_id: session.user_id,
          lacksPasskey: (passkeysRequired && session.lacks_passkey) || (session.has_passkey && !session.by_passkey),
        },
        auditOf: ({ actor, venture_id }) => auditOf({ ...known, actor: actor.kind, actor_id: actor.id, venture_id }),
      })
    },
  )
}
