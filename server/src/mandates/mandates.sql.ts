// SQL statements for mandates.
import { rowsByVenture } from '../platform/database/database.placement.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { Columns, fixed, fragment, read, write } from '../platform/database/sql.ts'
import { equals, type Filters } from '../platform/http/lists.ts'
import { readList } from '../platform/http/pieces.ts'
import { unusedFor_months } from './mandates.rules.ts'
import { Mandate, type MandateList } from './mandates.schemas.ts'

export type MandateKey = { venture_id: string; id: string }

/** A mandate as stored. Whether it has expired depends on the day. */
export type StoredMandate = Omit<Mandate, 'state' | 'expires_on'> & { venture_id: string; cancelled: boolean; sequence: number }

const computed = ['state', 'expires_on']
const columns = new Columns([
  ...Object.keys(Mandate.properties).filter((name) => !computed.includes(name)),
  'venture_id',
  'cancelled',
  'sequence',
])

export const selectMandate = ({ venture_id, id }: MandateKey) =>
  read<StoredMandate>`select ${columns} from mandates where venture_id = ${venture_id} and id = ${id}`

/** The mandates that exist, without duplicates, in no particular order, with one statement for all keys. */
export function selectMandates(reader: Reader, all: readonly MandateKey[]): Promise<StoredMandate[]> {
  return rowsByVenture(reader, all, (keys) =>
    reader.rows(read<StoredMandate>`
      select ${columns} from mandates where (venture_id, id) in (
        select * from unnest(${keys.map(({ venture_id }) => venture_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]))
        ${reader.placement.narrow(fixed`venture_id`, keys)}`),
  )
}

export function listMandateRows(database: Database, venture_id: string, query: MandateList, today: string): Promise<StoredMandate[]> {
  const isOld = fragment`(greatest(signed_on, last_used_on) + make_interval(months => ${unusedFor_months}))::date < ${today}::date`
  const states = {
    CANCELLED: fragment`cancelled`,
    EXPIRED: fragment`not cancelled and ${isOld}`,
    ACTIVE: fragment`not cancelled and not ${isOld}`,
  }
  const filters: Filters<MandateList> = { account_id: equals(fragment`account_id`), state: (state) => states[state] }
  return readList(database, {
    venture_id,
    query,
    filters,
    columns,
    select: (what, rest) => fragment`select ${what} from mandates where venture_id = ${venture_id} and ${rest}`,
    ordered: ['account_id'],
  })
}

/** Locks the row against other changes, but not against foreign keys that refer to it. */
export function lockMandate(tx: Tx, { venture_id, id }: MandateKey): Promise<StoredMandate | undefined> {
  return tx.first(read<StoredMandate>`
    select ${columns} from mandates where venture_id = ${venture_id} and id = ${id} for no key update`)
}

/** Returns false if the creditor already has a mandate with this reference. */
export async function insertMandate(tx: Tx, row: StoredMandate): Promise<boolean> {
  // A distributed database reports only rows that it returns, not rows that it inserts, so the statement returns them.
  const inserted = await tx.first(write<{ id: string }>`
    insert into mandates (${columns}) select ${columns} from json_populate_record(null::mandates, ${JSON.stringify(row)})
    on conflict (venture_id, creditor_id, reference) do nothing returning id`)
  return inserted !== undefined
}

export function writeCancelled(tx: Tx, { venture_id, id, updated_at, sequence }: StoredMandate): void {
  tx.send(write`
    update mandates set cancelled = true, updated_at = ${updated_at}, sequence = ${sequence} where venture_id = ${venture_id} and id = ${id}`)
}

export type MandateUse = MandateKey & { on: string }

/** Records which collections have used the mandates. The caller has locked their accounts. */
export function writeUses(tx: Tx, uses: readonly MandateUse[]): void {
  if (uses.length === 0) return
  tx.send(write`
    update mandates set last_used_on = greatest(mandates.last_used_on, used.last_used_on)
    from (
      select venture_id, id, max(used_on) as last_used_on from unnest(
        ${uses.map(({ venture_id }) => venture_id)}::uuid[], ${uses.map(({ id }) => id)}::uuid[], ${uses.map(({ on }) => on)}::date[]
      ) as one (venture_id, id, used_on) group by venture_id, id
    ) as used
    where mandates.venture_id = used.venture_id and mandates.id = used.id ${tx.placement.narrow(fixed`mandates.venture_id`, uses)}`)
}
