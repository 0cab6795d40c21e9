// The schemas of ventures in requests and responses.
import { type Static, Type } from 'typebox'
import { scopes } from '../platform/http/access.ts'
import {
  Body,
  Choice,
  CreatedAt,
  described,
  GivenTime,
  Id,
  Name,
  Nullable,
  OptionalField,
  Paging,
  Query,
  Resource,
  Timestamp,
} from '../platform/http/schemas.ts'

export const VentureStatus = Choice(['ACTIVE', 'DISABLED'], {
  description: 'DISABLED: all keys of the venture get 401, and its people cannot act for it.',
})

export const controls = ['OPEN', 'MANAGED'] as const
export type Control = (typeof controls)[number]
const Control = Choice(controls, {
  description:
    "Who processes the venture's transfers. OPEN: the venture makes every move itself. MANAGED: the venture orders transfers, and the bank processes them.",
})

const fields = {
  id: described(Id, 'The id of the venture. The service assigns it.'),
  name: Type.String({ description: 'The name of the venture.' }),
  status: VentureStatus,
  control: Control,
  api_key_prefix: Nullable(
    Type.String({
      description: 'The first twelve characters of the oldest valid API key; null if there is none.',
    }),
  ),
  created_at: CreatedAt,
}

export const Venture = Resource('Venture', fields, 'A company that offers accounts and payments with this service.')
export type Venture = Static<typeof Venture>

export const VentureWithKey = Resource('VentureWithKey', {
  ...fields,
  api_key: Type.String({ description: 'The API key. It is shown only once; only its SHA-256 hash is stored.' }),
})
export type VentureWithKey = Static<typeof VentureWithKey>

export const VentureRegistration = Body('VentureRegistration', {
  name: described(Name, 'The name of the venture, at most 140 characters.'),
  control: Type.Optional(Control),
})
export type VentureRegistration = Static<typeof VentureRegistration>

export const VentureUpdate = Body('VentureUpdate', {
  name: Type.Optional(described(Name, 'The new name of the venture, at most 140 characters.')),
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
  id: described(Id, 'The id of the key. It is not a secret.'),
  name: Type.String({ description: 'What the key is for, in the words of the person who created it.' }),
  prefix: Type.String({ description: 'The first twelve characters of the key.' }),
  scopes: Scopes,
  expires_at: Nullable(described(Timestamp, 'When the key stops working, in UTC; null if it does not expire.')),
  seen_by_bank: Type.Boolean({
    description:
      'Whether the bank has seen the key, because the bank created it or it was created with such a key. Outside the sandbox, such a key can order ' +
      'nothing in a MANAGED venture.',
  }),
  revoked_at: Nullable(described(Timestamp, 'When the key was revoked, in UTC; null while it works.')),
  last_used_at: Nullable(Type.String({ format: 'date-time', description: 'Updated at most once a minute.' })),
  created_at: CreatedAt,
}

export const ApiKey = Resource('ApiKey', keyFields)
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyWithSecret = Resource('ApiKeyWithSecret', {
  ...keyFields,
  api_key: Type.String({ description: 'The API key. It is shown only once; only its SHA-256 hash is stored.' }),
})
export type ApiKeyWithSecret = Static<typeof ApiKeyWithSecret>

export const NewApiKey = Body('NewApiKey', {
  name: described(Name, 'What the key is for, such as the name of the program that uses it.'),
  scopes: Scopes,
  expires_at: OptionalField(described(GivenTime, 'When the key stops working. It does not expire if this is absent or null.')),
})
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeyUpdate = Body('ApiKeyUpdate', { name: described(Name, 'The new name of the key.') })
export type ApiKeyUpdate = Static<typeof ApiKeyUpdate>

export const ApiKeyList = Query(Paging)
export type ApiKeyList = Static<typeof ApiKeyList>
