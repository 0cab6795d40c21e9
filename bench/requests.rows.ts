// The request log alone, inside the service: records and writes requests that nobody sent.
import { randomUUID } from 'node:crypto'
import { uuidv7 } from '../server/src/platform/ids.ts'
import type { RequestLog } from '../server/src/requests/requests.ts'

export type LoggingRun = { kind: 'logging'; rows: number }

/** The batch size, about as many as creates in half a second. */
const atOnce = 500

export async function logRequests(log: RequestLog, { rows }: LoggingRun): Promise<void> {
  const venture_id = randomUUID()
  log.start()
  for (let row = 1; row <= rows; row++) {
    log.record({
      venture_id,
      method: 'POST',
      route: '/api/v1/accounts',
      status: 201,
      code: null,
      duration_ms: (row % 1_000) / 10,
      actor: 'venture',
      key_prefix: 'vk_test_abcd',
      request_id: uuidv7(),
    })
    if (row % atOnce === 0) await log.flush()
  }
  await log.stop()
}
