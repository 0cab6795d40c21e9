import { Group } from '@mantine/core'
import type { VentureUser } from '@vostro/sdk'
import { Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty } from '../../ui/page.tsx'
import { useSession } from '../../ui/session.ts'
import type { Shown } from '../../ui/shown-once.tsx'
import { Status } from '../../ui/status.tsx'
import { dayOf, words } from '../../ui/words.ts'
import { ChangeRole, EndSessions, Remove, Reset } from './member-actions.tsx'
import { useMembers } from './use-members.ts'

export function Members({ onLink }: { onLink(shown: Shown): void }) {
  const { user } = useSession()
  const query = useMembers()
  return (
    <Block title="Members">
      <Answered query={query}>
        {query.data?.length === 0 ? (
          <Empty title="No members yet.">Invite the first admin, who can then invite others.</Empty>
        ) : (
          <Rows
            label="Members"
            rows={query.data ?? []}
            idOf={({ id }) => id}
            columns={[
              { label: 'Name', cell: ({ id, name }) => (id === user.id ? `${name} (you)` : name) },
              { label: 'Email', wide: true, cell: ({ email }) => email },
              { label: 'Role', cell: ({ role }) => words(role) },
              { label: 'Status', wide: true, cell: ({ status }) => <Status value={status} /> },
              { label: 'Since', wide: true, cell: ({ created_at }) => dayOf(created_at) },
              {
                label: '',
                align: 'right',
                cell: (member) => <Actions member={member} onLink={onLink} isOneself={member.id === user.id} />,
              },
            ]}
          />
        )}
      </Answered>
    </Block>
  )
}

type Options = { member: VentureUser; onLink(shown: Shown): void; isOneself: boolean }

function Actions({ member, onLink, isOneself }: Options) {
  return (
    <Group gap={6} justify="flex-end">
      <ChangeRole key={member.role} member={member} isOneself={isOneself} />
      {!isOneself && <Reset member={member} onLink={onLink} />}
      {!isOneself && <EndSessions member={member} />}
      <Remove member={member} isOneself={isOneself} />
    </Group>
  )
}
