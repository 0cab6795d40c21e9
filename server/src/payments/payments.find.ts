// Looks payments up by id and by the reference of their order, and payment links by id.
import type { Reader } from '../platform/database/database.ts'
import { fixed, read } from '../platform/database/sql.ts'
import { type Found, mostFound, type Sought } from '../platform/found.ts'

const shown = fixed`'payment' as kind, id, venture_id, coalesce(order_ref, description, gateway_order_number) as title, status as subtitle`

export async function findPaymentsBy(reader: Reader, { ventures, id, text }: Sought): Promise<Found[]> {
  // A reference may have the form of an id.
  const byReference = await reader.rows(read<Found>`
    select ${shown} from payments where venture_id = any(${ventures}) and order_ref = ${text} limit ${mostFound}`)
  if (id === undefined) return byReference
  const byId = await reader.rows(read<Found>`select ${shown} from payments where venture_id = any(${ventures}) and id = ${id}`)
  return [...byId, ...byReference.filter((found) => found.id !== id)]
}

export async function findLinksBy(reader: Reader, { ventures, id }: Sought): Promise<Found[]> {
  if (id === undefined) return []
  return reader.rows(read<Found>`
    select 'payment_link' as kind, id, venture_id, coalesce(description, amount || ' ' || currency) as title,
      case when active then 'active' else 'inactive' end as subtitle
    from payment_links where venture_id = any(${ventures}) and id = ${id}`)
}
