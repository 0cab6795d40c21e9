// The schemas of people, sessions and links in requests and responses.
import { type Static, Type } from 'typebox'
import { bankRoles, ventureRoles } from '../platform/http/access.ts'
import {
  Body,
  Choice,
  CreatedAt,
  CurrencyShown,
  described,
  Email,
  Formed,
  Id,
  Name,
  Nullable,
  Paging,
  Query,
  Resource,
  ShortText,
  Timestamp,
  UpdatedAt,
} from '../platform/http/schemas.ts'
import { type AdminKeyScope, type AdminKeyStep, adminKeyScopes, adminKeySteps } from './users.adminkey.rules.ts'

export const UserStatus = Choice(['ACTIVE', 'DISABLED'], {
  description: 'DISABLED: the person cannot sign in, and all sessions have ended.',
})
export const BankRole = Choice(bankRoles, {
  description:
    'The role at the bank. admin: everything. operator: daily work. auditor: reading. Null for a person who does not work there.',
})
export const VentureRole = Choice(ventureRoles, {
  description:
    'The role in the venture. admin: everything, including keys and users. operator: clients, accounts and money. viewer: reading.',
})

const Password = Type.String({ minLength: 1, maxLength: 1_024, description: 'At least 12 characters.' })

const person = {
  id: described(Id, 'The id of the user. The service assigns it.'),
  email: Type.String({ description: 'The email address that the person signs in with.' }),
  name: Type.String({ description: 'The name of the person.' }),
  status: UserStatus,
}

export const User = Resource('User', {
  ...person,
  bank_role: Nullable(BankRole),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})
export type User = Static<typeof User>

export const VentureUser = Resource('VentureUser', { ...person, role: VentureRole, created_at: CreatedAt })
export type VentureUser = Static<typeof VentureUser>

const steps = Object.keys(adminKeySteps) as AdminKeyStep[]
const scopes = Object.keys(adminKeyScopes) as AdminKeyScope[]

export const AdminKey = Resource('AdminKey', {
  may: Choice(steps, {
    description:
      'What the admin key may do. EVERYTHING: what an admin of the bank may do alone, as in the sandbox. THIRD_ADMIN: invite the third admin of the ' +
      'bank. NOTHING: it is retired.',
  }),
  admins_with_passkey: Type.Integer({ description: 'How many active admins of the bank have a passkey now.' }),
  admins_needed: Type.Integer({ description: 'The number of such admins at which the admin key is retired.' }),
  steps: Type.Array(
    Type.Object({
      step: Choice(steps, { description: 'What the admin key could still do from then on.' }),
      at: described(Timestamp, 'When this step was first reached, in UTC.'),
    }),
    { description: 'The recorded steps, in order. They stay, even if an admin loses a passkey later.' },
  ),
  scopes: Type.Array(Choice(scopes), { description: 'What the setting `ADMIN_API_KEY_SCOPE` additionally allows the admin key.' }),
  set_up_reopened: Type.Array(described(Timestamp, 'When the service was started, in UTC.'), {
    description:
      'The last twenty starts with `ADMIN_API_KEY_SCOPE=set-up`, newest first. After each of them, the admin key could add another admin.',
  }),
  related_days: Type.Integer({
    description:
      'For how many days an admin whom the admin key has added counts as related to everyone who was at the bank, unless the bank was being set up.',
  }),
  next_is_related: Type.Boolean({
    description:
      'Whether this applies to the next admin whom the admin key adds, with an invitation, or with a set-up link if the key is retired. It ' +
      'applies once the bank has had three people, or if one of them has left or is disabled, and with a set-up link, once it has had anyone at ' +
      'all.',
  }),
})
export type AdminKey = Static<typeof AdminKey>

export const UserList = Query(Paging)
export type UserList = Static<typeof UserList>

export const BankUserUpdate = Body('UserUpdate', {
  status: Type.Optional(UserStatus),
  bank_role: Type.Optional(Nullable(BankRole)),
})
export type BankUserUpdate = Static<typeof BankUserUpdate>

