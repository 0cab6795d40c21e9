// Payments that were sent before rails existed. No message contains them, so no rail will bring an answer: the exchange that took them says
// what became of them. The migration to rails has written a job for each.
import type { Handlers } from '../platform/jobs.ts'
import { findStandings, type Key, type Transfers, updateTransfer } from '../transfers/transfers.ts'
import { type Exchange, isOutside, settle } from './processing.exchange.ts'
import { connector, walkOf } from './processing.worker.ts'

/** `exchange`: the one besides the rails. Without one, people sent such payments, and people end them. */
export type Earlier = { transfers: Transfers; exchange: Exchange | undefined }

/** Used in a migration, so never renamed. */
const sentEarlier = 'settle-sent-earlier'

export function earlierJobs(earlier: Earlier): Handlers {
  return { [sentEarlier]: { attempts: 1_000, run: (key: Key) => settleEarlier(earlier, key) } }
}

async function settleEarlier({ transfers, exchange }: Earlier, key: Key): Promise<void> {
  const [standing] = await findStandings(transfers, [key])
  if (exchange === undefined || standing === undefined || !isOutside(standing.transfer)) return
  const { transfer } = standing
  const [answer] = await exchange.exchange([transfer])
  const walk = answer === undefined ? undefined : settle(transfer, answer)
  if (walk !== undefined) await updateTransfer(transfers, walkOf(transfer, walk, connector))
}
