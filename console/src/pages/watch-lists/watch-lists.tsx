// The watch lists for screening, and whether they are loaded.
import { useQuery } from '@tanstack/react-query'
import type { Watchlist } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { type Field, FormAction } from '../../ui/form.tsx'
import { type Column, Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { counted, minuteOf } from '../../ui/words.ts'
import { formatNames, listFormats } from '../../values.made.ts'
import { useIndex } from './index-of.ts'
import { purposeNames } from './purposes.ts'

export function Page() {
  const lists = useQuery({ queryKey: ['bank', 'watchlists'], queryFn: () => api.operator.watchlists.list() })
  const index = useIndex()
  const isLoaded = (list: Watchlist) => index?.loaded.some(({ version }) => version === list.active_version_id) ?? false
  const columns: readonly Column<Watchlist>[] = [
    { label: 'List', cell: ({ name }) => name },
    {
      label: 'State',
      cell: (list) =>
        list.active_version_id === null ? (
          <Status value="No active version" tone="attention" />
        ) : isLoaded(list) || index === undefined ? (
          <Status value="ACTIVE" />
        ) : (
          <Status value="Loading" tone="attention" />
        ),
    },
    { label: 'Format', wide: true, cell: ({ format }) => formatNames[format] },
    { label: 'Purpose', cell: ({ purpose }) => purposeNames[purpose] },
    { label: 'Last change', wide: true, cell: ({ updated_at }) => minuteOf(updated_at) },
  ]
  return (
    <Frame
      title="Watch lists"
      aside={
        index &&
        (index.ready ? (
          <Status value={`Loaded: ${counted(index.loaded.length, 'list')}`} tone="good" />
        ) : (
          <Status value="Not loaded: payments wait" tone="bad" />
        ))
      }
      actions={<Create />}
    >
      <Answered query={lists}>
        {lists.data?.length === 0 ? (
          <Block>
            <Empty title="No watch lists yet.">
              No payment of a managed venture passes screening until a list is imported and activated.
            </Empty>
          </Block>
        ) : (
          <Rows
            label="Watch lists"
            rows={lists.data ?? []}
            idOf={({ id }) => id}
            to={({ id }) => `/bank/watch-lists/${id}`}
            columns={columns}
          />
        )}
      </Answered>
    </Frame>
  )
}

const fields: readonly Field[] = [
  {
    name: 'name',
    label: 'Name',
    hint: 'Policies refer to the list by this name. Lowercase letters, digits, hyphens and underscores.',
    whole: true,
  },
  {
    name: 'format',
    label: 'Format',
    choices: listFormats,
    nameOf: (format) => formatNames[format as keyof typeof formatNames],
  },
  {
    name: 'purpose',
    label: 'Purpose',
    choices: Object.keys(purposeNames),
    nameOf: (purpose) => purposeNames[purpose as keyof typeof purposeNames],
  },
]

function Create() {
  return (
    <FormAction
      operation="createWatchlist"
      label="Create a list"
      fields={fields}
      initial={{ purpose: 'SANCTIONS' }}
      run={(given) => api.operator.watchlists.create(given as never)}
      done={({ name }) => `The list ${name} was created.`}
    >
      The list is empty until a version is imported, and has no effect until a version is activated.
    </FormAction>
  )
}
