// The form of a new transfer. A dry run follows every change; nothing is ordered before the button is pressed.
import './transfer.css'
import { Button, Checkbox, Group, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { isApproval, useDoing } from '../../ui/action.tsx'
import { AmountInput } from '../../ui/amount-input.tsx'
import { AmountNotes, WithAmountNotes } from '../../ui/amount-notes.tsx'
import { Block, Page as Frame } from '../../ui/page.tsx'
import { AccountPicker, accountChoice } from '../../ui/picker.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { useMay, useVenture, useVentureApi } from '../../ui/session.ts'
import { money } from '../../ui/words.ts'
import { BeneficiaryPicker } from './beneficiary-picker.tsx'
import { DryRun } from './dry-run.tsx'
import { currencyOfAmount, newReference, nothingTyped, orderOf, type Typed } from './order.ts'

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const navigate = useNavigate()
  const may = useMay()
  const from = useSearch({ strict: false }) as { account_id?: string; beneficiary_id?: string }
  const [typed, setTyped] = useState<Typed>(() => ({
    ...nothingTyped,
    account_id: from.account_id ?? '',
    beneficiary_id: from.beneficiary_id ?? '',
    reference: newReference(),
  }))
  const { account_id, beneficiary_id } = typed
  const { data: account, error: noAccount } = useQuery({
    queryKey: [venture, 'account', account_id],
    enabled: account_id !== '',
    queryFn: () => api.accounts.get(account_id),
  })
  const { data: beneficiary, error: noBeneficiary } = useQuery({
    queryKey: [venture, 'beneficiary', beneficiary_id],
    enabled: beneficiary_id !== '',
    queryFn: () => api.beneficiaries.get(beneficiary_id),
  })
  const change = (changes: Partial<Typed>) => setTyped((before) => ({ ...before, ...changes }))
  const order = orderOf(typed, account?.currency)
  const [settled] = useDebouncedValue(order && JSON.stringify(order), 400)
  const dryRun = useQuery({
    queryKey: [venture, 'dry run', settled],
    enabled: settled !== undefined && may('dryRunTransfer'),
    queryFn: () => api.transfers.dryRun(JSON.parse(settled ?? '{}')),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const { mutate, isPending, error } = useDoing({
    run: () => {
      if (order === undefined) throw new Error('Fill in the account, the beneficiary and the amount first.')
      return api.transfers.create(order)
    },
    done: 'The transfer was ordered.',
    after: (made) => {
      void navigate({ to: isApproval(made) ? `/v/${venture}/transfers` : `/v/${venture}/transfers/${made.id}` })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (order !== undefined && !isPending) mutate()
  }
  const text = (name: 'currency' | 'purpose' | 'reference' | 'date') => ({
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => change({ [name]: currentTarget.value }),
  })
  const isExchange = account !== undefined && typed.currency.trim().length === 3 && typed.currency.trim().toUpperCase() !== account.currency
  const isUnsure = dryRun.data?.payee_check?.result === 'NO_MATCH' || dryRun.data?.payee_check?.result === 'CLOSE_MATCH'
  const isFresh = order !== undefined && settled === JSON.stringify(order) && !dryRun.isPlaceholderData
  return (
    <Frame title="New transfer" back={{ to: `/v/${venture}/transfers`, label: 'Transfers' }}>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Block title="Order">
          <WithAmountNotes>
            <form onSubmit={submit}>
              <Stack gap="sm">
                <AccountPicker
                  label="From account"
                  value={account_id}
                  preset={account && accountChoice(account)}
                  // Beneficiaries belong to a client, so a new account clears the choice.
                  onChange={(id) => change({ account_id: id, beneficiary_id: '' })}
                />
                {account && (
                  <Text size="sm" c="dimmed">
                    Available: <span className="amount">{money(account.available_balance, account.currency)}</span>
                  </Text>
                )}
                <BeneficiaryPicker
                  key={account?.client_id}
                  client={account?.client_id}
                  value={beneficiary_id}
                  chosen={beneficiary}
                  onChange={(id) => change({ beneficiary_id: id, isPayeeAccepted: false })}
                />
                <ProblemNote error={noAccount ?? noBeneficiary} />
                <Group gap="sm" align="start" wrap="nowrap">
                  <AmountInput
                    label="Amount"
                    currency={currencyOfAmount(typed, account?.currency)}
                    placeholder="30.00"
                    required
                    className="grow"
                    value={typed.amount}
                    onChange={(amount) => change({ amount })}
                  />
                  <TextInput label="Currency" maxLength={3} w={110} placeholder={account?.currency ?? 'EUR'} {...text('currency')} />
                </Group>
                {isExchange && (
                  <SegmentedControl
                    size="xs"
                    aria-label="Amount side"
                    value={typed.side}
                    onChange={(side) => change({ side: side === 'credit' ? 'credit' : 'debit' })}
                    data={[
                      { value: 'debit', label: `Debit in ${account.currency}` },
                      { value: 'credit', label: `Credit in ${typed.currency.trim().toUpperCase()}` },
                    ]}
                  />
                )}
                <TextInput label="Purpose" description="Shown to the payee. At most 140 characters." maxLength={140} {...text('purpose')} />
                <TextInput label="Reference" description="Unique across all transfers." required maxLength={128} {...text('reference')} />
                <TextInput label="Settlement date" description="Leave empty for the earliest day." type="date" {...text('date')} />
                <Checkbox
                  label="SEPA instant if both banks support it"
                  checked={typed.isInstant}
                  onChange={({ currentTarget }) => change({ isInstant: currentTarget.checked })}
                />
                {isUnsure && (
                  <Checkbox
                    label="I accept that the payee’s name does not match the account"
                    checked={typed.isPayeeAccepted}
                    onChange={({ currentTarget }) => change({ isPayeeAccepted: currentTarget.checked })}
                  />
                )}
                <ProblemNote error={error} />
                <Group justify="flex-end" gap="sm">
                  <AmountNotes />
                  <Button type="submit" loading={isPending} disabled={order === undefined || (isFresh && dryRun.data?.accepted === false)}>
                    Order transfer
                  </Button>
                </Group>
              </Stack>
            </form>
          </WithAmountNotes>
        </Block>
        <DryRun result={order === undefined ? undefined : dryRun.data} isFresh={isFresh} error={dryRun.error} beneficiary={beneficiary} />
      </SimpleGrid>
    </Frame>
  )
}
