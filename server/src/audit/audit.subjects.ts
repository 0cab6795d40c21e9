// What a second person sees and decides about: who gets how much from which account, or what a change makes of what. It is noted by a rehearsal
// and compared, under the locks of the effect, when the approval is carried out.
import { type Static, Type } from 'typebox'
import { CalendarDate, CurrencyShown, described, Id, Nullable, Resource } from '../platform/http/schemas.ts'

const Text = (description: string) => Nullable(Type.String({ description }))

export const ApprovalSubject = Resource(
  'ApprovalSubject',
  {
    account_id: Nullable(described(Id, "The account of the venture's client that gives or gets the money; null if none does.")),
    payer: Text('The name of the payer, or null.'),
    payer_account: Text('The IBAN or the account number of the payer, or null.'),
    payee: Text('The name of the payee, or null.'),
    payee_account: Text('The IBAN or the account number of the payee, or null.'),
    payee_bic: Text("The BIC of the payee's bank, or null."),
    payee_bank: Text("The name of the payee's bank, or null."),
    amount: Text('What leaves the account of the payer, or null.'),
    currency: Nullable(described(CurrencyShown, 'The ISO 4217 code of the currency of `amount`, or null.')),
    credit_amount: Text('What the payee gets, or null if it is `amount`.'),
    credit_currency: Nullable(described(CurrencyShown, 'The ISO 4217 code of the currency of `credit_amount`, or null.')),
    purpose: Text('What the payment is for, as the payee sees it, or null.'),
    settlement_date: Nullable(described(CalendarDate, 'The day that was asked for; null if the money moves as soon as it can.')),
    changes: Type.Array(
      Type.Object({
        field: Type.String({ description: 'What changes.' }),
        from: Text('What it is now; null if it is not there.'),
        to: Text('What it becomes; null if it will not be there.'),
      }),
      { description: 'What is different afterwards, field by field.' },
    ),
  },
  'What a second person decides about. If it is no longer the same when it is carried out, the approval fails.',
)
export type ApprovalSubject = Static<typeof ApprovalSubject>

const nothing: ApprovalSubject = {
  account_id: null,
  payer: null,
  payer_account: null,
  payee: null,
  payee_account: null,
  payee_bic: null,
  payee_bank: null,
  amount: null,
  currency: null,
  credit_amount: null,
  credit_currency: null,
  purpose: null,
  settlement_date: null,
  changes: [],
}

export function subjectOf(about: Partial<ApprovalSubject>): ApprovalSubject {
  return { ...nothing, ...about }
}

export type Change = ApprovalSubject['changes'][number]

type Shown = string | number | boolean | null | undefined

/** The fields that differ afterwards. */
export function changesOf<Row extends object>(
  fields: readonly (keyof Row & string)[],
  before: Partial<Row>,
  after: Partial<Row>,
): Change[] {
  const shown = (value: unknown) => ((value as Shown) == null ? null : String(value))
  return fields.map((field) => ({ field, from: shown(before[field]), to: shown(after[field]) })).filter(({ from, to }) => from !== to)
}
