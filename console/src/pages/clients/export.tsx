// Downloads all data stored about a client.
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@vostro/sdk'
import { save } from '../../ui/download.ts'
import { Block } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { useMay, useVentureApi } from '../../ui/session.ts'

/** The archive of a client with many payments takes a while. */
const timeout_ms = 900_000

export function Export({ client: { id } }: { client: Client }) {
  const api = useVentureApi()
  const may = useMay()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => save(`client-${id}.zip`, await api.clients.export(id, { timeout_ms })),
  })
  if (!may('exportClient')) return null
  return (
    <Block title="Data export">
      <Stack gap="sm">
        <Text size="sm">
          A ZIP archive with one file per kind of data, for a client's access request.
          {may('listScreenings') &&
            ' The bank’s archive also contains screenings, cases and the audit log: remove what the client must not learn before you pass it on.'}
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
