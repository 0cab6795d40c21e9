// Tables and statements that do not follow the rules of distribution yet. The list may only shrink: a fix removes its exception and lowers
// the count; a new exception would raise the count, which a reviewer should refuse.
import type { Rule } from './distributed.rules.ts'

export const exceptionsLeft = 28

/** For each rule, the places that break it, with the reason. */
export const exceptions: Readonly<Record<Rule, Readonly<Record<string, string>>>> = {
  key: {},
  claim: {},
  unique: {
    'accounts: accounts_account_number_key': 'Account numbers are unique across ventures; in a distributed database they are claimed.',
    'payment_links: payment_links_token_key': 'Link tokens are unique across ventures; in a distributed database they are claimed.',
    'payments: payments_gateway_order_id_key':
      'Order ids of the gateway are unique across ventures; in a distributed database they are claimed.',
    'payments: payments_gateway_order_number_key': 'Order numbers are unique across ventures; in a distributed database they are claimed.',
    'payments: payments_id_key': 'Only the payment id identifies a returning payer; in a distributed database the id is claimed.',
  },
  reference: {
    'kyc_events: kyc_events_venture_id_client_id_fkey':
      'Events stay on the coordinator and clients do not; verify has to replace this key.',
  },
  default: {
    'events.xid': 'A trigger on the shard will set the number of the transaction there.',
    'webhook_progress.lease_until': 'The first lease of an endpoint starts at the time of the database.',
    'webhook_progress.since': 'A new endpoint starts at the current snapshot, which has to be that of the shard.',
    'webhook_progress.xid': 'A new endpoint starts at the current snapshot, which has to be that of the shard.',
  },
  time: {
    'payments/payments.sql.ts: leaseRefund': 'The lease of a refund expires by the clock of the database.',
    'webhooks/webhooks.couriers.ts: lease': 'Leases get their id from the database and expire by its clock.',
    'webhooks/webhooks.couriers.ts: leaseOne': 'Leases expire by the clock of the database.',
    'webhooks/webhooks.couriers.ts: release': 'Leases expire by the clock of the database.',
    'webhooks/webhooks.couriers.ts: renew': 'Leases expire by the clock of the database.',
  },
  lock: {
    'webhooks/webhooks.couriers.ts: lease': 'One statement leases endpoints of all ventures.',
  },
  venture: {
    'events/events.era.ts: eventFromTheFuture': 'The service reads the newest event of every venture when it starts.',
    'kyc/kyc.sql.ts: findByApplication': 'An event of the verifier may contain only the application.',
    'kyc/kyc.sql.ts: findByClient': 'An event of the verifier may contain only the client.',
    'payments/links/payments.links.sql.ts: selectLinkByToken':
      'A payer has only the token; in a distributed database its claim names the venture.',
    'payments/payments.sql.ts: selectPaymentById':
      'A returning payer has only the payment id; in a distributed database its claim names the venture.',
    'sandbox/gateway/sandbox.gateway.orders.ts: withRefunds 2': 'The page of the sandbox looks up the merchant by the order number alone.',
    'sandbox/sandbox.verifier.ts: withVenture': 'The page of the sandbox looks up the venture by the client alone.',
    'transfers/writing/transfers.plan.sql.ts: findReceivers':
      'An IBAN may be an account of any venture; in a distributed database the claim on its number names the venture.',
    'webhooks/webhooks.couriers.ts: candidates': 'One statement looks for due endpoints of all ventures.',
    'webhooks/webhooks.couriers.ts: lease': 'One statement looks for due endpoints of all ventures.',
    'webhooks/webhooks.couriers.ts: renew': 'One statement renews the leases of all endpoints that an instance serves.',
    'webhooks/webhooks.metrics.ts: readBacklog': 'The metrics count the deliveries of all ventures.',
  },
}
