// Reports of the rails about the outside world. Transfers book them; services.ts passes the functions in.
import type { By } from '../platform/actor.ts'
import type {
  Arrival,
  BookedFact,
  Break,
  Collection,
  DebitReport,
  Disagreement,
  ForcedDebitReport,
  InboundReport,
  PayeeAccount,
  RefusedReturn,
  ReturnReport,
  UnappliedPayment,
} from '../transfers/transfers.ts'

type Message = Pick<BookedFact, 'sender' | 'kind' | 'tx_id'>

export type Facts = {
  /** `awaits_statement`: the money is neither credited nor returned before a statement shows it. `instant`: whether its confirmation is awaited. */
  reportInboundPayment(report: InboundReport, by: By, arrival?: Arrival): Promise<BookedFact>
  reportReturnedPayment(report: ReturnReport, by: By, arrival?: Arrival): Promise<BookedFact>
  reportDirectDebit(report: DebitReport, by: By, arrival?: Arrival): Promise<BookedFact>
  forceDebit(report: ForcedDebitReport, by: By, arrival?: Arrival): Promise<BookedFact>
  reportLateSettlement(told: Disagreement, by: By): Promise<BookedFact>
  reportContradiction(told: Disagreement, by: By): Promise<BookedFact>
  reportRefusedReturn(told: RefusedReturn, by: By): Promise<BookedFact>
  /** The account that an instant payment names, or why it cannot be credited. */
  findPayeeAccount(iban: string, currency: string): Promise<PayeeAccount>
  findBooked(message: Message): Promise<BookedFact | undefined>
  getBreak(id: string): Promise<Break>
  collectBreak(id: string, collection: Collection, by: By): Promise<Break>
  getUnapplied(id: string): Promise<UnappliedPayment>
  returnUnapplied(id: string, by: By): Promise<UnappliedPayment>
}
