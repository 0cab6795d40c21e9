// The keys of the bank. Each lets a connector do one thing.
import { Select, Stack, TextInput } from '@mantine/core'
import type { BankKey, NewBankKey } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { useBankNow } from '../../ui/clock.ts'
import { RevokeKey } from '../../ui/key-actions.tsx'
import { KeyState } from '../../ui/keys.columns.tsx'
import { stateOf } from '../../ui/keys.ts'
import { type Column, List } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { type Secret, secretOf, useSecret } from '../../ui/secret.tsx'
import { endOfDay, minuteOf } from '../../ui/words.ts'

type Scope = NewBankKey['scope']

const scopes: Record<Scope, string> = {
  payees: 'Answers other banks about payees',
  lists: 'Imports versions of watch lists, which two people activate',
  metrics: 'Reads the metrics',
}

const columnsAt = (now_ms: number): readonly Column<BankKey>[] => [
  { label: 'Name', cell: ({ name }) => name },
  { label: 'State', cell: (key) => <KeyState apiKey={key} now_ms={now_ms} /> },
  { label: 'Scope', cell: ({ scope }) => <span title={scopes[scope]}>{scope}</span> },
  { label: 'Begins with', wide: true, cell: ({ prefix }) => <span className="mono">{prefix}…</span> },
  { label: 'Last used', wide: true, cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : minuteOf(last_used_at)) },
  {
    label: '',
    align: 'right',
    cell: (key) =>
      stateOf(key, now_ms) === 'ACTIVE' && (
        <RevokeKey apiKey={key} operation="revokeBankKey" revoke={() => api.operator.keys.revoke(key.id)} />
      ),
  },
]

export function Page() {
  const [show, secret] = useSecret()
  return (
    <Frame title="Bank keys" actions={<Create show={show} />}>
      <List
        label="Bank keys"
        name={['bank', 'keys']}
        read={(cursor) => api.operator.keys.list({ ...cursor, limit: 50 }).page()}
        columns={columnsAt(useBankNow())}
        idOf={({ id }) => id}
        empty={
          <Empty title="No bank keys yet.">
            A connector is a program of the bank that does one thing. Give each connector its own key; never give one the admin key.
          </Empty>
        }
      />
      {secret}
    </Frame>
  )
}

function Create({ show }: { show(secret: Secret): void }) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<Scope>('lists')
  const [until, setUntil] = useState('')
  return (
    <Action
      operation="createBankKey"
      label="Create a key"
      button={{ variant: 'filled' }}
      isReady={name.trim() !== ''}
      run={() =>
        api.operator.keys.create({
          name: name.trim(),
          scope,
          ...(until !== '' && { expires_at: endOfDay(until) }),
        })
      }
      done="The key was created."
      after={(result) => {
        setName('')
        setUntil('')
        const made = secretOf(result)
        if (made) show({ ...made, title: 'New bank key', note: 'Give it only to the connector.' })
      }}
    >
      <Stack gap="sm">
        <span>The key lets a connector do one thing. With four-eyes approval on, a second person must approve, and receives the key.</span>
        <TextInput
          label="Name"
          description="The program that uses the key."
          required
          maxLength={140}
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          data-autofocus
        />
        <Select
          label="Scope"
          description={scopes[scope]}
          allowDeselect={false}
          value={scope}
          onChange={(value) => value && setScope(value as Scope)}
          data={Object.keys(scopes)}
        />
        <TextInput
          label="Expires"
          description="Leave empty for a key that does not expire."
          type="date"
          value={until}
          onChange={(e) => setUntil(e.currentTarget.value)}
        />
      </Stack>
    </Action>
  )
}
