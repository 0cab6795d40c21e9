// The request log: the requests to the API of the last seven days, each visible to the venture whose key or person sent it. Only the bank
// sees those without a valid key and those of the bank's people.
import type { Database } from '../platform/database/database.ts'
import { refuse } from '../values/refusals.ts'
import { RequestLog } from './requests.log.ts'
import type { LoggedRequest, OperatorLoggedRequest, OperatorRequestList, RequestList } from './requests.schemas.ts'
import { selectAllRequests, selectAnyRequest, selectRequest, selectRequests } from './requests.sql.ts'

export { RequestLog }

/** Where the log is kept, and whether new requests are recorded. */
export type Requests = { database: Database; log: Pick<RequestLog, 'isOn'> }

export async function listRequests({ database, log }: Requests, venture_id: string, query: RequestList): Promise<LoggedRequest[]> {
  return unlessOff(log, await selectRequests(database, venture_id, query))
}

export async function getRequest(database: Database, venture_id: string, id: string): Promise<LoggedRequest> {
  return (await selectRequest(database, venture_id, id)) ?? refuse('request_not_found')
}

export async function listRequestsOfAllVentures({ database, log }: Requests, query: OperatorRequestList): Promise<OperatorLoggedRequest[]> {
  return unlessOff(log, await selectAllRequests(database, query))
}

export async function getRequestOfAnyVenture(database: Database, id: string): Promise<OperatorLoggedRequest> {
  return (await selectAnyRequest(database, id)) ?? refuse('request_not_found')
}

/** Refuses instead of an empty list, which would say that there were no requests. Rows from before the log was turned off can still be read. */
function unlessOff<Row>({ isOn }: Requests['log'], found: Row[]): Row[] {
  if (found.length === 0 && !isOn) refuse('request_log_off')
  return found
}
