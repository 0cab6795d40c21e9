// The schemas of ventures in requests and responses.
import { type Static, Type } from 'typebox'
import { Body, Choice, GivenTime, Id, Name, Nullable, OptionalField, Paging, Query, Resource, Timestamp } from '../platform/http/schemas.ts'
import { scopes } from './ventures.scopes.ts'

export const VentureStatus = Choice(['ACTIVE', 'DISABLED'])

export const controls = ['OPEN', 'MANAGED'] as const
export type Control = (typeof controls)[number]
const Control = Choice(controls, {
  description:
    "Who processes the venture's transfers. OPEN: the venture makes every move itself. MANAGED: the venture orders, the bank processes.",
})

const fields = {
  id: Id,
  name: Type.String(),
  status: VentureStatus,
  control: Control,
  api_key_prefix: Nullable(
    Type.String({
      description: 'The first twelve characters of the API key; of several keys, of the oldest valid one. Null without a valid key.',
    }),
  ),
  created_at: Timestamp,
}

export const Venture = Resource('Venture', fields)
export type Venture = Static<typeof Venture>

export const VentureWithKey = Resource('VentureWithKey', {
  ...fields,
  api_key: Type.String({ description: 'The API key. It is shown only once; only its SHA-256 hash is stored.' }),
})
export type VentureWithKey = Static<typeof VentureWithKey>

export const VentureRegistration = Body('VentureRegistration', { name: Name, control: Type.Optional(Control) })
export type VentureRegistration = Static<typeof VentureRegistration>

export const VentureUpdate = Body('VentureUpdate', {
  name: Type.Optional(Name),
  status: Type.Optional(VentureStatus),
  control: Type.Optional(Control),
})
export type VentureUpdate = Static<typeof VentureUpdate>

export const VentureList = Query(Paging)
export type VentureList = Static<typeof VentureList>

const Scopes = Type.Array(Choice(scopes), {
  minItems: 1,
  maxItems: scopes.length,
  uniqueItems: true,
  description:
    'What the key may be used for. `clients`, `accounts`, `transfers`, `payments` and `webhooks` change and read their area; `transfers` includes ' +
    'beneficiaries, and `webhooks` includes events. `sign` moves transfers to SIGNED. `read` reads all areas.',
})

const keyFields = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'The first twelve characters of the key.' }),
  scopes: Scopes,
  expires_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
  last_used_at: Nullable(Type.String({ format: 'date-time', description: 'Written at most once a minute.' })),
  created_at: Timestamp,
}

export const ApiKey = Resource('ApiKey', keyFields)
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyWithSecret = Resource('ApiKeyWithSecret', {
  ...keyFields,
  api_key: Type.String({ description: 'The API key. It is shown only once; only its SHA-256 hash is stored.' }),
})
export type ApiKeyWithSecret = Static<typeof ApiKeyWithSecret>

export const NewApiKey = Body('NewApiKey', { name: Name, scopes: Scopes, expires_at: OptionalField(GivenTime) })
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeyUpdate = Body('ApiKeyUpdate', { name: Name })
export type ApiKeyUpdate = Static<typeof ApiKeyUpdate>

export const ApiKeyList = Query(Paging)
export type ApiKeyList = Static<typeof ApiKeyList>
