// Pays the balance of a suspended account to the client's account at another bank.
import { api } from '../api.ts'
import { type Field, FormAction } from '../form.tsx'

const fields: readonly Field[] = [
  {
    name: 'beneficiary_id',
    label: 'Beneficiary',
    hint: 'The id of a beneficiary with the client’s name: the client’s account elsewhere.',
    whole: true,
  },
  { name: 'purpose', label: 'Purpose', optional: true, whole: true },
]

/** The fields for pages that do not name the account. */
const aboutFields: readonly Field[] = [
  { name: 'venture_id', label: 'Venture', type: 'venture', whole: true },
  { name: 'account_id', label: 'Account', hint: 'The id of the suspended account.', whole: true },
]

type About = { venture_id: string; account_id: string }

/** `about`: the account, if known. */
export function PayOut({ about }: { about?: About }) {
  return (
    <FormAction
      operation="payOutBlockedClient"
      label="Pay out a blocked client"
      danger
      fields={about === undefined ? [...aboutFields, ...fields] : fields}
      {...(about && { initial: about })}
      columns={1}
      run={(given) => api.operator.payOuts.create(given as never)}
      done="The payout was ordered."
    >
      Pays the whole balance of the suspended account to the client’s own account at another bank. The block and limits do not apply. Money
      frozen for sanctions is never paid out.
    </FormAction>
  )
}
