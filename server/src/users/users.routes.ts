// The HTTP routes of people for the bank's admins.
import { Type } from 'typebox'
import { Approval, ApprovalWithCode, fourEyes, sendOrWait } from '../audit/audit.ts'
import { adminAtBank, alone, partly, readsAtBank, sensitive, together } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { describeAdminKey } from './users.adminkey.ts'
import { makeSetUpLink } from './users.links.ts'
import { needsTwo, onlyWithoutAdmin, shownOnce } from './users.links.words.ts'
import {
  endUserSessions,
  getUser,
  inviteBankUser,
  listInvitations,
  listUsers,
  type People,
  resetUser,
  revokeInvitation,
  updateUser,
} from './users.people.ts'
import { listUserSignIns } from './users.record.ts'
import { AdminKey, BankInvitation, BankUserUpdate, Link, LinkWithUrl, SignInRecord, User, UserList } from './users.schemas.ts'
import { bankId } from './users.sql.ts'

const params = PathId('user_id')
const invitationParams = PathId('invitation_id')
const creates = { answer: 'secret' } as const

export async function bankUserRoutes(app: App, people: People): Promise<void> {
  const tags = ['Users (bank)']

  app.post(
    '/operator/users/set-up',
    {
      config: {
        access: sensitive(adminAtBank(alone('It works only while the bank has no admin.'))),
        audit: 'always',
        refusals: ['already_set_up'],
        createsNothing: 'It replaces a link. If the response is lost, create another link.',
      },
      schema: {
        operationId: 'makeSetUpLink',
        tags,
        summary: 'Create the link with which the first admin sets up the bank',
        description: `Only while the bank has no admin, or with the admin key after a start with ADMIN_API_KEY_SCOPE=set-up. An earlier set-up link stops working. ${shownOnce}`,
        response: { 201: LinkWithUrl },
      },
    },
    async ({ actor, companions }, reply) => reply.code(201).send(await makeSetUpLink(people, actor, companions)),
  )

  app.post(
    '/operator/users',
    {
      config: {
        access: sensitive(
          adminAtBank(partly('Two people add a person to the bank. The admin key does it while the bank has too few admins.')),
        ),
        audit: 'always',
        refusals: ['already_member', 'bank_has_admins', ...fourEyes],
        creates,
        another: { role: 'auditor' },
        example: { body: { email: 'grace@bank.example', role: 'operator' } },
        trial: { fresh: 'email' },
      },
      schema: {
        operationId: 'inviteBankUser',
        tags,
        summary: 'Invite a person to the bank',
        description: `The invitation ends after 72 hours. ${shownOnce} The admin key may invite admins only while fewer than three active ones exist. ${needsTwo('an invitation')}`,
        body: BankInvitation,
        response: { 201: LinkWithUrl, 202: ApprovalWithCode },
      },
    },
    async ({ body, actor, companions }, reply) => sendOrWait(reply, await inviteBankUser(people, body, { actor, companions })),
  )

  app.get(
    '/operator/users',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'listUsers',
        tags,
        summary: 'List all users, newest first',
        description: 'Everyone who can sign in: people of the bank and of all ventures.',
        querystring: UserList,
        response: { 200: Type.Array(User) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listUsers(people, request.query)),
  )

  app.get(
    '/operator/users/:user_id',
    {
      config: { access: readsAtBank, refusals: ['user_not_found'] },
      schema: {
        operationId: 'getUser',
        tags,
        summary: 'Get a user',
        description: 'A person of the bank or of any venture.',
        params,
        response: { 200: User },
      },
    },
    async (request) => getUser(people, request.params.user_id),
  )

  app.put(
    '/operator/users/:user_id',
    {
      config: {
        access: sensitive(
          adminAtBank(partly('Giving a role and enabling a person need two people. Removing a role and disabling a person protect.')),
        ),
        audit: 'always',
        refusals: ['user_not_found', 'last_admin', ...fourEyes],
        example: { body: { status: 'ACTIVE' } },
      },
      schema: {
        operationId: 'updateUser',
        tags,
        summary: "Change a user's role at the bank, disable or enable a user",
        description:
          'A role of null removes the user from the bank. Disabling ends all sessions at once. The last active admin cannot be removed. With four ' +
          'eyes, giving a role at the bank, enabling a user who has one or is an admin or operator of a venture, and disabling the last active ' +
          'admin of a MANAGED venture, need a second person: the response is then an approval, with status 202. Pending requests of a disabled or ' +
          'removed user are withdrawn. A role at the bank ends all sessions of the user. It removes the passkeys of a person who joins the bank, ' +
          'if one person alone has invited or reset them.',
        params,
        body: BankUserUpdate,
        response: { 200: User, 202: Approval },
      },
    },
    async ({ params, body, actor, companions }, reply) =>
      sendOrWait(reply, await updateUser(people, params.user_id, body, { actor, companions })),
  )

  app.post(
    '/operator/users/:user_id/reset',
    {
      config: {
        access: sensitive(adminAtBank(together('The person with the new password acts as that user.'))),
        audit: 'always',
        refusals: ['user_not_found', 'venture_has_admin', ...fourEyes],
        createsNothing: 'It replaces a link. If the response is lost, create another link.',
      },
      schema: {
        operationId: 'resetUser',
        tags,
        summary: 'Create a link for a user to reset the password',
        description: `The link ends after an hour. Using it ends all sessions of the user and removes all passkeys. ${shownOnce} ${needsTwo('a reset')} ${onlyWithoutAdmin}`,
        params,
        response: { 201: LinkWithUrl, 202: ApprovalWithCode },
      },
    },
    async ({ params, actor, companions }, reply) =>
      sendOrWait(reply.code(201), await resetUser(people, params.user_id, { actor, companions })),
  )

  app.get(
    '/operator/users/:user_id/sign-ins',
    {
      config: { access: readsAtBank, refusals: ['user_not_found'] },
      schema: {
        operationId: 'listUserSignIns',
        tags,
        summary: 'List the sign-in history of a user, newest first',
        description:
          'The same list that the user sees: sign-ins, failures, reauthentications, sign-outs and changes of factors, with the address that they came from.',
        params,
        querystring: UserList,
        response: { 200: Type.Array(SignInRecord) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listUserSignIns(people.database, request.params.user_id, request.query)),
  )

  app.delete(
    '/operator/users/:user_id/sessions',
    {
      config: {
        access: adminAtBank(alone('It protects.')),
        audit: 'always',
        refusals: ['user_not_found'],
        trial: { fresh: 'member' },
      },
      schema: {
        operationId: 'endUserSessions',
        tags,
        summary: 'End all sessions of a user',
        description:
          'The user is signed out everywhere at once, and may sign in again. For a lost laptop, or when something looks suspicious.',
        params,
        response: { 204: Type.Null() },
      },
    },
    async ({ params, companions }, reply) => {
      await endUserSessions(people, params.user_id, companions)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/operator/admin-key',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'getAdminKey',
        tags,
        summary: 'Get the remaining rights of the admin key',
        description:
          'The admin key is for setting up a bank. Outside the sandbox, it stops working once three admins of the bank have had a passkey.',
        response: { 200: AdminKey },
      },
    },
    async () => describeAdminKey(people.database, people.adminKey),
  )

  app.get(
    '/operator/invitations',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'listBankInvitations',
        tags,
        summary: 'List invitations to the bank, newest first',
        description: 'Includes used, revoked and expired invitations. The URLs are not shown again.',
        querystring: UserList,
        response: { 200: Type.Array(Link) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listInvitations(people, bankId, request.query)),
  )

  app.post(
    '/operator/invitations/:invitation_id/revoke',
    {
      config: {
        access: adminAtBank(alone('It protects.')),
        audit: 'always',
        refusals: ['link_not_found', 'link_expired'],
        createsNothing: 'An invitation is revoked once.',
        trial: { fresh: 'bankInvitation' },
      },
      schema: {
        operationId: 'revokeBankInvitation',
        tags,
        summary: 'Revoke an invitation to the bank',
        description: 'The link stops working at once. A link that was used cannot be revoked.',
        params: invitationParams,
        response: { 200: Link },
      },
    },
    async ({ params, companions }) => revokeInvitation(people, bankId, params.invitation_id, companions),
  )
}
