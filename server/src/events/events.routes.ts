import { Type } from 'typebox'
import type { Database } from '../platform/database/database.ts'
import { alone, changes, reads } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { listing, sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { getEvent, listEvents } from './events.list.ts'
import { EventResend, EventResendList, listResends, resendEvent } from './events.resends.ts'
import { Event, EventList } from './events.schemas.ts'

const tags = ['Events']

export async function eventRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.get(
    '/events',
    {
      config: { access: reads('webhooks'), refusals: ['event_not_found'] },
      schema: {
        operationId: 'listEvents',
        tags,
        summary: 'List events, newest first, or follow them, oldest first',
        description:
          'To follow events, start with `since=start` and continue with `since=<id of the last event>`: no event is missed or repeated. An event becomes ' +
          'visible to followers when every transaction that began before its own has ended, which is usually at once. To follow only new events, call ' +
          'once with `since=now` and continue after the event in the response, or with `since=start` if there is none.',
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
      config: { access: reads('webhooks'), refusals: ['event_not_found'] },
      schema: {
        operationId: 'getEvent',
        tags,
        summary: 'Get an event',
        description: 'The event as it was delivered, with the resource as it was at that time.',
        params: PathId('event_id'),
        response: { 200: Event },
      },
    },
    async (request) => getEvent(database, request.venture.id, request.params.event_id, request.actor),
  )

  app.post(
    '/events/:event_id/resend',
    {
      config: {
        access: changes('webhooks', alone('It resends an event that the venture already received.')),
        audit: 'people',
        refusals: ['event_not_found'],
        createsNothing: 'It may be repeated: followers process the event once more.',
      },
      schema: {
        operationId: 'resendEvent',
        tags,
        summary: 'Resend an event to followers',
        description:
          'Clients that follow resends, such as `vostro listen`, process the event again. Webhook endpoints do not receive it: to repeat a delivery to ' +
          'one of them, use `redeliver`, which is also a resend.',
        params: PathId('event_id'),
        response: { 200: EventResend },
      },
    },
    async ({ venture, params, companions }) => resendEvent(database, { venture_id: venture.id, id: params.event_id }, companions),
  )

  app.get(
    '/events/resends',
    {
      config: {
        access: reads('webhooks'),
        refusals: [...listing],
        example: { query: { since_number: '0' } },
        trial: { query: {} },
      },
      schema: {
        operationId: 'listEventResends',
        tags,
        summary: 'List resends of events, newest first, or follow them, oldest first',
        description:
          'Followers of events get each event once. To learn which events to process again, start with `since_number=0` and continue with the `number` of ' +
          'the last resend: no resend is missed or repeated.',
        querystring: EventResendList,
        response: { 200: Type.Array(EventResend) },
      },
    },
    async (request, reply) => {
      const resends = await listResends(database, request.venture.id, request.query)
      if (request.query.since_number === undefined) return sendPage(request, reply, resends)
      return sendPage(request, reply, resends, 'since_number', ({ number }) => String(number))
    },
  )
}
