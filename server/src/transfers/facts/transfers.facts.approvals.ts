// Reports that the bank's people make only together: facts of the scheme, and pay-outs of blocked clients.
import { type Approval, type ApprovalHandler, type Approvals, actTogether, decidingSequence } from '../../audit/audit.ts'
import type { By } from '../../platform/actor.ts'
import { bankId } from '../../platform/idempotency/idempotency.ts'
import type { Transfer } from '../life/transfers.schemas.ts'
import type { Transfers } from '../orders/transfers.orders.ts'
import { messageIdOf } from './transfers.claims.ts'
import { forceDebit } from './transfers.debits.ts'
import type { AgreedPayout, BookedFact, PayoutOrder } from './transfers.facts.schemas.ts'
import type { Message } from './transfers.facts.sql.ts'
import { reportInboundPayment } from './transfers.inbound.ts'
import { getPayable, payOutBlocked } from './transfers.payouts.ts'
import { reportReturnedPayment } from './transfers.returns.ts'

/** How each kind of report is requested and booked. */
const reports = {
  'report-inbound-payment': { operation: 'reportInboundPayment', book: reportInboundPayment },
  'report-returned-payment': { operation: 'reportReturnedPayment', book: reportReturnedPayment },
  'force-debit': { operation: 'forceDebit', book: forceDebit },
} as const

type Reports = typeof reports
type ReportOf<Action extends keyof Reports> = Parameters<Reports[Action]['book']>[1]
type Reporting = { transfers: Transfers; approvals: Approvals }

const payoutAction = 'pay-out-blocked-client'

/**
 * Books a report, or requests its approval. The message is the resource, across all ventures, so it has at most one open request. Nothing
 * is stored yet that could change.
 */
export function reportTogether<Action extends keyof Reports>(
  { transfers, approvals }: Reporting,
  action: Action,
  report: ReportOf<Action> & Message,
  by: By,
): Promise<BookedFact | Approval> {
  const request = { venture_id: bankId, action, resource_id: messageIdOf(report), sequence: 0, payload: report }
  return actTogether(approvals, request, by, (allowed) => reports[action].book(transfers, report as never, allowed))
}

/** Pays out the current balance of the account, or requests approval of exactly this amount. */
export async function payOutTogether({ transfers, approvals }: Reporting, order: PayoutOrder, by: By): Promise<Transfer | Approval> {
  const { venture_id, account_id } = order
  const account = await getPayable(transfers, order)
  const { available_balance: amount, currency } = account
  const sequence = decidingSequence(account)
  const payload: AgreedPayout = { ...order, amount, currency }
  const request = { venture_id, action: payoutAction, resource_id: account_id, sequence, payload }
  return actTogether(approvals, request, by, (allowed) => payOutBlocked(transfers, payload, { ...allowed, sequence }))
}

/** What a second person approves. Booking claims the message, so it is booked once, whatever has happened since. */
export function factApprovals(transfers: Transfers): ApprovalHandler[] {
  const actions = Object.keys(reports) as (keyof Reports)[]
  return [
    ...actions.map((action) => ({
      action,
      operations: [reports[action].operation] as const,
      carryOut: ({ payload }: { payload: object }, by: By) => reports[action].book(transfers, payload as never, { ...by, approved: true }),
    })),
    {
      action: payoutAction,
      operations: ['payOutBlockedClient'],
      carryOut: ({ payload, sequence }, by) => payOutBlocked(transfers, payload as AgreedPayout, { ...by, approved: true, sequence }),
    },
  ]
}
