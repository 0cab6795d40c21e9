// The background work: the handlers of all jobs, the couriers, and the deletion of old rows.
import { kycJobs } from './kyc/kyc.ts'
import { paymentJobs } from './payments/payments.ts'
import type { Database } from './platform/database/database.ts'
import { pruneIdempotencyKeys } from './platform/idempotency/idempotency.sql.ts'
import { bankId } from './platform/idempotency/idempotency.ts'
import { JobWorker } from './platform/jobs.ts'
import { Outgoing } from './platform/outgoing/outgoing.ts'
import { Retention } from './platform/retention.ts'
import { sandboxJobs } from './sandbox/sandbox.verifier.ts'
import type { Services } from './services.ts'
import { listVentureIds } from './ventures/ventures.ts'
import { Couriers } from './webhooks/webhooks.couriers.ts'
import { deliveryPruning } from './webhooks/webhooks.retention.ts'
import { webhookJobs } from './webhooks/webhooks.ts'

export function createWorker({ config, database, log, self, verifier, payments }: Services): JobWorker {
  const { sandbox, kycApiKey = '', kycWebhookSecrets } = config
  const handlers = {
    ...kycJobs({ database, verifier }),
    ...paymentJobs(payments),
    ...webhookJobs(database),
    ...(sandbox ? sandboxJobs({ url: self.url, apiKey: kycApiKey, webhookSecret: kycWebhookSecrets[0] ?? '' }) : {}),
  }
  return new JobWorker({ database, handlers, log })
}

export function createCouriers({ database, log, webhooks }: Services): Couriers {
  return new Couriers({ database, log, outgoing: new Outgoing({ allowPrivate: webhooks.allowPrivate }) })
}

/** The keys of the bank's own operations belong to no venture. */
async function* pruneKeys(database: Database): AsyncIterable<number> {
  yield* pruneIdempotencyKeys(database, [bankId, ...(await listVentureIds(database))])
}

export function createRetention({ config, database, log }: Services): Retention {
  const deliveries = deliveryPruning(database, { days: config.webhookDeliveryRetention_days })
  const keys = { name: 'idempotency keys', steps: () => pruneKeys(database) }
  return new Retention({ log, prunings: [deliveries, keys] })
}
