// The experiment's own books: every order that was sent, how far it is known to have come, and what the balances must be then.
import type { Account, Venture } from './world.ts'

/** internal: from one account to another of the venture. deposit: from outside. cancelled: reserved and called off. */
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
  /** Whose transfer it is. */
  readonly account: Account
  /** Who is paid; none for a deposit. */
  readonly to: Account | undefined
  readonly amount: bigint
  id: string | undefined
  /** How many statuses of its path it is known to have reached: 0, it was not even created. */
  done: number
  /** The next one may have been reached as well: nobody could find out. */
  open: boolean
}

/** What somebody wants to be done. */
export type Wish = Pick<Order, 'venture' | 'kind' | 'account' | 'to' | 'amount'>

export type Expected = { current: bigint; reserved: bigint }

export class Book {
  readonly orders = new Map<string, Order>()

  add(wish: Wish): Order {
    const order = { ...wish, reference: `order-${this.orders.size + 1}`, id: undefined, done: 0, open: false }
    this.orders.set(order.reference, order)
    return order
  }

  /** What all orders come to. */
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
