import { Checkbox, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { ApiKey, ApiKeyWithSecret, Approval } from '@vostro/sdk'
import { useState } from 'react'
import { Action, isApproval } from './action.tsx'
import { type Scope, scopes } from './keys.ts'
import { type Operation, useVentureApi } from './session.ts'
import type { Shown } from './shown-once.tsx'

const small = { size: 'compact-sm' } as const

/** With four-eyes approval, the approver gets the key and nothing is shown here. */
const keyShown = (made: ApiKeyWithSecret | Approval, show: (shown: Shown) => void): void => {
  if (isApproval(made)) return
  show({
    title: `Key “${made.name}”`,
    text: made.api_key,
    note: 'Store it where your program reads its secrets, for example in VOSTRO_KEY.',
  })
}

/** Initial values. */
type Preset = { name: string; scopes: readonly Scope[] }
const nothing: Preset = { name: '', scopes: ['read'] }

export function CreateKey({ onSecret, preset = nothing }: { onSecret(shown: Shown): void; preset?: Preset }) {
  const api = useVentureApi()
  const [name, setName] = useState(preset.name)
  const [chosen, setChosen] = useState(preset.scopes)
  const [end, setEnd] = useState('')
  const toggle = (scope: Scope, isOn: boolean) => setChosen(isOn ? [...chosen, scope] : chosen.filter((other) => other !== scope))
  return (
    <Action
      operation="createKey"
      label="Create a key"
      button={{ variant: 'filled' }}
      isReady={name.trim() !== '' && chosen.length > 0}
      run={() =>
        api.venture.createKey({ name: name.trim(), scopes: [...chosen], ...(end !== '' && { expires_at: new Date(end).toISOString() }) })
      }
      done="The key was created."
      after={(made) => {
        setName(preset.name)
        setEnd('')
        keyShown(made, onSecret)
      }}
    >
      <Stack gap="sm">
        <Text size="sm">Give each program its own key, with only the scopes that it needs.</Text>
        <TextInput
          label="Name"
          description="For example, the name of the program."
          required
          data-autofocus
          maxLength={100}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <fieldset className="event-kind">
          <legend>What it may do</legend>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={8}>
            {scopes.map(({ scope, about }) => (
              <Checkbox
                key={scope}
                size="sm"
                label={scope}
                description={about}
                checked={chosen.includes(scope)}
                onChange={({ currentTarget: { checked } }) => toggle(scope, checked)}
              />
            ))}
          </SimpleGrid>
        </fieldset>
        <TextInput
          type="date"
          label="Expires on"
          description="Leave empty for a key that does not expire."
          value={end}
          onChange={({ currentTarget: { value } }) => setEnd(value)}
        />
      </Stack>
    </Action>
  )
}

export function RenameKey({ apiKey }: { apiKey: ApiKey }) {
  const api = useVentureApi()
  const [name, setName] = useState(apiKey.name)
  return (
    <Action
      operation="updateKey"
      label="Rename"
      button={small}
      isReady={name.trim() !== '' && name.trim() !== apiKey.name}
      run={() => api.venture.updateKey(apiKey.id, { name: name.trim() })}
      done="The key was renamed."
    >
      <Stack gap="sm">
        <Text size="sm">Only the name changes. To change scopes or expiry, create a new key.</Text>
        <TextInput label="Name" data-autofocus maxLength={100} value={name} onChange={({ currentTarget: { value } }) => setName(value)} />
      </Stack>
    </Action>
  )
}

/** A new key with the same scopes. The old key keeps working until it is revoked, unless it must end at once. */
export function RotateKey({ apiKey, onSecret }: { apiKey: ApiKey; onSecret(shown: Shown): void }) {
  const api = useVentureApi()
  const [isAtOnce, setAtOnce] = useState(false)
  return (
    <Action
      operation="createKey"
      label="Rotate"
      button={small}
      run={async () => {
        const made = await api.venture.createKey({ name: apiKey.name, scopes: apiKey.scopes, expires_at: apiKey.expires_at })
        if (isAtOnce && !isApproval(made)) await api.venture.revokeKey(apiKey.id)
        return made
      }}
      done="The new key was created."
      after={(made) => {
        setAtOnce(false)
        keyShown(made, onSecret)
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          You get a new key with the name, scopes and expiry of “{apiKey.name}”. The old key keeps working until you revoke it, so that your
          program can switch.
        </Text>
        <Checkbox
          label="Revoke the old key at once"
          description="For a key that may have leaked."
          checked={isAtOnce}
          onChange={({ currentTarget: { checked } }) => setAtOnce(checked)}
        />
      </Stack>
    </Action>
  )
}

type Revoking = { apiKey: Pick<ApiKey, 'name' | 'prefix'>; operation?: Operation; revoke(): Promise<unknown> }

/** For keys of a venture and of the bank. */
export function RevokeKey({ apiKey: { name, prefix }, operation = 'revokeKey', revoke }: Revoking) {
  return (
    <Action operation={operation} label="Revoke" danger button={small} run={revoke} done="The key was revoked.">
      “{name}” (<span className="mono">{prefix}…</span>) stops working at once. This cannot be undone.
    </Action>
  )
}
