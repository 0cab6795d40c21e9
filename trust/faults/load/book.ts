// The experiment's own books: every order sent, how far it is known to have progressed, and the balances that follow from that.
import type { Account, Venture } from './world.ts'

/** internal: between two accounts of the venture. deposit: from outside. cancelled: reserved, then cancelled. */
export type OrderKind = 'internal' | 'deposit' | 'cancelled'

/** The statuses of each kind from its creation to its end. */
export const paths: Record<OrderKind, readonly string[]> = {
  internal: ['CREATED', 'RESERVED', 'READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED', 'COMPLETED'],
  deposit: ['CREATED', 'RECEIVED', 'READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED', 'COMPLETED'],
  cancelled: ['CREATED', 'RESERVED', 'CANCELLED'],
}

export type Order = {
  readonly venture: Venture
  readonly reference: string
  readonly kind: OrderKind
  /** The owner of the transfer. */
  readonly account: Account
  /** The account that is paid; undefined for a deposit. */
  readonly to: Account | undefined
  readonly amount: bigint
  /** Whether it is created with an idempotency key, its reference. */
  readonly keyed: boolean
  /** Whether it is created by the request for many orders, as its only one. */
  readonly bulk: boolean
  id: string | undefined
  /** How many statuses of its path it is known to have reached; 0 means that it was not even created. */
  done: number
  /** The next status may have been reached as well; its outcome is unknown. */
  open: boolean
}

/** An order that is not sent yet. */
export type Intent = Pick<Order, 'venture' | 'kind' | 'account' | 'to' | 'amount'>

export type Expected = { current: bigint; reserved: bigint }

export class Book {
  readonly orders = new Map<string, Order>()

  add(intent: Intent): Order {
    const number = this.orders.size + 1
    const made = { keyed: number % 2 === 0, bulk: number % 3 === 0 }
    const order = { ...intent, ...made, reference: `order-${number}`, id: undefined, done: 0, open: false }
    this.orders.set(order.reference, order)
    return order
  }

  /** The balances that follow from all orders. */
  balances(accounts: readonly Account[]): Map<Account, Expected> {
    const balances = new Map(accounts.map((account) => [account, { current: account.opening, reserved: 0n }]))
    const change = (account: Account | undefined, current: bigint, reserved: bigint) => {
      const balance = account === undefined ? undefined : balances.get(account)
      if (balance === undefined) return
      balance.current += current
      balance.reserved += reserved
    }
    for (const { kind, done, account, to, amount } of this.orders.values()) {
      const ended = done === paths[kind].length
      if (kind === 'deposit' && ended) change(account, amount, 0n)
      if (kind === 'internal' && ended) {
        change(account, -amount, 0n)
        change(to, amount, 0n)
      }
      if (kind !== 'deposit' && !ended && done >= 2) change(account, 0n, amount)
    }
    return balances
  }
}
