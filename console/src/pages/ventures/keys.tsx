// The keys of a venture, as the bank makes and replaces them.
import { Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ApiKey, NewApiKey, Venture } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { api, apiOf } from '../../ui/api.ts'
import { useBankNow } from '../../ui/clock.ts'
import { type Column, Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty } from '../../ui/page.tsx'
import { secretOf, useSecret } from '../../ui/secret.tsx'
import { Status } from '../../ui/status.tsx'
import { dayOf, minuteOf } from '../../ui/words.ts'

const allScopes = ['clients', 'accounts', 'transfers', 'sign', 'payments', 'webhooks', 'read'] as const satisfies NewApiKey['scopes']

export function Keys({ venture }: { venture: Venture }) {
  const { id, name } = venture
  const [show, secret] = useSecret()
  const now_ms = useBankNow()
  const query = useQuery({
    queryKey: ['bank', 'venture', id, 'keys'],
    queryFn: async () => (await apiOf(id).venture.listKeys({ limit: 50 }).page()).items,
  })
  const showIn = (result: unknown) => {
    const made = secretOf(result)
    if (made) show(made)
  }
  return (
    <Block
      title="Keys"
      actions={
        <Group gap="xs">
          <NewKey venture={venture} after={showIn} />
          <Action
            operation="replaceVentureKey"
            label="Replace all keys"
            danger
            run={() => api.ventures.replaceKey(id)}
            done="The venture has one new key."
            after={showIn}
          >
            For a key that was lost. All keys of {name} stop working at once, and it gets a new one with all scopes. Where four eyes are on,
            a second person has to agree, and gets the key.
          </Action>
        </Group>
      }
    >
      <Answered query={query}>
        {query.data?.length === 0 ? (
          <Empty title="The venture has no key." />
        ) : (
          <Rows label="Keys" rows={query.data ?? []} idOf={(key) => key.id} columns={columnsFor(id, now_ms)} />
        )}
      </Answered>
      {secret}
    </Block>
  )
}

function columnsFor(venture: string, now_ms: number): Column<ApiKey>[] {
  return [
    { label: 'Name', cell: ({ name }) => name },
    { label: 'State', cell: (key) => <Status value={stateOf(key, now_ms)} /> },
    { label: 'Begins with', wide: true, cell: ({ prefix }) => <span className="mono">{prefix}</span> },
    { label: 'Scopes', wide: true, cell: ({ scopes }) => (scopes.length === allScopes.length ? 'All' : scopes.join(', ')) },
    { label: 'Last used', wide: true, cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : minuteOf(last_used_at)) },
    { label: 'Expires', wide: true, cell: ({ expires_at }) => (expires_at === null ? 'Never' : dayOf(expires_at)) },
    {
      label: '',
      align: 'right',
      cell: (key) =>
        stateOf(key, now_ms) === 'ACTIVE' && (
          <Action
            operation="revokeKey"
            label="Revoke"
            danger
            button={{ size: 'compact-sm' }}
            run={() => apiOf(venture).venture.revokeKey(key.id)}
            done="The key was revoked."
          >
            “{key.name}” stops working at once. This cannot be undone.
          </Action>
        ),
    },
  ]
}

function stateOf({ revoked_at, expires_at }: ApiKey, now_ms: number): string {
  if (revoked_at !== null) return 'REVOKED'
  return expires_at !== null && Date.parse(expires_at) < now_ms ? 'EXPIRED' : 'ACTIVE'
}

function NewKey({ venture: { id, name }, after }: { venture: Venture; after(result: unknown): void }) {
  const [title, setTitle] = useState('')
  const [scopes, setScopes] = useState<string[]>(['read'])
  const [until, setUntil] = useState('')
  return (
    <Action
      operation="createVentureKey"
      label="Create a key"
      isReady={title.trim() !== '' && scopes.length > 0}
      run={() =>
        api.ventures.createKey(id, {
          name: title.trim(),
          scopes: scopes as NewApiKey['scopes'],
          ...(until !== '' && { expires_at: new Date(`${until}T23:59:59`).toISOString() }),
        })
      }
      done="The key was created."
      after={(result) => {
        setTitle('')
        after(result)
      }}
    >
      <Stack gap="sm">
        <span>{name} gets a further key. Where four eyes are on, a second person has to agree, and gets the key.</span>
        <TextInput
          label="Name"
          description="What the key is for."
          required
          value={title}
          onChange={(e) => setTitle(e.currentTarget.value)}
          data-autofocus
        />
        <Checkbox.Group label="Scopes" value={scopes} onChange={setScopes}>
          <Group gap="sm" mt={6}>
            {allScopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scope} />
            ))}
          </Group>
        </Checkbox.Group>
        <TextInput
          label="Expires"
          description="It does not expire if this is empty."
          type="date"
          value={until}
          onChange={(e) => setUntil(e.currentTarget.value)}
        />
      </Stack>
    </Action>
  )
}
