import { Stack } from '@mantine/core'
import type { Payment } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { AmountInput } from '../../ui/amount-input.tsx'
import { isAmount } from '../../ui/amounts.ts'
import { useVentureApi } from '../../ui/session.ts'
import { money } from '../../ui/words.ts'
import { leftOf } from './left.ts'

export function Refund({ payment }: { payment: Payment }) {
  const api = useVentureApi()
  const { id, currency } = payment
  const left = leftOf(payment)
  const [amount, setAmount] = useState(left)
  // One id for all attempts of a dialog, so that a retry does not refund twice.
  const [external_refund_id, setRefundId] = useState('')
  return (
    <Action
      operation="refundPayment"
      label="Refund"
      isReady={isAmount(amount)}
      onOpen={() => {
        setAmount(left)
        // The card gateway accepts at most 32 characters, and not digits only.
        setRefundId(`r${crypto.randomUUID().replaceAll('-', '').slice(1)}`)
      }}
      run={() => api.payments.refund(id, { amount, external_refund_id })}
      done="The payment was refunded."
    >
      <Stack gap="sm">
        The payer gets the money back on the card. {money(left, currency)} can be refunded.
        <AmountInput label={`Amount in ${currency}`} currency={currency} required value={amount} onChange={setAmount} />
      </Stack>
    </Action>
  )
}

export function Cancel({ payment: { id, status, amount, currency } }: { payment: Payment }) {
  const api = useVentureApi()
  return (
    <Action
      operation="cancelPayment"
      label="Cancel the payment"
      danger
      run={() => api.payments.cancel(id)}
      done="The payment was canceled."
    >
      {status === 'PAID'
        ? `${money(amount, currency)} goes back to the payer, as if the payment had not been made.`
        : 'The payer can no longer pay. If the payment was made in the meantime, nothing changes.'}
    </Action>
  )
}
