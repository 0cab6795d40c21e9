// Money that a statement has shown continues by itself: it is screened and credited, or returned if no account can take it.
import { awaitsStatement, decidedToo, findOpenCases, openingCase } from '../cases/cases.ts'
import { type By, theService } from '../platform/actor.ts'
import { accompanied } from '../platform/companions.ts'
import type { Handlers } from '../platform/jobs.ts'
import { moneyShown } from '../transfers/life/transfers.jobs.ts'
import { findStandings, type Key, type Transfers } from '../transfers/transfers.ts'
import { houseId } from '../ventures/ventures.ts'
import { giveBackUnlessListed, type UnappliedScreening } from './processing.unapplied.ts'

export type ShownMoney = {
  transfers: Transfers
  unapplied: UnappliedScreening
  /** Screens waiting money, and credits it if nothing was found. */
  apply(waiting: Key, by: By): Promise<unknown>
}

export function shownMoneyJobs(shown: ShownMoney): Handlers {
  const run = (key: Key) =>
    key.venture_id === houseId ? giveBackUnlessListed(shown.unapplied, key.id, { shown: true }) : credit(shown, key)
  // Every obstacle is temporary.
  return { [moneyShown]: { attempts: Number.POSITIVE_INFINITY, run } }
}

/** The case is open as long as the transfer waits. Once people have decided it, there is nothing left to do. */
async function credit({ transfers, apply }: ShownMoney, key: Key): Promise<void> {
  const about = { venture_id: key.venture_id, resource_id: key.id, kind: 'suspended' }
  const [open] = await findOpenCases(transfers, { ...about, kinds: [about.kind] })
  if (open === undefined || !awaitsStatement(open)) return
  const [standing] = await findStandings(transfers, [key])
  if (standing === undefined) throw new Error(`there is no transfer ${key.id}`)
  if (standing.account.status === 'ACTIVE') {
    const companions = [decidedToo(open, 'apply', theService, 'A statement has shown the money.')]
    await apply(key, { actor: theService, companions })
    return
  }
  // From now on it waits for its account, and people decide.
  const payload = { account_id: standing.transfer.account_id }
  const raised = await openingCase(transfers, { ...about, payload, severity: 'URGENT', due_h: 24 })
  await transfers.database.transaction((tx) => accompanied(tx, [raised], async () => key))
}
