// Money that no account can take waits in the house until it is applied, returned or paid out.
import { sepaName } from '../../iso20022/iso20022.ts'
import type { Line } from '../../ledger/ledger.ts'
import type { By } from '../../platform/actor.ts'
import { now } from '../../platform/clock.ts'
import { accompanied } from '../../platform/companions.ts'
import type { Tx } from '../../platform/database/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { sendJobs } from '../../platform/jobs.ts'
import type { Rail } from '../../schemes/schemes.ts'
import { parseIban } from '../../values/iban.ts'
import { fromNumeric, moneyText } from '../../values/money.ts'
import { refuse } from '../../values/refusals.ts'
import { houseId, requireManaged } from '../../ventures/ventures.ts'
import { partsOf } from '../life/transfers.details.ts'
import { screenedUnapplied } from '../life/transfers.jobs.ts'
import { methods } from '../life/transfers.methods.ts'
import type { Transfer, TransferOrder } from '../life/transfers.schemas.ts'
import { createTransfer, type Transfers } from '../orders/transfers.orders.ts'
import { caseFor } from '../writing/transfers.cases.ts'
import { lockTransfers } from '../writing/transfers.lock.sql.ts'
import { authorityOf, awaiting, claimOf, factOf, type Origin } from './transfers.claims.ts'
import type { Application, BookedFact, UnappliedPayment, UnappliedPayout } from './transfers.facts.schemas.ts'
import { findAccount, findOwner, findUnapplied, insertUnapplied, type Message, sumReturned } from './transfers.facts.sql.ts'
import { bookInHouse, decidedBy, decideInHouse, unappliedDecision } from './transfers.house.ts'
import { requireOwnName } from './transfers.payouts.ts'

export type Unapplied = Pick<UnappliedPayment, 'reason' | 'rail' | 'amount' | 'currency' | 'iban'> & Partial<UnappliedPayment>

const noUnapplied: Omit<UnappliedPayment, 'id' | 'reason' | 'rail' | 'amount' | 'currency' | 'iban' | 'created_at'> = {
  status: 'OPEN',
  purpose: null,
  dr_name: null,
  dr_iban: null,
  dr_bank_bic: null,
  dr_address: null,
  dr_city: null,
  dr_country_code: null,
  dr_postal_code: null,
  client_venture_id: null,
  client_id: null,
  parent_transaction_id: null,
  said: null,
  applied_venture_id: null,
  transfer_id: null,
  payout_name: null,
  payout_iban: null,
  paid_out_over: null,
  decided_at: null,
}

/** Books money that no account can take in the house: `settlement` to `suspense`. */
export function bookUnapplied(
  { database, openCase }: Transfers,
  message: Message,
  by: By,
  details: Unapplied,
  { sent, on_us = false, awaits_statement = false }: { sent?: Transfer } & Origin = {},
): Promise<BookedFact> {
  const fact = factOf(message, 'unapplied', houseId)
  const { id, created_at: now } = fact
  const payment: UnappliedPayment = { ...noUnapplied, ...details, id, created_at: now }
  const amount = fromNumeric(payment.amount)
  const { currency, rail } = payment
  const companions = [
    claimOf(fact),
    caseFor(openCase, () => ({
      venture_id: houseId,
      kind: 'unapplied',
      resource_id: id,
      payload: { client_id: payment.client_id, ...awaiting(awaits_statement) },
    })),
    ...(by.companions ?? []),
  ]
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      if (sent !== undefined) await requireLeft(tx, sent, payment)
      insertUnapplied(tx, payment)
      // Money whose return was refused stays until people know more.
      if (payment.reason !== 'RETURN_REFUSED') sendJobs(tx, [{ kind: screenedUnapplied, payload: { venture_id: houseId, id } }])
      bookInHouse(tx, {
        cause: { kind: 'unapplied', id },
        now,
        lines: [
          { account: on_us ? 'settlement:ON_US' : methods[rail].settlement, currency, amount: -amount },
          { account: 'suspense', currency, amount },
        ],
      })
      return fact
    }),
  )
}

/** No more comes back than was sent, to the account and the house together. */
async function requireLeft(tx: Tx, { id, credit_amount, credit_currency }: Transfer, payment: UnappliedPayment): Promise<void> {
  const key = { venture_id: payment.client_venture_id ?? '', id }
  await lockTransfers(tx, [key], true)
  const left = fromNumeric(credit_amount) - (await sumReturned(tx, key))
  if (fromNumeric(payment.amount) <= left) return
  const rest = moneyText(left, credit_currency)
  refuse('parent_invalid', { detail: `${payment.amount} ${credit_currency} requested, but only ${rest} has not come back yet.` })
}

export async function getUnapplied({ database }: Transfers, id: string): Promise<UnappliedPayment> {
  return (await findUnapplied(database, id)) ?? refuse('unapplied_payment_not_found')
}

const nowhere = { applied_venture_id: null, transfer_id: null, payout_name: null, payout_iban: null, paid_out_over: null } as const

