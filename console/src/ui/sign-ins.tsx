// Sign-in history, for the person and for the bank.
import type { Page, SignInRecord } from '@vostro/sdk'
import { List } from './list.tsx'
import { Empty } from './page.tsx'
import { Status, type Tone } from './status.tsx'
import { secondOf, words } from './words.ts'

const tones: Record<SignInRecord['what'], Tone> = {
  SIGNED_IN: 'good',
  PROVED: 'good',
  SIGN_IN_FAILED: 'bad',
  PROOF_FAILED: 'bad',
  SIGN_IN_THROTTLED: 'bad',
  SIGNED_OUT: 'quiet',
  SESSION_ENDED: 'quiet',
  SESSIONS_ENDED: 'attention',
  PASSWORD_CHANGED: 'attention',
  PASSWORD_RESET: 'attention',
  PASSKEY_ADDED: 'attention',
  PASSKEY_REMOVED: 'attention',
}

type Options = { name: readonly unknown[]; read(cursor: { after?: string }): Promise<Page<SignInRecord>> }

export function SignIns({ name, read }: Options) {
  return (
    <List
      label="Sign-in history"
      name={name}
      read={read}
      idOf={({ id }) => id}
      columns={[
        { label: 'Event', cell: ({ what }) => <Status value={what} tone={tones[what]} /> },
        { label: 'With', wide: true, cell: ({ factor }) => (factor === null ? null : words(factor)) },
        { label: 'From', cell: ({ address }) => address ?? 'Another person' },
        { label: 'When', cell: ({ created_at }) => secondOf(created_at) },
      ]}
      empty={<Empty title="No history yet." />}
    />
  )
}
