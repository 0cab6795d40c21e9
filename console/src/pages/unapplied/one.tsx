// An unapplied payment and the bank's decision.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { UnappliedPayment } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { CasesAbout } from '../../ui/cases-about.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { VentureName } from '../../ui/names.tsx'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { Said } from '../../ui/said.tsx'
import { Status } from '../../ui/status.tsx'
import { To } from '../../ui/to.tsx'
import { ibanOf, money, secondOf, words } from '../../ui/words.ts'

const back = { to: '/bank/unapplied', label: 'Unapplied payments' }

export function Page() {
  const { payment: id = '' } = useParams({ strict: false }) as { payment?: string }
  const payment = useQuery({ queryKey: ['bank', 'unapplied', id], queryFn: () => api.operator.unappliedPayments.get(id) })
  if (payment.data === undefined)
    return (
      <Frame title="Unapplied payment" back={back}>
        <Answered query={payment}>{null}</Answered>
      </Frame>
    )
  return <Shown payment={payment.data} />
}

function Shown({ payment }: { payment: UnappliedPayment }) {
  const { id, amount, currency, status, dr_address, dr_postal_code, dr_city, dr_country_code } = payment
  const address = [dr_address, [dr_postal_code, dr_city].filter(Boolean).join(' '), dr_country_code].filter(Boolean).join(', ')
  return (
    <Frame title={money(amount, currency)} aside={<Status value={status} />} back={back}>
      <Block title="Payment">
        <Facts
          facts={[
            ['Why no account took it', words(payment.reason)],
            ['For', <Copyable key="iban" text={payment.iban} shown={ibanOf(payment.iban)} />],
            ['Rail', words(payment.rail)],
            ['Purpose', payment.purpose],
            ['Arrived', secondOf(payment.created_at)],
            ['Id', <Copyable key="id" text={id} />],
          ]}
        />
      </Block>
      <Block title="Payer">
        <Facts
          facts={[
            ['Name', payment.dr_name ?? 'Not known'],
            ['IBAN', payment.dr_iban && <Copyable key="iban" text={payment.dr_iban} shown={ibanOf(payment.dr_iban)} />],
            ['BIC', payment.dr_bank_bic && <span className="mono">{payment.dr_bank_bic}</span>],
            ['Address', address],
          ]}
        />
      </Block>
      <Said said={payment.said} />
      <CasesAbout id={id} />
      <Outcome payment={payment} />
    </Frame>
  )
}

function Outcome({ payment }: { payment: UnappliedPayment }) {
  const { client_venture_id, client_id, parent_transaction_id, applied_venture_id, transfer_id, payout_name, payout_iban, decided_at } =
    payment
  if (decided_at === null && client_id === null) return null
  return (
    <Block title={decided_at === null ? 'Owner' : 'Outcome'}>
      <Facts
        facts={[
          ['Decided', decided_at && secondOf(decided_at)],
          ['Venture', client_venture_id && <VentureName id={client_venture_id} />],
          ['Client', client_venture_id && client_id && <To to={`/v/${client_venture_id}/clients/${client_id}`}>Show the client</To>],
          [
            'Returned payment',
            client_venture_id && parent_transaction_id && (
              <To to={`/v/${client_venture_id}/transfers/${parent_transaction_id}`}>Show the transfer</To>
            ),
          ],
          [
            'Credited by',
            applied_venture_id && transfer_id && <To to={`/v/${applied_venture_id}/transfers/${transfer_id}`}>Show the transfer</To>,
          ],
          ['Paid out to', payout_name],
          ['IBAN', payout_iban && ibanOf(payout_iban)],
        ]}
      />
    </Block>
  )
}
