// The statements about payment links.
import type { Database, Reader, Tx } from '../../platform/database/database.ts'
import { Columns, fixed, fragment, listed, read, write } from '../../platform/database/sql.ts'
import { equals, type Filters } from '../../platform/http/lists.ts'
import { readList } from '../../platform/http/pieces.ts'
import { paidStatuses } from '../payments.status.ts'
import { PaymentLink, type PaymentLinkList } from './payments.links.schemas.ts'

export type LinkKey = { venture_id: string; id: string }

/** A row. The link's address is made from the token; its uses are counted by the query. */
export type LinkRow = Omit<PaymentLink, 'url' | 'uses'> & { venture_id: string; sequence: number }
export type CountedLink = LinkRow & Pick<PaymentLink, 'uses'>

const computed = ['url', 'uses']
const columns = new Columns([...Object.keys(PaymentLink.properties).filter((name) => !computed.includes(name)), 'venture_id', 'sequence'])

const paid = listed(paidStatuses)

/** Payments that count as a use of the link: paid or still open. */
const isUse = fixed`payment.status in (${listed(['PENDING', ...paidStatuses])})`
const uses = fixed`(
  select count(*)::int from payments payment
  where payment.venture_id = payment_links.venture_id and payment.payment_link_id = payment_links.id and ${isUse}) as uses`

export const selectLink = ({ venture_id, id }: LinkKey) => read<CountedLink>`
  select ${columns}, ${uses} from payment_links where venture_id = ${venture_id} and id = ${id}`

const filters: Filters<PaymentLinkList> = { active: equals(fixed`active`) }

export function selectLinks(database: Database, venture_id: string, query: PaymentLinkList): Promise<CountedLink[]> {
  return readList(database, {
    venture_id,
    query,
    filters,
    columns: fragment`${columns}, ${uses}`,
    select: (what, rest) => fragment`select ${what} from payment_links where venture_id = ${venture_id} and ${rest}`,
  })
}

/** For payers, who have no key. */
export const selectLinkByToken = (token: string) => read<LinkRow>`select ${columns} from payment_links where token = ${token}`

/** Locks the row against other payers and updates, but not against the foreign key check of a payment that refers to it. */
export function lockLink(tx: Tx, { venture_id, id }: LinkKey): Promise<LinkRow | undefined> {
  return tx.first(read<LinkRow>`
    select ${columns} from payment_links where venture_id = ${venture_id} and id = ${id} for no key update`)
}

/** A separate statement, so that it sees payments started while we waited for the lock. Stops counting at `most`, if given. */
export async function countUses(reader: Reader, { venture_id, id }: LinkKey, most: number | null = null): Promise<number> {
  const counted = await reader.first(read<{ uses: number }>`
    select count(*)::int as uses from (
      select from payments payment
      where payment.venture_id = ${venture_id} and payment.payment_link_id = ${id} and ${isUse} limit ${most}) as use`)
  return counted?.uses ?? 0
}

/** How many payments of the link were paid. Stops counting at `most`. */
export async function countPaid(reader: Reader, { venture_id, id }: LinkKey, most: number): Promise<number> {
  const counted = await reader.first(read<{ paid: number }>`
    select count(*)::int as paid from (
      select from payments
      where venture_id = ${venture_id} and payment_link_id = ${id} and status in (${paid}) limit ${most}) as use`)
  return counted?.paid ?? 0
}

/** The oldest payment of the link that is neither paid nor ended. */
export const selectOldestOpen = ({ venture_id, id }: LinkKey) => read<{ id: string }>`
  select id from payments where venture_id = ${venture_id} and payment_link_id = ${id} and status = 'PENDING' order by id limit 1`

/** The link's payment with this order number. */
export const selectByNumber = ({ venture_id, id }: LinkKey, order_number: string) => read<{ id: string }>`
  select id from payments where venture_id = ${venture_id} and payment_link_id = ${id} and gateway_order_number = ${order_number}`

export function insertLink(tx: Tx, row: LinkRow): void {
  tx.send(write`insert into payment_links select * from json_populate_record(null::payment_links, ${JSON.stringify(row)})`)
  tx.placement.sendName(tx, { kind: 'link_token', name: row.token, venture_id: row.venture_id, id: row.id })
}

/** Writes all columns of a locked link that can change. */
export function writeLink(tx: Tx, row: LinkRow): void {
  tx.send(write`
    update payment_links set active = ${row.active}, description = ${row.description}, max_uses = ${row.max_uses},
      expires_at = ${row.expires_at}, updated_at = ${row.updated_at}, sequence = ${row.sequence}
    where venture_id = ${row.venture_id} and id = ${row.id}`)
}
