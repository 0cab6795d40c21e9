// A card payment: its history, refunds and cancellation.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Payment, VostroEvent } from '@vostro/sdk'
import { isZero } from '../../ui/amounts.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { History, type Moment } from '../../ui/history.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { Tie } from '../../ui/tied.tsx'
import { minuteOf, money } from '../../ui/words.ts'
import { Cancel, Refund } from './back.tsx'
import { isCancellable, isRefundable } from './left.ts'

const languages = { EN: 'English', FR: 'French', AR: 'Arabic' }

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const { payment: id = '' } = useParams({ strict: false }) as { payment?: string }
  const query = useQuery({ queryKey: [venture, 'payment', id], queryFn: () => api.payments.get(id) })
  const payment = query.data
  return (
    <Frame
      title={payment === undefined ? 'Payment' : money(payment.amount, payment.currency)}
      back={{ to: `/v/${venture}/payments`, label: 'Payments' }}
      aside={payment && <Status value={payment.status} />}
      actions={
        payment && (
          <>
            {isRefundable(payment) && <Refund payment={payment} />}
            {isCancellable(payment) && <Cancel payment={payment} />}
          </>
        )
      }
    >
      <Answered query={query}>
        {payment && (
          <>
            <Details payment={payment} />
            <div className="columns">
              <Block title="Timeline">
                <History id={id} say={sayPayment} />
              </Block>
              <Gateway payment={payment} />
            </div>
          </>
        )}
      </Answered>
    </Frame>
  )
}

function Details({ payment }: { payment: Payment }) {
  const { refunded_amount, currency, payment_link_id, paid_at } = payment
  return (
    <Block title="Details">
      <Facts
        facts={[
          ['Your reference', payment.order_ref],
          ['For', payment.description],
          ['Paid', paid_at && minuteOf(paid_at)],
          ['Refunded', isZero(refunded_amount) ? null : money(refunded_amount, currency)],
          ['Card', [payment.card_brand, payment.masked_pan].filter(Boolean).join(' ')],
          ['Payer', [payment.customer_name, payment.customer_email, payment.customer_phone].filter(Boolean).join(', ')],
          [
            'Started from',
            payment_link_id === null ? (
              'Your server'
            ) : (
              <Tie key="link" to={`links/${payment_link_id}`}>
                A payment link
              </Tie>
            ),
          ],
          ['Language', languages[payment.language]],
          ['Page for the card', payment.status === 'PENDING' && payment.form_url ? <FormLink key="form" to={payment.form_url} /> : null],
          ['Created', minuteOf(payment.created_at)],
          ['Id', <Copyable key="id" text={payment.id} label="Copy the id" />],
        ]}
      />
    </Block>
  )
}

function FormLink({ to }: { to: string }) {
  return <OutsideLink to={to}>Open it ↗</OutsideLink>
}

/** What the card gateway and the issuer reported. */
function Gateway({ payment }: { payment: Payment }) {
  const said = (code: string | null, text: string | null) => [code, text].filter(Boolean).join(': ')
  return (
    <Block title="Card gateway">
      <Facts
        facts={[
          ['Order number', payment.gateway_order_number],
          ['Order id', payment.gateway_order_id],
          ['Order status', payment.gateway_order_status === null ? null : String(payment.gateway_order_status)],
          ['Result', said(payment.action_code, payment.action_code_description)],
          ['Issuer', said(payment.resp_code, payment.resp_code_desc)],
          ['Authorisation', payment.approval_code],
          ['Error', payment.gateway_error_code],
        ]}
      />
    </Block>
  )
}

/** Adds what the status alone does not say. */
function sayPayment({ type, data }: VostroEvent): Moment {
  const { status, refunded_amount, currency, action_code_description, amount } = data.object as unknown as Payment
  const title = <Status value={status} />
  switch (type) {
    case 'payment.created':
      return { title, note: `${money(amount, currency)} was requested.` }
    case 'payment.refunded':
      return { title, note: `${money(refunded_amount, currency)} refunded in total.` }
    case 'payment.refused':
      return { title, note: action_code_description }
    case 'payment.failed':
      return { title, note: 'The card gateway rejected the order.' }
    default:
      return { title }
  }
}
