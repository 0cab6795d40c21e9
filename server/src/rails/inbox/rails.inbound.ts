// pacs.008 and pacs.003: other banks pay our accounts, or collect direct debits from them.

import { type CreditTransfer, type DirectDebit, type Message, paymentTypeOf } from '../../iso20022/iso20022.ts'
import { now } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { oneLine } from '../../platform/http/characters.ts'
import { connector, payerFault } from '../../processing/processing.ts'
import { debitRail, isInstant as isInstantRail, railOfPayment } from '../../schemes/schemes.ts'
import type { DebitReport, InboundReport } from '../../transfers/transfers.ts'
import { alpha2ToAlpha3 } from '../../values/country.ts'
import { formatMoney, fromNumeric } from '../../values/money.ts'
import { Refusal, type RefusalCode, type RefusalDetails } from '../../values/refusals.ts'
import { amountOf, type Leaving } from '../packs/rails.contents.ts'
import { insertSealed, makeMessageId, prepareMessage, type SealedMessage } from '../rails.messages.ts'
import { type Applying, applied, conclude, openProblem, type Place, type Unit } from './rails.apply.ts'
import { findReceivedByTx, insertReceivedPayment, type NewReceived, type StoredMessage } from './rails.inbox.sql.ts'
import { saidOfDebit, saidOfPayment } from './rails.said.ts'
import { orProblem } from './rails.statuses.ts'

type Payments = Message<'pacs.008.001.08'>
type Debits = Message<'pacs.003.001.08'>
type Party = CreditTransfer['debtor']

type PaymentIn = { stored: StoredMessage; message: Payments; payment: CreditTransfer }

export async function unitsOfPayments(context: Applying, stored: StoredMessage, message: Payments): Promise<Unit[]> {
  return message.transactions.map((payment, index) => ({
    position: index + 1,
    apply: (place) => applyPayment(context, place, { stored, message, payment }),
  }))
}

/** Cut to the 140 characters that SEPA carries. The first reference is a field of its own. */
function purposeOf({ remittance = [], references = [] }: Pick<CreditTransfer, 'remittance' | 'references'>): string | null {
  const [, ...others] = references.flatMap(({ reference }) => reference ?? [])
  return oneLine([...remittance, ...others].join(' ')).slice(0, 140) || null
}

/** Other banks may send characters outside the scheme's set: those that the API forbids could hide or reorder what people read. */
const nameOf = ({ name }: Party): string | null => oneLine(name) || null

function addressOf({ address }: Party) {
  const { lines = [], street, building, postal_code = null, town = null, country } = address ?? {}
  const first = [street, building].filter(Boolean).join(' ')
  return {
    address: oneLine([...(first === '' ? [] : [first]), ...lines].join(', ')).slice(0, 200) || null,
    city: town && oneLine(town),
    postal_code: postal_code && oneLine(postal_code),
    country_code: country === undefined ? null : (alpha2ToAlpha3(country) ?? null),
  }
}

/** What the message says about who pays, as it is reported. */
function payerOf({ debtor, debtor_iban }: CreditTransfer) {
  const { address: dr_address, city: dr_city, country_code: dr_country_code } = addressOf(debtor)
  return { dr_name: nameOf(debtor), dr_iban: debtor_iban ?? null, dr_address, dr_city, dr_country_code }
}

/** The original payment that an answer, a return or a recall describes. */
function originalOf(payment: CreditTransfer | DirectDebit): object {
  const { debtor, debtor_iban, debtor_bic, creditor, creditor_iban, creditor_bic } = payment
  return { debtor: { name: debtor.name }, debtor_iban, debtor_bic, creditor: { name: creditor.name }, creditor_iban, creditor_bic }
}

type Arrived = { stored: StoredMessage; rail: string; sender: string; settlement_date: string | undefined }

function receivedAs(payment: CreditTransfer | DirectDebit, { stored, rail, sender, settlement_date }: Arrived): NewReceived {
  const { tx_id, end_to_end_id, amount, currency } = payment
  return {
    rail,
    kind: stored.type.slice(0, 8),
    message_type: stored.type,
    message_id: stored.message_id,
    sender,
    tx_id,
    end_to_end_id,
    amount: formatMoney(amount, currency),
    currency,
    settlement_date: settlement_date ?? null,
    original: originalOf(payment),
  }
}

/** As in claims: the head office of a bank stands for the bank. */
const wholeBic = (bic: string): string => bic.padEnd(11, 'X')

type Also = (tx: Tx, at: string) => void

