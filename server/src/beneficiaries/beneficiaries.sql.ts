// SQL statements for beneficiaries.
import { rowsByVenture } from '../platform/database/database.placement.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { columnsOf, fixed, fragment, read, stated } from '../platform/database/sql.ts'
import { contains, equals, type Filters } from '../platform/http/lists.ts'
import { readList } from '../platform/http/pieces.ts'
import { Beneficiary, type BeneficiaryList } from './beneficiaries.schemas.ts'

/** A beneficiary as stored: the shown fields, the venture and the number of events. */
export type BeneficiaryRow = Beneficiary & { venture_id: string; sequence: number }

/** Includes the venture, because the id alone could be that of another venture's beneficiary. */
export type BeneficiaryKey = { venture_id: string; id: string }

const columns = columnsOf(Beneficiary)

export const selectBeneficiary = ({ venture_id, id }: BeneficiaryKey) =>
  read<Beneficiary>`select ${columns} from beneficiaries where venture_id = ${venture_id} and id = ${id}`

const filters: Filters<BeneficiaryList> = {
  client_id: equals(fragment`client_id`),
  display: equals(fragment`display`),
  search: contains([fragment`name`, fragment`iban`, fragment`account_number`, fragment`bank_name`]),
}

export function selectBeneficiaries(database: Database, venture_id: string, query: BeneficiaryList): Promise<Beneficiary[]> {
  return readList(database, {
    venture_id,
    query,
    filters,
    columns,
    select: (what, rest) => fragment`select ${what} from beneficiaries where venture_id = ${venture_id} and ${rest}`,
    ordered: ['client_id'],
    needsPieces: query.search !== undefined,
  })
}

/** Returns the existing beneficiaries without duplicates, in no particular order, with one statement for all keys. */
export function findBeneficiaries(reader: Reader, all: readonly BeneficiaryKey[]): Promise<BeneficiaryRow[]> {
  return rowsByVenture(reader, all, (keys) =>
    reader.rows(read<BeneficiaryRow>`
      select ${columns}, venture_id, sequence from beneficiaries where (venture_id, id) in (
        select * from unnest(${keys.map(({ venture_id }) => venture_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
      ) ${reader.placement.narrow(fixed`venture_id`, keys)}`),
  )
}

/** Locks the row against other changes, but not against foreign keys that refer to it. */
export function lockBeneficiary(tx: Tx, { venture_id, id }: BeneficiaryKey): Promise<BeneficiaryRow | undefined> {
  return tx.first(read<BeneficiaryRow>`
    select ${columns}, venture_id, sequence from beneficiaries where venture_id = ${venture_id} and id = ${id} for no key update`)
}

export function insertBeneficiary(tx: Tx, beneficiary: BeneficiaryRow): void {
  tx.send(stated`insert into beneficiaries select * from json_populate_record(null::beneficiaries, ${JSON.stringify(beneficiary)})`)
}

/** Writes all mutable fields of a locked beneficiary. */
export function writeBeneficiary(tx: Tx, { venture_id, id, display, updated_at, sequence }: BeneficiaryRow): void {
  tx.send(stated`
    update beneficiaries set display = ${display}, updated_at = ${updated_at}, sequence = ${sequence}
    where venture_id = ${venture_id} and id = ${id}`)
}
