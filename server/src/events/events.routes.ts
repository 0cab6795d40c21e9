// The HTTP routes of events.
import { Type } from 'typebox'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { getEvent, listEvents } from './events.list.ts'
import { Event, EventList } from './events.schemas.ts'

const tags = ['Events']

export async function eventRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.get(
    '/events',
    {
      schema: {
        operationId: 'listEvents',
        tags,
        summary: 'List events, newest first, or follow them, oldest first',
        description:
          'To follow events, start with `since=start` and continue with `since=<id of the last event>`: no event is missed or repeated. An event ' +
          'becomes visible to followers when every transaction that began before its own has ended, which is usually at once.',
        querystring: EventList,
        response: { 200: Type.Array(Event) },
      },
    },
    async (request, reply) => {
      const events = await listEvents(database, request.venture.id, request.query, request.actor)
      return sendPage(request, reply, events, request.query.since === undefined ? 'after' : 'since')
    },
  )

  app.get(
    '/events/:event_id',
    {
      schema: {
        operationId: 'getEvent',
        tags,
        summary: 'Get an event',
        description: 'An event as it was delivered, with the resource as it was then.',
        params: PathId('event_id'),
        response: { 200: Event },
      },
    },
    async (request) => getEvent(database, request.venture.id, request.params.event_id, request.actor),
  )
}