async function applyPayment(context: Applying, place: Place, { stored, message, payment }: PaymentIn): Promise<void> {
  const { tx_id, end_to_end_id, amount, currency, debtor, debtor_iban = null, debtor_bic, creditor_iban = 'UNKNOWN' } = payment
  const rail = railOfPayment(paymentTypeOf(message, payment)?.local_instrument)
  const isInstant = isInstantRail(rail)
  const sender = wholeBic(debtor_bic ?? payment.instructing_bic ?? message.instructing_bic ?? stored.sender)
  const received = receivedAs(payment, { stored, rail, sender, settlement_date: payment.settlement_date ?? message.settlement_date })
  const about = { tx_id, end_to_end_id, debtor_bic: sender }
  const answerWith = (fault: string | undefined) =>
    isInstant ? prepareAnswer(context, { stored, rail, payment, to: message.instructing_bic ?? sender, fault }) : undefined
  const repeated = await findRepeated(context, received)
  if (repeated !== undefined && repeated !== 'same')
    return openProblem(context, place, repeated, { detail: 'Another payment with this id has been booked.', about })
  if (repeated === 'same') return conclude(context, place, 'known', await answerWith(undefined))
  // An instant payment that no account can take, or that does not say who pays, is refused before settlement, so nothing is booked.
  const fault = isInstant ? ((await context.facts.accountFault(creditor_iban, currency)) ?? payerFault(payerOf(payment))) : undefined
  const answer = await answerWith(fault)
  if (fault !== undefined) return conclude(context, place, 'refused', answer)
  const { address, city, postal_code, country_code } = addressOf(debtor)
  const report: InboundReport = {
    sender,
    kind: 'pacs.008',
    tx_id,
    iban: creditor_iban,
    amount: formatMoney(amount, currency),
    currency,
    rail,
    purpose: purposeOf(payment),
    dr_name: nameOf(debtor),
    dr_iban: debtor_iban,
    dr_bank_bic: debtor_bic ?? null,
    dr_address: address,
    dr_city: city,
    dr_country_code: country_code,
    dr_postal_code: postal_code,
  }
  const also: Also = (tx, at) => {
    insertReceivedPayment(tx, received, at)
    answer?.(tx, at)
  }
  // The clearing system guarantees an instant payment.
  const awaits_statement = !isInstant && context.creditBound !== undefined && amount > context.creditBound
  // A payment that was reported by hand before its message arrived can still be returned.
  return orProblem(context, place, about, () =>
    bookedOnce(
      () =>
        context.facts.reportInboundPayment(
          report,
          { actor: connector, companions: applied(place, 'applied', also) },
          { awaits_statement, said: saidOfPayment(message, payment) },
        ),
      (booked) => concludeBooked(context, place, { received, about, also, booked }),
    ),
  )
}

async function bookedOnce(book: () => Promise<unknown>, otherwise: (booked: RefusalDetails) => Promise<void>): Promise<void> {
  try {
    await book()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'inbound_payment_booked') throw error
    await otherwise(error.details)
  }
}

type Repeated = { received: NewReceived; about: object; also: Also; booked: RefusalDetails }

/** It was reported by hand, or another message with it was applied at the same moment. Differences have not been booked. */
async function concludeBooked(context: Applying, place: Place, { received, about, also, booked }: Repeated): Promise<void> {
  const amount = await bookedAmount(context, booked)
  const isSame = amount === undefined || (amount.amount === fromNumeric(received.amount) && amount.currency === received.currency)
  if (isSame) return conclude(context, place, 'known', also)
  return openProblem(context, place, 'other_amount', { detail: 'Another amount has been booked under this id.', about })
}

/** The amount that entered or left the bank; undefined for a client's payment of a break. */
async function bookedAmount({ facts, findTransfer }: Applying, booked: RefusalDetails): Promise<Leaving | undefined> {
  const [id, venture_id] = [String(booked['existing_id']), String(booked['existing_venture_id'])]
  if (booked['booked_as'] === 'unapplied') {
    const { amount, currency } = await facts.getUnapplied(id)
    return { amount: fromNumeric(amount), currency }
  }
  const transfer = booked['booked_as'] === 'transfer' ? await findTransfer({ venture_id, id }) : undefined
  return transfer && amountOf(transfer)
}

/** Whether the same bank has already sent something under this id, and how it differs if it is not the same. */
async function findRepeated({ database }: Applying, received: NewReceived): Promise<'same' | 'other_amount' | 'other_account' | undefined> {
  const { tx_id, sender, kind, amount, currency } = received
  const before = (await findReceivedByTx(database, tx_id)).find((row) => row.sender === sender && row.message_type.startsWith(kind))
  if (before === undefined) return undefined
  if (fromNumeric(before.amount) !== fromNumeric(amount) || before.currency !== currency) return 'other_amount'
  return accountsOf(before) === accountsOf(received) ? 'same' : 'other_account'
}

function accountsOf({ original }: Pick<NewReceived, 'original'>): string {
  const { debtor_iban = '', creditor_iban = '' } = original as { debtor_iban?: string; creditor_iban?: string }
  return `${debtor_iban} ${creditor_iban}`
}

type Answered = { stored: StoredMessage; rail: string; payment: CreditTransfer | DirectDebit; to: string; fault: string | undefined }

