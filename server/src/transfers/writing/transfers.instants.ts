// What keeps a client out of instant payments, in both directions. Nobody compares the parties during such a payment (Art. 5d of Regulation 260/2012): all
// clients are compared every day instead, and whoever is hit waits for the decision.
import { findOpenCasesAbout } from '../../cases/cases.ts'
import { now } from '../../platform/clock.ts'
import type { Reader } from '../../platform/database/database.ts'
import { lastFullRun } from '../../screening/screening.ts'
import { findVenture } from '../../ventures/ventures.ts'
import { nameHit } from '../life/transfers.cases.ts'

/** overdue: the clients of the venture were last compared too long ago. hit: the client resembles an entry of a list, and nobody has decided about it. */
export type InstantObstacle = 'overdue' | 'hit'

/** A day, and time for a run. */
const longest_ms = 26 * 3_600_000

type Asked = { venture_id: string; client_id: string }

/** In the order of what is asked. */
export function findInstantObstacles(reader: Reader, asked: readonly Asked[]): Promise<(InstantObstacle | undefined)[]> {
  const overdue = new Map<string, Promise<boolean>>()
  return Promise.all(
    asked.map(async ({ venture_id, client_id }) => {
      const known = overdue.get(venture_id) ?? isOverdue(reader, venture_id)
      overdue.set(venture_id, known)
      if (await known) return 'overdue'
      const open = await findOpenCasesAbout(reader, { venture_id, resource_ids: [client_id], kind: nameHit })
      return open.length > 0 ? 'hit' : undefined
    }),
  )
}

/** A venture begins without clients, so its creation counts as a run. Each new client is compared when it is registered. */
async function isOverdue(reader: Reader, venture_id: string): Promise<boolean> {
  const isRecent = (at: Date) => now().getTime() - at.getTime() <= longest_ms
  const last = await lastFullRun(reader, venture_id)
  if (last !== undefined && isRecent(last)) return false
  const venture = await findVenture(reader, venture_id)
  return venture === undefined || !isRecent(new Date(venture.created_at))
}
