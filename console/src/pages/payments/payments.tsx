import type { Payment } from '@vostro/sdk'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { minuteOf, money } from '../../ui/words.ts'
import { paymentStatuses } from '../../values.made.ts'

const columns: readonly Column<Payment>[] = [
  { label: 'Order', cell: ({ order_ref, gateway_order_number }) => order_ref ?? gateway_order_number },
  { label: 'Status', cell: ({ status }) => <Status value={status} /> },
  { label: 'Amount', align: 'right', cell: ({ amount, currency }) => money(amount, currency) },
  { label: 'For', wide: true, cell: ({ description }) => description },
  { label: 'Card', wide: true, cell: ({ card_brand, masked_pan }) => [card_brand, masked_pan?.slice(-4)].filter(Boolean).join(' ') },
  { label: 'From', wide: true, cell: ({ payment_link_id }) => (payment_link_id === null ? 'Your server' : 'A link') },
  { label: 'Created', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
]

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const [filters] = useFilters()
  return (
    <Frame title="Payments">
      <FilterBar filters={[{ name: 'status', label: 'Status', choices: paymentStatuses }]} />
      <List
        label="Payments"
        name={[venture, 'payments', filters]}
        read={(cursor) => api.payments.list({ ...filters, ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/v/${venture}/payments/${id}`}
        live="payment"
        empty={
          Object.keys(filters).length > 0 ? (
            <Empty title="No matching payments.">Clear the filter to see all payments.</Empty>
          ) : (
            <Empty
              title="No card payments yet."
              curl={`curl $VOSTRO_URL/api/v1/payments -H "Authorization: Bearer $VOSTRO_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"amount":"12.50","currency":"EUR","success_url":"https://shop.example/thanks","fail_url":"https://shop.example/sorry"}'`}
            >
              Create one from your server, or send payers a link.
            </Empty>
          )
        }
      />
    </Frame>
  )
}
