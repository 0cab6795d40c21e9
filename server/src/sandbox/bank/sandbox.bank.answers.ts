// The messages that the simulated bank sends.
import { type Message, messageIdOf, type Return, type StatusReport } from '../../iso20022/iso20022.ts'
import { todayUtc } from '../../values/calendar.ts'
import { minorUnit } from '../../values/money.ts'
import { type Behaviour, behaviourOf } from './sandbox.bank.behaviours.ts'
import type { BankAnswer, BankKind, BankPayment, Circumstances } from './sandbox.bank.payments.ts'

export const simulatedBic = 'SIMBLT22XXX'

export const messageTypeOf = {
  CREDIT_TRANSFER: 'pacs.008.001.08',
  DIRECT_DEBIT: 'pacs.003.001.08',
  RETURN: 'pacs.004.001.09',
} as const satisfies Record<BankKind, string>

const settlement = { settlement_method: 'CLRG', clearing_system: 'SIMULATED' } as const

/** The beginning of every message between the two banks. */
export function headingOf({ at, ours, next }: Circumstances) {
  const message_id = messageIdOf({ bic: simulatedBic, date: todayUtc(at), rail: 'B', number: next() })
  return { message_id, created_at: at.toISOString(), instructing_bic: simulatedBic, instructed_bic: ours }
}

function assignmentOf(circumstances: Circumstances) {
  const { message_id, created_at } = headingOf(circumstances)
  return { message_id, created_at, from_bic: simulatedBic, to_bic: circumstances.ours }
}

type Status = 'ACSC' | 'ACSP' | 'RJCT'

function statusOf({ state }: BankPayment): Status {
  if (state === 'REJECTED' || state === 'REFUSED') return 'RJCT'
  return state === 'WAITING' ? 'ACSP' : 'ACSC'
}

/** The status of one payment. `wrongly`: the mistake in the answer. */
export function reportOf(payment: BankPayment, wrongly?: Behaviour['answer']): StatusReport {
  const { end_to_end_id, tx_id, amount, currency, reason, settled_on } = payment
  const status = statusOf(payment)
  return {
    original_end_to_end_id: wrongly === 'unknown_reference' ? 'UNKNOWN' : end_to_end_id,
    original_tx_id: wrongly === 'unknown_reference' ? `X${tx_id.slice(1)}` : tx_id,
    status,
    ...(status === 'RJCT' && reason !== null ? { reasons: [{ originator_bic: simulatedBic, code: reason }] } : {}),
    ...(status === 'ACSC' && settled_on !== null ? { settled_on } : {}),
    original: { amount: wrongly === 'other_amount' ? amount + 100n * minorUnit(currency) : amount, currency },
  }
}

type About = { message_id: string; kind: BankKind }

export function statusAnswer(circumstances: Circumstances, { message_id, kind }: About, transactions: readonly StatusReport[]): BankAnswer {
  const group = { original_message_id: message_id, original_message_type: messageTypeOf[kind] }
  return { type: 'pacs.002.001.10', about: message_id, message: { ...headingOf(circumstances), group, transactions } }
}

/** Refuses a whole message: nothing of it is settled. */
export function messageRefused(
  circumstances: Circumstances,
  { message_id, type }: { message_id: string; type: string },
  { code, information }: { code: string; information?: string },
): BankAnswer {
  const reasons = [{ originator_bic: simulatedBic, code, ...(information === undefined ? {} : { information: [information] }) }]
  const group = { original_message_id: message_id, original_message_type: type, status: 'RJCT', reasons }
  return { type: 'pacs.002.001.10', about: message_id, message: { ...headingOf(circumstances), group, transactions: [] } }
}

