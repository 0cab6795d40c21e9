import { Button, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { PersonRegistration } from '@vostro/sdk'
import type { FormEvent, ReactNode } from 'react'
import { isApproval, useDoing } from '../../ui/action.tsx'
import { CountrySelect } from '../../ui/country.tsx'
import { filledIn, useFields } from '../../ui/fields.ts'
import { Block, Page as Frame } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { riskLevels } from '../../values.made.ts'

const empty = {
  first_name: '',
  middle_name: '',
  last_name: '',
  date_of_birth: '',
  gender: '',
  nationality: '',
  birth_country: '',
  country_of_tax_residence: '',
  address: '',
  city: '',
  postcode: '',
  state_province: '',
  country_code: '',
  email: '',
  mobile_phone_number: '',
  external_client_code: '',
  organization_id: '0',
  planned_income: '',
  planned_expenditure: '',
  kyc_level: 'FULL_KYC',
  risk_level: 'Low',
}

const required = [
  'first_name',
  'last_name',
  'date_of_birth',
  'nationality',
  'birth_country',
  'country_of_tax_residence',
  'address',
  'city',
  'postcode',
  'country_code',
  'email',
  'organization_id',
] as const

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const navigate = useNavigate()
  const { values, text, choice } = useFields(empty)
  const isReady = required.every((name) => values[name as keyof typeof empty].trim() !== '')
  const { mutate, isPending, error } = useDoing({
    run: () => {
      const { organization_id, ...given } = filledIn(values)
      return api.clients.registerPerson({ ...given, organization_id: Number(organization_id) } as PersonRegistration)
    },
    done: 'The client was registered.',
    after: (made) => void navigate({ to: isApproval(made) ? `/v/${venture}/clients` : `/v/${venture}/clients/${made.id}` }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !isPending) mutate()
  }
  return (
    <Frame title="Register a person" back={{ to: `/v/${venture}/clients`, label: 'Clients' }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Part title="Person" note="As in the identity document. These fields cannot be changed later.">
            <TextInput label="First name" required {...text('first_name')} />
            <TextInput label="Middle names" {...text('middle_name')} />
            <TextInput label="Last name" required {...text('last_name')} />
            <TextInput label="Date of birth" type="date" required {...text('date_of_birth')} />
            <CountrySelect label="Nationality" required {...choice('nationality')} />
            <CountrySelect label="Country of birth" required {...choice('birth_country')} />
            <Select
              label="Gender"
              clearable
              data={[
                { value: 'female', label: 'Female' },
                { value: 'male', label: 'Male' },
              ]}
              {...choice('gender')}
            />
            <CountrySelect label="Country of tax residence" required {...choice('country_of_tax_residence')} />
          </Part>
          <Part title="Address and contact">
            <TextInput label="Street and number" required {...text('address')} />
            <TextInput label="City" required {...text('city')} />
            <TextInput label="Postcode" required {...text('postcode')} />
            <TextInput label="State or province" {...text('state_province')} />
            <CountrySelect label="Country" required {...choice('country_code')} />
            <TextInput label="Email" type="email" required {...text('email')} />
            <TextInput label="Mobile phone" type="tel" placeholder="+33612345678" {...text('mobile_phone_number')} />
          </Part>
          <Part title="Verification and your own records">
            <Select
              label="Verification"
              allowDeselect={false}
              data={[
                { value: 'FULL_KYC', label: 'Full KYC' },
                { value: 'DOC_ONLY', label: 'Documents only' },
                { value: 'NOT_REQUIRED', label: 'Not required' },
              ]}
              {...choice('kyc_level')}
            />
            <Select label="Risk" allowDeselect={false} data={riskLevels} {...choice('risk_level')} />
            <TextInput label="Organization number" inputMode="numeric" pattern="\d+" required {...text('organization_id')} />
            <TextInput label="Your client code" {...text('external_client_code')} />
            <TextInput label="Planned income" {...text('planned_income')} />
            <TextInput label="Planned expenditure" {...text('planned_expenditure')} />
          </Part>
          <ProblemNote error={error} />
          <Group justify="flex-end">
            <Button type="submit" loading={isPending} disabled={!isReady}>
              Register
            </Button>
          </Group>
        </Stack>
      </form>
    </Frame>
  )
}

function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <Block title={title} note={note}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        {children}
      </SimpleGrid>
    </Block>
  )
}
