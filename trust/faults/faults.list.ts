// All experiments, in the order in which they run.

import type { Experiment } from './experiment.ts'
import { clockJumps } from './experiments/faults.clock.ts'
import { commitLate, commitUnanswered, commitUnsent } from './experiments/faults.commits.ts'
import { closeAgainstTransfer, freezeAgainstTransfer, rotateAgainstUse } from './experiments/faults.conflicts.ts'
import {
  backendKilled,
  connectionsCut,
  embeddedPostmasterKilled,
  givenPostmasterKilled,
  poolExhausted,
  slowDatabase,
  stalledDatabase,
} from './experiments/faults.database.ts'
import { diskFull } from './experiments/faults.disk.ts'
import { repeatedAfterKill } from './experiments/faults.idempotency.ts'
import { inboxKilled } from './experiments/faults.inbox.ts'
import { kycReordered } from './experiments/faults.kyc.ts'
import { processingKilled } from './experiments/faults.processing.ts'
import { hotAccount, sameReference, thereAndBack } from './experiments/faults.races.ts'
import { railsKilled } from './experiments/faults.rails.ts'
import { serviceKilled } from './experiments/faults.service.ts'
import {
  courierKilled,
  receiverDown,
  receiverEndless,
  receiverGone,
  receiverRedirecting,
  receiverSlow,
} from './experiments/faults.webhooks.ts'

export const experiments: readonly Experiment[] = [
  serviceKilled,
  processingKilled,
  railsKilled,
  inboxKilled,
  repeatedAfterKill,
  backendKilled,
  embeddedPostmasterKilled,
  givenPostmasterKilled,
  connectionsCut,
  commitUnsent,
  commitUnanswered,
  commitLate,
  slowDatabase,
  stalledDatabase,
  poolExhausted,
  diskFull,
  sameReference(10_000),
  hotAccount,
  thereAndBack,
  closeAgainstTransfer,
  freezeAgainstTransfer,
  rotateAgainstUse,
  courierKilled,
  receiverDown,
  receiverSlow,
  receiverEndless,
  receiverRedirecting,
  receiverGone,
  kycReordered,
  clockJumps,
]
