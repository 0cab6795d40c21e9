// Chooses the method of a new transfer and checks that the order fits it. A method named by the order must fit; otherwise the first fitting
// method is chosen. A transfer that takes money back uses its parent's method.
import type { Quote } from '../../rates/rates.ts'
import { boundsOf, type RailBook, railOf } from '../../schemes/schemes.ts'
import { isSameBic } from '../../values/bic.ts'
import { isSepaIban, parseIban } from '../../values/iban.ts'
import { fromNumeric, moneyText } from '../../values/money.ts'
import { either, refuse } from '../../values/refusals.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { isBookType } from '../life/transfers.flows.ts'
import { amountFault, type Carrying, candidates, carriersOf, carriesCurrencies, leavesBank, methods } from '../life/transfers.methods.ts'
import type { TransferOrder } from '../life/transfers.schemas.ts'
import { type TransferDirection, type TransferMethod, type TransferType, typeGroups } from '../life/transfers.status.ts'
import { type Amounts, amountsOf, sideFields } from './transfers.amounts.ts'
import type { BatchAccount, BatchBeneficiary } from './transfers.batch.ts'
import { isReclaiming, requireDebtorAccount } from './transfers.parents.ts'

export type Parties = {
  direction: TransferDirection
  transfer_type: TransferType
  account: BatchAccount
  beneficiary: BatchBeneficiary | undefined
  /** The account of the same venture that has the beneficiary's IBAN. */
  receiver: BatchAccount | undefined
  parent: TransferRow | undefined
  /** The bank's rates; undefined if the venture processes its own transfers. */
  rates: readonly Quote[] | undefined
  /** The money has arrived, so its debtor and amount can no longer be refused. */
  arrived: boolean
  /** For orders to the bank: how it takes part in schemes now. Undefined for facts, and if the venture processes its own transfers. */
  taking: Taking | undefined
}

export type Taking = { book: RailBook; now: Date }

type Tried = readonly [TransferMethod, ...TransferMethod[]]

type Chosen = { method: TransferMethod; amounts: Amounts; quoted: boolean }

export function chooseMethod(order: TransferOrder, parties: Parties): Chosen {
  const inherited = inheritedMethod(parties)
  if (inherited !== undefined && order.method != null && order.method !== inherited) {
    refuse('transfer_method_invalid', {
      detail: `A ${parties.transfer_type} uses the method of its parent transfer, which is ${inherited}, not ${order.method}.`,
    })
  }
  const fixed = inherited ?? order.method ?? undefined
  if (fixed !== undefined) requireCarried(fixed, parties)
  if (fixed !== undefined && inherited === undefined) requireInstant(fixed, order, parties)
  const reaching: Tried = fixed === undefined ? reachingMethods(order, parties) : [fixed]
  const [first] = reaching
  if (inherited !== undefined) requireDebtorAccount(first, parties)
  requireReachable(first, parties)
  requireCreditor(order, first, parties)
  requireValidIbans(parties.arrived ? { ...order, dr_iban: null } : order, first, parties.direction)
  for (const method of reaching.slice(0, -1)) {
    const { amounts, quoted } = amountsFor(method, order, parties)
    if (faultOf(method, amounts, parties) !== undefined) continue
    requireTaken(method, order, parties)
    return { method, amounts, quoted }
  }
  const method = reaching.at(-1) ?? first
  if (method !== first) requireReachable(method, parties)
  if (inherited === undefined) requireTaken(method, order, parties)
  const { amounts, quoted } = amountsFor(method, order, parties)
  // A child's method carried its parent, and a booking does not leave the bank: neither needs the check.
  if (inherited === undefined && !isBookType(parties.transfer_type)) requireCarriedAmount(method, amounts, parties)
  return { method, amounts, quoted }
}

/** The method that a transfer inherits from its parent. Only the parent of a FEE_CANCELLATION may have a method that does not carry the type. */
function inheritedMethod({ transfer_type, parent }: Parties): TransferMethod | undefined {
  if (parent === undefined || !isReclaiming(transfer_type)) return undefined
  return methods[parent.method].carries.has(transfer_type) ? parent.method : undefined
}

/** The methods that reach the other side in these currencies. The last candidate always stays in: if it does not fit, the refusal names it. */
function reachingMethods(order: TransferOrder, parties: Parties): Tried {
  const tried = candidatesOf(order, parties)
  const last = tried.at(-1) ?? tried[0]
  const [first = last, ...rest] = tried.filter((method) => method === last || reaches(method, order, parties))
  return [first, ...rest]
}

