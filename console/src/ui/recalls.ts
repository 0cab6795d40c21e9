// Reasons of recalls.
import type { RecallRequest } from '@vostro/sdk'

const reasons: Record<RecallRequest['reason'], string> = {
  DUPL: 'It is a duplicate of another payment',
  FRAD: 'It is fraudulent',
  TECH: 'A technical problem led to a wrong payment',
  CUST: 'The customer requested it',
  AC03: 'The account number was wrong',
  AM09: 'The amount was wrong',
  UPAY: 'The payment was not owed',
  SVNR: 'Goods or services were not delivered',
}

export const recallReasons = Object.keys(reasons) as RecallRequest['reason'][]

/** A reason with its code. */
export const recallReasonOf = (code: string): string => (code in reasons ? `${reasons[code as RecallRequest['reason']]} (${code})` : code)
