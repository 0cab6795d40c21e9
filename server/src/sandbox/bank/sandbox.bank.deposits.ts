// Deposits of the sandbox arrive without a message. The simulated bank settles them anyway, so that they are on its statements.
import { now } from '../../platform/clock.ts'
import { type Companion, type CompanionKind, companion } from '../../platform/companions.ts'
import type { Database } from '../../platform/database/database.ts'
import { rails } from '../../schemes/schemes.ts'
import { todayUtc } from '../../values/calendar.ts'
import type { Money } from '../../values/money.ts'
import { simulatedBic } from './sandbox.bank.answers.ts'
import type { BankPayment } from './sandbox.bank.payments.ts'
import { entriesOf } from './sandbox.bank.rules.ts'
import { takeNumbers, writeEntries, writePayments } from './sandbox.bank.sql.ts'
import { settlementAccount } from './sandbox.bank.statement.ts'

type Settled = { payment: BankPayment; number: bigint; at: Date }

const settledDeposits: CompanionKind<Settled, unknown> = {
  name: 'sandbox_bank_deposits',
  acquire: async (_tx, rows) => rows.map(() => 'granted' as const),
  write(tx, granted) {
    for (const { row } of granted) {
      const { payment, number, at } = row
      let used = number
      writePayments(tx, [payment], number, at)
      writeEntries(tx, entriesOf([payment], { at, ours: simulatedBic, next: () => ++used }))
    }
  },
}

type Deposit = { rail: string; tx_id: string; amount: Money; currency: string; iban: string; payer: { name: string; iban: string } }

/** What to write at the simulated bank with a deposit; nothing if it arrives over another rail. */
export async function settlingDeposit(database: Database, deposit: Deposit): Promise<Companion[]> {
  const { tx_id, amount, currency, iban, payer } = deposit
  const rail = rails.find((each) => each === deposit.rail)
  if (rail === undefined || currency !== settlementAccount.currency) return []
  const [number, at] = [await takeNumbers(database), now()]
  const payment: BankPayment = {
    message_id: `DEPOSIT-${number}`,
    position: 1,
    message_count: 1,
    direction: 'IN',
    kind: 'CREDIT_TRANSFER',
    rail,
    tx_id,
    end_to_end_id: 'NOTPROVIDED',
    original_tx_id: null,
    amount,
    currency,
    effect: amount,
    debtor: payer.name,
    debtor_iban: payer.iban,
    creditor: null,
    creditor_iban: iban,
    remittance: null,
    due_on: null,
    state: 'SETTLED',
    reason: null,
    settled_on: todayUtc(at),
    next: null,
    next_at: null,
  }
  return [companion(settledDeposits, { payment, number, at })]
}
