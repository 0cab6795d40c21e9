import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Answered, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { Accounts, Beneficiaries } from './belongings.tsx'
import { Export } from './export.tsx'
import { Profile } from './profile.tsx'
import { Standing } from './standing.tsx'
import { Verification } from './verification.tsx'

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const { client: id = '' } = useParams({ strict: false }) as { client?: string }
  const query = useQuery({ queryKey: [venture, 'client', id], queryFn: () => api.clients.get(id) })
  const client = query.data
  return (
    <Frame
      title={client === undefined ? 'Client' : `${client.first_name} ${client.last_name}`}
      back={{ to: `/v/${venture}/clients`, label: 'Clients' }}
      aside={
        client && (
          <>
            <Status value={client.kyc_status} />
            {client.blocked && <Status value="BLOCKED" />}
            {client.is_blacklisted && <Status value="BLACKLISTED" />}
          </>
        )
      }
    >
      <Answered query={query}>
        {client && (
          <>
            <Profile client={client} />
            <Accounts client={client} />
            <Verification client={client} />
            <Standing client={client} />
            <Beneficiaries client={client} />
            <Export client={client} />
          </>
        )}
      </Answered>
    </Frame>
  )
}
