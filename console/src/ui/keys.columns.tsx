import type { ApiKey } from '@vostro/sdk'
import { scopesOf, stateOf } from './keys.ts'
import type { Column } from './list.tsx'
import { Status } from './status.tsx'
import { dayOf, minuteOf } from './words.ts'

/** The columns of a list of keys, with the actions on active keys. Takes the bank's time in milliseconds. */
export const keyColumns = (now_ms: number, actions: Column<ApiKey>['cell']): readonly Column<ApiKey>[] => [
  { label: 'Name', cell: ({ name }) => name },
  { label: 'State', cell: (key) => <KeyState apiKey={key} now_ms={now_ms} /> },
  { label: 'Prefix', wide: true, cell: ({ prefix }) => <span className="mono">{prefix}…</span> },
  { label: 'Scopes', wide: true, cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopesOf(scopes)}</span> },
  { label: 'Seen by the bank', wide: true, cell: ({ seen_by_bank }) => (seen_by_bank ? 'Yes' : 'No') },
  { label: 'Last used', wide: true, cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : minuteOf(last_used_at)) },
  { label: '', align: 'right', cell: (key) => stateOf(key, now_ms) === 'ACTIVE' && actions(key) },
]

export function KeyState({ apiKey, now_ms }: { apiKey: Pick<ApiKey, 'expires_at' | 'revoked_at'>; now_ms: number }) {
  const state = stateOf(apiKey, now_ms)
  return (
    <>
      <Status value={state} /> {state === 'ACTIVE' && apiKey.expires_at !== null && <>until {dayOf(apiKey.expires_at)}</>}
    </>
  )
}
