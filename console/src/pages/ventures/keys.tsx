// The keys of a venture, as the bank manages them.
import { Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { NewApiKey, Venture } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { api, apiOf } from '../../ui/api.ts'
import { useBankNow } from '../../ui/clock.ts'
import { RevokeKey } from '../../ui/key-actions.tsx'
import { keyColumns } from '../../ui/keys.columns.tsx'
import { scopes as allScopes } from '../../ui/keys.ts'
import { Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty } from '../../ui/page.tsx'
import { secretOf, useSecret } from '../../ui/secret.tsx'
import { endOfDay } from '../../ui/words.ts'

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
            Use this for a lost key. All keys of {name} stop working at once, and it gets a new one with all scopes. With four-eyes approval
            on, a second person must approve, and receives the key.
          </Action>
        </Group>
      }
    >
      <Answered query={query}>
        {query.data?.length === 0 ? (
          <Empty title="No keys." />
        ) : (
          <Rows
            label="Keys"
            rows={query.data ?? []}
            idOf={(key) => key.id}
            columns={keyColumns(now_ms, (key) => <RevokeKey apiKey={key} revoke={() => apiOf(id).venture.revokeKey(key.id)} />)}
          />
        )}
      </Answered>
      {secret}
    </Block>
  )
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
          ...(until !== '' && { expires_at: endOfDay(until) }),
        })
      }
      done="The key was created."
      after={(result) => {
        setTitle('')
        after(result)
      }}
    >
      <Stack gap="sm">
        <span>
          {name} gets an additional key. Because the bank sees it, it cannot order transfers in a managed venture outside the sandbox. With
          four-eyes approval on, a second person must approve, and receives the key.
        </span>
        <TextInput
          label="Name"
          description="The purpose of the key."
          required
          value={title}
          onChange={(e) => setTitle(e.currentTarget.value)}
          data-autofocus
        />
        <Checkbox.Group label="Scopes" value={scopes} onChange={setScopes}>
          <Group gap="sm" mt={6}>
            {allScopes.map(({ scope }) => (
              <Checkbox key={scope} value={scope} label={scope} />
            ))}
          </Group>
        </Checkbox.Group>
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
