// Links through which payers pay by card.
import type { PaymentLink } from '@vostro/sdk'
import { useBankNow } from '../../ui/clock.ts'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { dayOf, money } from '../../ui/words.ts'
import { CreateLink } from './new-link.tsx'
import { stateOf } from './state.ts'

const columns: readonly Column<PaymentLink>[] = [
  { label: 'For', cell: ({ description, token }) => description ?? token },
  { label: 'State', cell: (link) => <State link={link} /> },
  { label: 'Amount', align: 'right', cell: ({ amount, currency }) => money(amount, currency) },
  { label: 'Used', wide: true, cell: ({ uses, max_uses }) => (max_uses === null ? `${uses} times` : `${uses} of ${max_uses}`) },
  { label: 'Until', wide: true, cell: ({ expires_at }) => (expires_at === null ? 'No expiry' : dayOf(expires_at)) },
  { label: 'Created', wide: true, cell: ({ created_at }) => dayOf(created_at) },
]

const switched: Record<string, { active: boolean }> = { SWITCHED_ON: { active: true }, SWITCHED_OFF: { active: false } }

function State({ link }: { link: PaymentLink }) {
  return <Status value={stateOf(link, useBankNow())} />
}

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const [{ switch: chosen = '', ...filters }] = useFilters()
  const query = { ...filters, ...switched[chosen] }
  return (
    <Frame title="Payment links" actions={<CreateLink />}>
      <FilterBar filters={[{ name: 'switch', label: 'Enabled or disabled', choices: Object.keys(switched) }]} />
      <List
        label="Payment links"
        name={[venture, 'links', query]}
        read={(cursor) => api.paymentLinks.list({ ...query, ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/v/${venture}/links/${id}`}
        live="payment_link"
        empty={
          Object.keys(query).length > 0 ? (
            <Empty title="No matching links.">Clear the filter to see all links.</Empty>
          ) : (
            <Empty title="No payment links yet.">Create one, and share its address or QR code with payers.</Empty>
          )
        }
      />
    </Frame>
  )
}