export const VentureUserUpdate = Body('VentureUserUpdate', { role: VentureRole })
export type VentureUserUpdate = Static<typeof VentureUserUpdate>

export const BankInvitation = Body('NewBankInvitation', {
  email: described(Email, 'The email address of the person. The service sends no email, so pass the link on yourself.'),
  role: BankRole,
})
export type BankInvitation = Static<typeof BankInvitation>

export const VentureInvitation = Body('NewVentureInvitation', {
  email: described(Email, 'The email address of the person. The service sends no email, so pass the link on yourself.'),
  role: VentureRole,
})
export type VentureInvitation = Static<typeof VentureInvitation>

const linkFields = {
  id: described(Id, 'The id of the link. It is not a secret.'),
  kind: Choice(['SET_UP', 'INVITATION', 'RESET'], {
    description: 'SET_UP: creates the first admin of the bank. INVITATION: adds a person. RESET: lets a person choose a new password.',
  }),
  email: Nullable(
    Type.String({ description: 'The email address of the person that the link is for; null for the set-up, where the person chooses it.' }),
  ),
  role: Nullable(Type.String({ description: 'The role that an invitation gives; null for the other kinds.' })),
  created_at: CreatedAt,
  expires_at: described(Timestamp, 'The time until which the link works, in UTC.'),
  used_at: Nullable(described(Timestamp, 'When the link was used, in UTC; null until then.')),
  revoked_at: Nullable(described(Timestamp, 'When the link was revoked, in UTC; null if it was not.')),
}

export const Link = Resource('Link', linkFields)
export type Link = Static<typeof Link>

export const LinkWithUrl = Resource('LinkWithUrl', {
  ...linkFields,
  url: Type.String({ description: 'The URL for the person to open. It is shown only once, works once, and is not sent by the service.' }),
})
export type LinkWithUrl = Static<typeof LinkWithUrl>

export const LinkUse = Body('LinkUse', {
  secret: Formed('^[A-Za-z0-9_-]{43}$', 'must be the part of the link after #', { description: 'The part of the link after `#`.' }),
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The code that belongs to the link, if two people of the bank created it together.',
    }),
  ),
  email: Type.Optional(described(Email, 'The email address of the first admin. Only with a set-up link.')),
  name: Type.Optional(described(Name, 'The name of the person. Required for a new person.')),
  password: Type.Optional(Password),
})
export type LinkUse = Static<typeof LinkUse>

export const UsedLink = Resource('UsedLink', {
  kind: linkFields.kind,
  user_id: described(Id, 'The user who now exists, or whose password has changed.'),
  email: Type.String({ description: 'The email address that the user signs in with.' }),
})
export type UsedLink = Static<typeof UsedLink>

const pairFields = {
  one_id: described(Id, 'A person of the bank.'),
  other_id: described(Id, 'Another person of the bank. The order of the two does not matter.'),
}

export const PairClearing = Resource(
  'PairClearing',
  {
    id: described(Id, 'The id of the clearing. The service assigns it.'),
    ...pairFields,
    reason: Type.String({ description: 'Why the two may approve for each other.' }),
    cleared_by: described(Id, 'The admin who has cleared the pair.'),
    cleared_at: described(Timestamp, 'When the pair was cleared, in UTC.'),
    taken_back_by: Nullable(described(Id, 'The person who has revoked the clearing; null for the admin key, and until then.')),
    taken_back_at: Nullable(described(Timestamp, 'When the clearing was revoked, in UTC; null until then.')),
  },
  "A permission for two related people to approve each other's requests.",
)
export type PairClearing = Static<typeof PairClearing>

export const NewPairClearing = Body('NewPairClearing', {
  ...pairFields,
  reason: described(ShortText, 'Why the two may approve for each other.'),
})
export type NewPairClearing = Static<typeof NewPairClearing>

