// The health of the service: traffic, latency and backlogs.
import { Alert, Anchor, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OperatorHealth } from '@vostro/sdk'
import type { ReactNode } from 'react'
import { api } from '../../ui/api.ts'
import { type Column, Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { counted, grouped } from '../../ui/words.ts'
import { agoWords, hasExpired, isStopped, perSecond, tookWords, troublesOf, waitWords } from './health.words.ts'

/** How often the figures are refreshed. */
const every_ms = 5_000

export function Page() {
  const query = useQuery({
    queryKey: ['bank', 'health'],
    refetchInterval: every_ms,
    queryFn: () => api.operator.health.get(),
  })
  const troubles = query.data === undefined ? undefined : troublesOf(query.data)
  const isRed = isStopped(query.data?.exchange ?? null) || hasExpired(query.data?.vop ?? null)
  const missing = query.data?.missing ?? []
  return (
    <Frame title="Health" aside={troubles && <Status {...standing(isRed, missing.length > 0, troubles.length > 0)} />}>
      <Answered query={query}>
        {missing.length > 0 && <Missing gaps={missing} />}
        {troubles && troubles.length > 0 && (
          <Alert color={isRed ? 'red' : 'orange'} variant="light" title="Problems">
            <ul className="rules">
              {troubles.map((trouble) => (
                <li key={trouble}>{trouble}</li>
              ))}
            </ul>
          </Alert>
        )}
        {query.data && <Figures health={query.data} />}
      </Answered>
    </Frame>
  )
}

function standing(
  isStopped: boolean,
  lacksSomething: boolean,
  hasTroubles: boolean,
): { value: string; tone: 'bad' | 'attention' | 'good' } {
  if (isStopped) return { value: 'Stopped', tone: 'bad' }
  if (lacksSomething) return { value: 'Not ready', tone: 'bad' }
  return hasTroubles ? { value: 'Needs attention', tone: 'attention' } : { value: 'Healthy', tone: 'good' }
}

/** What the bank has to set up before it can go live. */
function Missing({ gaps }: { gaps: OperatorHealth['missing'] }) {
  return (
    <Alert color="red" variant="light" title="Missing before you go live">
      <ul className="rules">
        {gaps.map(({ part, what, waits, remedy }) => (
          <li key={part}>
            <Text size="sm" fw={600}>
              {what}
            </Text>
            <Text size="sm">
              {waits} {remedy}
            </Text>
          </li>
        ))}
      </ul>
    </Alert>
  )
}

function Figures({ health }: { health: OperatorHealth }) {
  const { requests_last_minute, routes, pool, deliveries, jobs, request_log, exchange } = health
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        <Figure label="Requests per second" value={perSecond(requests_last_minute)}>
          {grouped(String(requests_last_minute))} in the last minute
        </Figure>
        <Figure label="Connections in use" value={`${pool.busy} of ${pool.busy + pool.idle}`}>
          {pool.waiting === 0 ? 'No request is waiting' : `${counted(pool.waiting, 'request')} waiting`}
        </Figure>
        <Figure label="Pending deliveries" value={grouped(String(deliveries.pending))}>
          {deliveries.oldest_due_s === 0 ? 'None due' : `The oldest is ${waitWords(deliveries.oldest_due_s)} overdue`}
          {deliveries.failed > 0 && `, ${grouped(String(deliveries.failed))} abandoned`}
        </Figure>
        <Figure label="Request log" value={request_log.dropped === 0 ? 'Complete' : `${grouped(String(request_log.dropped))} missing`}>
          {grouped(String(request_log.waiting))} waiting to be written
        </Figure>
      </SimpleGrid>
      {exchange && <FilesExchanged exchange={exchange} />}
      <Block title="Jobs" note={<Anchor renderRoot={(props) => <Link {...props} to="/bank/jobs" />}>Show the jobs</Anchor>}>
        {jobs.length === 0 ? (
          <Empty title="No pending jobs." />
        ) : (
          <Rows label="Jobs by kind" rows={jobs} idOf={({ kind }) => kind} columns={ofJobs} />
        )}
      </Block>
      <Block title="Latency by route" note="Since the start of the answering instance, busiest routes first.">
        {routes.length === 0 ? (
          <Empty title="No requests yet." />
        ) : (
          <Rows label="Latency by route" rows={routes} idOf={({ method, route }) => `${method} ${route}`} columns={ofRoutes} />
        )}
      </Block>
    </>
  )
}

/** The exchange of files with the clearing system. */
function FilesExchanged({ exchange }: { exchange: NonNullable<OperatorHealth['exchange']> }) {
  const { last_round_s, oldest_file_s, refused_files } = exchange
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
      <Figure label="File exchange" value={agoWords(last_round_s)}>
        {isStopped(exchange) ? <Status value="Stopped" tone="bad" /> : 'Since the last pass over the inbox'}
      </Figure>
      <Figure label="Files waiting" value={oldest_file_s === 0 ? 'None' : `For ${waitWords(oldest_file_s)}`}>
        {oldest_file_s === 0 ? 'The inbox is empty' : 'The oldest file in the inbox'}
      </Figure>
      <Figure label="Refused files" value={grouped(String(refused_files))}>
        <Anchor renderRoot={(props) => <Link {...props} to="/bank/messages" />}>Show the messages</Anchor>
      </Figure>
    </SimpleGrid>
  )
}

function Figure({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <Block>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={700} className="amount">
        {value}
      </Text>
      <Text size="sm">{children}</Text>
    </Block>
  )
}

const ofJobs: readonly Column<OperatorHealth['jobs'][number]>[] = [
  { label: 'Kind', cell: ({ kind }) => <span className="mono">{kind}</span> },
  { label: 'Waiting', align: 'right', cell: ({ ready }) => grouped(String(ready)) },
  { label: 'Failed', align: 'right', cell: ({ dead }) => (dead === 0 ? '0' : <Status value={grouped(String(dead))} tone="bad" />) },
  {
    label: 'Overdue',
    wide: true,
    align: 'right',
    cell: ({ oldest_due_s }) => (oldest_due_s === 0 ? 'None due' : waitWords(oldest_due_s)),
  },
]

const ofRoutes: readonly Column<OperatorHealth['routes'][number]>[] = [
  {
    label: 'Route',
    cell: ({ method, route }) => (
      <span className="mono route">
        {method} {route.replace('/api/v1', '')}
      </span>
    ),
  },
  { label: 'Requests', align: 'right', cell: ({ count }) => grouped(String(count)) },
  { label: 'Mean', wide: true, align: 'right', cell: ({ mean_ms }) => tookWords(mean_ms) },
  { label: 'p50', wide: true, align: 'right', cell: ({ p50_ms }) => tookWords(p50_ms) },
  { label: 'p99', align: 'right', cell: ({ p99_ms }) => tookWords(p99_ms) },
]
