// Finds transfers by id and by reference. References are claimed in a table of their own.
import type { Reader } from '../../platform/database/database.ts'
import { fixed, read } from '../../platform/database/sql.ts'
import type { Found, Sought } from '../../platform/found.ts'
import { findClaims } from '../writing/transfers.lock.ts'

const shown = fixed`'transfer' as kind, id, venture_id, unique_reference as title, status as subtitle`

export async function findTransfersBy(reader: Reader, { ventures, id, text }: Sought): Promise<Found[]> {
  // A reference may have the form of an id.
  const claim = (await findClaims(reader, [text])).get(text)
  const ids = [id, claim?.transfer_id].filter((each) => each !== undefined)
  return reader.rows(read<Found>`select ${shown} from transfers where venture_id = any(${ventures}) and id = any(${ids})`)
}