export const Pair = Resource('Pair', {
  ...pairFields,
  approvals: Type.Integer({ description: "How many of each other's requests they have approved in the last 90 days." }),
  totals: Type.Array(
    Type.Object({ currency: CurrencyShown, amount: Type.String({ description: 'The sum of the amounts in this currency.' }) }),
    { description: 'The total of those approvals that have an amount, one sum for each currency.' },
  ),
  last_approved_at: Nullable(described(Timestamp, 'When the last of them was approved, in UTC; null if there is none.')),
  relation: Choice(['NONE', 'RELATED', 'CLEARED'], {
    description:
      "NONE: the two are not related. RELATED: they count as one person, so neither can approve the other's requests. CLEARED: they are related, " +
      'but a third admin has cleared them.',
  }),
  related_by: Type.Array(Choice(['INVITATION', 'RESET', 'ROLE', 'SAME_PERSON', 'ADMIN_KEY']), {
    description:
      "How the two are related, whether cleared or not. INVITATION: one of them has invited the other. RESET: one has reset the other's access. " +
      'ROLE: one has given the other a role or restored their access. SAME_PERSON: one person, or the admin key, has added both to a venture or ' +
      'reset them alone. ADMIN_KEY: the admin key has added one of them within the last seven days, while the other was already there. Approving ' +
      'such an act counts like doing it.',
  }),
  clearing: Nullable(PairClearing),
  can_be_cleared: Type.Boolean({
    description:
      'Whether the caller, if an admin, may clear the two now: the two are related, both still belong to the bank, and the caller is related ' +
      'to neither of them.',
  }),
})
export type Pair = Static<typeof Pair>

export const PairList = Query({
  currency: Type.Optional(
    Type.String({
      format: 'currency',
      transform: 'upper',
      default: 'EUR',
      description: 'The pairs with the highest totals in this currency are listed first.',
    }),
  ),
})
export type PairList = Static<typeof PairList>

export const SignIn = Body('SignIn', {
  email: described(Email, 'The email address of the user.'),
  password: described(Password, 'The password of the user.'),
})
export type SignIn = Static<typeof SignIn>

export const PasswordProof = Body('PasswordProof', { password: described(Password, 'The password of the signed-in person.') })

export const PasswordChange = Body('PasswordChange', { new_password: described(Password, 'The new password: at least 12 characters.') })

export const Session = Resource('Session', {
  id: described(Id, 'The id of the session, which is not the secret in the cookie.'),
  user: Type.Object(
    {
      id: described(Id, 'The id of the user.'),
      email: Type.String({ description: 'The email address of the user.' }),
      name: Type.String({ description: 'The name of the user.' }),
    },
    { description: 'The signed-in person.' },
  ),
  bank_role: Nullable(BankRole),
  memberships: Type.Array(Type.Object({ venture_id: described(Id, 'The venture.'), role: VentureRole }), {
    description: 'The ventures that the person may act for.',
  }),
  by_passkey: Type.Boolean({ description: 'Whether the person signed in or reauthenticated with a passkey.' }),
  has_passkey: Type.Boolean({ description: 'Whether the person has registered a passkey, which reauthentication then requires.' }),
  passkey_required: Type.Boolean({
    description: "Whether this session can only register a passkey, or use the person's existing one.",
  }),
  created_at: CreatedAt,
  authenticated_at: described(
    Timestamp,
    'When the person last authenticated, in UTC. Sensitive operations require that within the last ten minutes.',
  ),
  expires_at: described(Timestamp, 'When the session ends at the latest, in UTC. Without use, it ends after 30 minutes.'),
  has_verifier: Type.Boolean({
    description: 'Whether a verifier opens applications for clients; false outside the sandbox without `VERIFIER`.',
  }),
  clock_ahead_s: Nullable(
    Type.Integer({
      description: 'How many seconds the clock of the service is ahead of real time, which sessions follow; null outside the sandbox.',
    }),
  ),
})
export type Session = Static<typeof Session>

