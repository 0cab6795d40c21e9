// Background jobs: pending ones, and those that ran out of retries.
import { Group, Text } from '@mantine/core'
import type { Job } from '@vostro/sdk'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { VentureName } from '../../ui/names.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { useView, Views } from '../../ui/view.tsx'
import { minuteOf } from '../../ui/words.ts'

const common: readonly Column<Job>[] = [
  { label: 'Job', cell: ({ kind }) => <span className="mono">{kind}</span> },
  {
    label: 'State',
    cell: ({ state, attempts }) => <Status value={state === 'DEAD' ? 'DEAD' : attempts > 0 ? 'TRIED_AGAIN' : 'WAITING'} />,
  },
  { label: 'Venture', wide: true, cell: ({ venture_id }) => <VentureName id={venture_id} /> },
  { label: 'Attempts', wide: true, align: 'right', cell: ({ attempts }) => attempts },
  { label: 'Last error', wide: true, cell: ({ last_error }) => last_error && <span title={last_error}>{last_error}</span> },
]

const columns: Readonly<Record<View, readonly Column<Job>[]>> = {
  dead: [
    ...common,
    { label: 'Created', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
    { label: '', align: 'right', cell: (job) => <Decide job={job} /> },
  ],
  waiting: [...common, { label: 'Due', cell: ({ due_at }) => minuteOf(due_at) }],
}

type View = 'dead' | 'waiting'

export function Page() {
  const view = useView<View>(['dead', 'waiting'])
  const [{ view: _, ...filters }] = useFilters()
  return (
    <Frame title="Jobs">
      <Group gap="xs">
        <Views
          label="Jobs"
          views={[
            ['dead', 'Failed'],
            ['waiting', 'Waiting'],
          ]}
        />
        <FilterBar filters={[{ name: 'kind', label: 'Kind, such as payments.ask', width: 260 }]} />
      </Group>
      <List
        label="Jobs"
        name={['bank', 'jobs', view, filters]}
        read={(cursor) => api.operator.jobs.list({ ...filters, state: view === 'dead' ? 'DEAD' : 'READY', ...cursor, limit: 50 }).page()}
        columns={columns[view]}
        idOf={({ id }) => id}
        empty={
          view === 'dead' ? (
            <Empty title="No failed jobs.">A job that runs out of retries waits here for a decision.</Empty>
          ) : (
            <Empty title="No pending jobs.">Finished jobs are not listed.</Empty>
          )
        }
      />
    </Frame>
  )
}

function Decide({ job: { id, kind, last_error } }: { job: Job }) {
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Action
        operation="retryJob"
        label="Retry"
        button={{ size: 'compact-sm' }}
        run={() => api.operator.jobs.retry(id)}
        done="The job is retried."
      >
        <Text size="sm">“{kind}” gets a full set of retries. Its last error:</Text>
        <Text size="sm" mt="xs" className="mono">
          {last_error}
        </Text>
      </Action>
      <Action
        operation="dropJob"
        label="Drop"
        danger
        button={{ size: 'compact-sm' }}
        run={() => api.operator.jobs.drop(id)}
        done="The job was dropped."
      >
        Deletes the job “{kind}” without doing its work. Drop a job only if its work is no longer needed or was done by hand.
      </Action>
    </Group>
  )
}
