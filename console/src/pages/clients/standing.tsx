// Risk, block, blacklist and screening results of a client, as far as the viewer may see them.
import { Checkbox, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Client, ClientUpdate } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { api as bank } from '../../ui/api.ts'
import { Rows } from '../../ui/list.tsx'
import { Answered, Block, Facts } from '../../ui/page.tsx'
import { useMay, useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { minuteOf } from '../../ui/words.ts'

const risks = { Low: 'good', Medium: 'attention', High: 'bad' } as const

const causes = {
  processing: 'Payment in progress',
  created: 'Client registered',
  changed: 'Client changed',
  list: 'New list version',
  nightly: 'Daily screening',
  art_5d: 'Instant payment (screened daily)',
}

export function Standing({ client }: { client: Client }) {
  const may = useMay()
  const { risk_level, blocked, is_blacklisted, blacklisted_comment, kyc_note } = client
  return (
    <Block title="Risk and screening" actions={<Change client={client} />}>
      <Stack gap="sm">
        <Facts
          facts={[
            ['Risk', <Status key="risk" value={risk_level} tone={risks[risk_level]} />],
            ['Blocked', blocked ? 'Yes: no account can be activated and no money sent.' : 'No'],
            ['Blacklisted', is_blacklisted ? 'Yes' : 'No'],
            ['Blacklist reason', blacklisted_comment],
            ['Note', kyc_note],
          ]}
        />
        {may('listScreenings') ? (
          <Screenings id={client.id} />
        ) : (
          <Text size="sm" c="dimmed">
            The bank screens clients against its watch lists. The fields above show the result once the bank has decided.
          </Text>
        )}
      </Stack>
    </Block>
  )
}

function Screenings({ id }: { id: string }) {
  const venture = useVenture()
  const query = useQuery({
    queryKey: ['bank', 'screenings', id],
    queryFn: () => bank.ventures.listScreenings(venture, { subject_id: id, limit: 10 }).page(),
  })
  const rows = query.data?.items ?? []
  return (
    <Answered query={query}>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          The client has not been screened yet.
        </Text>
      ) : (
        <Rows
          label="Latest screenings"
          rows={rows}
          idOf={(row) => row.id}
          columns={[
            { label: 'Screened', cell: ({ created_at }) => minuteOf(created_at) },
            { label: 'Outcome', cell: ({ outcome }) => <Status value={outcome} /> },
            { label: 'Trigger', wide: true, cell: ({ cause }) => causes[cause] },
            { label: 'Best score', wide: true, align: 'right', cell: ({ best_score }) => best_score?.toFixed(2) ?? '–' },
          ]}
        />
      )}
    </Answered>
  )
}

function Change({ client }: { client: Client }) {
  const api = useVentureApi()
  const before = { blocked: client.blocked, is_blacklisted: client.is_blacklisted, comment: client.blacklisted_comment ?? '' }
  const [values, setValues] = useState(before)
  const { blocked, is_blacklisted, comment } = values
  const changes: ClientUpdate = {
    ...(blocked !== before.blocked && { blocked }),
    ...(is_blacklisted !== before.is_blacklisted && { is_blacklisted }),
    ...(comment.trim() !== before.comment && { blacklisted_comment: comment.trim() || null }),
  }
  return (
    <Action
      operation="updateClient"
      label="Block or unblock"
      isReady={Object.keys(changes).length > 0}
      onOpen={() => setValues(before)}
      run={() => api.clients.update(client.id, changes)}
      done="The client was changed."
    >
      <Stack gap="sm">
        <Checkbox
          label="Blocked"
          description="No account can be activated and no money sent."
          checked={blocked}
          onChange={({ currentTarget }) => setValues({ ...values, blocked: currentTarget.checked })}
        />
        <Checkbox
          label="Blacklisted"
          description="Also stops payouts of a remaining balance."
          checked={is_blacklisted}
          onChange={({ currentTarget }) => setValues({ ...values, is_blacklisted: currentTarget.checked })}
        />
        <Textarea
          label="Blacklist reason"
          autosize
          minRows={2}
          value={comment}
          onChange={({ currentTarget }) => setValues({ ...values, comment: currentTarget.value })}
        />
        <Text size="sm" c="dimmed">
          Only the bank can lift a block or blacklisting that it has set.
        </Text>
      </Stack>
    </Action>
  )
}
