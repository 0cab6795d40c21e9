// Payouts: payable card money moves to an account of the venture, by a transfer that the service records.

import { type Approval, type ApprovalHandler, type Approvals, about, actOrRequest, subjectOf } from '../../audit/audit.ts'
import type { By } from '../../platform/actor.ts'
import { now } from '../../platform/clock.ts'
import { type CompanionKind, type Companions, companion } from '../../platform/companions.ts'
import type { Database, Reader } from '../../platform/database/database.ts'
import { shown } from '../../platform/http/shown.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { Logger } from '../../platform/log.ts'
import type { Transfer } from '../../transfers/life/transfers.schemas.ts'
import { recordPayout, type Transfers } from '../../transfers/transfers.ts'
import { formatMoney, fromNumeric, shareOf } from '../../values/money.ts'
import { Refusal, refuse } from '../../values/refusals.ts'
import { requireUnreserved, type Venture } from '../../ventures/ventures.ts'
import { requireNoPan } from '../payments.ts'
import { cutoffOf, freeOf, fundsOf, type PayoutPolicy, ripeOf } from './payments.payouts.funds.ts'
import { storePayouts } from './payments.payouts.row.ts'
import { type CardBalance, Payout, type PayoutList, type PayoutOrder } from './payments.payouts.schemas.ts'
import {
  lockSettingsOf,
  type PayoutRow,
  selectFunds,
  selectPayout,
  selectPayoutAccount,
  selectPayoutOfTransfer,
  selectPayouts,
  selectRuns,
  selectSettings,
} from './payments.payouts.sql.ts'

/** What the functions of payouts share. */
export type Payouts = {
  database: Database
  log: Logger
  transfers: Transfers
  policyOf(reader: Reader, venture_id: string): Promise<PayoutPolicy>
}

/** A planned payout. Its transfer does not exist yet. */
type PlannedPayout = { payout: Omit<PayoutRow, 'transfer_id'>; account_number: string; cutoff: string | null }

/**
 * The payout is written if and only if its transfer is. It is planned without a lock. Acquiring the companion locks the settings of the
 * venture and checks again, in later statements, that the money is still there: payouts and refunds of one venture take turns.
 */
const payoutRows: CompanionKind<PlannedPayout, Transfer> = {
  name: 'payouts',
  async acquire(tx, plans, wait) {
    const ventures = [...new Set(plans.map(({ payout }) => payout.venture_id))].sort()
    const runs = plans.flatMap(({ payout: { venture_id, run_on } }) => (run_on === null ? [] : [{ venture_id, run_on }]))
    const [settings, funds, finished] = await Promise.all([
      lockSettingsOf(tx, ventures, wait),
      tx.rows(selectFunds(ventures, earliest(plans))),
      selectRuns(tx, runs),
    ])
    const accountOf = new Map(settings.map(({ venture_id, payout_account_id }) => [venture_id, payout_account_id]))
    const fundsIn = new Map(funds.map((row) => [`${row.venture_id} ${row.currency}`, row]))
    return plans.map(({ payout: { venture_id, account_id, currency, amount, free_amount, run_on } }) => {
      if (!accountOf.has(venture_id)) return wait ? new Refusal('payout_changed') : 'held'
      const isSame = accountOf.get(venture_id) === account_id && !finished.has(`${venture_id} ${run_on}`)
      const available = fundsIn.get(`${venture_id} ${currency}`)
      const fits = fromNumeric(amount) <= ripeOf(available) && fromNumeric(free_amount) === freeOf(available, fromNumeric(amount))
      if (!isSame || !fits) return new Refusal('payout_changed')
      // A second payout of the same venture has to see the first one.
      accountOf.set(venture_id, null)
      return 'granted'
    })
  },
  write(tx, granted) {
    storePayouts(
      tx,
      granted.map(({ row: { payout }, result }) => ({ ...payout, transfer_id: result.id })),
    )
  },
}

/** With the earliest cutoff, most money is too recent. */
function earliest(plans: readonly PlannedPayout[]): string | null {
  return plans.reduce<string | null>((first, { cutoff }) => (first === null || (cutoff !== null && cutoff < first) ? cutoff : first), null)
}

/** The largest amount of one transfer. */
const largest = fromNumeric('999999999999999')

const maxAttempts = 5

type PayoutRequest = {
  venture_id: string
  order: PayoutOrder
  /** Assigned here unless the caller has to know it beforehand. */
  id?: string
  /** The maximum, even if more can be paid out by now. */
  most?: string
  witness?: By['witness']
  /** The day of the daily run that makes the payout. */
  run_on?: string
  companions?: Companions
}

const payOutAction = 'create-payout'

/** What two people of the bank agree on: this amount and no more. */
type AgreedPayout = PayoutOrder & { amount: string }

/** A payout by the bank's people. With four-eyes approval, it takes two of them to pay out card money of a MANAGED venture. */
export async function payOutByBank(
  payouts: Payouts,
  approvals: Approvals,
  { venture, order }: { venture: Pick<Venture, 'id' | 'control'>; order: PayoutOrder },
  by: By,
): Promise<Payout | Approval> {
  const { id: venture_id, control } = venture
  const id = uuidv7()
  const { payout } = await planPayout(payouts, { venture_id, order, run_on: null })
  const payload: AgreedPayout = { ...order, amount: payout.amount }
  const wanted = { venture_id, action: payOutAction, resource_id: id, payload, reference: 'payout' }
  return actOrRequest(approvals, wanted, by, async ({ companions, witness, ...allowed }) => {
    // A payout that does not exist yet has no changes.
    if (control === 'MANAGED') requireUnreserved('createPayout', {}, allowed, 0)
    return createPayout(payouts, {
      venture_id,
      order,
      id,
      companions,
      witness,
      ...(control === 'MANAGED' && { most: payout.amount }),
    })
  })
}

