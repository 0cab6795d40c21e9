import { SimpleGrid, TextInput } from '@mantine/core'
import type { Account, AccountUpdate } from '@vostro/sdk'
import { Action } from '../../ui/action.tsx'
import { isRead } from '../../ui/amount.reading.ts'
import { AmountInput } from '../../ui/amount-input.tsx'
import { changesOf, useFields } from '../../ui/fields.ts'
import { useVentureApi } from '../../ui/session.ts'

const editable = ['account_name', 'description', 'daily_limit', 'monthly_limit', 'yearly_limit'] as const

export function Edit({ account }: { account: Account }) {
  const api = useVentureApi()
  const before = Object.fromEntries(editable.map((name) => [name, account[name] ?? ''])) as Record<(typeof editable)[number], string>
  const { values, text, amount, reset } = useFields(before)
  const changes = changesOf(values, account)
  const limit = { placeholder: 'No limit', currency: account.currency } as const
  return (
    <Action
      operation="updateAccount"
      label="Edit"
      isReady={Object.keys(changes).length > 0 && values.account_name.trim() !== '' && Object.values(values).every(isRead)}
      onOpen={() => reset(before)}
      run={() => api.accounts.update(account.id, changes as AccountUpdate)}
      done="The account was changed."
    >
      <SimpleGrid cols={1} spacing="sm">
        <TextInput label="Name" required maxLength={140} {...text('account_name')} />
        <TextInput label="Description" {...text('description')} />
        <AmountInput label={`Limit per day, in ${account.currency}`} {...limit} {...amount('daily_limit')} />
        <AmountInput label={`Limit per month, in ${account.currency}`} {...limit} {...amount('monthly_limit')} />
        <AmountInput label={`Limit per year, in ${account.currency}`} {...limit} {...amount('yearly_limit')} />
      </SimpleGrid>
    </Action>
  )
}
