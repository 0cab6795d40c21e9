// The row of a payout: what is stored, booked and announced with it.
import { emit } from '../../events/events.ts'
import { book, type Entry, insertEntries } from '../../ledger/ledger.ts'
import type { Tx } from '../../platform/database/database.ts'
import { shown } from '../../platform/http/shown.ts'
import { fromNumeric } from '../../values/money.ts'
import { Payout } from './payments.payouts.schemas.ts'
import { insertPayouts, type PayoutRow } from './payments.payouts.sql.ts'

/** Written together with their transfers. */
export function storePayouts(tx: Tx, rows: readonly PayoutRow[]): void {
  insertPayouts(tx, rows)
  insertEntries(tx, rows.flatMap(feeEntries))
  emit(tx, ...rows.map((row) => ({ ...eventOf(row), type: 'payout.created' as const })))
}

/** The transfer credits the rest of the amount to the account. */
function feeEntries({ venture_id, id, currency, fee_amount, created_at: now }: PayoutRow): Entry[] {
  const fee = fromNumeric(fee_amount)
  return book({
    venture_id,
    cause: { kind: 'payout', id },
    now,
    lines: [
      { account: 'payable', currency, amount: -fee },
      { account: 'fees', currency, amount: fee },
    ],
  })
}

const eventOf = (row: PayoutRow) => ({ venture_id: row.venture_id, object: shown(Payout, row), sequence: row.sequence })
