// Payments between two accounts of this bank. The money does not leave the bank: it passes through settlement:ON_US, which the payer's and
// the receiver's ventures together leave at zero. The receiver's half is booked first, under a claim that names the payer's transfer, so it
// is booked once even after a crash. The payer's money stays on hold until its own half follows.
import { endToEndIdOf, txIdOf } from '../../iso20022/iso20022.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Handlers } from '../../platform/jobs.ts'
import { Refusal } from '../../values/refusals.ts'
import { listManagedIds } from '../../ventures/ventures.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { type Said, unlessEmpty } from '../life/transfers.details.ts'
import { onUsReturn } from '../life/transfers.jobs.ts'
import { getTransfer, type Transfers } from '../orders/transfers.orders.ts'
import type { Key } from '../writing/transfers.keys.ts'
import { selectTransferRows } from '../writing/transfers.rows.sql.ts'
import { isClosed, senderOf } from './transfers.claims.ts'
import type { ReturnReport } from './transfers.facts.schemas.ts'
import { findAccountByNumber, findFactOf, findFacts, type Message } from './transfers.facts.sql.ts'
import { receive } from './transfers.inbound.ts'
import { reportReturnedPayment } from './transfers.returns.ts'

/** The outcome of a payment within the bank. */
export type OnUsAnswer =
  | { status: 'COMPLETED'; third_party_status: string }
  | { status: 'REJECTED'; third_party_status: string; reason_code: string; reason: string }

const connector: Actor = { kind: 'connector', id: null }

/** A kind that people cannot report, so nobody can forge such a message. */
const kind = 'ON_US'

const settled: OnUsAnswer = { status: 'COMPLETED', third_party_status: 'ACSC' }

const rejected = (reason_code: string, reason: string): OnUsAnswer => ({
  status: 'REJECTED',
  third_party_status: 'RJCT',
  reason_code,
  reason,
})

const closed = rejected('AC04', 'The account of the payee is closed.')
const otherCurrency = rejected('AM03', 'The account of the payee has another currency.')

const nameOf = ({ venture_id, id }: Key): string => `${venture_id}/${id}`

function keyIn(name: string): Key {
  const [venture_id = '', id = ''] = name.split('/')
  return { venture_id, id }
}

/** The message of a transfer within the bank. */
const messageOf = ({ bank }: Transfers, key: Key): Message => ({ sender: senderOf({ sender: bank.bic }), kind, tx_id: nameOf(key) })

const wasBooked = (error: unknown): boolean => error instanceof Refusal && error.code === 'inbound_payment_booked'

/** Books the receiver's half of a payment that was sent, and returns what the payer's half must be; undefined if that is not known yet. */
export async function deliverOnUs(transfers: Transfers, payment: TransferRow): Promise<OnUsAnswer | undefined> {
  // Any payment may name a parent; only a transfer that takes money back goes to the parent's payer.
  return payment.transfer_type === 'PAYMENT' ? deliverPayment(transfers, payment) : deliverReturn(transfers, payment)
}

async function deliverPayment(transfers: Transfers, payment: TransferRow): Promise<OnUsAnswer | undefined> {
  const { database } = transfers
  const { credit_amount, credit_currency, cr_iban, method, purpose } = payment
  // A closed account stays closed. Looking it up before the claim proves that nobody can book the payment later.
  const account = await findAccountByNumber(database, await listManagedIds(database), cr_iban ?? '')
  const message = messageOf(transfers, payment)
  const [booked] = await findFacts(database, [message])
  if (booked !== undefined) return settled
  // The account's venture now processes its own transfers, so the bank no longer knows the account: two people decide.
  if (account === undefined) return undefined
  if (account.currency !== credit_currency) return otherCurrency
  if (account.status === 'CLOSED') return closed
  const { dr_name, dr_iban, dr_bank_bic, dr_address, dr_city, dr_country_code, dr_postal_code } = payment
  const report = {
    ...message,
    iban: account.account_number,
    amount: credit_amount,
    currency: credit_currency,
    rail: method,
    purpose,
    dr_name,
    dr_iban,
    dr_bank_bic,
    dr_address,
    dr_city,
    dr_country_code,
    dr_postal_code,
  }
  try {
    await receive(transfers, report, account, { actor: connector }, { on_us: true, said: saidBy(payment) })
    return settled
  } catch (error) {
    if (wasBooked(error)) return settled
    if (isClosed(error)) return closed
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** What the payee is told, as if the payment had left the bank. */
function saidBy(payment: TransferRow): Said {
  const { purpose_code, category_purpose_code, structured_reference, structured_reference_issuer, cr_name, details = {} } = payment
  return (
    unlessEmpty<Said>({
      end_to_end_id: endToEndIdOf(payment.unique_reference, txIdOf(payment.id)),
      holder_name: cr_name ?? undefined,
      ...details,
      purpose_code: purpose_code ?? undefined,
      category_purpose_code: category_purpose_code ?? undefined,
      structured_reference: structured_reference ?? undefined,
      structured_reference_issuer: structured_reference_issuer ?? undefined,
    }) ?? {}
  )
}

/** Returns credited money to the payer whose payment brought it. */
async function deliverReturn(transfers: Transfers, payment: TransferRow): Promise<OnUsAnswer | undefined> {
  const { venture_id, parent_transaction_id, transfer_type, credit_amount: amount } = payment
  const parent = { venture_id, id: parent_transaction_id ?? '' }
  const type = transfer_type as NonNullable<ReturnReport['transfer_type']>
  return giveBack(transfers, parent, { ...messageOf(transfers, payment), transfer_type: type, amount })
}

/** Credits the payer of a payment from within the bank. Undefined until the payer's own half has followed. */
async function giveBack(
  transfers: Transfers,
  received: Key,
  report: Message & Pick<ReturnReport, 'transfer_type' | 'amount'>,
): Promise<OnUsAnswer | undefined> {
  const fact = await findFactOf(transfers.database, received)
  if (fact === undefined || fact.kind !== kind) throw new Error(`no transfer of this bank has sent the transfer ${received.id}`)
  const { venture_id, id: transfer_id } = keyIn(fact.tx_id)
  const paid = await getTransfer(transfers, venture_id, transfer_id)
  if (paid.status !== 'COMPLETED') return undefined
  try {
    await reportReturnedPayment(transfers, { ...report, venture_id, transfer_id }, { actor: connector }, { on_us: true })
    return settled
  } catch (error) {
    if (wasBooked(error)) return settled
    // The payment has ended, so if its payer cannot take the money back now, it never can.
    if (error instanceof Refusal && (error.code === 'parent_invalid' || error.code === 'invalid_request'))
      return rejected('AM09', error.message)
    throw error
  }
}

/** Returns money from suspense to the payer. */
export function onUsJobs(transfers: Transfers): Handlers {
  // Until the payer has the money it is in nobody's books, so the job never gives up: the payer's own half may wait for people.
  const attempts = Number.POSITIVE_INFINITY
  return { [onUsReturn]: { attempts, run: (key: Key) => returnSuspended(transfers, key) } }
}

async function returnSuspended(transfers: Transfers, key: Key): Promise<void> {
  const [received] = await selectTransferRows(transfers.database, [key])
  if (received === undefined) throw new Error(`there is no transfer ${key.id}`)
  const { debit_amount: amount } = received
  const answer = await giveBack(transfers, key, { ...messageOf(transfers, key), transfer_type: 'PAYMENT_RETURN', amount })
  if (answer?.status !== 'COMPLETED') throw new Error(`the payer cannot take the transfer ${key.id} back yet`)
}
