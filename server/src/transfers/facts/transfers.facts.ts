// What the scheme has already done is always booked. Payments that arrive by IBAN, payments that come back and debits that nobody can refuse
// enter here, each once. What no account can take is booked in the house and waits for a decision.

import { refuseDetails } from '../../cases/cases.ts'
import { sepaName } from '../../iso20022/iso20022.ts'
import type { Line } from '../../ledger/ledger.ts'
import type { By } from '../../platform/actor.ts'
import { boundId } from '../../platform/bound-id.ts'
import { now } from '../../platform/clock.ts'
import { accompanied, type Companion } from '../../platform/companions.ts'
import type { Tx } from '../../platform/database/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { sendJobs } from '../../platform/jobs.ts'
import { parseIban } from '../../values/iban.ts'
import { decimalsRule, formatMoney, fromNumeric, type Money, moneyText, parseMoney } from '../../values/money.ts'
import { Refusal, refuse, refuseField } from '../../values/refusals.ts'
import { houseId, listManagedIds, requireManaged } from '../../ventures/ventures.ts'
import { type MoveReason, statementAwaited, waitingStatus } from '../deciding/transfers.decide.ts'
import { isBookType } from '../life/transfers.flows.ts'
import { carriesCurrencies, directDebits, methods, payoutRail, receivingMethods } from '../life/transfers.methods.ts'
import { screenedUnapplied } from '../transfers.batches.ts'
import type { Transfer, TransferOrder } from '../transfers.schemas.ts'
import { type Key, lockTransfers, selectTransferRows } from '../transfers.sql.ts'
import { createTransfer, getTransfer, type TransferCompanions, type TransferStatus, type Transfers, updateTransfer } from '../transfers.ts'
import { bookInHouse, breakDecision, caseFor, claimOf, senderOf, unappliedDecision } from './transfers.claims.ts'
import {
  type AgreedPayout,
  type Application,
  type BookedAs,
  type BookedFact,
  type Break,
  type ClientBreakKind,
  type Collection,
  type DebitReport,
  type Disagreement,
  type ForcedDebitReport,
  type InboundReport,
  isAboutClient,
  type PayoutOrder,
  type RefusedReturn,
  type ReturnReport,
  type UnappliedPayment,
  type UnappliedPayout,
} from './transfers.facts.schemas.ts'
import {
  type FoundAccount,
  findAccount,
  findAccountByNumber,
  findBreak,
  findFact,
  findFacts,
  findOwner,
  findPayee,
  findUnapplied,
  insertBreaks,
  insertUnapplied,
  type Message,
  sumReturned,
} from './transfers.facts.sql.ts'

/** On whose authority the transfers are created and moved: a rail's, or that of the bank's people together. */
const authorityOf = ({ actor, approved = false }: By): Pick<By, 'actor' | 'approved'> => ({ actor, approved })

/** The id of what is booked is bound to the message, so that nobody can book the message again by renaming its claim. */
const factOf = (message: Message, booked_as: BookedAs, venture_id: string): BookedFact => {
  const { kind, tx_id } = message
  const sender = senderOf(message)
  return { id: boundId(sender, kind, tx_id), sender, kind, tx_id, booked_as, venture_id, created_at: now().toISOString() }
}

/** A closed account stays closed, so what was found closed can be booked in the house without another look. */
export function isClosed(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'account_not_active' && error.details['current_status'] === 'CLOSED'
}

/** A payment that another bank has sent. If the money `awaits_statement`, it is neither credited nor given back before a statement shows it. */
export async function reportInboundPayment(
  transfers: Transfers,
  report: InboundReport,
  by: By,
  { awaits_statement = false }: Pick<Origin, 'awaits_statement'> = {},
): Promise<BookedFact> {
  const { database } = transfers
  const { iban, amount, currency, rail } = report
  const money = amountOf(amount, currency)
  if (!carriesCurrencies(methods[rail], currency, currency))
    refuse('transfer_method_invalid', { detail: `${rail} does not carry ${currency}.` })
  const account = await findAccountByNumber(database, await listManagedIds(database), iban)
  if (account !== undefined && account.currency === currency) {
    try {
      return await receive(transfers, report, account, by, { awaits_statement })
    } catch (error) {
      if (!isClosed(error)) throw error
    }
  }
  const reason = account === undefined ? 'ACCOUNT_UNKNOWN' : account.currency === currency ? 'ACCOUNT_CLOSED' : 'CURRENCY_MISMATCH'
  const { purpose = null, dr_name = null, dr_iban = null, dr_address = null, dr_city = null, dr_postal_code = null } = report
  const details: Unapplied = {
    ...{ reason, rail, amount: formatMoney(money, currency), currency, iban, purpose, dr_name, dr_iban, dr_address, dr_city },
    ...{ dr_postal_code, dr_bank_bic: report.dr_bank_bic ?? report.sender, dr_country_code: report.dr_country_code ?? null },
  }
  return bookUnapplied(transfers, report, by, details, { awaits_statement })
}

