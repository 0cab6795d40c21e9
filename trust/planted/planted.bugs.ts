// All planted bugs.
import type { Bug } from './planted.bug.ts'
import { authorityBugs } from './planted.bugs.authority.ts'
import { cardsBugs } from './planted.bugs.cards.ts'
import { casesBugs } from './planted.bugs.cases.ts'
import { moneyBugs } from './planted.bugs.money.ts'
import { ordersBugs } from './planted.bugs.orders.ts'
import { platformBugs } from './planted.bugs.platform.ts'
import { racesBugs } from './planted.bugs.races.ts'
import { railsBugs } from './planted.bugs.rails.ts'
import { screeningBugs } from './planted.bugs.screening.ts'
import { signinBugs } from './planted.bugs.signin.ts'
import { tenantsBugs } from './planted.bugs.tenants.ts'

export const bugs: readonly Bug[] = [
  ...moneyBugs,
  ...ordersBugs,
  ...racesBugs,
  ...authorityBugs,
  ...tenantsBugs,
  ...signinBugs,
  ...screeningBugs,
  ...railsBugs,
  ...cardsBugs,
  ...casesBugs,
  ...platformBugs,
]
