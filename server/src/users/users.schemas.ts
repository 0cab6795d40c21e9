// The schemas of people, sessions and links in requests and responses.
import { type Static, Type } from 'typebox'
import { Body, Choice, Email, Formed, Id, Name, Nullable, Paging, Query, Resource, Timestamp } from '../platform/http/schemas.ts'
import { bankRoles, ventureRoles } from './users.access.ts'

export const UserStatus = Choice(['ACTIVE', 'DISABLED'])
export const BankRole = Choice(bankRoles)
export const VentureRole = Choice(ventureRoles)

const Password = Type.String({ minLength: 1, maxLength: 1_024, description: 'At least 12 characters.' })

const person = { id: Id, email: Type.String(), name: Type.String(), status: UserStatus }

export const User = Resource('User', {
  ...person,
  bank_role: Nullable(BankRole),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type User = Static<typeof User>

export const VentureUser = Resource('VentureUser', { ...person, role: VentureRole, created_at: Timestamp })
export type VentureUser = Static<typeof VentureUser>

export const UserList = Query(Paging)
export type UserList = Static<typeof UserList>

export const BankUserUpdate = Body('UserUpdate', {
  status: Type.Optional(UserStatus),
  bank_role: Type.Optional(Nullable(BankRole)),
})
export type BankUserUpdate = Static<typeof BankUserUpdate>

export const VentureUserUpdate = Body('VentureUserUpdate', { role: VentureRole })
export type VentureUserUpdate = Static<typeof VentureUserUpdate>

export const BankInvitation = Body('NewBankInvitation', { email: Email, role: BankRole })
export type BankInvitation = Static<typeof BankInvitation>

export const VentureInvitation = Body('NewVentureInvitation', { email: Email, role: VentureRole })
export type VentureInvitation = Static<typeof VentureInvitation>

const linkFields = {
  id: Id,
  kind: Choice(['SET_UP', 'INVITATION', 'RESET']),
  email: Nullable(Type.String()),
  role: Nullable(Type.String()),
  created_at: Timestamp,
  expires_at: Timestamp,
  used_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
}

export const Link = Resource('Link', linkFields)
export type Link = Static<typeof Link>

export const LinkWithUrl = Resource('LinkWithUrl', {
  ...linkFields,
  url: Type.String({ description: 'For the person to open. It is shown only once, works once, and is not sent by the service.' }),
})
export type LinkWithUrl = Static<typeof LinkWithUrl>

export const LinkUse = Body('LinkUse', {
  secret: Formed('^[A-Za-z0-9_-]{43}$', 'must be the part of the link after #'),
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The code that belongs to the link, if two people of the bank made it together.',
    }),
  ),
  email: Type.Optional(Email),
  name: Type.Optional(Name),
  password: Type.Optional(Password),
})
export type LinkUse = Static<typeof LinkUse>

export const UsedLink = Resource('UsedLink', { kind: linkFields.kind, user_id: Id, email: Type.String() })
export type UsedLink = Static<typeof UsedLink>

export const SignIn = Body('SignIn', { email: Email, password: Password })
export type SignIn = Static<typeof SignIn>

export const PasswordProof = Body('PasswordProof', { password: Password })

export const PasswordChange = Body('PasswordChange', { new_password: Password })

export const Session = Resource('Session', {
  id: Id,
  user: Type.Object({ id: Id, email: Type.String(), name: Type.String() }),
  bank_role: Nullable(BankRole),
  memberships: Type.Array(Type.Object({ venture_id: Id, role: VentureRole })),
  by_passkey: Type.Boolean({ description: 'Whether the person signed in or proved who they are with a passkey.' }),
  created_at: Timestamp,
  authenticated_at: Timestamp,
  expires_at: Timestamp,
})
export type Session = Static<typeof Session>

export const Passkey = Resource('Passkey', { id: Id, name: Type.String(), created_at: Timestamp, last_used_at: Nullable(Timestamp) })
export type Passkey = Static<typeof Passkey>

/** Options and credentials of WebAuthn have the JSON form that browsers read and write. */
export const PasskeyOptions = Type.Object({ challenge: Type.String() }, { title: 'PasskeyOptions', additionalProperties: true })

const Credential = Type.Object(
  {},
  { additionalProperties: true, description: 'The credential of the browser as JSON (PublicKeyCredential.toJSON()).' },
)

export const PasskeyRegistration = Body('PasskeyRegistration', { name: Name, credential: Credential })
export type PasskeyRegistration = Static<typeof PasskeyRegistration>

export const PasskeyProof = Body('PasskeyProof', { credential: Credential })
export type PasskeyProof = Static<typeof PasskeyProof>

const Base64Url = (most: number) => Formed('^[A-Za-z0-9_-]+$', 'must be base64url', { maxLength: most })

const credential = { id: Base64Url(1_400), rawId: Base64Url(1_400), type: Choice(['public-key']) }

/** What the service reads of a new credential. */
export const NewCredential = Type.Object({
  ...credential,
  response: Type.Object({ clientDataJSON: Base64Url(10_000), attestationObject: Base64Url(20_000) }),
})
export type NewCredential = Static<typeof NewCredential>

/** What the service reads of a credential that signed a challenge. */
export const UsedCredential = Type.Object({
  ...credential,
  response: Type.Object({ clientDataJSON: Base64Url(10_000), authenticatorData: Base64Url(10_000), signature: Base64Url(10_000) }),
})
export type UsedCredential = Static<typeof UsedCredential>
