// Card money, and its payouts to an account of the venture.
import { Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CardBalance, Payout } from '@vostro/sdk'
import { useState } from 'react'
import { Action, isApproval } from '../../ui/action.tsx'
import { isZero } from '../../ui/amounts.ts'
import { type Column, List, Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { AccountTie } from '../../ui/tied.tsx'
import { grouped, minuteOf, money } from '../../ui/words.ts'
import { Settings } from './settings.tsx'

type Money = CardBalance['balances'][number]

const columns: readonly Column<Payout>[] = [
  { label: 'Paid out', cell: ({ created_at }) => minuteOf(created_at) },
  { label: 'Net amount', align: 'right', cell: ({ net_amount, currency }) => money(net_amount, currency) },
  { label: 'Fee', wide: true, align: 'right', cell: ({ fee_amount, currency }) => money(fee_amount, currency) },
  { label: 'Card money', wide: true, align: 'right', cell: ({ amount, currency }) => money(amount, currency) },
  { label: 'Account', wide: true, cell: ({ account_id }) => <AccountTie id={account_id} /> },
  {
    label: 'Why',
    wide: true,
    cell: ({ payment_id, description }) => (payment_id === null ? (description ?? 'Card payments') : 'Recovered for a refund'),
  },
]

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const balance = useQuery({ queryKey: [venture, 'balance'], queryFn: () => api.balance.get() })
  const settings = useQuery({ queryKey: [venture, 'payout-settings'], queryFn: () => api.payoutSettings.get() })
  const account = settings.data?.payout_account_id ?? null
  return (
    <Frame title="Payouts" actions={account !== null && <PayOut account={account} balances={balance.data?.balances ?? []} />}>
      <Block title="Card money" note="Paid by card">
        <Answered query={balance}>
          <Balances balances={balance.data?.balances ?? []} />
        </Answered>
      </Block>
      <Answered query={settings}>
        <Settings account={account} />
      </Answered>
      <Block title="Paid out">
        <List
          label="Payouts"
          name={[venture, 'payouts']}
          read={(cursor) => api.payouts.list({ limit: 50, ...cursor }).page()}
          columns={columns}
          idOf={({ id }) => id}
          to={({ transfer_id }) => `/v/${venture}/transfers/${transfer_id}`}
          live="payout"
          empty={<Empty title="No payouts yet.">Choose a payout account, and card money is paid out once a day.</Empty>}
        />
      </Block>
    </Frame>
  )
}

function Balances({ balances }: { balances: readonly Money[] }) {
  if (balances.length === 0) return <Empty title="No card money yet." />
  return (
    <Rows
      label="Card money by currency"
      rows={balances}
      idOf={({ currency }) => currency}
      columns={[
        { label: 'Currency', cell: ({ currency }) => currency },
        { label: 'Available now', align: 'right', cell: ({ available }) => grouped(available) },
        { label: 'Payable', align: 'right', cell: ({ payable }) => grouped(payable) },
        { label: 'Paid out', wide: true, align: 'right', cell: ({ paid_out }) => grouped(paid_out) },
        { label: 'Fees', wide: true, align: 'right', cell: ({ fees }) => grouped(fees) },
      ]}
    />
  )
}

function PayOut({ account, balances }: { account: string; balances: readonly Money[] }) {
  const api = useVentureApi()
  const [description, setDescription] = useState('')
  const { data } = useQuery({ queryKey: [useVenture(), 'account', account], queryFn: () => api.accounts.get(account) })
  const available = balances.find(({ currency }) => currency === data?.currency)?.available ?? '0'
  if (data === undefined) return null
  return (
    <Action
      operation="createPayout"
      label="Pay out now"
      button={{ variant: 'filled' }}
      isReady={!isZero(available)}
      run={() => api.payouts.create(description.trim() === '' ? {} : { description: description.trim() })}
      done={(made) => (isApproval(made) ? '' : `${money(made.net_amount, made.currency)} was credited to the account.`)}
      after={() => setDescription('')}
    >
      <Stack gap="sm">
        {isZero(available) ? (
          <Text size="sm">No card money in {data.currency} is available now. It is too recent or is being refunded.</Text>
        ) : (
          <Text size="sm">
            {money(available, data.currency)} goes to “{data.account_name}”, minus the bank’s fee.
          </Text>
        )}
        <TextInput
          label="Purpose"
          placeholder="Card payments"
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
      </Stack>
    </Action>
  )
}
