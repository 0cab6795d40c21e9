// Requests to the simulated bank: to pay us, debit one of our accounts, or recall money; and its state.

import { type CreditTransfer, type DirectDebit, type SepaText, sepaName, sepaRemittance } from '../../iso20022/iso20022.ts'
import type { Companions } from '../../platform/companions.ts'
import { debitRail, instantRails, plainRail, profileOf } from '../../schemes/schemes.ts'
import { isTargetDay, nextTargetDay, todayUtc } from '../../values/calendar.ts'
import { makeIban, parseIban } from '../../values/iban.ts'
import { decimalsRule, formatMoney, fromNumeric, type Money, parseMoney } from '../../values/money.ts'
import { refuse, refuseField } from '../../values/refusals.ts'
import { headingOf, recallOf, simulatedBic } from './sandbox.bank.answers.ts'
import { type BankPayment, type BankRecall, bankStates, emptyPlan } from './sandbox.bank.payments.ts'
import { creditTransfer, directDebit, entriesOf, nextCycle, settle } from './sandbox.bank.rules.ts'
import type { BankPaymentShown, NewBankDebit, NewBankPayment, NewBankRecall } from './sandbox.bank.schemas.ts'
import { countPayments, findLastStatement, listNewestPayments, lockPayments, lockRecalls, sumOfEntries } from './sandbox.bank.sql.ts'
import { settlementAccount } from './sandbox.bank.statement.ts'
import { idOf, type SimulatedBank } from './sandbox.bank.ts'

const currency = settlementAccount.currency
const settlement = { settlement_method: 'CLRG', clearing_system: 'SIMULATED' } as const
const defaultPayer = { name: 'Simulated Payer', iban: makeIban('LT', '9998000000000002') }
const creditor = { name: 'Simulated Creditor', iban: makeIban('LT', '9998000000000003'), id: 'LT89ZZZ123456789' }

const txIdOf = (id: string): string => id.replaceAll('-', '')

function amountOf(text: string): Money {
  const amount = parseMoney(text, currency) ?? refuseField('amount', decimalsRule(currency))
  return amount > 0n ? amount : refuseField('amount', 'must be more than 0')
}

const largest = fromNumeric('999999999.99')

function sepaAmountOf(text: string): Money {
  const amount = amountOf(text)
  return amount <= largest ? amount : refuseField('amount', `must be at most ${formatMoney(largest, currency)}`)
}

function ibanOf(field: string, text: string): string {
  return parseIban(text) ?? refuseField(field, 'must be an IBAN with correct check digits')
}

function sent(field: string, given: string, write: (given: string) => SepaText | undefined): string {
  return write(given)?.sent ?? refuseField(field, 'must contain a letter or a digit that SEPA can carry')
}

function remittanceOf(purpose: string | undefined) {
  return purpose === undefined ? {} : { remittance: [sent('purpose', purpose, sepaRemittance)] }
}

/** A customer of another bank pays an account of ours. A SEPA payment has already settled; an instant one settles when our bank accepts it. */
export function payUs(bank: SimulatedBank, order: NewBankPayment, companions: Companions): Promise<BankPaymentShown> {
  const {
    rail = plainRail,
    name = defaultPayer.name,
    payee_name = 'Account holder',
    payer_iban = defaultPayer.iban,
    purpose,
    end_to_end_id,
  } = order
  const isInstant = instantRails.includes(rail)
  const amount = sepaAmountOf(order.amount)
  const [creditor_iban, debtor_iban] = [ibanOf('iban', order.iban), ibanOf('payer_iban', payer_iban)]
  const [debtor, payee] = [sent('name', name, sepaName), sent('payee_name', payee_name, sepaName)]
  const remittance = remittanceOf(purpose)
  return bank.ask(async (_tx, circumstances) => {
    const [heading, settlement_date] = [headingOf(circumstances), todayUtc(circumstances.at)]
    const tx_id = txIdOf(idOf(circumstances.next()))
    const transaction: CreditTransfer = {
      end_to_end_id: end_to_end_id ?? 'NOTPROVIDED',
      tx_id,
      amount,
      currency,
      charge_bearer: 'SLEV',
      payment_type: profileOf(rail).payment_type,
      ...(isInstant ? { accepted_at: circumstances.at.toISOString() } : {}),
      debtor: { name: debtor },
      debtor_iban,
      debtor_bic: simulatedBic,
      creditor: { name: payee },
      creditor_iban,
      creditor_bic: circumstances.ours,
      ...remittance,
    }
    const message = { ...heading, settlement_date, ...settlement, transactions: [transaction] }
    const place = { message_id: heading.message_id, position: 1, message_count: 1, direction: 'IN', rail } as const
    const waiting = creditTransfer(transaction, place)
    const payment = isInstant ? waiting : settle(waiting, circumstances)
    const entries = payment.state === 'SETTLED' ? entriesOf([payment], circumstances) : []
    const answers = [{ type: 'pacs.008.001.08', message, about: null } as const]
    return { plan: { ...emptyPlan(), payments: [payment], entries, answers }, made: shownMade(payment) }
  }, companions)
}