/** Moves money out of the house's suspense account. */
const outOfSuspense = ({ amount, currency, rail }: UnappliedPayment, to: Line['account'] = methods[rail].settlement): Line[] => [
  { account: 'suspense', currency, amount: -fromNumeric(amount) },
  { account: to, currency, amount: fromNumeric(amount) },
]

/**
 * Credits an unapplied payment to an account. The house returns the money to the rail, and the venture receives it from there, so each has
 * its own balanced journal. For rails without incoming payments, such as CARD, an adjustment replaces them.
 */
export async function applyUnapplied(transfers: Transfers, id: string, application: Application, by: By): Promise<UnappliedPayment> {
  const payment = await getUnapplied(transfers, id)
  const { venture_id, account_id } = application
  await requireManaged(transfers.database, venture_id)
  const account = (await findAccount(transfers.database, venture_id, account_id)) ?? refuse('account_not_found')
  const isOfClient = payment.client_id === null || (payment.client_id === account.client_id && payment.client_venture_id === venture_id)
  if (!isOfClient) refuse('client_mismatch')
  const received = methods[payment.rail].flow.INBOUND === 'receiving'
  const transfer_id = uuidv7()
  const { codes, details } = partsOf(payment.said ?? {})
  const order: TransferOrder = {
    ...codes,
    account_id,
    unique_reference: transfer_id,
    direction: 'INBOUND',
    credit_amount: payment.amount,
    credit_currency: payment.currency,
    purpose: payment.purpose,
    dr_name: payment.dr_name,
    dr_bank_bic: payment.dr_bank_bic,
    dr_address: payment.dr_address,
    dr_city: payment.dr_city,
    dr_country_code: payment.dr_country_code,
    dr_postal_code: payment.dr_postal_code,
    ...(received ? { method: payment.rail, dr_iban: payment.dr_iban } : { transfer_type: 'ADJUSTMENT' }),
  }
  const decision = { ...nowhere, id, status: 'APPLIED', applied_venture_id: venture_id, transfer_id, ...decidedBy(by) } as const
  await createTransfer(transfers, {
    id: transfer_id,
    venture_id,
    order,
    details,
    ...authorityOf(by),
    door: 'apply',
    steps: received ? ['RECEIVED'] : 'to completion',
    companions: [unappliedDecision(decision, outOfSuspense(payment, received ? undefined : 'adjustments')), ...(by.companions ?? [])],
  })
  return getUnapplied(transfers, id)
}

/** Sends an unapplied payment back to where it came from. */
export async function returnUnapplied(transfers: Transfers, id: string, by: By): Promise<UnappliedPayment> {
  const payment = await getUnapplied(transfers, id)
  if (payment.client_id !== null) {
    refuse('client_mismatch', { detail: 'The other bank has returned this money, and it belongs to the client: apply it or pay it out.' })
  }
  const decision = { ...nowhere, id, status: 'RETURNING', ...decidedBy(by) } as const
  return decideInHouse(transfers, id, by, unappliedDecision(decision, outOfSuspense(payment)), getUnapplied)
}

/** The rail that would pay it out now; undefined if none can. */
export async function payoutRailOf(
  { participations }: Transfers,
  { amount, currency }: Pick<UnappliedPayment, 'amount' | 'currency'>,
): Promise<Rail | undefined> {
  return (await participations.current()).payoutRail({ amount: fromNumeric(amount), currency }, now())
}

/** Pays an unapplied payment out to its client. */
export async function payOutUnapplied(transfers: Transfers, id: string, payout: UnappliedPayout, by: By): Promise<UnappliedPayment> {
  const payment = await getUnapplied(transfers, id)
  if (payment.client_id === null) {
    refuse('client_mismatch', { detail: 'The owner of the money is unknown: apply it to an account, or return it.' })
  }
  const owner = (await findOwner(transfers.database, payment.client_venture_id ?? '', payment.client_id)) ?? refuse('client_not_found')
  if (owner.is_blacklisted) refuse('client_sanctioned')
  const { name: payout_name, iban: payout_iban } = payout
  requireOwnName(payout_name, owner)
  if (sepaName(payout_name) === undefined)
    refuse('beneficiary_invalid', { detail: 'The name contains no letter or digit that a SEPA payment can carry.' })
  if (parseIban(payout_iban) === undefined) {
    const message = 'must be a valid IBAN'
    refuse('invalid_iban', { detail: `details.iban ${message}.`, errors: [{ field: 'details.iban', message }] })
  }
  const paid_out_over =
    (await payoutRailOf(transfers, payment)) ?? refuse('rail_suspended', { detail: 'No active rail can pay this amount out.' })
  const decision = { ...nowhere, id, status: 'PAID_OUT', payout_name, payout_iban, paid_out_over, ...decidedBy(by) } as const
  const lines = outOfSuspense(payment, methods[paid_out_over].settlement)
  return decideInHouse(transfers, id, by, unappliedDecision(decision, lines), getUnapplied)
}