function amountOf(text: string, currency: string): Money {
  const money = parseMoney(text, currency) ?? refuseField('amount', decimalsRule(currency))
  return money > 0n ? money : refuseField('amount', 'must be greater than zero')
}

/** `on_us`: the money comes from an account in this bank. */
type Origin = { on_us?: boolean; awaits_statement?: boolean }

/** What the case about money says that a statement has to show first. */
const awaiting = (awaits_statement: boolean) => (awaits_statement ? ({ awaits: 'statement' } as const) : {})

/** A report by a message of any kind. Those within the bank have a kind of their own, which nobody can report. */
type Told<Report extends Message> = Omit<Report, keyof Message> & Message

/** Receives a payment on an account. If the account is not active, the money waits in suspense, and somebody has to decide. */
export async function receive(
  transfers: Transfers,
  report: Told<InboundReport>,
  account: FoundAccount,
  by: By,
  { on_us = false, awaits_statement = false }: Origin = {},
): Promise<BookedFact> {
  const { iban, amount, currency, rail, sender, kind: _kind, tx_id: _tx_id, ...details } = report
  const fact = factOf(report, 'transfer', account.venture_id)
  const { id } = fact
  const order: TransferOrder = {
    ...details,
    dr_bank_bic: details.dr_bank_bic ?? sender,
    account_id: account.id,
    unique_reference: id,
    direction: 'INBOUND',
    method: rail,
    credit_amount: amount,
    credit_currency: currency,
    cr_iban: iban,
  }
  const waits = ({ status }: Transfer) =>
    status === waitingStatus
      ? ({
          venture_id: account.venture_id,
          kind: 'suspended',
          resource_id: id,
          payload: { account_id: account.id, ...awaiting(awaits_statement) },
        } as const)
      : undefined
  await createTransfer(transfers, {
    ...{ id, venture_id: account.venture_id, order, ...authorityOf(by), door: 'inbound', on_us, awaits_statement },
    ...(awaits_statement && { reason: statementAwaited }),
    companions: [claimOf(fact), caseFor(transfers.openCase, waits), ...(by.companions ?? [])],
  })
  return fact
}

type Unapplied = Pick<UnappliedPayment, 'reason' | 'rail' | 'amount' | 'currency' | 'iban'> & Partial<UnappliedPayment>

const noUnapplied: Omit<UnappliedPayment, 'id' | 'reason' | 'rail' | 'amount' | 'currency' | 'iban' | 'created_at'> = {
  ...{ status: 'OPEN', purpose: null, dr_name: null, dr_iban: null, dr_bank_bic: null, dr_address: null, dr_city: null },
  ...{ dr_country_code: null, dr_postal_code: null, client_venture_id: null, client_id: null, parent_transaction_id: null },
  ...{ applied_venture_id: null, transfer_id: null, payout_name: null, payout_iban: null, decided_at: null },
}

/** Books money that no account can take in the house: `settlement` to `suspense`. */
function bookUnapplied(
  { database, openCase }: Transfers,
  message: Message,
  by: By,
  details: Unapplied,
  { sent, on_us = false, awaits_statement = false }: { sent?: Transfer } & Origin = {},
): Promise<BookedFact> {
  const fact = factOf(message, 'unapplied', houseId)
  const { id, created_at: now } = fact
  const payment: UnappliedPayment = { ...noUnapplied, ...details, id, created_at: now }
  const amount = fromNumeric(payment.amount)
  const { currency, rail } = payment
  const companions = [
    claimOf(fact),
    caseFor(openCase, () => ({
      ...{ venture_id: houseId, kind: 'unapplied', resource_id: id },
      payload: { client_id: payment.client_id, ...awaiting(awaits_statement) },
    })),
    ...(by.companions ?? []),
  ]
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      if (sent !== undefined) await requireLeft(tx, sent, payment)
      insertUnapplied(tx, payment)
      // What the scheme did not take back stays until people know more.
      if (payment.reason !== 'RETURN_REFUSED') sendJobs(tx, [{ kind: screenedUnapplied, payload: { venture_id: houseId, id } }])
      bookInHouse(tx, {
        cause: { kind: 'unapplied', id },
        now,
        lines: [
          { account: on_us ? 'settlement:ON_US' : methods[rail].settlement, currency, amount: -amount },
          { account: 'suspense', currency, amount },
        ],
      })
      return fact
    }),
  )
}

