// A consumer that knows only the events of transfers and rebuilds the balances of the accounts, by the rules in docs/webhooks.md. It
// shares no rule with the service. The order of events of different transfers does not matter.
import type { NewEvent } from '../../server/src/events/events.ts'
import type { Transfer } from '../../server/src/transfers/life/transfers.schemas.ts'
import type { TransferStatus, TransferType } from '../../server/src/transfers/life/transfers.status.ts'
import { fromNumeric, type Money } from '../../server/src/values/money.ts'

export type Balances = { current: Money; reserved: Money }

/** A transfer as its events have shown it. */
type Followed = { last: Transfer; wasReserved: boolean }

const ended: ReadonlySet<TransferStatus> = new Set<TransferStatus>([
  'COMPLETED',
  'CANCELLED',
  'REJECTED',
  'INVALID',
  'DROPPED',
  'AML_REJECTED',
  'MANUAL_REJECTED',
])

const ownBooks: ReadonlySet<TransferType> = new Set<TransferType>([
  'FEE',
  'FEE_CANCELLATION',
  'ADJUSTMENT',
  'CCY_EXCHANGE',
  'FX_POSITION_CLOSING',
])

export class Replay {
  readonly #transfers = new Map<string, Followed>()

  follow({ type, object }: Pick<NewEvent, 'type' | 'object'>): void {
    if (!type.startsWith('transfer.')) return
    const last = object as object as Transfer
    const wasReserved = last.status === 'RESERVED' || this.#transfers.get(last.id)?.wasReserved === true
    this.#transfers.set(last.id, { last, wasReserved })
  }

  balances(): Map<string, Balances> {
    const balances = new Map<string, Balances>()
    for (const { last, wasReserved } of this.#transfers.values()) {
      const { current, reserved } = balances.get(last.account_id) ?? { current: 0n, reserved: 0n }
      balances.set(last.account_id, {
        current: current + (last.status === 'COMPLETED' ? this.#booked(last) : 0n),
        reserved: reserved + (wasReserved && !ended.has(last.status) ? this.#held(last) : 0n),
      })
    }
    return balances
  }

  /** What a completed transfer changed on its account. */
  #booked(transfer: Transfer): Money {
    const parent = this.#parentOf(transfer)
    if (isAuthorisation(transfer) || (transfer.transfer_type === 'CARD_REVERSAL' && isAuthorisation(parent))) return 0n
    if (this.#cameOutOfSuspense(transfer)) return 0n
    return transfer.direction === 'INBOUND' ? fromNumeric(transfer.credit_amount) : -costOf(transfer)
  }

  /** What is still on hold for a transfer that was reserved and has not ended. */
  #held(transfer: Transfer): Money {
    if (this.#cameOutOfSuspense(transfer)) return 0n
    if (!isAuthorisation(transfer)) return costOf(transfer)
    let left = costOf(transfer)
    for (const { last, wasReserved } of this.#transfers.values()) {
      if (last.parent_transaction_id !== transfer.id) continue
      if (last.transfer_type === 'CARD_CLEARING' && wasReserved) left -= costOf(last)
      if (last.transfer_type === 'CARD_REVERSAL' && last.status === 'COMPLETED') left -= fromNumeric(last.debit_amount)
    }
    return left > 0n ? left : 0n
  }

  /** Money that never reached the account leaves it untouched when it goes back, or to the venture. */
  #cameOutOfSuspense(transfer: Transfer): boolean {
    const { direction, transfer_type } = transfer
    const parent = this.#parentOf(transfer)
    if (direction !== 'OUTBOUND' || parent === undefined || !goesThroughSuspense(parent)) return false
    if (parent.status === 'AML_REJECTED') return transfer_type === 'PAYMENT_RETURN' || transfer_type === 'ADJUSTMENT'
    return parent.status === 'REJECTED' && transfer_type === 'PAYMENT_RETURN'
  }

  #parentOf({ parent_transaction_id: id }: Transfer): Transfer | undefined {
    return id === null ? undefined : this.#transfers.get(id)?.last
  }
}

function isAuthorisation(transfer: Transfer | undefined): boolean {
  return transfer?.transfer_type === 'CARD_AUTH' || transfer?.transfer_type === 'CARD_ADVICE'
}

/** Money from another bank waits in suspense until it is credited. */
function goesThroughSuspense({ direction, method, transfer_type }: Transfer): boolean {
  const fromAnotherBank = ['SEPA', 'INST', 'SWIFT', 'DOMESTIC'].includes(method) && !ownBooks.has(transfer_type)
  return direction === 'INBOUND' && fromAnotherBank
}

function costOf({ debit_amount, fx_fee_amount }: Transfer): Money {
  return fromNumeric(debit_amount) + (fx_fee_amount === null ? 0n : fromNumeric(fx_fee_amount))
}
