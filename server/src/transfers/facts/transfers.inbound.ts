// Payments that another bank has sent: credited, kept until a decision, or booked in the house.
import type { By } from '../../platform/actor.ts'
import { decimalsRule, formatMoney, type Money, parseMoney } from '../../values/money.ts'
import { refuse, refuseField } from '../../values/refusals.ts'
import { listManagedIds } from '../../ventures/ventures.ts'
import { statementAwaited } from '../deciding/transfers.commands.ts'
import { partsOf, type Said, unlessEmpty } from '../life/transfers.details.ts'
import { carriesCurrencies, methods } from '../life/transfers.methods.ts'
import type { Transfer, TransferOrder } from '../life/transfers.schemas.ts'
import { type TransferStatus, waitingStatus } from '../life/transfers.status.ts'
import { createTransfer, type Transfers, updateTransfer } from '../orders/transfers.orders.ts'
import { caseFor } from '../writing/transfers.cases.ts'
import type { Key } from '../writing/transfers.keys.ts'
import type { TransferCompanions } from '../writing/transfers.plan.ts'
import { selectTransferRows } from '../writing/transfers.rows.sql.ts'
import { type Arrival, authorityOf, awaiting, claimOf, factOf, isClosed, type Origin, type Told } from './transfers.claims.ts'
import type { BookedFact, InboundReport } from './transfers.facts.schemas.ts'
import { type FoundAccount, findAccountByNumber } from './transfers.facts.sql.ts'
import { bookUnapplied, type Unapplied } from './transfers.unapplied.ts'

/**
 * Books a payment that another bank has sent. If it `awaits_statement`, it is neither credited nor returned before a statement shows it. An `instant` one is
 * refused if no account can take it: it has not been answered yet.
 */
export async function reportInboundPayment(
  transfers: Transfers,
  report: InboundReport,
  by: By,
  { awaits_statement = false, instant, id, said = {} }: Arrival = {},
): Promise<BookedFact> {
  const { database } = transfers
  const { iban, amount, currency, rail } = report
  const money = amountOf(amount, currency)
  if (!carriesCurrencies(methods[rail], currency, currency))
    refuse('transfer_method_invalid', { detail: `${rail} does not carry ${currency}.` })
  const account = await findAccountByNumber(database, await listManagedIds(database), iban)
  if (account !== undefined && account.currency === currency) {
    try {
      return await receive(transfers, report, account, by, { awaits_statement, instant, said, ...(id !== undefined && { id }) })
    } catch (error) {
      if (instant !== undefined || !isClosed(error)) throw error
    }
  }
  if (instant !== undefined) refuse('account_not_found')
  const reason = account === undefined ? 'ACCOUNT_UNKNOWN' : account.currency === currency ? 'ACCOUNT_CLOSED' : 'CURRENCY_MISMATCH'
  const { purpose = null, dr_name = null, dr_iban = null, dr_address = null, dr_city = null, dr_postal_code = null } = report
  const details: Unapplied = {
    reason,
    rail,
    amount: formatMoney(money, currency),
    currency,
    iban,
    purpose,
    dr_name,
    dr_iban,
    dr_address,
    dr_city,
    dr_postal_code,
    dr_bank_bic: report.dr_bank_bic ?? report.sender,
    dr_country_code: report.dr_country_code ?? null,
    said: unlessEmpty<Said>(said) ?? null,
  }
  return bookUnapplied(transfers, report, by, details, { awaits_statement })
}

export function amountOf(text: string, currency: string): Money {
  const money = parseMoney(text, currency) ?? refuseField('amount', decimalsRule(currency))
  return money > 0n ? money : refuseField('amount', 'must be greater than zero')
}

