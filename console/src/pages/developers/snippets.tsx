// Code snippets with the ids of the venture filled in.
import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Answered, Block } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Snippet } from '../../ui/snippet.tsx'
import { type Language, snippetsFor } from './snippets.ts'

export function Snippets() {
  const api = useVentureApi()
  const [language, setLanguage] = useState<Language>('curl')
  const query = useQuery({
    queryKey: [useVenture(), 'snippets'],
    queryFn: async () => {
      const [accounts, beneficiaries, transfers] = await Promise.all([
        api.accounts.list({ status: 'ACTIVE', limit: 1 }).page(),
        api.beneficiaries.list({ limit: 1 }).page(),
        api.transfers.list({ limit: 1 }).page(),
      ])
      return { account: accounts.items[0]?.id, beneficiary: beneficiaries.items[0]?.id, transfer: transfers.items[0]?.id }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Block
      title="Quick start"
      actions={
        <SegmentedControl
          aria-label="Language"
          size="xs"
          value={language}
          onChange={(chosen) => setLanguage(chosen as Language)}
          data={[
            { value: 'curl', label: 'curl' },
            { value: 'sdk', label: 'TypeScript' },
            { value: 'cli', label: 'Command line' },
          ]}
        />
      }
    >
      <Answered query={query}>
        <Stack gap="md">
          {query.data &&
            snippetsFor(language, { ...query.data, origin: location.origin }).map(({ title, text }) => (
              <div key={title}>
                <Text size="sm" mb={4}>
                  {title}
                </Text>
                <Snippet text={text} />
              </div>
            ))}
        </Stack>
      </Answered>
    </Block>
  )
}
