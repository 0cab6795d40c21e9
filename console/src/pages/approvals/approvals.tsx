// Requests of one person that a second person must approve.
import { Group } from '@mantine/core'
import type { Approval, ListApprovalsQuery } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { PersonName, useVentureChoices, VentureName } from '../../ui/names.tsx'
import { NobodyToAskNotice } from '../../ui/nobody-to-ask.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { useSession } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { useView, Views } from '../../ui/view.tsx'
import { minuteOf } from '../../ui/words.ts'
import { actions, actionWords, gistOf } from './approvals.words.ts'

const columns: readonly Column<Approval>[] = [
  { label: 'Action', cell: ({ action }) => actionWords(action) },
  { label: 'State', cell: ({ state }) => <Status value={state} /> },
  { label: 'Summary', wide: true, cell: gistOf },
  { label: 'Venture', wide: true, cell: ({ venture_id }) => <VentureName id={venture_id} /> },
  { label: 'Requested by', wide: true, cell: ({ maker_id }) => <PersonName id={maker_id} /> },
  {
    label: 'Expires or decided',
    wide: true,
    cell: ({ state, expires_at, decided_at }) => minuteOf(state === 'PENDING' ? expires_at : (decided_at ?? expires_at)),
  },
]

type View = 'waiting' | 'mine' | 'decided'

const views: readonly (readonly [View, string])[] = [
  ['waiting', 'To approve'],
  ['mine', 'Mine'],
  ['decided', 'Decided'],
]

/** The filter of each view. People cannot decide their own requests. */
const queries: Readonly<Record<View, (me: string) => ListApprovalsQuery>> = {
  waiting: () => ({ state: 'PENDING', maker_id: 'others' }),
  mine: (maker_id) => ({ maker_id }),
  decided: () => ({ state: 'CLOSED' }),
}

const nothing: Readonly<Record<View, string>> = {
  waiting: 'Nothing to approve.',
  mine: 'None of your requests needs a second person.',
  decided: 'Nothing has been decided yet.',
}

export function Page() {
  const { user } = useSession()
  const [{ view: _, ...filters }] = useFilters()
  const view = useView<View>(['waiting', 'mine', 'decided'])
  return (
    <Frame title="Approvals">
      <NobodyToAskNotice />
      <Group gap="xs">
        <Views label="Which approvals" views={views} />
        <FilterBar
          filters={[
            { name: 'action', label: 'Action', choices: Object.keys(actions), written: actionWords },
            { name: 'venture_id', label: 'Venture', ...useVentureChoices({ withBank: true }) },
          ]}
        />
      </Group>
      <List
        label="Approvals"
        name={['bank', 'approvals', view, filters]}
        read={(cursor) => api.operator.approvals.list({ ...filters, ...queries[view](user.id), ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/bank/approvals/${id}`}
        empty={
          <Empty title={nothing[view]}>
            With four-eyes approval on, requests that release money or grant rights wait here until a second person approves them.
          </Empty>
        }
      />
    </Frame>
  )
}
