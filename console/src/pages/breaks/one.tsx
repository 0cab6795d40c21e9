// A break: what was found, what it concerns, and what the bank decided.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Break } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { CasesAbout } from '../../ui/cases-about.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { houseId, VentureName } from '../../ui/names.tsx'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { To } from '../../ui/to.tsx'
import { money, secondOf, words } from '../../ui/words.ts'
import { meaningOf } from './break-words.ts'

const back = { to: '/bank/breaks', label: 'Breaks' }

export function Page() {
  const { break: id = '' } = useParams({ strict: false }) as { break?: string }
  const found = useQuery({ queryKey: ['bank', 'breaks', id], queryFn: () => api.operator.breaks.get(id) })
  if (found.data === undefined)
    return (
      <Frame title="Break" back={back}>
        <Answered query={found}>{null}</Answered>
      </Frame>
    )
  const { kind, status, amount, currency, difference, explanation, rail, decided_at, created_at } = found.data
  return (
    <Frame title={words(kind)} aside={<Status value={status} />} back={back}>
      <Block title="What was found">
        <Facts
          facts={[
            ['Meaning', meaningOf(kind)],
            ['Amount', money(amount, currency)],
            ['Statement minus books', difference && money(difference, currency)],
            ['Rail', rail && words(rail)],
            ['Explanation', explanation],
            ['Found', secondOf(created_at)],
            ['Decided', decided_at && secondOf(decided_at)],
            ['Id', <Copyable key="id" text={id} />],
          ]}
        />
      </Block>
      <CasesAbout id={id} />
      <About found={found.data} />
    </Frame>
  )
}

function About({ found }: { found: Break }) {
  const { nostro_id, pack_id, row_venture_id, row_id, account_venture_id, account_id, client_id, transfer_id, counter_id } = found
  return (
    <Block title="Related records">
      <Facts
        facts={[
          ['Nostro', nostro_id && <To to={`/bank/reconciliation/${nostro_id}`}>Show the nostro</To>],
          ['Pack', pack_id && <To to={`/bank/packs/${pack_id}`}>Show the pack</To>],
          ['Booked for', row_venture_id && <VentureName id={row_venture_id} />],
          [
            'Payment',
            row_venture_id && row_id && row_venture_id !== houseId && (
              <To to={`/v/${row_venture_id}/transfers/${row_id}`}>Show the transfer</To>
            ),
          ],
          ['Venture', account_venture_id && <VentureName id={account_venture_id} />],
          ['Account', account_venture_id && account_id && <To to={`/v/${account_venture_id}/accounts/${account_id}`}>Show the account</To>],
          ['Client', account_venture_id && client_id && <To to={`/v/${account_venture_id}/clients/${client_id}`}>Show the client</To>],
          [
            'Collected by',
            account_venture_id && transfer_id && <To to={`/v/${account_venture_id}/transfers/${transfer_id}`}>Show the transfer</To>,
          ],
          ['Collected over', found.collected_over && words(found.collected_over)],
          ['Cancelled by', counter_id && <To to={`/bank/breaks/${counter_id}`}>Show the other break</To>],
        ]}
      />
    </Block>
  )
}
