// Downloads everything that is kept about a client.
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@vostro/sdk'
import { save } from '../../ui/download.ts'
import { Block } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { useMay, useVentureApi } from '../../ui/session.ts'

/** An archive of many payments takes a while. */
const timeout_ms = 900_000

export function Export({ client: { id } }: { client: Client }) {
  const api = useVentureApi()
  const may = useMay()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => save(`client-${id}.zip`, await api.clients.export(id, { timeout_ms })),
  })
  if (!may('exportClient')) return null
  return (
    <Block title="All data of the client">
      <Stack gap="sm">
        <Text size="sm">
          One ZIP archive with a file for each kind of data, for a client who asks what is kept.
          {may('listScreenings') &&
            ' For the bank it also has screenings, cases and the audit log: take out what the client must not learn before you hand it on.'}
        </Text>
        <Group gap="xs">
          <Button variant="default" size="sm" loading={isPending} onClick={() => mutate()}>
            Download the archive
          </Button>
        </Group>
        <ProblemNote error={error} />
      </Stack>
    </Block>
  )
}
