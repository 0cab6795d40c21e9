// Who approves whose requests. Two related people count as one, until a third admin clears the pair.
import { Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Pair } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { type Column, FilterBar, Rows, useFilters } from '../../ui/list.tsx'
import { PersonName, usePersonName } from '../../ui/names.tsx'
import { Answered, Block, Empty, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { dayOf } from '../../ui/words.ts'
import { currencyDecimals } from '../../values.made.ts'
import { sumsOf, whyRelated } from './pairs.words.ts'

const usual = 'EUR'

const tones = { RELATED: 'attention', CLEARED: 'good' } as const

const columnsIn = (currency: string): readonly Column<Pair>[] => [
  { label: 'People', cell: (pair) => <People pair={pair} /> },
  { label: 'Approved amounts', align: 'right', cell: (pair) => <Sums pair={pair} currency={currency} /> },
  { label: 'Approvals', wide: true, align: 'right', cell: ({ approvals }) => (approvals === 0 ? 'None' : approvals) },
  { label: 'Last approval', wide: true, cell: ({ last_approved_at }) => last_approved_at && dayOf(last_approved_at) },
  { label: '', align: 'right', cell: (pair) => <Deciding pair={pair} /> },
]

export function Page() {
  const [{ currency = usual }] = useFilters()
  const pairs = useQuery({ queryKey: ['bank', 'pairs', currency], queryFn: () => api.operator.pairs.list({ currency }) })
  return (
    <Frame title="Pairs">
      <Text size="sm" c="dimmed" maw="75ch">
        Who approved whose requests in the last 90 days, largest amounts first. Two related people count as one, so neither can approve
        requests of the other. An admin who is related to neither can clear the pair.
      </Text>
      <FilterBar
        filters={[
          {
            name: 'currency',
            label: 'Currency',
            choices: Object.keys(currencyDecimals),
            written: (code) => `By amount in ${code}`,
            width: 230,
            usual,
          },
        ]}
      />
      <Answered query={pairs}>
        {pairs.data?.length === 0 ? (
          <Block>
            <Empty title="No pairs yet.">There were no approvals in the last 90 days, and no two people are related.</Empty>
          </Block>
        ) : (
          <Rows
            label="Pairs"
            rows={pairs.data ?? []}
            idOf={({ one_id, other_id }) => `${one_id} ${other_id}`}
            columns={columnsIn(currency)}
          />
        )}
      </Answered>
    </Frame>
  )
}

/** The two people, and what relates them. */
function People({ pair }: { pair: Pair }) {
  const { one_id, other_id, relation, related_by, clearing } = pair
  return (
    <div className="lines">
      <PersonName id={one_id} isLink /> and <PersonName id={other_id} isLink />{' '}
      {relation !== 'NONE' && <Status value={relation} tone={tones[relation]} />}
      {whyRelated(related_by).map((sentence) => (
        <Text key={sentence} size="sm" c="dimmed">
          {sentence}
        </Text>
      ))}
      {clearing && (
        <Text size="sm" c="dimmed">
          <PersonName id={clearing.cleared_by} /> cleared them on {dayOf(clearing.cleared_at)}: {clearing.reason}
          {relation === 'RELATED' && ' They have become related again since.'}
        </Text>
      )}
    </div>
  )
}

function Sums({ pair, currency }: { pair: Pair; currency: string }) {
  const [first = '', ...others] = sumsOf(pair, currency)
  return (
    <>
      <span className="amount">{first}</span>
      {others.map((sum) => (
        <Text key={sum} size="xs" c="dimmed" className="amount">
          {sum}
        </Text>
      ))}
    </>
  )
}

/** What the signed-in person can do about a pair. */
function Deciding({ pair }: { pair: Pair }) {
  const { relation, clearing, can_be_cleared } = pair
  if (can_be_cleared) return <Clear pair={pair} />
  return relation === 'CLEARED' && clearing !== null ? <TakeBack id={clearing.id} pair={pair} /> : null
}

function useNames({ one_id, other_id }: Pair): string {
  return `${usePersonName(one_id)} and ${usePersonName(other_id)}`
}

function Clear({ pair }: { pair: Pair }) {
  const { one_id, other_id } = pair
  const [reason, setReason] = useState('')
  const names = useNames(pair)
  return (
    <Action
      operation="clearPair"
      label="Clear"
      title={`Clear ${names}`}
      button={{ size: 'compact-sm' }}
      isReady={reason.trim() !== ''}
      run={() => api.operator.pairs.clear({ one_id, other_id, reason: reason.trim() })}
      done={`${names} can now approve each other’s requests.`}
      after={() => setReason('')}
    >
      {names} can then approve each other’s requests. The clearing covers their current relations. You are accountable for it: the clearing
      and its reason are in the audit log.
      <Textarea
        label="Reason"
        required
        autosize
        minRows={2}
        maxLength={255}
        mt="sm"
        value={reason}
        onChange={(e) => setReason(e.currentTarget.value)}
        data-autofocus
      />
    </Action>
  )
}

function TakeBack({ id, pair }: { id: string; pair: Pair }) {
  const names = useNames(pair)
  return (
    <Action
      operation="takeBackPairClearing"
      label="Revoke clearing"
      title={`Revoke the clearing of ${names}`}
      danger
      button={{ size: 'compact-sm' }}
      run={() => api.operator.pairs.takeBackClearing(id)}
      done={`${names} count as one person again.`}
    >
      {names} count as one person again at once and cannot approve each other’s requests.
    </Action>
  )
}