/** Our pacs.002 about another bank's payment, ready to be sealed. */
async function prepareAnswer(context: Applying, { stored, rail, payment, to, fault }: Answered): Promise<Also> {
  const { tx_id, end_to_end_id } = payment
  const about = { message_type: stored.type, message_id: stored.message_id, rail, tx_id, end_to_end_id, to }
  const sealed = await statusMessage(context, about, fault === undefined ? { status: 'ACCP' } : { status: 'RJCT', code: fault })
  return (tx, at) => insertSealed(tx, sealed, new Date(at))
}

export type AnsweredPayment = { message_type: string; message_id: string; rail: string; tx_id: string; end_to_end_id: string; to: string }

/** `id`: the row's id, so that an answer that is prepared twice is sealed once. */
export async function statusMessage(
  { database, transfers: { bank, participations } }: Pick<Applying, 'database' | 'transfers'>,
  { message_type, message_id, rail, tx_id, end_to_end_id, to }: AnsweredPayment,
  { status, code, id }: { status: 'ACCP' | 'RJCT'; code?: string; id?: string },
): Promise<SealedMessage> {
  const made = now()
  const message = {
    message_id: await makeMessageId(database, { bic: bank.bic, letter: 'A', now: made }),
    created_at: made.toISOString(),
    instructing_bic: bank.bic,
    instructed_bic: to,
    transactions: [
      {
        original_message_id: message_id,
        original_message_type: message_type,
        original_end_to_end_id: end_to_end_id,
        original_tx_id: tx_id,
        status,
        ...(code && { reasons: [{ originator_bic: bank.bic, code }] }),
      },
    ],
  }
  const envelope = (await participations.current()).termsOf(rail, made)?.envelope
  return prepareMessage({ type: 'pacs.002.001.10', message, envelope }, bank.bic, id)
}

type DebitIn = { stored: StoredMessage; message: Debits; debit: DirectDebit }

export async function unitsOfDebits(context: Applying, stored: StoredMessage, message: Debits): Promise<Unit[]> {
  return message.transactions.map((debit, index) => ({
    position: index + 1,
    apply: (place) => applyDebit(context, place, { stored, message, debit }),
  }))
}

/** Why the bank of the payer refuses a direct debit, as codes of the scheme. Every other refusal is a problem of ours. */
const refusedDebits: Partial<Record<RefusalCode, (details: RefusalDetails) => string>> = {
  account_not_found: () => 'AC01',
  account_not_active: ({ current_status }) => (current_status === 'CLOSED' ? 'AC04' : 'AC06'),
  client_blocked: () => 'AC06',
  transfer_method_invalid: () => 'AG01',
  limit_exceeded: () => 'SL01',
}

async function applyDebit(context: Applying, place: Place, { stored, message, debit }: DebitIn): Promise<void> {
  const { tx_id, end_to_end_id, amount, currency, creditor, creditor_iban = null, creditor_bic, debtor_iban = 'UNKNOWN' } = debit
  const sender = wholeBic(creditor_bic ?? debit.instructing_bic ?? message.instructing_bic ?? stored.sender)
  const received = receivedAs(debit, {
    stored,
    rail: debitRail,
    sender,
    settlement_date: debit.settlement_date ?? message.settlement_date,
  })
  const about = { tx_id, end_to_end_id, creditor_bic: sender }
  const repeated = await findRepeated(context, received)
  if (repeated !== undefined && repeated !== 'same')
    return openProblem(context, place, repeated, { detail: 'Another direct debit with this id has been received.', about })
  if (repeated === 'same') return conclude(context, place, 'known')
  const { address, city, postal_code, country_code } = addressOf(creditor)
  const report: DebitReport = {
    sender,
    kind: 'pacs.003',
    tx_id,
    iban: debtor_iban,
    amount: formatMoney(amount, currency),
    currency,
    due_on: debit.collection_date,
    purpose: purposeOf(debit),
    cr_name: nameOf(creditor),
    cr_iban: creditor_iban,
    cr_bank_bic: creditor_bic ?? null,
    cr_address: address,
    cr_city: city,
    cr_country_code: country_code,
    cr_postal_code: postal_code,
  }
  const also: Also = (tx, at) => insertReceivedPayment(tx, received, at)
  return orProblem(context, place, about, () =>
    bookedOnce(
      async () => {
        try {
          const by = { actor: connector, companions: applied(place, 'applied', also) }
          await context.facts.reportDirectDebit(report, by, { said: saidOfDebit(message, debit) })
        } catch (error) {
          const code = error instanceof Refusal ? refusedDebits[error.code]?.(error.details) : undefined
          if (code === undefined) throw error
          const answer = await prepareAnswer(context, {
            stored,
            rail: debitRail,
            payment: debit,
            to: message.instructing_bic ?? sender,
            fault: code,
          })
          await conclude(context, place, 'refused', answer)
        }
      },
      (booked) => concludeBooked(context, place, { received, about, also, booked }),
    ),
  )
}
