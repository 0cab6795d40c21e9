// The types of events, for choosing among them. The contract has them as types only, and so this says them again; the compiler compares.
import type { EventsByType } from '@vostro/sdk'

export type EventType = keyof EventsByType

const known: Record<EventType, true> = {
  'client.created': true,
  'client.updated': true,
  'client.kyc_updated': true,
  'onboarding.submitted': true,
  'onboarding.updated': true,
  'beneficiary.created': true,
  'beneficiary.updated': true,
  'account.created': true,
  'account.updated': true,
  'account.activated': true,
  'account.frozen': true,
  'account.overdrawn': true,
  'account.closed': true,
  'mandate.created': true,
  'mandate.cancelled': true,
  'transfer.created': true,
  'transfer.updated': true,
  'transfer.status_changed': true,
  'transfer.completed': true,
  'transfer.failed': true,
  'transfer.returned': true,
  'payment.created': true,
  'payment.paid': true,
  'payment.failed': true,
  'payment.refused': true,
  'payment.canceled': true,
  'payment.expired': true,
  'payment.refunded': true,
  'payment_link.created': true,
  'payment_link.updated': true,
  'payout.created': true,
  'venture.updated': true,
  'venture.key_rotated': true,
  'webhook_endpoint.disabled': true,
  'webhook_endpoint.test': true,
}

export const eventTypes = Object.keys(known) as readonly EventType[]

/** `transfer` of `transfer.completed`. */
export const kindOf = (type: string): string => type.split('.')[0] ?? type
