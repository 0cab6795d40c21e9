// A pack: its state, its message, and its payments with the scheme's answers.
import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { PackWithPayments, RailPayment } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { CasesAbout } from '../../ui/cases-about.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { type Column, Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty, Facts, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { counted, dayOf, minuteOf, money, secondOf, words } from '../../ui/words.ts'
import { declarableStates } from '../../values.made.ts'
import { numberOf } from './number.ts'

const back = { to: '/bank/packs', label: 'Packs' }

/** The states in which two people may declare a pack not sent. */
const declarable: readonly string[] = declarableStates

export function Page() {
  const { pack: id = '' } = useParams({ strict: false }) as { pack?: string }
  const pack = useQuery({ queryKey: ['bank', 'packs', id], queryFn: () => api.operator.packs.get(id) })
  if (pack.data === undefined)
    return (
      <Frame title="Pack" back={back}>
        <Answered query={pack}>{null}</Answered>
      </Frame>
    )
  return <Shown pack={pack.data} />
}

function Shown({ pack }: { pack: PackWithPayments }) {
  const { id, message_id, state, rail, kind, cycle, settlement_date, count, total, currency, reason, payments } = pack
  return (
    <Frame
      title={`Pack ${numberOf(message_id)}`}
      aside={<Status value={state} />}
      back={back}
      actions={declarable.includes(state) && <NotSent id={id} />}
    >
      <Block>
        <Facts
          facts={[
            ['Message id', <Copyable key="id" text={message_id} />],
            ['Rail', words(rail)],
            ['Contains', `${counted(count, words(kind).toLowerCase())}`],
            ['Total', money(total, currency)],
            ['Cut-off', cycle === null ? 'None on this rail' : minuteOf(cycle)],
            ['Settles', dayOf(settlement_date)],
            ['Created', secondOf(pack.created_at)],
            ['Delivered', pack.delivered_at === null ? 'Not yet' : secondOf(pack.delivered_at)],
            ['Last change', secondOf(pack.updated_at)],
            ['Reason', reason === null ? null : words(reason)],
          ]}
        />
      </Block>
      <CasesAbout id={id} />
      <Messages pack={id} />
      <Payments payments={payments} />
    </Frame>
  )
}

function NotSent({ id }: { id: string }) {
  return (
    <Action
      operation="declarePackNotSent"
      label="Declare not sent"
      danger
      run={() => api.operator.packs.declareNotSent(id)}
      done="The payments leave with the next pack."
    >
      Declare this only if you are certain that the scheme has not executed these payments. Unanswered payments leave again in another
      message, with the same transaction ids. A second person must approve.
    </Action>
  )
}

function Messages({ pack }: { pack: string }) {
  const messages = useQuery({
    queryKey: ['bank', 'messages', 'of pack', pack],
    queryFn: async () => (await api.operator.messages.list({ pack_id: pack, limit: 100 }).page()).items,
  })
  return (
    <Block title="Messages">
      <Answered query={messages}>
        {messages.data?.length === 0 ? (
          <Empty title="No message yet.">It is written once all payments of the pack have started.</Empty>
        ) : (
          <Rows
            label="Messages"
            rows={messages.data ?? []}
            idOf={({ id }) => id}
            to={({ id }) => `/bank/messages/${id}`}
            columns={[
              { label: 'Type', cell: ({ type }) => <span className="mono">{type}</span> },
              { label: 'State', cell: ({ state }) => <Status value={state} /> },
              { label: 'Message id', wide: true, cell: ({ message_id }) => <span className="mono">{message_id}</span> },
              { label: 'Created', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
            ]}
          />
        )}
      </Answered>
    </Block>
  )
}

const columns: readonly Column<RailPayment>[] = [
  { label: 'Reference', cell: ({ end_to_end_id }) => end_to_end_id },
  { label: 'State', cell: ({ state }) => <Status value={state} /> },
  { label: 'Amount', align: 'right', cell: ({ amount, currency }) => money(amount, currency) },
  { label: 'Reason', wide: true, cell: ({ reason }) => reason },
  { label: 'Attempt', wide: true, align: 'right', cell: ({ attempt }) => attempt },
  { label: 'Settled', wide: true, cell: ({ settled_on }) => settled_on && dayOf(settled_on) },
  { label: 'Transaction id', wide: true, cell: ({ tx_id }) => <span className="mono">{tx_id}</span> },
]

/** A pack has up to 5,000 payments, too many to show at once. */
const step = 100

function Payments({ payments }: { payments: readonly RailPayment[] }) {
  const [shown, setShown] = useState(step)
  return (
    <Block title="Payments" note={counted(payments.length, 'payment')}>
      {payments.length === 0 ? (
        <Empty title="No payments left in the pack." />
      ) : (
        <Stack gap="xs">
          <Rows
            label="Payments"
            rows={payments.slice(0, shown)}
            idOf={({ transfer_id, attempt }) => `${transfer_id} ${attempt}`}
            to={({ venture_id, transfer_id }) => `/v/${venture_id}/transfers/${transfer_id}`}
            columns={columns}
          />
          {payments.length > shown && (
            <Group justify="center">
              <Button variant="default" onClick={() => setShown(shown + step)}>
                Show more
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Block>
  )
}