/** The approvals of payouts. */
export function payoutApprovals(payouts: Payouts): ApprovalHandler[] {
  return [
    {
      action: payOutAction,
      operations: ['createPayout'],
      carryOut({ venture_id, resource_id: id, payload }, { companions, witness }) {
        const { amount: most, ...order } = payload as AgreedPayout
        return createPayout(payouts, { venture_id, order, id, most, companions, witness })
      },
    },
  ]
}

/** Pays out everything that can be paid out now, in the currency of the payout account. */
export async function createPayout(payouts: Payouts, { run_on, companions = [], witness, ...request }: PayoutRequest): Promise<Payout> {
  requireNoPan('description', request.order.description)
  for (let attempt = 1; ; attempt++) {
    const planned = await planPayout(payouts, { ...request, run_on: run_on ?? null })
    witness?.(subjectFor(planned))
    try {
      return await makePayout(payouts, planned, companions)
    } catch (error) {
      const isWorthAnother = error instanceof Refusal && error.code === 'payout_changed' && attempt < maxAttempts
      if (!isWorthAnother) throw error
    }
  }
}

/** Refuses with `payout_changed` if the plan no longer holds. */
export async function makePayout(
  { transfers }: Payouts,
  planned: PlannedPayout,
  companions: NonNullable<Companions> = [],
): Promise<Payout> {
  const { venture_id, account_id, net_amount, description } = planned.payout
  const { id: transfer_id } = await recordPayout(transfers, {
    venture_id,
    account_id,
    amount: fromNumeric(net_amount),
    purpose: description ?? 'Card payments',
    companions: [...(about(planned.payout.id, companions) ?? []), companion(payoutRows, planned)],
  })
  return shown(Payout, { ...planned.payout, transfer_id })
}

function subjectFor({ payout, account_number }: PlannedPayout): object {
  const { account_id, amount, net_amount, currency, description } = payout
  const hasFee = net_amount !== amount
  return subjectOf({
    account_id,
    payee_account: account_number,
    amount,
    currency,
    purpose: description,
    ...(hasFee && { credit_amount: net_amount, credit_currency: currency }),
  })
}

type Planning = Pick<PayoutRequest, 'venture_id' | 'order' | 'id' | 'most'> & { run_on: string | null }

/** What can be paid out now, read without a lock. */
export async function planPayout(
  { database, policyOf }: Payouts,
  { venture_id, order, id = uuidv7(), most, run_on }: Planning,
): Promise<PlannedPayout> {
  const { payout_account_id } = (await database.first(selectSettings(venture_id))) ?? { payout_account_id: null }
  if (payout_account_id === null) refuse('payout_account_missing')
  const { currency, account_number } =
    (await database.first(selectPayoutAccount(venture_id, payout_account_id))) ?? refuse('account_not_found')
  if (run_on !== null && (await selectRuns(database, [{ venture_id, run_on }])).size > 0)
    refuse('nothing_to_pay_out', { detail: `The daily run of ${run_on} has already been paid out.` })
  const policy = await policyOf(database, venture_id)
  const cutoff = cutoffOf(policy)
  const funds = (await fundsOf(database, venture_id, cutoff)).get(currency)
  const ripe = ripeOf(funds)
  const bound = most === undefined ? largest : fromNumeric(most)
  const amount = ripe < bound ? ripe : bound
  const free = freeOf(funds, amount)
  const fee = shareOf(amount - free, policy.card_fee, currency)
  if (amount - fee <= 0n) refuse('nothing_to_pay_out', { detail: `No card money in ${currency} can be paid out now. See GET /balance.` })
  const payout = {
    venture_id,
    id,
    account_id: payout_account_id,
    payment_id: null,
    currency,
    amount: formatMoney(amount, currency),
    fee_amount: formatMoney(fee, currency),
    net_amount: formatMoney(amount - fee, currency),
    description: order.description ?? null,
    run_on,
    created_at: now().toISOString(),
    sequence: 1,
    recovered_for: null,
    free_amount: formatMoney(free, currency),
  }
  return { payout, account_number, cutoff }
}

export async function getPayout({ database }: Payouts, venture_id: string, id: string): Promise<Payout> {
  return (await database.first(selectPayout(venture_id, id))) ?? refuse('payout_not_found')
}

/** For a repeated request, which knows the transfer of the first one. */
export async function getPayoutOfTransfer({ database }: Payouts, venture_id: string, transfer_id: string): Promise<Payout> {
  return (await database.first(selectPayoutOfTransfer(venture_id, transfer_id))) ?? refuse('payout_not_found')
}

export function listPayouts({ database }: Payouts, venture_id: string, query: PayoutList): Promise<Payout[]> {
  return selectPayouts(database, venture_id, query)
}

export async function getBalance({ database, policyOf }: Payouts, venture_id: string): Promise<CardBalance> {
  const funds = await fundsOf(database, venture_id, cutoffOf(await policyOf(database, venture_id)))
  const balances = [...funds.values()].map((row) => {
    const { currency } = row
    const text = (amount: string) => formatMoney(fromNumeric(amount), currency)
    return {
      currency,
      payable: text(row.payable),
      available: formatMoney(ripeOf(row), currency),
      paid_out: text(row.paid_out),
      fees: text(row.fees),
    }
  })
  return { balances }
}