/** A payment that we sent has come back. It is credited even to a suspended account and for a blocked client. */
export async function reportReturnedPayment(
  transfers: Transfers,
  report: Told<ReturnReport>,
  by: By,
  { on_us = false }: Origin = {},
): Promise<BookedFact> {
  const { venture_id, transfer_id, transfer_type = 'PAYMENT_RETURN', amount } = report
  await requireManaged(transfers.database, venture_id)
  const sent = await getTransfer(transfers, venture_id, transfer_id)
  const account = (await findAccount(transfers.database, venture_id, sent.account_id)) ?? refuse('account_not_found')
  if (sent.direction !== 'OUTBOUND' || sent.status !== 'COMPLETED')
    refuse('parent_invalid', {
      detail: `The transfer is ${sent.direction} and ${sent.status}. Only a completed outbound transfer comes back.`,
    })
  if (!on_us) await requireOutside(transfers, { venture_id, id: transfer_id })
  const back = returnedAmounts(sent, amount)
  const fact = factOf(report, 'transfer', venture_id)
  const { id } = fact
  const order: TransferOrder = {
    ...{ account_id: sent.account_id, unique_reference: id, direction: 'INBOUND', transfer_type, parent_transaction_id: transfer_id },
    ...back,
  }
  try {
    await createTransfer(transfers, {
      ...{ id, venture_id, order, ...authorityOf(by), steps: 'to completion', reason: reasonOf(report), on_us },
      companions: [claimOf(fact), ...(by.companions ?? [])],
    })
    return fact
  } catch (error) {
    if (!isClosed(error)) throw error
  }
  const details: Unapplied = {
    ...{ reason: 'ACCOUNT_CLOSED', rail: sent.method, amount: back.debit_amount, currency: sent.credit_currency },
    ...{ iban: account.account_number, dr_name: sent.cr_name, dr_iban: sent.cr_iban, dr_bank_bic: sent.cr_bank_bic },
    ...{ client_venture_id: venture_id, client_id: account.client_id, parent_transaction_id: transfer_id },
  }
  return bookUnapplied(transfers, report, by, details, { sent, on_us })
}

function reasonOf({ reason = null, reason_code = null }: Pick<ReturnReport, 'reason' | 'reason_code'>): MoveReason {
  return { status_reason: reason, status_reason_code: reason_code }
}

/** What never left the bank comes back from within only. Otherwise the money of whoever gives it back would have nowhere to go. */
async function requireOutside({ database }: Transfers, key: Key): Promise<void> {
  const [row] = await selectTransferRows(database, [key])
  if (row?.on_us) refuse('settled_on_us', { detail: 'The payment has never left the bank, so no other bank has sent it back.' })
}

/** No more comes back than was sent, whether to the account or to the house. */
async function requireLeft(tx: Tx, { id, credit_amount, credit_currency }: Transfer, payment: UnappliedPayment): Promise<void> {
  const key = { venture_id: payment.client_venture_id ?? '', id }
  await lockTransfers(tx, [key], true)
  const left = fromNumeric(credit_amount) - (await sumReturned(tx, key))
  if (fromNumeric(payment.amount) <= left) return
  const rest = moneyText(left, credit_currency)
  refuse('parent_invalid', { detail: `${payment.amount} ${credit_currency} requested, but only ${rest} has not come back yet.` })
}

/** What comes back outside, and what it is worth on the account: a part has to be in the account's currency. */
function returnedAmounts({ debit_amount, debit_currency, credit_amount, credit_currency }: Transfer, amount: string | null | undefined) {
  const whole = {
    debit_amount: credit_amount,
    debit_currency: credit_currency,
    credit_amount: debit_amount,
    credit_currency: debit_currency,
  }
  if (amount == null) return whole
  const part = formatMoney(amountOf(amount, credit_currency), credit_currency)
  if (part === credit_amount) return whole
  if (fromNumeric(part) > fromNumeric(credit_amount))
    refuse('parent_invalid', { detail: `${part} ${credit_currency} requested, but only ${credit_amount} ${credit_currency} was sent.` })
  if (debit_currency !== credit_currency) refuseField('amount', 'must be left out: a payment in two currencies comes back as a whole')
  return { ...whole, debit_amount: part, credit_amount: part }
}

