// What the API shows of events, and how they are asked for.
import { type Static, Type } from 'typebox'
import { Choice, Dates, Formed, Id, Nullable, Paging, Query, Resource, Timestamp } from '../platform/http/schemas.ts'
import { eventTypes } from './events.types.ts'

export const Event = Resource('Event', {
  id: Id,
  type: Type.String({ description: 'One of the types in the catalogue of events. More may be added.' }),
  timestamp: Timestamp,
  venture_id: Id,
  sequence: Type.Integer({ description: 'Rises by one with each event of the same resource.' }),
  data: Type.Object({
    object: Type.Object({ id: Id }, { additionalProperties: true, description: 'The resource as it was at that moment.' }),
    previous_status: Nullable(Type.String()),
  }),
})
export type Event = Static<typeof Event>

export const EventList = Query({
  type: Type.Optional(Choice(eventTypes)),
  resource_id: Type.Optional(Id),
  ...Dates,
  since: Type.Optional(
    Formed('^(start|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$', 'must be start or the id of an event', {
      transform: 'lower',
      description:
        'Follows events, oldest first: those after the event with this id, or `start` for all. None is missed, also not one whose ' +
        'transaction ended late. Not together with `after` or `offset`.',
    }),
  ),
  ...Paging,
})
export type EventList = Static<typeof EventList>
