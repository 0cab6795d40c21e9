// Books a debit that the scheme has already executed, whatever the balance.
import { forcedDebitTypes, reportKinds, transferMethods } from '../../values.made.ts'
import { api } from '../api.ts'
import { type Field, FormAction } from '../form.tsx'
import { fromWhere } from './messages.ts'

const fields: readonly Field[] = [
  ...fromWhere,
  { name: 'kind', label: 'Kind of message', choices: reportKinds, nameOf: String },
  { name: 'transfer_type', label: 'What the debit is for', choices: forcedDebitTypes },
  { name: 'amount', label: 'Amount', hint: 'In the currency of the account.', placeholder: '30.00', amount: {} },
  { name: 'method', label: 'Rail', hint: 'One that fits, if it is left empty.', choices: transferMethods, optional: true },
  { name: 'parent_transaction_id', label: 'Transfer reversed or cleared', hint: 'Its id.', optional: true, whole: true },
  { name: 'explanation', label: 'Why', type: 'long' },
]

/** The fields for pages that do not name the account. */
const aboutFields: readonly Field[] = [
  { name: 'venture_id', label: 'Venture', type: 'venture', whole: true },
  { name: 'account_id', label: 'Account', hint: 'Its id.', whole: true },
]

type About = { venture_id: string; account_id: string }

/** `about`: the account, if known. */
export function ForceDebit({ about }: { about?: About }) {
  return (
    <FormAction
      operation="forceDebit"
      label="Force a debit"
      danger
      size="lg"
      fields={about === undefined ? [...aboutFields, ...fields] : fields}
      {...(about && { initial: about })}
      run={(given) => api.operator.forcedDebits.create(given as never)}
      done="The debit was booked."
    >
      The scheme has already taken the money: a returned direct debit, a card clearing above its hold, a chargeback. The account may fall
      into debt. If it is closed, the bank books what the client owes and opens a break.
    </FormAction>
  )
}
