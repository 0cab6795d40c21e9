import { Stack } from '@mantine/core'
import type { Nostro, NostroEntry, NostroStatement } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { To } from '../../ui/to.tsx'
import { dayOf, grouped, money, words } from '../../ui/words.ts'
import { entryStates } from '../../values.made.ts'

export function Statements({ nostro: { id, currency } }: { nostro: Nostro }) {
  const columns: readonly Column<NostroStatement>[] = [
    {
      label: 'Statement',
      cell: ({ number, closed_on }) => (
        <To to={`/bank/reconciliation/${id}`} search={{ tab: 'entries', number: String(number) }}>
          {number} · {dayOf(closed_on)}
        </To>
      ),
    },
    { label: 'Closing', align: 'right', cell: ({ closing }) => money(closing, currency) },
    { label: 'Opening', wide: true, align: 'right', cell: ({ opening }) => money(opening, currency) },
    { label: 'Entries', wide: true, align: 'right', cell: ({ entries }) => grouped(String(entries)) },
    {
      label: 'Day',
      cell: ({ ended_at }) => (ended_at === null ? <Status value="Not ended" tone="attention" /> : <Status value="Ended" tone="good" />),
    },
    {
      label: 'Compared',
      wide: true,
      cell: ({ closed_on }) => (
        <To to={`/bank/reconciliation/${id}`} search={{ date: closed_on }}>
          Show the figures
        </To>
      ),
    },
    { label: 'Message', wide: true, cell: ({ message_id }) => <To to={`/bank/messages/${message_id}`}>Show the XML</To> },
  ]
  return (
    <List
      label="Statements"
      name={['bank', 'nostros', id, 'statements']}
      read={(cursor) => api.operator.nostros.listStatements(id, { ...cursor, limit: 50 }).page()}
      columns={columns}
      idOf={(statement) => statement.id}
      empty={<Empty title="No statements yet.">The settlement bank sends them as camt.053 messages.</Empty>}
    />
  )
}

export function Entries({ nostro: { id, currency } }: { nostro: Nostro }) {
  const [{ state, number }] = useFilters()
  const filters = { ...(state && { state }), ...(number && { number }) }
  const columns: readonly Column<NostroEntry>[] = [
    { label: 'Counterparty', cell: (entry) => entry.counterparty_name ?? entry.end_to_end_id ?? entry.servicer_reference ?? 'Not named' },
    { label: 'State', cell: (entry) => <Status value={entry.state} /> },
    { label: 'Amount', align: 'right', cell: ({ amount }) => money(amount, currency) },
    { label: 'Statement', wide: true, align: 'right', cell: (entry) => entry.number ?? 'Notified' },
    { label: 'Booked', wide: true, cell: ({ booked_on }) => dayOf(booked_on) },
    { label: 'Matched by', wide: true, cell: ({ matched_by }) => matched_by && words(matched_by) },
    { label: 'Reference', wide: true, cell: ({ end_to_end_id }) => end_to_end_id },
  ]
  return (
    <Stack gap="sm">
      <FilterBar
        filters={[
          { name: 'state', label: 'State', choices: entryStates },
          { name: 'number', label: 'Statement number' },
        ]}
      />
      <List
        label="Entries"
        name={['bank', 'nostros', id, 'entries', filters]}
        read={(cursor) => api.operator.nostros.listEntries(id, { ...filters, ...cursor, limit: 50 } as never).page()}
        columns={columns}
        idOf={(entry) => entry.id}
        empty={<Empty title="No matching entries." />}
      />
    </Stack>
  )
}
