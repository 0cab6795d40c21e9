// The schemas of bank keys in requests and responses.
import { type Static, Type } from 'typebox'
import { bankKeyScopes } from '../platform/http/access.ts'
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

const Scope = Choice(bankKeyScopes, {
  description:
    'What the key may be used for. payees: answers which other banks ask for (`POST /vop/requests`). lists: importing versions of watch lists, which two ' +
    'people activate. metrics: reading `/metrics`.',
})

const fields = {
  id: described(Id, 'The id of the key. It is not a secret.'),
  name: Type.String({ description: 'What the key is for, in the words of the person who created it.' }),
  prefix: Type.String({ description: 'The first twelve characters of the key.' }),
  scope: Scope,
  expires_at: Nullable(described(Timestamp, 'When the key stops working, in UTC; null if it does not expire.')),
  revoked_at: Nullable(described(Timestamp, 'When the key was revoked, in UTC; null while it works.')),
  last_used_at: Nullable(Type.String({ format: 'date-time', description: 'Updated at most once a minute.' })),
  created_at: CreatedAt,
}

export const BankKey = Resource('BankKey', fields, 'A key that lets a connector of the bank do one thing.')
export type BankKey = Static<typeof BankKey>

export const BankKeyWithSecret = Resource('BankKeyWithSecret', {
  ...fields,
  api_key: Type.String({ description: 'The key. It is shown only once; only its SHA-256 hash is stored.' }),
})
export type BankKeyWithSecret = Static<typeof BankKeyWithSecret>

export const NewBankKey = Body('NewBankKey', {
  name: described(Name, 'What the key is for, such as the name of the program that uses it.'),
  scope: Scope,
  expires_at: OptionalField(described(GivenTime, 'When the key stops working. It does not expire if this is absent or null.')),
})
export type NewBankKey = Static<typeof NewBankKey>

export const BankKeyList = Query(Paging)
export type BankKeyList = Static<typeof BankKeyList>
