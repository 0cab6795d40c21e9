// The schemas of events in requests and responses.
import { type Static, Type } from 'typebox'
import { type ActorKind, actorKinds } from '../platform/actor.ts'
import { Choice, Dates, described, Formed, Id, Nullable, Paging, Query, Resource, Timestamp } from '../platform/http/schemas.ts'
import { eventTypes } from './events.types.ts'

export const Event = Resource('Event', {
  id: described(Id, 'The id of the event. It is the same in every delivery, and it is the `webhook-id`.'),
  type: Type.String({ description: 'An event type from the catalogue. New types may be added.' }),
  timestamp: described(Timestamp, 'When it happened, in UTC.'),
  venture_id: described(Id, 'The venture concerned.'),
  sequence: Type.Integer({ description: 'Increases by one with each event of the same resource.' }),
  actor: Nullable(
    Type.Unsafe<ActorKind>({
      type: 'string',
      enum: [...actorKinds],
      description: 'Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events.',
    }),
  ),
  actor_id: Nullable(
    Type.String({ format: 'uuid', description: "The API key or the person. Ventures do not see the ids of the bank's people." }),
  ),
  data: Type.Object(
    {
      object: Type.Object(
        { id: described(Id, 'The id of the resource.') },
        { additionalProperties: true, description: 'The resource as it was after the change.' },
      ),
      previous_status: Nullable(
        Type.String({ description: 'The status before the change, in events about a status change; otherwise null.' }),
      ),
    },
    { description: 'What happened.' },
  ),
})
export type Event = Static<typeof Event>

export const EventList = Query({
  type: Type.Optional(Choice(eventTypes, { description: 'Returns only events of this type.' })),
  resource_id: Type.Optional(described(Id, 'Returns only events about the resource with this id.')),
  ...Dates,
  since: Type.Optional(
    Formed('^(start|now|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$', 'must be start, now or the id of an event', {
      transform: 'lower',
      description:
        'Follows events, oldest first: returns those after the event with this id, or all of them with `start`. No event is missed, even if its ' +
        'transaction ended late. `now` returns only the last event that a follower would have received: everything after it happens from now on. Cannot be ' +
        'combined with `after` or `offset`.',
    }),
  ),
  ...Paging,
})
export type EventList = Static<typeof EventList>
