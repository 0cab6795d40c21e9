import { FileInput, Stack } from '@mantine/core'
import type { Watchlist } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { counted } from '../../ui/words.ts'

type Wanted = { name: 'list' | 'sdn' | 'alt' | 'add'; label: string; optional?: boolean }

/** The files of a publication, by format. */
const ofOfac: readonly Wanted[] = [
  { name: 'sdn', label: 'Main file (sdn.csv)' },
  { name: 'alt', label: 'Aliases (alt.csv)', optional: true },
  { name: 'add', label: 'Addresses (add.csv)', optional: true },
]
const ofOthers: readonly Wanted[] = [{ name: 'list', label: 'The list' }]

/** Large lists need a long timeout: the service ends an import after five minutes. */
const timeout_ms = 330_000

export function Import({ list: { id, format } }: { list: Watchlist }) {
  const [files, setFiles] = useState<Partial<Record<Wanted['name'], File>>>({})
  const wanted = format === 'OFAC' ? ofOfac : ofOthers
  return (
    <Action
      operation="importWatchlistVersion"
      label="Import a version"
      isReady={wanted.every(({ name, optional }) => optional || files[name] !== undefined)}
      run={() => api.operator.watchlists.importVersion(id, files, { timeout_ms })}
      done={({ entries }) => `${counted(entries, 'entry', 'entries')} imported. Activate the version to use it.`}
      after={() => setFiles({})}
    >
      <Stack gap="sm">
        <span>
          A publication is imported as a whole, or refused with the file, line and reason. Nothing changes until the version is activated.
        </span>
        {wanted.map(({ name, label, optional = false }) => (
          <FileInput
            key={name}
            label={label}
            required={!optional}
            placeholder="Choose a file"
            clearable
            value={files[name] ?? null}
            onChange={(file) => setFiles(({ [name]: _, ...others }) => (file === null ? others : { ...others, [name]: file }))}
          />
        ))}
      </Stack>
    </Action>
  )
}
