// What a message reports about another message and its payments.
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RailMessage } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Rows } from '../../ui/list.tsx'
import { Block, Facts } from '../../ui/page.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { To } from '../../ui/to.tsx'
import { counted } from '../../ui/words.ts'
import type { Answer } from './xml.ts'

const meanings: Record<string, [string, Tone]> = {
  ACSC: ['Settled', 'good'],
  ACCC: ['Credited', 'good'],
  ACSP: ['Accepted, settlement in process', 'good'],
  ACCP: ['Accepted', 'good'],
  ACTC: ['Technically valid', 'good'],
  RJCT: ['Rejected', 'bad'],
  PDNG: ['Pending', 'attention'],
  RCVD: ['Received', 'plain'],
  PART: ['Partly accepted', 'attention'],
}

const shownAtMost = 200

export function AnswerBlock({ answer, direction }: { answer: Answer; direction: RailMessage['direction'] }) {
  const { message_id, type, status, reason, transactions } = answer
  const pack = useQuery({
    queryKey: ['bank', 'packs', 'of message', message_id],
    // Only answers of other banks to our messages belong to a pack.
    enabled: direction === 'IN' && /^[A-Z0-9]{1,35}$/i.test(message_id),
    queryFn: async () => {
      const [found] = (await api.operator.packs.list({ message_id, limit: 1 }).page()).items
      return found === undefined ? null : api.operator.packs.get(found.id)
    },
  }).data
  const payments = new Map(pack?.payments.map((payment) => [payment.tx_id, payment]))
  return (
    <Block title="Original message" note={transactions.length > 0 && counted(transactions.length, 'transaction')}>
      <Stack gap="sm">
        <Facts
          facts={[
            ['Original message', <Copyable key="id" text={message_id} />],
            ['Its type', type && <span className="mono">{type}</span>],
            ['Message status', status && <Code code={status} reason={reason} />],
            [
              'Pack',
              pack && (
                <To key="pack" to={`/bank/packs/${pack.id}`}>
                  Show the pack
                </To>
              ),
            ],
          ]}
        />
        {transactions.length > 0 && (
          <Rows
            label="Transactions"
            rows={transactions.slice(0, shownAtMost)}
            idOf={(one) => String(transactions.indexOf(one))}
            columns={[
              {
                label: 'Payment',
                cell: ({ tx_id, end_to_end_id }) => {
                  const payment = payments.get(tx_id ?? '')
                  const name = end_to_end_id ?? tx_id
                  return payment ? <To to={`/v/${payment.venture_id}/transfers/${payment.transfer_id}`}>{name}</To> : name
                },
              },
              { label: 'Status', cell: (one) => one.status && <Code code={one.status} reason={one.reason} /> },
              { label: 'Reason', wide: true, cell: (one) => one.reason },
              { label: 'Transaction id', wide: true, cell: ({ tx_id }) => <span className="mono">{tx_id}</span> },
            ]}
          />
        )}
      </Stack>
    </Block>
  )
}

function Code({ code, reason }: { code: string; reason: string | undefined }) {
  const [meaning, tone] = meanings[code] ?? [undefined, 'plain' as const]
  return (
    <span title={reason ?? ''}>
      <Status value={meaning ?? code} tone={tone} /> {meaning && <span className="mono">{code}</span>}
    </span>
  )
}
