// Finds transfers by id, by reference and by the ids in their details. References are claimed in a table of their own.
import type { Reader } from '../../platform/database/database.ts'
import { fixed, read } from '../../platform/database/sql.ts'
import type { Found, Sought } from '../../platform/found.ts'
import { namedInDetails } from '../writing/transfers.details.sql.ts'
import { findClaims } from '../writing/transfers.lock.ts'

/** More transfers than this with the same end-to-end id are found by a search of the list. */
const mostFound = 10

const shown = fixed`'transfer' as kind, id, venture_id, unique_reference as title, status as subtitle`

export async function findTransfersBy(reader: Reader, { ventures, id, text }: Sought): Promise<Found[]> {
  // A reference may have the form of an id.
  const claim = (await findClaims(reader, [text])).get(text)
  const named = await reader.rows(read<{ transfer_id: string }>`${namedInDetails(ventures, text)} limit ${mostFound}`)
  const ids = [id, claim?.transfer_id, ...named.map(({ transfer_id }) => transfer_id)].filter((each) => each !== undefined)
  return reader.rows(read<Found>`select ${shown} from transfers where venture_id = any(${ventures}) and id = any(${ids})`)
}