/** A debit that the scheme has carried out, whether the account has the money or not. */
export async function forceDebit(transfers: Transfers, report: ForcedDebitReport, by: By): Promise<BookedFact> {
  const { venture_id, account_id, amount, transfer_type, method, parent_transaction_id } = report
  const { database } = transfers
  await requireManaged(database, venture_id)
  const account = (await findAccount(database, venture_id, account_id)) ?? refuse('account_not_found')
  const money = amountOf(amount, account.currency)
  const fact = factOf(report, 'transfer', venture_id)
  const { id } = fact
  const order: TransferOrder = {
    ...{
      account_id,
      unique_reference: id,
      direction: 'OUTBOUND',
      transfer_type,
      debit_amount: amount,
      purpose: report.explanation.slice(0, 140),
    },
    ...(method == null ? {} : { method }),
    ...(parent_transaction_id == null ? {} : { parent_transaction_id }),
  }
  try {
    await createTransfer(transfers, {
      ...{ id, venture_id, order, ...authorityOf(by), forced: true, steps: 'to completion', reason: reasonOf(report) },
      companions: [claimOf(fact), ...(by.companions ?? [])],
    })
    return fact
  } catch (error) {
    if (!isClosed(error)) throw error
  }
  const parent = parent_transaction_id == null ? undefined : await getTransfer(transfers, venture_id, parent_transaction_id)
  return bookBreak(transfers, report, by, {
    ...{
      rail: isBookType(transfer_type) ? null : (method ?? parent?.method ?? null),
      amount: formatMoney(money, account.currency),
      currency: account.currency,
    },
    ...{ account_venture_id: venture_id, account_id, client_id: account.client_id, explanation: report.explanation },
  })
}

type NewBreak = Pick<Break, 'rail' | 'amount' | 'currency' | 'explanation'> & {
  account_venture_id: string
  account_id: string
  client_id: string
  kind?: ClientBreakKind
}

/** Only breaks of the reconciliation name what was compared. */
const reconciled = {
  ...{ nostro_id: null, entry_id: null, row_venture_id: null, row_id: null, row_attempt: null, pack_id: null, difference: null },
} as const

/** The account of the house that stands for what each kind of break has cost it; none if nothing is booked before somebody decides. */
const owedTo: Record<ClientBreakKind, 'receivable' | 'breaks' | undefined> = {
  FORCED_DEBIT: 'receivable',
  LATE_SETTLEMENT: 'breaks',
  CONTRADICTED: undefined,
}

/** The house has paid for a client. Nothing is booked on a closed account, and nothing on any account before somebody knows more. */
function bookBreak({ database, openCase }: Transfers, message: Message, by: By, details: NewBreak): Promise<BookedFact> {
  const fact = factOf(message, 'break', houseId)
  const { id, created_at: now } = fact
  const { kind = 'FORCED_DEBIT' } = details
  const row: Break = {
    ...details,
    ...{ kind, id, status: 'OPEN', ...uncollected, ...reconciled, created_at: now, decided_at: null },
  }
  const amount = fromNumeric(row.amount)
  const { currency, rail } = row
  const owed = owedTo[kind]
  const companions = [
    claimOf(fact),
    caseFor(openCase, () => ({ venture_id: houseId, kind: 'break', resource_id: id, payload: { client_id: row.client_id } })),
    ...(by.companions ?? []),
  ]
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      insertBreaks(tx, [row])
      if (owed === undefined) return fact
      bookInHouse(tx, {
        cause: { kind: 'break', id },
        now,
        lines: [
          { account: owed, currency, amount: -amount },
          { account: rail === null ? 'adjustments' : methods[rail].settlement, currency, amount },
        ],
      })
      return fact
    }),
  )
}

/** Receives a direct debit, which is screened now and paid when it is due. Refuses what the bank of the payer would refuse. */
export async function reportDirectDebit(transfers: Transfers, report: DebitReport, by: By): Promise<BookedFact> {
  const { iban, amount, currency, due_on, sender, kind: _kind, tx_id: _tx_id, ...details } = report
  const { database } = transfers
  const account = (await findAccountByNumber(database, await listManagedIds(database), iban)) ?? refuse('account_not_found')
  if (account.currency !== currency)
    refuse('transfer_method_invalid', { detail: `The account is in ${account.currency}, and the direct debit in ${currency}.` })
  const fact = factOf(report, 'transfer', account.venture_id)
  const { id } = fact
  const order: TransferOrder = {
    ...details,
    ...{ account_id: account.id, unique_reference: id, direction: 'OUTBOUND', method: directDebits, settlement_date: due_on },
    ...{ debit_amount: amount, debit_currency: account.currency, credit_currency: currency, cr_bank_bic: details.cr_bank_bic ?? sender },
  }
  await createTransfer(transfers, {
    ...{ id, venture_id: account.venture_id, order, ...authorityOf(by), door: 'debit', steps: ['RECEIVED'] },
    companions: [claimOf(fact), ...(by.companions ?? [])],
  })
  return fact
}

