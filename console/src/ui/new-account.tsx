// Opens an account for a client.
import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { NewAccount } from '@vostro/sdk'
import { Action } from './action.tsx'
import { isRead } from './amount.reading.ts'
import { AmountInput } from './amount-input.tsx'
import { filledIn, useFields } from './fields.ts'
import { ClientPicker } from './picker.tsx'
import { useVenture, useVentureApi } from './session.ts'

export function OpenAccount({ client_id = '' }: { client_id?: string }) {
  const api = useVentureApi()
  const venture = useVenture()
  const navigate = useNavigate()
  const empty = {
    client_id,
    account_name: '',
    account_type: 'CURRENT',
    currency: 'EUR',
    daily_limit: '',
    monthly_limit: '',
    yearly_limit: '',
    external_account_id: '',
    description: '',
  }
  const { values, text, amount, choice, set, reset } = useFields(empty)
  const limit = { placeholder: 'No limit', currency: values.currency } as const
  const areLimitsRead = [values.daily_limit, values.monthly_limit, values.yearly_limit].every(isRead)
  return (
    <Action
      operation="createAccount"
      label="Open an account"
      size="lg"
      {...(client_id === '' && { button: { variant: 'filled' } })}
      isReady={values.client_id !== '' && values.account_name.trim() !== '' && /^[a-z]{3}$/i.test(values.currency.trim()) && areLimitsRead}
      onOpen={() => reset(empty)}
      run={() => api.accounts.create(filledIn(values) as NewAccount)}
      done="The account was opened. It can be used once it is activated."
      after={({ id }) => void navigate({ to: `/v/${venture}/accounts/${id}` })}
    >
      <Stack gap="sm">
        The bank assigns the IBAN. The account is pending until it is activated.
        {client_id === '' && <ClientPicker value={values.client_id} onChange={(id) => set('client_id', id)} />}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput label="Name" placeholder="Everyday" required maxLength={140} {...text('account_name')} />
          <TextInput label="Currency" required maxLength={3} {...text('currency')} />
          <Select
            label="Kind"
            allowDeselect={false}
            data={[
              { value: 'CURRENT', label: 'Current' },
              { value: 'SAVINGS', label: 'Savings' },
              { value: 'ESCROW', label: 'Escrow' },
            ]}
            {...choice('account_type')}
          />
          <TextInput label="Your id" {...text('external_account_id')} />
          <AmountInput label="Limit per day" {...limit} {...amount('daily_limit')} />
          <AmountInput label="Limit per month" {...limit} {...amount('monthly_limit')} />
          <AmountInput label="Limit per year" {...limit} {...amount('yearly_limit')} />
          <TextInput label="Description" {...text('description')} />
        </SimpleGrid>
      </Stack>
    </Action>
  )
}