export const OwnSession = Resource('OwnSession', {
  id: described(Id, 'The id of the session, which is not the secret in the cookie.'),
  current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  by_passkey: Type.Boolean({ description: 'Whether the person signed in or reauthenticated with a passkey.' }),
  created_at: CreatedAt,
  authenticated_at: described(Timestamp, 'When the person last authenticated, in UTC.'),
  last_seen_at: described(Timestamp, 'When it was last used, in UTC, accurate to about a minute.'),
  expires_at: described(Timestamp, 'When the session ends at the latest, in UTC. Without use, it ends after 30 minutes.'),
})
export type OwnSession = Static<typeof OwnSession>

export const SignInRecord = Resource('SignInRecord', {
  id: described(Id, 'The id of the entry.'),
  what: Choice(
    [
      'SIGNED_IN',
      'SIGN_IN_FAILED',
      'SIGN_IN_THROTTLED',
      'PROVED',
      'PROOF_FAILED',
      'SIGNED_OUT',
      'SESSION_ENDED',
      'SESSIONS_ENDED',
      'PASSWORD_CHANGED',
      'PASSWORD_RESET',
      'PASSKEY_ADDED',
      'PASSKEY_REMOVED',
    ],
    {
      description:
        'What has happened. SIGN_IN_THROTTLED: attempts were refused without checking them, because too many had failed. PROVED: the person ' +
        'reauthenticated. SESSION_ENDED: the person ended one of their sessions. SESSIONS_ENDED: an admin or a higher role ended all of them. ' +
        'PASSWORD_RESET: a link was used, which also removes the passkeys. PASSKEY_REMOVED without an address: the passkeys were removed when the ' +
        'person got a higher role, because another person could have registered them.',
    },
  ),
  factor: Nullable(Choice(['PASSWORD', 'PASSKEY'], { description: 'The factor that was used; null if none is needed.' })),
  address: Nullable(Type.String({ description: 'The network address that the request came from; null if another person did it.' })),
  session_id: Nullable(described(Id, 'The session that began, continued or ended; null if the entry is about none, or about all.')),
  created_at: described(Timestamp, 'When it happened, in UTC.'),
})
export type SignInRecord = Static<typeof SignInRecord>

export const Passkey = Resource('Passkey', {
  id: described(Id, 'The id of the passkey. The service assigns it.'),
  name: Type.String({ description: "The person's name for it, such as the name of a device." }),
  created_at: CreatedAt,
  last_used_at: Nullable(described(Timestamp, 'When the person last signed in with it, in UTC; null if never.')),
})
export type Passkey = Static<typeof Passkey>

/** Options and credentials of WebAuthn have the JSON form that browsers read and write. */
export const PasskeyOptions = Type.Object(
  { challenge: Type.String({ description: 'What the passkey signs, in base64url. It can be used once, within five minutes.' }) },
  { title: 'PasskeyOptions', additionalProperties: true },
)

const Credential = Type.Object(
  {},
  { additionalProperties: true, description: 'The credential of the browser as JSON (PublicKeyCredential.toJSON()).' },
)

export const PasskeyRegistration = Body('PasskeyRegistration', {
  name: described(Name, "The person's name for it, such as the name of a device."),
  credential: Credential,
})
export type PasskeyRegistration = Static<typeof PasskeyRegistration>

export const PasskeyProof = Body('PasskeyProof', { credential: Credential })
export type PasskeyProof = Static<typeof PasskeyProof>

const Base64Url = (most: number) => Formed('^[A-Za-z0-9_-]+$', 'must be base64url', { maxLength: most })

const credential = { id: Base64Url(1_400), rawId: Base64Url(1_400), type: Choice(['public-key']) }

/** What the service reads from a new credential. */
export const NewCredential = Type.Object({
  ...credential,
  response: Type.Object({ clientDataJSON: Base64Url(10_000), attestationObject: Base64Url(20_000) }),
})
export type NewCredential = Static<typeof NewCredential>

/** What the service reads from a credential that has signed a challenge. */
export const UsedCredential = Type.Object({
  ...credential,
  response: Type.Object({ clientDataJSON: Base64Url(10_000), authenticatorData: Base64Url(10_000), signature: Base64Url(10_000) }),
})
export type UsedCredential = Static<typeof UsedCredential>