async function bookDisagreement(transfers: Transfers, kind: ClientBreakKind, told: Disagreement, by: By): Promise<BookedFact> {
  const { transfer, rail, amount, currency, explanation, ...message } = told
  const { venture_id, account_id } = { ...transfer, ...(await getTransfer(transfers, transfer.venture_id, transfer.id)) }
  const account = (await findAccount(transfers.database, venture_id, account_id)) ?? refuse('account_not_found')
  const details = { kind, rail, amount, currency, explanation, account_venture_id: venture_id, account_id, client_id: account.client_id }
  return bookBreak(transfers, message, by, details)
}

/** A payment was settled although its transfer has ended, and the client has the money back: the house has paid. */
export function reportLateSettlement(transfers: Transfers, told: Disagreement, by: By): Promise<BookedFact> {
  return bookDisagreement(transfers, 'LATE_SETTLEMENT', told, by)
}

/** A payment was rejected although it had been settled, or the other way round. Nothing is booked until somebody knows where the money is. */
export function reportContradiction(transfers: Transfers, told: Disagreement, by: By): Promise<BookedFact> {
  return bookDisagreement(transfers, 'CONTRADICTED', told, by)
}

/** Why an account cannot be credited, in the codes of the scheme; undefined if it can. */
export async function accountFault({ database }: Transfers, iban: string, currency: string): Promise<string | undefined> {
  const account = await findAccountByNumber(database, await listManagedIds(database), iban)
  if (account === undefined) return 'AC01'
  if (account.status !== 'ACTIVE') return account.status === 'CLOSED' ? 'AC04' : 'AC06'
  return account.currency === currency ? undefined : 'CURR'
}

/** What was booked for a message; undefined if nothing was. */
export async function findBooked({ database }: Transfers, message: Message): Promise<BookedFact | undefined> {
  return (await findFacts(database, [{ ...message, sender: senderOf(message) }]))[0]
}

/** Money that the house or a venture wanted to send back is here again, because the scheme did not take the return. */
export function reportRefusedReturn(transfers: Transfers, { message, ...details }: RefusedReturn, by: By): Promise<BookedFact> {
  return bookUnapplied(transfers, message, by, { ...details, reason: 'RETURN_REFUSED' })
}

/** The account whose balance may be paid out to the client itself. */
export async function getPayable({ database }: Transfers, order: PayoutOrder): Promise<FoundAccount> {
  const { venture_id, account_id, beneficiary_id } = order
  await requireManaged(database, venture_id)
  const account = (await findAccount(database, venture_id, account_id)) ?? refuse('account_not_found')
  const payee = (await findPayee(database, venture_id, beneficiary_id)) ?? refuse('beneficiary_not_found')
  if (payee.client_id !== account.client_id) refuse('beneficiary_invalid', { detail: 'The beneficiary belongs to another client.' })
  requireOwnName(payee.name, payee)
  if (account.status !== 'SUSPENDED') {
    refuse('account_not_suspended', {
      detail: `The account is ${account.status}. Only the balance of a SUSPENDED account is paid out this way.`,
      current_status: account.status,
    })
  }
  if (fromNumeric(account.available_balance) <= 0n) {
    refuse('insufficient_funds', {
      detail: `The account has ${account.available_balance} ${account.currency} available: nothing to pay out.`,
    })
  }
  return account
}

/** Sends the balance of a suspended account to the client's own account elsewhere, even if the client is blocked. */
export async function payOutBlocked(transfers: Transfers, agreed: AgreedPayout, by: By): Promise<Transfer> {
  await getPayable(transfers, agreed)
  const { venture_id, account_id, beneficiary_id, purpose = null, amount: debit_amount } = agreed
  const id = uuidv7()
  const order: TransferOrder = { account_id, unique_reference: id, direction: 'OUTBOUND', beneficiary_id, debit_amount, purpose }
  return createTransfer(transfers, {
    ...{ id, venture_id, order, ...authorityOf(by), account_sequence: by.sequence, door: 'payout', steps: ['RESERVED'] },
    ...{ witness: by.witness, approval_id: by.approval_id },
    companions: by.companions,
  })
}

const plainName = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase()

/** A client's money goes to the client itself and to nobody else. */
function requireOwnName(name: string, { first_name, last_name }: { first_name: string; last_name: string }): void {
  const own = `${first_name} ${last_name}`
  if (plainName(name) === plainName(own)) return
  refuse('beneficiary_invalid', { detail: `The money may only go to the client itself, and the beneficiary is ${name}, not ${own}.` })
}

