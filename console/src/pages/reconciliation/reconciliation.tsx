// The bank's accounts at settlement banks, and ending a day.
import type { EndedDay, Nostro } from '@vostro/sdk'
import { useState } from 'react'
import { api } from '../../ui/api.ts'
import { FormAction } from '../../ui/form.tsx'
import { type Column, List, Rows } from '../../ui/list.tsx'
import { Block, Empty, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { counted, dayOf, ibanOf, money, words } from '../../ui/words.ts'
import { AddNostro } from './add-nostro.tsx'

const columns: readonly Column<Nostro>[] = [
  { label: 'Nostro', cell: ({ name }) => name },
  {
    label: 'Breaks',
    cell: ({ open_breaks }) =>
      open_breaks === 0 ? <Status value="None" tone="good" /> : <Status value={String(open_breaks)} tone="attention" />,
  },
  { label: 'Balance', align: 'right', cell: ({ balance, currency }) => money(balance, currency) },
  { label: 'Account', wide: true, cell: ({ account }) => <span className="mono">{ibanOf(account)}</span> },
  { label: 'Bank', wide: true, cell: ({ bic }) => <span className="mono">{bic}</span> },
  { label: 'Rails', wide: true, cell: ({ rails }) => rails.map(words).join(', ') },
  {
    label: 'Last statement',
    wide: true,
    cell: ({ last_statement_on }) => (last_statement_on === null ? 'None yet' : dayOf(last_statement_on)),
  },
]

export function Page() {
  const [ended, setEnded] = useState<readonly EndedDay[]>()
  return (
    <Frame
      title="Reconciliation"
      actions={
        <>
          <EndOfDay onEnded={setEnded} />
          <AddNostro />
        </>
      }
    >
      {ended && <Ended days={ended} />}
      <List
        label="Nostros"
        name={['bank', 'nostros']}
        read={(cursor) => api.operator.nostros.list({ ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/bank/reconciliation/${id}`}
        empty={
          <Empty title="No nostros yet.">Add the account on which the rails settle. Its statements are then compared with the books.</Empty>
        }
      />
    </Frame>
  )
}

const dayFields = [{ name: 'date', label: 'Day', hint: 'Leave empty for today.', type: 'date', optional: true }] as const

function EndOfDay({ onEnded }: { onEnded(days: readonly EndedDay[]): void }) {
  return (
    <FormAction
      operation="endOfDay"
      label="End a day"
      fields={dayFields}
      columns={1}
      run={(given) => api.operator.endOfDay.run(given)}
      done={(days) => `The day was ended for ${counted(days.length, 'nostro')}.`}
      after={onEnded}
    >
      Every payment that should have settled by this day but is on no statement becomes a break. The service does this automatically once
      the day is over.
    </FormAction>
  )
}

const outcomes = {
  ENDED: ['Ended', 'good'],
  ENDED_BEFORE: ['Already ended', 'quiet'],
  STATEMENT_MISSING: ['Statement missing', 'attention'],
} as const

function Ended({ days }: { days: readonly EndedDay[] }) {
  return (
    <Block title="Ended day">
      {days.length === 0 ? (
        <Empty title="No nostros to compare." />
      ) : (
        <Rows
          label="Ended days"
          rows={days}
          idOf={({ nostro_id, date }) => `${nostro_id} ${date}`}
          to={({ nostro_id }) => `/bank/reconciliation/${nostro_id}`}
          columns={[
            { label: 'Day', cell: ({ date }) => dayOf(date) },
            { label: 'Outcome', cell: ({ state }) => <Status value={outcomes[state][0]} tone={outcomes[state][1]} /> },
            { label: 'Missing', align: 'right', cell: ({ missing }) => counted(missing, 'payment') },
          ]}
        />
      )}
    </Block>
  )
}
