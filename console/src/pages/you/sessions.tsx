// The browsers in which somebody is signed in.
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
      note={`End those that you do not know.${isAhead ? ' Their times are real: the test clock is ahead of them.' : ''}`}
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
                  <Status value="This one" tone="plain" />
                ) : (
                  <Action
                    operation="endSession"
                    label="End"
                    danger
                    button={{ size: 'compact-sm' }}
                    run={() => api.session.endSession(id)}
                    done="The session has ended."
                  >
                    Whoever uses that browser is signed out at once.
                  </Action>
                ),
            },
          ]}
        />
      </Answered>
    </Block>
  )
}
