// The payments behind the figures of a rule of transaction monitoring, for the people who decide about it.
import type { Reader } from '../../platform/database/database.ts'
import { read } from '../../platform/database/sql.ts'
import { monitoredMethods } from '../life/transfers.monitored.ts'
import { failedStatuses } from '../life/transfers.sets.ts'
import type { TransferDirection } from '../life/transfers.status.ts'
import type { Key } from './transfers.keys.ts'

/** More than a person reads. */
const most = 100

type Wanted = { venture_id: string; account_id: string; direction: TransferDirection; from: string; until: string }

/** The payments of the client of an account, in the currency of the account, that settle within a period: the latest first. */
export function findBehind(reader: Reader, { venture_id, account_id, direction, from, until }: Wanted): Promise<Key[]> {
  return reader.rows(read<Key>`
    select transfer.venture_id, transfer.id
    from accounts own
      join accounts account on account.venture_id = own.venture_id and account.client_id = own.client_id and account.currency = own.currency
      join transfers transfer on transfer.venture_id = account.venture_id and transfer.account_id = account.id
    where own.venture_id = ${venture_id} and own.id = ${account_id} and account.venture_id = ${venture_id} and transfer.venture_id = ${venture_id}
      and transfer.managed and transfer.transfer_type = 'PAYMENT' and transfer.method = any(${monitoredMethods})
      and transfer.direction = ${direction} and transfer.settlement_date between ${from} and ${until} and transfer.status <> all(${failedStatuses})
    order by transfer.settlement_date desc, transfer.id desc limit ${most}`)
}
