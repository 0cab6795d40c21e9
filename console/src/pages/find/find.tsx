// The target of `vostro open <id>`: opens the only match, or lists several.
import { NavLink } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { findIn } from '../../ui/found.ts'
import { Answered, Block, Empty, Page as Frame } from '../../ui/page.tsx'
import { useSession } from '../../ui/session.ts'
import { words } from '../../ui/words.ts'

export function Page() {
  const { text } = useParams({ strict: false }) as { text: string }
  const { bank_role, memberships } = useSession()
  const query = useQuery({
    queryKey: ['find', 'everywhere', text],
    queryFn: async () => {
      // People of the bank search all ventures at once; others only their own.
      const places = bank_role === null ? memberships.map(({ venture_id }) => venture_id) : [undefined]
      return (await Promise.all(places.map((venture) => findIn(venture, text)))).flat()
    },
  })
  const found = query.data ?? []
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return <Navigate to={only.to} replace />
  return (
    <Frame title="Find">
      <Answered query={query}>
        <Block>
          {only === undefined ? (
            <Empty title={`No results for “${text}”.`}>
              Ids, references, emails and IBANs must match exactly. Searched: {bank_role === null ? 'your ventures' : 'all ventures'}.
            </Empty>
          ) : (
            found.map(({ kind, id, title, subtitle, to }) => (
              <NavLink
                key={`${kind} ${id}`}
                label={title}
                description={[words(kind), subtitle].filter(Boolean).join(' · ')}
                renderRoot={(props) => <Link {...props} to={to} />}
              />
            ))
          )}
        </Block>
      </Answered>
    </Frame>
  )
}
