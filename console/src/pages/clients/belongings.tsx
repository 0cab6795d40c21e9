// The accounts and beneficiaries of a client.
import type { Client } from '@vostro/sdk'
import { List } from '../../ui/list.tsx'
import { OpenAccount } from '../../ui/new-account.tsx'
import { AddBeneficiary } from '../../ui/new-beneficiary.tsx'
import { Block, Empty } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { dayOf, ibanOf, money } from '../../ui/words.ts'

export function Accounts({ client: { id } }: { client: Client }) {
  const api = useVentureApi()
  const venture = useVenture()
  return (
    <Block title="Accounts" actions={<OpenAccount client_id={id} />}>
      <List
        label="Accounts of the client"
        name={[venture, 'accounts', 'of client', id]}
        read={(cursor) => api.accounts.list({ client_id: id, limit: 10, ...cursor }).page()}
        idOf={(account) => account.id}
        to={(account) => `/v/${venture}/accounts/${account.id}`}
        columns={[
          { label: 'Name', cell: ({ account_name }) => account_name },
          { label: 'Status', cell: ({ status }) => <Status value={status} /> },
          { label: 'IBAN', wide: true, cell: ({ account_number }) => <span className="mono">{ibanOf(account_number)}</span> },
          { label: 'Available', align: 'right', cell: ({ available_balance, currency }) => money(available_balance, currency) },
        ]}
        empty={<Empty title="No accounts yet." />}
      />
    </Block>
  )
}

export function Beneficiaries({ client: { id } }: { client: Client }) {
  const api = useVentureApi()
  const venture = useVenture()
  return (
    <Block title="Beneficiaries" actions={<AddBeneficiary client_id={id} />}>
      <List
        label="Beneficiaries of the client"
        name={[venture, 'beneficiaries', 'of client', id]}
        read={(cursor) => api.beneficiaries.list({ client_id: id, limit: 10, ...cursor }).page()}
        idOf={(beneficiary) => beneficiary.id}
        to={(beneficiary) => `/v/${venture}/beneficiaries/${beneficiary.id}`}
        columns={[
          { label: 'Name', cell: ({ name }) => name },
          {
            label: 'Account',
            cell: ({ iban, account_number }) => <span className="mono">{iban === null ? account_number : ibanOf(iban)}</span>,
          },
          { label: 'Since', wide: true, cell: ({ created_at }) => dayOf(created_at) },
        ]}
        empty={<Empty title="No beneficiaries yet." />}
      />
    </Block>
  )
}
