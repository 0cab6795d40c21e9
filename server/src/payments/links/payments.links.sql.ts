// The statements about payment links.
import type { Database, Reader, Tx } from '../../platform/database/database.ts'
import { Columns, fragment, read, write } from '../../platform/database/sql.ts'
import { equals, type Filters, given, pageOf } from '../../platform/http/lists.ts'
import { PaymentLink, type PaymentLinkList } from './payments.links.schemas.ts'

export type LinkKey = { venture_id: string; id: string }

/** A link as it is kept. Its address is made from the token, and its uses are counted when somebody asks. */
export type LinkRow = Omit<PaymentLink, 'url' | 'uses'> & { venture_id: string; sequence: number }
export type CountedLink = LinkRow & Pick<PaymentLink, 'uses'>

const made = ['url', 'uses']
const columns = new Columns([
  ...Object.keys(PaymentLink.properties).filter((name) => !made.includes(name)),
  ...(['venture_id', 'sequence'] satisfies (keyof LinkRow)[]),
])

/** Payments that took one of the link's uses: paid, or still open. */
const isUse = fragment`payment.status in ('PENDING', 'PAID', 'REFUNDED')`
const uses = fragment`(
  select count(*)::int from payments payment
  where payment.venture_id = payment_links.venture_id and payment.payment_link_id = payment_links.id and ${isUse}) as uses`

export const selectLink = ({ venture_id, id }: LinkKey) => read<CountedLink>`
  select ${columns}, ${uses} from payment_links where venture_id = ${venture_id} and id = ${id}`

const filters: Filters<PaymentLinkList> = { active: equals(fragment`active`) }

export function selectLinks(database: Database, venture_id: string, query: PaymentLinkList): Promise<CountedLink[]> {
  const conditions = [fragment`venture_id = ${venture_id}`, ...given(query, filters)]
  return database.rows(read<CountedLink>`select ${columns}, ${uses} from payment_links ${pageOf(query, conditions)}`)
}

/** For the payer, who has no key. */
export const selectLinkByToken = (token: string) => read<LinkRow>`select ${columns} from payment_links where token = ${token}`

/** Locks the row against other payers and changes; the foreign key of a payment that points to it is not held up. */
export function lockLink(tx: Tx, { venture_id, id }: LinkKey): Promise<LinkRow | undefined> {
  return tx.first(read<LinkRow>`
    select ${columns} from payment_links where venture_id = ${venture_id} and id = ${id} for no key update`)
}

/** A statement of its own, which sees what was begun while we waited for the lock. Counts to `most` and no further, if it is said. */
export async function countUses(reader: Reader, { venture_id, id }: LinkKey, most: number | null = null): Promise<number> {
  const counted = await reader.first(read<{ uses: number }>`
    select count(*)::int as uses from (
      select from payments payment
      where payment.venture_id = ${venture_id} and payment.payment_link_id = ${id} and ${isUse} limit ${most}) as use`)
  return counted?.uses ?? 0
}

/** Which of the link's payments has an order number. */
export const selectByNumber = ({ venture_id, id }: LinkKey, order_number: string) => read<{ id: string }>`
  select id from payments where venture_id = ${venture_id} and payment_link_id = ${id} and gateway_order_number = ${order_number}`

export function insertLink(tx: Tx, row: LinkRow): void {
  tx.send(write`insert into payment_links select * from json_populate_record(null::payment_links, ${JSON.stringify(row)})`)
}

/** Writes everything of a locked link that can change. */
export function writeLink(tx: Tx, row: LinkRow): void {
  tx.send(write`
    update payment_links set active = ${row.active}, description = ${row.description}, max_uses = ${row.max_uses},
      expires_at = ${row.expires_at}, updated_at = ${row.updated_at}, sequence = ${row.sequence}
    where venture_id = ${row.venture_id} and id = ${row.id}`)
}
