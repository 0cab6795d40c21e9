// A transfer: its status, next moves, history and bookings.
import './transfer.css'
import { Alert, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Transfer } from '@vostro/sdk'
import { CasesAbout } from '../../ui/cases-about.tsx'
import { Answered, Block, Page as Frame } from '../../ui/page.tsx'
import { Said } from '../../ui/said.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { signedAmount } from '../../ui/transfers.ts'
import { words } from '../../ui/words.ts'
import { Events } from './events.tsx'
import { History } from './history.tsx'
import { Ids } from './ids.tsx'
import { Machine, MachineKey } from './machine.tsx'
import { Messages } from './messages.tsx'
import { Money } from './money.tsx'
import { NextMoves } from './moves.tsx'
import { Parties } from './parties.tsx'
import { Recall, Recalls } from './recalls.tsx'
import { Settle } from './settle.tsx'

export function Page() {
  const { id } = useParams({ strict: false }) as { id: string }
  const api = useVentureApi()
  const venture = useVenture()
  const transfer = useQuery({ queryKey: [venture, 'transfer', id], queryFn: () => api.transfers.get(id) })
  const { data } = transfer
  return (
    <Frame
      title={data?.unique_reference ?? 'Transfer'}
      back={{ to: `/v/${venture}/transfers`, label: 'Transfers' }}
      aside={data && <Status value={data.status} />}
      actions={
        data && (
          <>
            <Settle transfer={data} />
            <Recall transfer={data} />
          </>
        )
      }
    >
      <Answered query={transfer}>{data && <Shown transfer={data} />}</Answered>
    </Frame>
  )
}

function Shown({ transfer }: { transfer: Transfer }) {
  const { id, status } = transfer
  const api = useVentureApi()
  const venture = useVenture()
  const flows = useQuery({ queryKey: ['flows'], queryFn: () => api.transferFlows.list(), staleTime: Number.POSITIVE_INFINITY })
  // Fetched with the status, so that the diagram never mixes two moments.
  const history = useQuery({ queryKey: [venture, 'history', id, status], queryFn: () => api.transfers.listHistory(id) })
  const next = useQuery({ queryKey: [venture, 'transitions', id, status], queryFn: () => api.transfers.listTransitions(id) })
  const flow = flows.data?.find(({ carries }) => carries.some((kind) => isOf(kind, transfer)))
  const all = { isPending: flows.isPending || history.isPending || next.isPending, error: flows.error ?? history.error ?? next.error }
  return (
    <>
      <Text className="amount" size="xl" fw={600} mt={-8}>
        {signedAmount(transfer)}
      </Text>
      <Why transfer={transfer} />
      <CasesAbout id={id} />
      <Block title="Status and next moves" note={<MachineKey />}>
        <Answered query={all}>
          <Machine life={{ statuses: flow?.statuses ?? [], current: status, history: history.data ?? [], transitions: next.data ?? [] }} />
        </Answered>
      </Block>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Block title="Next moves">
          <Answered query={next}>
            <NextMoves transfer={transfer} transitions={next.data ?? []} />
          </Answered>
        </Block>
        <Block title="History">
          <Answered query={history}>
            <History moves={history.data ?? []} />
          </Answered>
        </Block>
      </SimpleGrid>
      <Money transfer={transfer} history={history.data ?? []} />
      <Parties transfer={transfer} />
      <Said said={transfer.details} />
      <Recalls transfer={transfer} />
      <Messages transfer={transfer} />
      <Events transfer={transfer} />
      <Ids transfer={transfer} />
    </>
  )
}

type Carried = { direction: string; method: string; transfer_types: readonly string[] }

const isOf = ({ direction, method, transfer_types }: Carried, transfer: Transfer): boolean =>
  direction === transfer.direction && method === transfer.method && transfer_types.includes(transfer.transfer_type)

/** The reason of the status, as given by the person who moved the transfer and by the scheme. */
function Why({ transfer }: { transfer: Transfer }) {
  const { status, status_reason, status_reason_code, third_party_status, third_party_status_code, third_party_status_reason } = transfer
  const lines = [
    [status_reason, status_reason_code],
    [third_party_status && `The scheme answered ${third_party_status}.`, third_party_status_code, third_party_status_reason],
  ]
    .map((parts) => parts.filter(Boolean).join(' · '))
    .filter(Boolean)
  if (lines.length === 0) return null
  return (
    <Alert color="gray" variant="light" title={`Reason for status ${words(status)}`}>
      <Stack gap={2}>
        {lines.map((line) => (
          <Text key={line} size="sm">
            {line}
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}
