// What the bank gives back to other banks: returns of what they sent (pacs.004), answers to what they collected (pacs.002), and clients'
// money that the house pays out.
import { isReasonCode, type ReasonUse, type Return, sepaName, servesFor, txIdOf } from '../iso20022/iso20022.ts'
import { now } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Handlers } from '../platform/jobs.ts'
import { profileOf, type Rail } from '../schemes/schemes.ts'
import type { TransferRow } from '../transfers/life/transfers.columns.ts'
import { givenBack } from '../transfers/life/transfers.jobs.ts'
import { findStandings, type Key, type Transfers, type UnappliedPayment } from '../transfers/transfers.ts'
import { todayUtc } from '../values/calendar.ts'
import { fromNumeric, toNumeric } from '../values/money.ts'
import { houseId } from '../ventures/ventures.ts'
import { idFrom } from './inbox/rails.apply.ts'
import { findReceived, findReceivedOfRefused, type Received } from './inbox/rails.inbox.sql.ts'
import { statusMessage } from './inbox/rails.replies.ts'
import { findInstant } from './instants/rails.instants.sql.ts'
import type { Composed, Contents } from './packs/rails.contents.ts'
import { storedContent } from './packs/rails.kinds.ts'
import { insertPayments, type PaymentRow } from './packs/rails.packs.sql.ts'
import type { PackKind } from './packs/rails.payments.ts'
import type { Facts } from './rails.facts.ts'
import { insertSealed } from './rails.messages.ts'
import { selectRecalls } from './recalls/rails.recalls.sql.ts'

export type Returning = { database: Database; transfers: Transfers; facts: Pick<Facts, 'getUnapplied'> }

/** A code of the scheme, or "no reason given": why a payment was stopped stays inside the bank. */
function codeFor(use: ReasonUse, code: string | null): string {
  return code !== null && isReasonCode(code) && servesFor(code, use) ? code : 'MS03'
}

type ReturnedOriginal = NonNullable<Return['original']>

/** The return of another bank's payment or direct debit. */
export function composeReturn(id: string, received: Received, code: string, bic: string): Contents['RETURN'] {
  const return_id = txIdOf(id)
  return {
    return_id,
    original_message_id: received.message_id,
    original_message_type: received.message_type,
    original_end_to_end_id: received.end_to_end_id,
    original_tx_id: received.tx_id,
    original_amount: fromNumeric(received.amount),
    original_currency: received.currency,
    ...(received.settlement_date !== null && { original_settlement_date: received.settlement_date }),
    charge_bearer: 'SLEV',
    reasons: [{ originator_bic: bic, code }],
    original: sendable(received.original as ReturnedOriginal),
  }
}

/** Converts another bank's texts to the characters of the scheme. */
function sendable({ debtor, creditor, ...rest }: ReturnedOriginal): ReturnedOriginal {
  const party = (name: string | undefined) => {
    const sent = name === undefined ? undefined : sepaName(name)?.sent
    return sent === undefined ? undefined : { name: sent }
  }
  const [paying, paid] = [party(debtor?.name), party(creditor?.name)]
  return { ...rest, ...(paying && { debtor: paying }), ...(paid && { creditor: paid }) }
}

/** An accepted recall is named as the reason. */
async function isRecalled(database: Database, key: Key): Promise<boolean> {
  return (await selectRecalls(database, key)).some(({ direction, state }) => direction === 'IN' && state === 'ACCEPTED')
}

/** The content of transfers that give something back. They name the payment that they belong to. */
export async function returnsOf(
  { database, transfers }: Pick<Returning, 'database' | 'transfers'>,
  returns: readonly TransferRow[],
): Promise<ReadonlyMap<string, Composed<'RETURN'>>> {
  const composed = await Promise.all(
    returns.map(async (transfer): Promise<[string, Composed<'RETURN'>]> => {
      const { id, venture_id, parent_transaction_id, direction } = transfer
      const parent = { venture_id, id: parent_transaction_id ?? '' }
      const received = parent_transaction_id === null ? undefined : await findReceived(database, parent)
      if (received === undefined)
        return [
          id,
          { fault: { code: 'original_unknown', reason: 'What is to be returned did not come over this rail, so no message can name it.' } },
        ]
      // A client who asks for a direct debit back needs no reason; returning a payment is the client's own decision.
      const usual = direction === 'INBOUND' ? 'MD06' : 'CUST'
      const code = (await isRecalled(database, parent)) ? 'FOCR' : usual
      return [id, { content: composeReturn(id, received, code, transfers.bank.bic) }]
    }),
  )
  return new Map(composed)
}

/** The job that follows the decision to give money back. It may run twice, but acts once. */
export function returnJobs(returning: Returning): Handlers {
  return { [givenBack]: { attempts: 1_000, run: (key: Key) => giveBack(returning, key) } }
}

