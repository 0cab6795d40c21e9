import { Checkbox, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { NewPaymentLink } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { AmountInput } from '../../ui/amount-input.tsx'
import { isAmount } from '../../ui/amounts.ts'
import { filledIn, useFields } from '../../ui/fields.ts'
import { useVenture, useVentureApi } from '../../ui/session.ts'

const empty = { amount: '', currency: 'EUR', description: '', language: 'EN', max_uses: '', expires: '', success_url: '', fail_url: '' }
const asked = { ask_name: 'Name', ask_email: 'Email', ask_phone: 'Phone number' } as const

export function CreateLink() {
  const api = useVentureApi()
  const venture = useVenture()
  const navigate = useNavigate()
  const { values, text, amount, choice, reset } = useFields(empty)
  const [asks, setAsks] = useState<string[]>([])
  const run = () => {
    const { max_uses, expires, ...given } = filledIn(values)
    return api.paymentLinks.create({
      ...given,
      ...(max_uses !== undefined && { max_uses: Number(max_uses) }),
      ...(expires !== undefined && { expires_at: new Date(expires).toISOString() }),
      ...Object.fromEntries(asks.map((name) => [name, true])),
    } as NewPaymentLink)
  }
  return (
    <Action
      operation="createPaymentLink"
      label="Create a link"
      size="lg"
      button={{ variant: 'filled' }}
      isReady={isAmount(values.amount) && /^[a-z]{3}$/i.test(values.currency.trim()) && /^\d*$/.test(values.max_uses.trim())}
      onOpen={() => {
        reset(empty)
        setAsks([])
      }}
      run={run}
      done="The link was created."
      after={({ id }) => void navigate({ to: `/v/${venture}/links/${id}` })}
    >
      <Stack gap="sm">
        Anyone with the address can pay this amount by card.
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <AmountInput label="Amount" currency={values.currency} placeholder="12.50" required {...amount('amount')} />
          <TextInput label="Currency" required maxLength={3} {...text('currency')} />
          <TextInput label="Description" {...text('description')} />
          <Select
            label="Language of the page"
            allowDeselect={false}
            data={[
              { value: 'EN', label: 'English' },
              { value: 'FR', label: 'French' },
              { value: 'AR', label: 'Arabic' },
            ]}
            {...choice('language')}
          />
          <TextInput label="Maximum uses" placeholder="Unlimited" inputMode="numeric" {...text('max_uses')} />
          <TextInput label="Until" type="datetime-local" {...text('expires')} />
          <TextInput label="Success page" type="url" placeholder="https://…" {...text('success_url')} />
          <TextInput label="Failure page" type="url" placeholder="https://…" {...text('fail_url')} />
        </SimpleGrid>
        <Checkbox.Group label="The payer must enter" value={asks} onChange={setAsks}>
          <Group mt={6}>
            {Object.entries(asked).map(([value, label]) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
      </Stack>
    </Action>
  )
}
