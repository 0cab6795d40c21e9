// The subject that a second person sees and decides about: who gets how much from which account, or what changes. A rehearsal records it,
// and it is compared, while the rows of the effect are locked, when the approval is carried out.
import { type Static, Type } from 'typebox'
import { CalendarDate, CurrencyShown, described, Id, Nullable, Resource } from '../platform/http/schemas.ts'

const Text = (description: string) => Nullable(Type.String({ description }))

export const ApprovalSubject = Resource(
  'ApprovalSubject',
  {
    account_id: Nullable(described(Id, "The client's account that the money leaves or reaches; null if there is none.")),
    payer: Text('The name of the payer, or null.'),
    payer_account: Text('The IBAN or the account number of the payer, or null.'),
    payee: Text('The name of the payee, or null.'),
    payee_account: Text('The IBAN or the account number of the payee, or null.'),
    payee_bic: Text("The BIC of the payee's bank, or null."),
    payee_bank: Text("The name of the payee's bank, or null."),
    amount: Text("The amount that leaves the payer's account, or null."),
    currency: Nullable(described(CurrencyShown, 'The ISO 4217 code of the currency of `amount`, or null.')),
    credit_amount: Text('The amount that the payee receives, or null if it equals `amount`.'),
    credit_currency: Nullable(described(CurrencyShown, 'The ISO 4217 code of the currency of `credit_amount`, or null.')),
    purpose: Text('The purpose of the payment, as the payee sees it, or null.'),
    settlement_date: Nullable(described(CalendarDate, 'The requested settlement day; null if the money moves as soon as possible.')),
    changes: Type.Array(
      Type.Object({
        field: Type.String({ description: 'What changes.' }),
        from: Text('The current value; null if there is none.'),
        to: Text('The new value; null if there will be none.'),
      }),
      { description: 'The changes, field by field.' },
    ),
  },
  'What a second person decides about. If it has changed when the action is carried out, the approval fails.',
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

/** The fields that change. */
export function changesOf<Row extends object>(
  fields: readonly (keyof Row & string)[],
  before: Partial<Row>,
  after: Partial<Row>,
): Change[] {
  const shown = (value: unknown) => ((value as Shown) == null ? null : String(value))
  return fields.map((field) => ({ field, from: shown(before[field]), to: shown(after[field]) })).filter(({ from, to }) => from !== to)
}
