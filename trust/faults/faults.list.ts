// All experiments, in the order in which they run.
import { clockJumps } from './faults.clock.ts'
import { commitLate, commitUnanswered, commitUnsent } from './faults.commits.ts'
import {
  backendKilled,
  connectionsCut,
  embeddedPostmasterKilled,
  givenPostmasterKilled,
  poolExhausted,
  slowDatabase,
  stalledDatabase,
} from './faults.database.ts'
import { diskFull } from './faults.disk.ts'
import { kycReordered } from './faults.kyc.ts'
import { closeAgainstTransfer, freezeAgainstTransfer, rotateAgainstUse } from './faults.opposites.ts'
import { hotAccount, sameReference, thereAndBack } from './faults.races.ts'
import { serviceKilled } from './faults.service.ts'
import { courierKilled, receiverDown, receiverEndless, receiverGone, receiverRedirecting, receiverSlow } from './faults.webhooks.ts'
import type { Experiment } from './stage.ts'

export const experiments: readonly Experiment[] = [
  serviceKilled,
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
