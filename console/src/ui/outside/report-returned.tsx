import { reportKinds, returnTypes } from '../../values.made.ts'
import { api } from '../api.ts'
import { type Field, FormAction } from '../form.tsx'
import { fromWhere } from './messages.ts'

const fields: readonly Field[] = [
  ...fromWhere,
  { name: 'kind', label: 'Kind of message', choices: reportKinds, nameOf: String },
  { name: 'transfer_type', label: 'Kind of return', choices: returnTypes, optional: true },
  { name: 'amount', label: 'Amount', hint: 'Leave empty for the full amount.', optional: true, amount: {} },
]

/** The fields for pages that do not name the transfer. */
const aboutFields: readonly Field[] = [
  { name: 'venture_id', label: 'Venture', type: 'venture', whole: true },
  { name: 'transfer_id', label: 'Transfer', hint: 'The id of the returned transfer.', whole: true },
]

type About = { venture_id: string; transfer_id: string }

/** `about`: the transfer, if known. */
export function ReportReturned({ about }: { about?: About }) {
  return (
    <FormAction
      operation="reportReturnedPayment"
      label="Report a return"
      size="lg"
      fields={about === undefined ? [...aboutFields, ...fields] : fields}
      initial={{ kind: 'pacs.004', ...about }}
      run={(given) => api.operator.returnedPayments.report(given as never)}
      done="The return was booked."
    >
      The money of an outbound transfer has come back. The account that paid is credited, even if it is suspended; if it is closed, the bank
      keeps the money as an unapplied payment of the client.
    </FormAction>
  )
}
