import type { Link } from '@vostro/sdk'
import { Action } from './action.tsx'
import { stateOf } from './invitations.ts'
import type { Column } from './list.tsx'
import type { Operation } from './session.ts'
import { Status } from './status.tsx'
import { minuteOf, words } from './words.ts'

type Revoking = { operation: Operation; revoke(id: string): Promise<unknown> }

/** The columns of a list of invitations, with the action that revokes one. Takes the bank's time in milliseconds. */
export const invitationColumns = (now_ms: number, { operation, revoke }: Revoking): readonly Column<Link>[] => [
  { label: 'Email', cell: ({ email }) => email },
  { label: 'State', cell: (link) => <State value={stateOf(link, now_ms)} /> },
  { label: 'Role', wide: true, cell: ({ role }) => words(role ?? '') },
  { label: 'Invited', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
  { label: 'Expires', wide: true, cell: ({ expires_at }) => minuteOf(expires_at) },
  {
    label: '',
    align: 'right',
    cell: (link) =>
      stateOf(link, now_ms) === 'OPEN' && (
        <Action
          operation={operation}
          label="Revoke"
          danger
          button={{ size: 'compact-sm' }}
          run={() => revoke(link.id)}
          done="The invitation was revoked."
        >
          The link for {link.email} stops working at once.
        </Action>
      ),
  },
]

/** Expired and revoked invitations are not errors. */
const State = ({ value }: { value: ReturnType<typeof stateOf> }) => (
  <Status value={value} {...(value !== 'OPEN' && value !== 'ACCEPTED' && { tone: 'quiet' as const })} />
)
