// The balance of a suspended account goes to the client's own account elsewhere.
import { api } from '../api.ts'
import { type Field, FormAction } from '../form.tsx'

const fields: readonly Field[] = [
  {
    name: 'beneficiary_id',
    label: 'Beneficiary',
    hint: 'The id of the client’s own account elsewhere: a beneficiary with the client’s name.',
    whole: true,
  },
  { name: 'purpose', label: 'Purpose', optional: true, whole: true },
]

/** What it is about, where the page does not say it. */
const aboutFields: readonly Field[] = [
  { name: 'venture_id', label: 'Venture', type: 'venture', whole: true },
  { name: 'account_id', label: 'Account', hint: 'The id of the suspended account.', whole: true },
]

type About = { venture_id: string; account_id: string }

/** `about` is the account, where it is known. */
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
      done="The pay-out was ordered."
    >
      The whole balance of the suspended account is paid to the client’s own account at another bank. Neither the block nor limits stop it.
      What was frozen for sanctions is never paid out.
    </FormAction>
  )
}
