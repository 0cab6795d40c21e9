// Where a card payment can go from where it is. It goes to PAID only because the gateway says so, and from there only back to the payer.

export const paymentStatuses = ['PENDING', 'PAID', 'FAILED', 'REFUSED', 'CANCELED', 'REFUNDED', 'EXPIRED'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export const nextStatuses: Record<PaymentStatus, readonly PaymentStatus[]> = {
  PENDING: ['PAID', 'FAILED', 'REFUSED', 'CANCELED', 'EXPIRED'],
  PAID: ['REFUNDED', 'CANCELED'],
  // A payer may try a second card on the same order, and a success may be told late.
  FAILED: ['PAID'],
  REFUSED: ['PAID'],
  CANCELED: ['PAID'],
  EXPIRED: ['PAID'],
  REFUNDED: [],
}
