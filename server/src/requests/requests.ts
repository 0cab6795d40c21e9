// The request log: the requests to the API of the last seven days, each for the venture whose key or whose person sent it. What came without a valid
// key, and what the bank's own people sent, is for the bank alone.
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

/** An empty list would say that nothing was asked. What was recorded before the log was turned off can still be read. */
function unlessOff<Row>({ isOn }: Requests['log'], found: Row[]): Row[] {
  if (found.length === 0 && !isOn) refuse('request_log_off')
  return found
}
