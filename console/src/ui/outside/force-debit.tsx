// A debit that the scheme has already carried out: somebody books it, whatever the balance.
import { Stack } from '@mantine/core'
import { Action } from '../action.tsx'
import { api } from '../api.ts'
import { type Field, Fields, useFields } from '../fields.tsx'
import { VentureSelect } from '../venture-select.tsx'
import { fromWhere, kinds } from './messages.ts'

const types = [
  'ADJUSTMENT',
  'FEE',
  'CARD_CLEARING',
  'PAYMENT_RETURN',
  'PAYMENT_REVERSAL',
  'PAYMENT_TECHNICAL_REVERSAL',
  'PAYMENT_CANCELLATION',
  'CARD_REVERSAL',
] as const

const methods = ['SEPA', 'INST', 'SDD', 'INTERNAL', 'SDD_INTERNAL', 'CARD', 'SWIFT', 'DOMESTIC'] as const

const fields: readonly Field[] = [
  ...fromWhere,
  { name: 'kind', label: 'Kind of message', choices: kinds, nameOf: String },
  { name: 'transfer_type', label: 'What the debit is for', choices: types },
  { name: 'amount', label: 'Amount', hint: 'In the currency of the account.', placeholder: '30.00' },
  { name: 'method', label: 'Rail', hint: 'One that fits, if it is left empty.', choices: methods, optional: true },
  { name: 'parent_transaction_id', label: 'Transfer that it takes back or clears', hint: 'Its id.', optional: true, whole: true },
  { name: 'explanation', label: 'Why', type: 'long' },
]

const idField: Field = { name: 'account_id', label: 'Account', hint: 'Its id.', whole: true }

type About = { venture_id: string; account_id: string }

/** `about` is the account, where it is known. */
export function ForceDebit({ about }: { about?: About }) {
  const wanted = about === undefined ? [idField, ...fields] : fields
  const state = useFields(wanted, { venture_id: about?.venture_id ?? '', account_id: about?.account_id ?? '' })
  return (
    <Action
      operation="forceDebit"
      label="Force a debit"
      danger
      size="lg"
      isReady={state.isReady && state.given['venture_id'] !== undefined}
      run={() => api.operator.forcedDebits.create(state.given as never)}
      done="The debit was booked."
      after={state.clear}
    >
      <Stack gap="sm">
        <span>
          The scheme has already taken the money: a returned direct debit, a card clearing above its hold, a chargeback. The account may
          fall into debt. If it is closed, the bank books what the client owes and opens a break.
        </span>
        {about === undefined && <VentureSelect value={state.values['venture_id'] ?? ''} onChange={(id) => state.set('venture_id', id)} />}
        <Fields fields={wanted} state={state} />
      </Stack>
    </Action>
  )
}
