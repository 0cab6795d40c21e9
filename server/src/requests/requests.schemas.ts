// The schemas of the request log.
import { type Static, Type } from 'typebox'
import { actorKinds } from '../platform/actor.ts'
import { Choice, Dates, described, Formed, Id, Nullable, Paging, Query, Resource, ShortText, Timestamp } from '../platform/http/schemas.ts'

const fields = {
  id: described(Id, 'The id of this row of the log, not the `request_id`.'),
  at: Type.String({ ...Timestamp, description: 'When the response was sent.' }),
  method: Type.String({ description: 'The HTTP method.' }),
  route: Nullable(
    Type.String({
      description:
        'The path of the operation in the contract, such as `/api/v1/transfers/{transfer_id}`; null if no operation has the path.',
    }),
  ),
  status: Type.Integer({ description: 'The HTTP status of the response.' }),
  code: Nullable(Type.String({ description: 'Why the request was refused: the `code` of the problem in the response.' })),
  duration_ms: Type.Number({ description: 'How long the response took, in milliseconds.' }),
  actor: Nullable(
    Choice(actorKinds, {
      description:
        'The caller: a key of the venture (`venture`), a person of the venture (`user`), the bank (`operator`) or a partner of the ' +
        'bank (`connector`); null without a valid key or session.',
    }),
  ),
  key_prefix: Nullable(Type.String({ description: 'The first 12 characters of the API key, if the request had one.' })),
  request_id: Type.String({
    description: 'The `X-Request-Id` of the response. Callers can choose it, so several requests may have the same one.',
  }),
}

export const LoggedRequest = Resource('LoggedRequest', fields)
export type LoggedRequest = Static<typeof LoggedRequest>

export const OperatorLoggedRequest = Resource('OperatorLoggedRequest', {
  venture_id: Type.String({
    format: 'uuid',
    description: 'The venture whose key or person sent the request. The zero id stands for the bank, and for requests without a valid key.',
  }),
  ...fields,
})
export type OperatorLoggedRequest = Static<typeof OperatorLoggedRequest>

/** The methods of the routes. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const

const filters = {
  request_id: Type.Optional(
    Formed('^[A-Za-z0-9._:-]{1,128}$', 'must be a request id: letters, digits and . _ : - only, at most 128 characters', {
      description: 'Returns only requests with this `X-Request-Id`.',
    }),
  ),
  method: Type.Optional(Choice(methods, { description: 'Returns only requests with this HTTP method.' })),
  route: Type.Optional(
    Type.String({
      ...ShortText,
      description: 'Returns only requests for this path of the contract, such as `/api/v1/transfers/{transfer_id}`.',
    }),
  ),
  status: Type.Optional(
    Formed('^[1-5](\\d\\d|xx)$', 'must be an HTTP status, such as 404, or a class of them, such as 4xx', {
      description: 'Returns only requests with this HTTP status, such as `404`, or with one of a class, such as `4xx`.',
    }),
  ),
  code: Type.Optional(Type.String({ ...ShortText, description: 'Returns only requests that were refused with this code.' })),
  key_prefix: Type.Optional(
    Type.String({ ...ShortText, description: 'Returns only requests with the API key that begins with these 12 characters.' }),
  ),
  ...Dates,
}

export const RequestList = Query({ ...filters, ...Paging })
export type RequestList = Static<typeof RequestList>

export const OperatorRequestList = Query({
  venture_id: Type.Optional(
    Type.String({
      ...Id,
      description: 'Returns only requests of this venture. The zero id stands for the bank, and for requests without a valid key.',
    }),
  ),
  ...filters,
  ...Paging,
})
export type OperatorRequestList = Static<typeof OperatorRequestList>
