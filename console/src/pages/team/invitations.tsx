// Who was invited, and what became of it.
import { useQuery } from '@tanstack/react-query'
import { Action } from '../../ui/action.tsx'
import { useBankNow } from '../../ui/clock.ts'
import { Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { minuteOf, words } from '../../ui/words.ts'
import { stateOf } from './invitations.ts'

export function Invitations() {
  const api = useVentureApi()
  const now = useBankNow()
  const query = useQuery({
    queryKey: [useVenture(), 'invitations'],
    queryFn: () => api.venture.listInvitations({ limit: 100 }).page(),
  })
  return (
    <Block title="Invitations">
      <Answered query={query}>
        {query.data?.items.length === 0 ? (
          <Empty title="Nobody is invited.">An invitation is a link that you hand over yourself.</Empty>
        ) : (
          <Rows
            label="Invitations"
            rows={query.data?.items ?? []}
            idOf={({ id }) => id}
            columns={[
              { label: 'Email', cell: ({ email }) => email },
              { label: 'State', cell: (link) => <State value={stateOf(link, now)} /> },
              { label: 'Role', wide: true, cell: ({ role }) => words(role ?? '') },
              { label: 'Invited', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
              { label: 'Ends', wide: true, cell: ({ expires_at }) => minuteOf(expires_at) },
              {
                label: '',
                align: 'right',
                cell: (link) =>
                  stateOf(link, now) === 'OPEN' && (
                    <Action
                      operation="revokeVentureInvitation"
                      label="Revoke"
                      danger
                      button={{ size: 'compact-sm' }}
                      run={() => api.venture.revokeInvitation(link.id)}
                      done="The invitation was revoked."
                    >
                      The link for {link.email} stops working at once.
                    </Action>
                  ),
              },
            ]}
          />
        )}
      </Answered>
    </Block>
  )
}

/** That an invitation is over is nothing bad. */
const State = ({ value }: { value: ReturnType<typeof stateOf> }) => (
  <Status value={value} {...(value !== 'OPEN' && value !== 'ACCEPTED' && { tone: 'quiet' as const })} />
)