export async function getFact({ database }: Transfers, id: string): Promise<BookedFact> {
  return (await findFact(database, id)) ?? refuse('inbound_payment_not_found')
}

/**
 * The moves of a transfer through its screening, which end with AML_APPROVED if nothing was found, and what is written with them. A transfer that has
 * been screened before needs none if nothing was found since.
 */
export type ScreenWaiting = (waiting: Key) => Promise<{ steps: readonly TransferStatus[]; companions: TransferCompanions }>

/** Money that arrived for an account that was not active goes back. */
export function returnWaiting(transfers: Transfers, waiting: Key, by: By): Promise<Transfer> {
  return decideWaiting(transfers, waiting, goingBack, by)
}

/** It is credited, if its screening finds nothing. */
export async function applyWaiting(transfers: Transfers, waiting: Key, screen: ScreenWaiting, by: By): Promise<Transfer> {
  const [{ screened } = refuse('transfer_not_found')] = await selectTransferRows(transfers.database, [waiting])
  // A list may have changed while it waited.
  const { steps, companions = [] } = await screen(waiting)
  const isFree = steps.length === 0 ? screened : steps.at(-1) === 'AML_APPROVED'
  return decideWaiting(transfers, waiting, isFree ? [...steps, 'COMPLETED'] : steps, {
    ...by,
    companions: [...(by.companions ?? []), ...companions],
  })
}

async function decideWaiting(transfers: Transfers, waiting: Key, walk: readonly TransferStatus[], by: By): Promise<Transfer> {
  const [row] = await selectTransferRows(transfers.database, [waiting])
  // It waits no longer.
  const isSaid = row?.status_reason_code === statementAwaited.status_reason_code
  const reason = isSaid ? { status_reason: null, status_reason_code: null } : {}
  const { venture_id, id: transfer_id } = waiting
  const [status = 'COMPLETED', ...steps] = walk
  return updateTransfer(transfers, {
    ...{ venture_id, transfer_id, update: { status, ...reason }, steps, with_case: true, ...authorityOf(by) },
    ...(by.sequence === undefined ? {} : { sequence: by.sequence }),
    companions: by.companions,
  })
}

const goingBack = ['TO_RETURN', 'REJECTED'] as const

export async function getUnapplied({ database }: Transfers, id: string): Promise<UnappliedPayment> {
  return (await findUnapplied(database, id)) ?? refuse('unapplied_payment_not_found')
}

const nowhere = { applied_venture_id: null, transfer_id: null, payout_name: null, payout_iban: null, paid_out_over: null } as const

/** What leaves the suspense account of the house, and where it goes. */
const outOfSuspense = ({ amount, currency, rail }: UnappliedPayment, to: Line['account'] = methods[rail].settlement): Line[] => [
  { account: 'suspense', currency, amount: -fromNumeric(amount) },
  { account: to, currency, amount: fromNumeric(amount) },
]

/**
 * Credits an unapplied payment to an account. The house gives the money back to the rail, and the venture receives it from there, so that
 * each has its own balanced journal. Rails that bring no payments, such as CARD, are replaced by an adjustment.
 */
export async function applyUnapplied(transfers: Transfers, id: string, application: Application, by: By): Promise<UnappliedPayment> {
  const payment = await getUnapplied(transfers, id)
  const { venture_id, account_id } = application
  await requireManaged(transfers.database, venture_id)
  const account = (await findAccount(transfers.database, venture_id, account_id)) ?? refuse('account_not_found')
  const isOfClient = payment.client_id === null || (payment.client_id === account.client_id && payment.client_venture_id === venture_id)
  if (!isOfClient) refuse('client_mismatch')
  const received = receivingMethods.includes(payment.rail)
  const transfer_id = uuidv7()
  const order: TransferOrder = {
    ...{
      account_id,
      unique_reference: transfer_id,
      direction: 'INBOUND',
      credit_amount: payment.amount,
      credit_currency: payment.currency,
    },
    ...{ purpose: payment.purpose, dr_name: payment.dr_name, dr_bank_bic: payment.dr_bank_bic, dr_address: payment.dr_address },
    ...{ dr_city: payment.dr_city, dr_country_code: payment.dr_country_code, dr_postal_code: payment.dr_postal_code },
    ...(received ? { method: payment.rail, dr_iban: payment.dr_iban } : { transfer_type: 'ADJUSTMENT' }),
  }
  const decision = { ...nowhere, id, status: 'APPLIED', applied_venture_id: venture_id, transfer_id, ...decidedBy(by) } as const
  await createTransfer(transfers, {
    ...{ id: transfer_id, venture_id, order, ...authorityOf(by), door: 'apply' },
    steps: received ? ['RECEIVED'] : 'to completion',
    companions: [unappliedDecision(decision, outOfSuspense(payment, received ? undefined : 'adjustments')), ...(by.companions ?? [])],
  })
  return getUnapplied(transfers, id)
}

