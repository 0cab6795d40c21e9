// All planted bugs.
import type { Bug } from './planted.bug.ts'
import { amountBugs } from './planted.bugs.amounts.ts'
import { archiveBugs } from './planted.bugs.archive.ts'
import { attackBugs } from './planted.bugs.attacks.ts'
import { authorityBugs } from './planted.bugs.authority.ts'
import { bankBugs } from './planted.bugs.bank.ts'
import { bulkBugs } from './planted.bugs.bulk.ts'
import { cliBugs } from './planted.bugs.cli.ts'
import { clockBugs } from './planted.bugs.clock.ts'
import { companionBugs } from './planted.bugs.companions.ts'
import { consoleBugs } from './planted.bugs.console.ts'
import { contractBugs } from './planted.bugs.contract.ts'
import { demoBugs } from './planted.bugs.demo.ts'
import { deskBugs } from './planted.bugs.desk.ts'
import { distributedBugs } from './planted.bugs.distributed.ts'
import { kycAndWebhookBugs } from './planted.bugs.events.ts'
import { exportBugs } from './planted.bugs.exports.ts'
import { fourEyesBugs } from './planted.bugs.eyes.ts'
import { factBugs } from './planted.bugs.facts.ts'
import { fairnessBugs } from './planted.bugs.fairness.ts'
import { fileBugs } from './planted.bugs.files.ts'
import { foreseenBugs } from './planted.bugs.foreseen.ts'
import { inboxBugs } from './planted.bugs.inbox.ts'
import { instantBugs } from './planted.bugs.instants.ts'
import { iso20022Bugs } from './planted.bugs.iso20022.ts'
import { keyBugs } from './planted.bugs.keys.ts'
import { listBugs } from './planted.bugs.lists.ts'
import { managedBugs } from './planted.bugs.managed.ts'
import { moneyBugs } from './planted.bugs.money.ts'
import { moveBugs } from './planted.bugs.moves.ts'
import { nameBugs } from './planted.bugs.names.ts'
import { orderingBugs } from './planted.bugs.ordering.ts'
import { orderBugs } from './planted.bugs.orders.ts'
import { outBugs } from './planted.bugs.out.ts'
import { packingBugs } from './planted.bugs.packing.ts'
import { pairBugs } from './planted.bugs.pairs.ts'
import { paymentBugs } from './planted.bugs.payments.ts'
import { payoutBugs } from './planted.bugs.payouts.ts'
import { peopleBugs } from './planted.bugs.people.ts'
import { platformBugs } from './planted.bugs.platform.ts'
import { processingBugs } from './planted.bugs.processing.ts'
import { raceBugs } from './planted.bugs.races.ts'
import { reconciliationBugs } from './planted.bugs.reconciliation.ts'
import { requestLogBugs } from './planted.bugs.requests.ts'
import { restoreBugs } from './planted.bugs.restore.ts'
import { reviewBugs } from './planted.bugs.reviews.ts'
import { screeningBugs } from './planted.bugs.screening.ts'
import { sdkBugs } from './planted.bugs.sdk.ts'
import { sealBugs } from './planted.bugs.seals.ts'
import { signInBugs } from './planted.bugs.signin.ts'
import { simulatedBankBugs } from './planted.bugs.simbank.ts'
import { standbyBugs } from './planted.bugs.standby.ts'
import { statementBugs } from './planted.bugs.statements.ts'
import { tenantBugs } from './planted.bugs.tenants.ts'

export const bugs: readonly Bug[] = [
  ...reconciliationBugs,
  ...moneyBugs,
  ...moveBugs,
  ...orderBugs,
  ...orderingBugs,
  ...bulkBugs,
  ...managedBugs,
  ...raceBugs,
  ...companionBugs,
  ...bankBugs,
  ...fourEyesBugs,
  ...authorityBugs,
  ...pairBugs,
  ...keyBugs,
  ...factBugs,
  ...tenantBugs,
  ...deskBugs,
  ...peopleBugs,
  ...signInBugs,
  ...archiveBugs,
  ...sealBugs,
  ...attackBugs,
  ...fairnessBugs,
  ...paymentBugs,
  ...payoutBugs,
  ...statementBugs,
  ...simulatedBankBugs,
  ...demoBugs,
  ...kycAndWebhookBugs,
  ...packingBugs,
  ...reviewBugs,
  ...processingBugs,
  ...screeningBugs,
  ...listBugs,
  ...nameBugs,
  ...inboxBugs,
  ...fileBugs,
  ...iso20022Bugs,
  ...clockBugs,
  ...outBugs,
  ...instantBugs,
  ...foreseenBugs,
  ...platformBugs,
  ...contractBugs,
  ...requestLogBugs,
  ...exportBugs,
  ...restoreBugs,
  ...distributedBugs,
  ...standbyBugs,
  ...sdkBugs,
  ...cliBugs,
  ...amountBugs,
  ...consoleBugs,
]
