// All planted bugs.
import type { Bug } from './planted.bug.ts'
import { companionBugs } from './planted.bugs.companions.ts'
import { kycAndWebhookBugs } from './planted.bugs.events.ts'
import { fairnessBugs } from './planted.bugs.fairness.ts'
import { moneyBugs } from './planted.bugs.money.ts'
import { moveBugs } from './planted.bugs.moves.ts'
import { orderBugs } from './planted.bugs.orders.ts'
import { paymentBugs } from './planted.bugs.payments.ts'
import { platformBugs } from './planted.bugs.platform.ts'
import { raceBugs } from './planted.bugs.races.ts'
import { restoreBugs } from './planted.bugs.restore.ts'
import { standbyBugs } from './planted.bugs.standby.ts'
import { tenantBugs } from './planted.bugs.tenants.ts'

export const bugs: readonly Bug[] = [
  ...moneyBugs,
  ...moveBugs,
  ...orderBugs,
  ...raceBugs,
  ...companionBugs,
  ...tenantBugs,
  ...fairnessBugs,
  ...paymentBugs,
  ...kycAndWebhookBugs,
  ...platformBugs,
  ...restoreBugs,
  ...standbyBugs,
]
