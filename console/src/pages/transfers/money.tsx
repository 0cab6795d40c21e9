// The money of a transfer: amounts, rate, fee, hold and ledger entries.
import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Transfer, TransferEntry } from '@vostro/sdk'
import { type Column, Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty, Facts } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { dayOf, grouped, money, secondOf, shortId, words } from '../../ui/words.ts'
import { holdOf, totalOf } from './hold.ts'
import type { Step } from './machine.ts'

export function Money({ transfer, history }: { transfer: Transfer; history: readonly Step[] }) {
  const { id, status, debit_amount, debit_currency, credit_amount, credit_currency, exchange_rate, fx_fee_amount } = transfer
  const api = useVentureApi()
  const venture = useVenture()
  const entries = useQuery({ queryKey: [venture, 'entries', id, status], queryFn: () => api.transfers.listEntries(id) })
  return (
    <Block title="Money">
      <Stack gap="md">
        <Facts
          facts={[
            ['Debited', money(debit_amount, debit_currency)],
            ['Credited', money(credit_amount, credit_currency)],
            ['Rate', exchange_rate && `1 ${debit_currency} = ${grouped(exchange_rate)} ${credit_currency}`],
            ['Fee', fx_fee_amount && money(fx_fee_amount, debit_currency)],
            ['Debited with the fee', fx_fee_amount && totalOf(transfer)],
            ['Held on the account', holdOf(transfer, history)],
            ['Method', words(transfer.method)],
            ['Type', words(transfer.transfer_type)],
            ['Settlement date', dayOf(transfer.settlement_date)],
            ['Purpose', transfer.purpose],
            ['Purpose code', [transfer.purpose_code, transfer.category_purpose_code].filter(Boolean).join(' · ')],
            ['Structured reference', [transfer.structured_reference, transfer.structured_reference_issuer].filter(Boolean).join(' · ')],
          ]}
        />
        <Title order={3} size="h5">
          Entries
        </Title>
        <Answered query={entries}>
          {entries.data?.length === 0 ? (
            <NoEntries transfer={transfer} />
          ) : (
            <Rows label="Entries" rows={entries.data ?? []} idOf={(entry) => entry.id} columns={columnsOf(venture)} />
          )}
        </Answered>
      </Stack>
    </Block>
  )
}

function NoEntries({ transfer: { status, direction } }: { transfer: Transfer }) {
  if (status === 'COMPLETED' && direction === 'INBOUND')
    return <Empty title="No entries of its own.">The payer is also at this bank. Both sides were booked with the payer’s transfer.</Empty>
  return <Empty title="No entries yet.">A hold is not an entry.</Empty>
}

const columnsOf = (venture: string): readonly Column<TransferEntry>[] => [
  {
    label: 'Booked on',
    cell: ({ account_id, system_account }) =>
      account_id === null ? (
        <span className="mono">{system_account}</span>
      ) : (
        <Link to={`/v/${venture}/accounts/${account_id}`}>Account …{shortId(account_id)}</Link>
      ),
  },
  {
    label: 'Amount',
    align: 'right',
    cell: ({ amount, currency }) => money(amount.startsWith('-') ? amount : `+${amount}`, currency),
  },
  {
    label: 'Balance after',
    wide: true,
    align: 'right',
    cell: ({ balance, currency }) => (balance === null ? '–' : money(balance, currency)),
  },
  { label: 'When', wide: true, cell: ({ created_at }) => secondOf(created_at) },
]
