// The exchange with other banks, as the processing sees it. The rails bring others; the sandbox brings one that confirms everything.
import type { Logger } from '../platform/log.ts'
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

/**
 * Payments between two accounts of the bank do not leave it. All others go to the next exchange. A payment that cannot be delivered now holds up
 * no other one, and is delivered again.
 */
export function withOnUs(deliver: DeliverOnUs, next: Exchange, log: Logger): Exchange {
  const deliverOrWait = async (payment: TransferRow): Promise<Answer | undefined> => {
    try {
      return await deliver(payment)
    } catch (error) {
      log.warn({ err: error, transfer_id: payment.id, venture_id: payment.venture_id }, 'a payment within the bank could not be delivered')
      return undefined
    }
  }
  return {
    async exchange(payments) {
      const outside = payments.filter(({ on_us }) => !on_us)
      const inside = payments.filter(({ on_us }) => on_us)
      const [sent, delivered] = await Promise.all([
        outside.length === 0 ? [] : next.exchange(outside),
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
  exchange: async (payments) => payments.map(() => ({ status: 'COMPLETED', third_party_status: 'ACSC' })),
}
