// The HTTP routes of people for the admins of ventures.
import { Type } from 'typebox'
import { Approval, ApprovalWithCode, fourEyes, isApproval, sendOrWait } from '../audit/audit.ts'
import { adminOfVenture, alone, empowering, partly, readsOfVenture, sensitive, together } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { needsTwo, onlyWithoutAdmin, shownOnce } from './users.links.words.ts'
import {
  endVentureUserSessions,
  getVentureUser,
  inviteVentureUser,
  listInvitations,
  listVentureUsers,
  type People,
  removeVentureUser,
  resetVentureUser,
  revokeInvitation,
  updateVentureUser,
} from './users.people.ts'
import { Link, LinkWithUrl, UserList, VentureInvitation, VentureUser, VentureUserUpdate } from './users.schemas.ts'

const params = PathId('user_id')
const invitationParams = PathId('invitation_id')
const creates = { answer: 'secret' } as const

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
        summary: 'Invite a person to the venture',
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
        description: 'A person who may act for the venture, with their role.',
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
          'Open invitations of the user to the venture end. A higher role ends all sessions of the user. It removes the passkeys only if a person ' +
          'who is not an admin of the venture has invited or reset the user alone. With four-eyes approval, it takes two people of the bank to ' +
          'give a higher role, or to demote the last active admin of a MANAGED venture: the response is then an approval, with status 202.',
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
        access: adminOfVenture(partly('It protects, but removing the last admin needs two people.')),
        audit: 'always',
        refusals: ['user_not_found', ...fourEyes],
        trial: { fresh: 'member' },
      },
      schema: {
        operationId: 'removeVentureUser',
        tags,
        summary: 'Remove a user from the venture',
        description:
          'It takes effect at once. The user stays a user of other ventures. With four-eyes approval, it takes two people of the bank to remove ' +
          'the last active admin of a MANAGED venture: the response is then an approval, with status 202.',
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
        createsNothing: 'It replaces a link. If the response is lost, create another link.',
      },
      schema: {
        operationId: 'resetVentureUser',
        tags,
        summary: 'Create a link for a user of the venture to reset the password',
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
          'The user is signed out everywhere at once, and may sign in again. A venture cannot do this to a user who also works at the bank.',
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
        description: 'Includes used, revoked and expired invitations. The URLs are not shown again.',
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
