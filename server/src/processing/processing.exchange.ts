// The exchange with other banks, as the processing sees it. The rails bring others; the sandbox brings one that confirms everything.
import type { TransferRow } from '../transfers/transfers.columns.ts'

/** What another bank, or the scheme, says about a payment. */
export type Answer = {
  status: 'ACCEPTED' | 'COMPLETED' | 'REJECTED'
  /** Its own word for it, such as ACSC. */
  third_party_status: string
  reason_code?: string
  reason?: string
}

export type Exchange = {
  /**
   * Hands payments over that are committed as sent, and says what is known about each; undefined while nothing is known. It is asked about the
   * same payment until that ends, also after a crash, so it must know a payment again and never send it twice.
   */
  exchange(payments: readonly TransferRow[]): Promise<readonly (Answer | undefined)[]>
}

/** Delivers a payment to another account of the bank, and says what became of it. It knows a payment again and delivers it once. */
export type DeliverOnUs = (payment: TransferRow) => Promise<Answer | undefined>

/** Payments between two accounts of the bank do not leave it. All others go to the next exchange. */
export function withOnUs(deliver: DeliverOnUs, next: Exchange): Exchange {
  return {
    async exchange(payments) {
      const outside = payments.filter(({ on_us }) => !on_us)
      const answers = outside.length === 0 ? [] : await next.exchange(outside)
      const answerOf = new Map(outside.map(({ id }, index) => [id, answers[index]]))
      return Promise.all(payments.map((payment) => (payment.on_us ? deliver(payment) : answerOf.get(payment.id))))
    },
  }
}

/** Confirms whatever it is given. */
export const sandboxExchange: Exchange = {
  exchange: async (payments) => payments.map(() => ({ status: 'COMPLETED', third_party_status: 'ACSC' })),
}
