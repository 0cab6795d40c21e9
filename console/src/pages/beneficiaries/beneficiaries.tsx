import type { Beneficiary } from '@vostro/sdk'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { AddBeneficiary } from '../../ui/new-beneficiary.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { dayOf, ibanOf, words } from '../../ui/words.ts'

const columns: readonly Column<Beneficiary>[] = [
  { label: 'Name', cell: ({ name }) => name },
  {
    label: 'Account',
    cell: ({ iban, account_number }) => <span className="mono">{iban === null ? account_number : ibanOf(iban)}</span>,
  },
  { label: 'Kind', wide: true, cell: ({ beneficiary_type }) => words(beneficiary_type) },
  { label: 'Bank', wide: true, cell: ({ bank_name }) => bank_name },
  { label: 'Shown to users', wide: true, cell: ({ display }) => (display ? 'Yes' : 'No') },
  { label: 'Since', wide: true, cell: ({ created_at }) => dayOf(created_at) },
]

const shownTo: Record<string, { display: boolean }> = { SHOWN_TO_USERS: { display: true }, HIDDEN: { display: false } }

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const [{ shown = '', ...filters }] = useFilters()
  const query = { ...filters, ...shownTo[shown] }
  return (
    <Frame title="Beneficiaries" actions={<AddBeneficiary />}>
      <FilterBar
        filters={[
          { name: 'search', label: 'Name, IBAN or bank' },
          { name: 'shown', label: 'Shown or hidden', choices: Object.keys(shownTo) },
        ]}
      />
      <List
        label="Beneficiaries"
        name={[venture, 'beneficiaries', query]}
        read={(cursor) => api.beneficiaries.list({ ...query, ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/v/${venture}/beneficiaries/${id}`}
        live="beneficiary"
        empty={
          Object.keys(query).length > 0 ? (
            <Empty title="No matching beneficiaries.">Clear the filters to see all beneficiaries.</Empty>
          ) : (
            <Empty
              title="No beneficiaries yet."
              curl={`curl $VOSTRO_URL/api/v1/beneficiaries -H "Authorization: Bearer $VOSTRO_KEY" \\
  -H 'Content-Type: application/json' -d '{"client_id":"…","name":"Ada Martin","beneficiary_type":"PERSON","iban":"…"}'`}
            >
              Add a payee for a client.
            </Empty>
          )
        }
      />
    </Frame>
  )
}
