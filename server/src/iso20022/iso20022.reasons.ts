// The codes with which banks give reasons and outcomes, in words for people. ISO maintains its lists outside the schemas and extends them;
// these are the codes that the SEPA schemes use.

/** The uses of a code: to reject a payment, to return it, to recall it, and to refuse a recall. */
export type ReasonUse = 'reject' | 'return' | 'recall' | 'refuse'

type Reason = { readonly words: string; readonly uses: readonly ReasonUse[] }

const [rejectOrReturn, rejectOnly] = [['reject', 'return'], ['reject']] as const satisfies readonly (readonly ReasonUse[])[]

export const reasonCodes = {
  AB05: { words: 'The bank of the payee did not answer in time.', uses: rejectOnly },
  AB06: { words: 'The bank that received the payment did not answer in time.', uses: rejectOnly },
  AB07: { words: 'The bank that received the payment is offline.', uses: rejectOnly },
  AB08: { words: 'The bank of the payee is offline.', uses: rejectOnly },
  AB09: { words: 'The bank of the payee reported an error.', uses: rejectOnly },
  AB10: { words: 'The bank that received the payment reported an error.', uses: rejectOnly },
  AC01: { words: 'The account number does not exist.', uses: rejectOrReturn },
  AC03: { words: 'The payment was made to a wrong account number.', uses: ['return', 'recall'] },
  AC04: { words: 'The account is closed.', uses: ['reject', 'return', 'refuse'] },
  AC06: { words: 'The account is blocked.', uses: rejectOrReturn },
  AC13: { words: 'The account is of a kind that this direct debit cannot be taken from.', uses: rejectOrReturn },
  AG01: { words: 'The account does not allow payments of this kind.', uses: rejectOrReturn },
  AG02: { words: 'The payment has a wrong code for its kind.', uses: rejectOrReturn },
  AG09: { words: 'The payment was never received.', uses: rejectOnly },
  AG10: { words: 'The bank that sent or received the payment is suspended.', uses: rejectOnly },
  AG11: { words: 'The bank of the payee is suspended.', uses: rejectOnly },
  AM02: { words: 'The amount is higher than is allowed.', uses: rejectOnly },
  AM04: { words: 'There is not enough money in the account.', uses: ['reject', 'return', 'refuse'] },
  AM05: { words: 'The payment was made twice.', uses: rejectOrReturn },
  AM09: { words: 'The amount is wrong.', uses: ['return', 'recall'] },
  AM23: { words: 'The amount is higher than can be settled now.', uses: rejectOnly },
  ARDT: { words: 'The payment has already been returned.', uses: ['refuse'] },
  BE01: { words: 'The name does not match the account.', uses: rejectOrReturn },
  BE04: { words: 'The address of the payee is missing or incomplete.', uses: rejectOrReturn },
  BE05: { words: 'The creditor of the direct debit is not recognised.', uses: rejectOrReturn },
  CNOR: { words: 'The bank of the payee does not take part in the scheme.', uses: rejectOrReturn },
  CURR: { words: 'The currency is wrong.', uses: rejectOrReturn },
  CUST: { words: 'A customer decided so.', uses: ['reject', 'return', 'recall', 'refuse'] },
  DNOR: { words: 'The bank of the payer does not take part in the scheme.', uses: rejectOrReturn },
  DT01: { words: 'The date is wrong.', uses: rejectOnly },
  DUPL: { words: 'The payment is a duplicate of another.', uses: ['reject', 'recall'] },
  ED05: { words: 'The settlement between the banks failed.', uses: rejectOrReturn },
  FF01: { words: 'The message has a wrong format.', uses: rejectOrReturn },
  FOCR: { words: 'The payment comes back because it was recalled.', uses: ['return'] },
  FRAD: { words: 'The payment is fraudulent.', uses: ['reject', 'recall'] },
  INDM: { words: 'The payer was given an indemnity for it.', uses: ['refuse'] },
  LEGL: { words: 'A law or an order of a court does not allow it.', uses: ['return', 'refuse'] },
  MD01: { words: 'There is no valid mandate.', uses: rejectOrReturn },
  MD02: { words: 'Data of the mandate is missing or wrong.', uses: rejectOrReturn },
  MD06: { words: 'The payer asked for a refund.', uses: ['return'] },
  MD07: { words: 'The holder of the account has died.', uses: rejectOrReturn },
  MS02: { words: 'The customer gave no reason.', uses: rejectOrReturn },
  MS03: { words: 'The bank gave no reason.', uses: rejectOrReturn },
  NOAS: { words: 'The payee has not answered.', uses: ['refuse'] },
  NOOR: { words: 'The payment was never received.', uses: ['refuse'] },
  RC01: { words: 'The BIC is wrong.', uses: rejectOrReturn },
  RR01: { words: 'The account or the id of the payer, which the law requires, is missing.', uses: rejectOrReturn },
  RR02: { words: 'The name or the address of the payer, which the law requires, is missing.', uses: rejectOrReturn },
  RR03: { words: 'The name or the address of the payee, which the law requires, is missing.', uses: rejectOrReturn },
  RR04: { words: 'The law does not allow it.', uses: rejectOrReturn },
  SL01: { words: 'An arrangement between the payer and the bank of the payer does not allow it.', uses: rejectOrReturn },
  SVNR: { words: 'What was paid for was not delivered.', uses: ['recall'] },
  TECH: { words: 'A technical problem led to a wrong payment.', uses: ['reject', 'recall'] },
  TM01: { words: 'The message arrived after the cut-off time.', uses: rejectOnly },
  UPAY: { words: 'The payment was not owed.', uses: ['recall'] },
} as const satisfies Record<string, Reason>

