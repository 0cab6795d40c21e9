// The balance of a suspended account goes to the client's own account elsewhere.
import { Stack } from '@mantine/core'
import { Action } from '../action.tsx'
import { api } from '../api.ts'
import { type Field, Fields, useFields } from '../fields.tsx'
import { VentureSelect } from '../venture-select.tsx'

const fields: readonly Field[] = [
  {
    name: 'beneficiary_id',
    label: 'Beneficiary',
    hint: 'The id of the client’s own account elsewhere: a beneficiary with the client’s name.',
    whole: true,
  },
  { name: 'purpose', label: 'Purpose', optional: true, whole: true },
]

const idField: Field = { name: 'account_id', label: 'Account', hint: 'The id of the suspended account.', whole: true }

type About = { venture_id: string; account_id: string }

/** `about` is the account, where it is known. */
export function PayOut({ about }: { about?: About }) {
  const wanted = about === undefined ? [idField, ...fields] : fields
  const state = useFields(wanted, { venture_id: about?.venture_id ?? '', account_id: about?.account_id ?? '' })
  return (
    <Action
      operation="payOutBlockedClient"
      label="Pay out a blocked client"
      danger
      isReady={state.isReady && state.given['venture_id'] !== undefined}
      run={() => api.operator.payOuts.create(state.given as never)}
      done="The pay-out was ordered."
      after={state.clear}
    >
      <Stack gap="sm">
        <span>
          The whole balance of the suspended account is paid to the client’s own account at another bank. Neither the block nor limits stop
          it. What was frozen for sanctions is never paid out.
        </span>
        {about === undefined && <VentureSelect value={state.values['venture_id'] ?? ''} onChange={(id) => state.set('venture_id', id)} />}
        <Fields fields={wanted} state={state} columns={1} />
      </Stack>
    </Action>
  )
}
