import { SegmentedControl, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { NewBeneficiary } from '@vostro/sdk'
import { Action, isApproval } from './action.tsx'
import { CountrySelect } from './country.tsx'
import { filledIn, useFields } from './fields.ts'
import { ClientPicker } from './picker.tsx'
import { useVenture, useVentureApi } from './session.ts'

const ofIban = ['iban', 'bic'] as const
const ofNumber = ['account_number', 'routing_number', 'swift_code'] as const

export function AddBeneficiary({ client_id = '' }: { client_id?: string }) {
  const api = useVentureApi()
  const venture = useVenture()
  const navigate = useNavigate()
  const empty = {
    client_id,
    by: 'iban',
    name: '',
    beneficiary_type: 'PERSON',
    iban: '',
    bic: '',
    account_number: '',
    routing_number: '',
    swift_code: '',
    bank_name: '',
    address: '',
    city: '',
    postal_code: '',
    country_code: '',
  }
  const { values, text, choice, set, reset } = useFields(empty)
  const byIban = values.by === 'iban'
  const run = () => {
    const { by: _, ...given } = values
    // Drops input for the other kind of account.
    for (const name of byIban ? ofNumber : ofIban) given[name] = ''
    given.iban = given.iban.replaceAll(' ', '')
    return api.beneficiaries.create(filledIn(given) as NewBeneficiary)
  }
  return (
    <Action
      operation="createBeneficiary"
      label="Add a beneficiary"
      size="lg"
      {...(client_id === '' && { button: { variant: 'filled' } })}
      isReady={values.client_id !== '' && values.name.trim() !== '' && (byIban ? values.iban : values.account_number).trim() !== ''}
      onOpen={() => reset(empty)}
      run={run}
      done="The beneficiary was added."
      after={(made) => {
        if (!isApproval(made)) void navigate({ to: `/v/${venture}/beneficiaries/${made.id}` })
      }}
    >
      <Stack gap="sm">
        The bank account of a beneficiary cannot be changed later: add another beneficiary for another account.
        {client_id === '' && <ClientPicker label="Client who pays" value={values.client_id} onChange={(id) => set('client_id', id)} />}
        <SegmentedControl
          aria-label="Kind of account"
          value={values.by}
          onChange={(by) => set('by', by)}
          data={[
            { value: 'iban', label: 'IBAN' },
            { value: 'number', label: 'Account number' },
          ]}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput label="Name" description="As the beneficiary’s bank has it." required maxLength={140} {...text('name')} />
          <Select
            label="Kind"
            description="Who receives the money."
            allowDeselect={false}
            data={[
              { value: 'PERSON', label: 'Person' },
              { value: 'COMPANY', label: 'Company' },
            ]}
            {...choice('beneficiary_type')}
          />
          {byIban ? (
            <>
              <TextInput label="IBAN" required {...text('iban')} />
              <TextInput label="BIC" {...text('bic')} />
            </>
          ) : (
            <>
              <TextInput label="Account number" required {...text('account_number')} />
              <TextInput label="Routing number" {...text('routing_number')} />
              <TextInput label="SWIFT code" {...text('swift_code')} />
            </>
          )}
          <TextInput label="Bank name" {...text('bank_name')} />
          <TextInput label="Street and number" {...text('address')} />
          <TextInput label="City" {...text('city')} />
          <TextInput label="Postal code" {...text('postal_code')} />
          <CountrySelect label="Country" {...choice('country_code')} />
        </SimpleGrid>
      </Stack>
    </Action>
  )
}