/** A creditor at another bank collects from an account of ours. The collection settles on its due date, unless our bank has refused it. */
export function debitUs(bank: SimulatedBank, order: NewBankDebit, companions: Companions): Promise<BankPaymentShown> {
  const { name = creditor.name, payer_name = 'Account holder', scheme = 'CORE', sequence_type = 'RCUR', purpose } = order
  const amount = sepaAmountOf(order.amount)
  const debtor_iban = ibanOf('iban', order.iban)
  const [collector, payer] = [sent('name', name, sepaName), sent('payer_name', payer_name, sepaName)]
  const remittance = remittanceOf(purpose)
  return bank.ask(async (_tx, circumstances) => {
    const today = todayUtc(circumstances.at)
    const collection_date = order.collection_date ?? nextTargetDay(today)
    if (collection_date < today || !isTargetDay(collection_date)) refuseField('collection_date', 'must be a TARGET day that is not over')
    const heading = headingOf(circumstances)
    const number = circumstances.next()
    const transaction: DirectDebit = {
      end_to_end_id: 'NOTPROVIDED',
      tx_id: txIdOf(idOf(number)),
      amount,
      currency,
      charge_bearer: 'SLEV',
      collection_date,
      payment_type: { ...profileOf(debitRail).payment_type, local_instrument: scheme, sequence_type },
      mandate_reference: order.mandate_reference ?? `SIM-${number}`,
      mandate_signed_on: order.mandate_signed_on ?? today,
      creditor_id: order.creditor_id ?? creditor.id,
      creditor: { name: collector },
      creditor_iban: creditor.iban,
      creditor_bic: simulatedBic,
      debtor: { name: payer },
      debtor_iban,
      debtor_bic: circumstances.ours,
      ...remittance,
    }
    const message = { ...heading, settlement_date: collection_date, ...settlement, transactions: [transaction] }
    const place = { message_id: heading.message_id, position: 1, message_count: 1, direction: 'IN' } as const
    const payment: BankPayment = { ...directDebit(transaction, place), next: 'SETTLE', next_at: nextCycle(collection_date, circumstances) }
    const answers = [{ type: 'pacs.003.001.08', message, about: null } as const]
    return { plan: { ...emptyPlan(), payments: [payment], answers }, made: shownMade(payment) }
  }, companions)
}

/** Another bank recalls a payment that it sent us. */
export function recallFromUs(bank: SimulatedBank, { bank_payment_id, reason = 'DUPL' }: NewBankRecall, companions: Companions) {
  const tx_id = txIdOf(bank_payment_id)
  return bank.ask(async (tx, circumstances) => {
    const known = await lockPayments(tx, [tx_id], [])
    const payment = known.find(({ direction, kind, tx_id: its }) => direction === 'IN' && kind === 'CREDIT_TRANSFER' && its === tx_id)
    if (payment === undefined) refuse('sandbox_payment_not_found')
    const recalls = await lockRecalls(tx, [tx_id])
    const isOpen = recalls.some(({ state }) => state === 'REQUESTED')
    if (payment.state !== 'SETTLED' || isOpen)
      refuse('sandbox_payment_not_recallable', {
        detail: isOpen ? 'The payment has been recalled, and our bank has not answered.' : `The payment is ${payment.state}, not SETTLED.`,
      })
    const id = idOf(circumstances.next())
    const recall: BankRecall = { cancellation_id: txIdOf(id), direction: 'IN', tx_id, reason, state: 'REQUESTED' }
    const answers = [recallOf(circumstances, payment, recall)]
    return { plan: { ...emptyPlan(), recalls: [recall], answers }, made: { id, bank_payment_id, reason, state: recall.state } }
  }, companions)
}

/** A payment that was just created always has an id. */
function shownMade(payment: BankPayment): BankPaymentShown & { id: string } {
  const { id, ...fields } = shownPayment(payment)
  return { id: id ?? '', ...fields }
}

function shownPayment(payment: BankPayment): BankPaymentShown {
  const { tx_id, amount, remittance } = payment
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(tx_id)
  return {
    ...payment,
    id: parts === null ? null : parts.slice(1).join('-'),
    amount: formatMoney(amount, payment.currency),
    purpose: remittance,
  }
}

const mostShown = 100

export async function stateOf({ database }: SimulatedBank) {
  const [sum, last, counted, payments] = await Promise.all([
    sumOfEntries(database),
    findLastStatement(database),
    countPayments(database),
    listNewestPayments(database, mostShown),
  ])
  const { iban, bic, prefunding } = settlementAccount
  const counts = new Map(counted.map(({ state, count }) => [state, count]))
  return {
    account: { iban, bic, currency },
    balance: formatMoney(prefunding + fromNumeric(sum), currency),
    last_statement: last?.sequence ?? null,
    counts: Object.fromEntries(bankStates.map((state) => [state, counts.get(state) ?? 0])) as Record<(typeof bankStates)[number], number>,
    payments: payments.map(shownPayment),
  }
}
