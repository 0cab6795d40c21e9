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

/** Confirms whatever it is given. */
export const sandboxExchange: Exchange = {
  exchange: async (payments) => payments.map(() => ({ status: 'COMPLETED', third_party_status: 'ACSC' })),
}
