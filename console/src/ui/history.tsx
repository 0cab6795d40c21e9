// What has happened to something, by its events, newest first.
import { Button, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { VostroEvent } from '@vostro/sdk'
import type { ReactNode } from 'react'
import { Answered } from './page.tsx'
import { useVenture, useVentureApi } from './session.ts'
import { Status } from './status.tsx'
import { secondOf, words } from './words.ts'

/** Who causes events, in words. */
const actors: Record<string, string> = {
  venture: 'by an API key',
  user: 'by a person of the team',
  operator: 'by the bank',
  service: 'by the service',
  connector: 'by a connected system',
}

export type Moment = { title: ReactNode; note?: ReactNode }

type Options = {
  id: string
  type?: VostroEvent['type']
  /** What an event says; undefined leaves it out. */
  say?(event: VostroEvent): Moment | undefined
  empty?: string
}

export function History({ id, type, say = plainly, empty = 'Nothing has happened yet.' }: Options) {
  const api = useVentureApi()
  const query = useInfiniteQuery({
    queryKey: [useVenture(), 'events', id, type],
    queryFn: ({ pageParam }) =>
      api.events.list({ resource_id: id, limit: 20, ...(type && { type }), ...(pageParam !== '' && { after: pageParam }) }).page(),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const events = query.data?.pages.flatMap(({ items }) => items) ?? []
  const moments = events.map((event) => ({ event, said: say(event) })).filter(({ said }) => said !== undefined)
  return (
    <Answered query={query}>
      {moments.length === 0 && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
      <ol className="history">
        {moments.map(({ event: { id: event, timestamp, actor }, said }) => (
          <li key={event}>
            <div>{said?.title}</div>
            {said?.note && <div className="history-note">{said.note}</div>}
            <div className="history-when">
              {secondOf(timestamp)} {actor === null ? '' : actors[actor]}
            </div>
          </li>
        ))}
      </ol>
      {query.hasNextPage && (
        <Button variant="default" size="compact-sm" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Answered>
  )
}

/** The type of the event, and the status that came of it. */
function plainly({ type, data }: VostroEvent): Moment {
  const { status } = data.object as { status?: string }
  return {
    title: (
      <>
        {words(type.replaceAll('.', '_'))} {data.previous_status !== null && status !== undefined && <Status value={status} />}
      </>
    ),
  }
}
