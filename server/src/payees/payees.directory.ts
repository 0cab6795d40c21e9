// The port to the banks of accounts that are not in this one.
import type { Identification, PayeeAnswer } from './payees.schemas.ts'

/** What the bank of an account is asked: about a name, or about an id. `bic`: that of the bank, if known. */
export type DirectoryQuestion = { venture_id: string; iban: string; bic: string | undefined } & (
  | { name: string; identification?: undefined }
  | { name?: undefined; identification: Identification }
)

export type PayeeDirectory = {
  /** Asks the bank of an account. It should stop when the signal aborts; nobody waits for it after that. */
  verify(question: DirectoryQuestion, signal: AbortSignal): Promise<PayeeAnswer>
  close?(): Promise<void>
}
