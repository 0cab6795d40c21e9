import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Client } from '@vostro/sdk'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { useMay, useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { dayOf } from '../../ui/words.ts'
import { kycStatuses } from '../../values.made.ts'

const columns: readonly Column<Client>[] = [
  { label: 'Name', cell: ({ first_name, last_name }) => `${first_name} ${last_name}` },
  {
    label: 'KYC',
    cell: ({ kyc_status, blocked, is_blacklisted }) => (
      <>
        <Status value={kyc_status} /> {blocked && <Status value="BLOCKED" />} {is_blacklisted && <Status value="BLACKLISTED" />}
      </>
    ),
  },
  { label: 'Email', wide: true, cell: ({ email }) => email },
  { label: 'Risk', wide: true, cell: ({ risk_level }) => risk_level },
  { label: 'Since', wide: true, cell: ({ created_at }) => dayOf(created_at) },
]

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const may = useMay()
  const [filters] = useFilters()
  const register = may('registerPerson') && (
    <Button size="sm" renderRoot={(props) => <Link {...props} to={`/v/${venture}/clients/new`} />}>
      Register a person
    </Button>
  )
  return (
    <Frame title="Clients" actions={register}>
      <FilterBar
        filters={[
          { name: 'search', label: 'Name, email or code' },
          { name: 'kyc_status', label: 'KYC status', choices: kycStatuses },
        ]}
      />
      <List
        label="Clients"
        name={[venture, 'clients', filters]}
        read={(cursor) => api.clients.list({ ...filters, ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/v/${venture}/clients/${id}`}
        live="client"
        empty={
          Object.keys(filters).length > 0 ? (
            <Empty title="No matching clients.">Clear the filters to see all clients.</Empty>
          ) : (
            <Empty
              title="No clients yet."
              curl={`curl $VOSTRO_URL/api/v1/clients/person -H "Authorization: Bearer $VOSTRO_KEY" \\
  -H 'Content-Type: application/json' -d '{"first_name":"Ada","last_name":"Martin", …}'`}
            >
              Register the first person here, or from your server.
            </Empty>
          )
        }
      />
    </Frame>
  )
}
