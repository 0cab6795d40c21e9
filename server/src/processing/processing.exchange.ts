// The exchange with other banks, as the processing sees it. The rails bring others; the sandbox brings one that confirms everything.
import type { Logger } from '../platform/log.ts'
import type { TransferRow } from '../transfers/life/transfers.columns.ts'
import { methods } from '../transfers/life/transfers.methods.ts'
import type { TransferMethod, TransferStatus } from '../transfers/life/transfers.status.ts'
import type { Situation, Walk } from './processing.planner.ts'

/** What another bank, or the scheme, says about a payment. */
export type Answer = {
  status: 'ACCEPTED' | 'COMPLETED' | 'REJECTED'
  /** Its own word for it, such as ACSC. */
  third_party_status: string
  reason_code?: string
  reason?: string
}

export type Exchange = {
  /** Whether it can hand over a payment like this. What no exchange carries is not sent. */
  carries(payment: TransferRow): boolean
  /**
   * Hands payments over that are committed as sent, and says what is known about each; undefined while nothing is known. It is asked about the
   * same payment until that ends, also after a crash, so it must know a payment again and never send it twice.
   */
  exchange(payments: readonly TransferRow[]): Promise<readonly (Answer | undefined)[]>
  /** The methods whose payments rails take further by themselves, from where they wait to be sent until they end. */
  leaves?: readonly TransferMethod[]
}

/** Whether rails send a payment. What stays in the bank never leaves it. */
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

/** Whether another bank is asked what has become of a payment. */
export function isOutside({ status, sent }: Pick<TransferRow, 'status' | 'sent'>): boolean {
  return sent && (status === 'SENT_TO_CLEAR' || status === 'ACCEPTED' || status === 'TO_CANCEL')
}

type Leaving = { transfer: Pick<TransferRow, 'status' | 'direction'> } & Pick<Situation, 'circumstances' | 'venture_active'>

/** The walk of a payment that leaves with the next pack; undefined if it is not ready for one, or stopped. */
export function handOver({ transfer, circumstances, venture_active }: Leaving): Walk | undefined {
  const isStopped = transfer.direction === 'OUTBOUND' && (circumstances.account_frozen || circumstances.client_blocked)
  if (!venture_active || isStopped) return undefined
  if (transfer.status === 'SENT_TO_PACK') return { steps: ['PACKED', 'SENT_TO_CLEAR'] }
  return transfer.status === 'PACKED' ? { steps: ['SENT_TO_CLEAR'] } : undefined
}

/** Where a payment waits for people, or for its end: whether another bank has accepted it is no longer news. */
const waitsForEnd: ReadonlySet<TransferStatus> = new Set<TransferStatus>(['TO_CANCEL', 'SOME_PROBLEMS', 'MANUAL_ACTION'])

/** The walk of a payment that another bank has answered; undefined if the answer is not news. */
export function settle(
  { status, method, on_hold_from = null }: Pick<TransferRow, 'status' | 'method'> & Partial<Pick<TransferRow, 'on_hold_from'>>,
  answer: Answer,
): Walk | undefined {
  // Whoever holds it, the scheme has ended it: it goes back to where it was held, and on from there.
  if (status === 'ON_HOLD' && on_hold_from !== null) {
    const walk = settle({ status: on_hold_from, method }, answer)
    return walk === undefined || answer.status === 'ACCEPTED' ? undefined : { ...walk, steps: [on_hold_from, ...walk.steps] }
  }
  // Whoever wants a payment back waits for its end.
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

/** Delivers a payment to another account of the bank, and says what became of it. It knows a payment again and delivers it once. */
export type DeliverOnUs = (payment: TransferRow) => Promise<Answer | undefined>

/**
 * Payments between two accounts of the bank do not leave it. All others go to the next exchange, and wait if there is none. A payment that cannot be delivered now holds up
 * no other one, and is delivered again.
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

/** Confirms whatever it is given. */
export const sandboxExchange: Exchange = {
  carries: () => true,
  exchange: async (payments) => payments.map(() => ({ status: 'COMPLETED', third_party_status: 'ACSC' })),
}
