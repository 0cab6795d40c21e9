import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Account } from '@vostro/sdk'
import { useState } from 'react'
import { save } from '../../ui/download.ts'
import { Block } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { useMay, useVentureApi } from '../../ui/session.ts'
import { firstOfMonth } from './days.ts'
import { useMonths } from './today.ts'

const formats = {
  pdf: { label: 'PDF', ending: 'pdf' },
  csv: { label: 'CSV', ending: 'csv' },
  camt053: { label: 'camt.053', ending: 'xml' },
  json: { label: 'JSON', ending: 'json' },
} as const
type Format = keyof typeof formats

export function Statement({ account: { id, account_number } }: { account: Account }) {
  const api = useVentureApi()
  const may = useMay()
  const today = useMonths(id).data?.at(-1)?.to ?? ''
  const [chosen, setChosen] = useState<{ from?: string; to?: string }>({})
  const { from = today && firstOfMonth(today), to = today } = chosen
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: async (format: Format) => {
      const content =
        format === 'json'
          ? new Blob([JSON.stringify(await api.accounts.getStatement(id, { from, to }), null, 2)], { type: 'application/json' })
          : await api.accounts.getStatement(id, { from, to, format })
      save(`${account_number} ${from} to ${to}.${formats[format].ending}`, content)
    },
  })
  if (!may('getStatement')) return null
  return (
    <Block title="Statement">
      <Stack gap="sm">
        <Group gap="xs" grow>
          <TextInput
            label="From"
            type="date"
            value={from}
            onChange={({ currentTarget }) => setChosen({ ...chosen, from: currentTarget.value })}
          />
          <TextInput
            label="To"
            type="date"
            value={to}
            onChange={({ currentTarget }) => setChosen({ ...chosen, to: currentTarget.value })}
          />
        </Group>
        <Group gap="xs">
          {Object.entries(formats).map(([format, { label }]) => (
            <Button
              key={format}
              variant="default"
              size="sm"
              loading={isPending && variables === format}
              disabled={from === '' || to === ''}
              onClick={() => mutate(format as Format)}
              aria-label={`Download as ${label}`}
            >
              {label}
            </Button>
          ))}
        </Group>
        <ProblemNote error={error} />
      </Stack>
    </Block>
  )
}
