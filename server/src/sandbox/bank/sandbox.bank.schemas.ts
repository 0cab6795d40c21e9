// The schemas of requests to the simulated bank, and of its state.
import { type Static, Type } from 'typebox'
import { type ReasonCode, reasonCodes, servesFor } from '../../iso20022/iso20022.ts'
import {
  Body,
  CalendarDate,
  Choice,
  CurrencyShown,
  Decimal,
  described,
  Formed,
  Id,
  Name,
  Nullable,
  Resource,
} from '../../platform/http/schemas.ts'
import { payingRails, plainRail, rails } from '../../schemes/schemes.ts'
import { bankDirections, bankKinds, bankRecallStates, bankStates } from './sandbox.bank.payments.ts'

const Text = (description: string) => Nullable(Type.String({ description }))
const Amount = Type.String({ description: 'In euros.' })
const Iban = Formed('^[A-Za-z0-9]{5,34}$', 'must have 5 to 34 letters and digits, without spaces', { transform: 'upper' })
const Reference = Formed("^[A-Za-z0-9+?:().,'-][A-Za-z0-9+?/:().,' -]{0,34}$", 'must have 1 to 35 characters that SEPA allows')

export const NewBankPayment = Body('SandboxBankPaymentOrder', {
  iban: { ...Iban, description: 'The account of ours that receives the money. It need not exist.' },
  amount: described(Decimal, 'The amount in euros.'),
  rail: Type.Optional(Choice(payingRails, { description: `${plainRail} if absent.` })),
  name: Type.Optional({ ...Name, description: 'Who pays.' }),
  payer_iban: Type.Optional({ ...Iban, description: 'The IBAN of the payer.' }),
  payee_name: Type.Optional({ ...Name, description: "The payee, in the payer's words." }),
  purpose: Type.Optional(described(Name, "What the payment is for, in the payer's words.")),
  end_to_end_id: Type.Optional({ ...Reference, description: "The payer's reference for the payment." }),
})
export type NewBankPayment = Static<typeof NewBankPayment>

export const NewBankDebit = Body('SandboxBankDirectDebitOrder', {
  iban: { ...Iban, description: 'The account of ours that is debited. It need not exist.' },
  amount: described(Decimal, 'The amount in euros.'),
  name: Type.Optional({ ...Name, description: 'Who collects.' }),
  payer_name: Type.Optional({ ...Name, description: 'The debtor, as named in the mandate.' }),
  scheme: Type.Optional(Choice(['CORE', 'B2B'], { description: 'The scheme of the mandate. Default: CORE.' })),
  sequence_type: Type.Optional(Choice(['FRST', 'RCUR', 'FNAL', 'OOFF'], { description: 'The sequence of the collection. Default: RCUR.' })),
  mandate_reference: Type.Optional(described(Reference, 'The reference of the signed mandate.')),
  mandate_signed_on: Type.Optional(described(CalendarDate, 'The day on which the debtor signed the mandate.')),
  creditor_id: Type.Optional(described(Reference, 'The SEPA creditor identifier of the collecting creditor.')),
  collection_date: Type.Optional({ ...CalendarDate, description: 'The due date. Default: the next TARGET day.' }),
  purpose: Type.Optional(described(Name, "What the collection is for, in the creditor's words.")),
})
export type NewBankDebit = Static<typeof NewBankDebit>

const recallReasons = (Object.keys(reasonCodes) as ReasonCode[]).filter((code) => servesFor(code, 'recall'))

export const NewBankRecall = Body('SandboxBankRecallOrder', {
  bank_payment_id: { ...Id, description: 'A payment that the simulated bank sent us.' },
  reason: Type.Optional(Choice(recallReasons, { description: 'The reason. Default: DUPL.' })),
})
export type NewBankRecall = Static<typeof NewBankRecall>

export const BankPaymentShown = Resource('SandboxBankPayment', {
  id: Nullable({ ...Id, description: 'Null for a return, whose transaction id is not a UUID.' }),
  direction: Choice(bankDirections, { description: 'OUT leaves our bank, IN arrives at it.' }),
  kind: Choice(bankKinds, { description: 'The kind of its message: a payment, a collection, or the return of either.' }),
  rail: Choice(rails, { description: 'The rail that it came over.' }),
  message_id: Type.String({ description: 'The id of its message.' }),
  tx_id: Type.String({ description: 'The id of the transaction in the message.' }),
  end_to_end_id: Type.String({ description: "The payer's reference for the payment." }),
  original_tx_id: Nullable(Type.String({ description: 'For a return: the payment that came back.' })),
  amount: Amount,
  currency: CurrencyShown,
  debtor: Text('The name of the payer, or null.'),
  debtor_iban: Text('The IBAN of the payer, or null.'),
  creditor: Text('The name of the payee, or null.'),
  creditor_iban: Text('The IBAN of the payee, or null.'),
  purpose: Text('What the payment is for, or null.'),
  due_on: Nullable(described(CalendarDate, 'The due date of a collection; null for everything else.')),
  state: Choice(bankStates, { description: 'REFUSED: together with the whole message.' }),
  reason: Text('The reason code of a rejection, refusal or return, or null.'),
  settled_on: Nullable(described(CalendarDate, 'The day on which it settled; null until then.')),
})
export type BankPaymentShown = Static<typeof BankPaymentShown>

export const BankRecallShown = Resource('SandboxBankRecall', {
  id: described(Id, 'The id of the request at the simulated bank.'),
  bank_payment_id: described(Id, 'The payment to be returned.'),
  reason: Type.String({ description: 'The code of the reason.' }),
  state: Choice(bankRecallStates, { description: "Our bank's answer." }),
})

export const CycleDone = Resource('SandboxBankCycle', {
  payments: Type.Integer({ description: 'How many payments the bank has moved.' }),
})

export const DayEndDone = Resource('SandboxBankDayEnd', {
  statements: Type.Array(
    Resource('SandboxBankStatement', {
      sequence: Type.Integer({ description: 'The number of the statement at the simulated bank.' }),
      date: described(CalendarDate, 'The day of the statement.'),
      opening: described(Amount, 'The opening balance, in euros.'),
      closing: described(Amount, 'The closing balance, in euros.'),
      entries: Type.Integer({ description: 'How many entries it has.' }),
    }),
    { description: 'One, or several if there are more than 5,000 entries.' },
  ),
})
export type DayEndDone = Static<typeof DayEndDone>

export const BankState = Resource('SandboxBankState', {
  account: described(
    Resource('SandboxBankAccount', {
      iban: Type.String({ description: 'The IBAN of our account with the simulated bank.' }),
      bic: Type.String({ description: 'The BIC of the simulated bank.' }),
      currency: Type.String({ description: 'The currency of the account, always `EUR`.' }),
    }),
    'Our account with the simulated bank.',
  ),
  balance: { ...Amount, description: 'The balance of our account with the simulated bank, in euros.' },
  last_statement: Nullable(Type.Integer({ description: 'The number of the last statement.' })),
  counts: described(
    Resource(
      'SandboxBankCounts',
      Object.fromEntries(bankStates.map((state) => [state, Type.Integer({ description: `How many payments are ${state}.` })])) as Record<
        (typeof bankStates)[number],
        ReturnType<typeof Type.Integer>
      >,
    ),
    'The numbers of payments by state.',
  ),
  payments: Type.Array(BankPaymentShown, { description: 'The newest 100 payments in both directions, newest first.' }),
})
