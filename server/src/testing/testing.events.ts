// Events for tests that look into the database.
import { shownData } from '../verify/verify.events.ts'

/** The table of events with their data as it was shown, for FROM. */
export const shownEvents = `(
  select venture_id, id, type, resource_id, sequence, timestamp, era, xid, actor, actor_id, ${shownData.strings[0]} as data from events event) as events`