export type ReasonCode = keyof typeof reasonCodes

export function isReasonCode(code: string): code is ReasonCode {
  return Object.hasOwn(reasonCodes, code)
}

/** Whether a message may contain a code for this use. */
export function servesFor(code: ReasonCode, use: ReasonUse): boolean {
  return (reasonCodes[code].uses as readonly ReasonUse[]).includes(use)
}

/** The words for a code; an unknown code is named as it is. */
export function reasonWords(code: string): string {
  return isReasonCode(code) ? reasonCodes[code].words : `The other bank gave the reason ${code}.`
}

type GivenReason = { code?: string | undefined; proprietary?: string | undefined; information?: readonly string[] | undefined }

/** The first reason of a transaction, as a code and in words; undefined if none was given. A bank's own word counts as a code. */
export function reasonOf(reasons: readonly GivenReason[] | undefined): { code: string; words: string } | undefined {
  const given = reasons?.find(({ code, proprietary }) => code !== undefined || proprietary !== undefined)
  const code = given?.code ?? given?.proprietary
  if (given === undefined || code === undefined) return undefined
  return { code, words: [reasonWords(code), ...(given.information ?? [])].join(' ') }
}

/** The meaning of a status for a payment or a whole message. `pending`: nothing has been decided. */
export type StatusMeaning = 'settled' | 'accepted' | 'pending' | 'partly' | 'rejected'

export const statusCodes = {
  ACCC: { means: 'settled', words: 'The account of the payee has been credited.' },
  ACSC: { means: 'settled', words: 'The payment has been settled.' },
  ACCP: { means: 'accepted', words: 'The payment has passed the checks of the customer.' },
  ACSP: { means: 'accepted', words: 'The payment is being settled.' },
  ACTC: { means: 'accepted', words: 'The message is valid.' },
  ACWC: { means: 'accepted', words: 'The payment was accepted with a change.' },
  ACWP: { means: 'accepted', words: 'The payment was accepted and is not credited yet.' },
  PART: { means: 'partly', words: 'Some payments of the message were accepted, others were not.' },
  PDNG: { means: 'pending', words: 'The payment waits for further checks.' },
  RCVD: { means: 'pending', words: 'The message has been received.' },
  RJCT: { means: 'rejected', words: 'The payment was rejected.' },
} as const satisfies Record<string, { means: StatusMeaning; words: string }>

export type StatusCode = keyof typeof statusCodes

/** Undefined for an unknown code, about which a person must decide. */
export function meaningOf(status: string): StatusMeaning | undefined {
  return Object.hasOwn(statusCodes, status) ? statusCodes[status as StatusCode].means : undefined
}
