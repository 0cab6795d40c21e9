// pacs.008 and pacs.003: other banks pay our accounts, or collect direct debits from them.

import { type CreditTransfer, type DirectDebit, type Message, paymentTypeOf } from '../../iso20022/iso20022.ts'
import { oneLine } from '../../platform/http/characters.ts'
import { connector } from '../../processing/processing.ts'
import { debitRail, isInstant, railOfPayment } from '../../schemes/schemes.ts'
import type { DebitReport, InboundReport } from '../../transfers/transfers.ts'
import { alpha2ToAlpha3 } from '../../values/country.ts'
import { formatMoney } from '../../values/money.ts'
import { Refusal, type RefusalCode, type RefusalDetails } from '../../values/refusals.ts'
import { applyInstant } from '../instants/rails.instants.arrive.ts'
import { insertSealed } from '../rails.messages.ts'
import { type Applying, applied, conclude, openProblem, type Place, type Unit } from './rails.apply.ts'
import { insertReceivedPayment, type NewReceived, type StoredMessage } from './rails.inbox.sql.ts'
import { orProblem } from './rails.problems.ts'
import { type Also, bookedOnce, concludeBooked, findRepeated } from './rails.repeated.ts'
import { prepareAnswer } from './rails.replies.ts'
import { saidOfDebit, saidOfPayment } from './rails.said.ts'

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

async function applyPayment(context: Applying, place: Place, { stored, message, payment }: PaymentIn): Promise<void> {
  const { tx_id, end_to_end_id, amount, currency, debtor, debtor_iban = null, debtor_bic, creditor_iban = 'UNKNOWN' } = payment
  const rail = railOfPayment(paymentTypeOf(message, payment)?.local_instrument)
  const sender = wholeBic(debtor_bic ?? payment.instructing_bic ?? message.instructing_bic ?? stored.sender)
  const received = receivedAs(payment, { stored, rail, sender, settlement_date: payment.settlement_date ?? message.settlement_date })
  const about = { tx_id, end_to_end_id, debtor_bic: sender }
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
  const repeated = await findRepeated(context, received)
  if (repeated !== undefined && repeated !== 'same')
    return openProblem(context, place, repeated, { detail: 'Another payment with this id has been booked.', about })
  const said = saidOfPayment(message, payment)
  if (isInstant(rail)) {
    const accepted_at = payment.accepted_at ?? message.created_at
    return applyInstant(context, place, {
      stored,
      payment,
      to: message.instructing_bic ?? sender,
      accepted_at,
      received,
      report,
      said,
      about,
    })
  }
  if (repeated === 'same') return conclude(context, place, 'known')
  const also: Also = (tx, at) => insertReceivedPayment(tx, received, at)
  const awaits_statement = context.creditBound !== undefined && amount > context.creditBound
  // A payment that was reported by hand before its message arrived can still be returned.
  return orProblem(context, place, about, () =>
    bookedOnce(
      () =>
        context.facts.reportInboundPayment(
          report,
          { actor: connector, companions: applied(place, 'applied', also) },
          { awaits_statement, said },
        ),
      (booked) => concludeBooked(context, place, { received, about, also, booked }),
    ),
  )
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
          const to = message.instructing_bic ?? sender
          const answer = await prepareAnswer(context, { stored, rail: debitRail, payment: debit, to, fault: code })
          await conclude(context, place, 'refused', (tx, at) => insertSealed(tx, answer, new Date(at)))
        }
      },
      (booked) => concludeBooked(context, place, { received, about, also, booked }),
    ),
  )
}
