// All planted bugs.
import type { Bug } from './planted.bug.ts'
import { bankBugs } from './planted.bugs.bank.ts'
import { companionBugs } from './planted.bugs.companions.ts'
import { kycAndWebhookBugs } from './planted.bugs.events.ts'
import { fourEyesBugs } from './planted.bugs.eyes.ts'
import { factBugs } from './planted.bugs.facts.ts'
import { fairnessBugs } from './planted.bugs.fairness.ts'
import { listBugs } from './planted.bugs.lists.ts'
import { managedBugs } from './planted.bugs.managed.ts'
import { moneyBugs } from './planted.bugs.money.ts'
import { moveBugs } from './planted.bugs.moves.ts'
import { orderingBugs } from './planted.bugs.ordering.ts'
import { orderBugs } from './planted.bugs.orders.ts'
import { paymentBugs } from './planted.bugs.payments.ts'
import { payoutBugs } from './planted.bugs.payouts.ts'
import { peopleBugs } from './planted.bugs.people.ts'
import { platformBugs } from './planted.bugs.platform.ts'
import { processingBugs } from './planted.bugs.processing.ts'
import { raceBugs } from './planted.bugs.races.ts'
import { restoreBugs } from './planted.bugs.restore.ts'
import { reviewBugs } from './planted.bugs.reviews.ts'
import { screeningBugs } from './planted.bugs.screening.ts'
import { standbyBugs } from './planted.bugs.standby.ts'
import { tenantBugs } from './planted.bugs.tenants.ts'

export const bugs: readonly Bug[] = [
  ...moneyBugs,
  ...moveBugs,
  ...orderBugs,
  ...orderingBugs,
  ...managedBugs,
  ...raceBugs,
  ...companionBugs,
  ...bankBugs,
  ...fourEyesBugs,
  ...factBugs,
  ...tenantBugs,
  ...peopleBugs,
  ...fairnessBugs,
  ...paymentBugs,
  ...payoutBugs,
  ...kycAndWebhookBugs,
  ...reviewBugs,
  ...processingBugs,
  ...screeningBugs,
  ...listBugs,
  ...platformBugs,
  ...restoreBugs,
  ...standbyBugs,
]
