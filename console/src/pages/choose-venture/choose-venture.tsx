// For members of several ventures: chooses the one to work in.
import { NavLink } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiOf } from '../../ui/api.ts'
import { Block, Empty, Page as Frame } from '../../ui/page.tsx'
import { useSession } from '../../ui/session.ts'
import { words } from '../../ui/words.ts'

export function Page() {
  const { memberships } = useSession()
  return (
    <Frame title="Your ventures">
      <Block>
        {memberships.length === 0 && <Empty title="You are not a member of any venture.">Ask an admin of your team to invite you.</Empty>}
        {memberships.map(({ venture_id, role }) => (
          <Membership key={venture_id} venture={venture_id} role={role} />
        ))}
      </Block>
    </Frame>
  )
}

function Membership({ venture, role }: { venture: string; role: string }) {
  const { data, error } = useQuery({ queryKey: ['place', venture], queryFn: () => apiOf(venture).venture.get() })
  return (
    <NavLink
      label={data?.name ?? venture}
      description={error ? 'This venture is disabled.' : `Your role: ${words(role).toLowerCase()}.`}
      renderRoot={(props) => <Link {...props} to={`/v/${venture}/overview`} />}
    />
  )
}
