// The schemas of ventures in requests and responses.
import { type Static, Type } from 'typebox'
import { Body, Choice, Id, Name, Paging, Query, Resource, Timestamp } from '../platform/http/schemas.ts'

export const VentureStatus = Choice(['ACTIVE', 'DISABLED'])

const fields = {
  id: Id,
  name: Type.String(),
  status: VentureStatus,
  api_key_prefix: Type.String({ description: 'The first twelve characters of the API key.' }),
  created_at: Timestamp,
}

export const Venture = Resource('Venture', fields)
export type Venture = Static<typeof Venture>

export const VentureWithKey = Resource('VentureWithKey', {
  ...fields,
  api_key: Type.String({ description: 'The API key. It is shown only once; only its SHA-256 hash is stored.' }),
})
export type VentureWithKey = Static<typeof VentureWithKey>

export const VentureRegistration = Body('VentureRegistration', { name: Name })
export type VentureRegistration = Static<typeof VentureRegistration>

export const VentureUpdate = Body('VentureUpdate', { name: Type.Optional(Name), status: Type.Optional(VentureStatus) })
export type VentureUpdate = Static<typeof VentureUpdate>

export const VentureList = Query(Paging)
export type VentureList = Static<typeof VentureList>
