// Facts of the scheme are always booked, each message once. Money that no account can take is booked in the house and waits for a decision.
import type { By } from '../../platform/actor.ts'
import type { Transfers } from '../orders/transfers.orders.ts'
import { collectBreak, getBreak, reportContradiction, reportLateSettlement } from './transfers.breaks.ts'
import { type Arrival, findBooked } from './transfers.claims.ts'
import { forceDebit, reportDirectDebit } from './transfers.debits.ts'
import type {
  Collection,
  DebitReport,
  Disagreement,
  ForcedDebitReport,
  InboundReport,
  RefusedReturn,
  ReturnReport,
} from './transfers.facts.schemas.ts'
import type { Message } from './transfers.facts.sql.ts'
import { findPayeeAccount, reportInboundPayment } from './transfers.inbound.ts'
import { reportRefusedReturn, reportReturnedPayment } from './transfers.returns.ts'
import { getUnapplied, returnUnapplied } from './transfers.unapplied.ts'

/** The functions that rails call. */
export function factsOf(transfers: Transfers) {
  return {
    reportInboundPayment: (report: InboundReport, by: By, arrival?: Arrival) => reportInboundPayment(transfers, report, by, arrival),
    reportReturnedPayment: (report: ReturnReport, by: By, arrival?: Arrival) => reportReturnedPayment(transfers, report, by, arrival),
    reportDirectDebit: (report: DebitReport, by: By, arrival?: Arrival) => reportDirectDebit(transfers, report, by, arrival),
    forceDebit: (report: ForcedDebitReport, by: By, arrival?: Arrival) => forceDebit(transfers, report, by, arrival),
    reportLateSettlement: (told: Disagreement, by: By) => reportLateSettlement(transfers, told, by),
    reportContradiction: (told: Disagreement, by: By) => reportContradiction(transfers, told, by),
    reportRefusedReturn: (told: RefusedReturn, by: By) => reportRefusedReturn(transfers, told, by),
    findPayeeAccount: (iban: string, currency: string) => findPayeeAccount(transfers, iban, currency),
    findBooked: (message: Message) => findBooked(transfers, message),
    getBreak: (id: string) => getBreak(transfers, id),
    collectBreak: (id: string, collection: Collection, by: By) => collectBreak(transfers, id, collection, by),
    getUnapplied: (id: string) => getUnapplied(transfers, id),
    returnUnapplied: (id: string, by: By) => returnUnapplied(transfers, id, by),
  }
}
