// A payment link: its address, its QR code and its payments.
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { PaymentLink } from '@vostro/sdk'
import { Action } from '../../ui/action.tsx'
import { useBankNow } from '../../ui/clock.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { List } from '../../ui/list.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { Answered, Block, Empty, Facts, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { minuteOf, money } from '../../ui/words.ts'
import { stateOf } from './state.ts'

const languages = { EN: 'English', FR: 'French', AR: 'Arabic' }

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const { link: id = '' } = useParams({ strict: false }) as { link?: string }
  const query = useQuery({ queryKey: [venture, 'link', id], queryFn: () => api.paymentLinks.get(id) })
  const link = query.data
  const now = useBankNow()
  return (
    <Frame
      title={link === undefined ? 'Payment link' : (link.description ?? money(link.amount, link.currency))}
      back={{ to: `/v/${venture}/links`, label: 'Payment links' }}
      aside={link && <Status value={stateOf(link, now)} />}
      actions={link && <Switch link={link} />}
    >
      <Answered query={query}>
        {link && (
          <>
            <div className="columns">
              <Address link={link} />
              <Details link={link} />
            </div>
            <Payments id={id} />
          </>
        )}
      </Answered>
    </Frame>
  )
}

function Address({ link: { url, token } }: { link: PaymentLink }) {
  return (
    <Block title="For payers">
      <Group align="start" gap="md">
        <img className="qr" width={168} height={168} alt="QR code of the link" src={`/pay/${encodeURIComponent(token)}/qr.svg`} />
        <Stack gap="xs" flex="1 1 180px">
          <Text size="sm">Send payers the address, or have them scan the code.</Text>
          <Copyable text={url} label="Copy the address" />
          <OutsideLink size="sm" to={url}>
            Open the page ↗
          </OutsideLink>
        </Stack>
      </Group>
    </Block>
  )
}

function Details({ link }: { link: PaymentLink }) {
  const { uses, max_uses, expires_at } = link
  const asks = [link.ask_name && 'Name', link.ask_email && 'Email', link.ask_phone && 'Phone number'].filter(Boolean).join(', ')
  return (
    <Block title="Details">
      <Facts
        facts={[
          ['Amount', money(link.amount, link.currency)],
          ['Used', max_uses === null ? `${uses} times, no limit` : `${uses} of ${max_uses} times`],
          ['Until', expires_at === null ? 'No expiry' : minuteOf(expires_at)],
          ['Language', languages[link.language]],
          ['Asks the payer for', asks === '' ? 'Nothing' : asks],
          ['After success', link.success_url ?? 'Default page'],
          ['After failure', link.fail_url ?? 'Default page'],
          ['Created', minuteOf(link.created_at)],
          ['Id', <Copyable key="id" text={link.id} label="Copy the id" />],
        ]}
      />
    </Block>
  )
}

function Payments({ id }: { id: string }) {
  const api = useVentureApi()
  const venture = useVenture()
  return (
    <Block title="Payments">
      <List
        label="Payments of the link"
        name={[venture, 'payments', 'of link', id]}
        read={(cursor) => api.payments.list({ payment_link_id: id, limit: 10, ...cursor }).page()}
        idOf={(payment) => payment.id}
        to={(payment) => `/v/${venture}/payments/${payment.id}`}
        columns={[
          { label: 'Created', cell: ({ created_at }) => minuteOf(created_at) },
          { label: 'Status', cell: ({ status }) => <Status value={status} /> },
          { label: 'Amount', align: 'right', cell: ({ amount, currency }) => money(amount, currency) },
          { label: 'Payer', wide: true, cell: ({ customer_name, customer_email }) => customer_name ?? customer_email },
        ]}
        empty={<Empty title="No payments yet." />}
      />
    </Block>
  )
}

function Switch({ link: { id, active } }: { link: PaymentLink }) {
  const api = useVentureApi()
  return (
    <Action
      operation="updatePaymentLink"
      label={active ? 'Disable' : 'Enable'}
      danger={active}
      run={() => api.paymentLinks.update(id, { active: !active })}
      done={active ? 'The link is disabled.' : 'The link is enabled.'}
    >
      {active ? 'No new payments can be started. Payments already started can still be completed.' : 'Payers can use it again.'}
    </Action>
  )
}
