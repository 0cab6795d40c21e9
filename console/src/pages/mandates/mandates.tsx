// Mandates signed by debtors, which direct debits need.
import type { Mandate } from '@vostro/sdk'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { dayOf, ibanOf } from '../../ui/words.ts'
import { mandateStates } from '../../values.made.ts'
import { RegisterMandate } from './register.tsx'

const columns: readonly Column<Mandate>[] = [
  { label: 'Reference', cell: ({ reference }) => reference },
  { label: 'State', cell: ({ state }) => <Status value={state} /> },
  { label: 'Debtor', cell: ({ debtor_name }) => debtor_name },
  { label: 'IBAN', wide: true, cell: ({ debtor_iban }) => <span className="mono">{ibanOf(debtor_iban)}</span> },
  { label: 'Scheme', wide: true, cell: ({ scheme }) => scheme },
  { label: 'Last used', wide: true, cell: ({ last_used_on }) => (last_used_on === null ? 'Never' : dayOf(last_used_on)) },
]

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const [filters] = useFilters()
  return (
    <Frame title="Mandates" actions={<RegisterMandate />}>
      <FilterBar filters={[{ name: 'state', label: 'State', choices: mandateStates }]} />
      <List
        label="Mandates"
        name={[venture, 'mandates', filters]}
        read={(cursor) => api.mandates.list({ ...filters, ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/v/${venture}/mandates/${id}`}
        live="mandate"
        empty={
          Object.keys(filters).length > 0 ? (
            <Empty title="No matching mandates.">Clear the filters to see all mandates.</Empty>
          ) : (
            <Empty title="No mandates yet.">Register a mandate that a debtor has signed. Transfers that name it then collect money.</Empty>
          )
        }
      />
    </Frame>
  )
}
