// Screening of instant payments. During an instant payment in euro nobody compares payer and payee with the lists of the Union: clients are
// compared every day, and before a payment it only counts whether that was done and whom it hit. Lists outside Art. 5d may be compared.
import { type NewCase, openingCase } from '../cases/cases.ts'
import type { Companion } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import { type Policy, policyOf } from '../policies/policies.ts'
import { type Comparison, compareInstant, type Subject, storing } from '../screening/screening.ts'
import { methods } from '../transfers/life/transfers.methods.ts'
import { findInstantObstacles, type InboundReport } from '../transfers/transfers.ts'
import { screeningOverdue } from './processing.overdue.ts'
import { subjectOfTransfer, type TransferRow } from './processing.parties.ts'
import { findClientsOf } from './processing.sql.ts'

/** An instant payment of another bank, for an account that could take it. `id`: the transfer that it becomes if it is accepted. */
export type Arriving = {
  id: string
  venture_id: string
  account_id: string
  client_id: string
  /** The bank has frozen the account: it takes money, and keeps it. */
  frozen: boolean
  report: InboundReport
}

/** `code`: why it is refused, as a code of the scheme. */
export type Decided = { code: string | undefined; companions: readonly Companion[] }

export type ScreenArriving = (arriving: Arriving) => Promise<Decided>

/** How long a comparison may take before the answer is no. */
const decision_ms = 3_000

/** RR04: the law does not allow it. MS03: no reason is given. */
const codes = { hit: 'RR04', overdue: 'MS03', undecided: 'MS03' } as const

export function screenerOfArriving(database: Database, comparison: Comparison, { within_ms = decision_ms } = {}): ScreenArriving {
  return async (arriving) => {
    const { venture_id, client_id, frozen } = arriving
    const policy = await policyOf(database, venture_id)
    const subject = await subjectOfArriving(database, arriving, policy)
    // What is frozen stays with the bank, whoever has sent it.
    if (frozen) {
      const clear = await compareInstant(comparison, subject, 'clients')
      return { code: clear === undefined ? codes.undecided : undefined, companions: clear === undefined ? [] : [storing(clear)] }
    }
    const [obstacle] = await findInstantObstacles(database, [{ venture_id, client_id }])
    if (obstacle !== undefined)
      return { code: codes[obstacle], companions: obstacle === 'overdue' ? [await overdueCase(database, venture_id)] : [] }
    const compared = await inTime(compareInstant(comparison, subject, policy.instant_screening), within_ms)
    if (compared === undefined) return { code: codes.undecided, companions: [] }
    return { code: compared.hits.length > 0 ? codes.hit : undefined, companions: [storing(compared)] }
  }
}

async function inTime<Value>(work: Promise<Value>, within_ms: number): Promise<Value | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), within_ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Nothing of the venture is accepted or sent until its clients have been compared. */
export function overdueCase(database: Database, venture_id: string): Promise<Companion> {
  const newCase: NewCase = { venture_id, kind: screeningOverdue, resource_id: venture_id, payload: {}, severity: 'URGENT', due_h: 4 }
  return openingCase({ database }, newCase)
}

/** The parties as the transfer will have them. */
async function subjectOfArriving(database: Database, { id, venture_id, account_id, report }: Arriving, policy: Policy): Promise<Subject> {
  const { rail: method, iban, dr_name, dr_iban, dr_bank_bic, dr_country_code, purpose, sender } = report
  const [owner] = await findClientsOf(database, [{ venture_id, id: account_id }])
  const transfer = {
    venture_id,
    id,
    direction: 'INBOUND',
    transfer_type: 'PAYMENT',
    method,
    account_id,
    ordered_by_bank: true,
    on_us: false,
    dr_name: dr_name ?? null,
    dr_iban: dr_iban ?? null,
    dr_account_id: null,
    dr_bank_bic: dr_bank_bic ?? sender,
    dr_country_code: dr_country_code ?? null,
    cr_name: null,
    cr_iban: iban,
    cr_account_id: null,
    cr_bank_bic: null,
    cr_country_code: null,
    purpose: purpose ?? null,
    structured_reference: null,
    structured_reference_issuer: null,
  } as unknown as TransferRow
  return subjectOfTransfer(transfer, policy, { owner })
}

/** Whether an order is an instant payment in euro, whose parties are not compared during the payment. */
export function isInstantOrder({ direction, method, transfer_type, credit_currency }: TransferRow): boolean {
  return direction === 'OUTBOUND' && methods[method].instant && transfer_type === 'PAYMENT' && credit_currency === 'EUR'
}
