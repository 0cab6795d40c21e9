// The ledger entries and the transfers of an account.
import { Tabs } from '@mantine/core'
import type { Account } from '@vostro/sdk'
import { List } from '../../ui/list.tsx'
import { Block, Empty } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { counterpartyOf, signedAmount } from '../../ui/transfers.ts'
import { minuteOf, money, words } from '../../ui/words.ts'

export function Books({ account }: { account: Account }) {
  return (
    <Block>
      <Tabs defaultValue="transfers" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="transfers">Transfers</Tabs.Tab>
          <Tabs.Tab value="entries">Ledger entries</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="transfers">
          <Transfers account={account} />
        </Tabs.Panel>
        <Tabs.Panel value="entries">
          <Entries account={account} />
        </Tabs.Panel>
      </Tabs>
    </Block>
  )
}

function Transfers({ account: { id } }: { account: Account }) {
  const api = useVentureApi()
  const venture = useVenture()
  return (
    <List
      label="Transfers of the account"
      name={[venture, 'transfers', 'of account', id]}
      read={(cursor) => api.accounts.listTransfers(id, { limit: 10, ...cursor }).page()}
      idOf={(transfer) => transfer.id}
      to={(transfer) => `/v/${venture}/transfers/${transfer.id}`}
      columns={[
        {
          label: 'With',
          cell: (transfer) => counterpartyOf(transfer),
        },
        { label: 'Status', cell: ({ status }) => <Status value={status} /> },
        { label: 'Amount', align: 'right', cell: (transfer) => signedAmount(transfer) },
        { label: 'Rail', wide: true, cell: ({ method }) => words(method) },
        { label: 'Reference', wide: true, cell: ({ unique_reference }) => <span className="reference">{unique_reference}</span> },
        { label: 'Created', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
      ]}
      empty={<Empty title="No transfers yet." />}
    />
  )
}

function Entries({ account: { id } }: { account: Account }) {
  const api = useVentureApi()
  const venture = useVenture()
  return (
    <List
      label="Ledger entries of the account"
      name={[venture, 'entries', id]}
      read={(cursor) => api.accounts.listEntries(id, { limit: 10, ...cursor }).page()}
      idOf={(entry) => entry.id}
      to={({ transfer_id }) => `/v/${venture}/transfers/${transfer_id}`}
      columns={[
        { label: 'Booked', cell: ({ created_at }) => minuteOf(created_at) },
        {
          label: 'Amount',
          align: 'right',
          cell: ({ amount, currency }) => money(amount.startsWith('-') ? amount : `+${amount}`, currency),
        },
        { label: 'Balance after', wide: true, align: 'right', cell: ({ balance, currency }) => money(balance, currency) },
      ]}
      empty={<Empty title="No ledger entries yet." />}
    />
  )
}
