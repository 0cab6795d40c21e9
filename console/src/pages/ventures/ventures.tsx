import { Select, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Venture } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { AdminKeyNotice, useAdminKey } from '../../ui/admin-key.tsx'
import { api } from '../../ui/api.ts'
import { type Column, List } from '../../ui/list.tsx'
import { NobodyToAskNotice } from '../../ui/nobody-to-ask.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { secretOf, useSecret } from '../../ui/secret.tsx'
import { Status } from '../../ui/status.tsx'
import { dayOf, words } from '../../ui/words.ts'
import { controls } from './controls.ts'

const columns: readonly Column<Venture>[] = [
  { label: 'Name', cell: ({ name }) => name },
  { label: 'Status', cell: ({ status }) => <Status value={status} /> },
  { label: 'Control', cell: ({ control }) => words(control) },
  { label: 'Oldest valid key', wide: true, cell: ({ api_key_prefix }) => <span className="mono">{api_key_prefix ?? 'None'}</span> },
  { label: 'Since', wide: true, cell: ({ created_at }) => dayOf(created_at) },
]

export function Page() {
  const [show, secret] = useSecret()
  return (
    <Frame title="Ventures" actions={<Register show={show} />}>
      <AdminKeyNotice />
      <NobodyToAskNotice />
      <List
        label="Ventures"
        name={['bank', 'ventures']}
        read={(cursor) => api.ventures.list({ ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/bank/ventures/${id}`}
        empty={<NoVentures />}
      />
      {secret}
    </Frame>
  )
}

function NoVentures() {
  const title = 'No ventures yet.'
  if (useAdminKey()?.may !== 'EVERYTHING') return <Empty title={title}>Register the first one above.</Empty>
  return (
    <Empty
      title={title}
      curl={`curl ${location.origin}/api/v1/ventures -H "Authorization: Bearer $ADMIN_API_KEY" \\\n  -H "Content-Type: application/json" -d '{"name": "My first venture"}'`}
    >
      Register the first one above, or with the admin key.
    </Empty>
  )
}

function Register({ show }: { show: ReturnType<typeof useSecret>[0] }) {
  const [name, setName] = useState('')
  const [control, setControl] = useState<string | null>(null)
  const navigate = useNavigate()
  return (
    <Action
      operation="registerVenture"
      label="Register a venture"
      button={{ variant: 'filled' }}
      isReady={name.trim() !== ''}
      run={() => api.ventures.register({ name: name.trim(), ...(control !== null && { control: control as Venture['control'] }) })}
      done={({ name: registered }) => `${registered} is registered.`}
      after={(venture) => {
        setName('')
        setControl(null)
        const made = secretOf(venture)
        if (made)
          show({
            ...made,
            title: `The API key of ${venture.name}`,
            done: () => void navigate({ to: `/bank/ventures/${venture.id}` }),
          })
      }}
    >
      <Stack gap="sm">
        <span>
          The venture gets an API key, which is shown once. Because the bank sees it, it cannot order transfers in a managed venture outside
          the sandbox; an admin of the venture creates the keys that can.
        </span>
        <TextInput label="Name" required maxLength={140} value={name} onChange={(e) => setName(e.currentTarget.value)} data-autofocus />
        <Select
          label="Who processes its transfers"
          description={control === null ? 'The bank’s default for new ventures.' : controls[control as Venture['control']]}
          placeholder="Bank default"
          clearable
          value={control}
          onChange={setControl}
          data={Object.keys(controls).map((value) => ({ value, label: words(value) }))}
        />
      </Stack>
    </Action>
  )
}
