// Submits the declarations of a client, which starts the verification.
import { Checkbox, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { Client, OnboardingSubmission } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { filledIn, useFields } from '../../ui/fields.ts'
import { useVentureApi } from '../../ui/session.ts'
import { words } from '../../ui/words.ts'
import { accountPurposes, occupationSectors, occupations, sourcesOfFunds } from '../../values.made.ts'
import { inWords, volumes } from './declared.ts'

const empty = {
  expected_monthly_incoming_volume: '',
  expected_monthly_outgoing_volume: '',
  occupation: '',
  occupation_sector: '',
  source_of_funds: '',
  other_occupation: '',
  other_source_of_funds: '',
  tax_identification_number: '',
}

const required = [
  'expected_monthly_incoming_volume',
  'expected_monthly_outgoing_volume',
  'occupation',
  'occupation_sector',
  'source_of_funds',
] as const

const volumeChoices = Object.entries(volumes).map(([value, label]) => ({ value, label }))

export function Submit({ client }: { client: Client }) {
  const api = useVentureApi()
  const { values, text, choice } = useFields(empty)
  const [account_purposes_input, setPurposes] = useState<string[]>([])
  const [is_us_person, setUsPerson] = useState(false)
  return (
    <Action
      operation="submitOnboardingDetails"
      label="Submit details"
      size="lg"
      isReady={required.every((name) => values[name] !== '')}
      run={() =>
        api.clients.submitOnboardingDetails(client.id, {
          ...filledIn(values),
          account_purposes_input,
          is_us_person,
        } as OnboardingSubmission)
      }
      done="The details were submitted. The verification has started."
    >
      <Stack gap="sm">
        Details can be submitted only once. The verifier then opens an application for the client.
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select label="Expected to receive per month" withAsterisk data={volumeChoices} {...choice('expected_monthly_incoming_volume')} />
          <Select label="Expected to pay per month" withAsterisk data={volumeChoices} {...choice('expected_monthly_outgoing_volume')} />
          <Select label="Occupation" withAsterisk searchable data={inWords(occupations)} {...choice('occupation')} />
          <Select label="Sector" withAsterisk searchable data={inWords(occupationSectors)} {...choice('occupation_sector')} />
          {values.occupation === 'OTHER' && <TextInput label="Other occupation" {...text('other_occupation')} />}
          <Select label="Source of funds" withAsterisk searchable data={inWords(sourcesOfFunds)} {...choice('source_of_funds')} />
          {values.source_of_funds === 'OTHER' && <TextInput label="Other source" {...text('other_source_of_funds')} />}
          <TextInput label="Tax number" {...text('tax_identification_number')} />
        </SimpleGrid>
        <Checkbox.Group label="Purpose of the accounts" value={account_purposes_input} onChange={setPurposes}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6} mt={6}>
            {accountPurposes.map((purpose) => (
              <Checkbox key={purpose} value={purpose} label={words(purpose)} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <Checkbox
          label="US person for tax purposes"
          checked={is_us_person}
          onChange={({ currentTarget }) => setUsPerson(currentTarget.checked)}
        />
      </Stack>
    </Action>
  )
}
