// A payment that has come back: somebody reports it.
import { Stack } from '@mantine/core'
import { Action } from '../action.tsx'
import { api } from '../api.ts'
import { type Field, Fields, useFields } from '../fields.tsx'
import { VentureSelect } from '../venture-select.tsx'
import { fromWhere, kinds } from './messages.ts'

const types = ['PAYMENT_RETURN', 'PAYMENT_REVERSAL', 'PAYMENT_TECHNICAL_REVERSAL', 'PAYMENT_CANCELLATION', 'CARD_REVERSAL'] as const

const fields: readonly Field[] = [
  ...fromWhere,
  { name: 'kind', label: 'Kind of message', choices: kinds, nameOf: String },
  { name: 'transfer_type', label: 'Kind of return', choices: types, optional: true },
  { name: 'amount', label: 'Amount', hint: 'Everything, if it is left empty.', optional: true },
]

const idField: Field = { name: 'transfer_id', label: 'Transfer', hint: 'The id of the transfer whose money came back.', whole: true }

type About = { venture_id: string; transfer_id: string }

/** `about` is the transfer, where it is known. */
export function ReportReturned({ about }: { about?: About }) {
  const wanted = about === undefined ? [idField, ...fields] : fields
  const state = useFields(wanted, { kind: 'pacs.004', venture_id: about?.venture_id ?? '', transfer_id: about?.transfer_id ?? '' })
  return (
    <Action
      operation="reportReturnedPayment"
      label="Report a return"
      size="lg"
      isReady={state.isReady && state.given['venture_id'] !== undefined}
      run={() => api.operator.returnedPayments.report(state.given as never)}
      done="The return was booked."
      after={state.clear}
    >
      <Stack gap="sm">
        <span>
          The money of an outbound transfer has come back. The account that paid is credited, even if it is suspended; if it is closed, the
          bank keeps the money as an unapplied payment of the client.
        </span>
        {about === undefined && <VentureSelect value={state.values['venture_id'] ?? ''} onChange={(id) => state.set('venture_id', id)} />}
        <Fields fields={wanted} state={state} />
      </Stack>
    </Action>
  )
}
