// The HTTP routes of people: for the bank's admins, and for the admins of ventures.
import { Type } from 'typebox'
import { Approval, ApprovalWithCode, fourEyes, isApproval, sendOrWait } from '../audit/audit.ts'
import {
  adminAtBank,
  adminOfVenture,
  alone,
  empowering,
  partly,
  readsAtBank,
  readsOfVenture,
  sensitive,
  together,
} from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { describeAdminKey } from './users.adminkey.ts'
import { makeSetUpLink } from './users.links.ts'
import {
  endUserSessions,
  endVentureUserSessions,
  getUser,
  getVentureUser,
  inviteBankUser,
  inviteVentureUser,
  listInvitations,
  listUsers,
  listVentureUsers,
  type People,
  removeVentureUser,
  resetUser,
  resetVentureUser,
  revokeInvitation,
  updateUser,
  updateVentureUser,
} from './users.people.ts'
import { listUserSignIns } from './users.record.ts'
import {
  AdminKey,
  BankInvitation,
  BankUserUpdate,
  Link,
  LinkWithUrl,
  SignInRecord,
  User,
  UserList,
  VentureInvitation,
  VentureUser,
  VentureUserUpdate,
} from './users.schemas.ts'
import { bankId } from './users.sql.ts'

const params = PathId('user_id')
const invitationParams = PathId('invitation_id')
const creates = { answer: 'secret' } as const
const shownOnce =
  'The response contains the link. It is shown only once, works once, and is not sent by the service: hand it over yourself.'
const needsTwo = (what: string) =>
  `With four eyes, ${what} needs a second person: the response is then an approval, with status 202, and a code. The approver gets the link, which works only with the code.`
const onlyWithoutAdmin =
  'With four eyes, the bank does so for a MANAGED venture only while it has no active admin: otherwise its admin does it (403 `venture_has_admin`).'