/** Receives a payment on an account. If the account is not active, the money waits in suspense for a decision. */
export async function receive(
  transfers: Transfers,
  report: Told<InboundReport>,
  account: FoundAccount,
  by: By,
  { on_us = false, awaits_statement = false, instant, id: known, said = {} }: Origin = {},
): Promise<BookedFact> {
  const { iban, amount, currency, rail, sender, kind: _kind, tx_id: _tx_id, ...payer } = report
  const fact = factOf(report, 'transfer', account.venture_id, known)
  const { id } = fact
  const { codes, details } = partsOf(said)
  const order: TransferOrder = {
    ...payer,
    ...codes,
    dr_bank_bic: payer.dr_bank_bic ?? sender,
    account_id: account.id,
    unique_reference: id,
    direction: 'INBOUND',
    method: rail,
    credit_amount: amount,
    credit_currency: currency,
    cr_iban: iban,
  }
  const waits = ({ status }: Transfer) =>
    status === waitingStatus
      ? ({
          venture_id: account.venture_id,
          kind: 'suspended',
          resource_id: id,
          payload: { account_id: account.id, ...awaiting(awaits_statement) },
        } as const)
      : undefined
  await createTransfer(transfers, {
    id,
    venture_id: account.venture_id,
    order,
    details,
    ...authorityOf(by),
    door: 'inbound',
    on_us,
    awaits_statement,
    instant,
    ...(awaits_statement && { reason: statementAwaited }),
    companions: [claimOf(fact), caseFor(transfers.openCase, waits), ...(by.companions ?? [])],
  })
  return fact
}

/** An account of this bank that an instant payment names. `fault`: why it cannot be credited, as a code of the scheme. */
export type PayeeAccount =
  | { fault: string }
  | { fault: undefined; venture_id: string; account_id: string; client_id: string; frozen: boolean }

/** What the bank itself has frozen takes money, and keeps it. */
export async function findPayeeAccount({ database }: Transfers, iban: string, currency: string): Promise<PayeeAccount> {
  const account = await findAccountByNumber(database, await listManagedIds(database), iban)
  if (account === undefined) return { fault: 'AC01' }
  const { venture_id, id: account_id, client_id, status, frozen_by_bank: frozen } = account
  if (status !== 'ACTIVE' && !(frozen && status !== 'CLOSED')) return { fault: status === 'CLOSED' ? 'AC04' : 'AC06' }
  return account.currency === currency ? { fault: undefined, venture_id, account_id, client_id, frozen } : { fault: 'CURR' }
}

/**
 * Screens a waiting transfer: the moves, which end with AML_APPROVED if nothing was found, and what to write with them. A transfer that was
 * screened before needs no moves unless something was found since.
 */
export type ScreenWaiting = (waiting: Key) => Promise<{ steps: readonly TransferStatus[]; companions: TransferCompanions }>

/** Returns money that arrived for an account that was not active. */
export function returnWaiting(transfers: Transfers, waiting: Key, by: By): Promise<Transfer> {
  return decideWaiting(transfers, waiting, goingBack, by)
}

/** Credits the money if its screening finds nothing. */
export async function applyWaiting(transfers: Transfers, waiting: Key, screen: ScreenWaiting, by: By): Promise<Transfer> {
  const [{ screened } = refuse('transfer_not_found')] = await selectTransferRows(transfers.database, [waiting])
  // A list may have changed while the money waited.
  const { steps, companions = [] } = await screen(waiting)
  const isFree = steps.length === 0 ? screened : steps.at(-1) === 'AML_APPROVED'
  return decideWaiting(transfers, waiting, isFree ? [...steps, 'COMPLETED'] : steps, {
    ...by,
    companions: [...(by.companions ?? []), ...companions],
  })
}

async function decideWaiting(transfers: Transfers, waiting: Key, walk: readonly TransferStatus[], by: By): Promise<Transfer> {
  const [row] = await selectTransferRows(transfers.database, [waiting])
  // It no longer waits for a statement.
  const isSaid = row?.status_reason_code === statementAwaited.status_reason_code
  const reason = isSaid ? { status_reason: null, status_reason_code: null } : {}
  const { venture_id, id: transfer_id } = waiting
  const [status = 'COMPLETED', ...steps] = walk
  return updateTransfer(transfers, {
    venture_id,
    transfer_id,
    update: { status, ...reason },
    steps,
    with_case: true,
    ...authorityOf(by),
    ...(by.sequence === undefined ? {} : { sequence: by.sequence }),
    companions: by.companions,
  })
}

const goingBack = ['TO_RETURN', 'REJECTED'] as const
