// Freezing by the bank: the guards `client_blocked` and `account_frozen` stop the unsent transfers at once. The service then puts them
// ON_HOLD, including those that the venture holds, so that only the bank can release them.
import { findAccounts, freezeByBank, lockAccountsOf } from '../../accounts/accounts.ts'
import { blacklistByBank, type Frozen, holdJob } from '../../clients/clients.ts'
import { type By, theService } from '../../platform/actor.ts'
import { now } from '../../platform/clock.ts'
import { accompanied } from '../../platform/companions.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Handlers } from '../../platform/jobs.ts'
import { Refusal, type RefusalCode, refuse } from '../../values/refusals.ts'
import type { BankIdentity } from '../deciding/transfers.derive.ts'
import type { Transfer, TransferUpdate } from '../life/transfers.schemas.ts'
import { packedStatuses } from '../life/transfers.sets.ts'
import type { TransferStatus } from '../life/transfers.status.ts'
import { type Transfers, updateTransfer } from '../orders/transfers.orders.ts'
import type { Key } from '../writing/transfers.keys.ts'
import { selectTransferRows } from '../writing/transfers.rows.sql.ts'
import { runInTransaction } from '../writing/transfers.run.ts'
import { selectUnsent } from './transfers.facts.sql.ts'

export function freezeJobs(transfers: Transfers): Handlers {
  return { [holdJob]: { run: (frozen: Frozen) => holdTransfersOf(transfers, frozen) } }
}

/** It is unknown whether the transfer is held, so the job repeats it. */
const unknown: readonly RefusalCode[] = ['unavailable', 'outcome_unknown']

/** Repeats until the only transfers left cannot be held in their status. */
export async function holdTransfersOf(transfers: Transfers, frozen: Frozen): Promise<void> {
  const { venture_id, account_id } = frozen
  const what = account_id === undefined ? 'client' : 'account'
  const refusedIn = new Map<string, TransferStatus>()
  for (;;) {
    const unsent = await selectUnsent(transfers.database, frozen)
    const left = unsent.filter(({ id, status }) => refusedIn.get(id) !== status)
    if (left.length === 0) return
    for (const { id, status } of left) {
      const [first, ...steps] = packedStatuses.includes(status) ? (['READY_TO_CLEAR', 'ON_HOLD'] as const) : (['ON_HOLD'] as const)
      const update = { status: first, status_reason: `The bank has frozen the ${what}.` }
      try {
        await updateTransfer(transfers, { venture_id, transfer_id: id, update, steps, actor: theService })
      } catch (error) {
        // A refused transfer waits for a person, has just moved, or no longer fits. The guards stop it anyway, and it must not keep the
        // others from being held.
        if (!(error instanceof Refusal) || unknown.includes(error.code)) throw error
        refusedIn.set(id, status)
      }
    }
  }
}

type Freeze = Key & { update: TransferUpdate; steps: readonly TransferStatus[] }

/**
 * Freezes the money of a transfer on the authority of the bank: marks the account and its client, which stops every unsent payment of the
 * client, and moves the transfer, all in one transaction, so no other payment slips through.
 */
export async function freezeTransfer(
  { database, bank }: { database: Database; bank: BankIdentity },
  { venture_id, id, update, steps }: Freeze,
  by: By,
): Promise<Transfer> {
  const [transfer = refuse('transfer_not_found')] = await selectTransferRows(database, [{ venture_id, id }])
  const { account_id, receiver_account_id } = transfer
  const [{ client_id } = refuse('account_not_found')] = await findAccounts(database, [{ venture_id, id: account_id }])
  const { actor, sequence, companions } = by
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      // Locks all accounts of the client before the client itself, so that two people freezing two of its transfers take turns.
      const accounts = await lockAccountsOf(tx, { venture_id, client_id, also: receiver_account_id })
      const authority = { actor, approved: true, with_case: true, ...(sequence === undefined ? {} : { sequence }) }
      const command = { kind: 'update', venture_id, transfer_id: id, update, steps, now: now(), ...authority } as const
      const frozen = await runInTransaction(tx, bank, command)
      const account = accounts.find((one) => one.id === account_id) ?? refuse('account_not_found')
      await freezeByBank(tx, account)
      await blacklistByBank(tx, venture_id, client_id)
      return frozen
    }),
  )
}
