// SQL statements that read and write transfers, their moves and their texts. A statement with an empty list is not sent.
import { copierOf, sharedJsonOf } from '../../platform/database/database.rows.ts'
import type { Reader, Tx } from '../../platform/database/database.ts'
import { Columns, changesOf, fixed, read, write } from '../../platform/database/sql.ts'
import { fromNumeric, toNumeric } from '../../values/money.ts'
import type { NewMove } from '../deciding/transfers.batch.ts'
import { changingColumns, conversions, type TransferRow, transferColumns } from '../life/transfers.columns.ts'
import { withDetails } from './transfers.details.sql.ts'
import { ids, type Key, ventures } from './transfers.keys.ts'

const columns = new Columns(transferColumns)

type MoneyColumns = 'hold' | 'suspended' | 'counted_amount' | 'authorised_amount'

type StoredTransfer = Omit<TransferRow, MoneyColumns> & Record<MoneyColumns, string> & { counted_amount: string | null }

function withMoney(row: StoredTransfer): TransferRow {
  // Rows of edition 1 counted their whole amount without storing it.
  const counted = row.counted_amount ?? (row.counted_on === null ? '0' : row.debit_amount)
  return {
    ...row,
    hold: fromNumeric(row.hold),
    suspended: fromNumeric(row.suspended),
    counted_amount: fromNumeric(counted),
    authorised_amount: fromNumeric(row.authorised_amount),
  }
}

export async function selectTransferRows(reader: Reader, keys: readonly Key[]): Promise<TransferRow[]> {
  if (keys.length === 0) return []
  const rows = await reader.rows(read<StoredTransfer>`
    select ${columns} from transfers where (venture_id, id) in (select * from unnest(${ventures(keys)}::uuid[], ${ids(keys)}::uuid[]))
      ${reader.placement.narrow(fixed`venture_id`, keys)}`)
  return withDetails(reader, rows.map(withMoney))
}

export async function selectChildRows(reader: Reader, parents: readonly Key[]): Promise<TransferRow[]> {
  if (parents.length === 0) return []
  const rows = await reader.rows(read<StoredTransfer>`
    select ${columns} from transfers where (venture_id, parent_transaction_id) in (select * from unnest(${ventures(parents)}::uuid[], ${ids(parents)}::uuid[]))
      ${reader.placement.narrow(fixed`venture_id`, parents)}`)
  return withDetails(reader, rows.map(withMoney))
}

/** Half of the columns are null, and most of the others begin alike. */
const newTransfers = sharedJsonOf<TransferRow>(transferColumns, conversions)

export function insertTransfers(tx: Tx, rows: readonly TransferRow[]): void {
  if (rows.length === 0) return
  const { common, rest } = newTransfers(rows)
  tx.send(write`
    insert into transfers (${columns})
    select ${columns} from json_populate_recordset(json_populate_record(null::transfers, ${common}), ${rest})`)
}

/** How many transfers share a row of texts: enough to store common words once, few enough to check each one. */
const mostTogether = 32

/** Writes the texts for searches. The database converts them to lower case, as it does when it compares each transfer. */
export function insertTexts(tx: Tx, rows: readonly TransferRow[]): void {
  if (rows.length === 0) return
  tx.send(write`
    insert into transfer_texts (venture_id, id, others, words)
    select venture_id, id, others, lower(words) from json_populate_recordset(null::transfer_texts, ${JSON.stringify(textsOf(rows))})`)
}

type Texts = Key & { others?: string[]; words: string }

function textsOf(rows: readonly TransferRow[]): Texts[] {
  return [...Map.groupBy(rows, ({ venture_id }) => venture_id)].flatMap(([venture_id, own]) =>
    Array.from({ length: Math.ceil(own.length / mostTogether) }, (_, part) => {
      const some = own.slice(part * mostTogether, (part + 1) * mostTogether)
      const [id = '', ...others] = some.map(({ id }) => id)
      const lines = some.flatMap(({ unique_reference, purpose, cr_name, dr_name }) => [unique_reference, purpose, cr_name, dr_name])
      return { venture_id, id, ...(others.length > 0 && { others }), words: [...new Set(lines.filter((line) => line !== null))].join('\n') }
    }),
  )
}

const { assignments, definitions } = changesOf(changingColumns)
const changedValues = copierOf<TransferRow>(
  ['venture_id', 'id', ...(Object.keys(changingColumns) as (keyof typeof changingColumns)[])],
  conversions,
)

/** Updates all changing columns of locked transfers. */
export function writeTransfers(tx: Tx, rows: readonly TransferRow[]): void {
  if (rows.length === 0) return
  tx.send(write`
    update transfers set ${assignments}
    from json_to_recordset(${JSON.stringify(rows.map(changedValues))}) as new (venture_id uuid, id uuid, ${definitions})
    where transfers.venture_id = new.venture_id and transfers.id = new.id ${tx.placement.narrow(fixed`transfers.venture_id`, rows)}`)
}

export function insertMoves(tx: Tx, moves: readonly NewMove[]): void {
  if (moves.length === 0) return
  tx.send(write`
    insert into transfer_moves (
      era, xid, venture_id, id, transfer_id, from_status, to_status, actor, actor_id, reason, reason_code, third_party_status, created_at, forced,
      debt_change)
    select (select era from event_era), pg_current_xact_id(), * from unnest(
      ${moves.map((move) => move.venture_id)}::uuid[],
      ${moves.map((move) => move.id)}::uuid[],
      ${moves.map((move) => move.transfer_id)}::uuid[],
      ${moves.map((move) => move.from_status)}::text[],
      ${moves.map((move) => move.to_status)}::text[],
      ${moves.map((move) => move.actor)}::text[],
      ${moves.map((move) => move.actor_id)}::uuid[],
      ${moves.map((move) => move.reason)}::text[],
      ${moves.map((move) => move.reason_code)}::text[],
      ${moves.map((move) => move.third_party_status)}::text[],
      ${moves.map((move) => move.created_at)}::timestamptz[],
      ${moves.map((move) => move.forced)}::boolean[],
      ${moves.map((move) => toNumeric(move.debt_change))}::numeric[])`)
}
