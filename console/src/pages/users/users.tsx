// All users, and the invitations to the bank.
import { Select, Stack, TextInput } from '@mantine/core'
import type { NewBankInvitation, User } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { AdminKeyNotice } from '../../ui/admin-key.tsx'
import { api } from '../../ui/api.ts'
import { useBankNow } from '../../ui/clock.ts'
import { invitationColumns } from '../../ui/invitations.columns.tsx'
import { type Column, List } from '../../ui/list.tsx'
import { NobodyToAskNotice } from '../../ui/nobody-to-ask.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { type Secret, secretOf, useSecret } from '../../ui/secret.tsx'
import { Status } from '../../ui/status.tsx'
import { useView, Views } from '../../ui/view.tsx'
import { dayOf, words } from '../../ui/words.ts'
import { roles } from './roles.ts'

const people: readonly Column<User>[] = [
  { label: 'Name', cell: ({ name }) => name },
  { label: 'Bank role', cell: ({ bank_role }) => (bank_role === null ? 'None' : words(bank_role)) },
  { label: 'Status', cell: ({ status }) => <Status value={status} /> },
  { label: 'Email', wide: true, cell: ({ email }) => email },
  { label: 'Since', wide: true, cell: ({ created_at }) => dayOf(created_at) },
]

export function Page() {
  const view = useView(['people', 'invitations'])
  const [show, secret] = useSecret()
  return (
    <Frame title="Users" actions={<Invite show={show} />}>
      <AdminKeyNotice isAtUsers />
      <NobodyToAskNotice />
      <Views
        label="Users or invitations"
        views={[
          ['people', 'People'],
          ['invitations', 'Invitations'],
        ]}
      />
      {view === 'people' ? (
        <List
          label="Users"
          name={['bank', 'users']}
          read={(cursor) => api.operator.users.list({ ...cursor, limit: 50 }).page()}
          columns={people}
          idOf={({ id }) => id}
          to={({ id }) => `/bank/users/${id}`}
          empty={<Empty title="No users yet.">Invite the first person above.</Empty>}
        />
      ) : (
        <Invitations />
      )}
      {secret}
    </Frame>
  )
}

function Invite({ show }: { show(secret: Secret): void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<NewBankInvitation['role']>('operator')
  return (
    <Action
      operation="inviteBankUser"
      label="Invite a user"
      button={{ variant: 'filled' }}
      isReady={/.@./.test(email)}
      run={() => api.operator.users.invite({ email: email.trim(), role })}
      done="The invitation was created."
      after={(result) => {
        setEmail('')
        const made = secretOf(result)
        if (made) show(made)
      }}
    >
      <Stack gap="sm">
        <span>
          You get an invitation link to pass on; it works once, for 72 hours. With four-eyes approval on, you get a code instead, and the
          approver gets the link.
        </span>
        <TextInput label="Email" type="email" required value={email} onChange={(e) => setEmail(e.currentTarget.value)} data-autofocus />
        <Select
          label="Bank role"
          description={roles[role]}
          allowDeselect={false}
          value={role}
          onChange={(value) => value && setRole(value as NewBankInvitation['role'])}
          data={Object.keys(roles).map((value) => ({ value, label: words(value) }))}
        />
      </Stack>
    </Action>
  )
}

function Invitations() {
  return (
    <List
      label="Invitations"
      name={['bank', 'invitations']}
      read={(cursor) => api.operator.invitations.list({ ...cursor, limit: 50 }).page()}
      columns={invitationColumns(useBankNow(), { operation: 'revokeBankInvitation', revoke: (id) => api.operator.invitations.revoke(id) })}
      idOf={({ id }) => id}
      empty={<Empty title="No invitations yet." />}
    />
  )
}
