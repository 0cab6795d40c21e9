// The moves of a card payment. Only the gateway makes it PAID; from there, money can only go back to the payer.

export const paymentStatuses = ['PENDING', 'PAID', 'FAILED', 'REFUSED', 'CANCELED', 'REFUNDED', 'EXPIRED'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]
/** The payer's money has come, and may have gone back. */
export const paidStatuses: readonly PaymentStatus[] = ['PAID', 'REFUNDED']

export const nextStatuses: Record<PaymentStatus, readonly PaymentStatus[]> = {
  PENDING: ['PAID', 'FAILED', 'REFUSED', 'CANCELED', 'EXPIRED'],
  PAID: ['REFUNDED', 'CANCELED'],
  // The payer may try a second card on the same order, and the gateway may report a success late.
  FAILED: ['PAID'],
  REFUSED: ['PAID'],
  CANCELED: ['PAID'],
  EXPIRED: ['PAID'],
  REFUNDED: [],
}
