// Monitoring of instant payments that came in: the rules look at them after they were credited. A case tells people, and nothing is held.
import { openFirstCase } from '../cases/cases.ts'
import { now } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Handlers } from '../platform/jobs.ts'
import { policyOf } from '../policies/policies.ts'
import { instantCredited } from '../transfers/life/transfers.jobs.ts'
import { findStandings, type Key, type Transfers } from '../transfers/transfers.ts'
import { caseAbout } from './processing.cases.ts'
import { monitor } from './processing.monitoring.ts'
import { alertOf } from './processing.worker.ts'

type Credited = { database: Database; transfers: Transfers }

/** A resource has at most one open case of a kind, so a job that runs twice opens one. */
export function creditedJobs(credited: Credited): Handlers {
  return { [instantCredited]: { attempts: 1_000, run: (key: Key) => look(credited, key) } }
}

async function look({ database, transfers }: Credited, key: Key): Promise<void> {
  const [standing] = await findStandings(transfers, [key])
  if (standing === undefined) throw new Error(`there is no transfer ${key.id}`)
  const { transfer, account } = standing
  const policy = await policyOf(database, key.venture_id)
  const [alerts = []] = await monitor(database, [{ transfer, client_id: account.client_id, policy }], now())
  const kind = alerts.length > 0 ? 'rule' : alertOf(transfer, policy)
  if (kind === undefined) return
  const newCase = caseAbout({ kind, transfer, policy, screening: 'CLEAR', hits_client: false, alerts })
  await database.transaction(async (tx) => openFirstCase(tx, newCase))
}