async function giveBack(returning: Returning, key: Key): Promise<void> {
  const received = await findReceived(returning.database, key)
  if (key.venture_id === houseId) return giveBackUnapplied(returning, key, received)
  // Payments that people reported by hand are also returned by hand.
  if (received === undefined) return
  // The clearing system has rejected what we accepted: the money never came, so there is nothing to send back.
  if ((await findInstant(returning.database, key))?.state === 'REJECTED') return
  const [standing] = await findStandings(returning.transfers, [key])
  if (standing === undefined) throw new Error(`there is no transfer ${key.id}`)
  const { status_reason_code } = standing.transfer
  if (received.message_type.startsWith('pacs.003')) return refuseDebit(returning, received, codeFor('reject', status_reason_code))
  const code = (await isRecalled(returning.database, key)) ? 'FOCR' : codeFor('return', status_reason_code)
  await collectReturn(returning, key, received, code)
}

/** Answers a direct debit that is not paid. */
async function refuseDebit({ database, transfers }: Returning, received: Received, code: string): Promise<void> {
  const { message_type, message_id, rail, tx_id, end_to_end_id, sender: to, venture_id, id } = received
  const answered = { message_type, message_id, rail, tx_id, end_to_end_id, to }
  const sealed = await statusMessage({ database, transfers }, answered, { status: 'RJCT', code, id: idFrom(`answer ${venture_id} ${id}`) })
  await database.transaction(async (tx) => insertSealed(tx, sealed, now()))
}

/** From suspense: the transfer of the decision has ended, so only the payment on its rail is left to send. */
async function collectReturn({ database, transfers }: Returning, { venture_id, id }: Key, received: Received, code: string): Promise<void> {
  const { rail, amount, currency, end_to_end_id } = received
  const content = composeReturn(id, received, code, transfers.bank.bic)
  await collect(database, { venture_id, id, kind: 'RETURN', rail: rail as Rail, amount, currency, end_to_end_id }, content)
}

type Collected = { venture_id: string; id: string; kind: PackKind; rail: Rail; amount: string; currency: string; end_to_end_id: string }

async function collect(
  database: Database,
  { venture_id, id: transfer_id, kind, rail, amount, currency, end_to_end_id }: Collected,
  content: Contents['RETURN'] | Contents['CREDIT_TRANSFER'],
): Promise<void> {
  const moment = now()
  const payment: PaymentRow = {
    venture_id,
    transfer_id,
    attempt: 1,
    tx_id: txIdOf(transfer_id),
    end_to_end_id,
    rail,
    kind,
    pack_id: null,
    position: null,
    amount: toNumeric(fromNumeric(amount)),
    currency,
    settlement_date: todayUtc(moment),
    walks: false,
    content: storedContent(content),
    state: 'COLLECTED',
    reason: null,
    settled_on: null,
    created_at: moment.toISOString(),
    updated_at: moment.toISOString(),
  }
  await database.transaction(async (tx) => insertPayments(tx, [payment]))
}

const unappliedCodes: Record<UnappliedPayment['reason'], string> = {
  ACCOUNT_UNKNOWN: 'AC01',
  ACCOUNT_CLOSED: 'AC04',
  CURRENCY_MISMATCH: 'CURR',
  RETURN_REFUSED: 'MS03',
}

async function giveBackUnapplied(returning: Returning, key: Key, own: Received | undefined): Promise<void> {
  const payment = await returning.facts.getUnapplied(key.id)
  if (payment.status === 'PAID_OUT') return payOut(returning, payment)
  // A return that the scheme refused is retried as another return, which names the same payment.
  const received = own ?? (payment.reason === 'RETURN_REFUSED' ? await findReceivedOfRefused(returning.database, key.id) : undefined)
  if (payment.status !== 'RETURNING' || received === undefined) return
  const code = (await isRecalled(returning.database, received)) ? 'FOCR' : unappliedCodes[payment.reason]
  await collectReturn(returning, key, received, code)
}

/** The house pays, in place of the account that the client had. */
async function payOut({ database, transfers }: Returning, payment: UnappliedPayment): Promise<void> {
  const { id, amount, currency, iban, payout_name, payout_iban, paid_out_over } = payment
  const [debtor, creditor] = [sepaName(transfers.bank.name), sepaName(payout_name ?? '')]
  if (payout_iban === null || paid_out_over === null || debtor === undefined || creditor === undefined)
    throw new Error(`the unapplied payment ${id} cannot be paid out by a message`)
  const rail = paid_out_over as Rail
  const tx_id = txIdOf(id)
  const content: Contents['CREDIT_TRANSFER'] = {
    tx_id,
    end_to_end_id: tx_id,
    payment_type: profileOf(rail).payment_type,
    charge_bearer: 'SLEV',
    debtor: { name: debtor.sent },
    debtor_iban: iban,
    debtor_bic: transfers.bank.bic,
    creditor: { name: creditor.sent },
    creditor_iban: payout_iban,
  }
  await collect(database, { venture_id: houseId, id, kind: 'CREDIT_TRANSFER', rail, amount, currency, end_to_end_id: tx_id }, content)
}

/** Whether another bank sent it by a message, which a return can name. */
export async function cameByRail(database: Database, key: Key): Promise<boolean> {
  return (await findReceived(database, key)) !== undefined
}
