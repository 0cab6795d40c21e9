// The HTTP routes of the request log: of one venture, and of all ventures for the operator.
import { Type } from 'typebox'
import { readsAtBank, readsOfVenture } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { LoggedRequest, OperatorLoggedRequest, OperatorRequestList, RequestList } from './requests.schemas.ts'
import { getRequest, getRequestOfAnyVenture, listRequests, listRequestsOfAllVentures, type Requests } from './requests.ts'

const tags = ['Request log']
const bankTags = ['Request log (bank)']
const params = PathId('logged_request_id')

const kept =
  'Requests to the API are kept for seven days if the log is on (`REQUEST_LOG`); while it is off, a list that would be empty is refused. They ' +
  'appear a moment after their response. The log contains neither paths nor queries, bodies or addresses.'

export async function requestRoutes(app: App, requests: Requests): Promise<void> {
  const { database } = requests
  app.get(
    '/requests',
    {
      config: {
        access: { ...readsOfVenture, scopes: ['read'] },
        refusals: ['request_log_off'],
        trial: { kinds: { request_id: 'label' } },
      },
      schema: {
        operationId: 'listRequests',
        tags,
        summary: 'List the requests of the venture, newest first',
        description: `${kept} A venture sees what was sent with its keys and by its people.`,
        querystring: RequestList,
        response: { 200: Type.Array(LoggedRequest) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listRequests(requests, request.venture.id, request.query)),
  )

  app.get(
    '/requests/:logged_request_id',
    {
      config: { access: { ...readsOfVenture, scopes: ['read'] }, refusals: ['request_not_found'] },
      schema: {
        operationId: 'getRequest',
        tags,
        summary: 'Get a request from the log',
        description: 'By the id of the entry, not by the `request_id` that the caller may have chosen.',
        params,
        response: { 200: LoggedRequest },
      },
    },
    async (request) => getRequest(database, request.venture.id, request.params.logged_request_id),
  )

  app.get(
    '/operator/requests',
    {
      config: {
        access: readsAtBank,
        refusals: ['request_log_off'],
        trial: { kinds: { venture_id: 'filter', request_id: 'filter' } },
      },
      schema: {
        operationId: 'listRequestsOfAllVentures',
        tags: bankTags,
        summary: 'List the requests of all ventures, newest first',
        description: `${kept} Requests without a valid key, and those of the bank's own people, appear only in this list.`,
        querystring: OperatorRequestList,
        response: { 200: Type.Array(OperatorLoggedRequest) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listRequestsOfAllVentures(requests, request.query)),
  )

  app.get(
    '/operator/requests/:logged_request_id',
    {
      config: { access: readsAtBank, refusals: ['request_not_found'] },
      schema: {
        operationId: 'getRequestOfAnyVenture',
        tags: bankTags,
        summary: 'Get a request of any venture from the log',
        description: 'By the id of the entry, not by the `request_id` that the caller may have chosen.',
        params,
        response: { 200: OperatorLoggedRequest },
      },
    },
    async (request) => getRequestOfAnyVenture(database, request.params.logged_request_id),
  )
}
