// Invites members, changes their roles, resets their sign-in, and removes them.
import { Select, Stack, Text, TextInput } from '@mantine/core'
import type { ApprovalWithCode, LinkWithUrl, VentureUser } from '@vostro/sdk'
import { useState } from 'react'
import { Action, isApproval } from '../../ui/action.tsx'
import { useVentureApi } from '../../ui/session.ts'
import { codeShown, type Shown } from '../../ui/shown-once.tsx'
import { minuteOf, words } from '../../ui/words.ts'
import { useMembers } from './use-members.ts'

type Role = VentureUser['role']

const roles: readonly { role: Role; may: string }[] = [
  { role: 'admin', may: 'full access, including keys and people' },
  { role: 'operator', may: 'works with clients, accounts and money' },
  { role: 'viewer', may: 'read-only' },
]

const small = { size: 'compact-sm' } as const

function linkShown(made: LinkWithUrl | ApprovalWithCode, title: string, show: (shown: Shown) => void): void {
  const shown = isApproval(made) ? codeShown(made) : { title, text: made.url, note: handOver(made) }
  if (shown !== undefined) show(shown)
}

const handOver = ({ email, expires_at }: LinkWithUrl): string =>
  `Send the link to ${email ?? 'the person'} yourself: the service sends no mail. It works once, until ${minuteOf(expires_at)}.`

function RoleField({ role, onChange }: { role: Role; onChange(role: Role): void }) {
  return (
    <Select
      label="Role"
      allowDeselect={false}
      value={role}
      data={roles.map(({ role: value, may }) => ({ value, label: `${words(value)}: ${may}` }))}
      onChange={(chosen) => chosen !== null && onChange(chosen as Role)}
    />
  )
}

export function Invite({ onLink }: { onLink(shown: Shown): void }) {
  const api = useVentureApi()
  const [email, setEmail] = useState('')
  const [chosen, setRole] = useState<Role>()
  const { data: members } = useMembers()
  // The first member must be an admin, because only admins can invite others.
  const role = chosen ?? (members?.length === 0 ? 'admin' : 'viewer')
  return (
    <Action
      operation="inviteVentureUser"
      label="Invite a member"
      button={{ variant: 'filled' }}
      isReady={/^\S+@\S+$/.test(email.trim())}
      run={() => api.venture.inviteUser({ email: email.trim(), role })}
      done="The invitation was created."
      after={(made) => {
        setEmail('')
        linkShown(made, 'Invitation link', onLink)
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          You get an invitation link to pass on; it works once, for 72 hours. With four-eyes approval on, you may get a code instead, and
          the approver gets the link.
        </Text>
        <TextInput
          type="email"
          label="Email"
          required
          data-autofocus
          value={email}
          onChange={({ currentTarget: { value } }) => setEmail(value)}
        />
        <RoleField role={role} onChange={setRole} />
      </Stack>
    </Action>
  )
}

export function ChangeRole({ member, isOneself }: { member: VentureUser; isOneself: boolean }) {
  const api = useVentureApi()
  const [role, setRole] = useState(member.role)
  return (
    <Action
      operation="updateVentureUser"
      label="Change the role"
      button={small}
      isReady={role !== member.role}
      run={() => api.venture.updateUser(member.id, { role })}
      done="The role was changed."
    >
      <Stack gap="sm">
        <Text size="sm">
          {isOneself ? 'You lose at once what the new role does not allow. ' : 'The change takes effect at once. '}A higher role signs the
          person out everywhere.
        </Text>
        <RoleField role={role} onChange={setRole} />
      </Stack>
    </Action>
  )
}

export function Reset({ member, onLink }: { member: VentureUser; onLink(shown: Shown): void }) {
  const api = useVentureApi()
  return (
    <Action
      operation="resetVentureUser"
      label="Reset"
      title={`Reset the sign-in of ${member.name}`}
      button={small}
      run={() => api.venture.resetUser(member.id)}
      done="The link was created."
      after={(made) => linkShown(made, 'Password reset link', onLink)}
    >
      You get a link that lets {member.name} choose a new password. It works once, for an hour. Using it ends all sessions and removes all
      passkeys.
    </Action>
  )
}

export function EndSessions({ member }: { member: VentureUser }) {
  const api = useVentureApi()
  return (
    <Action
      operation="endVentureUserSessions"
      label="Sign out"
      title={`Sign out ${member.name} everywhere`}
      danger
      button={small}
      run={() => api.venture.endUserSessions(member.id)}
      done={`${member.name} is signed out everywhere.`}
    >
      {member.name} is signed out everywhere at once, and can sign in again. Use this for a lost laptop or suspicious activity.
    </Action>
  )
}

export function Remove({ member, isOneself }: { member: VentureUser; isOneself: boolean }) {
  const api = useVentureApi()
  return (
    <Action
      operation="removeVentureUser"
      label={isOneself ? 'Leave' : 'Remove'}
      danger
      button={small}
      run={() => api.venture.removeUser(member.id)}
      done={`${member.name} is no longer a member.`}
      after={() => isOneself && location.assign('/console/')}
    >
      {isOneself ? 'You can' : `${member.name} can`} no longer act for this venture.
    </Action>
  )
}
