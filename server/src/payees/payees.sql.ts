// SQL statements for payee verification.
import { rowsByVenture } from '../platform/database/database.placement.ts'
import type { Reader, Tx } from '../platform/database/database.ts'
import { Columns, fixed, read, write } from '../platform/database/sql.ts'
import { firstIdAt } from '../platform/ids.ts'
import type { PayeeVerification } from './payees.schemas.ts'

export type Verification = Omit<PayeeVerification, 'valid_until'> & { venture_id: string }

const columns = new Columns([
  'venture_id',
  'id',
  'name',
  'iban',
  'result',
  'matched_name',
  'reason',
  'identification',
  'id_result',
  'created_at',
])

/** Only what belongs to this verification, so that its id proves the COMMIT. */
export const selectVerification = (venture_id: string, id: string) => read<Verification>`
  select ${columns} from payee_verifications where venture_id = ${venture_id} and id = ${id}`

export function insertVerification(tx: Tx, row: Verification): void {
  tx.evidence = selectVerification(row.venture_id, row.id)
  tx.send(write`
    insert into payee_verifications (${columns}) select ${columns} from json_populate_record(null::payee_verifications, ${JSON.stringify(row)})`)
}

/** Deletes some verifications from before the given time. Ids contain the time of their creation. */
export function deleteVerifications(
  tx: Tx,
  { venture_id, until, limit }: { venture_id: string; until: Date; limit: number },
): Promise<number> {
  return tx.run(write`
    delete from payee_verifications where venture_id = ${venture_id} and id in (
      select id from payee_verifications where venture_id = ${venture_id} and id < ${firstIdAt(until)} order by id limit ${limit})`)
}

export type Payee = { venture_id: string; iban: string }

/** The verifications of these accounts since the given time, newest first. */
export function selectVerifications(reader: Reader, all: readonly Payee[], since: string): Promise<Verification[]> {
  return rowsByVenture(reader, all, (payees) =>
    reader.rows(read<Verification>`
      select ${columns} from payee_verifications
      where (venture_id, iban) in (
        select * from unnest(${payees.map(({ venture_id }) => venture_id)}::uuid[], ${payees.map(({ iban }) => iban)}::text[]))
        and created_at >= ${since} ${reader.placement.narrow(fixed`venture_id`, payees)}
      order by created_at desc, id desc`),
  )
}

type HolderRow = { venture_id: string; account_id: string; first_name: string; last_name: string }

/** The holder of an account in use, if the bank processes the transfers of its venture. */
export function selectHolder(reader: Reader, venture_ids: readonly string[], iban: string): Promise<HolderRow | undefined> {
  return reader.first(read<HolderRow>`
    select account.venture_id, account.id as account_id, client.first_name, client.last_name
    from accounts account join clients client on client.venture_id = account.venture_id and client.id = account.client_id
    where account.venture_id = any(${venture_ids}) and client.venture_id = any(${venture_ids}) and account.account_number = ${iban}
      and account.managed and account.status in ('ACTIVE', 'SUSPENDED')`)
}
