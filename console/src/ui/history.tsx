// The history of a resource with actors, newest first.
import { Button, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { VostroEvent } from '@vostro/sdk'
import type { ReactNode } from 'react'
import { Actor } from './actor.tsx'
import { Answered } from './page.tsx'
import { useVenture, useVentureApi } from './session.ts'
import { Status } from './status.tsx'
import { secondOf, words } from './words.ts'

export type Moment = { title: ReactNode; note?: ReactNode }

type Options = {
  id: string
  type?: VostroEvent['type']
  /** Renders an event; undefined hides it. */
  say?(event: VostroEvent): Moment | undefined
  empty?: string
}

export function History({ id, type, say = plainly, empty = 'No history yet.' }: Options) {
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
      <Steps
        steps={moments.map(({ event: { id: key, timestamp, actor, actor_id }, said }) => ({
          key,
          at: timestamp,
          actor,
          actor_id,
          ...said,
        }))}
      />
      {query.hasNextPage && (
        <Button variant="default" size="compact-sm" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Answered>
  )
}

type Step = Partial<Moment> & {
  key: string
  at: string
  actor: VostroEvent['actor']
  actor_id: string | null
  /** Overrides the actor where the page knows it better, such as a connector. */
  by?: string | undefined
}

/** The events, in a column. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="history">
      {steps.map(({ key, title, note, at, actor, actor_id, by }) => (
        <li key={key}>
          <div>{title}</div>
          {note && <div className="history-note">{note}</div>}
          <div className="history-when">
            {secondOf(at)} {actor !== null && <>by {by ?? <Actor kind={actor} id={actor_id} />}</>}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** The event type and the new status. */
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
