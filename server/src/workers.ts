// The background work: the handlers of all jobs, the couriers, and the deletion of old rows.
import { pruneClientReads } from './audit/audit.ts'
import { findNamedFiles } from './cases/cases.ts'
import { eventMonths } from './events/events.ts'
import { kycJobs } from './kyc/kyc.ts'
import { exchangePruning, verificationPruning } from './payees/payees.retention.ts'
import { paymentJobs } from './payments/payments.ts'
import { payoutJobs } from './payments/payouts/payments.payouts.daily.ts'
import { anchorJobs } from './platform/anchors.ts'
import type { Database } from './platform/database/database.ts'
import { pruneFiles } from './platform/files/files.retention.ts'
import { pruneIdempotencyKeys } from './platform/idempotency/idempotency.sql.ts'
import { bankId } from './platform/idempotency/idempotency.ts'
import { JobWorker } from './platform/jobs.ts'
import { Outgoing } from './platform/outgoing/outgoing.ts'
import { Retention } from './platform/retention.ts'
import { creditedJobs } from './processing/processing.credited.ts'
import { earlierJobs } from './processing/processing.earlier.ts'
import { sandboxExchange } from './processing/processing.exchange.ts'
import { rescreeningJobs } from './processing/processing.rescreening.ts'
import { DailyRuns, runJobs } from './processing/processing.runs.ts'
import { shownMoneyJobs } from './processing/processing.shown.ts'
import { pruneDelays } from './processing/processing.sql.ts'
import { unappliedJobs } from './processing/processing.unapplied.ts'
import { instantJobs, returnJobs } from './rails/rails.ts'
import { endDays } from './reconciliation/reconciliation.ts'
import { requestLogDays } from './requests/requests.retention.ts'
import { sandboxJobs } from './sandbox/sandbox.verifier.ts'
import { versionPruning } from './screening/screening.retention.ts'
import type { Services } from './services.ts'
import { freezeJobs } from './transfers/facts/transfers.freeze.ts'
import { applyWaiting } from './transfers/facts/transfers.inbound.ts'
import { onUsJobs } from './transfers/facts/transfers.onus.ts'
import { cancelOldAuthorisations } from './transfers/transfers.ts'
import { signInPruning } from './users/users.record.ts'
import { pruneEndedSessions } from './users/users.sessions.ts'
import { pruneFailures } from './users/users.throttle.ts'
import { houseId, listManagedIds, listVentureIds } from './ventures/ventures.ts'
import { Sealing } from './verify/verify.sealing.ts'
import { Couriers } from './webhooks/webhooks.couriers.ts'
import { deliveryPruning } from './webhooks/webhooks.retention.ts'
import { webhookJobs } from './webhooks/webhooks.ts'

export function createWorker(services: Services): JobWorker {
  const { config, database, log, self, verifier, payments, payouts, transfers, facts, rescreening, anchors } = services
  const { sandbox, kycApiKey = '', kycWebhookSecrets } = config
  const handlers = {
    ...kycJobs({ database, verifier }),
    ...paymentJobs(payments),
    ...payoutJobs(payouts),
    ...freezeJobs(transfers),
    ...rescreeningJobs(rescreening),
    ...runJobs(rescreening),
    ...onUsJobs(transfers),
    ...returnJobs({ database, transfers, facts }),
    ...instantJobs({ database, transfers }),
    ...creditedJobs({ database, transfers }),
    ...earlierJobs({ transfers, exchange: sandbox ? sandboxExchange : undefined }),
    ...unappliedJobs(services.unapplied),
    ...shownMoneyJobs({
      transfers,
      unapplied: services.unapplied,
      apply: (waiting, by) => applyWaiting(transfers, waiting, (key) => services.processing.screenWaiting(key), by),
    }),
    ...webhookJobs(database),
    ...anchorJobs(anchors),
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

async function* pruneAllDelays(database: Database): AsyncIterable<number> {
  yield* pruneDelays(database, await listVentureIds(database))
}

async function* cancelAuthorisations({ config, database, transfers }: Services): AsyncIterable<number> {
  yield* cancelOldAuthorisations(transfers, { ventures: await listManagedIds(database), days: config.cardAuth_days })
}

async function* pruneUnnamedFiles({ database, cases }: Services): AsyncIterable<number> {
  const ventures = [bankId, houseId, ...(await listVentureIds(database))]
  yield* pruneFiles({ reader: database, files: cases.files, ventures, named: [findNamedFiles] })
}

export function createRetention(services: Services): Retention {
  const { config, database, log } = services
  const deliveries = deliveryPruning(database, { days: config.webhookDeliveryRetention_days })
  const keys = { name: 'idempotency keys', steps: () => pruneKeys(database) }
  const ended = { name: 'ended sessions', steps: () => pruneEndedSessions(database) }
  const failures = { name: 'failed sign-ins', steps: () => pruneFailures(database) }
  const signIns = signInPruning(database, { days: config.signInRetention_days })
  const authorisations = { name: 'card authorisations', done: 'cancelled', steps: () => cancelAuthorisations(services) }
  const delays = { name: 'delays of transfers', steps: () => pruneAllDelays(database) }
  const reads = { name: 'notes of who read a client', steps: () => pruneClientReads(database) }
  const files = { name: 'files without a row', steps: () => pruneUnnamedFiles(services) }
  const versions = versionPruning(database, { days: config.watchlistRetention_days })
  const verifications = verificationPruning(database, { days: config.payeeVerificationRetention_days })
  const exchanges = exchangePruning(database, { days: config.payeeVerificationRetention_days })
  const days = { name: 'days of nostros', done: 'ended', steps: () => endDays(database) }
  const requestDays = requestLogDays(database, { isOn: config.requestLog })
  return new Retention({
    log,
    prunings: [
      eventMonths(database),
      requestDays,
      deliveries,
      keys,
      ended,
      failures,
      signIns,
      authorisations,
      delays,
      reads,
      files,
      versions,
      verifications,
      exchanges,
      days,
    ],
  })
}

export function createDailyRuns({ log, rescreening }: Services): DailyRuns {
  return new DailyRuns(rescreening, log)
}

export function createSealing({ database, log, anchors }: Services): Sealing {
  return new Sealing({ database, log, anchors, every_ms: 60_000 })
}