export async function bankUserRoutes(app: App, people: People): Promise<void> {
  const tags = ['Users (bank)']

  app.post(
    '/operator/users/set-up',
    {
      config: {
        access: sensitive(adminAtBank(alone('It works only while the bank has no admin.'))),
        audit: 'always',
        refusals: ['already_set_up'],
        createsNothing: 'It replaces a link. Whoever lost the response has to ask for another.',
      },
      schema: {
        operationId: 'makeSetUpLink',
        tags,
        summary: 'Make the link with which the first admin of the bank sets it up',
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
          adminAtBank(partly('Two people let a person into the bank. The admin key does it while the bank has too few admins.')),
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
        summary: 'Invite somebody to the bank',
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
        description: 'Everybody who can sign in: people of the bank and of all ventures.',
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
          adminAtBank(partly('Giving a role and enabling a person need two people. Taking a role away and disabling protect.')),
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
          'A role of null removes the user from the bank. Disabling ends all sessions at once. The last active admin cannot be removed. With four eyes, ' +
          'giving a role at the bank, enabling a user who has one or is an admin or operator of a venture, and disabling the last active admin of a MANAGED ' +
          'venture, need a second person: the response is then an approval, with status 202. What somebody has requested who is disabled or removed is withdrawn. A role at the bank ends all sessions of the user. ' +
          'It removes the passkeys of somebody who joins the bank, if one person alone has let them in or reset them.',
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
        createsNothing: 'It replaces a link. Whoever lost the response has to ask for another.',
      },
      schema: {
        operationId: 'resetUser',
        tags,
        summary: 'Make a link with which a user chooses another password',
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
        summary: "List what has happened to a user's sign-in, newest first",
        description:
          'What the user sees, too: sign-ins, failures, proofs, sign-outs and changes of factors, with the address that they came from.',
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
        description: 'The user is signed out everywhere at once, and may sign in again. For a lost laptop, or while something looks wrong.',
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
        summary: 'Get what the admin key may still do',
        description:
          'The admin key is for the beginning of a bank. Outside the sandbox it does nothing any more once three admins of the bank have had a passkey.',
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
        description: 'Including those that were used, revoked or have expired. The URLs are not shown again.',
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

export async function ventureUserRoutes(app: App, people: People): Promise<void> {
  const tags = ['Users']
  const keyOf = (request: { venture: { id: string }; params: { user_id: string } }) => ({
    venture_id: request.venture.id,
    id: request.params.user_id,
  })

  app.post(
    '/venture/users',
    {
      config: {
        access: empowering(
          sensitive(
            adminOfVenture(together('The invited person acts for the venture. It is possible only while the venture has no admin.')),
          ),
        ),
        audit: 'always',
        refusals: ['already_member', 'venture_has_admin', ...fourEyes],
        creates,
        another: { role: 'operator' },
        example: { body: { email: 'joan@acme.example', role: 'viewer' } },
        trial: { fresh: 'email' },
      },
      schema: {
        operationId: 'inviteVentureUser',
        tags,
        summary: 'Invite somebody to the venture',
        description: `The invitation ends after 72 hours. ${shownOnce} ${needsTwo('an invitation by the bank')} ${onlyWithoutAdmin}`,
        body: VentureInvitation,
        response: { 201: LinkWithUrl, 202: ApprovalWithCode },
      },
    },
    async ({ venture, body, actor, companions }, reply) =>
      sendOrWait(reply, await inviteVentureUser(people, venture.id, body, { actor, companions })),
  )

  app.get(
    '/venture/users',
    {
      config: { access: readsOfVenture, refusals: [] },
      schema: {
        operationId: 'listVentureUsers',
        tags,
        summary: 'List the users of the venture, newest first',
        description: 'The people who may act for the venture, with their roles.',
        querystring: UserList,
        response: { 200: Type.Array(VentureUser) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listVentureUsers(people, request.venture.id, request.query)),
  )

  app.get(
    '/venture/users/:user_id',
    {
      config: { access: readsOfVenture, refusals: ['user_not_found'] },
      schema: {
        operationId: 'getVentureUser',
        tags,
        summary: 'Get a user of the venture',
        description: 'A person who may act for the venture, with the role.',
        params,
        response: { 200: VentureUser },
      },
    },
    async (request) => getVentureUser(people, request.venture.id, request.params.user_id),
  )

  app.put(
    '/venture/users/:user_id',
    {
      config: {
        access: empowering(sensitive(adminOfVenture(partly('A higher role needs two people; a lower one protects.')))),
        audit: 'always',
        refusals: ['user_not_found', ...fourEyes],
        example: { body: { role: 'operator' } },
        trial: { fresh: 'member' },
      },
      schema: {
        operationId: 'updateVentureUser',
        tags,
        summary: "Change a user's role in the venture",
        description:
          'Open invitations of the user to the venture end. A higher role ends all sessions of the user. It removes the passkeys only if somebody who ' +
          'is no admin of the venture has let the user in or reset the user alone. With four eyes, the bank gives a higher role, or takes the last active admin from a MANAGED venture, only by two people: the response is then an ' +
          'approval, with status 202.',
        params,
        body: VentureUserUpdate,
        response: { 200: VentureUser, 202: Approval },
      },
    },
    async (request, reply) => {
      const { body, actor, companions } = request
      return sendOrWait(reply, await updateVentureUser(people, keyOf(request), body, { actor, companions }))
    },
  )

  app.delete(
    '/venture/users/:user_id',
    {
      config: {
        access: adminOfVenture(partly('It protects, but taking the last admin out needs two people.')),
        audit: 'always',
        refusals: ['user_not_found', ...fourEyes],
        trial: { fresh: 'member' },
      },
      schema: {
        operationId: 'removeVentureUser',
        tags,
        summary: 'Remove a user from the venture',
        description:
          'It takes effect at once. The user stays a user of other ventures. With four eyes, the bank takes the last active admin from a MANAGED venture only ' +
          'by two people: the response is then an approval, with status 202.',
        params,
        response: { 202: Approval, 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { actor, companions } = request
      const removed = await removeVentureUser(people, keyOf(request), { actor, companions })
      return isApproval(removed) ? reply.code(202).send(removed) : reply.code(204).send(null)
    },
  )

  app.post(
    '/venture/users/:user_id/reset',
    {
      config: {
        access: empowering(
          sensitive(
            adminOfVenture(
              together('The person with the new password acts for the venture. It is possible only while the venture has no other admin.'),
            ),
          ),
        ),
        audit: 'always',
        refusals: ['user_not_found', 'user_elsewhere', 'venture_has_admin', ...fourEyes],
        createsNothing: 'It replaces a link. Whoever lost the response has to ask for another.',
      },
      schema: {
        operationId: 'resetVentureUser',
        tags,
        summary: 'Make a link with which a user of the venture chooses another password',
        description: `Only for a user who belongs to this venture alone; the bank may do it for users of several ventures, but not for its own. The link ends after an hour. Using it ends all sessions of the user and removes all passkeys. ${shownOnce} ${needsTwo('a reset by the bank')} ${onlyWithoutAdmin}`,
        params,
        response: { 201: LinkWithUrl, 202: ApprovalWithCode },
      },
    },
    async (request, reply) => {
      const { actor, companions } = request
      return sendOrWait(reply.code(201), await resetVentureUser(people, keyOf(request), { actor, companions }))
    },
  )

  app.delete(
    '/venture/users/:user_id/sessions',
    {
      config: {
        access: adminOfVenture(alone('It protects.')),
        audit: 'always',
        refusals: ['user_not_found', 'user_elsewhere'],
        trial: { fresh: 'member' },
      },
      schema: {
        operationId: 'endVentureUserSessions',
        tags,
        summary: 'End all sessions of a user of the venture',
        description:
          'The user is signed out everywhere at once, and may sign in again. A venture cannot do it to somebody who works at the bank, too.',
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { actor, companions } = request
      await endVentureUserSessions(people, keyOf(request), { actor, companions })
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/venture/invitations',
    {
      config: { access: readsOfVenture, refusals: [] },
      schema: {
        operationId: 'listVentureInvitations',
        tags,
        summary: 'List invitations to the venture, newest first',
        description: 'Including those that were used, revoked or have expired. The URLs are not shown again.',
        querystring: UserList,
        response: { 200: Type.Array(Link) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listInvitations(people, request.venture.id, request.query)),
  )

  app.post(
    '/venture/invitations/:invitation_id/revoke',
    {
      config: {
        access: adminOfVenture(alone('It protects.')),
        audit: 'always',
        refusals: ['link_not_found', 'link_expired'],
        createsNothing: 'An invitation is revoked once.',
        trial: { fresh: 'invitation' },
      },
      schema: {
        operationId: 'revokeVentureInvitation',
        tags,
        summary: 'Revoke an invitation to the venture',
        description: 'The link stops working at once. A link that was used cannot be revoked.',
        params: invitationParams,
        response: { 200: Link },
      },
    },
    async ({ venture, params, companions }) => revokeInvitation(people, venture.id, params.invitation_id, companions),
  )
}
