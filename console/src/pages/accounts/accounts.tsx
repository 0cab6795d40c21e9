import type { Account } from '@vostro/sdk'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { OpenAccount } from '../../ui/new-account.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { dayOf, ibanOf, money, words } from '../../ui/words.ts'
import { accountStatuses, accountTypes } from '../../values.made.ts'

const columns: readonly Column<Account>[] = [
  {
    label: 'Name',
    // Many accounts share a name, and a phone has no room for the IBAN.
    cell: ({ account_name, account_number }) => (
      <>
        {account_name} <span className="tail">…{account_number.slice(-4)}</span>
      </>
    ),
  },
  { label: 'IBAN', wide: true, cell: ({ account_number }) => <span className="mono">{ibanOf(account_number)}</span> },
  { label: 'Status', cell: ({ status }) => <Status value={status} /> },
  { label: 'Available', align: 'right', cell: ({ available_balance, currency }) => money(available_balance, currency) },
  { label: 'Kind', wide: true, cell: ({ account_type }) => words(account_type) },
  { label: 'Opened', wide: true, cell: ({ opened_date }) => dayOf(opened_date) },
]

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const [filters] = useFilters()
  const { currency, ...others } = filters
  return (
    <Frame title="Accounts" actions={<OpenAccount />}>
      <FilterBar
        filters={[
          { name: 'search', label: 'Name, IBAN or your id' },
          { name: 'status', label: 'Status', choices: accountStatuses },
          { name: 'account_type', label: 'Kind', choices: accountTypes },
          { name: 'currency', label: 'Currency' },
        ]}
      />
      <List
        label="Accounts"
        name={[venture, 'accounts', filters]}
        // A currency that is still being typed is not a currency yet.
        read={(cursor) => api.accounts.list({ ...others, ...(currency?.length === 3 && { currency }), ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/v/${venture}/accounts/${id}`}
        live="account"
        empty={
          Object.keys(filters).length > 0 ? (
            <Empty title="No matching accounts.">Clear the filters to see all accounts.</Empty>
          ) : (
            <Empty
              title="No accounts yet."
              curl={`curl $VOSTRO_URL/api/v1/accounts -H "Authorization: Bearer $VOSTRO_KEY" \\
  -H 'Content-Type: application/json' -d '{"client_id":"…","account_name":"Everyday","account_type":"CURRENT","currency":"EUR"}'`}
            >
              Open an account for a client.
            </Empty>
          )
        }
      />
    </Frame>
  )
}
