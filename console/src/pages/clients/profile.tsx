// The profile of a client, and the form for the fields that can change.
import { Select, SimpleGrid, TextInput } from '@mantine/core'
import type { Client, ClientUpdate } from '@vostro/sdk'
import { Action } from '../../ui/action.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { countryOf } from '../../ui/countries.ts'
import { CountrySelect } from '../../ui/country.tsx'
import { changesOf, useFields } from '../../ui/fields.ts'
import { Block, Facts } from '../../ui/page.tsx'
import { useVentureApi } from '../../ui/session.ts'
import { dayOf, minuteOf, words } from '../../ui/words.ts'
import { riskLevels } from '../../values.made.ts'

export function Profile({ client }: { client: Client }) {
  const { address, postcode, city, state_province, country_code } = client
  return (
    <Block title="Profile" actions={<Edit client={client} />}>
      <Facts
        facts={[
          ['Name', [client.first_name, client.middle_name, client.last_name].filter(Boolean).join(' ')],
          ['Born', `${dayOf(client.date_of_birth)}, ${countryOf(client.birth_country)}`],
          ['Nationality', countryOf(client.nationality)],
          ['Tax residence', countryOf(client.country_of_tax_residence)],
          ['Gender', client.gender && words(client.gender)],
          ['Address', [address, `${postcode} ${city}`, state_province, countryOf(country_code)].filter(Boolean).join(', ')],
          ['Email', client.email],
          ['Second email', client.second_email],
          ['Mobile phone', client.mobile_phone_number],
          ['Second phone', client.second_mobile_phone_number],
          ['Planned income', client.planned_income],
          ['Planned expenditure', client.planned_expenditure],
          ['Your client code', client.external_client_code],
          ['Organization', String(client.organization_id)],
          ['Registered', minuteOf(client.created_at)],
          ['Id', <Copyable key="id" text={client.id} label="Copy the id" />],
        ]}
      />
    </Block>
  )
}

const editable = [
  'email',
  'second_email',
  'mobile_phone_number',
  'second_mobile_phone_number',
  'address',
  'city',
  'postcode',
  'state_province',
  'country_code',
  'external_client_code',
  'planned_income',
  'planned_expenditure',
  'risk_level',
] as const
type Editable = (typeof editable)[number]

function Edit({ client }: { client: Client }) {
  const api = useVentureApi()
  const before = Object.fromEntries(editable.map((name) => [name, client[name as keyof Client] ?? ''])) as Record<Editable, string>
  const { values, text, choice, reset } = useFields(before)
  const changes = changesOf(values, client)
  return (
    <Action
      operation="updateClient"
      label="Edit"
      isReady={Object.keys(changes).length > 0}
      run={() => api.clients.update(client.id, changes as ClientUpdate)}
      done="The client was changed."
      size="lg"
      onOpen={() => reset(before)}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput label="Email" type="email" required {...text('email')} />
        <TextInput label="Second email" type="email" {...text('second_email')} />
        <TextInput label="Mobile phone" type="tel" {...text('mobile_phone_number')} />
        <TextInput label="Second phone" type="tel" {...text('second_mobile_phone_number')} />
        <TextInput label="Street and number" required {...text('address')} />
        <TextInput label="City" required {...text('city')} />
        <TextInput label="Postcode" required {...text('postcode')} />
        <TextInput label="State or province" {...text('state_province')} />
        <CountrySelect label="Country" required {...choice('country_code')} />
        <TextInput label="Planned income" {...text('planned_income')} />
        <TextInput label="Planned expenditure" {...text('planned_expenditure')} />
        <TextInput label="Your client code" {...text('external_client_code')} />
        <Select label="Risk" allowDeselect={false} data={riskLevels} {...choice('risk_level')} />
      </SimpleGrid>
    </Action>
  )
}
