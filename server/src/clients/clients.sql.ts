// SQL statements for clients.
import type { Database, Tx } from '../platform/database/database.ts'
import { columnsOf, fixed, fragment, read, write } from '../platform/database/sql.ts'
import { contains, equals, type Filters } from '../platform/http/lists.ts'
import { readList } from '../platform/http/pieces.ts'
import { emailKey } from '../values/email.ts'
import { Client, type ClientList } from './clients.schemas.ts'

/** A client as stored: the shown fields, the venture, the number of events, and whether the bank has blocked or blacklisted it. */
export type ClientRow = Client & { venture_id: string; sequence: number; blocked_by_bank: boolean; blacklisted_by_bank: boolean }

const columns = columnsOf(Client)

export const selectClient = (venture_id: string, id: string) =>
  read<Client>`select ${columns} from clients where venture_id = ${venture_id} and id = ${id}`

const filters: Filters<ClientList> = {
  kyc_status: equals(fragment`kyc_status`),
  search: contains([
    fragment`first_name`,
    fragment`middle_name`,
    fragment`last_name`,
    fragment`concat_ws(' ', first_name, last_name)`,
    fragment`email`,
    fragment`external_client_code`,
  ]),
}

export function selectClients(database: Database, venture_id: string, query: ClientList): Promise<Client[]> {
  return readList(database, {
    venture_id,
    query,
    filters,
    columns,
    select: (what, rest) => fragment`select ${what} from clients where venture_id = ${venture_id} and ${rest}`,
    needsPieces: query.search !== undefined,
  })
}

/** Locks the row against other changes, but not against foreign keys that refer to it. */
export function lockClient(tx: Tx, venture_id: string, id: string): Promise<ClientRow | undefined> {
  return tx.first(read<ClientRow>`
    select ${columns}, venture_id, sequence, blocked_by_bank, blacklisted_by_bank from clients where venture_id = ${venture_id} and id = ${id} for no key update`)
}

/** Claims emails in sorted order, so that two batches cannot deadlock. Returns the ids of the clients that got their emails. */
export async function claimEmails(tx: Tx, clients: readonly ClientRow[]): Promise<Set<string>> {
  if (clients.length === 0) return new Set()
  const claimed = await tx.rows(write<{ client_id: string }>`
    insert into client_emails (email, venture_id, client_id)
    select email, venture_id, client_id from unnest(
      ${clients.map(({ email }) => emailKey(email))}::text[],
      ${clients.map(({ venture_id }) => venture_id)}::uuid[],
      ${clients.map(({ id }) => id)}::uuid[]
    ) as claim (email, venture_id, client_id)
    order by email
    on conflict do nothing
    returning client_id`)
  return new Set(claimed.map(({ client_id }) => client_id))
}

export function releaseEmail(tx: Tx, email: string): Promise<number> {
  return tx.run(write`delete from client_emails where email = ${emailKey(email)}`)
}

export function insertClients(tx: Tx, clients: readonly ClientRow[]): void {
  tx.send(write`insert into clients select * from json_populate_recordset(null::clients, ${JSON.stringify(clients)})`)
}

/** Writes all mutable fields of a locked client. */
export function writeClient(tx: Tx, client: ClientRow): void {
  tx.send(write`
    update clients set
      address = new.address, city = new.city, postcode = new.postcode, state_province = new.state_province, country_code = new.country_code,
      email = new.email, second_email = new.second_email, mobile_phone_number = new.mobile_phone_number,
      second_mobile_phone_number = new.second_mobile_phone_number, external_client_code = new.external_client_code,
      planned_income = new.planned_income, planned_expenditure = new.planned_expenditure,
      kyc_status = new.kyc_status, kyc_note = new.kyc_note, risk_level = new.risk_level,
      blocked = new.blocked, is_blacklisted = new.is_blacklisted, blacklisted_comment = new.blacklisted_comment,
      blocked_by_bank = new.blocked_by_bank, blacklisted_by_bank = new.blacklisted_by_bank,
      updated_at = new.updated_at, sequence = new.sequence
    from json_populate_record(null::clients, ${JSON.stringify(client)}) as new
    where clients.venture_id = new.venture_id and clients.id = new.id ${tx.placement.narrow(fixed`clients.venture_id`, [client])}`)
}
