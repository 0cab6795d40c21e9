// SQL statements for recalls.
import type { Reader, Tx } from '../../platform/database/database.ts'
import { columnsOf, read, write } from '../../platform/database/sql.ts'
import type { Key } from '../../transfers/transfers.ts'
import { Recall } from './rails.recalls.schemas.ts'

/** A recall as stored. */
export type RecallRow = Recall & { venture_id: string; other_bic: string }

const columns = columnsOf(Recall)

export function selectRecalls(reader: Reader, { venture_id, id }: Key): Promise<RecallRow[]> {
  return reader.rows(read<RecallRow>`
    select ${columns}, venture_id, other_bic from recalls where venture_id = ${venture_id} and transfer_id = ${id} order by id`)
}

export const selectRecall = ({ venture_id, id }: Key) => read<RecallRow>`
  select ${columns}, venture_id, other_bic from recalls where venture_id = ${venture_id} and id = ${id}`

/** False if the payment has an open recall in this direction. */
export async function insertRecall(tx: Tx, row: RecallRow): Promise<boolean> {
  const inserted = await tx.run(write`
    insert into recalls (${columns}, venture_id, other_bic)
    select ${columns}, venture_id, other_bic from json_populate_record(null::recalls, ${JSON.stringify(row)})
    on conflict (venture_id, transfer_id, direction) where state = 'REQUESTED' do nothing`)
  return inserted === 1
}

/** The same together with COMMIT, for an open recall that is certainly the first. */
export function sendRecall(tx: Tx, row: RecallRow): void {
  tx.send(write`
    insert into recalls (${columns}, venture_id, other_bic)
    select ${columns}, venture_id, other_bic from json_populate_record(null::recalls, ${JSON.stringify(row)})`)
}

/** Without `wait`, skips a recall that another transaction has locked. */
export function lockRecall(tx: Tx, { venture_id, id }: Key, wait: boolean): Promise<{ state: Recall['state'] } | undefined> {
  return wait
    ? tx.first(read<{ state: Recall['state'] }>`
        select state from recalls where venture_id = ${venture_id} and id = ${id} for update`)
    : tx.first(read<{ state: Recall['state'] }>`
        select state from recalls where venture_id = ${venture_id} and id = ${id} for update skip locked`)
}

export type RecallAnswer = Key & Pick<Recall, 'state' | 'answer_reason'>

export function writeAnswer(tx: Tx, { venture_id, id, state, answer_reason }: RecallAnswer, now: string): void {
  tx.send(write`
    update recalls set state = ${state}, answer_reason = ${answer_reason}, updated_at = ${now}
    where venture_id = ${venture_id} and id = ${id} and state = 'REQUESTED'`)
}
