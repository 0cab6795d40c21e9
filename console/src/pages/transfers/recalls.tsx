// Recalls of a payment, sent and received.
import { Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RecallRequest, Recall as RecallShown, Transfer } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { Rows } from '../../ui/list.tsx'
import { Answered, Block } from '../../ui/page.tsx'
import { recallReasonOf, recallReasons } from '../../ui/recalls.ts'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { dayOf, minuteOf } from '../../ui/words.ts'
import { payingRails, recallableStatuses } from '../../values.made.ts'

const railed: readonly string[] = payingRails
const sent: readonly string[] = recallableStatuses

/** Payments that may have left the bank. Only the service knows whether they did. */
const mayHaveLeft = ({ direction, method, transfer_type, status }: Transfer): boolean =>
  direction === 'OUTBOUND' && railed.includes(method) && transfer_type === 'PAYMENT' && sent.includes(status)

function useRecalls({ id, method }: Transfer) {
  const api = useVentureApi()
  const venture = useVenture()
  return useQuery({
    queryKey: [venture, 'recalls', id],
    enabled: railed.includes(method),
    queryFn: () => api.transfers.listRecalls(id),
  })
}

/** Only where the bank processes the transfers. */
export function Recall({ transfer }: { transfer: Transfer }) {
  const api = useVentureApi()
  const venture = useVenture()
  const place = useQuery({ queryKey: ['place', venture], queryFn: () => api.venture.get(), staleTime: 60_000 })
  const recalls = useRecalls(transfer)
  const [reason, setReason] = useState<string | null>(null)
  const [information, setInformation] = useState('')
  const isOpen = recalls.data?.some(({ direction, state }) => direction === 'OUT' && state === 'REQUESTED') ?? false
  if (place.data?.control !== 'MANAGED' || !mayHaveLeft(transfer) || isOpen) return null
  return (
    <Action
      operation="recallTransfer"
      label="Recall"
      title="Recall the payment"
      danger
      isReady={reason !== null}
      run={() =>
        api.transfers.recall(transfer.id, {
          reason: reason as RecallRequest['reason'],
          ...(information.trim() !== '' && { information: information.trim() }),
        })
      }
      done="The recall was sent to the other bank."
      after={() => setInformation('')}
    >
      <Stack gap="sm">
        <span>
          Asks the bank of {transfer.cr_name ?? 'the payee'} to return the payment. The transfer does not change. If the other bank agrees,
          the money comes back as a return.
        </span>
        <Select
          label="Reason"
          required
          value={reason}
          onChange={setReason}
          data={recallReasons.map((value) => ({ value, label: recallReasonOf(value) }))}
          comboboxProps={{ withinPortal: true, zIndex: 500 }}
        />
        <TextInput
          label="For the other bank"
          description="Plain letters and digits only, as the scheme requires."
          value={information}
          onChange={({ currentTarget }) => setInformation(currentTarget.value)}
        />
      </Stack>
    </Action>
  )
}

export function Recalls({ transfer }: { transfer: Transfer }) {
  const recalls = useRecalls(transfer)
  if (recalls.data === undefined || recalls.data.length === 0) return null
  return (
    <Block title="Recalls">
      <Answered query={recalls}>
        <Rows<RecallShown>
          label="Recalls"
          rows={recalls.data}
          idOf={({ id }) => id}
          columns={[
            { label: 'Asked', cell: ({ direction }) => (direction === 'OUT' ? 'By us' : 'By the other bank') },
            { label: 'State', cell: ({ state }) => <Status value={state} /> },
            { label: 'Reason', wide: true, cell: ({ reason }) => recallReasonOf(reason) },
            { label: 'Answer', wide: true, cell: ({ answer_reason }) => answer_reason },
            { label: 'Answer due', wide: true, cell: ({ due_on }) => due_on && dayOf(due_on) },
            { label: 'Since', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
          ]}
        />
      </Answered>
    </Block>
  )
}
