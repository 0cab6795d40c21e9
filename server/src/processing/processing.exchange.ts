// The interface of processing to other banks. Rails implement it; the sandbox has an implementation that confirms everything.
import type { Logger } from '../platform/log.ts'
import type { TransferRow } from '../transfers/life/transfers.columns.ts'
import { methods } from '../transfers/life/transfers.methods.ts'
import type { TransferMethod, TransferStatus } from '../transfers/life/transfers.status.ts'
import type { Situation, Walk } from './processing.planner.ts'

/** What another bank or the scheme says about a payment. */
export type Answer = {
  status: 'ACCEPTED' | 'COMPLETED' | 'REJECTED'
  /** The scheme's own code, such as ACSC. */
  third_party_status: string
  reason_code?: string
  reason?: string
}

export type Exchange = {
  /** Whether it can deliver a payment. What no exchange carries is not sent. */
  carries(payment: TransferRow): boolean
  /**
   * Delivers payments that are committed as sent, and returns what is known about each; undefined while nothing is known. It is called
   * repeatedly for a payment until the payment ends, even after a crash, so it must recognise a payment and never send it twice.
   */
  exchange(payments: readonly TransferRow[]): Promise<readonly (Answer | undefined)[]>
  /** The methods whose payments rails move on their own, from the moment they wait to be sent until they end. */
  leaves?: readonly TransferMethod[]
}

/** Whether rails send a payment. One that stays in the bank never leaves it. */
export function isLeftToRails(
  { leaves = [] }: Pick<Exchange, 'leaves'>,
  { method, on_us }: Pick<TransferRow, 'method' | 'on_us'>,
): boolean {
  return !on_us && leaves.includes(method)
}

/** Leaves payments of some methods to rails. All others go to the next exchange, and wait if there is none. */
export function besideRails(leaves: readonly TransferMethod[], next: Exchange | undefined): Exchange {
  return {
    leaves,
    carries: (payment) => !leaves.includes(payment.method) && next?.carries(payment) === true,
    async exchange(payments) {
      const others = payments.filter(({ method }) => !leaves.includes(method))
      const answers = others.length === 0 ? [] : ((await next?.exchange(others)) ?? [])
      const known = new Map(others.map(({ id }, index) => [id, answers[index]]))
      return payments.map(({ id }) => known.get(id))
    },
  }
}

/** Whether processing asks another bank what has become of a payment. */
export function isOutside({ status, sent }: Pick<TransferRow, 'status' | 'sent'>): boolean {
  return sent && (status === 'SENT_TO_CLEAR' || status === 'ACCEPTED' || status === 'TO_CANCEL')
}

type Leaving = { transfer: Pick<TransferRow, 'status' | 'direction'> } & Pick<Situation, 'circumstances' | 'venture_active'>

/** The walk of a payment into the next pack; undefined if the payment is not ready for one or is stopped. */
export function handOver({ transfer, circumstances, venture_active }: Leaving): Walk | undefined {
  const isStopped = transfer.direction === 'OUTBOUND' && (circumstances.account_frozen || circumstances.client_blocked)
  if (!venture_active || isStopped) return undefined
  if (transfer.status === 'SENT_TO_PACK') return { steps: ['PACKED', 'SENT_TO_CLEAR'] }
  return transfer.status === 'PACKED' ? { steps: ['SENT_TO_CLEAR'] } : undefined
}

/** The payment waits for people or for its end: an acceptance by another bank adds nothing. */
const waitsForEnd: ReadonlySet<TransferStatus> = new Set<TransferStatus>(['TO_CANCEL', 'SOME_PROBLEMS', 'MANUAL_ACTION'])

/** The walk of a payment after another bank's answer; undefined if the answer changes nothing. */
export function settle(
  { status, method, on_hold_from = null }: Pick<TransferRow, 'status' | 'method'> & Partial<Pick<TransferRow, 'on_hold_from'>>,
  answer: Answer,
): Walk | undefined {
  // Even on hold, the scheme has ended it: it first returns to the status in which it was held.
  if (status === 'ON_HOLD' && on_hold_from !== null) {
    const walk = settle({ status: on_hold_from, method }, answer)
    return walk === undefined || answer.status === 'ACCEPTED' ? undefined : { ...walk, steps: [on_hold_from, ...walk.steps] }
  }
  // A payment that is to be cancelled waits for its end.
  if (answer.status === status || (waitsForEnd.has(status) && answer.status === 'ACCEPTED')) return undefined
  const passes = answer.status === 'COMPLETED' && status === 'SENT_TO_CLEAR' && !methods[method].instant
  const end: TransferStatus = status === 'TO_CANCEL' && answer.status === 'REJECTED' ? 'CANCELLED' : answer.status
  const { third_party_status, reason = null, reason_code = null } = answer
  return {
    steps: passes ? ['ACCEPTED', 'COMPLETED'] : [end],
    reason: { status_reason: reason, status_reason_code: reason_code },
    third_party_status,
  }
}

/** Delivers a payment to another account of the bank, and returns its outcome. It recognises a payment and delivers it once. */
export type DeliverOnUs = (payment: TransferRow) => Promise<Answer | undefined>

/**
 * Payments between two accounts of the bank do not leave it. All others go to the next exchange, and wait if there is none. A payment that
 * cannot be delivered now is retried, and holds up no other.
 */
export function withOnUs(deliver: DeliverOnUs, next: Exchange | undefined, log: Logger): Exchange {
  const deliverOrWait = async (payment: TransferRow): Promise<Answer | undefined> => {
    try {
      return await deliver(payment)
    } catch (error) {
      log.warn({ err: error, transfer_id: payment.id, venture_id: payment.venture_id }, 'a payment within the bank could not be delivered')
      return undefined
    }
  }
  return {
    leaves: next?.leaves ?? [],
    carries: (payment) => payment.on_us || next?.carries(payment) === true,
    async exchange(payments) {
      const outside = payments.filter(({ on_us }) => !on_us)
      const inside = payments.filter(({ on_us }) => on_us)
      const [sent, delivered] = await Promise.all([
        outside.length === 0 ? [] : (next?.exchange(outside) ?? []),
        Promise.all(inside.map((payment) => deliverOrWait(payment))),
      ])
      const answers = new Map([
        ...outside.map(({ id }, index) => [id, sent[index]] as const),
        ...inside.map(({ id }, index) => [id, delivered[index]] as const),
      ])
      return payments.map(({ id }) => answers.get(id))
    },
  }
}

/** Confirms every payment. */
export const sandboxExchange: Exchange = {
  carries: () => true,
  exchange: async (payments) => payments.map(() => ({ status: 'COMPLETED', third_party_status: 'ACSC' })),
}
