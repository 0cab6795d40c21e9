// The URL of an endpoint and its event types.
import { Checkbox, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { WebhookEndpoint } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { type EventType, kindOf } from '../../ui/event-types.ts'
import { secretShown } from '../../ui/rotate-secret.tsx'
import { useVentureApi } from '../../ui/session.ts'
import type { Shown } from '../../ui/shown-once.tsx'
import { words } from '../../ui/words.ts'
import { eventTypes } from '../../values.made.ts'

type Draft = { url: string; description: string; isAll: boolean; types: readonly string[] }

const nothing: Draft = { url: '', description: '', isAll: true, types: [] }

const draftOf = ({ url, description, event_types }: WebhookEndpoint): Draft => ({
  url,
  description: description ?? '',
  isAll: event_types === null,
  types: event_types ?? [],
})

const bodyOf = ({ url, description, isAll, types }: Draft) => ({
  url: url.trim(),
  description: description.trim() === '' ? null : description.trim(),
  event_types: isAll ? null : (types as EventType[]),
})

const isReady = ({ url, isAll, types }: Draft): boolean => URL.canParse(url.trim()) && (isAll || types.length > 0)

export function CreateEndpoint({ onSecret }: { onSecret(shown: Shown): void }) {
  const api = useVentureApi()
  const [draft, setDraft] = useState(nothing)
  return (
    <Action
      operation="createWebhookEndpoint"
      label="Add an endpoint"
      button={{ variant: 'filled' }}
      isReady={isReady(draft)}
      run={() => api.webhookEndpoints.create(bodyOf(draft))}
      done="The endpoint was added."
      after={({ secret }) => {
        setDraft(nothing)
        onSecret(secretShown(secret))
      }}
    >
      <Fields draft={draft} onChange={setDraft}>
        New events are sent to this URL by POST, signed with a secret that is shown next.
      </Fields>
    </Action>
  )
}

export function EditEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const api = useVentureApi()
  const [draft, setDraft] = useState(draftOf(endpoint))
  return (
    <Action
      operation="updateWebhookEndpoint"
      label="Edit"
      isReady={isReady(draft)}
      run={() => api.webhookEndpoints.update(endpoint.id, bodyOf(draft))}
      done="The endpoint was changed."
    >
      <Fields draft={draft} onChange={setDraft}>
        New deliveries use the new settings. The secret does not change.
      </Fields>
    </Action>
  )
}

function Fields({ draft, onChange, children }: { draft: Draft; onChange(draft: Draft): void; children: string }) {
  return (
    <Stack gap="sm">
      <Text size="sm">{children}</Text>
      <TextInput
        label="URL"
        description="An https URL. The sandbox also accepts http."
        placeholder="https://example.com/hooks"
        type="url"
        required
        data-autofocus
        value={draft.url}
        onChange={({ currentTarget: { value } }) => onChange({ ...draft, url: value })}
      />
      <TextInput
        label="Description"
        value={draft.description}
        maxLength={200}
        onChange={({ currentTarget: { value } }) => onChange({ ...draft, description: value })}
      />
      <SegmentedControl
        aria-label="Events"
        value={draft.isAll ? 'all' : 'some'}
        onChange={(chosen) => onChange({ ...draft, isAll: chosen === 'all' })}
        data={[
          { value: 'all', label: 'All events' },
          { value: 'some', label: 'Selected events' },
        ]}
      />
      {!draft.isAll && <Types types={draft.types} onChange={(types) => onChange({ ...draft, types })} />}
    </Stack>
  )
}

const kinds = [...new Set(eventTypes.map(kindOf))]

function Types({ types, onChange }: { types: readonly string[]; onChange(types: readonly string[]): void }) {
  const toggle = (type: string, isOn: boolean) => onChange(isOn ? [...types, type] : types.filter((other) => other !== type))
  return (
    <Stack gap="sm" className="event-types" tabIndex={0} role="group" aria-label="Types of events">
      {kinds.map((kind) => (
        <fieldset key={kind} className="event-kind">
          <legend>{words(kind)}</legend>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6}>
            {eventTypes
              .filter((type) => kindOf(type) === kind)
              .map((type) => (
                <Checkbox
                  key={type}
                  size="xs"
                  label={type}
                  checked={types.includes(type)}
                  onChange={({ currentTarget: { checked } }) => toggle(type, checked)}
                />
              ))}
          </SimpleGrid>
        </fieldset>
      ))}
    </Stack>
  )
}
