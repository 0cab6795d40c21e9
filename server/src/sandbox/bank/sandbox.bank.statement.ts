// The statement of our bank's account with the simulated bank.
import { limits, type StatementEntry } from '../../iso20022/iso20022.ts'
import { makeIban } from '../../values/iban.ts'
import { formatMoney, type Money } from '../../values/money.ts'
import { headingOf, simulatedBic } from './sandbox.bank.answers.ts'
import type { BankAnswer, BankEntry, Circumstances } from './sandbox.bank.payments.ts'

/** The account through which the simulated bank settles, and our bank's deposit before the first payment. */
export const settlementAccount = {
  iban: makeIban('LT', '9998000000000001'),
  bic: simulatedBic,
  currency: 'EUR',
  prefunding: 1_000_000_0000n,
} as const

export type BankStatement = {
  sequence: number
  date: string
  opening: Money
  closing: Money
  entries: readonly BankEntry[]
}

/** Splits the entries into statements of the maximum size of a message, each beginning where the previous one ends. */
export function statementsOf(
  entries: readonly BankEntry[],
  { sequence, date, opening }: Pick<BankStatement, 'sequence' | 'date' | 'opening'>,
): BankStatement[] {
  const statements: BankStatement[] = []
  let balance = opening
  for (let start = 0; start === 0 || start < entries.length; start += limits.transactions) {
    const some = entries.slice(start, start + limits.transactions)
    const closing = some.reduce((sum, { amount }) => sum + amount, balance)
    statements.push({ sequence: sequence + statements.length, date, opening: balance, closing, entries: some })
    balance = closing
  }
  return statements
}

export function statementMessage(statement: BankStatement, owner: string, circumstances: Circumstances): BankAnswer {
  const { iban, bic, currency } = settlementAccount
  const { sequence, date, opening, closing, entries } = statement
  const { message_id, created_at } = headingOf(circumstances)
  return {
    type: 'camt.053.001.08',
    about: null,
    message: {
      message_id,
      created_at,
      statements: [
        {
          statement_id: `${date}-${sequence}`,
          sequence,
          created_at,
          from_time: `${date}T00:00:00Z`,
          to_time: created_at,
          account: { iban, currency, owner, bic },
          balances: [
            { type: 'OPBD', amount: opening, currency, date },
            { type: 'CLBD', amount: closing, currency, date },
          ],
          entries: entries.map(entryOf),
        },
      ],
    },
  }
}

function entryOf(entry: BankEntry): StatementEntry {
  const { number, amount, currency, booked_on, family, subfamily, message_id, count, reason } = entry
  const direction = amount < 0n ? 'DBIT' : 'CRDT'
  const moved = { amount: amount < 0n ? -amount : amount, currency, direction } as const
  const { tx_id, end_to_end_id, debtor, debtor_iban, creditor, creditor_iban, remittance } = entry
  const transaction = {
    message_id,
    ...moved,
    ...(end_to_end_id === null ? {} : { end_to_end_id }),
    ...(tx_id === null ? {} : { tx_id }),
    ...(debtor === null ? {} : { debtor: { name: debtor } }),
    ...(debtor_iban === null ? {} : { debtor_iban }),
    ...(creditor === null ? {} : { creditor: { name: creditor } }),
    ...(creditor_iban === null ? {} : { creditor_iban }),
    ...(remittance === null ? {} : { remittance: [remittance] }),
    ...(reason === null ? {} : { returned: { code: reason } }),
  }
  return {
    entry_id: String(number),
    amount,
    currency,
    status: 'BOOK',
    booked_on,
    value_on: booked_on,
    servicer_reference: String(number),
    domain: 'PMNT',
    family,
    subfamily,
    details: [count === null ? { transactions: [transaction] } : { batch: { message_id, count, ...moved }, transactions: [] }],
  }
}

export function balanceText(balance: Money): string {
  return formatMoney(balance, settlementAccount.currency)
}
