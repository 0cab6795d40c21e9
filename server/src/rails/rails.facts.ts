// Reports of the rails about the outside world. Transfers book them; services.ts passes the functions in.
import type { By } from '../platform/actor.ts'
import type { Said } from '../transfers/life/transfers.details.ts'
import type {
  BookedFact,
  Break,
  Collection,
  DebitReport,
  Disagreement,
  ForcedDebitReport,
  InboundReport,
  RefusedReturn,
  ReturnReport,
  UnappliedPayment,
} from '../transfers/transfers.ts'

/** `said`: what the message says besides the report. */
type Arrival = { said?: Said }

type Message = Pick<BookedFact, 'sender' | 'kind' | 'tx_id'>

export type Facts = {
  /** `awaits_statement`: the money is neither credited nor returned before a statement shows it. */
  reportInboundPayment(report: InboundReport, by: By, arrival?: Arrival & { awaits_statement?: boolean }): Promise<BookedFact>
  reportReturnedPayment(report: ReturnReport, by: By, arrival?: Arrival): Promise<BookedFact>
  reportDirectDebit(report: DebitReport, by: By, arrival?: Arrival): Promise<BookedFact>
  forceDebit(report: ForcedDebitReport, by: By, arrival?: Arrival): Promise<BookedFact>
  reportLateSettlement(told: Disagreement, by: By): Promise<BookedFact>
  reportContradiction(told: Disagreement, by: By): Promise<BookedFact>
  reportRefusedReturn(told: RefusedReturn, by: By): Promise<BookedFact>
  /** Why an account cannot be credited, as a code of the scheme; undefined if it can. */
  accountFault(iban: string, currency: string): Promise<string | undefined>
  findBooked(message: Message): Promise<BookedFact | undefined>
  getBreak(id: string): Promise<Break>
  collectBreak(id: string, collection: Collection, by: By): Promise<Break>
  getUnapplied(id: string): Promise<UnappliedPayment>
  returnUnapplied(id: string, by: By): Promise<UnappliedPayment>
}
