// An incoming message and its booking.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { BookedFact } from '@vostro/sdk'
import { api, apiOf } from '../../ui/api.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { VentureName } from '../../ui/names.tsx'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { To } from '../../ui/to.tsx'
import { ibanOf, money, secondOf, words } from '../../ui/words.ts'
import { meanings, tones } from './booked.ts'

const back = { to: '/bank/inbound', label: 'Inbound' }

export function Page() {
  const { payment: id = '' } = useParams({ strict: false }) as { payment?: string }
  const fact = useQuery({ queryKey: ['bank', 'inbound', id], queryFn: () => api.operator.inboundPayments.get(id) })
  if (fact.data === undefined)
    return (
      <Frame title="Inbound payment" back={back}>
        <Answered query={fact}>{null}</Answered>
      </Frame>
    )
  const { kind, sender, tx_id, booked_as, venture_id, created_at } = fact.data
  return (
    <Frame title="Inbound payment" aside={<Status value={booked_as} tone={tones[booked_as]} />} back={back}>
      <Block title="Message">
        <Facts
          facts={[
            ['Transaction id', <Copyable key="tx" text={tx_id} />],
            ['Kind', kind],
            [
              'From',
              <span key="from" className="mono">
                {sender}
              </span>,
            ],
            ['Booked', secondOf(created_at)],
            ['Booked as', meanings[booked_as]],
            ['Booked for', <VentureName key="venture" id={venture_id} />],
          ]}
        />
      </Block>
      {booked_as === 'transfer' && <Transfer fact={fact.data} />}
      {booked_as === 'unapplied' && <Unapplied fact={fact.data} />}
      {booked_as === 'break' && <Break fact={fact.data} />}
    </Frame>
  )
}

type Shown = { fact: BookedFact }

function Transfer({ fact: { id, venture_id } }: Shown) {
  const transfer = useQuery({ queryKey: [venture_id, 'transfers', id], queryFn: () => apiOf(venture_id).transfers.get(id) })
  const { data } = transfer
  return (
    <Block title="Transfer" actions={<To to={`/v/${venture_id}/transfers/${id}`}>Show the transfer</To>}>
      <Answered query={transfer}>
        {data && (
          <Facts
            facts={[
              ['Status', <Status key="status" value={data.status} />],
              ['Amount', money(data.credit_amount, data.credit_currency)],
              ['From', data.dr_name],
              ['Payer’s IBAN', data.dr_iban && ibanOf(data.dr_iban)],
              ['To', data.cr_name],
              ['Payee’s IBAN', data.cr_iban && ibanOf(data.cr_iban)],
              ['Rail', words(data.method)],
              ['Purpose', data.purpose],
              ['Reason', data.status_reason],
            ]}
          />
        )}
      </Answered>
    </Block>
  )
}

function Unapplied({ fact: { id } }: Shown) {
  const unapplied = useQuery({ queryKey: ['bank', 'unapplied', id], queryFn: () => api.operator.unappliedPayments.get(id) })
  const { data } = unapplied
  return (
    <Block title="Unapplied payment" actions={<To to={`/bank/unapplied/${id}`}>Show the unapplied payment</To>}>
      <Answered query={unapplied}>
        {data && (
          <Facts
            facts={[
              ['Status', <Status key="status" value={data.status} />],
              ['Amount', money(data.amount, data.currency)],
              ['Why it is unapplied', words(data.reason)],
              ['From', data.dr_name],
              ['For', ibanOf(data.iban)],
            ]}
          />
        )}
      </Answered>
    </Block>
  )
}

function Break({ fact: { id } }: Shown) {
  const found = useQuery({ queryKey: ['bank', 'breaks', id], queryFn: () => api.operator.breaks.get(id) })
  const { data } = found
  return (
    <Block title="Break" actions={<To to={`/bank/breaks/${id}`}>Show the break</To>}>
      <Answered query={found}>
        {data && (
          <Facts
            facts={[
              ['Status', <Status key="status" value={data.status} />],
              ['Amount', money(data.amount, data.currency)],
              ['Kind', words(data.kind)],
              ['Explanation', data.explanation],
            ]}
          />
        )}
      </Answered>
    </Block>
  )
}
