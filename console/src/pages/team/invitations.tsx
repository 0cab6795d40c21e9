import { useQuery } from '@tanstack/react-query'
import { useBankNow } from '../../ui/clock.ts'
import { invitationColumns } from '../../ui/invitations.columns.tsx'
import { Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'

export function Invitations() {
  const api = useVentureApi()
  const columns = invitationColumns(useBankNow(), {
    operation: 'revokeVentureInvitation',
    revoke: (id) => api.venture.revokeInvitation(id),
  })
  const query = useQuery({
    queryKey: [useVenture(), 'invitations'],
    queryFn: () => api.venture.listInvitations({ limit: 100 }).page(),
  })
  return (
    <Block title="Invitations">
      <Answered query={query}>
        {query.data?.items.length === 0 ? (
          <Empty title="No invitations.">An invitation is a link that you pass on yourself.</Empty>
        ) : (
          <Rows label="Invitations" rows={query.data?.items ?? []} idOf={({ id }) => id} columns={columns} />
        )}
      </Answered>
    </Block>
  )
}
