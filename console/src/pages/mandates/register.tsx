import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { NewMandate } from '@vostro/sdk'
import { Action, isApproval } from '../../ui/action.tsx'
import { filledIn, useFields } from '../../ui/fields.ts'
import { AccountPicker } from '../../ui/picker.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'

const empty = {
  account_id: '',
  reference: '',
  creditor_id: '',
  scheme: 'CORE',
  sequence_type: 'RCUR',
  debtor_name: '',
  debtor_iban: '',
  signed_on: '',
}

export function RegisterMandate() {
  const api = useVentureApi()
  const venture = useVenture()
  const navigate = useNavigate()
  const { values, text, choice, set, reset } = useFields(empty)
  return (
    <Action
      operation="createMandate"
      label="Register a mandate"
      size="lg"
      button={{ variant: 'filled' }}
      isReady={Object.values(values).every((value) => value.trim() !== '')}
      onOpen={() => reset(empty)}
      run={() => api.mandates.create(filledIn({ ...values, debtor_iban: values.debtor_iban.replaceAll(' ', '') }) as NewMandate)}
      done="The mandate was registered."
      after={(made) => {
        if (!isApproval(made)) void navigate({ to: `/v/${venture}/mandates/${made.id}` })
      }}
    >
      <Stack gap="sm">
        The client of the account may then collect money from the debtor by SEPA direct debit.
        <AccountPicker
          label="Account to credit"
          filter={{ currency: 'EUR' }}
          value={values.account_id}
          onChange={(id) => set('account_id', id)}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput label="Reference" required {...text('reference')} />
          <TextInput label="Creditor identifier" placeholder="DE98ZZZ09999999999" required {...text('creditor_id')} />
          <TextInput label="Debtor’s name" required maxLength={140} {...text('debtor_name')} />
          <TextInput label="Debtor’s IBAN" required {...text('debtor_iban')} />
          <TextInput label="Signed on" type="date" required {...text('signed_on')} />
          <Select
            label="Scheme"
            allowDeselect={false}
            data={[
              { value: 'CORE', label: 'Core: any debtor' },
              { value: 'B2B', label: 'B2B: no consumers' },
            ]}
            {...choice('scheme')}
          />
          <Select
            label="Use"
            allowDeselect={false}
            data={[
              { value: 'RCUR', label: 'Recurring' },
              { value: 'OOFF', label: 'One-off' },
            ]}
            {...choice('sequence_type')}
          />
        </SimpleGrid>
      </Stack>
    </Action>
  )
}
