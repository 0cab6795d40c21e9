// The person's sessions.
import { useQuery } from '@tanstack/react-query'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { Rows } from '../../ui/list.tsx'
import { Answered, Block } from '../../ui/page.tsx'
import { useSession } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { minuteOf } from '../../ui/words.ts'

export function Sessions() {
  const query = useQuery({ queryKey: ['sessions'], queryFn: () => api.session.listSessions() })
  const { clock_ahead_s } = useSession()
  const isAhead = (clock_ahead_s ?? 0) > 0
  return (
    <Block
      title="Sessions"
      note={`End sessions that you do not recognize.${isAhead ? ' Times here are real; the sandbox clock is ahead.' : ''}`}
    >
      <Answered query={query}>
        <Rows
          label="Sessions"
          rows={query.data ?? []}
          idOf={({ id }) => id}
          columns={[
            { label: 'Signed in', cell: ({ created_at }) => minuteOf(created_at) },
            { label: 'With', wide: true, cell: ({ by_passkey }) => (by_passkey ? 'A passkey' : 'A password') },
            { label: 'Last used', wide: true, cell: ({ last_seen_at }) => minuteOf(last_seen_at) },
            { label: 'Ends', wide: true, cell: ({ expires_at }) => minuteOf(expires_at) },
            {
              label: '',
              align: 'right',
              cell: ({ id, current }) =>
                current ? (
                  <Status value="Current" tone="plain" />
                ) : (
                  <Action
                    operation="endSession"
                    label="End"
                    danger
                    button={{ size: 'compact-sm' }}
                    run={() => api.session.endSession(id)}
                    done="The session was ended."
                  >
                    That browser is signed out at once.
                  </Action>
                ),
            },
          ]}
        />
      </Answered>
    </Block>
  )
}