const decidedBy = ({ actor }: By) => ({ actor, decided_at: now().toISOString() })

/** Sends an unapplied payment back to where it came from. */
export async function returnUnapplied(transfers: Transfers, id: string, by: By): Promise<UnappliedPayment> {
  const payment = await getUnapplied(transfers, id)
  if (payment.client_id !== null) {
    refuse('client_mismatch', { detail: 'The money has come back from there and belongs to the client: apply it or pay it out.' })
  }
  const decision = { ...nowhere, id, status: 'RETURNING', ...decidedBy(by) } as const
  return decideInHouse(transfers, id, by, unappliedDecision(decision, outOfSuspense(payment)), getUnapplied)
}

/** Pays an unapplied payment out to the client whose money it is. */
export async function payOutUnapplied(transfers: Transfers, id: string, payout: UnappliedPayout, by: By): Promise<UnappliedPayment> {
  const payment = await getUnapplied(transfers, id)
  if (payment.client_id === null) {
    refuse('client_mismatch', { detail: 'Nobody knows whose money it is: apply it to an account, or return it.' })
  }
  const owner = (await findOwner(transfers.database, payment.client_venture_id ?? '', payment.client_id)) ?? refuse('client_not_found')
  if (owner.is_blacklisted) refuse('client_sanctioned')
  const { name: payout_name, iban: payout_iban } = payout
  requireOwnName(payout_name, owner)
  if (sepaName(payout_name) === undefined)
    refuse('beneficiary_invalid', { detail: 'The name contains no letter or digit that a SEPA payment can carry.' })
  if (parseIban(payout_iban) === undefined) {
    const message = 'must be a valid IBAN'
    refuse('invalid_iban', { detail: `details.iban ${message}.`, errors: [{ field: 'details.iban', message }] })
  }
  const decision = { ...nowhere, id, status: 'PAID_OUT', payout_name, payout_iban, paid_out_over: payoutRail, ...decidedBy(by) } as const
  const lines = outOfSuspense(payment, methods[payoutRail].settlement)
  return decideInHouse(transfers, id, by, unappliedDecision(decision, lines), getUnapplied)
}

/** A decision that concerns the house's books alone. */
async function decideInHouse<Row>(
  transfers: Transfers,
  id: string,
  { companions = [] }: By,
  decision: Companion,
  load: (transfers: Transfers, id: string) => Promise<Row>,
): Promise<Row> {
  await transfers.database.transaction((tx) => accompanied(tx, [decision, ...companions], async () => ({ id })))
  return load(transfers, id)
}

export async function getBreak({ database }: Transfers, id: string): Promise<Break> {
  return (await findBreak(database, id)) ?? refuse('break_not_found')
}

const uncollected = { transfer_id: null, collected_over: null, collection_id: null, counter_id: null } as const

/** What has come over a rail has come with a message, and nothing else has. */
function messageOf({ rail, sender, kind, tx_id }: Collection): Message {
  const given = { sender, kind, tx_id }
  const wrong = Object.entries(given).filter(([, value]) => (value == null) === (rail != null))
  const message = rail == null ? 'is only allowed with details.rail' : 'is required with details.rail'
  if (wrong.length > 0) refuseDetails(wrong.map(([field]) => ({ field: `details.${field}`, message })))
  return { sender: sender ?? '', kind: kind ?? '', tx_id: tx_id ?? '' }
}

/** The house no longer expects the money. */
export async function writeOffBreak(transfers: Transfers, id: string, by: By): Promise<Break> {
  const row = await getBreak(transfers, id)
  const decision = { ...uncollected, id, status: 'WRITTEN_OFF', ...decidedBy(by) } as const
  return decideInHouse(transfers, id, by, breakDecision(decision, fromReceivable(row, 'adjustments')), getBreak)
}

function fromReceivable({ amount, currency, kind }: Break, from: Line['account']): Line[] {
  const owed = isAboutClient(kind) ? owedTo[kind] : undefined
  if (owed === undefined) return []
  return [
    { account: owed, currency, amount: fromNumeric(amount) },
    { account: from, currency, amount: -fromNumeric(amount) },
  ]
}

