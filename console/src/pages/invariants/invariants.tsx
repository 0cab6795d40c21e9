// Verification runs, which check all invariants of the books, and the latest seal.
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { VerificationRun } from '@vostro/sdk'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { type Column, List } from '../../ui/list.tsx'
import { Answered, Block, Empty, Facts, Page as Frame } from '../../ui/page.tsx'
import { codeOf } from '../../ui/problem.tsx'
import { grouped, secondOf } from '../../ui/words.ts'
import { Outcome, tookOf } from './outcome.tsx'

const columns: readonly Column<VerificationRun>[] = [
  { label: 'Started', cell: ({ started_at }) => secondOf(started_at) },
  { label: 'Outcome', cell: (run) => <Outcome run={run} /> },
  { label: 'Invariants', align: 'right', cell: ({ done, invariants }) => `${done} of ${invariants}` },
  { label: 'Duration', wide: true, align: 'right', cell: (run) => tookOf(run) },
  { label: 'Broken', wide: true, cell: ({ broken }) => broken.join(', ') },
]

export function Page() {
  const navigate = useNavigate()
  return (
    <Frame
      title="Invariants"
      actions={
        <Action
          operation="startVerification"
          label="Verify the books"
          button={{ variant: 'filled' }}
          run={() => api.operator.verifications.start()}
          done="Verification started."
          after={({ id }) => void navigate({ to: `/bank/invariants/${id}` })}
        >
          Checks all invariants of the books while the service keeps running. It takes seconds to minutes.
        </Action>
      }
    >
      <Seal />
      <List
        label="Runs"
        name={['bank', 'verifications']}
        read={(cursor) => api.operator.verifications.list({ ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/bank/invariants/${id}`}
        empty={
          <Empty title="No verification runs yet." curl="npm run verify">
            Start a run above or in a terminal.
          </Empty>
        }
      />
    </Frame>
  )
}

function Seal() {
  const seal = useQuery({ queryKey: ['bank', 'seals', 'latest'], queryFn: () => api.operator.seals.getLatest(), refetchInterval: 60_000 })
  if (codeOf(seal.error)?.endsWith('not_found'))
    return (
      <Block title="Latest seal">
        <Text size="sm">No seal yet. New rows are sealed once a minute.</Text>
      </Block>
    )
  return (
    <Block title="Latest seal">
      <Answered query={seal}>
        {seal.data && (
          <Stack gap="sm">
            <Facts
              facts={[
                ['Number', grouped(String(seal.data.number))],
                ['Made', secondOf(seal.data.at)],
                ['Rows', grouped(String(seal.data.rows))],
              ]}
            />
            <Facts
              facts={[
                ['Root', <Copyable key="root" text={seal.data.root} label="Copy the root" />],
                ['Previous root', <Copyable key="previous" text={seal.data.previous_root} label="Copy the previous root" />],
              ]}
            />
            <Text size="sm" c="dimmed">
              Publish the root where nobody at the bank can change it. After that, any change to a sealed row can be detected.
            </Text>
          </Stack>
        )}
      </Answered>
    </Block>
  )
}
