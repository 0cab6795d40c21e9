// Events of the verifier that match no client or contradict an earlier event.
import { Code } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ConflictingEvent, UnmatchedEvent } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { type Column, Rows } from '../../ui/list.tsx'
import { VentureName } from '../../ui/names.tsx'
import { Answered, Block, Empty, Page as Frame } from '../../ui/page.tsx'
import { secondOf } from '../../ui/words.ts'

const Sender = ({ venture }: { venture: string | null }) => (venture === null ? 'The verifier' : <VentureName id={venture} isLink />)

const unmatched: readonly Column<UnmatchedEvent>[] = [
  { label: 'Event', cell: ({ type }) => type },
  { label: 'Id', wide: true, cell: ({ id }) => <Copyable text={id} /> },
  { label: 'Client in the event', cell: ({ subject_id }) => (subject_id === null ? 'None' : <Copyable text={subject_id} />) },
  { label: 'Application', wide: true, cell: ({ application_id }) => application_id && <Copyable text={application_id} /> },
  { label: 'Sent by', wide: true, cell: ({ received_by }) => <Sender venture={received_by} /> },
  { label: 'Received', cell: ({ received_at }) => secondOf(received_at) },
]

const conflicting: readonly Column<ConflictingEvent>[] = [
  { label: 'Id', cell: ({ id }) => <Copyable text={id} /> },
  { label: 'Sent by', wide: true, cell: ({ received_by }) => <Sender venture={received_by} /> },
  { label: 'Received', cell: ({ received_at }) => secondOf(received_at) },
  {
    label: 'Content',
    wide: true,
    cell: ({ body }) => (
      <details className="raw">
        <summary>Show</summary>
        <Code block tabIndex={0}>
          {body}
        </Code>
      </details>
    ),
  },
]

export function Page() {
  const fitNobody = useQuery({ queryKey: ['bank', 'kyc', 'unmatched'], queryFn: () => api.kyc.listUnmatchedEvents({ limit: 100 }) })
  const contradict = useQuery({ queryKey: ['bank', 'kyc', 'conflicting'], queryFn: () => api.kyc.listConflictingEvents({ limit: 100 }) })
  return (
    <Frame title="KYC events">
      <Block title="Without a client" note="The newest 100. They are applied automatically once the client exists.">
        <Answered query={fitNobody}>
          {fitNobody.data?.length === 0 ? (
            <Empty title="Every event matches a client." />
          ) : (
            <Rows label="Events without a client" rows={fitNobody.data ?? []} idOf={({ id }) => id} columns={unmatched} />
          )}
        </Answered>
      </Block>
      <Block title="Contradictions" note="The newest 100. Same id, different content: the first one counts.">
        <Answered query={contradict}>
          {contradict.data?.length === 0 ? (
            <Empty title="No contradictions." />
          ) : (
            <Rows
              label="Contradicting events"
              rows={contradict.data ?? []}
              idOf={({ id, received_at }) => `${id} ${received_at}`}
              columns={conflicting}
            />
          )}
        </Answered>
      </Block>
    </Frame>
  )
}