/** What other banks said has been cleared up, and there is nothing to book. */
export async function matchBreak(transfers: Transfers, id: string, by: By): Promise<Break> {
  const row = await getBreak(transfers, id)
  const decision = { ...uncollected, id, status: 'MATCHED', ...decidedBy(by) } as const
  return decideInHouse(transfers, id, by, breakDecision(decision, fromReceivable(row, 'adjustments')), getBreak)
}

/** The client, who has the money back, pays what was settled after all, whether the account has the money or not. */
export async function debitBreak(transfers: Transfers, id: string, by: By): Promise<Break> {
  const row = await getBreak(transfers, id)
  const [venture_id, account_id] = [row.account_venture_id ?? refuse('account_not_found'), row.account_id ?? refuse('account_not_found')]
  const transfer_id = uuidv7()
  const decision = { ...uncollected, id, status: 'COLLECTED', transfer_id, ...decidedBy(by) } as const
  await createTransfer(transfers, {
    ...{ id: transfer_id, venture_id, order: debitOf(row, transfer_id, account_id), ...authorityOf(by) },
    ...{ forced: true, steps: 'to completion' },
    companions: [breakDecision(decision, fromReceivable(row, 'adjustments')), ...(by.companions ?? [])],
  })
  return getBreak(transfers, id)
}

/** The order of what a client pays for a break. */
const debitOf = (row: Break, id: string, account_id: string): TransferOrder => ({
  ...{ account_id, unique_reference: id, direction: 'OUTBOUND', transfer_type: 'ADJUSTMENT' },
  ...{ debit_amount: row.amount, debit_currency: row.currency, purpose: row.explanation?.slice(0, 140) ?? null },
})

/** The client has paid: from another account, which has to have the money, or over a rail, whose message is claimed. */
export async function collectBreak(transfers: Transfers, id: string, collection: Collection, by: By): Promise<Break> {
  const { account_id, rail } = collection
  const row = await getBreak(transfers, id)
  if ((account_id == null) === (rail == null)) {
    refuseDetails([{ field: 'details.account_id', message: 'or details.rail is required, but not both' }])
  }
  const message = messageOf(collection)
  const collected = { ...uncollected, id, status: 'COLLECTED', ...decidedBy(by) } as const
  if (rail != null) {
    const fact = factOf(message, 'collection', houseId)
    const decision = { ...collected, collected_over: rail, collection_id: fact.id }
    const companions = [claimOf(fact), ...(by.companions ?? [])]
    return decideInHouse(
      transfers,
      id,
      { ...by, companions },
      breakDecision(decision, fromReceivable(row, methods[rail].settlement)),
      getBreak,
    )
  }
  const venture_id = row.account_venture_id ?? refuse('account_not_found')
  const account = (await findAccount(transfers.database, venture_id, account_id ?? '')) ?? refuse('account_not_found')
  if (account.client_id !== row.client_id) refuse('client_mismatch')
  const transfer_id = uuidv7()
  const order = debitOf(row, transfer_id, account.id)
  await createTransfer(transfers, {
    ...{ id: transfer_id, venture_id, order, ...authorityOf(by), door: 'collection', steps: 'to completion' },
    companions: [breakDecision({ ...collected, transfer_id }, fromReceivable(row, 'adjustments')), ...(by.companions ?? [])],
  })
  return getBreak(transfers, id)
}

/** What the rails report and ask. */
export function factsOf(transfers: Transfers) {
  return {
    reportInboundPayment: (report: InboundReport, by: By, arrival?: { awaits_statement: boolean }) =>
      reportInboundPayment(transfers, report, by, arrival),
    reportReturnedPayment: (report: ReturnReport, by: By) => reportReturnedPayment(transfers, report, by),
    reportDirectDebit: (report: DebitReport, by: By) => reportDirectDebit(transfers, report, by),
    forceDebit: (report: ForcedDebitReport, by: By) => forceDebit(transfers, report, by),
    reportLateSettlement: (told: Disagreement, by: By) => reportLateSettlement(transfers, told, by),
    reportContradiction: (told: Disagreement, by: By) => reportContradiction(transfers, told, by),
    reportRefusedReturn: (told: RefusedReturn, by: By) => reportRefusedReturn(transfers, told, by),
    accountFault: (iban: string, currency: string) => accountFault(transfers, iban, currency),
    findBooked: (message: Message) => findBooked(transfers, message),
    getBreak: (id: string) => getBreak(transfers, id),
    collectBreak: (id: string, collection: Collection, by: By) => collectBreak(transfers, id, collection, by),
    getUnapplied: (id: string) => getUnapplied(transfers, id),
    returnUnapplied: (id: string, by: By) => returnUnapplied(transfers, id, by),
  }
}
