// A watch list: its versions, and importing and activating them.
import { Checkbox, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Watchlist, WatchlistVersion } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { List } from '../../ui/list.tsx'
import { Answered, Block, Empty, Facts, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { grouped, minuteOf, secondOf, words } from '../../ui/words.ts'
import { formatNames } from '../../values.made.ts'
import { Import } from './import.tsx'
import { useIndex } from './index-of.ts'
import { purposeNames } from './purposes.ts'

const back = { to: '/bank/watch-lists', label: 'Watch lists' }

export function Page() {
  const { list: id = '' } = useParams({ strict: false }) as { list?: string }
  const list = useQuery({ queryKey: ['bank', 'watchlists', id], queryFn: () => api.operator.watchlists.get(id) })
  if (list.data === undefined)
    return (
      <Frame title="Watch list" back={back}>
        <Answered query={list}>{null}</Answered>
      </Frame>
    )
  return <Shown list={list.data} />
}

function Shown({ list }: { list: Watchlist }) {
  const { id, name, format, purpose, active_version_id, created_at, updated_at } = list
  const index = useIndex()
  const isLoaded = index?.loaded.some(({ version }) => version === active_version_id)
  return (
    <Frame
      title={name}
      back={back}
      aside={active_version_id === null ? <Status value="No active version" tone="attention" /> : <Status value="ACTIVE" />}
      actions={<Import list={list} />}
    >
      <Block>
        <Facts
          facts={[
            ['Format', formatNames[format]],
            ['Purpose', purposeNames[purpose]],
            ['Active version', active_version_id && <Copyable text={active_version_id} />],
            [
              'Index',
              active_version_id === null || isLoaded === undefined
                ? null
                : isLoaded
                  ? 'Loaded: names are screened against this version'
                  : 'Loading: payments wait until it has finished',
            ],
            ['Created', secondOf(created_at)],
            ['Last change', secondOf(updated_at)],
          ]}
        />
      </Block>
      <Block title="Versions">
        <List
          label="Versions"
          name={['bank', 'watchlists', id, 'versions']}
          read={(cursor) => api.operator.watchlists.listVersions(id, { ...cursor, limit: 20 }).page()}
          idOf={(version) => version.id}
          columns={[
            { label: 'Imported', cell: ({ imported_at }) => minuteOf(imported_at) },
            { label: 'State', cell: (version) => <State version={version} /> },
            { label: 'Entries', align: 'right', cell: ({ entries }) => grouped(String(entries)) },
            { label: 'Names', wide: true, align: 'right', cell: ({ names }) => grouped(String(names)) },
            { label: 'By', wide: true, cell: ({ imported_by }) => words(imported_by) },
            { label: 'Skipped countries', wide: true, cell: ({ unknown_countries }) => unknown_countries.join(', ') },
            {
              label: 'SHA-256',
              wide: true,
              cell: ({ sha256 }) => <Copyable text={sha256} shown={sha256.slice(0, 8)} label="Copy the SHA-256" />,
            },
            { label: '', align: 'right', cell: (version) => <Activate version={version} /> },
          ]}
          empty={<Empty title="No versions yet.">Import the files of a publication, then activate the version.</Empty>}
        />
      </Block>
    </Frame>
  )
}

function State({ version: { active, activated_at, replaced_at, deleted_at } }: { version: WatchlistVersion }) {
  if (active) return <Status value="ACTIVE" />
  if (deleted_at !== null) return <Status value="Deleted" tone="quiet" />
  if (replaced_at !== null) return <Status value="Replaced" tone="quiet" />
  return <Status value={activated_at === null ? 'Imported' : 'Not active'} tone="plain" />
}

function Activate({ version: { watchlist_id, id, active, deleted_at, entries, names } }: { version: WatchlistVersion }) {
  const [force, setForce] = useState(false)
  if (active || deleted_at !== null) return null
  return (
    <Action
      operation="activateWatchlistVersion"
      label="Activate"
      button={{ size: 'compact-sm' }}
      run={() => api.operator.watchlists.activateVersion(watchlist_id, id, force ? { force } : {})}
      done="The version is active."
    >
      <Stack gap="sm">
        <span>
          Names are now screened against this version: {grouped(String(entries))} entries with {grouped(String(names))} names. All clients,
          beneficiaries and open payments are screened against the changes. A second person must approve.
        </span>
        <Checkbox
          label="Activate even if it has at least 20 % fewer entries or names than the active version"
          checked={force}
          onChange={(e) => setForce(e.currentTarget.checked)}
        />
      </Stack>
    </Action>
  )
}