/** The answers about payments of one message, each according to its behaviour. Payments without an answer are left out. */
export function answersTo(circumstances: Circumstances, about: About, payments: readonly BankPayment[]): BankAnswer[] {
  const behaving = (...wanted: readonly Behaviour['answer'][]) =>
    payments.filter(({ amount }) => wanted.includes(behaviourOf(amount).answer))
  const straight = behaving('once', 'twice', 'other_amount', 'unknown_reference')
  const [twice, malformed] = [behaving('twice'), behaving('malformed')]
  const answer = (given: readonly BankPayment[], breaksOff = false): BankAnswer[] =>
    given.length === 0
      ? []
      : [
          {
            ...statusAnswer(
              circumstances,
              about,
              given.map((payment) => reportOf(payment, behaviourOf(payment.amount).answer)),
            ),
            ...(breaksOff ? { breaksOff } : {}),
          },
        ]
  return [...answer(straight), ...answer(twice), ...answer(malformed, true)]
}

/** A message that returns payments of ours, all of one original message. */
export function returnsOf(
  circumstances: Circumstances,
  about: About,
  payments: readonly BankPayment[],
): { answer: BankAnswer; returns: Return[]; message_id: string } {
  const heading = headingOf(circumstances)
  const returns = payments.map(
    ({ tx_id, end_to_end_id, amount, currency, settled_on, reason }): Return => ({
      return_id: `R${circumstances.next()}`,
      original_message_id: about.message_id,
      original_message_type: messageTypeOf[about.kind],
      original_end_to_end_id: end_to_end_id,
      original_tx_id: tx_id,
      original_amount: amount,
      original_currency: currency,
      ...(settled_on === null ? {} : { original_settlement_date: settled_on }),
      amount,
      currency,
      charge_bearer: 'SLEV',
      reasons: [{ originator_bic: simulatedBic, code: reason ?? 'MS03' }],
    }),
  )
  const message = { ...heading, settlement_date: todayUtc(circumstances.at), ...settlement, transactions: returns }
  return { answer: { type: 'pacs.004.001.09', about: about.message_id, message }, returns, message_id: heading.message_id }
}

/** The answer to a recall of ours. */
export function recallAnswered(
  circumstances: Circumstances,
  { original_message_id, original_message_type, original_end_to_end_id, original_tx_id }: RecallNames,
  { about, cancellation_id, code }: { about: string; cancellation_id: string; code: string | undefined },
): BankAnswer {
  const status = code === undefined ? 'ACCR' : 'RJCR'
  const original = { original_message_id, original_message_type, original_end_to_end_id, original_tx_id }
  const transaction = {
    cancellation_status_id: cancellation_id,
    ...original,
    status,
    ...(code === undefined ? {} : { reasons: [{ originator_bic: simulatedBic, code }] }),
  } as const
  // The schemes' code for an accepted request as a whole.
  const whole = code === undefined ? 'ACCR' : 'RJCR'
  return {
    type: 'camt.029.001.09',
    about,
    message: { ...assignmentOf(circumstances), status: whole, transactions: [transaction] },
  }
}

type RecallNames = Pick<
  Message<'camt.056.001.08'>['transactions'][number],
  'original_message_id' | 'original_message_type' | 'original_end_to_end_id' | 'original_tx_id'
>

/** Another bank's request to return what it sent us. */
export function recallOf(
  circumstances: Circumstances,
  payment: BankPayment,
  recall: { cancellation_id: string; reason: string },
): BankAnswer {
  const { message_id, kind, end_to_end_id, tx_id, amount, currency, settled_on } = payment
  return {
    type: 'camt.056.001.08',
    about: null,
    message: {
      ...assignmentOf(circumstances),
      transactions: [
        {
          cancellation_id: recall.cancellation_id,
          original_message_id: message_id,
          original_message_type: messageTypeOf[kind],
          original_end_to_end_id: end_to_end_id,
          original_tx_id: tx_id,
          original_amount: amount,
          original_currency: currency,
          ...(settled_on === null ? {} : { original_settlement_date: settled_on }),
          reasons: [{ originator_bic: simulatedBic, code: recall.reason }],
        },
      ],
    },
  }
}
