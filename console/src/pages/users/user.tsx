// A user: bank role, status, sessions, and resetting the sign-in.
import { Anchor, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { User } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { secretOf, useSecret } from '../../ui/secret.tsx'
import { SignIns } from '../../ui/sign-ins.tsx'
import { Status } from '../../ui/status.tsx'
import { minuteOf, words } from '../../ui/words.ts'
import { type Role, roles } from './roles.ts'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useQuery({ queryKey: ['bank', 'user', id], queryFn: () => api.operator.users.get(id) })
  const user = query.data
  return (
    <Frame
      title={user?.name ?? 'User'}
      back={{ to: '/bank/users', label: 'Users' }}
      aside={user && <Status value={user.status} />}
      actions={
        user && (
          <>
            <SetRole user={user} />
            <Reset user={user} />
            <EndSessions user={user} />
            <SetStatus user={user} />
          </>
        )
      }
    >
      <Answered query={query}>
        {user && (
          <Block
            title="Person"
            note={<Anchor renderRoot={(props) => <Link {...props} to="/bank/audit" search={{ actor_id: id } as never} />}>Activity</Anchor>}
          >
            <Facts
              facts={[
                ['Email', user.email],
                ['Role at the bank', user.bank_role === null ? 'None' : `${words(user.bank_role)}. ${roles[user.bank_role]}`],
                ['User since', minuteOf(user.created_at)],
                ['Last changed', minuteOf(user.updated_at)],
                ['Id', <Copyable key="id" text={user.id} />],
              ]}
            />
          </Block>
        )}
      </Answered>
      <Block title="Sign-ins">
        <SignIns name={['bank', 'sign-ins', id]} read={(cursor) => api.operator.users.listSignIns(id, { ...cursor, limit: 10 }).page()} />
      </Block>
    </Frame>
  )
}

const none = 'none'

function SetRole({ user: { id, name, bank_role } }: { user: User }) {
  const current = bank_role ?? none
  const [role, setRole] = useState<string>(current)
  return (
    <Action
      operation="updateUser"
      label="Change the role"
      danger={role === none && current !== none}
      button={{ variant: 'default', color: 'blue' }}
      isReady={role !== current}
      run={() => api.operator.users.update(id, { bank_role: role === none ? null : (role as Role) })}
      done={`${name} has a new role.`}
    >
      <Stack gap="sm">
        <span>
          With four-eyes approval on, granting a role needs a second person; removing one does not. A role at the bank signs the person out
          everywhere.
        </span>
        <Select
          label="Bank role"
          description={role === none ? 'No access to the bank.' : roles[role as Role]}
          allowDeselect={false}
          value={role}
          onChange={(value) => value && setRole(value)}
          data={[none, ...Object.keys(roles)].map((value) => ({ value, label: words(value) }))}
        />
      </Stack>
    </Action>
  )
}

function SetStatus({ user: { id, name, status } }: { user: User }) {
  const isActive = status === 'ACTIVE'
  return (
    <Action
      operation="updateUser"
      label={isActive ? 'Disable' : 'Enable'}
      danger={isActive}
      run={() => api.operator.users.update(id, { status: isActive ? 'DISABLED' : 'ACTIVE' })}
      done={isActive ? `${name} is disabled.` : `${name} is enabled.`}
    >
      {isActive
        ? `${name} is signed out everywhere at once and cannot sign in again. Their pending requests are withdrawn.`
        : `${name} can sign in again. With four-eyes approval on, this may need a second person.`}
    </Action>
  )
}

function EndSessions({ user: { id, name } }: { user: User }) {
  return (
    <Action
      operation="endUserSessions"
      label="End all sessions"
      danger
      run={() => api.operator.users.endSessions(id)}
      done={`${name} is signed out everywhere.`}
    >
      {name} is signed out everywhere at once, and can sign in again. Use this for a lost laptop or suspicious activity.
    </Action>
  )
}

function Reset({ user: { id, name } }: { user: User }) {
  const [show, secret] = useSecret()
  return (
    <>
      <Action
        operation="resetUser"
        label="Reset the sign-in"
        run={() => api.operator.users.reset(id)}
        done="The link was created."
        after={(result) => {
          const made = secretOf(result)
          if (made) show(made)
        }}
      >
        {name} chooses a new password with a link that works for an hour. Using it ends all sessions and removes all passkeys. With
        four-eyes approval on, you get a code instead, and the approver gets the link.
      </Action>
      {secret}
    </>
  )
}
