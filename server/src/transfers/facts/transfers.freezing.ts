// The decision to freeze the money of a transfer: marks and move are one transaction.

import { findAccounts, freezeByBank, lockAccountsOf } from '../../accounts/accounts.ts'
import { blacklistByBank } from '../../clients/clients.ts'
import type { By } from '../../platform/actor.ts'
import { now } from '../../platform/clock.ts'
import { accompanied } from '../../platform/companions.ts'
import type { Database } from '../../platform/database/database.ts'
import { refuse } from '../../values/refusals.ts'
import type { BankIdentity } from '../deciding/transfers.derive.ts'
import type { TransferStatus } from '../life/transfers.status.ts'
import { runInTransaction } from '../transfers.batches.ts'
import type { Transfer, TransferUpdate } from '../transfers.schemas.ts'
import { type Key, selectTransferRows } from '../transfers.sql.ts'

type Freeze = Key & { update: TransferUpdate; steps: readonly TransferStatus[] }

/**
 * Freezes the money of a transfer, on the authority of the bank: the account and its client get the bank's marks, which stop everything else of the
 * client that was not sent, and the transfer is moved. All of it is one transaction, so no other payment slips by.
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
      // All accounts of the client, so that two people who freeze two of its transfers take turns before they lock the client.
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