function candidatesOf(order: TransferOrder, parties: Parties): Tried {
  const { direction, transfer_type, receiver, taking } = parties
  if (typeGroups[transfer_type] === 'card') return candidates.card
  if (order.mandate_id != null) return preferred(candidates.mandate, taking)
  if (order.is_instant && taking !== undefined) return preferred(candidates.instant, taking)
  // A fee or an adjustment is booked on the venture's own accounts, whatever beneficiary the order names.
  const staysWithin = direction === 'OUTBOUND' && receiver !== undefined && !isBookType(transfer_type)
  const slower = preferred(staysWithin ? candidates.withinVenture : candidates[direction], taking)
  return order.is_instant ? [...candidates.instant, ...slower] : slower
}

/** Rails by preference. One that is suspended or has ended gives way to another rail. */
function preferred(tried: Tried, taking: Taking | undefined): Tried {
  if (taking === undefined) return tried
  const { book, now } = taking
  const ranked = book.preferred(tried, now)
  const isOut = (method: TransferMethod) => railOf(method) !== undefined && book.availabilityOf(method, now) !== 'ACTIVE'
  const active = ranked.filter((method) => !isOut(method))
  const [first = tried[0], ...rest] = active.some((method) => railOf(method) !== undefined) ? active : ranked
  return [first, ...rest]
}

/** What is ordered as an instant payment is not turned into another one. */
function requireInstant(method: TransferMethod, order: TransferOrder, { taking, transfer_type }: Parties): void {
  if (taking === undefined || !order.is_instant || methods[method].instant || typeGroups[transfer_type] === 'card') return
  refuse('transfer_method_invalid', { detail: `${method} is not instant: leave is_instant out, or choose an instant method.` })
}

/** What the bank cannot send is refused, instead of being reserved and left. People carry out a method without a rail that the order names. */
function requireTaken(method: TransferMethod, order: TransferOrder, { direction, transfer_type, beneficiary, taking }: Parties): void {
  const staysInBank = direction === 'OUTBOUND' && beneficiary?.on_us === true
  if (taking === undefined || staysInBank || !leavesBank(method) || isBookType(transfer_type)) return
  const availability = taking.book.availabilityOf(method, taking.now)
  if (availability === 'ACTIVE' || (availability === 'ABSENT' && order.method != null)) return
  if (availability === 'SUSPENDED') refuse('rail_suspended', { detail: `The bank has suspended ${method}: nothing is sent over it now.` })
  refuse('method_not_available', { detail: `The transfer would need ${method}, and the bank takes no part in it.` })
}

function reaches(method: TransferMethod, order: TransferOrder, parties: Parties): boolean {
  const { direction, account } = parties
  const currency = (direction === 'OUTBOUND' ? order.credit_currency : order.debit_currency) ?? account.currency
  if (!carriesCurrencies(methods[method], currency, account.currency)) return false
  if (methods[method].sepa && Object.values(ibansOf(order)).some((iban) => iban != null && parseIban(iban) === undefined)) return false
  return direction === 'OUTBOUND' ? missingOf(method, parties) === undefined : comesFromReach(method, order)
}

function requireCarried(method: TransferMethod, { direction, transfer_type }: Parties): void {
  const { ordered, carries } = methods[method]
  if (!carries.has(transfer_type)) {
    const carriers = either(carriersOf(transfer_type))
    refuse('transfer_method_invalid', { detail: `A transfer of type ${transfer_type} needs the method ${carriers}, not ${method}.` })
  }
  if (!ordered.includes(direction)) {
    refuse('transfer_method_invalid', {
      detail: `A transfer over ${method} is created on the account that pays: it must be ${either(ordered)}.`,
    })
  }
}

function missingOf(method: TransferMethod, { account, beneficiary, receiver }: Parties) {
  // Only the bank's side may omit the beneficiary: the scheme has already found the other side. INTERNAL has no scheme.
  if (beneficiary === undefined) return methods[method].internal ? refuse('beneficiary_required') : undefined
  return methods[method].missing({ beneficiary, paying_account_id: account.id, receiver_account_id: receiver?.id })
}

function requireReachable(method: TransferMethod, parties: Parties): void {
  const { direction, transfer_type, receiver } = parties
  if (direction === 'INBOUND' || isBookType(transfer_type)) return
  const missing = missingOf(method, parties)
  if (missing !== undefined) refuse('beneficiary_invalid', { detail: `${method} cannot reach this beneficiary: ${missing}.` })
  const current_status = receiver?.status
  if (!methods[method].internal || current_status === 'ACTIVE') return
  const remedy = current_status === 'CLOSED' ? 'Choose another beneficiary.' : 'Activate it, or choose another beneficiary.'
  refuse('receiver_not_active', { detail: `The receiving account is ${current_status}, not ACTIVE. ${remedy}`, current_status })
}

