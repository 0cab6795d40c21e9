// SQL statements for the questions that banks have asked each other about payees.
import type { Reader, Tx } from '../../platform/database/database.ts'
import { Columns, read, write } from '../../platform/database/sql.ts'
import { firstIdAt } from '../../platform/ids.ts'
import type { PayeeAnswer } from '../payees.schemas.ts'

/**
 * ASKED: by this bank; ANSWERED: by this bank. `bic`: the other bank; null if the routing service had to find it. `account_id`: the account
 * in this bank, if there is one. Without an answer, `answered_at` and both results are null.
 */
export type Exchange = {
  venture_id: string
  id: string
  direction: 'ASKED' | 'ANSWERED'
  request_id: string
  bic: string | null
  account_id: string | null
  asked_at: string
  answered_at: string | null
  result: PayeeAnswer['result'] | null
  id_result: PayeeAnswer['result'] | null
  question_hash: string
}

const columns = new Columns([
  'venture_id',
  'id',
  'direction',
  'request_id',
  'bic',
  'account_id',
  'asked_at',
  'answered_at',
  'result',
  'id_result',
  'question_hash',
])

const selectExchange = ({ venture_id, id }: Exchange) => read`select id from vop_exchanges where venture_id = ${venture_id} and id = ${id}`

export function insertExchange(tx: Tx, row: Exchange): void {
  tx.evidence = selectExchange(row)
  tx.send(write`
    insert into vop_exchanges (${columns}) select ${columns} from json_populate_record(null::vop_exchanges, ${JSON.stringify(row)})`)
}

type Asking = { venture_id: string; account_id: string; bic: string }

/** Until the transaction ends, no other question of this bank about the account is answered. */
export async function takeTurn(tx: Tx, { account_id, bic }: Asking): Promise<void> {
  await tx.rows(read`select pg_advisory_xact_lock(hashtextextended(${`payee ${account_id} ${bic.slice(0, 8)}`}, 0))`)
}

/** How many other names this bank, with all of its branches, has asked about since then. A repeated one counts once. */
export async function countOtherNames(
  reader: Reader,
  { venture_id, account_id, bic }: Asking,
  { hash, since }: { hash: string; since: Date },
): Promise<number> {
  const row = await reader.first(read<{ count: number }>`
    select count(distinct question_hash)::int as count from vop_exchanges
    where venture_id = ${venture_id} and account_id = ${account_id} and left(bic, 8) = ${bic.slice(0, 8)} and id >= ${firstIdAt(since)}
      and question_hash <> ${hash} and result is not null`)
  return row?.count ?? 0
}

/** Deletes some exchanges from before the given time. Ids contain the time of their creation. */
export function deleteExchanges(tx: Tx, { venture_id, until, limit }: { venture_id: string; until: Date; limit: number }): Promise<number> {
  return tx.run(write`
    delete from vop_exchanges where venture_id = ${venture_id} and id in (
      select id from vop_exchanges where venture_id = ${venture_id} and id < ${firstIdAt(until)} order by id limit ${limit})`)
}