/** The credited account is known, so what the order says about the creditor must match it. */
function requireCreditor(
  { cr_iban, cr_bank_bic }: TransferOrder,
  method: TransferMethod,
  { direction, account, beneficiary }: Parties,
): void {
  if (direction === 'INBOUND') {
    if (cr_iban == null || cr_iban === account.account_number) return
    refuse('beneficiary_mismatch', {
      detail: `An INBOUND transfer credits the account ${account.account_number}: leave cr_iban out, or send this number.`,
    })
  }
  if (cr_iban != null && beneficiary !== undefined && cr_iban !== beneficiary.iban) {
    refuse('beneficiary_mismatch', {
      detail: 'The cr_iban of the request is not the IBAN of the beneficiary: leave cr_iban out, or create a beneficiary with that IBAN.',
    })
  }
  const { address } = methods[method]
  if (cr_bank_bic == null || beneficiary === undefined || address === 'iban' || address === 'card') return
  if (address === 'iban_or_number' && beneficiary.iban !== null) return
  const { bic, swift_code } = beneficiary
  if ([bic, swift_code].some((own) => own !== null && isSameBic(own, cr_bank_bic))) return
  refuse('beneficiary_mismatch', {
    detail: "The money goes to an account number at the beneficiary's bank, and cr_bank_bic is not that bank's BIC: leave it out.",
  })
}

const ibansOf = ({ cr_iban, dr_iban }: TransferOrder) => ({ cr_iban, dr_iban })

function requireValidIbans(order: TransferOrder, method: TransferMethod, direction: TransferDirection): void {
  if (!methods[method].sepa) return
  for (const [field, iban] of Object.entries(ibansOf(order))) {
    if (iban == null || parseIban(iban) !== undefined) continue
    const message = `must be a valid IBAN, because the method is ${method}`
    refuse('invalid_iban', { detail: `${field} ${message}.`, errors: [{ field, message }] })
  }
  if (direction === 'INBOUND' && !comesFromReach(method, order)) {
    refuse('transfer_method_invalid', { detail: `${method} carries no money from an account outside the SEPA countries.` })
  }
}

/** Whether an INBOUND transfer can have come over a method, judging by its debtor. */
function comesFromReach(method: TransferMethod, { dr_iban }: TransferOrder): boolean {
  return !methods[method].sepa || dr_iban == null || isSepaIban(dr_iban)
}

function amountsFor(method: TransferMethod, order: TransferOrder, { direction, account, receiver, rates }: Parties) {
  return amountsOf(order, {
    direction,
    currency: account.currency,
    otherCurrency: methods[method].internal ? receiver?.currency : undefined,
    rates,
  })
}

/** Why the method cannot carry the amount that leaves or enters the bank. */
function faultOf(method: TransferMethod, amounts: Amounts, { direction, account, taking }: Parties) {
  const side = sideFields[direction === 'OUTBOUND' ? 'credit' : 'debit']
  const [amount, currency] = [fromNumeric(amounts[side.amount]), amounts[side.currency]]
  return amountFault(carryingOf(method, taking), { amount, currency, account_currency: account.currency })
}

/** The bounds of the scheme, and those of the bank within them. */
function carryingOf(method: TransferMethod, taking: Taking | undefined): Carrying {
  const terms = taking?.book.termsOf(method, taking.now)
  if (terms === undefined) return methods[method]
  const { currencies, exchanges, largest: most } = methods[method]
  const { smallest, largest } = boundsOf(terms)
  return { currencies, exchanges, smallest, largest: most === null || (largest !== null && largest < most) ? largest : most }
}

function requireCarriedAmount(method: TransferMethod, amounts: Amounts, parties: Parties): void {
  const fault = faultOf(method, amounts, parties)
  if (fault === undefined || (fault === 'amount' && parties.arrived)) return
  const { currencies, exchanges, largest, smallest } = carryingOf(method, parties.taking)
  const { debit_currency, credit_currency } = amounts
  const carried = currencies === 'any' ? 'any currency' : either(currencies)
  const given = debit_currency === credit_currency ? debit_currency : `${debit_currency} to ${credit_currency}`
  const detail =
    fault === 'currency'
      ? `${method} carries ${carried}${exchanges ? '' : ' on both sides'}, not ${given}.`
      : `${method} carries ${smallest == null ? '' : `at least ${moneyText(smallest, carried)} and `}at most ${moneyText(largest ?? 0n, carried)} in one transfer.`
  refuse('transfer_method_invalid', { detail })
}
